"""Metrics, each a ratio of tallies (TAB, section 6).

    token_recall             R: of the tokens to mask, how many are masked
    entity_recall_direct     ER_di: of the direct identifiers, how many are masked in every mention
    entity_recall_quasi      ER_qi: the same of the quasi-identifiers
    entity_recall            both together
    mention_recall           of the mentions to mask, how many are masked
    token_precision          P: of the tokens masked, how many had to be
    mention_precision        the same of the spans masked
    token_f1, token_f2       harmonic means of P and R; F2 gives recall twice the weight
    weighted_token_precision WP: P with tokens weighted by their information content
    text_kept                share of the characters not masked
    words_masked             share of the words masked in whole or in part
    information_loss         relative shrinkage of the compressed text; negative if it grows

If there is nothing to mask, recall is undefined (None), and so are means that include it. If a
system masks nothing, its precision is 0, as in the reference implementation, but it is also listed
as undefined.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite
from typing import TYPE_CHECKING, Final, NamedTuple

from ..document import Span
from ..errors import InputError
from .matching import Coverage, PreparedDocument, Token, union_spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .weights import InformationContent

# Information loss as seen by a compressor (Morris et al., 2022, section 5). The unsupervised
# de-identification paper measures utility as the change in the size of the compressed text, so a
# name repeated ten times counts once.


MASK: Final = "***"
"""Placeholder for each masked span; touching spans are one."""


def compressed_size(text: str) -> int:
    """Return the size of a text in bytes after DEFLATE at zlib's default level."""
    return len(zlib.compress(text.encode("utf-8", "surrogatepass")))


def redacted(text: str, spans: Sequence[Span]) -> str:
    """Return the text with each masked span suppressed."""
    parts = []
    end = 0
    for span in union_spans(spans):
        parts += [text[end : span.start], MASK]
        end = span.end
    return "".join([*parts, text[end:]])


# A document's sufficient statistics are pairs of sums from which every figure can be computed. All
# of TAB's figures (section 6) are micro-averages: ratios of two sums over documents. So each
# document is matched only once; totals, confidence intervals and paired tests only add up pairs.


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
    """The counts behind a share: ``hits`` out of ``total``."""

    hits: float
    total: float


@dataclass(frozen=True, slots=True)
class DocumentStatistics:
    """One document's counts, under the names above.

    Attributes:
        document: its id.
        tallies: one pair per count; missing if nothing was counted.
    """

    document: str
    tallies: Mapping[str, Tally]


def count(
    prepared: PreparedDocument, spans: Sequence[Span], information: InformationContent | None = None
) -> DocumentStatistics:
    """Match a system's spans with one gold document.

    Args:
        prepared: the gold document.
        spans: the system's masks. Overlapping spans mask text once, but each counts in precision,
            as in the reference.
        information: weights of masked tokens; None to leave out the weighted tally.

    Raises:
        InputError: if a span ends past the text, or a weight is negative or not finite.
    """
    tallies = _Tallies()
    coverage = Coverage(prepared, spans)
    _count_recall(prepared, coverage, tallies)
    _count_precision(prepared, spans, information, tallies)
    text = prepared.document.text
    tallies.add(CHARACTERS, coverage.masked.count(1), len(text))
    tallies.add(WORDS, prepared.words.touched(list(union_spans(spans))), len(prepared.words))
    size = compressed_size(text)
    tallies.add(COMPRESSED, size - compressed_size(redacted(text, spans)), size)
    return DocumentStatistics(prepared.document.id, tallies.frozen())


def total(statistics: Iterable[DocumentStatistics]) -> dict[str, Tally]:
    """Add up the documents' tallies."""
    tallies = _Tallies()
    for document in statistics:
        for name, tally in document.tallies.items():
            tallies.add(name, tally.hits, tally.total)
    return tallies.frozen()


class _Tallies:
    """Sums being accumulated."""

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
            # A mention that its annotator left as NO_MASK can't unmask its entity.
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


Sums = Mapping[str, Tally]


@dataclass(frozen=True, slots=True)
class Share:
    """The ratio of hits to total over the named tallies.

    Attributes:
        name: the figure's name.
        tallies: names of the tallies to add up; a name that ends in a dot stands for all names with
            that prefix.
        when_empty: the value if the total is 0.
        of_rest: whether to return the complement.
    """

    name: str
    tallies: tuple[str, ...]
    when_empty: float | None = None
    of_rest: bool = False

    def total(self, sums: Sums) -> float:
        """Return the figure's denominator."""
        return sum(tally.total for tally in self._chosen(sums))

    def score(self, sums: Sums) -> float | None:
        """Return the figure, a share; ``when_empty`` if the denominator is 0."""
        total = self.total(sums)
        if not total:
            return self.when_empty
        share = sum(tally.hits for tally in self._chosen(sums)) / total
        return 1 - share if self.of_rest else share

    def _chosen(self, sums: Sums) -> list[Tally]:
        return [
            tally
            for name, tally in sums.items()
            if any(name.startswith(t) if t.endswith(".") else name == t for t in self.tallies)
        ]


