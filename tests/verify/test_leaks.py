"""No surface form of a masked entity is left in the output."""

from __future__ import annotations

import os
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.document import (
    Decision,
    Document,
    Entity,
    IdentifierType,
    Leak,
    Mention,
    MentionSource,
    Replacement,
    SemanticType,
    Span,
)
from tacenda.text.word_lists import NAMES_THAT_ARE_WORDS
from tacenda.verify import find_leaks, names_masked
from tests.examples import for_each
from tests.growth import assert_linear
from tests.spellings import NAMES

DRAWS = int(os.environ.get("TACENDA_DRAWS", "100"))


def _decision(text: str, surface: str, type: str, id: str = "e1", risk: float = 0.9) -> Decision:
    start = text.index(surface)
    span = Span(start, start + len(surface))
    mention = Mention(span, SemanticType(type), 0.9, 0.1, MentionSource.NEURAL)
    entity = Entity(id, SemanticType(type), 1, (mention,))
    return Decision(entity, True, "tag", IdentifierType.QUASI, risk, ())


def _leaked(type: str, surface: str, output: str) -> list[str]:
    document = Document("d", surface)
    leaks = find_leaks(document, [_decision(surface, surface, type)], output, ())
    return [output[leak.output_start : leak.output_end] for leak in leaks]


@for_each(
    ("type", "surface", "output", "left"),
    [
        ("PERSON", "Mr Galip Yalman", "yalman of GALIP YALMAN", ["yalman", "GALIP YALMAN"]),
        ("PERSON", "Yalman", "galip.yalman@mail.org", ["galip.yalman@mail.org"]),
        ("PERSON", "Yalman", "Yalmanlar", ["Yalmanlar"]),
        ("PERSON", "Ali", "Aliens, the Alis, AliCV, realise", ["Alis", "AliCV"]),
        ("PERSON", "Galip Yalman", "Yal%6Dan; yal&shy;man", ["Yal%6Dan", "yal&shy;man"]),
        ("ORG", "Siemens", "Siemenstadt, Sie&#109;ens", ["Sie&#109;ens"]),
        ("PERSON", "Çalış", "Calis and CALIŞ", ["Calis", "CALIŞ"]),
        ("PERSON", "Çalış", "Yal\u200b Ça\u00adlış", ["Ça\u00adlış"]),
        ("PERSON", "Rose", "Rose rose ROSE", ["Rose", "ROSE"]),
        ("PERSON", "X", "X", []),
        ("ORG", "PS", "PS ps", ["PS"]),
        ("ORG", "Court", "the Court", []),
        ("DEM", "physician", "a Physician", ["Physician"]),
        ("LOC", "Ankara", "ankara", ["ankara"]),
        ("CODE", "4027/05", "no. 4027/05", ["4027/05"]),
        ("CODE", "943 476 5919", "tube 9434765919.", ["9434765919"]),
        ("CODE", "QQ123456C", "QQ 12 34 56 C, qq-123456-c", ["QQ 12 34 56 C", "qq-123456-c"]),
        ("CODE", "9434765919", "no. 943\n476-5919", ["943\n476-5919"]),
        ("CODE", "9434765919", "943:476:5919; 943·476·5919", ["943:476:5919", "943·476·5919"]),
        ("CODE", "9434765919", "no. 9 4 3 4 7 6 5 9 1 9", ["9 4 3 4 7 6 5 9 1 9"]),
        ("QUANTITY", "1.000.000", "1\t0\t0\t0\t0\t0\t0 and 1 000 000", ["1 000 000"]),
        ("CODE", "9434765919", "94347659190, 943 476 5919/4, 943x476 5919", []),
        ("DATETIME", "3 May 2004", "3 MAY 2004", ["3 MAY 2004"]),
        ("DATETIME", "two", "two", []),
        ("QUANTITY", "2", "2", []),
        ("QUANTITY", "EUR 4,000", "EUR 4,000 and 4,000", ["EUR 4,000"]),
        ("MISC", "—", "—", []),
        ("PERSON", "Rose Young", "Ms Young. A rose, Rose, young.", ["Young", "Rose"]),
        ("DATETIME", "1994", "1994, 19945, 1.4.1994, May 1994", ["1994", "1994"]),
        ("PERSON", "Galip Yalman", "yalman_report.docx", ["yalman"]),
        ("PERSON", "Galip Yalman", "galip_yalman.docx", ["galip_yalman"]),
    ],
)
def test_left_over(type: str, surface: str, output: str, left: list[str]) -> None:
    """Forms are found whatever their case and diacritics, unless the table excludes them."""
    assert _leaked(type, surface, output) == left


