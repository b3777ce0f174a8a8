"""Model outputs read as mentions."""

from __future__ import annotations

import numpy as np
import pytest

from tacenda.detect.labels import LabelScores, mentions_of
from tacenda.document import SemanticType, Span
from tacenda.models.calibration import BIO_LABELS, Calibration, Curve
from tacenda.models.encoding import TextEncoder

TEXT = "Mr Yalman was born"  # mr | yal ##man | was | born


def reading(
    labels: list[str], masking: list[float], direct: list[float] | None = None
) -> LabelScores:
    """Return a reading whose chosen labels are certain; words outside lean to MISC."""
    n = len(labels)
    types = np.zeros((n, len(BIO_LABELS)), np.float32)
    types[np.arange(n), [BIO_LABELS.index(label) for label in labels]] = 0.9
    types[:, BIO_LABELS.index("B-MISC")] += 0.05
    heads = np.zeros((n, 3), np.float32)
    heads[:, 2] = direct or [0.0] * n
    heads[:, 1] = np.asarray(masking) - heads[:, 2]
    return LabelScores.of(types, heads)


def test_a_mention_is_as_probable_as_its_words_on_average(encoder: TextEncoder) -> None:
    """Subwords are one word with the largest probability of them, words with B and I one mention with their mean."""
    found = mentions_of(
        TEXT,
        encoder.encode(TEXT),
        reading(["B-PERSON", "I-PERSON", "O", "O", "O"], [0.2, 0.3, 0.9, 0, 0], [0, 0, 0.3, 0, 0]),
        Calibration(),
    )
    assert len(found) == 1
    assert found[0].span == Span(0, 9)
    assert found[0].type is SemanticType.PERSON
    assert found[0].p_mask == pytest.approx(0.55)
    assert found[0].p_mask_min_word == pytest.approx(0.2)
    assert found[0].p_direct == pytest.approx(0.3)


def test_b_begins_a_new_mention(encoder: TextEncoder) -> None:
    """Two mentions that touch are told apart by B."""
    found = mentions_of(
        TEXT,
        encoder.encode(TEXT),
        reading(["B-PERSON", "B-PERSON", "I-PERSON", "O", "O"], [0.5] * 3 + [0, 0]),
        Calibration(),
    )
    assert [mention.span for mention in found] == [Span(0, 2), Span(3, 9)]


def test_risky_words_without_a_type_become_a_mention(encoder: TextEncoder) -> None:
    """What the masking head would mask is a mention although the type head left it out."""
    found = mentions_of(
        TEXT, encoder.encode(TEXT), reading(["O"] * 5, [0, 0, 0, 0.6, 0.7]), Calibration()
    )
    assert [(mention.span, mention.type) for mention in found] == [
        (Span(10, 18), SemanticType.MISC)
    ]


@pytest.mark.parametrize(("direct", "expected"), [(0.3, (0.4, 0.3)), (0.7, (0.7, 0.7))])
def test_probabilities_are_calibrated_and_direct_is_no_larger_than_masking(
    encoder: TextEncoder, direct: float, expected: tuple[float, float]
) -> None:
    """The curves are applied to the pooled confidence; a direct identifier is a masked one."""
    half = Curve((0.0, 1.0), (0.0, 0.5))
    found = mentions_of(
        TEXT,
        encoder.encode(TEXT),
        reading(["B-PERSON", "O", "O", "O", "O"], [0.8, 0, 0, 0, 0], [direct, 0, 0, 0, 0]),
        Calibration(masking={"PERSON": half}),
    )
    assert (found[0].p_mask, found[0].p_direct) == pytest.approx(expected)


def test_empty_text_has_no_mentions(encoder: TextEncoder) -> None:
    """Nothing in, nothing out."""
    assert mentions_of("", encoder.encode(""), LabelScores.empty(0), Calibration()) == ()


_WRAPPED = "was born " * 8 + "\n" + "was born " * 7


