"""Masked words to spans: neighbours are one mask, so that how many words there were doesn't leak.

Morris et al. (2022), section 10: "Chicago Black Hawks" as three masks excludes all teams of two
words. Words with no word between them are neighbours, unless a line or a sentence ends there.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...document import Span
from ..words import WordedDocument

_APART = re.compile(r"[\n!?;*\[\]]|\w")


def joined(document: WordedDocument, mask: NDArray[np.bool_]) -> tuple[Span, ...]:
    """Return the spans to suppress, in order, for masked words, [words]."""
    spans: list[Span] = []
    before = -2
    for place in np.flatnonzero(mask):
        span = document.spans[place]
        if place == before + 1 and not _APART.search(
            document.document.text, spans[-1].end, span.start
        ):
            spans[-1] = Span(spans[-1].start, span.end)
        else:
            spans.append(span)
        before = int(place)
    return tuple(spans)
