"""Recognizes the same person in several documents by their names alone.

Names in different documents belong to one person if no other name in any document leaves a doubt:

| names | the same person? |
|---|---|
| ``Galip Yalman``, ``Mr Galip Yalman``, ``Yalman, Galip`` | yes: equal names |
| ``Liz Marchetti`` and ``Elizabeth Marchetti``; ``Ana Berg`` and ``Ana Lucía Berg`` | yes, if all names that the shorter one fits belong to one person |
| ``Mr Yalman``, ``G. Yalman`` and ``Galip Yalman`` | yes, on the same condition |
| ``Mr Yalman`` if there are ``Galip Yalman`` and ``Ali Yalman`` | no: a separate person in each document |
| ``Mr Smith`` and ``Mrs Smith``; ``John Smith`` and ``John Smith Jr.`` | never |
| ``Jan Kowalski`` and ``Kowalskiego``; ``Maria Zaręba`` and ``Zarębę`` | yes, if no one's name is so in the nominative |
| ``Mr Yalman`` and ``Yalman``, if no document has a given name | yes |
| ``Galip``, ``GY`` | no: a given name or initials alone are separate in each document |

Names within one document are linked by ``people``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from ..document import Document, Entity, Mention, SemanticType
from ..models.text_language import language_of
from ..text.given_names import is_common_given_name
from ..text.normal_form import fold_text, mention_key
from ..text.word_lists import FORMS_OF_ADDRESS, NEVER, PARTICLES, is_ordinary
from .names import NamedString
from .people import read_names
from .people_candidates import agrees
from .people_index import with_parts
from .written_names import WrittenName, read_name

_WORD = r"[^\W\d_a-z](?:[^\W\d_]|['’-](?=[^\W\d_]))*"
_INITIAL = r"(?:[^\W\d_a-z]\.)+|(?:Mr|Mrs|Ms|Dr|Prof|St)\."
_RUN = re.compile(
    rf"(?<![\w'’-])(?:{_INITIAL}|{_WORD})"
    rf"(?:[ \u00a0]?\n?[ \u00a0]?(?:(?:{'|'.join(sorted(PARTICLES))})[ \u00a0])?(?:{_INITIAL}|{_WORD}))+"
)
_INVERTED = re.compile(rf"(?<![\w'’-])({_WORD}), ({_WORD})")
_LONGEST_NAME = 5
_STEM = 3
"""Letters that a surname has in all its cases."""
_MOST_NAMES = 64
"""Names that are compared with one another; of more, none is taken for another."""


class NamesAcross:
    """The names in several documents, to tell whether a name means the same person in each.

    Args:
        texts: the texts of all documents.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_surname: dict[str, set[WrittenName]] = defaultdict(set)
        self._given: set[str] = set()
        self._titles: dict[str, set[str]] = defaultdict(set)
        self._ranks: dict[str, set[str]] = defaultdict(set)
        self._written: dict[str, set[str]] = defaultdict(set)
        for text in texts:
            for surface in set(_names_in(text)):
                self._add(surface)

    def _add(self, surface: str) -> None:
        name = _read(surface)
        if name is None or name.couple or name.user_name:
            return
        last = name.tokens[-1]
        if name.is_single:
            self._titles[last] |= {name.title} - {""}
            self._ranks[last] |= {name.rank} - {""}
        elif name.is_whole:
            self._given.add(name.tokens[0])
            if is_common_given_name(name.tokens[0]):
                self._written[name.tokens[-1][:_STEM]].add(surface.casefold())
            for part in {part for token in name.tokens[1:] for part in with_parts(token)}:
                self._by_surname[part].add(name)

    def keys(self, document: Document, entities: Sequence[Entity]) -> dict[str, str]:
        """Return the key of each person by entity id; a person has the same key in every document.

        It is empty for a person who can't be told apart from others in another document.

        Args:
            document: one of the documents.
            entities: all its entities.
        """
        people = [entity for entity in entities if entity.type is SemanticType.PERSON]
        owned = [
            (entity.id, NamedString(mention_key(surface), entity.type, (), (mention,)))
            for entity in people
            for surface, mention in _surfaces(document, entity).items()
        ]
        strings = [string for _, string in owned]
        # A name may be inflected here, and in the nominative in another document.
        stems = {word[:_STEM] for string in strings for word in fold_text(string.key).split()}
        others = set().union(*(self._written.get(stem, ()) for stem in stems))
        language = language_of(document)
        read = read_names(document.text, strings, range(len(strings)), language, others)
        names: dict[str, dict[str, WrittenName | None]] = {entity.id: {} for entity in people}
        for place, (id, string) in enumerate(owned):
            names[id][string.key] = read.get(place)
        return {id: self._key(of_person) for id, of_person in names.items()}

    def _key(self, names: Mapping[str, WrittenName | None]) -> str:
        """Return the key of the person with these names, or an empty string if it could be several people."""
        whole = [name for name in names.values() if name is not None and _is_whole(name)]
        if whole:
            return min(filter(None, map(self._of_whole, whole)), default="")
        keys = {
            key if name is None or name.couple or name.user_name else self._of_part(name)
            for key, name in names.items()
        }
        return min(keys - {""}, default="")

    def _of_whole(self, name: WrittenName) -> str:
        """Return the key of a full name: that of the fullest name that is certainly the same person's."""
        peers = self._peers(name)
        if not _are_one(peers):
            return ""
        group, new = {name, *peers}, list(peers)
        while new and len(group) <= _MOST_NAMES:
            new = [peer for each in new for peer in self._peers(each) if peer not in group]
            group.update(new)
        names = group if _are_one(list(group)) else {name}
        fullest = max(
            names, key=lambda one: (len(one.tokens), sum(map(len, one.tokens)), one.tokens)
        )
        title = fullest.title if len(names) == 1 and self._are_two(name) else ""
        return " ".join((*sorted(fullest.tokens), fullest.generation, title)).strip()

    def _are_two(self, name: WrittenName) -> bool:
        """Return whether a name belongs to both a man and a woman."""
        bearers = self._by_surname.get(name.tokens[-1], ())
        return len({peer.title for peer in bearers if peer.tokens == name.tokens} - {""}) > 1

    def _peers(self, name: WrittenName) -> list[WrittenName]:
        """Return the distinct names in the documents that may be another form of a full name."""
        parts = {part for token in name.tokens[1:] for part in with_parts(token)}
        peers = {peer for part in sorted(parts) for peer in self._by_surname.get(part, ())}
        return [peer for peer in peers if peer != name and _may_be_one(name, peer)]

    def _of_part(self, name: WrittenName) -> str:
        """Return the key of a surname, perhaps with initials: that of the only full name it fits."""
        last = name.tokens[-1]
        if len(last) == 1 or name.only_initials or name.capitals:
            return ""
        titles, ranks = self._titles[last], self._ranks[last]
        unclear = name.is_single and (
            (len(titles) > 1 and not name.title) or (len(ranks) > 1 and not name.rank)
        )
        fitting = [
            peer
            for peer in self._by_surname.get(last, ())
            if name.is_single or agrees(name.tokens, peer.tokens)
            if name.generation == peer.generation
        ]
        if name.title and len(titles) > 1:
            unclear |= any(not self._gender(peer) for peer in fitting)
        fitting = [
            peer for peer in fitting if self._gender(peer) in ("", name.title) or not name.title
        ]
        keys = {self._of_whole(peer) for peer in fitting}
        if unclear or len(keys) > 1:
            return ""
        if keys:
            return keys.pop()
        if name.is_single and (
            name.rather_given
            or last in self._given
            or (is_common_given_name(last) and not name.title)
        ):
            return ""
        marks = (name.title if len(titles) > 1 else "", name.rank if len(ranks) > 1 else "")
        return " ".join((*sorted(name.tokens), name.generation, *marks)).strip()

    def _gender(self, name: WrittenName) -> str:
        """Return the gender of a person with a full name, judged by it or by another form of it."""
        return next((one.gender for one in (name, *self._peers(name)) if one.gender), "")


