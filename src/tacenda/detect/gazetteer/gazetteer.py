"""The gazetteer: terms that say something about people, found in a text by one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...document import SemanticType, Span
from ...models.gazetteer import DEFAULT_GAZETTEER, load_terms
from .conditions import kind_of
from .groups import GROUPS
from .matching import Matcher
from .words import split


@dataclass(frozen=True, slots=True)
class Tag:
    """A term of the gazetteer in a text.

    Attributes:
        span: where it is.
        type: DEM or MISC.
        group: a key of `groups.GROUPS`.
        kind: how it is said, a key of `priors.PRIORS`; see `conditions`.
    """

    span: Span
    type: SemanticType
    group: str
    kind: str

    def __iter__(self) -> Iterator[object]:
        """Yield span, type and group, so that a tag can be unpacked."""
        return iter((self.span, self.type, self.group))


class Gazetteer:
    """Person-related terms by group (``explicit_risk_measures``, section 3.1).

    Args:
        terms: normalised terms of each group; an abbreviation in capitals.
    """

    def __init__(self, terms: Mapping[str, Iterable[str]]) -> None:
        self._matcher = Matcher(terms)

    @classmethod
    def load(cls, source: str | Path = DEFAULT_GAZETTEER) -> Gazetteer:
        """Return a shipped gazetteer by its name, or one from a folder.

        Raises:
            ModelError: if it is missing or damaged.
        """
        return cls(load_terms(source))

    def tag(self, text: str) -> list[Tag]:
        """Return the terms in ``text`` that speak of a person, in order, none overlapping another.

        Offsets are code points of ``text``. Takes time linear in its length.
        """
        words = split(text)
        tags = []
        for match in self._matcher.matches(words):
            end = words.starts[match.last] + len(words.words[match.last])
            span = words.folded.original(words.starts[match.first], end)
            kind = kind_of(text, span, words, match)
            if kind is not None:
                tags.append(Tag(span, GROUPS[match.group], match.group, kind))
        return tags
