"""The groups of terms in the gazetteer, and their semantic types.

A group contains the values of certain Wikidata properties of people, listed in the gazetteer's
recipe. DEM is an attribute of a person, MISC another clue to their identity
(``explicit_risk_measures``, section 3.1). A term in several groups belongs to the first one here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..document import Mention, MentionSource, SemanticType, Span
from ..models.tables import DEFAULT_GAZETTEER, load_terms
from ..shipped import shipped_table
from ..text.word_lists import word_list_of
from .gazetteer_kinds import kind_of
from .gazetteer_terms import Matcher, split

_TABLE = shipped_table("gazetteer_priors")

GROUPS: dict[str, SemanticType] = {
    group: SemanticType(type)
    for type, groups in _TABLE["groups"].items()
    for group in groups.split()
}


PRIORS: dict[str, float] = _TABLE["priors"]
"""Probability that a mention of each kind must be masked."""


# Words that sources list as terms about people, but that usually mean something else in texts.
#
# The lists were compiled from the terms most frequent in unlabeled judgments and articles (without
# documents in development splits), and extended after reading hits in training texts.


STOP_WORDS = word_list_of("gazetteer_stop_words")
"""Never a term when they stand alone."""

STOP_PHRASES = frozenset(shipped_table("word_lists")["gazetteer_stop_phrases"])
"""Never a term, although made of several words."""


# The gazetteer finds terms about people in a text, using a list of terms.


# The gazetteer: terms about people, found in a text in one pass.


@dataclass(frozen=True, slots=True)
class GazetteerTag:
    """A term of the gazetteer found in a text.

    Attributes:
        span: its position in the text.
        type: DEM or MISC.
        group: a key of ``GROUPS``.
        kind: a key of ``PRIORS``; see ``kind_of``.
    """

    span: Span
    type: SemanticType
    group: str
    kind: str

    def __iter__(self) -> Iterator[object]:
        """Yield span, type and group, to unpack a tag."""
        return iter((self.span, self.type, self.group))


class Gazetteer:
    """Person-related terms by group (``explicit_risk_measures``, section 3.1).

    Args:
        terms: normalized terms by group; abbreviations are in capitals.
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

    def tag(self, text: str) -> list[GazetteerTag]:
        """Return the terms about people in ``text``, in order, without overlaps.

        Offsets are code points of ``text``. Takes time linear in its length.
        """
        words = split(text)
        tags = []
        for match in self._matcher.matches(words):
            end = words.starts[match.last] + len(words.words[match.last])
            span = words.folded.original(words.starts[match.first], end)
            kind = kind_of(text, span, words, match)
            if kind is not None:
                tags.append(GazetteerTag(span, GROUPS[match.group], match.group, kind))
        return tags


# The gazetteer as a detector: terms with the probability that they must be masked.


class GazetteerDetector:
    """Detects attributes of people with a list of terms.

    Args:
        gazetteer: the terms; None for the shipped ones.
        minimum: minimum masking probability, in [0, 1]; mentions below it are left out.

    Raises:
        ValueError: if ``minimum`` isn't a probability.
        ModelError: if the shipped terms are missing or damaged.
    """

    def __init__(self, gazetteer: Gazetteer | None = None, minimum: float = 0.0) -> None:
        if not 0.0 <= minimum <= 1.0:
            raise ValueError(f"minimum is {minimum!r}; it must be a probability in [0, 1].")
        self._gazetteer = Gazetteer.load() if gazetteer is None else gazetteer
        self._minimum = minimum

    def detect(self, text: str) -> tuple[Mention, ...]:
        """Return mentions in text order, without overlaps.

        Each has the source ``gazetteer``, its kind, and the probability from ``PRIORS``; none is a
        direct identifier. Offsets are code points of ``text``. Takes time linear in its length.
        """
        return tuple(
            Mention(tag.span, tag.type, PRIORS[tag.kind], 0.0, MentionSource.GAZETTEER, tag.kind)
            for tag in self._gazetteer.tag(text)
            if PRIORS[tag.kind] >= self._minimum
        )
