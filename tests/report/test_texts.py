"""A text is cut into disjoint pieces, each with one truth about all of its characters."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Span
from tacenda.evaluate.curves import PieceOutcome, gold_pieces, system_pieces
from tacenda.evaluate.errors import ErrorKind, find_errors
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.matching import PreparedDocument, built_in_ignored_tokens, prepare

from ..evaluate.corpus import FIGURE_3, FIGURE_3_TEXT, standoff

FIGURE = prepare(parse_gold([FIGURE_3])[0], built_in_ignored_tokens)
SPANS = st.lists(
    st.tuples(st.integers(0, len(FIGURE_3_TEXT) - 1), st.integers(1, 30)).map(
        lambda pair: Span(pair[0], min(len(FIGURE_3_TEXT), sum(pair)))
    ),
    max_size=12,
)


def outcomes(prepared: PreparedDocument, *masked: str) -> dict[str, tuple[PieceOutcome, str]]:
    """Return outcome and type of each piece, by the text there."""
    text = prepared.document.text
    spans = [Span(text.index(m), text.index(m) + len(m)) for m in masked]
    errors = find_errors([(prepared, spans)]).errors
    return {
        piece.span.of(text): (piece.outcome, piece.type)
        for piece in system_pieces(prepared, spans, errors)
    }


def test_outcomes_are_those_of_the_errors() -> None:
    """Right, missed, inconsistent, partial and over-masked, with the annotators' types."""
    found = outcomes(FIGURE, "12345/67", "John Doe", "October", "The case")
    assert found["12345/67"] == (PieceOutcome.RIGHT, "CODE")
    assert found["John Doe"] == (PieceOutcome.RIGHT, "PERSON")
    assert found["Mr Doe"] == (PieceOutcome.INCONSISTENT, "PERSON")
    assert found["British"] == (PieceOutcome.MISSED, "DEM")
    assert found["The case"] == (PieceOutcome.OVER_MASKED, "NONE")
    # Of a mention masked in part, the rest leaks and the part is right.
    assert found["1 "] == found[" 2021"] == (PieceOutcome.PARTIAL, "DATETIME")
    assert found["October"] == (PieceOutcome.RIGHT, "DATETIME")


def test_annotators_are_counted() -> None:
    """Two annotators want the date, one of them the state, which the other keeps."""
    found = {p.span.of(FIGURE_3_TEXT): p for p in gold_pieces(FIGURE)}
    assert found["1 October 2021"].annotators == 2
    assert (found["Kingdom of Sweden"].annotators, found["Kingdom of Sweden"].identifier) == (
        1,
        "QUASI",
    )


def test_nested_mentions_are_cut() -> None:
    """Inside a mention that is kept, one that is masked shows."""
    text = "the Oslo City Court"
    gold = parse_gold(
        [standoff(text, {"a": [(text, "ORG", "NO_MASK", "e1"), ("Oslo", "LOC", "QUASI", "e2")]})]
    )
    pieces = list(gold_pieces(prepare(gold[0], built_in_ignored_tokens)))
    assert [(p.span.of(text), p.identifier) for p in pieces] == [
        ("the ", "NO_MASK"),
        ("Oslo", "QUASI"),
        (" City Court", "NO_MASK"),
    ]


@given(SPANS)
def test_pieces_tell_the_masks(spans: list[Span]) -> None:
    """Disjoint and in order, they cover what is masked or leaks, and nothing else."""
    errors = find_errors([(FIGURE, spans)]).errors
    pieces = list(system_pieces(FIGURE, spans, errors))
    assert all(a.span.end <= b.span.start for a, b in pairwise(pieces))
    masked = {i for span in spans for i in range(span.start, span.end)}
    leaking = {
        i for e in errors if e.kind is not ErrorKind.OVER_MASKED for i in range(e.start, e.end)
    }
    for kinds, expected in (
        ({PieceOutcome.RIGHT, PieceOutcome.OVER_MASKED}, masked),
        ({PieceOutcome.MISSED, PieceOutcome.INCONSISTENT, PieceOutcome.PARTIAL}, leaking - masked),
    ):
        covered = [p.span for p in pieces if p.outcome in kinds]
        assert {i for span in covered for i in range(span.start, span.end)} == expected
