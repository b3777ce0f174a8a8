"""One list of mentions from several detectors."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.detect.merge import merge
from tacenda.document import Mention, MentionSource, SemanticType, Span
from tests.examples import for_each

TEXT = "Mr Smith, 12 Baker Street; smith@example.org (Smith & Co)  "


def mention(start: int, end: int, type: str, masking: float, source: str = "neural") -> Mention:
    """Return a mention that is no direct identifier."""
    return Mention(Span(start, end), SemanticType(type), masking, 0.0, MentionSource(source))


@st.composite
def mentions(draw: st.DrawFn) -> Mention:
    """Draw a mention anywhere in ``TEXT``."""
    start = draw(st.integers(0, len(TEXT) - 1))
    end = draw(st.integers(start + 1, len(TEXT)))
    masking = draw(st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]))
    source = draw(st.sampled_from(MentionSource))
    type = draw(st.sampled_from(["PERSON", "LOC", "CODE"]))
    return Mention(Span(start, end), SemanticType(type), masking, masking / 2, source)


def risk_by_character(found: tuple[Mention, ...] | list[Mention]) -> list[float]:
    """Return the largest masking probability over each character of ``TEXT``."""
    risk = [0.0] * len(TEXT)
    for item in found:
        for position in range(item.span.start, item.span.end):
            risk[position] = max(risk[position], item.p_mask)
    return risk


@given(found=st.lists(mentions(), max_size=8))
def test_no_character_becomes_less_risky(found: list[Mention]) -> None:
    """The union never uncovers a letter or digit that a detector covered."""
    before, after = risk_by_character(found), risk_by_character(merge(TEXT, found))
    assert all(
        b <= a or not TEXT[i].isalnum() for i, (b, a) in enumerate(zip(before, after, strict=True))
    )


@given(found=st.lists(mentions(), max_size=8))
def test_result_is_in_order_and_does_not_overlap(found: list[Mention]) -> None:
    """Merged mentions follow one another, and merging them again changes nothing."""
    merged = merge(TEXT, found)
    for left, right in pairwise(merged):
        assert left.span.end <= right.span.start
    assert merge(TEXT, merged) == merged


def test_same_type_becomes_one_mention() -> None:
    """Overlapping mentions of one type are joined with the higher probability."""
    found = merge(TEXT, [mention(0, 6, "PERSON", 0.2), mention(3, 8, "PERSON", 0.7)])
    assert [(item.span, item.p_mask) for item in found] == [(Span(0, 8), 0.7)]


def test_riskier_type_keeps_its_span_and_the_other_the_rest() -> None:
    """Of two types the riskier keeps its span whole; the other keeps the pieces outside."""
    found = merge(TEXT, [mention(0, 25, "ORG", 0.3), mention(10, 25, "LOC", 0.9, "pattern")])
    assert [(item.span, str(item.type)) for item in found] == [
        (Span(0, 8), "ORG"),
        (Span(10, 25), "LOC"),
    ]


def test_what_lies_inside_a_masked_mention_does_not_split_it() -> None:
    """A year read as a number does not part a date that is masked anyway."""
    found = merge(TEXT, [mention(0, 25, "ORG", 0.6), mention(10, 12, "CODE", 0.9)])
    assert [(item.span, str(item.type), item.p_mask) for item in found] == [
        (Span(0, 25), "ORG", 0.9)
    ]


def test_rest_of_punctuation_joins_its_neighbour() -> None:
    """A left-over bracket does not become a mention of its own beside a longer one."""
    company, person = mention(46, 57, "ORG", 0.4), mention(46, 56, "PERSON", 0.8, "policy")
    found = merge(TEXT, [company, person])
    assert [(item.span, str(item.type)) for item in found] == [(Span(46, 57), "PERSON")]


@for_each("source", MentionSource)
def test_white_space_at_the_edges_is_cut_off(source: MentionSource) -> None:
    """A mention neither begins nor ends with white space, whoever found it."""
    found = merge(TEXT, [mention(2, 8, "PERSON", 0.4, source)])
    assert [item.span for item in found] == [Span(3, 8)]


def test_the_extension_of_a_file_is_no_mention() -> None:
    """It says nothing, and tells whoever reads the result what it was."""
    assert merge("in berg.docx he", [mention(7, 12, "CODE", 0.4)]) == ()


@for_each(
    ("text", "found", "expected"),
    [
        ("NI number QQ123456C. Then", "QQ123456C.", "QQ123456C"),
        ("then . Wrzez came", ". Wrzez", "Wrzez"),
        ("Mr.Wrzez came", ".Wrzez", "Wrzez"),
        ("met Wrzez) and", "Wrzez)", "Wrzez"),
        ('said "Wrzez', '"Wrzez', "Wrzez"),
        ("met Wrzez, Ulm: they", "Wrzez, Ulm:", "Wrzez, Ulm"),
        ("at Wick Ltd. in", "Wick Ltd.", "Wick Ltd."),
        ("at Wick S.p.A. in", "Wick S.p.A.", "Wick S.p.A."),
        ("with Anna J. in", "Anna J.", "Anna J."),
        ("at 5 p.m. in", "5 p.m.", "5 p.m."),
        ("near St. in", "St.", "St."),
        ("saw What's Up, Doc? twice", "What's Up, Doc?", "What's Up, Doc?"),
        ("uses .NET for", ".NET", ".NET"),
        ("in berg.docx he", "berg.docx", "berg"),
        ("uses C++ for", "C++", "C++"),
        ("the Unity Party (UP) won", "Unity Party (UP)", "Unity Party (UP)"),
        ('the "Unity" Party', '"Unity" Party', '"Unity" Party'),
        ("played St Columba's.", "St Columba'", "St Columba's"),
        ("played Saint Monica’s and won", "Saint Monica", "Saint Monica’s"),
        ("the St Ives's mayor", "St Ives", "St Ives"),
        ("at Wick' s", "Wick'", "Wick'"),
        ("at Wick's", "Wick'", "Wick"),
        ("call (020) 79 now", "(020) 79", "(020) 79"),
        ("around Ulverston and Barrow", "Ulverston and", "Ulverston"),
        ("the crematorium at Beetham", "crematorium at", "crematorium"),
        ("for Ada Wick (Claimant) and", "Ada Wick (Claimant)", "Ada Wick"),
        ("by Capt Wick (retd) on", "Capt Wick (retd", "Capt Wick"),
    ],
)
def test_stray_marks_at_the_edges_are_cut_off(text: str, found: str, expected: str) -> None:
    """Of what was read; the stop of an abbreviation, and marks that are part of a word, stay."""
    start = text.index(found)
    (item,) = merge(text, [mention(start, start + len(found), "ORG", 0.4)])
    assert item.span.of(text) == expected
    (item,) = merge(text, [mention(start, start + len(found), "ORG", 0.4, "policy")])
    assert item.span.of(text) == found


@for_each(
    ("text", "found", "expected"),
    [
        ("B. Obama came", ". Obama", "B. Obama"),
        ("with J.F. Kennedy", ". Kennedy", "J.F. Kennedy"),
        ("with J. R. Tolkien", ". Tolkien", "J. R. Tolkien"),
        ("with J.-P. Roux", ". Roux", "J.-P. Roux"),
        ("in the UN. Obama came", ". Obama", "Obama"),
        ("he ran. Obama came", ". Obama", "Obama"),
    ],
)
def test_a_person_takes_the_initial_along(text: str, found: str, expected: str) -> None:
    """A stop at the beginning is that of an initial where a single capital is before it."""
    start = text.index(found)
    (item,) = merge(text, [mention(start, start + len(found), "PERSON", 0.4)])
    assert item.span.of(text) == expected


def test_an_initial_that_is_a_mention_is_of_the_same_name() -> None:
    """Of a person; of another type it stays what it is."""
    text = "B. Obama came"
    name = mention(1, 8, "PERSON", 0.4)
    (item,) = merge(text, [mention(0, 1, "PERSON", 0.7), name])
    assert (item.span, item.p_mask) == (Span(0, 8), 0.7)
    items = merge(text, [mention(0, 1, "CODE", 0.7), name])
    assert [item.span for item in items] == [Span(0, 1), Span(3, 8)]


@pytest.mark.parametrize(
    ("text", "found"),
    [("Don't shoot", "Don"), ("M. et Mme Guillou", "M."), ("Mr and Mrs Wick", "Mr")],
)
def test_the_beginning_of_a_word_and_a_couples_title_are_no_people(text: str, found: str) -> None:
    """The couple's name is found by itself."""
    start = text.index(found)
    assert merge(text, [mention(start, start + len(found), "PERSON", 0.9)]) == ()


