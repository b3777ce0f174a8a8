"""The pattern detector: what can be found in a text by its form alone, without learning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...document import Mention, Span
from ...text.passages import Passages
from .families import families
from .folding import fold
from .hit import Hit
from .overlaps import settle
from .phones import DEFAULT_REGIONS
from .priors import PRIORS


class PatternDetector:
    """Finds contacts, numbers, dates, amounts, addresses and positions by their form.

    Args:
        regions: ISO 3166 codes, in upper case, of the regions whose national telephone numbers
            are recognised; international numbers always are.
    """

    def __init__(self, regions: Sequence[str] = DEFAULT_REGIONS) -> None:
        self._families = families(regions)

    def detect(self, text: str) -> tuple[Mention, ...]:
        """Return mentions in order of the text, none overlapping another.

        Each has the source ``pattern``, the name of its kind, and the probabilities of
        `priors.PRIORS`. Offsets are code points of ``text``. Takes time linear in its length.
        """
        folded = _unwrapped(fold(text), text)
        return tuple(_mention(hit) for hit in settle(folded, self._hits(folded)))

    def _hits(self, folded: str) -> Iterator[Hit]:
        for find in self._families:
            yield from find(folded)


def _unwrapped(folded: str, text: str) -> str:
    """The folded text with a blank for each line end that only wraps a line."""
    if "\n" not in text:
        return folded
    passages = Passages.of(text)
    parts: list[str] = []
    position = 0
    for start, end, wraps in zip(passages.starts, passages.ends, passages.wraps, strict=True):
        if wraps:
            parts += (folded[position:start], " " * (end - start))
            position = end
    return "".join((*parts, folded[position:]))


def _mention(hit: Hit) -> Mention:
    prior = PRIORS[hit.kind]
    span = Span(hit.start, hit.end)
    return Mention(span, prior.type, prior.masking, prior.direct, "pattern", hit.kind)
