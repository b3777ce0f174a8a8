"""Tags say who is who in words that a reader understands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import documents, load
from tacenda.document import Decision, Document, IdentifierType, SemanticType, Span
from tacenda.models.text_language import foreign_parts
from tacenda.policy import Policy
from tacenda.policy.loading import shipped
from tacenda.rewrite.edits import Edit
from tacenda.rewrite.rewrite import rewrite
from tacenda.rewrite.tags import number_tags
from tests.building import entity, mention
from tests.examples import for_each


def tagged(text: str, *marks: tuple[str, str]) -> str:
    """Return the text with the strings marked, each an entity of its own, as *tag* writes it."""
    document = Document("d", text)
    numbers: dict[str, int] = {}
    decisions = []
    for place, (string, type) in enumerate(marks):
        numbers[type] = numbers.get(type, 0) + 1
        nth = [item for item, _ in marks[:place]].count(string)
        item = entity(f"e{place}", mention(document, string, type, nth=nth), number=numbers[type])
        decisions.append(Decision(item, True, "tag", IdentifierType.QUASI, 0.9, ()))
    return rewrite(document, decisions, Policy())[0]


@for_each(
    ("text", "marks", "expected"),
    [
        ("A Ulm baker.", [("Ulm", "LOC")], "A [PLACE 1] baker."),
        ("Ann won X in Ulm.", [("X", "MISC"), ("Ulm", "LOC")], "Ann won [ITEM 1] in [PLACE 1]."),
        ("It took three years.", [("three years", "DATETIME")], "It took [TIME 1]."),
        ("At 10.30 a.m. he fell.", [("10.30 a.m.", "DATETIME")], "At [TIME 1] he fell."),
        ("On 3 May 2004 he fell.", [("3 May 2004", "DATETIME")], "On [DATE 1] he fell."),
        ("Ann is an usher.", [("usher", "DEM")], "Ann is a [DETAIL 1]."),
        ("Ann has a Volvo.", [("Volvo", "MISC")], "Ann has an [ITEM 1]."),
        ("Bo Lund's wife", [("Bo Lund's", "PERSON")], "[PERSON 1]'s wife"),
        ("the Joneses' house", [("Joneses'", "PERSON")], "the [PERSON 1]' house"),
        ("ANN’S HOUSE", [("ANN’S", "PERSON")], "[PERSON 1]’S HOUSE"),
        ("the chair's son", [("chair's", "DEM")], "the [DETAIL 1]'s son"),
        ("a Lund-led club", [("Lund", "PERSON")], "a [PERSON 1]-led club"),
    ],
)  # fmt: skip
def test_a_tag_is_a_word_in_its_sentence(
    text: str, marks: list[tuple[str, str]], expected: str
) -> None:
    """Its article is right, and a possessive or a hyphen stays beside it."""
    assert tagged(text, *marks) == expected


P, L, G, D, M, T, Q, C = "PERSON LOC ORG DEM MISC DATETIME QUANTITY CODE".split()


@for_each(
    ("text", "marks", "expected"),
    [
        ("I met Bo Lund.", [("Bo", P), ("Lund", P)], "I met [PERSON 1]."),
        ("I met Bo J. Lund.", [("Bo", P), ("Lund", P)], "I met [PERSON 1]."),
        ("I met Bo Lund Eva Ek.", [("Bo Lund", P), ("Eva Ek", P)], "I met [PERSON 1] [PERSON 2]."),
        ("app:key9@db", [("key9", C), ("@db", C)], "app:[CODE 1]"),
        ("the Oslo cellist", [("Oslo", L), ("cellist", D)], "the [DETAIL 1]"),
        ("at Oslo School", [("Oslo", L), ("School", G)], "at [ORGANISATION 1]"),
        ("In Oslo Telia grew.", [("Oslo", L), ("Telia", G)], "In [PLACE 1] [ORGANISATION 1] grew."),
        ("in 1994 Telia grew.", [("1994", T), ("Telia", G)], "in [DATE 1] [ORGANISATION 1] grew."),
        ("the 1994 Games", [("1994", T), ("Games", M)], "the [ITEM 1]"),
        ("as cellist Bo sang", [("cellist", D), ("Bo", P)], "as [PERSON 1] sang"),
        ("the cellist Bo sang", [("cellist", D), ("Bo", P)], "the [DETAIL 1] [PERSON 1] sang"),
        ("an Oslo cellist Bo", [("Oslo", L), ("cellist", D), ("Bo", P)], "a [DETAIL 1] [PERSON 1]"),
        ("to 4 Ash Way Ulm", [("4 Ash Way", L), ("Ulm", L)], "to [PLACE 1] [PLACE 2]"),
        ("took 12 kg rice", [("12 kg", Q), ("rice", M)], "took [ITEM 1]"),
        ("ring 0770 or 0771", [("0770", C), ("0771", C)], "ring [CODE 1] or [CODE 2]"),
        ("ring 0770 0771", [("0770", C), ("0771", C)], "ring [CODE 1] [CODE 2]"),
        (", MRN 0482,", [("MRN", C), ("0482", C)], ", [CODE 1],"),
        ("user=ann 10.0.0.1", [("ann", C), ("10.0.0.1", C)], "user=[CODE 1] [CODE 2]"),
        ("Oslo\tUlm", [("Oslo", L), ("Ulm", L)], "[PLACE 1]\t[PLACE 2]"),
        ("| Bo | Oslo |", [("Bo", P), ("Oslo", L)], "| [PERSON 1] | [PLACE 1] |"),
        ("Bo\nOslo", [("Bo", P), ("Oslo", L)], "[PERSON 1]\n[PLACE 1]"),
    ],
)  # fmt: skip
def test_neighbouring_tags(text: str, marks: list[tuple[str, str]], expected: str) -> None:
    """What is one thing or one phrase has one tag; between others stands what stood there."""
    assert tagged(text, *marks) == expected


def test_of_two_tags_of_a_kind_the_one_seen_elsewhere_stands_for_both() -> None:
    """A reader finds the person, or the country, again."""
    document = Document("d", "The Oslo native, from Oslo, sang.")
    oslo = entity("e1", mention(document, "Oslo", D), mention(document, "Oslo", D, nth=1))
    native = entity("e2", mention(document, "native", D), number=2)
    decisions = [
        Decision(item, True, "tag", IdentifierType.QUASI, 0.9, ()) for item in (oslo, native)
    ]
    text, (first, _) = rewrite(document, decisions, Policy())
    assert text == "The [DETAIL 1], from [DETAIL 1], sang."
    assert first.entity_ids == ("e1", "e2")


@given(
    kept=st.lists(st.booleans(), min_size=1, max_size=12),
    types=st.lists(st.sampled_from([P, L, G, D, M, T, Q, C]), min_size=12, max_size=12),
    joined=st.sampled_from((" ", ", ", " saw ", "\n")),
)
def test_numbers_of_a_word_have_no_gap(kept: list[bool], types: list[str], joined: str) -> None:
    """From 1 in order of appearance, whatever stays and whatever goes into another's tag; no comma is new."""
    strings = [f"Xy{'abcdefghijklm'[place]}o" for place in range(len(kept))]
    document = Document("d", joined.join(strings))
    decisions = [
        Decision(entity(f"e{place}", mention(document, string, type), number=place + 1), masked, "tag", IdentifierType.QUASI, 0.9, ())
        for place, (string, type, masked) in enumerate(zip(strings, types, kept, strict=False))
    ]  # fmt: skip
    text, _ = rewrite(document, decisions, Policy())
    numbers: dict[str, list[int]] = {}
    for word, number in re.findall(r"\[(\w+) (\d+)\]", text):
        if int(number) not in numbers.setdefault(word, []):
            numbers[word].append(int(number))
    assert all(seen == list(range(1, len(seen) + 1)) for seen in numbers.values())
    assert text.count(",") <= document.text.count(",")