_NOUNS = """unit beacon harbour trust anchor manor priory garden laurel orchard lodge
    gateway summit haven compass pioneer phoenix oasis lantern heritage falcon""".split()
_OTHERS = (
    "the burns {}",
    "a {}",
    "each {} of blood",
    "another {}",
    "two {}s",
    "an old {} wall",
    "the nearest {}",
)
_SAME = (
    "{0}",
    "{1}",
    "in {0} again",
    "the {0} Board",
    "{2} {3}",
    "«{0}»",
    "staff-{0}",
    "{2}\n{3}",
)


@settings(max_examples=DRAWS, deadline=None)
@given(st.data())
def test_an_ordinary_word_is_a_leak_only_where_it_means_the_same(data: st.DataObject) -> None:
    """Used as a noun it does not block; with a capital, or beside its own neighbour, it does."""
    noun = data.draw(st.sampled_from(_NOUNS))
    type = data.draw(st.sampled_from(["ORG", "LOC", "MISC"]))
    number = str(data.draw(st.integers(1, 99)))
    article, kept = data.draw(st.sampled_from([("the ", noun), ("", noun), ("", noun.title())]))
    text = f"They met at {article}{kept} {number}, and left."
    decisions = [_decision(text, kept, type)]
    other = data.draw(st.sampled_from(_OTHERS)).format(noun)
    ending = data.draw(st.sampled_from([".", " was full.", ", he said."]))
    assert find_leaks(Document("d", text), decisions, f"He saw {other}{ending}", ()) == ()
    same = data.draw(st.sampled_from(_SAME)).format(noun.title(), noun.upper(), noun, number)
    assert find_leaks(Document("d", text), decisions, f"He saw {same}{ending}", ())


@settings(max_examples=DRAWS, deadline=None)
@given(st.data())
def test_a_name_is_a_leak_beside_ordinary_words_in_every_spelling(data: st.DataObject) -> None:
    """An ordinary word that has the name in it, or is spelt as it is, does not block."""
    name = data.draw(st.sampled_from(NAMES))
    decisions = [_decision(str(name), str(name), "PERSON")]
    parts = [part for part in name.parts if part.lower() not in NAMES_THAT_ARE_WORDS]
    spelling = data.draw(st.sampled_from([str(name), *parts]))
    written = data.draw(st.sampled_from([str, str.upper, str.lower]))(spelling)
    if any(len(part) > 2 for part in spelling.split()):
        assert find_leaks(Document("d", str(name)), decisions, f"thanks {written} for it", ())
    surname = data.draw(st.sampled_from("Baker Marten Tanner Plumber Painter".split()))
    document = Document("d", f"Tom {surname}")
    decisions = [_decision(document.text, document.text, "PERSON")]
    noun = surname.lower()
    other = data.draw(st.sampled_from(["a {}", "the old {}", "two {}s", "a bakery", "3 {}s"]))
    assert find_leaks(document, decisions, f"She met {other.format(noun)} there.", ()) == ()
    same = data.draw(st.sampled_from([f"asked {surname}", f"asked {noun}", f"wrote to tom.{noun}"]))
    assert find_leaks(document, decisions, f"He {same} and left.", ())


@pytest.mark.parametrize("deny", [0, None])
def test_what_the_policy_denies_is_a_leak_in_any_context(deny: int | None) -> None:
    """So are the names of the target."""
    decision = _decision("Unit met", "Unit", "ORG")
    (mention,) = decision.entity.mentions
    mention = replace(mention, source=MentionSource.POLICY, deny=deny)
    decision = replace(decision, entity=replace(decision.entity, mentions=(mention,)))
    document = Document("d", "Unit met", target=("Unit",))
    assert find_leaks(document, [decision], "the burns unit", ()) == (Leak("e1", 10, 14),)


def test_what_was_written_is_no_leak() -> None:
    """A person called Person does not leak in a tag, but does beside it."""
    text, output = "Person met Person", "[PERSON 1] met Person"
    replacement = Replacement(Span(0, 6), 0, 10, "[PERSON 1]", ("e1",))
    leaks = find_leaks(
        Document("d", text), [_decision(text, "Person", "PERSON")], output, [replacement]
    )
    assert leaks == ()  # "person" is a generic word
    text, output = "Tag met Tag", "[TAG 1] met Tag"
    replacement = Replacement(Span(0, 3), 0, 7, "[TAG 1]", ("e1",))
    leaks = find_leaks(
        Document("d", text), [_decision(text, "Tag", "PERSON")], output, [replacement]
    )
    assert leaks == (Leak("e1", 12, 15),)


