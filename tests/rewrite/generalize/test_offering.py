"""The options in the decisions, the one that is written, and where both are shown."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacenda
from tacenda import documents
from tacenda.document import (
    Document,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    Option,
    SemanticType,
    Span,
)
from tacenda.documents.writing import writer
from tacenda.errors import PolicyError
from tacenda.policy import Policy
from tacenda.result import Result, schema
from tacenda.rewrite.generalize.options import propose_options
from tacenda.rewrite.generalize.ranker import most_specific_below
from tacenda.rewrite.rewrite import rewrite
from tests.building import entity, mention

from .offering import decided, written

DATE = entity("e1", mention(Document("d", "On 12 March 1994."), "12 March 1994", "DATETIME"))


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        (1.0, "On a [date in March 1994]."),
        (0.01, "On a [date in 1994]."),
        (0.001, "On a [date in the 1990s]."),
        (0.0001, "On a [date in the 20th century]."),
        (0.0, "On ***."),
    ],
)
def test_the_first_option_under_the_bound_is_written(bound: float, expected: str) -> None:
    """A month has 31 days, a year 365, a decade 3,652, a century 36,525."""
    found = written("On 12 March 1994.", ("12 March 1994", "DATETIME"), residual_risk=bound)
    assert found == expected


def test_no_narrower_period_is_offered_where_detail_is_preferred() -> None:
    """What is written is then the first option; without the preference, a reviewer may choose the month."""
    document = Document("d", "On 12 March 1994.")
    item = decided(entity("e1", mention(document, "12 March 1994", "DATETIME")))
    for prefer, first in (("detail", "1994"), ("people", "March 1994")):
        policy = Policy(operator="generalize", residual_risk=0.004, prefer=prefer)
        (decision,) = propose_options(document, [item], policy)
        assert [decision.options[0].text, decision.options[0].level] == [first, 0]


def test_the_bound_is_a_probability_of_the_policy() -> None:
    """The policy has both fields, and refuses a bound above 1."""
    policy = Policy.from_yaml("operator: generalize\nresidual_risk: 0.1\nbrackets: none\n")
    assert (policy.residual_risk, policy.brackets) == (0.1, "none")
    assert (Policy().residual_risk, Policy().brackets) == (0.01, "square")
    with pytest.raises(PolicyError, match="residual_risk"):
        Policy.from_yaml("residual_risk: 2\n")


def test_nothing_at_all_is_suppressed() -> None:
    """Without any option but the last, that one is taken."""
    last = Option("***", 0, "suppress", 0.0, 0.0)
    assert most_specific_below((last,), 1.0) is last


def test_no_option_has_the_name_of_another_masked_entity() -> None:
    """A year that is masked elsewhere is not written for a day of that year."""
    text = "On 12 March 1994 and in 1994."
    marks = (("12 March 1994", "DATETIME"),)
    assert written(text, *marks, residual_risk=0.01) == "On a [date in 1994] and in 1994."
    document = Document("d", text)
    items = [
        entity("e1", mention(document, "12 March 1994", "DATETIME")),
        entity("e2", mention(document, "1994", "DATETIME", nth=1), number=2),
    ]
    policy = Policy(operator="generalize", residual_risk=0.01)
    decisions = propose_options(document, [decided(item) for item in items], policy)
    assert decisions[0].choice is not None
    assert decisions[0].choice.text == "date in the 1990s"


def test_a_direct_identifier_is_never_read_as_an_amount() -> None:
    """The digits of a number that identifies are in no option, whatever its type is said to be."""
    document = Document("d", "My insurance number is QQ 12 34 56 C.")
    item = entity("e1", mention(document, "QQ 12 34 56 C", "QUANTITY"))
    direct = replace(decided(item), identifier=IdentifierType.DIRECT)
    (found,) = propose_options(document, [direct], Policy(operator="generalize"))
    assert not any(map(str.isdigit, "".join(option.text for option in found.options)))


def test_a_suppressed_choice_is_joined_with_its_neighbours() -> None:
    """Two names without options and a comma between are one mask, as suppression has it."""
    assert written("In Bonn, Ulm it was.", ("Bonn", "LOC"), ("Ulm", "LOC")) == "In *** it was."


TEXT = "On 12 March 1994 a 42-year-old paid (23 €) at the University of Oslo.\nThe following day."


@given(st.lists(st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 20), st.sampled_from(list(SemanticType))), max_size=5), st.sampled_from(("none", "square", "italics")))  # fmt: skip
def test_edits_and_offsets_agree_for_any_spans(
    spans: list[tuple[int, int, SemanticType]], brackets: str
) -> None:
    """Whatever is marked, the output is the original with each edit at its offsets."""
    document = Document("d", TEXT)
    items = [
        Entity(f"e{n}", type, n + 1, (Mention(Span(start, min(start + length, len(TEXT))), type, 0.9, 0.0, MentionSource.NEURAL),))
        for n, (start, length, type) in enumerate(spans)
    ]  # fmt: skip
    policy = Policy(operator="generalize", brackets=brackets)
    decisions = propose_options(document, [decided(item) for item in items], policy)
    text, replacements = rewrite(document, decisions, policy)
    position = 0
    for item in replacements:
        assert text[item.output_start : item.output_end] == item.text
        assert item.original.start >= position
        position = item.original.end
    pieces = []
    position = 0
    for item in replacements:
        pieces += [TEXT[position : item.original.start], item.text]
        position = item.original.end
    assert "".join([*pieces, TEXT[position:]]) == text


@pytest.fixture(scope="module")
def sanitized() -> Result:
    """Return a letter generalised by patterns alone."""
    policy = Policy(operator="generalize", recognizer=False, threshold=0.2)
    text = "He was born on 12 March 1994 and wrote to anna@example.org. He paid EUR 2,300 for it."
    return tacenda.load(policy).sanitize(text)


def test_a_whole_text_is_generalised(sanitized: Result) -> None:
    """The sanitizer offers, chooses and writes."""
    assert sanitized.text == (
        "He was born on a [date in the 1990s] and wrote to an [e-mail address]. "
        "He paid [between EUR 1,000 and EUR 5,000] for it."
    )
    assert not sanitized.leaks


def test_results_show_no_more_specific_options_unless_revealed(sanitized: Result) -> None:
    """Beside a decade the year would tell the year; the reviewer sees all of them."""
    shown = sanitized.to_dict()
    jsonschema.validate(shown, schema())
    date = shown["entities"][0]["options"]
    assert [(item["text"], item["chosen"]) for item in date] == [
        ("date in the 1990s", True),
        ("date in the 20th century", False),
        ("DATE", False),
        ("***", False),
    ]
    assert "March" not in json.dumps(shown)
    revealed = sanitized.to_dict(reveal=True)
    jsonschema.validate(revealed, schema())
    assert revealed["entities"][0]["options"][0]["text"] == "March 1994"


@pytest.mark.parametrize("reveal", [False, True])
def test_reports_show_the_options(sanitized: Result, reveal: bool) -> None:
    """The page has them in its table and beside each edit."""
    page = html(sanitized, reveal)
    assert '<th scope="col">Options</th>' in page
    assert "date in the 20th century · DATE · ***" in page
    assert ("March 1994" in page) is reveal


def html(sanitized: Result, reveal: bool) -> str:
    """Return the report of one document."""
    source = io.BytesIO(sanitized.document.text.encode())
    (record,) = documents.read("-", "text", stdin=source)
    assert isinstance(record, documents.SourceDocument)
    output = io.BytesIO()
    sink = writer("html", output, input_format="text", reveal=reveal)
    sink.write(record, sanitized)
    sink.close()
    return output.getvalue().decode()