def test_numbers_of_tags_in_the_text_are_left_out() -> None:
    """A tag that the text has already names somebody else."""
    assert tagged("[PERSON 1] met Bo Lund.", ("Bo Lund", P)) == "[PERSON 1] met [PERSON 2]."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Le escribo a Acme para confirmar la cita de la semana que viene con mi madre y mi hermano.", "Acme"),
        ("Ho scritto a Acme per confermare la visita della prossima settimana con mia madre e mio fratello.", "Acme"),
        ("Escrevi a Acme para confirmar a consulta da próxima semana com a minha mãe e o meu irmão.", "Acme"),
    ],
)  # fmt: skip
def test_only_in_english_an_a_is_an_article(text: str, name: str) -> None:
    """In other languages it is a preposition, and stays before an English tag."""
    document = Document("d", text)
    item = entity("e1", mention(document, name, G))
    decision = Decision(item, True, "tag", IdentifierType.QUASI, 0.9, ())
    output, _ = rewrite(document, [decision], Policy(), foreign_parts(text))
    assert " a [ORGANISATION 1]" in output


def test_the_full_stop_after_an_address_stays() -> None:
    """It is the sentence's, whoever took it for a part of the address."""
    assert tagged("Write to a@b.it.", ("a@b.it.", C)) == "Write to [CODE 1]."


