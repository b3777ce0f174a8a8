"""Mask with an earlier release in mind: no linker of ``person_file`` may join the new documents with it.

Each linker's threshold is the lowest similarity that at most one in a hundred pairs of different people reach, among the earlier
release and the new documents. Pairs of unknown people count as different. The search of ``anonymize`` masks each new
document until it is below every threshold with all earlier documents of its person, and of unknown people. The
masked document then counts as released for the documents after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...document import Document
from ...errors import InputError
from ...policy import Policy
from ..criteria.inference import ReleaseCase
from ..criteria.linkability import PairLinker
from ..criteria.person_file import FALSE_LINKS, linkers_of, pair_scores
from ..tokens import STOP_WORDS, TokenizedDocument, read_words
from .objective import VariantObjective
from .options import information_of_words, write
from .search import greedy, show
from .units import MaskUnit, mask_of, redact, word_units


@dataclass(frozen=True, slots=True)
class Unlinked:
    """A document to release after others.

    Attributes:
        reached: whether no linker joins it with an earlier document.
        text: the released text.
        n_masked: number of masked words.
        n_words: number of words in the document.
    """

    reached: bool
    text: str = field(repr=False)
    n_masked: int
    n_words: int


def linkers_with_thresholds(cases: Sequence[ReleaseCase]) -> list[tuple[PairLinker, float]]:
    """Return the linkers of all documents, each with its threshold, which is infinite if it joins nothing reliably."""
    return [(linker, _threshold(*pair_scores(linker, cases))) for linker in linkers_of(cases)]


def anonymize_after(
    earlier: Sequence[ReleaseCase],
    documents: Sequence[ReleaseCase],
    linkers: Sequence[tuple[PairLinker, float]],
) -> Iterator[Unlinked]:
    """Yield each document, masked until no linker joins it with earlier ones.

    Args:
        earlier: the documents released before.
        documents: the documents to release, in order.
        linkers: the linkers of both, with their thresholds; those with an infinite threshold are
            skipped.

    Raises:
        InputError: if all are skipped, since then nothing would check the documents.
    """
    linkers = [item for item in linkers if np.isfinite(item[1])]
    if not linkers:
        raise InputError(
            "no attacker has a threshold, so no document could be checked; release more documents together."
        )
    released = [(case.person, _features(linkers, case.document)) for case in earlier]
    for case in documents:
        # Documents of unknown people may be about the same person.
        rivals = [each for who, each in released if who in (case.person, "") or not case.person]
        result = _unlink(case.document, linkers, rivals)
        released.append((case.person, _features(linkers, replace(case.document, text=result.text))))
        yield result


_Linkers = Sequence[tuple[PairLinker, float]]
_Features = list[Any]


def _threshold(scores: NDArray[np.float64], same: NDArray[np.bool_]) -> float:
    """Return the lowest positive score that at most one, or one in a hundred, pairs of different people reach.

    Infinity if there is none.
    """
    strangers = np.sort(scores[~same])
    levels = np.unique(scores[scores > 0])
    n_reaching = len(strangers) - np.searchsorted(strangers, levels)
    allowed = levels[n_reaching <= max(1, FALSE_LINKS * len(strangers))]
    return float(np.min(allowed, initial=np.inf))


def _features(linkers: _Linkers, document: Document) -> _Features:
    return [linker.features(document) for linker, _ in linkers]


def _unlink(document: Document, linkers: _Linkers, rivals: Sequence[_Features]) -> Unlinked:
    words = read_words(document)
    units = word_units(words, excluded=frozenset())
    everyone = LinkObjective(words, units, linkers, rivals)
    mask = words.unmasked()
    # Most documents are joined with only a few; masking can join one with others, since vectors
    # have length one.
    chosen: set[int] = set()
    while further := everyone.joined(mask) - chosen:
        chosen |= further
        mask = _search(words, units, linkers, [rivals[n] for n in sorted(chosen)])
    text, _ = write(words, mask, Policy())
    return Unlinked(not everyone.joined(mask), text, int(mask.sum()), len(words))


def _search(
    words: TokenizedDocument,
    units: Sequence[MaskUnit],
    linkers: _Linkers,
    rivals: Sequence[_Features],
) -> NDArray[np.bool_]:
    """Return a small mask with which no linker joins the document with its rivals, [words]; it has stop words only if the others aren't enough."""
    objective = LinkObjective(words, units, linkers, rivals)
    lost = [information_of_words(words, unit.words) for unit in units]
    stop_words = [n for n, unit in enumerate(units) if words.keys[unit.words[0]] in STOP_WORDS]
    chosen = greedy(objective, lost, 1, masked=stop_words)
    chosen += greedy(objective, lost, 1, masked=chosen)
    return mask_of(units, show(objective, chosen, 1, lost).masked, len(words))


class LinkObjective(VariantObjective):
    """The objective of masking against linkers; see ``MaskingObjective``.

    Instead of log odds it uses how far links are above their thresholds, relative to these, summed
    over all links.

    Args:
        document: the document.
        units: the units that can be masked.
        linkers: the linkers with their thresholds.
        rivals: for each linker, the features of the documents that it must not be joined with.
    """

    def __init__(
        self,
        document: TokenizedDocument,
        units: Sequence[MaskUnit],
        linkers: _Linkers,
        rivals: Sequence[_Features],
    ) -> None:
        super().__init__(document, 0, units)
        self._linkers = linkers
        self._rivals = rivals
        self._links = np.zeros((0, 0))

    def gains(self, units: Sequence[int]) -> NDArray[np.float64]:
        """Return minus the total excess with each unit also masked, [units]."""
        return np.array([-float(self._excess(mask).sum()) for mask in self._masks_with(units)])

    def log_odds(self) -> float:
        """Return the total excess."""
        self._update()
        return float(self._links.sum())

    def hides(self, k: int) -> bool:
        """Return whether no linker joins the document with another."""
        self._update()
        return not self._links.any()

    def joined(self, mask: NDArray[np.bool_]) -> set[int]:
        """Return the indexes of documents that a linker joins it with under a mask, [words]."""
        return set(np.flatnonzero(self._excess(mask).any(axis=0)).tolist())

    def _refresh(self) -> None:
        self._links = self._excess(self._mask)

    def _excess(self, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return how far each link is above its threshold, plus a little; 0 if there is no link, [linkers, documents]."""
        features = _features(self._linkers, redact(self._document, mask).document)
        shares = np.array(
            [
                [linker.compare(features[n], rival[n]) / threshold for rival in self._rivals]
                for n, (linker, threshold) in enumerate(self._linkers)
            ]
        ).reshape(len(self._linkers), len(self._rivals))
        return np.where(shares >= 1, shares - 1 + _LINKED, 0.0)


_LINKED: Final = 0.1
"""What a link counts at its threshold, as a share of it: the step below is worth something too."""