def test_a_mention_without_letter_or_digit_is_none() -> None:
    """White space or a comma that a detector marked is dropped."""
    assert merge(TEXT, [mention(57, 59, "MISC", 1.0), mention(8, 10, "LOC", 0.9)]) == ()
    assert len(merge("ⓖⓐ and 🄰🅱", [mention(0, 2, "PERSON", 1.0), mention(7, 9, "LOC", 1.0)])) == 2


def test_a_mention_over_several_passages_is_one_in_each() -> None:
    """Whatever a detector takes for one, rows and pages are not joined, and none is uncovered."""
    text = "| Ada Bo | Cy |\n\n- Di\fEd"
    found = merge(text, [mention(0, len(text), "PERSON", 0.9, "policy")])
    assert [item.span.of(text) for item in found] == ["Ada Bo", "Cy", "Di", "Ed"]
    assert {item.p_mask for item in found} == {0.9}


def test_a_number_inside_a_longer_mention_stays_its_own() -> None:
    """Its string is looked for elsewhere, which that of the longer mention would not find."""
    text = "paid to DE02120300000000202051 in Ulm"
    outer = Mention(Span(0, len(text)), SemanticType.LOC, 0.9, 0.0, MentionSource.NEURAL)
    inner = Mention(Span(8, 30), SemanticType.CODE, 1.0, 1.0, MentionSource.PATTERN, "iban")
    merged = merge(text, [outer, inner])
    assert [(each.span.of(text), each.type) for each in merged] == [
        ("paid to", SemanticType.LOC),
        ("DE02120300000000202051", SemanticType.CODE),
        ("in Ulm", SemanticType.LOC),
    ]


