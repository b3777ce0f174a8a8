"""What an adversary would type for an entity: its fullest strings, without titles and articles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...document import Document, Entity, SemanticType
from ...queries import Part
from ...text.folding import fold_text
from ...text.names import without_possessive
from ...text.tokens import word_list
from ...text.word_lists import TITLES

_ARTICLES = frozenset(("the", "a", "an"))
_MOST = 3
# How telling a type is before anything was asked.
_TELLING = tuple("CODE PERSON MISC ORG QUANTITY DATETIME LOC DEM".split())


def phrases_of(document: Document, entity: Entity) -> Part:
    """Return what to ask for an entity: up to three strings, the longest first; () if none has a word.

    A string that another one holds is left out: whoever sees both asks for the longer.
    """
    strings = (mention.span.of(document.text) for mention in entity.mentions)
    return _fullest(_bare(string, entity.type) for string in strings)


def phrases_of_names(names: Iterable[str]) -> tuple[Part, ...]:
    """Return what to ask for each person to protect."""
    parts = (_fullest([_bare(name, SemanticType.PERSON)]) for name in names)
    return tuple(dict.fromkeys(filter(None, parts)))


def people_of(document: Document, entities: Sequence[Entity]) -> tuple[Part, ...]:
    """Return what to ask for everybody in the document: all people with more than one name."""
    people = (phrases_of(document, e) for e in entities if e.type is SemanticType.PERSON)
    return tuple(dict.fromkeys(part for part in people if part and " " in part[0]))


def telling(entity: Entity, part: Part) -> tuple[int, int]:
    """Return a sort key for entities nothing was asked about yet, the most telling lowest."""
    return (_TELLING.index(entity.type), -len(part[0]))


def _bare(string: str, type: SemanticType) -> str:
    tokens = string.split()
    leading = TITLES if type is SemanticType.PERSON else _ARTICLES
    while len(tokens) > 1 and fold_text(tokens[0]).rstrip(".,") in leading:
        tokens.pop(0)
    bare = " ".join(tokens)
    possessive = len(bare) - len(without_possessive(bare.replace("’", "'")))
    return bare[: len(bare) - possessive]


def _fullest(strings: Iterable[str]) -> Part:
    by_words = {tuple(word_list(string)): string for string in strings}
    by_words.pop((), None)
    kept: list[tuple[str, ...]] = []
    for candidate in sorted(by_words, key=lambda words: (-len(" ".join(words)), words)):
        if not any(_holds(longer, candidate) for longer in kept):
            kept.append(candidate)
    return tuple(by_words[words] for words in kept[:_MOST])


def _holds(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    size = len(shorter)
    return any(longer[start : start + size] == shorter for start in range(len(longer) - size + 1))
