"""Words of a text and of spans."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Span
from tacenda.evaluate.evaluation import EvaluationSettings, evaluate
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.matching import TextWords, union_spans
from tacenda.text.information import WORD
from tests.growth import assert_linear

texts = st.text(alphabet="ab .é\u0301עם", min_size=1, max_size=25)


@st.composite
def spans(draw: st.DrawFn) -> tuple[str, list[Span]]:
    """Draw a text and spans of it, which may overlap."""
    text = draw(texts)
    pair = st.tuples(st.integers(0, len(text) - 1), st.integers(1, len(text)))
    pairs = draw(st.lists(pair, max_size=6))
    return text, [Span(min(s, e - 1), max(s + 1, e)) for s, e in pairs]


@given(spans())
def test_tokens_of_spans_are_those_that_a_search_finds(case: tuple[str, list[Span]]) -> None:
    """With the parts of words that spans cut, each as often as a span holds it."""
    text, given_spans = case
    searched = Counter(
        match.span() for span in given_spans for match in WORD.finditer(text, span.start, span.end)
    )
    assert TextWords(text).tokens(given_spans) == searched


@given(spans())
def test_touched_words_are_counted_once(case: tuple[str, list[Span]]) -> None:
    """A word counts if any code point of it is in any span."""
    text, given_spans = case
    masked = {at for span in given_spans for at in range(span.start, span.end)}
    naive = sum(bool(masked & set(range(*m.span()))) for m in WORD.finditer(text))
    assert TextWords(text).touched(list(union_spans(given_spans))) == naive


def test_nested_spans_cost_their_number_not_their_length() -> None:
    """Of nested mentions and masks."""
    assert_linear(_score_nested_spans, 300)


def _score_nested_spans(n: int) -> None:
    text = "a b " * (2 * n)
    mentions = [
        {
            "entity_type": "MISC",
            "start_offset": idx,
            "end_offset": len(text) - idx,
            "identifier_type": "QUASI",
            "entity_id": str(idx),
        }
        for idx in range(n)
    ]
    gold = parse_gold(
        [{"doc_id": "d", "text": text, "annotations": {"a": {"entity_mentions": mentions}}}]
    )
    report = evaluate(
        gold,
        {"d": tuple(Span(idx, len(text) - idx) for idx in range(n))},
        EvaluationSettings(errors=1),
    )
    assert report.scores["token_recall"] == report.scores["token_precision"] == 1.0