@pytest.mark.parametrize(("start", "end"), [(8, 30), (8, 36), (0, 20)])
def test_a_number_is_one_with_nothing_beyond_it(start: int, end: int) -> None:
    """What is taken for a code together with it has no other occurrence; the number itself may."""
    text = "account 12-345-678 of the sheep here"
    number = Mention(Span(8, 18), SemanticType.CODE, 1.0, 1.0, MentionSource.PATTERN)
    merged = merge(text, [number, mention(start, end, "CODE", 0.9)])
    assert number.span in [each.span for each in merged]
    assert sum(len(each.span.of(text).replace(" ", "")) for each in merged) == len(
        text[start:end].replace(" ", "")
    )


def test_a_longer_name_takes_in_what_stands_elsewhere() -> None:
    """To keep the rest of it would show what is masked in its midst."""
    text = "the United Kingdom of Great Britain"
    outer = Mention(Span(4, len(text)), SemanticType.ORG, 0.2, 0.0, MentionSource.NEURAL)
    inner = Mention(Span(4, 18), SemanticType.LOC, 0.6, 0.0, MentionSource.PROPAGATION)
    (merged,) = merge(text, [outer, inner])
    assert (merged.span, merged.type, merged.p_mask) == (outer.span, SemanticType.ORG, 0.6)


def test_a_number_beside_a_name_to_protect_stays_its_own() -> None:
    """A mention that a recognizer stretched over both does not take it from where it is found."""
    text = "T. Berg DE02120300000000202051 came"
    target = Mention(Span(0, 7), SemanticType.PERSON, 1.0, 1.0, MentionSource.POLICY, "target")
    stretched = Mention(Span(0, 30), SemanticType.PERSON, 0.7, 0.0, MentionSource.NEURAL)
    number = Mention(Span(8, 30), SemanticType.CODE, 1.0, 1.0, MentionSource.PATTERN, "iban")
    merged = merge(text, [target, stretched, number])
    assert [(each.span, each.type) for each in merged] == [
        (Span(0, 7), SemanticType.PERSON),
        (Span(8, 30), SemanticType.CODE),
    ]