@pytest.mark.parametrize(
    ("before", "between", "count"),
    [
        ("", "\n", 2),
        (_WRAPPED, "\n", 1),
        (_WRAPPED, "\n\n", 2),
        ("was born. " * 8, "\n", 2),
        (_WRAPPED, "\f", 2),
        ("", "\t", 2),
        ("", " ", 1),
    ],
    ids=["short-line", "wrapped-line", "paragraph", "no-prose", "page", "cell", "blank"],
)
def test_a_mention_ends_with_its_passage(
    encoder: TextEncoder, before: str, between: str, count: int
) -> None:
    """A line end ends a mention unless it only wraps a line of prose."""
    text = f"{before}Mr{between}Yalman"
    encoding = encoder.encode(text)
    outside = len(encoding) - 3
    found = mentions_of(
        text,
        encoding,
        reading(
            ["O"] * outside + ["B-PERSON", "I-PERSON", "I-PERSON"], [0.0] * outside + [0.9] * 3
        ),
        Calibration(),
    )
    assert len(found) == count


def test_a_hyphen_keeps_a_name_in_one(encoder: TextEncoder) -> None:
    """Two parts joined by a hyphen are one mention, of the type likeliest for all."""
    text = "Yalman-Born"
    found = mentions_of(
        text,
        encoder.encode(text),
        reading(["B-PERSON", "I-PERSON", "I-PERSON", "B-ORG"], [0.9] * 4),
        Calibration(),
    )
    assert [(mention.span, mention.type) for mention in found] == [
        (Span(0, 11), SemanticType.PERSON)
    ]


def test_a_word_is_in_a_mention_if_that_is_more_likely_than_not(encoder: TextEncoder) -> None:
    """Its labels share what outside lacks, so that each of them is below it."""
    text = "Yalman was"  # yal ##man | was
    types = np.zeros((3, len(BIO_LABELS)), dtype=np.float32)
    types[:, 0] = 0.45, 0.45, 0.55
    types[:, BIO_LABELS.index("B-DEM")] = 0.3
    types[:, BIO_LABELS.index("B-ORG")] = 1 - types[:, 0] - 0.3
    result = LabelScores.of(types, np.zeros((3, 3), dtype=np.float32))
    found = mentions_of(text, encoder.encode(text), result, Calibration())

    assert [(mention.span, mention.type) for mention in found] == [(Span(0, 6), SemanticType.DEM)]


@pytest.mark.parametrize(
    ("second", "third", "expected"),
    [
        ({"I-LOC": 0.6, "I-PERSON": 0.3}, "O", [(0, 9, "PERSON")]),
        ({"I-LOC": 0.5, "B-LOC": 0.4}, "O", [(0, 2, "PERSON"), (3, 9, "LOC")]),
        ({"O": 0.7, "I-PERSON": 0.2}, "I-PERSON", [(0, 13, "PERSON")]),
        ({"O": 0.7, "I-PERSON": 0.2}, "O", [(0, 2, "PERSON"), (3, 9, "PERSON")]),
    ],
)
def test_adjacent_words_are_of_one_type_unless_one_begins_a_mention(
    encoder: TextEncoder, second: dict[str, float], third: str, expected: list[tuple[int, int, str]]
) -> None:
    """A mention has one type; a word between two of its own is one of them if that isn't unlikely."""
    given = reading(["B-PERSON", "O", "O", third, "O"], [0.9, 0.9, 0.9, 0, 0])
    given.labels[1] = 0
    for label, probability in second.items():
        given.labels[1, BIO_LABELS.index(label)] = probability
    found = mentions_of(TEXT, encoder.encode(TEXT), given, Calibration())

    assert [(item.span.start, item.span.end, item.type.name) for item in found] == expected


def test_particles_join_the_names_beside_them(encoder: TextEncoder) -> None:
    """A particle is part of a name although the model leaves it out and begins anew after it."""
    text = "Yalman bin Born"
    n = len(encoder.encode(text))
    given = reading(["B-PERSON"] * 2 + ["O"] * (n - 3) + ["B-PERSON"], [0.9] * n)
    (mention,) = mentions_of(text, encoder.encode(text), given, Calibration())

    assert mention.span == Span(0, 15)
