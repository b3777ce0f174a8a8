"""The gazetteer as a detector: terms with the probability that they must be masked."""

from __future__ import annotations

from ...document import Mention
from .gazetteer import Gazetteer
from .priors import PRIORS


class GazetteerDetector:
    """Finds attributes of people by a list of terms.

    Args:
        gazetteer: the terms; the shipped ones if None.
        least: mentions that are less probable to be masked than this are left out, in [0, 1].

    Raises:
        ValueError: if ``least`` is no probability.
        ModelError: if the shipped terms are missing or damaged.
    """

    def __init__(self, gazetteer: Gazetteer | None = None, least: float = 0.0) -> None:
        if not 0.0 <= least <= 1.0:
            raise ValueError(f"least is {least!r}; a probability in [0, 1] is needed.")
        self._gazetteer = Gazetteer.load() if gazetteer is None else gazetteer
        self._least = least

    def detect(self, text: str) -> tuple[Mention, ...]:
        """Return mentions in order of the text, none overlapping another.

        Each has the source ``gazetteer``, its kind, and the probability of `priors.PRIORS`; none
        is a direct identifier. Offsets are code points of ``text``. Linear in its length.
        """
        return tuple(
            Mention(tag.span, tag.type, PRIORS[tag.kind], 0.0, "gazetteer", tag.kind)
            for tag in self._gazetteer.tag(text)
            if PRIORS[tag.kind] >= self._least
        )