def test_a_merged_mention_is_as_direct_as_the_more_direct_one() -> None:
    """Though the other one is the more certain that it must be masked, or comes first."""
    name, pattern = Span(0, 8), Span(3, 8)
    for first, second in ((0.9, 0.2), (0.2, 0.9)):
        merged = merge(
            TEXT,
            [
                Mention(name, SemanticType.PERSON, 0.95, first, MentionSource.NEURAL),
                Mention(pattern, SemanticType.PERSON, 0.9, second, MentionSource.NEURAL),
            ],
        )
        assert [item.p_direct for item in merged] == [0.9]


def test_of_equals_the_policy_comes_before_a_pattern() -> None:
    """And a pattern before the recognizer: their type and extent stand."""
    ranked = ["policy", "pattern", "neural", "gazetteer", "propagation"]
    for first, second in pairwise(ranked):
        short = mention(0, 8, "PERSON", 0.4, first)
        longer = mention(3, 20, "LOC", 0.4, second)
        merged = merge(TEXT, [longer, short])
        if second == "propagation":
            assert (merged[0].span, merged[0].type) == (short.span, short.type)
        else:
            assert [(item.span.start, item.source) for item in merged] == [
                (0, MentionSource(first)),
                (10 if second in {"neural", "gazetteer"} else 8, MentionSource(second)),
            ]


@pytest.mark.parametrize(
    ("text", "first", "second", "count"),
    [
        ("El juez Camacho left", "juez", "Camacho", 1),
        ("then Deputy Carl Voss left", "Deputy", "Carl Voss", 1),
        ("then District Nurse Quigg left", "District", "Nurse Quigg", 1),
        ("then Deputy, Carl Voss left", "Deputy", "Carl Voss", 2),
        ("then Wick Wrzez left", "Wick", "Wrzez", 2),
    ],
)
def test_an_office_and_the_name_after_it_are_one_person(
    text: str, first: str, second: str, count: int
) -> None:
    """Two names side by side stay two."""
    mentions = [
        mention(text.index(part), text.index(part) + len(part), "PERSON", 0.9)
        for part in (first, second)
    ]
    assert len(merge(text, mentions)) == count


@pytest.mark.parametrize(
    ("text", "string", "expected"),
    [
        ("Am 02.04. legte er", "02.04", "02.04."),
        ("am 4.11. gegen 6 Uhr", "4.11", "4.11."),
        ("Closed at 10.30. They", "10.30", "10.30"),
        ("Closed 02.04. They", "02.04", "02.04"),
        ("at 4.11. he", "4.11", "4.11"),
    ],
)
def test_the_stop_of_a_day_and_a_month_belongs_to_them(
    text: str, string: str, expected: str
) -> None:
    """Within a sentence; at its end it may be a time of day."""
    start = text.index(string)
    (item,) = merge(text, [mention(start, start + len(string), "DATETIME", 0.9)])
    assert item.span.of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a wall 1.4 metres away", ["1.4 metres"]),
        ("paid 14,000 in all", ["14,000"]),
        ("on 3, 4 doors", ["3", "4 doors"]),
        ("no. 1. 4 metres", ["1", "4 metres"]),
    ],
)
def test_a_number_that_was_read_in_two_pieces_is_one(text: str, expected: list[str]) -> None:
    """A point or a comma between two digits is inside a number; one with a space after it isn't."""
    rest = expected[0].replace(",", ".").split(".") if len(expected) == 1 else expected
    starts = [text.index(rest[0]), text.index(rest[1], text.index(rest[0]) + 1)]
    pieces = [
        mention(start, start + len(part), "QUANTITY", 0.9)
        for start, part in zip(starts, rest, strict=True)
    ]
    assert [item.span.of(text) for item in merge(text, pieces)] == expected


@pytest.mark.parametrize(
    ("string", "expected"),
    [
        ("lunes el doctor Vela", ["doctor Vela"]),
        ("rag. Ermanno Vela", ["rag. Ermanno Vela"]),
        ("wojtek Vela", ["wojtek Vela"]),
        ("de la Cruz", ["de la Cruz"]),
        ("Herrn", []),
        ("Mum", []),
        ("Vela", ["Vela"]),
    ],
)
def test_what_is_before_a_title_and_a_title_alone_name_no_one(
    string: str, expected: list[str]
) -> None:
    """Words before a title are cut off; a title or a word for kin alone isn't a person."""
    text = f"Ulm, {string}"
    merged = merge(text, [mention(5, len(text), "PERSON", 0.9)])
    assert [item.span.of(text) for item in merged] == expected
