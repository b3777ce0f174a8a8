"""What is masked is masked everywhere: deciding and verifying come to rest, whatever is asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.decide.decide import decide
from tacenda.deciding import Analysis, Reviewer, complete
from tacenda.detect.merge import merge
from tacenda.document import Decision, Document, Mention, MentionSource, SemanticType, Span, united
from tacenda.explain import sentence
from tacenda.policy import Policy
from tacenda.policy.loading import shipped
from tacenda.result import Result
from tacenda.risk.assess import assess
from tests.building import mention
from tests.examples import MANY

_WORDS = (
    "Ada Byron Yalman Galip Smith Ankara United Kingdom of Great Britain and Northern Ireland "
    "the Court 1994 3 May 12/94 was fined, in by. Turkish"
).split()
_OPERATORS = ("suppress", "tag", "generalize", "pseudonym", "hash", "surrogate", "encrypt")
_KEY = "TACENDA_TEST_KEY"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the operators with a key have one."""
    monkeypatch.setenv(_KEY, "6f1d2c3b4a5968778695a4b3c2d1e0f9")


@st.composite
def analyses(draw: st.DrawFn) -> Analysis:
    """Draw a text of few words that come again and again, and mentions of runs of them."""
    words = draw(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=40))
    text = " ".join(words)
    starts = [sum(len(word) + 1 for word in words[:index]) for index in range(len(words))]
    mentions = []
    for _ in range(draw(st.integers(1, 12))):
        first = draw(st.integers(0, len(words) - 1))
        last = draw(st.integers(first, min(first + 7, len(words) - 1)))
        span = Span(starts[first], starts[last] + len(words[last]))
        masking = draw(st.floats(0, 1))
        mentions.append(
            Mention(
                span,
                draw(st.sampled_from(SemanticType)),
                masking,
                masking * draw(st.sampled_from((0.0, 0.0, 0.0, 0.9))),
                draw(
                    st.sampled_from(
                        (MentionSource.NEURAL, MentionSource.PATTERN, MentionSource.PROPAGATION)
                    )
                ),
            )
        )
    return Analysis(Document("d", text), merge(text, mentions))


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """Draw a shipped policy with some of its bounds, operators and lists changed."""
    policy = Policy.load(draw(st.sampled_from(sorted(shipped()))))
    changes: dict[str, object] = {
        "operator": draw(st.sampled_from(_OPERATORS)),
        "key_env": _KEY,
        "allow": [{"exact": word} for word in draw(st.lists(st.sampled_from(_WORDS), max_size=2))],
    }
    if draw(st.booleans()):
        changes |= {
            "residual_share": draw(st.floats(0, 1)),
            "threshold": None,
            "length_penalty": 0.0,
        }
    else:
        changes |= {"threshold": draw(st.floats(0, 1)), "length_penalty": draw(st.floats(0, 1))}
    return policy.with_changes(**changes)


