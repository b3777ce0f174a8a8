"""Information loss: what a compressor makes of masks."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Span
from tacenda.evaluate.evaluation import evaluate
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.metrics import compressed_size, redacted
from tests.examples import for_each

from .corpus import standoff


@for_each(
    ("spans", "text"),
    [
        ([], "Anna Berg spoke"),
        ([Span(0, 4)], "*** Berg spoke"),
        ([Span(5, 9), Span(0, 4)], "*** *** spoke"),
        ([Span(0, 4), Span(4, 9)], "*** spoke"),
        ([Span(0, 6), Span(2, 9)], "*** spoke"),
        ([Span(0, 15)], "***"),
    ],
)
def test_masked_spans_become_one_mark(spans: list[Span], text: str) -> None:
    """Overlapping and touching spans are joined."""
    assert redacted("Anna Berg spoke", spans) == text


def test_information_loss_is_the_change_in_compressed_size() -> None:
    """Of two documents, the sum of the bytes saved over the sum of the bytes."""
    texts = ["Anna Berg of Oslo spoke at length. " * 3, "Nobody else did, as far as one knows."]
    gold = parse_gold([standoff(text, {}, f"d{idx}") for idx, text in enumerate(texts)])
    report = evaluate(gold, {"d0": (Span(0, 17),), "d1": ()})
    before = [len(zlib.compress(text.encode())) for text in texts]
    after = len(zlib.compress(("***" + texts[0][17:]).encode()))
    assert report.scores["information_loss"] == (before[0] - after) / sum(before)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=30))
def test_any_text_has_a_size(text: str) -> None:
    """Also one with lone surrogates."""
    assert compressed_size(text) > 0