@dataclass(frozen=True, slots=True)
class FScore:
    """The weighted harmonic mean of a precision and a recall; ``beta`` is the weight of recall."""

    name: str
    precision: Share
    recall: Share
    beta: float

    def total(self, sums: Sums) -> float:
        """Return 0 if the denominator of precision or recall is 0."""
        return min(self.precision.total(sums), self.recall.total(sums))

    def score(self, sums: Sums) -> float | None:
        """Return the mean, in [0, 1]; 0 if both are 0, None if one is undefined."""
        precision, recall = self.precision.score(sums), self.recall.score(sums)
        if precision is None or recall is None:
            return None
        weight = self.beta**2
        if not precision + recall:
            return 0.0
        return (1 + weight) * precision * recall / (weight * precision + recall)


Metric = Share | FScore

TOKEN_RECALL: Final = Share("token_recall", (TOKENS,))
TOKEN_PRECISION: Final = Share("token_precision", (MASKED_TOKENS,), when_empty=0.0)
WEIGHTED_PRECISION: Final = Share("weighted_token_precision", (MASKED_INFORMATION,), when_empty=0.0)

METRICS: Final[tuple[Metric, ...]] = (
    TOKEN_RECALL,
    Share("entity_recall_direct", (ENTITIES_DIRECT,)),
    Share("entity_recall_quasi", (ENTITIES_QUASI,)),
    Share("entity_recall", (ENTITIES_DIRECT, ENTITIES_QUASI)),
    Share("mention_recall", (MENTIONS,)),
    TOKEN_PRECISION,
    Share("mention_precision", (MASKED_MENTIONS,), when_empty=0.0),
    FScore("token_f1", TOKEN_PRECISION, TOKEN_RECALL, beta=1),
    FScore("token_f2", TOKEN_PRECISION, TOKEN_RECALL, beta=2),
    Share("text_kept", (CHARACTERS,), of_rest=True),
    Share("words_masked", (WORDS,)),
    Share("information_loss", (COMPRESSED,)),
)


def by_type(sums: Sums, prefix: str) -> dict[str, float]:
    """Return each type's share, from the tallies whose names start with ``prefix``.

    Types are sorted by frequency, the most frequent first.
    """
    tallies = {name.removeprefix(prefix): t for name, t in sums.items() if name.startswith(prefix)}
    ordered = sorted(tallies.items(), key=lambda item: (-item[1].total, item[0]))
    return {name: tally.hits / tally.total for name, tally in ordered if tally.total}


# Percentile bootstrap over documents: how far a score might move with other documents. Documents
# are drawn with replacement, and only their sufficient statistics are added up again, so a thousand
# resamples cost one small matrix product and no matching.


CONFIDENCE: Final = 0.95


class Interval(NamedTuple):
    """A 95 % confidence interval."""

    low: float
    high: float


def intervals(
    statistics: Sequence[DocumentStatistics], metrics: Sequence[Metric], n: int, seed: int = 0
) -> dict[str, Interval]:
    """Return a confidence interval for each metric defined in at least one resample.

    Args:
        statistics: one per document, at least one.
        metrics: the figures to compute.
        n: number of resamples, at least 1.
        seed: the random seed; the same seed gives the same intervals.
    """
    import numpy as np

    table = StatisticsTable(statistics)
    draws = np.random.default_rng(seed).multinomial(
        len(statistics), [1 / len(statistics)] * len(statistics), size=n
    )
    values: dict[str, list[float]] = {metric.name: [] for metric in metrics}
    for sums in table.sums(draws.astype(float)):
        for metric in metrics:
            score = metric.score(sums)
            if score is not None:
                values[metric.name].append(score)
    tail = (1 - CONFIDENCE) / 2
    return {
        name: Interval(*(float(value) for value in np.quantile(scores, [tail, 1 - tail])))
        for name, scores in values.items()
        if scores
    }


class StatisticsTable:
    """Statistics as a matrix: documents by tallies (hits, then totals).

    Args:
        statistics: one per document.
        names: the tallies to include; None for all that occur.
    """

    def __init__(
        self, statistics: Sequence[DocumentStatistics], names: Sequence[str] | None = None
    ) -> None:
        import numpy as np

        self.names = tuple(
            sorted({name for document in statistics for name in document.tallies})
            if names is None
            else names
        )
        nothing = Tally(0, 0)
        rows = [[d.tallies.get(name, nothing) for name in self.names] for d in statistics]
        self.matrix: NDArray[np.float64] = np.array(
            [[t.hits for t in row] + [t.total for t in row] for row in rows], dtype=np.float64
        )

    def sums(self, weights: NDArray[np.float64]) -> Iterator[dict[str, Tally]]:
        """Yield the sums for each row of ``weights`` (resamples by documents)."""
        return self.unpack(weights @ self.matrix)

    def unpack(self, rows: NDArray[np.float64]) -> Iterator[dict[str, Tally]]:
        """Yield the rows of such a matrix as sums by name."""
        width = len(self.names)
        for row in rows.tolist():
            yield {
                name: Tally(hits, total)
                for name, hits, total in zip(self.names, row[:width], row[width:], strict=True)
            }
