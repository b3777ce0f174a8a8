"""What was found once is found everywhere, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.link.linking import propagate
from tests.examples import for_each
from tests.growth import assert_linear

Mark = Callable[..., tuple[Mention, ...]]


def _found(mark: Mark, text: str, *pairs: tuple[str, str], masking: float = 0.9) -> list[str]:
    mentions = propagate(Document("d", text), mark(text, *pairs, masking=masking))
    return [mention.span.of(text) for mention in mentions]


@pytest.mark.parametrize(
    ("type", "surface", "rest", "new"),
    [
        ("PERSON", "Mr Galip Yalman", "Yalman YALMAN Galip Yalmans", ["Yalman", "YALMAN", "Galip"]),
        ("PERSON", "Galip Yalman", "galip yalman, yalman", ["galip yalman"]),
        ("PERSON", "Galip Yalman", "Galip\nYalman’s Yal-\nman", ["Galip\nYalman", "Yal-\nman"]),
        ("PERSON", "Galip Yalman", "Yal-\n\nman Yal-\fman", ["Yal-\n\nman", "Yal-\fman"]),
        ("PERSON", "Galip Yalman", "by Yal\n\nman Yal\nman", ["Yal\n\nman", "Yal\nman"]),
        ("PERSON", "Galip Yalman", "YAL\fMAN Yal\nMan yal \n man", ["YAL\fMAN"]),
        ("PERSON", "Asa Berg", "it served as\na and the iceberg", []),
        ("PERSON", "Rose", "rose Rose", ["Rose"]),
        ("PERSON", "Ms Rose Yalman", "Rose rose", []),
        ("PERSON", "Mr May", "in May, Mr May", ["Mr May"]),
        ("PERSON", "Wołąsiewicz", "Wolasiewicz", ["Wolasiewicz"]),
        ("PERSON", "J. Li", "Li", []),
        ("PERSON", "X", "X", []),
        ("PERSON", "张伟", "昨天张伟说", ["张伟"]),
        ("PERSON", "สมชาย", "นายสมชายกล่าว", ["สมชาย"]),
        ("PERSON", "김철수", "김철수는", ["김철수"]),
        ("PERSON", "Иванов", "ИВАНОВ Ивановка", ["ИВАНОВ"]),
        ("CODE", "4027/05", "4027 / 05, 4027-05", ["4027 / 05", "4027-05"]),
        ("PERSON", "हरि", "हरि हरिण", ["हरि"]),
        ("CODE", "4027/05", "14027/05 4027/051 4027/05/2 4027/05.", ["4027/05"]),
        ("CODE", "943 476 5919", "9434765919, 94347659190", ["9434765919"]),
        ("ORG", "Prison Service", "the prison service", ["prison service"]),
        ("ORG", "Court", "the Court", []),
        ("ORG", "the Government", "the Government", []),
        ("PERSON", "the applicant", "the applicant", []),
        ("ORG", "PS", "PS ps", ["PS"]),
        ("LOC", "Ankara", "Ankara’s ankara", ["Ankara"]),
        ("DEM", "physician", "physician", []),
        ("DEM", "retired teacher", "Retired teacher", ["Retired teacher"]),
        ("DATETIME", "3 May 2004", "13 May 2004, 3 May 2004", ["3 May 2004"]),
        ("DATETIME", "12.05.2003", "12.05.2003", ["12.05.2003"]),
        ("DATETIME", "two", "two", []),
        ("DATETIME", "1970", "1970", []),
        ("QUANTITY", "EUR 4,000", "EUR 4,000", []),
    ],
)
def test_occurrences(mark: Mark, type: str, surface: str, rest: str, new: list[str]) -> None:
    """Each type has its own strings that are looked for."""
    assert _found(mark, f"{surface}. {rest}", (surface, type)) == new


def test_defined_acronym(mark: Mark) -> None:
    """The acronym that parentheses define is looked for from its definition on."""
    text = "The Prison Service (“the PS”) answered. The PS and ps."
    assert _found(mark, text, ("Prison Service", "ORG")) == ["PS", "PS"]


def test_highest_probability_is_passed_on(mark: Mark) -> None:
    """A new mention is as certain as the most certain mention of its string."""
    text = "Yalman, Yalman, Yalman"
    low, high = Span(0, 6), Span(8, 14)
    mentions = (
        Mention(low, SemanticType.ORG, 0.3, 0.1, MentionSource.NEURAL),
        Mention(high, SemanticType.PERSON, 0.8, 0.4, MentionSource.NEURAL),
    )
    new = propagate(Document("d", text), mentions)
    assert new == (
        Mention(low, SemanticType.PERSON, 0.8, 0.4, MentionSource.PROPAGATION),
        Mention(Span(16, 22), SemanticType.PERSON, 0.8, 0.4, MentionSource.PROPAGATION),
    )


def test_harmless_mentions_are_not_followed(mark: Mark) -> None:
    """What need not be masked is not looked for."""
    assert _found(mark, "Ankara, Ankara", ("Ankara", "LOC"), masking=0.04) == []


def test_inside_of_a_certain_mention_is_left(mark: Mark) -> None:
    """An occurrence within a mention at least as certain is no new mention."""
    text = "Ankara, Ankara Assize Court"
    assert _found(mark, text, ("Ankara", "LOC"), ("Ankara Assize Court", "ORG")) == []


words = st.sampled_from(
    ["Yalman", "yalman", "Ali", "PS", "(PS)", "Rose", "4027/05", "İzmir", "张伟", "\n"]
)


@given(st.lists(words, min_size=1, max_size=30), st.data())
def test_once_is_enough(pieces: list[str], data: st.DataObject) -> None:
    """Propagating again finds nothing that is not covered already."""
    text = " ".join(pieces)
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    mention = Mention(
        span, data.draw(st.sampled_from(SemanticType)), 0.9, 0.1, MentionSource.NEURAL
    )
    document = Document("d", text)
    new = propagate(document, (mention,))
    assert all(one.source == "propagation" and one.span.end <= len(text) for one in new)
    assert not any(span.contains(one.span) for one in new)


def _propagate_nested(words: int) -> None:
    """Propagate mentions of 1, 2, 3 … equal words in the first half of a text."""
    text = "ab " * words
    mentions, start, length = [], 0, 1
    while start + length < words // 2:
        span = Span(3 * start, 3 * (start + length) - 1)
        mentions.append(Mention(span, SemanticType.ORG, 0.9, 0.1, MentionSource.NEURAL))
        start, length = start + length, length + 1
    assert propagate(Document("d", text), mentions)


def test_linear_on_nested_mentions() -> None:
    """Four times the text, with mentions within one another, takes about four times as long."""
    assert_linear(_propagate_nested, 6_000)


@for_each("type", list(SemanticType))
def test_one_huge_word(type: SemanticType) -> None:
    """A word of a million letters may be a mention as a whole."""

    def propagated(size: int) -> None:
        mention = Mention(Span(0, size), type, 0.9, 0.1, MentionSource.NEURAL)
        assert propagate(Document("d", "a" * size), (mention,)) == ()

    assert_linear(propagated, 250_000)


def test_a_riskier_form_within_a_longer_one(mark: Mark) -> None:
    """A longer occurrence does not hide a shorter one that is more certain."""
    text = "Ankara Bar, Ankara, Ankara Bar"
    long, short = mark(text, ("Ankara Bar", "ORG"), ("Ankara", "LOC"))
    mentions = (replace(long, p_mask=0.3, p_direct=0.0), short)
    found = propagate(Document("d", text), mentions)
    assert [(one.span.of(text), one.span.start) for one in found] == [
        ("Ankara", 0),
        ("Ankara Bar", 20),
        ("Ankara", 20),
    ]