def _is_whole(name: WrittenName) -> bool:
    return name.is_whole and not (name.couple or name.user_name)


def _surfaces(document: Document, entity: Entity) -> dict[str, Mention]:
    return {mention.span.of(document.text): mention for mention in entity.mentions}


def _may_be_one(name: WrittenName, peer: WrittenName) -> bool:
    """Return whether two full names can be forms of one name."""
    return (
        name.generation == peer.generation
        and not (name.gender and peer.gender and name.gender != peer.gender)
        and agrees(name.tokens, peer.tokens)
    )


def _are_one(names: Sequence[WrittenName]) -> bool:
    """Return whether all these names can be forms of one name."""
    return len(names) <= _MOST_NAMES and all(
        _may_be_one(name, peer) for place, name in enumerate(names) for peer in names[:place]
    )


_read = lru_cache(65_536)(read_name)


def _names_in(text: str) -> Iterator[str]:
    """Yield possible names in a text: runs of capitalized words."""
    for run in _RUN.finditer(text):
        lines = [line.split() for line in run[0].split("\n")]
        if len(lines[0]) > 2 and _begins_sentence(text, run.start(), *lines[0][:2]):
            del lines[0][0]
        for words in lines:
            for name in _parts(words):
                yield " ".join(name[:_LONGEST_NAME])
                yield " ".join(name[-_LONGEST_NAME:])
        for line, following in pairwise(lines):
            # Elsewhere, a line end ends a heading or an address.
            if is_common_given_name(fold_text(line[-1])):
                yield f"{line[-1]} {following[0]}"
    for surname, given_name in _INVERTED.findall(text):
        if is_common_given_name(fold_text(given_name)):
            yield f"{given_name} {surname}"


def _begins_sentence(text: str, start: int, word: str, following: str) -> bool:
    """Return whether a word that isn't in a name begins a sentence, with a name after it."""
    word, following = fold_text(word).rstrip("."), fold_text(following)
    is_name = is_common_given_name(word) or word in FORMS_OF_ADDRESS
    is_first = text[max(0, start - 2) : start].rstrip(" ")[-1:] in ("", ".", "!", "?")
    return is_first and not is_name and is_common_given_name(following)


def _parts(words: Sequence[str]) -> list[list[str]]:
    """Return the stretches between words that can't be in names, each with its title."""
    parts: list[list[str]] = [[]]
    for word in words:
        folded = fold_text(word).rstrip(".")
        if folded in FORMS_OF_ADDRESS:
            parts.append([word])
        elif folded in NEVER and not is_common_given_name(folded):
            parts.append([])
        elif parts[-1] or is_common_given_name(folded) or not is_ordinary(folded):
            parts[-1].append(word)
    return [part for part in parts if len(part) > 1]