class _Reviewer(Reviewer):
    """Masks and keeps some entities by hand, and knows no leak that is to stay but of these."""

    def __init__(self, masked: frozenset[int], kept: frozenset[int]) -> None:
        self._masked, self._kept = masked, kept

    def decisions(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        return tuple(self._decided(decision) for decision in decisions)

    def _decided(self, decision: Decision) -> Decision:
        if self.keeps(decision):
            return replace(decision, masked=False, operator="")
        if decision.entity.mentions[0].span.start in self._masked:
            return replace(decision, masked=True, operator="suppress")
        return decision

    def keeps(self, decision: Decision) -> bool:
        return any(mention.span.start in self._kept for mention in decision.entity.mentions)


def _alnum(result: Result) -> set[int]:
    """Return the letters and digits that are masked."""
    text = result.document.text
    return {
        position
        for replacement in result.replacements
        for position in range(replacement.original.start, replacement.original.end)
        if text[position].isalnum()
    }


@MANY
@given(analyses(), policies())
def test_no_masked_string_survives_any_policy(analysis: Analysis, policy: Policy) -> None:
    """Whatever the thresholds, bounds, operators and lists are, the last round finds nothing."""
    assert complete(analysis, policy, 0.2).sanitized.leaks == ()


@given(
    analyses(), policies(), st.frozensets(st.integers(0, 200)), st.frozensets(st.integers(0, 60))
)
def test_only_what_a_reviewer_keeps_is_left(
    analysis: Analysis, policy: Policy, masked: frozenset[int], kept: frozenset[int]
) -> None:
    """A leak that is reported lies in something that a person decided to keep."""
    reviewer = _Reviewer(masked, kept)
    result = complete(analysis, policy, 0.2, reviewer).sanitized
    if result.leaks:
        assert any(reviewer.keeps(decision) for decision in result.decisions)


@given(analyses(), policies())
def test_rounds_only_add_masks(analysis: Analysis, policy: Policy) -> None:
    """What the first round masks is masked in the end."""
    first = complete(analysis, policy, 0.2, _Patient()).sanitized
    assert _alnum(first) <= _alnum(complete(analysis, policy, 0.2).sanitized)


class _Patient(Reviewer):
    """Lets every leak be, so that there is one round."""

    def should_mask_leak(self, span: Span, decision: Decision) -> bool:
        return False


def _result(text: str, policy: Policy, *mentions: Mention) -> Result:
    return complete(Analysis(Document("d", text), merge(text, mentions)), policy, 0.5).sanitized


def test_an_entity_with_a_masked_form_in_it_is_not_kept() -> None:
    """The longer name has the same risk, and the length penalty would spare it for its words."""
    document = Document(
        "d", "He left the United Kingdom. The United Kingdom of Great Britain and Ireland lost."
    )
    long = "United Kingdom of Great Britain and Ireland"
    result = _result(
        document.text,
        Policy(threshold=0.2, length_penalty=1.0),
        mention(document, "United Kingdom", "LOC", 0.22),
        mention(document, long, "LOC", 0.22),
    )
    assert result.text == "He left the [PLACE 1]. The [PLACE 2] lost."
    assert "it contains or shares text that is masked elsewhere" in sentence(
        result.decisions[1].reasons[0]
    )


def test_an_allow_rule_yields_to_what_is_masked_elsewhere() -> None:
    """An allowed string would show the name in it; the reason says which rule yielded."""
    document = Document("d", "Byron came. The Byron Society met.")
    result = _result(
        document.text,
        Policy(threshold=0.5, allow=[{"exact": "Byron Society"}]),
        mention(document, "Byron", "PERSON", 0.9),
        mention(document, "Byron Society", "ORG", 0.9),
    )
    assert result.leaks == ()
    assert "Byron" not in result.text


def test_a_chain_takes_as_many_rounds_as_it_has_links() -> None:
    """Each kept name holds a part of the one before: all go, however long the chain is."""
    names = [f"Kir{chr(97 + index)}vel Kir{chr(98 + index)}vel" for index in range(20)]
    document = Document("d", "; ".join(names) + ".")
    first, *others = (mention(document, name, "PERSON", 0.1) for name in names)
    result = _result(document.text, Policy(threshold=0.5), replace(first, p_mask=0.9), *others)
    assert result.leaks == ()
    assert "vel" not in result.text


def test_a_leaked_mention_is_masked_whatever_its_risk() -> None:
    """A name that was denied by hand leaks where only a doubtful mention stands; it goes too."""

    class _MaskByHand(Reviewer):
        def decisions(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
            first, *rest = decisions
            return (replace(first, masked=True, operator="tag"), *rest)

    document = Document("d", "Ankara is far. The Ankara Bar Association and ANKARA.")
    analysis = Analysis(
        document,
        merge(
            document.text,
            [
                mention(document, "Ankara", "LOC", 0.01),
                mention(document, "Ankara Bar Association", "ORG", 0.02),
            ],
        ),
    )
    result = complete(analysis, Policy(threshold=0.9), 0.9, _MaskByHand()).sanitized
    assert "ankara" not in result.text.casefold()
    assert result.leaks == ()


def test_forced_places_are_masked_under_a_bound_too() -> None:
    """The bound counts them as masked, and spares none of them."""
    document = Document("d", "Ankara and Ankara Bar")
    analysis = Analysis(
        document,
        merge(document.text, [mention(document, "Ankara Bar", "ORG", 0.01)]),
    )
    entities = Reviewer().entities(document, analysis.mentions)
    policy = Policy(residual_share=1.0)
    assessments = assess(document, entities, policy)
    (kept,) = decide(document, assessments, policy, 0.5)
    (held,) = decide(document, assessments, policy, 0.5, [Span(12, 13)])
    (beside,) = decide(document, assessments, policy, 0.5, [Span(0, 11), Span(21, 22)])
    assert (kept.masked, held.masked, beside.masked) == (False, True, False)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 9)).map(lambda p: Span(p[0], sum(p)))))
def test_united_spans_cover_the_same(spans: list[Span]) -> None:
    """In order, with a gap between any two."""
    union = united(spans)
    covered = {position for span in spans for position in range(span.start, span.end)}
    assert {position for span in union for position in range(span.start, span.end)} == covered
    assert all(left.end < right.start for left, right in pairwise(union))


_OPTIONS = ((), ("--policy", "strict"), ("--risk", "0.2", "--domain", "court"))


@pytest.mark.parametrize("number", range(len(_OPTIONS)))
def test_the_development_set_is_sanitized_without_leaks(
    shared_data: Path, tmp_path: Path, number: int
) -> None:
    """Every fourth judgment under one of the options: exit code 0, and nothing is said of strings that are left."""
    judgments = json.loads((shared_data / "tab" / "dev.json").read_text("utf-8"))
    (tmp_path / "gold.json").write_text(json.dumps(judgments[number :: 4 * len(_OPTIONS)]), "utf-8")
    files = (str(tmp_path / "gold.json"), "-o", str(tmp_path / "masks.json"))
    run = CliRunner().invoke(app, ["sanitize", *files, *_OPTIONS[number], "--to", "masks"])
    assert (run.exit_code, "still in the output" in run.output) == (0, False)
