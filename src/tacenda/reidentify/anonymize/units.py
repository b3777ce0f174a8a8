"""Units of masking: all occurrences of a word, or all mentions of an entity."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...document import Entity, Span
from ...rewrite.edits import MASK
from ..tokens import STOP_WORDS, TokenizedDocument, adjoins


@dataclass(frozen=True, slots=True)
class MaskUnit:
    """Words of a document that are masked together.

    Attributes:
        words: their indexes, at least one.
        entity: id of their entity; empty if none.
    """

    words: tuple[int, ...]
    entity: str = ""


def word_units(
    document: TokenizedDocument, *, excluded: Set[str] = STOP_WORDS
) -> tuple[MaskUnit, ...]:
    """Return one unit per distinct word, except excluded ones.

    A word is hidden only if all its occurrences are masked.
    """
    places: dict[str, list[int]] = {}
    for place, key in enumerate(document.keys):
        if key not in excluded:
            places.setdefault(key, []).append(place)
    return tuple(MaskUnit(tuple(indices)) for indices in places.values())


def entity_units(document: TokenizedDocument, entities: Sequence[Entity]) -> tuple[MaskUnit, ...]:
    """Return one unit per entity that has words: the words of all its mentions.

    A word in two mentions belongs to the first of the entities.
    """
    cover = document.unmasked()
    units = []
    for entity in entities:
        inside = document.masked([mention.span for mention in entity.mentions])
        indices = np.flatnonzero(inside & ~cover)
        cover |= inside
        if len(indices):
            units.append(MaskUnit(tuple(int(place) for place in indices), entity.id))
    return tuple(units)


def with_unit_of(units: Sequence[MaskUnit], words: Sequence[int]) -> tuple[MaskUnit, ...]:
    """Return the units without these words, followed by one unit with these words."""
    apart = frozenset(words)
    rest = (replace(unit, words=tuple(n for n in unit.words if n not in apart)) for unit in units)
    return (*(unit for unit in rest if unit.words), MaskUnit(tuple(words)))


def mask_of(units: Sequence[MaskUnit], indices: Sequence[int], n_words: int) -> NDArray[np.bool_]:
    """Return the mask that covers units, [words]."""
    mask = np.zeros(n_words, dtype=bool)
    for number in indices:
        mask[list(units[number].words)] = True
    return mask


def masked_spans(document: TokenizedDocument, mask: NDArray[np.bool_]) -> tuple[Span, ...]:
    """Return the spans to suppress, in order, for masked words, [words]; see ``adjoins``."""
    spans: list[Span] = []
    before = -2
    for place in np.flatnonzero(mask):
        span = document.spans[place]
        if place == before + 1 and adjoins(document, int(place)):
            spans[-1] = Span(spans[-1].start, span.end)
        else:
            spans.append(span)
        before = int(place)
    return tuple(spans)


def redact(document: TokenizedDocument, mask: NDArray[np.bool_]) -> TokenizedDocument:
    """Return a document as released, with ``***`` in place of masked words, [words].

    Its words are those that are left, in order.
    """
    text = document.document.text
    parts: list[str] = []
    starts: list[int] = []  # starts of the parts between masks, in the text and in the release
    shifts: list[int] = []
    end = length = 0
    for span in (*masked_spans(document, mask), Span(len(text), len(text) + 1)):
        starts.append(end)
        shifts.append(length - end)
        parts += [text[end : span.start], MASK]
        length += span.start - end + len(MASK)
        end = span.end
    indices = np.flatnonzero(~mask)
    spans = []
    for place in indices:
        word = document.spans[place]
        shift = shifts[bisect_right(starts, word.start) - 1]
        spans.append(Span(word.start + shift, word.end + shift))
    return TokenizedDocument(
        replace(document.document, text="".join(parts[:-1])),
        tuple(spans),
        tuple(document.keys[place] for place in indices),
    )
