"""Sufficient statistics of one document: pairs of sums from which every figure follows.

All figures of TAB (section 6) are micro-averages: a ratio of two sums over documents. So a
document is matched once, and totals, confidence intervals and paired tests only add up pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite
from typing import NamedTuple

from ..document import Span
from ..errors import InputError
from .compression import compressed_size, redacted
from .information import InformationContent
from .matching import Coverage, PreparedDocument, merged
from .words import Token

ENTITIES_DIRECT = "entities.direct"
ENTITIES_QUASI = "entities.quasi"
MENTIONS = "mentions"
TOKENS = "tokens."
"""Tokens of mentions that need masking, by the type of their entity."""
MASKED_TOKENS = "masked tokens."
"""Tokens that the system masked, by the type that annotators gave them."""
MASKED_MENTIONS = "masked mentions"
MASKED_INFORMATION = "masked information"
CHARACTERS = "characters"
WORDS = "words"
COMPRESSED = "compressed bytes"
NO_TYPE = "NONE"
"""Stands for the type of a token that an annotator left unmarked."""


class Tally(NamedTuple):
    """A share in the making: ``hits`` of ``total``."""

    hits: float
    total: float


@dataclass(frozen=True, slots=True)
class DocumentStatistics:
    """What is counted in one document, under the names above.

    Attributes:
        document: its id.
        tallies: one pair for each thing counted; what is not there was not met.
    """

    document: str
    tallies: Mapping[str, Tally]


def count(
    prepared: PreparedDocument, spans: Sequence[Span], information: InformationContent | None = None
) -> DocumentStatistics:
    """Match a system's spans with the gold of one document.

    Args:
        prepared: the gold.
        spans: what the system masked. Overlapping spans cover a text once, but each counts in
            precision, as in the reference.
        information: weights of masked tokens; None leaves the weighted tally out.

    Raises:
        InputError: a span ends past the text, or a weight is negative or no finite number.
    """
    tallies = _Tallies()
    coverage = Coverage(prepared, spans)
    _count_recall(prepared, coverage, tallies)
    _count_precision(prepared, spans, information, tallies)
    text = prepared.document.text
    tallies.add(CHARACTERS, coverage.masked.count(1), len(text))
    tallies.add(WORDS, prepared.words.touched(list(merged(spans))), len(prepared.words))
    size = compressed_size(text)
    tallies.add(COMPRESSED, size - compressed_size(redacted(text, spans)), size)
    return DocumentStatistics(prepared.document.id, tallies.frozen())


def total(statistics: Iterable[DocumentStatistics]) -> dict[str, Tally]:
    """Add up the tallies of documents."""
    tallies = _Tallies()
    for document in statistics:
        for name, tally in document.tallies.items():
            tallies.add(name, tally.hits, tally.total)
    return tallies.frozen()


class _Tallies:
    """Sums under construction."""

    def __init__(self) -> None:
        self._sums: dict[str, list[float]] = {}

    def add(self, name: str, hits: float, total: float = 1) -> None:
        pair = self._sums.setdefault(name, [0, 0])
        pair[0] += hits
        pair[1] += total

    def frozen(self) -> dict[str, Tally]:
        return {name: Tally(*pair) for name, pair in self._sums.items()}


def _count_recall(prepared: PreparedDocument, coverage: Coverage, tallies: _Tallies) -> None:
    words = prepared.words
    covered_words = [0, *accumulate(map(coverage.masks, words.starts, words.ends))]
    for entity in prepared.entities:
        is_masked = True
        tokens_masked = tokens = 0
        for mention in entity.mentions:
            start, end = mention.span.start, mention.span.end
            covered = coverage.masks(start, end)
            tallies.add(MENTIONS, covered)
            # A mention left NO_MASK by its annotator can't unmask its entity.
            if not covered and mention.needs_masking:
                is_masked = False
            first, last, cut = words.inside(start, end)
            tokens += last - first + len(cut)
            tokens_masked += covered_words[last] - covered_words[first]
            tokens_masked += sum(coverage.masks(*token) for token in cut)
        tallies.add(ENTITIES_DIRECT if entity.is_direct else ENTITIES_QUASI, is_masked)
        tallies.add(TOKENS + entity.type, tokens_masked, tokens)


def _count_precision(
    prepared: PreparedDocument,
    spans: Sequence[Span],
    information: InformationContent | None,
    tallies: _Tallies,
) -> None:
    tokens = prepared.words.tokens(spans)
    agreement: Counter[Token] = Counter()
    by_type: dict[str, list[int]] = {}
    for cover in prepared.annotators:
        for token, n in tokens.items():
            mention = cover.find(*token)
            pair = by_type.setdefault(mention.type if mention else NO_TYPE, [0, 0])
            pair[1] += n
            if mention is not None and mention.needs_masking:
                pair[0] += n
                agreement[token] += 1
        for span in spans:
            mention = cover.find(span.start, span.end)
            tallies.add(MASKED_MENTIONS, mention is not None and mention.needs_masking)
    for type_, (hits, total) in by_type.items():
        tallies.add(MASKED_TOKENS + type_, hits, total)
    if information is not None:
        text = prepared.document.text
        weights = information.weights(text, [Span(*token) for token in tokens])
        for (token, n), weight in zip(tokens.items(), weights, strict=True):
            _check_weight(weight, token, information.name, prepared.document.id)
            tallies.add(
                MASKED_INFORMATION,
                agreement[token] * n * weight,
                len(prepared.annotators) * n * weight,
            )


def _check_weight(weight: float, token: Token, weighting: str, doc_id: str) -> None:
    if not (isfinite(weight) and weight >= 0):
        raise InputError(
            f"the weight of token [{token[0]}, {token[1]}) by {weighting} is {weight}; weights "
            "must be finite and not negative",
            doc_id,
        )
