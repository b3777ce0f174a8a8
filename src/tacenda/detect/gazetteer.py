"""The groups of the gazetteer's terms and their semantic types.

A group holds the values of some Wikidata properties of people, listed in the recipe of the
gazetteer. DEM: an attribute of a person. MISC: another clue to their identity
(``explicit_risk_measures``, section 3.1). A term of several groups belongs to the first of them
here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..document import Mention, MentionSource, SemanticType, Span
from ..models.tables import DEFAULT_GAZETTEER, load_terms
from ..text.folding import NormalizedText, normalize
from ..text.shipped import shipped_table
from ..text.word_lists import word_list_of

_TABLE = shipped_table("gazetteer_priors")

GROUPS: dict[str, SemanticType] = {
    group: SemanticType(type)
    for type, groups in _TABLE["groups"].items()
    for group in groups.split()
}


PRIORS: dict[str, float] = _TABLE["priors"]
"""How probable it is that a mention of each kind must be masked."""


# Words that sources list as terms about people and that texts mean otherwise.
#
# The lists were drawn up from the terms that most unlabelled judgments and articles contain
# (documents of development splits left out), and extended after reading hits on training texts.


STOP_WORDS = word_list_of("gazetteer_stop_words")
"""Never a term when they stand alone."""

COMMON = word_list_of("gazetteer_common")
"""Terms of a judgment or an article about anybody: they count only where one person is said to be it."""

STOP_PHRASES = frozenset(
    (
        *("a civil action", "acting for", "all in all", "at large", "criminal offence"),
        *("federal minister", "forty five", "have not", "human rights", "in law", "in memory of"),
        *("injured party", "legal representative", "medical care", "medical examination"),
        *("medical treatment", "no one", "police officer", "president of the court"),
        *("presiding judge", "public health", "public prosecutor", "r v", "regulatory offence"),
        *("the assumption", "the help", "the letter", "third party", "to go", "trial judge"),
        *("university president",),
    )
)
"""Never a term, although made of several words."""


# Gazetteer: text to terms about people, by a list of terms.


# A text as normalised words: how terms are written in the gazetteer, and how texts are read.


_WORD = re.compile(r"[^\W_]+")
_JOINTS = frozenset({" ", "-", "'"})
_IRREGULAR = {
    "children": "child",
    "wives": "wife",
    "women": "woman",
    "men": "man",
    "people": "person",
    "thieves": "thief",
    "gypsies": "gypsy",
}


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of a text, folded (see `folding.fold`), and where they are.

    Attributes:
        words: runs of letters and digits.
        starts: first code point of each in the folded text.
        folded: the folded text, with its alignment to the original.
    """

    words: list[str]
    starts: list[int]
    folded: NormalizedText

    def joined(self, index: int) -> bool:
        """Return whether word ``index`` and the one before it can be of one term."""
        end = self.starts[index - 1] + len(self.words[index - 1])
        return self.folded.text[end : self.starts[index]] in _JOINTS


def split(text: str) -> Words:
    """Return the words of ``text``; linear in its length."""
    folded = normalize(text)
    return Words(
        _WORD.findall(folded.text),
        [match.start() for match in _WORD.finditer(folded.text)],
        folded,
    )


def normalise(term: str) -> str:
    """Return the words of a term with one space between them; empty if it has none."""
    return " ".join(_WORD.findall(normalize(term).text))