def test_equal_dates_have_one_number() -> None:
    """However they are written; a part of one, an hour of one or an ambiguous one has its own."""
    strings = ["3 May 2004", "May 3rd, 2004", "2004-05-03", "June 2004", "3 May 2004 at 10:30", "4/5/2004"]  # fmt: skip
    text = "; ".join(strings)
    expected = "[DATE 1]; [DATE 1]; [DATE 1]; [DATE 2]; [DATE 3]; [DATE 4]"
    assert tagged(text, *((string, T) for string in strings)) == expected


@for_each("name", shipped())
def test_every_shipped_policy_writes_tags(name: str) -> None:
    """Who is who can be read, unless somebody asks for black boxes."""
    assert Policy.load(name).operator == Policy().operator == "tag"


def test_a_name_has_one_tag_in_a_document() -> None:
    """All mentions of an entity, whatever stands around them."""
    document = Document("d", "Bo Lund's wife met Bo-Lund, (Lund) and LUND.")
    mentions = [mention(document, string, P) for string in ("Bo Lund's", "Bo-Lund", "LUND")]
    mentions.append(mention(document, "Lund", P, nth=2))
    item = entity("e1", *sorted(mentions, key=lambda each: each.span))
    decision = Decision(item, True, "tag", IdentifierType.DIRECT, 0.9, ())
    text, _ = rewrite(document, [decision], Policy())
    assert text == "[PERSON 1]'s wife met [PERSON 1], ([PERSON 1]) and [PERSON 1]."
    assert item.type is SemanticType.PERSON


@pytest.mark.parametrize(
    ("brackets", "expected"),
    [
        ("square", "<p>Ann in [the 1990s]</p><title>Ann in [the 1990s]</title>"),
        ("none", "<p>Ann in the 1990s</p><title>Ann in the 1990s</title>"),
        ("italics", "<p>Ann in <i>the 1990s</i></p><title>Ann in the 1990s</title>"),
    ],
)
def test_brackets_are_the_readers_choice(tmp_path: Path, brackets: str, expected: str) -> None:
    """In italics only where HTML has them; brackets of the text itself stay."""
    source, output = tmp_path / "a.html", tmp_path / "b.html"
    source.write_text("<p>Ann in 1994</p><title>Ann in 1994</title>", encoding="utf-8")
    sanitizer = load(
        Policy(
            recognizer=False,
            threshold=0.5,
            deny=[{"exact": "1994", "type": "DATETIME"}],
            operator="generalize",
            prefer="detail",
            brackets=brackets,
            residual_risk=0.001,
        )
    )
    (item,) = documents.read(source)
    assert isinstance(item, documents.SourceDocument)
    result = sanitizer.sanitize(item.document.text)
    documents.write([(item, result)], output)
    assert output.read_text(encoding="utf-8") == expected
    assert (' italic"' in result.to_html()) is (brackets == "italics")


def test_numbers_run_in_order_where_a_phrase_stands_before_a_name() -> None:
    """The number after a phrase isn't another person's."""
    texts = ("[PERSON 1]", "[wind player PERSON 8]", "[PERSON 7]", "[PERSON 8]", "[PERSON 7]")
    edits = [Edit(Span(n, n + 1), text, (f"e{n}",)) for n, text in enumerate(texts)]
    numbered = [edit.text for edit in number_tags("abcde", edits)]
    assert numbered == [
        "[PERSON 1]", "[wind player PERSON 2]", "[PERSON 3]", "[PERSON 2]", "[PERSON 3]"
    ]  # fmt: skip
