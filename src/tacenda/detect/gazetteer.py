"""The groups of the gazetteer's terms and their semantic types.

A group holds the values of some Wikidata properties of people, listed in the recipe of the
gazetteer. DEM: an attribute of a person. MISC: another clue to their identity
(``explicit_risk_measures``, section 3.1). A term of several groups belongs to the first of them
here.
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


# Words that sources list as terms about people and that texts mean otherwise.
#
# The lists were drawn up from the terms that most unlabelled judgments and articles contain
# (documents of development splits left out), and extended after reading hits on training texts.


STOP_WORDS = word_list_of("gazetteer_stop_words")
"""Never a term when they stand alone."""

STOP_PHRASES = frozenset(shipped_table("word_lists")["gazetteer_stop_phrases"])
"""Never a term, although made of several words."""


# Gazetteer: text to terms about people, by a list of terms.


# The gazetteer: terms about people, found in a text by one pass.


@dataclass(frozen=True, slots=True)
class GazetteerTag:
    """A term of the gazetteer in a text.

    Attributes:
        span: place in the text.
        type: DEM or MISC.
        group: a key of ``GROUPS``.
        kind: a key of ``PRIORS``; see ``kind_of``.
    """

    span: Span
    type: SemanticType
    group: str
    kind: str

    def __iter__(self) -> Iterator[object]:
        """Yield span, type and group, for unpacking a tag."""
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

    def tag(self, text: str) -> list[GazetteerTag]:
        """Return the terms about people in ``text``, in order, none overlapping another.

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
    """Detector of attributes of people by a list of terms.

    Args:
        gazetteer: the terms; the shipped ones if None.
        minimum: minimum masking probability of a mention, in [0, 1]; others are left out.

    Raises:
        ValueError: if ``minimum`` is not a probability.
        ModelError: if the shipped terms are missing or damaged.
    """

    def __init__(self, gazetteer: Gazetteer | None = None, minimum: float = 0.0) -> None:
        if not 0.0 <= minimum <= 1.0:
            raise ValueError(f"minimum is {minimum!r}; it must be a probability in [0, 1].")
        self._gazetteer = Gazetteer.load() if gazetteer is None else gazetteer
        self._minimum = minimum

    def detect(self, text: str) -> tuple[Mention, ...]:
        """Return mentions in order of the text, none overlapping another.

        Each has the source ``gazetteer``, its kind, and the probability of ``PRIORS``; none is a
        direct identifier. Offsets are code points of ``text``. Linear in its length.
        """
        return tuple(
            Mention(tag.span, tag.type, PRIORS[tag.kind], 0.0, MentionSource.GAZETTEER, tag.kind)
            for tag in self._gazetteer.tag(text)
            if PRIORS[tag.kind] >= self._minimum
        )
