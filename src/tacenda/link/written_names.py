"""People's names in all the ways texts write them, split into parts for comparison.

| written | given names and initials | surnames |
|---|---|---|
| ``Anna Maria Berg`` | anna maria | berg |
| ``Berg, Anna``, ``BERG Anna``, ``BERG/ANNA MRS`` | anna | berg |
| ``García Márquez, Josefina`` | josefina | garcia marquez |
| ``Yusuf ibn Ibrahim al-Rashid`` | yusuf ibrahim | rashid |
| ``Abu Hamza`` | | abu-hamza |
| ``Anna+Berg``, ``Anna%20Berg`` | anna | berg |
| ``@anna.berg``, ``anna_b77`` | anna; anna | berg; b |
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..text.given_names import gender_by_names
from ..text.names import GIVEN_WHEN_FIRST, is_initial, letters_of, parse_name
from ..text.normal_form import mention_key
from ..text.word_lists import (
    FEMININE,
    FORMS_OF_ADDRESS,
    MASCULINE,
    PARTICLES,
    SUFFIXES,
    ordered_words,
    word_list_of,
)

_MASCULINE = MASCULINE | word_list_of("called_of_men")
_FEMININE = FEMININE | word_list_of("called_of_women")
_PROFESSIONS = frozenset("dr dra doctor prof professor judge justice".split())
_WITH_GIVEN_NAME = word_list_of("written_names_with_given_name")
_ARTICLES = frozenset("la el le o a der die".split())
_PARTICLES = PARTICLES | {"bint", "vom", "dalla"}
_PARENT = frozenset(("abu", "abou", "umm", "um", "oum"))
_USER_NAME = re.compile(
    r"@\S+|u/\S+|\S*[^\W\d_]\S*[_\d]\S*|[a-z]{2,}\.[a-z]{2,}\S*|[a-z]\.[a-z]{3,}"
)
_GENERATION = re.compile(
    r",?\s(?:(?P<first>the elder|sn?r|sen|senior)|(?P<second>the younger|jn?r|jun|junior)|(?P<number>i{2,3}|iv))\.?(?:['’]s?)?\Z",
    re.IGNORECASE,
)
_RANKS = {word: rank.split(",")[0] for rank in ordered_words("ranks") for word in rank.split(",")}
_SEPARATORS = re.compile(r"[._\-\d@/+]+")
_SLASH = re.compile(r"([^/,]+)/([^/,]+)")
_WORD = re.compile(r"[^\W\d_]+")
_DIVISION = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010][^\S\n\f]*[\n\f]\s*(?=[^\W\d_])(?![A-Z])")
_ENCODED_GAP = re.compile(r"(?<=[^\W\d_])(?:\+|%(?:25){0,3}20)(?=[^\W\d_])")
_CAPITALS = re.compile(r"[A-Z]{2,3}")
_BEFORE_CAPITALS = FORMS_OF_ADDRESS | _PARTICLES | _ARTICLES | _PARENT
_MARKS = " .,;:!?<>()[]\"'*|-–—"
_LONGEST_USER_NAME = 40


@dataclass(frozen=True, slots=True, repr=False)
class WrittenName:
    """A folded name for comparison.

    Attributes:
        tokens: given names, then surnames; an initial is one letter; no titles, no particles.
        surnames: index of the first surname among the tokens.
        title: gender that a title shows, ``m`` or ``f``, or empty.
        profession: whether it has a professional title such as ``Dr``.
        rank: police or military rank in the title; may be empty.
        generation: ``first`` or ``second`` among people who share the name, or its number.
        relation: gender that a relation shows, such as ``his wife``.
        partner: whether it takes its surname from the name beside it, as in ``Tom and Ada Berg``.
        rather_given: whether its title usually precedes a given name, as in ``Aunt Anna``.
        couple: whether it names two people at once.
        user_name: whether it has the form of a user name.
        capitals: whether it is two or three capital letters, which may be initials.
    """

    tokens: tuple[str, ...]
    surnames: int
    title: str = ""
    profession: bool = False
    rank: str = ""
    generation: str = ""
    relation: str = ""
    partner: bool = False
    rather_given: bool = False
    couple: bool = False
    user_name: bool = False
    capitals: bool = False

    @property
    def only_initials(self) -> bool:
        """Whether every token is an initial."""
        return all(len(token) == 1 for token in self.tokens)

    @property
    def is_single(self) -> bool:
        """Whether it is a single whole name, given name or surname."""
        return len(self.tokens) == 1 and not self.only_initials

    @property
    def is_whole(self) -> bool:
        """Whether both a given name and a surname are written out."""
        return len(self.tokens) > 1 and len(self.tokens[0]) > 1 and len(self.tokens[-1]) > 1

    @property
    def social_gender(self) -> str:
        """Gender by title or relation; may be empty."""
        return self.title or self.relation

    @property
    def gender(self) -> str:
        """Gender by title or relation, else by the given names; may be empty."""
        return self.social_gender or ("" if self.is_single else gender_by_names(self.tokens))

    @property
    def initials(self) -> str:
        """One letter per name."""
        return "".join(token[0] for token in self.tokens)


def read_name(surface: str) -> WrittenName | None:
    """Return the parts of a name as written in a text, or None if it can't be split."""
    surface = _ENCODED_GAP.sub(" ", _DIVISION.sub("", surface))
    generation = _GENERATION.search(surface)
    if generation:
        surface = surface[: generation.start()]
    key = mention_key(surface)
    if len(surface) <= _LONGEST_USER_NAME and _USER_NAME.fullmatch(surface):
        return _user_name(key)
    core = _core(surface)
    if core != surface:
        surface, key = core, mention_key(core)
    reading, rest = _without_titles(_with_kunya(_in_order(surface, key).split()))
    head, comma, tail = " ".join(rest).partition(", ")
    if comma and _is_surname_first(tail):
        titles, given_names = _without_titles(tail.split())
        name = parse_name(" ".join((*given_names, head)))
        first = len(_parts(given_names))
        reading = replace(reading, title=reading.title or titles.title)
    else:
        name = parse_name(" ".join(rest) if not comma else head)
        first = -1
    if name is None:
        return None
    tokens = _parts([*name.given, name.surname] if name.surname else name.tokens)
    if not tokens:
        return None
    return replace(
        reading,
        tokens=tokens,
        surnames=first if 0 < first < len(tokens) else len(tokens) - 1,
        title="" if name.couple else reading.title or name.gender,
        generation=_generation(generation),
        couple=name.couple,
        capitals=_CAPITALS.fullmatch(surface) is not None,
    )


