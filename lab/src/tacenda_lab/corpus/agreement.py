"""Agreement of two markings of the same documents: by characters, spans, types and decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan

import numpy as np
from numpy.typing import NDArray

from tacenda.document import IdentifierType

from .documents import CorpusDocument, Mark

_Pairs = Sequence[tuple[CorpusDocument, CorpusDocument]]


def compare(pairs: _Pairs) -> dict[str, float | int]:
    """Figures of two markings.

    Args:
        pairs: the documents by their first and their second reader.

    Returns:
        Cohen's κ by characters that are letters or digits, of direct and of all masked ones; F1 of
        exact and of overlapping masked spans; shares of equal types and decisions where both mark.
    """
    both = [
        (mine, yours)
        for first, second in pairs
        for mine in first.marks
        for yours in second.marks
        if mine.type and yours.type and mine.span.overlaps(yours.span)
    ]
    masked = [(mine, yours) for mine, yours in both if mine.is_masked and yours.is_masked]
    return {
        "documents": len(pairs),
        "kappa direct": _kappa(pairs, lambda mark: mark.identifier is IdentifierType.DIRECT),
        "kappa masked": _kappa(pairs, lambda mark: mark.is_masked),
        "spans exact": _f1(pairs, lambda mine, yours: mine.span == yours.span),
        "spans overlapping": _f1(pairs, lambda mine, yours: mine.span.overlaps(yours.span)),
        "types equal": _share([mine.type is yours.type for mine, yours in masked]),
        "decisions equal": _share([mine.identifier is yours.identifier for mine, yours in both]),
    }


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else nan


def _characters(document: CorpusDocument, chosen: Callable[[Mark], bool]) -> NDArray[np.bool_]:
    """Whether each letter or digit of a text is in a chosen mark."""
    flags = np.zeros(len(document.text), np.bool_)
    for mark in document.marks:
        if chosen(mark):
            flags[mark.span.start : mark.span.end] = True
    return flags[np.array([character.isalnum() for character in document.text], np.bool_)]


def _kappa(pairs: _Pairs, chosen: Callable[[Mark], bool]) -> float:
    if not pairs:
        return nan
    first = np.concatenate([_characters(document, chosen) for document, _ in pairs])
    second = np.concatenate([_characters(document, chosen) for _, document in pairs])
    observed = float((first == second).mean())
    share, other = float(first.mean()), float(second.mean())
    expected = share * other + (1 - share) * (1 - other)
    return (observed - expected) / (1 - expected) if expected < 1 else nan


def _f1(pairs: _Pairs, agree: Callable[[Mark, Mark], bool]) -> float:
    hits = total = 0
    for first, second in pairs:
        mine = [mark for mark in first.marks if mark.is_masked]
        yours = [mark for mark in second.marks if mark.is_masked]
        total += len(mine) + len(yours)
        hits += sum(any(agree(mark, other) for other in yours) for mark in mine)
        hits += sum(any(agree(other, mark) for other in mine) for mark in yours)
    return hits / total if total else nan