@pytest.mark.parametrize(("end", "left"), [(17, 0), (13, 1), (9, 1)])
def test_a_leak_that_goes_on_behind_a_replacement_is_one(end: int, left: int) -> None:
    """Only what lies wholly within one replacement was written; to begin there is not enough."""
    text = "Yalman Bank Trust met"
    replacement = Replacement(Span(0, end), 0, end, text[:end], ("e1",))
    decisions = [_decision(text, "Yalman Bank Trust", "ORG")]
    assert len(find_leaks(Document("d", text), decisions, text, [replacement])) == left


def test_a_leak_over_two_replacements_is_one() -> None:
    """Two edits side by side can spell what neither of them wrote alone."""
    text = "Yalman Bank met"
    replacements = [
        Replacement(Span(0, 6), 0, 6, "Yalman", ("e1",)),
        Replacement(Span(7, 11), 7, 11, "Bank", ("e2",)),
    ]
    leaks = find_leaks(
        Document("d", text), [_decision(text, "Yalman Bank", "ORG")], text, replacements
    )
    assert leaks == (Leak("e1", 0, 11),)


def test_kept_entities_do_not_leak() -> None:
    """Only what was to be masked is looked for."""
    text = "Ankara"
    kept = _decision(text, text, "LOC")
    kept = Decision(kept.entity, False, "", IdentifierType.NO_MASK, 0.1, ())
    assert find_leaks(Document("d", text), [kept], text, ()) == ()


def test_the_riskiest_owns_a_shared_form() -> None:
    """A leak is laid to the entity with the higher risk."""
    text = "Ali Yalman, Galip Yalman"
    decisions = [
        _decision(text, "Ali Yalman", "PERSON", "e1", 0.4),
        _decision(text, "Galip Yalman", "PERSON", "e2", 0.8),
    ]
    assert find_leaks(Document("d", text), decisions, "Yalman", ()) == (Leak("e2", 0, 6),)


def test_longest_first_without_overlaps() -> None:
    """A leak within another one is not told twice."""
    assert _leaked("PERSON", "Galip Yalman", "Galip Yalman Galip") == ["Galip Yalman", "Galip"]


def _find_nested(words: int) -> None:
    """Look for leaks in a text of one word of which mentions of 1, 2, 3 … words are masked."""
    text = "ab " * words
    spans, start, length = [], 0, 1
    while start + length < words // 2:
        spans.append(Span(3 * start, 3 * (start + length) - 1))
        start, length = start + length, length + 1
    mentions = tuple(
        Mention(span, SemanticType.ORG, 0.9, 0.1, MentionSource.NEURAL) for span in spans
    )
    entity = Entity("e1", SemanticType.ORG, 1, mentions)
    masked = Decision(entity, True, "tag", IdentifierType.QUASI, 0.9, ())
    assert find_leaks(Document("d", text), [masked], text, ())[0].output_start == 0


def test_linear_on_nested_forms() -> None:
    """Four times the text, with forms within one another, takes about four times as long."""
    assert_linear(_find_nested, 6_000)


@pytest.mark.parametrize("type", ["PERSON", "CODE", "ORG", "DATETIME"])
def test_one_huge_word(type: str) -> None:
    """A word of a million letters may be masked as a whole."""

    def searched(size: int) -> None:
        text = "a" * size
        find_leaks(Document("d", text), [_decision(text, text, type)], text, ())

    assert_linear(searched, 250_000)


@for_each(
    ("type", "surface", "words", "is_named"),
    [
        ("CODE", "01473 555 0182", "ring 014735550182", True),
        ("DATETIME", "04/07/1978", "born on 4.7.1978", True),
        ("DATETIME", "04/07/1978", "4 July 1978", True),
        ("DATETIME", "4 July 1978", "in July 1978", False),
        ("DATETIME", "4 July 1978", "5 July 1978", False),
        ("LOC", "Kentville", "a town", False),
    ],
)
def test_words_of_a_person_name_what_is_masked_in_any_spelling(
    type: str, surface: str, words: str, is_named: bool
) -> None:
    """Numbers in other groups and days in another format name it too, a month or another day doesn't."""
    document = Document("d", surface)
    assert names_masked(document, [_decision(surface, surface, type)], words) is is_named


def test_codes_of_many_lengths_are_searched_in_linear_time() -> None:
    """Each code is a part of the next one, and the text is full of all of them."""
    document = Document("d", "1" * 2_000)
    decisions = [
        _decision(document.text, "1" * length, "CODE", f"e{length}") for length in range(7, 64)
    ]
    start = time.thread_time()
    find_leaks(document, decisions, "1 1" * 5_000, ())
    assert time.thread_time() - start < 10