def _generation(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    return match["number"].casefold() if match["number"] else match.lastgroup or ""


def _core(surface: str) -> str:
    """Strip marks and small words that were mistaken for parts of the name."""
    words = surface.split()
    places = [place for place, word in enumerate(words) if word != word.lower()]
    if not places:
        return surface
    first, last = places[0], places[-1]
    while first and words[first - 1].rstrip(".") in _BEFORE_CAPITALS:
        first -= 1
    if first == 0 and last == len(words) - 1 and surface.strip(_MARKS) == surface:
        return surface
    return " ".join(words[first : last + 1]).strip(_MARKS)


def _user_name(key: str) -> WrittenName | None:
    parts = tuple(part for part in _SEPARATORS.split(key.removeprefix("u/")) if part)
    # R1 is a list marker.
    if sum(map(len, parts)) < 2:
        return None
    return WrittenName(parts, len(parts) - 1, user_name=True)


def _in_order(surface: str, key: str) -> str:
    """Return the key with a comma after a surname that is set off by a slash or capitals."""
    slash = _SLASH.fullmatch(key)
    if slash is not None:
        *rest, last = slash[2].split()
        names = [last, *rest] if rest and last in FORMS_OF_ADDRESS else [*rest, last]
        return f"{slash[1]}, {' '.join(names)}"
    words = surface.split()
    capitals = [len(word) > 1 and word.isupper() and is_initial(word) is False for word in words]
    count = capitals.index(False) if False in capitals else 0
    if 0 < count < len(words) and not any(capitals[count:]) and "," not in key:
        folded = key.split()
        if len(folded) == len(words) and not any(
            word.rstrip(".") in FORMS_OF_ADDRESS for word in folded
        ):
            return f"{' '.join(folded[:count])}, {' '.join(folded[count:])}"
    return key


def _with_kunya(words: list[str]) -> list[str]:
    """Join ``abu hamza`` into one word."""
    names: list[str] = []
    for word in words:
        if names and names[-1] in _PARENT:
            names[-1] = f"{names[-1]}-{word}"
        else:
            names.append(word)
    return names


def _without_titles(words: list[str]) -> tuple[WrittenName, list[str]]:
    """Return the titles, as a name without tokens, and the words after them."""
    reading = WrittenName((), 0)
    first = 0
    if len(words) > 2 and words[0] in _ARTICLES and words[1].rstrip(".") in FORMS_OF_ADDRESS:
        first = 1
    while first < len(words) - 1:
        word = words[first].rstrip(".,")
        if word not in FORMS_OF_ADDRESS or words[first + 1] in ("and", "&"):
            break
        gender = "m" if word in _MASCULINE else "f" if word in _FEMININE else ""
        reading = replace(
            reading,
            title=reading.title or gender,
            profession=reading.profession or word in _PROFESSIONS,
            rank=reading.rank or _RANKS.get(word, ""),
            rather_given=reading.rather_given or word in _WITH_GIVEN_NAME,
        )
        first += 1
    return reading, words[first:]


def _is_surname_first(right: str) -> bool:
    words = _WORD.findall(right)
    return any(word not in FORMS_OF_ADDRESS and word not in SUFFIXES for word in words)


def _parts(names: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Split into names: drop particles, articles and apostrophes, and separate initials."""
    tokens: list[str] = []
    for name in names:
        if is_initial(name):
            tokens += letters_of(name)
            continue
        article, hyphen, rest = name.partition("-")
        bare = rest if hyphen and article in _PARTICLES and rest else name
        bare = bare.replace("'", "").strip('.,;()"')
        is_given = not tokens and bare in GIVEN_WHEN_FIRST
        if bare and (bare not in _PARTICLES or len(names) == 1 or is_given):
            tokens.append(bare)
    return tuple(tokens)