def singular(word: str) -> str:
    """Return the singular of a plural noun; the word itself if it does not look like one."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith(("s", "men")):
        return word
    if word.endswith("men"):
        return word[:-2] + "an"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


# Find the longest terms among the words of a text, in one pass.


@dataclass(frozen=True, slots=True)
class Match:
    """Words ``[first, last]`` of a text are a term.

    Attributes:
        first: index of the first word.
        last: index of the last word.
        group: the group of the term.
        abbreviation: the term counts only where the text has it in capitals.
    """

    first: int
    last: int
    group: str
    abbreviation: bool = False


class Matcher:
    """Matcher of terms, with all beginnings of terms for reading on.

    Args:
        terms: normalised terms of each group; an abbreviation in capitals.
    """

    def __init__(self, terms: Mapping[str, Iterable[str]]) -> None:
        self._groups: dict[str, str] = {}
        self._abbreviations: dict[str, str] = {}
        self._beginnings: set[str] = set()
        self._seconds: dict[str, set[str]] = {}  # second words of longer terms, by the first
        for group, members in terms.items():
            for term in members:
                if term.isupper():
                    self._abbreviations[normalise(term)] = group
                else:
                    self._add(term, group)

    def _add(self, term: str, group: str) -> None:
        self._groups[term] = group
        end = term.rfind(" ")
        if end < 0:
            return
        first, second, *_ = term.split(" ", 2)
        self._seconds.setdefault(first, set()).add(second)
        while end > 0 and (beginning := term[:end]) not in self._beginnings:
            self._beginnings.add(beginning)
            end = beginning.rfind(" ")

    def matches(self, text: Words) -> Iterator[Match]:
        """Yield the terms in order, none overlapping another; the longest from the left.

        The last word of a term may be a plural. Takes time linear in the number of words.
        """
        # Properties of a word are computed once, not at each of its places.
        singulars = {word: singular(word) for word in set(text.words)}
        terms = {word for word, stem in singulars.items() if self._is_term(word, stem)}
        seconds = {word: self._seconds[word] for word in singulars if word in self._seconds}
        free = 0
        following = iter(text.words)
        next(following, "")
        for index, word in enumerate(text.words):
            after = next(following, "")
            if word not in terms and (
                (successors := seconds.get(word)) is None
                or (after not in successors and singulars.get(after) not in successors)
            ):
                continue
            if index >= free and (match := self._longest_at(text, index, singulars)) is not None:
                yield match
                free = match.last + 1

    def _is_term(self, word: str, stem: str) -> bool:
        return word in self._groups or stem in self._groups or word in self._abbreviations

    def _longest_at(self, text: Words, first: int, singulars: Mapping[str, str]) -> Match | None:
        words = text.words
        match = None
        beginning = words[first]
        last = first
        while True:
            group = self._groups.get(beginning)
            if group is None and (stem := singulars[words[last]]) != words[last]:
                group = self._groups.get(beginning[: len(beginning) - len(words[last])] + stem)
            if group is not None:
                match = Match(first, last, group)
            last += 1
            if beginning not in self._beginnings or last == len(words) or not text.joined(last):
                break
            beginning = f"{beginning} {words[last]}"
        if match is None and (group := self._abbreviations.get(words[first])) is not None:
            match = Match(first, first, group, abbreviation=True)
        return match


# The kind of a match by its neighbours: whether it is about a person, and how.
#
# | a match | is |
# |---|---|
# | an abbreviation not in capitals in the text; a part of a capitalised name; a capitalised word for people (the President); a title without capitals | nothing |
# | a word for people said of somebody: as a nurse, is an engineer, was a judge | ``person_said`` |
# | a common word for people otherwise (`COMMON`) | nothing |
# | a nationality before "national", "citizen": a formula of every judgment about its applicant | ``nationality_of_person`` |
# | a nationality before "court", "law", "Government" and the like | ``nationality_of_state`` |
# | anything else | its group |


_PEOPLE = frozenset(
    {"occupation", "position", "military_rank", "sport_position", "social_status", "title"}
)
_NATIONS = frozenset({"nationality", "ethnic_group"})
_PROPER = frozenset(
    {"nationality", "ethnic_group", "religion", "ideology", "language", "award", "event"}
    | {"work", "degree", "movement", "treatment"}
)
_WIDELY_HELD = frozenset({"national", "nationals", "citizen", "citizens", "nationality"})
_STATE = frozenset(
    """administrative ambassador armed army authorities authority civil code commercial communities
    community constitution constitutional court courts criminal crown currency delegation embassy
    euro federal forces francs government institutions judicial kroner kronor law laws legislation
    legislature lira liras mark marks ministry national parliament penal police postal republic
    schillings state supreme territory zloty zlotys""".split()
)
_BEFORE_ARTICLE = frozenset("as is was were be been being became become".split())
_SENTENCE_START = re.compile(r"(?:^|[.:;!?\n\"“”(])\s*$")
_WORD_BEFORE = re.compile(r"([^\W_]+)[ \-]$")
_WORD_AFTER = re.compile(r"[ \-]([^\W_]+)")
_REACH = 40  # characters that are looked at on either side


def kind_of(text: str, span: Span, words: Words, match: Match) -> str | None:
    """Return the kind of mention that a match is, or None if it is none.

    Args:
        text: the original.
        span: the match in it.
        words: the words of the text.
        match: the match among them.
    """
    string = span.of(text)
    if match.abbreviation:
        return match.group if string.isupper() else None
    if match.group == "work":
        return match.group if sum(map(str.isupper, string)) >= 2 else None
    before = text[max(0, span.start - _REACH) : span.start]
    capitalised = _capital(string) and not _SENTENCE_START.search(before)
    if _in_name(string, capitalised, before, text[span.end : span.end + _REACH]):
        return None
    single = match.first == match.last
    if capitalised and single and match.group not in _PROPER:
        return None
    word = words.words[match.first]
    common = single and (word in COMMON or singular(word) in COMMON)
    if match.group in _PEOPLE and _said(words, match.first):
        return "person_said"
    if common:
        return None
    return _nation(words, match) if match.group in _NATIONS else match.group


def _in_name(string: str, capitalised: bool, before: str, after: str) -> bool:
    """Return whether a capitalised word beside the match belongs to one name with it."""
    following = _WORD_AFTER.match(after)
    if following and _capital(following[1]) and _capital(string):
        return True
    preceding = _WORD_BEFORE.search(before)
    return bool(
        capitalised
        and preceding
        and _capital(preceding[1])
        and not _SENTENCE_START.search(before[: preceding.start()])
    )


def _capital(word: str) -> bool:
    """Return whether a word is written as in a name; one all in capitals may be a heading."""
    return word[0].isupper() and not word.isupper()


def _said(words: Words, first: int) -> bool:
    """Return whether "as a" or "was a" stands before word ``first``."""
    return (
        first >= 2
        and words.words[first - 1] in ("a", "an")
        and words.words[first - 2] in _BEFORE_ARTICLE
        and words.joined(first)
        and words.joined(first - 1)
    )


def _nation(words: Words, match: Match) -> str:
    following = match.last + 1
    if following < len(words.words) and words.joined(following):
        if words.words[following] in _WIDELY_HELD:
            return "nationality_of_person"
        if words.words[following] in _STATE:
            return "nationality_of_state"
    return match.group


# The gazetteer: terms about people, found in a text by one pass.


@dataclass(frozen=True, slots=True)
class Tag:
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

    def tag(self, text: str) -> list[Tag]:
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
                tags.append(Tag(span, GROUPS[match.group], match.group, kind))
        return tags


# The gazetteer as a detector: terms with the probability that they must be masked.


class GazetteerDetector:
    """Detector of attributes of people by a list of terms.

    Args:
        gazetteer: the terms; the shipped ones if None.
        minimum: minimum masking probability of a mention, in [0, 1]; others are left out.

    Raises:
        ValueError: if ``minimum`` is no probability.
        ModelError: if the shipped terms are missing or damaged.
    """

    def __init__(self, gazetteer: Gazetteer | None = None, minimum: float = 0.0) -> None:
        if not 0.0 <= minimum <= 1.0:
            raise ValueError(f"minimum is {minimum!r}; a probability in [0, 1] is needed.")
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
