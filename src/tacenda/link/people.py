"""Join names that may belong to one person; the package docstring has the table of rules.

Full names come first, the longest first, then names with initials, then single surnames and given
names, then initials alone. Each is looked up in an index of people: first by exact forms, last by
short forms and misspellings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain, pairwise

from ..document import Document, SemanticType
from ..models.text_language import language_of
from ..text.given_names import is_common_given_name
from ..text.inflection import PLURAL, inflections_of
from ..text.names import titled
from .fields import names_in_fields
from .names import Clusters, NamedString
from .people_candidates import candidates_of
from .people_index import NamedPerson, PeopleIndex
from .relations import relations
from .written_names import WrittenName, read_name

_ALIAS = re.compile(
    r"""[\s,;]*[("“]?\s*(?:(?:also|better|formerly|otherwise)\s)?(?:known\s(?:as|to\s\w+\sas)|a\.?k\.?a\.?|alias|n[ée]e
    |geb(?:\.|orene?)|whose\s(?:real\s|full\s)?name\s(?:is|was))\s*["“‘']?""",
    re.VERBOSE | re.IGNORECASE,
)
_PARENTHESES = re.compile(r" ?\([^()]+\)\W?")
_LONGEST_ALIAS = 40


def join_people(
    document: Document,
    strings: Sequence[NamedString],
    indexes: Sequence[int],
    outsiders: Sequence[int],
    clusters: Clusters,
) -> None:
    """Join the strings at ``indexes`` that name one person.

    Args:
        document: the document the strings are from.
        strings: the document's distinct strings.
        indexes: indexes of the strings that name people.
        outsiders: indexes of strings of other types; each is joined with a person if it is that
            person's whole name or user name.
        clusters: the sets of ``strings``.
    """
    text = document.text
    language = language_of(document) if indexes else ""
    names = read_names(text, strings, indexes, language)
    _complete(text, strings, names)
    _join_aliases(text, strings, names, clusters)
    apart = relations(text, strings, names)
    couples = _couples(names.values())
    register = PeopleIndex()
    ambiguous = []

    def assign(index: int, name: WrittenName, candidates: Sequence[NamedPerson]) -> None:
        person = _choose(name, strings[index].start, candidates)
        if person is None:
            person = NamedPerson(index)
        else:
            clusters.join(index, person.index)
        person.add(index, strings[index], name)
        register.add(person, name)

    singles = [(index, name) for index, name in names.items() if not name.couple]
    for index, name in sorted(singles, key=lambda pair: (*_order(pair[1]), pair[0])):
        candidates = candidates_of(name, register, apart[index])
        if name.title and name.is_single and name.tokens[0] in couples and len(candidates) > 1:
            # Mr and Mrs can be told apart only by gender.
            candidates = [person for person in candidates if person.gender]
        if name.is_single and len(candidates) > 1:
            ambiguous.append((index, name, candidates))
        else:
            assign(index, name, candidates)
    # After all other mentions are counted.
    for index, name, candidates in ambiguous:
        assign(index, name, candidates)
    tokens = {token for name in names.values() for token in name.tokens}
    namesakes = [
        index
        for index in outsiders
        if strings[index].type is SemanticType.CODE
        or not tokens.isdisjoint(strings[index].key.split())
    ]
    for index, name in read_names(text, strings, namesakes, language).items():
        people = _namesakes(name, strings[index], register)
        if len(people) == 1:
            clusters.join(index, people[0].index)


def read_names(
    text: str,
    strings: Sequence[NamedString],
    indexes: Sequence[int],
    language: str,
    elsewhere: Collection[str] = (),
) -> dict[int, WrittenName]:
    """Return the names that can be split into parts, in the nominative, keyed by string index; ``elsewhere`` are case-folded names in other documents."""
    surfaces = {
        index: [titled(text, mention.span).of(text) for mention in strings[index].mentions]
        for index in indexes
    }
    written = frozenset((*map(str.casefold, chain.from_iterable(surfaces.values())), *elsewhere))
    inflections = inflections_of(written, language)
    names = {}
    for index, (surface, *_) in surfaces.items():
        inflected = inflections.get(surface)
        name = read_name(" ".join(inflected.words) if inflected else surface)
        if name is not None:
            relation, case = (inflected.gender, inflected.case) if inflected else ("", "")
            couple = name.couple or case.startswith(PLURAL)
            names[index] = replace(name, relation=relation, couple=couple)
    return names


def _complete(text: str, strings: Sequence[NamedString], names: dict[int, WrittenName]) -> None:
    """Complete given names with the surname in the adjacent field, if it is always the same."""
    places = sorted(
        (mention.span.start, index) for index in names for mention in strings[index].mentions
    )
    mentions = sorted(
        (mention for index in names for mention in strings[index].mentions),
        key=lambda mention: mention.span.start,
    )
    surnames: dict[int, set[int]] = {}
    for member, peer in names_in_fields(text, mentions):
        surnames.setdefault(places[member][1], set()).add(places[peer][1])
    originals = dict(names)
    for given_name, fields in surnames.items():
        surname = originals[next(iter(fields))]
        name = originals[given_name]
        if len(fields) == 1 and not surname.title and not (name.couple or surname.couple):
            names[given_name] = replace(
                name, tokens=(*name.tokens, *surname.tokens), surnames=len(name.tokens)
            )


def _join_aliases(
    text: str,
    strings: Sequence[NamedString],
    names: dict[int, WrittenName],
    clusters: Clusters,
) -> None:
    """Join names that the words between them say are one person's, and initials in parentheses."""
    places = sorted((mention.span, index) for index in names for mention in strings[index].mentions)
    for (span, index), (following, peer) in pairwise(places):
        between = text[span.end : min(following.start, span.end + _LONGEST_ALIAS)]
        if following.start - span.end >= _LONGEST_ALIAS or names[index].couple:
            continue
        in_parentheses = (
            _PARENTHESES.fullmatch(text[span.end : following.end + 1])
            and len(names[peer].tokens) == 1
            and names[peer].tokens[0][0] in names[index].initials
        )
        if in_parentheses or _ALIAS.fullmatch(between):
            clusters.join(index, peer)


def _namesakes(name: WrittenName, string: NamedString, register: PeopleIndex) -> list[NamedPerson]:
    """Return the people whose name certainly is the string, although it has another type."""
    tokens = name.tokens
    if string.type is SemanticType.CODE or name.user_name:
        return candidates_of(name, register)
    if name.couple or name.only_initials or name.capitals:
        return []
    if not name.is_single:
        last = string.key.split()[-1]
        if last not in " ".join(tokens):  # "Galip Yalman came" is more than a name
            return []
        return register.find([("all", *sorted(tokens)), ("pair", tokens[0], tokens[-1])])
    # A faith or an occupation that is also a name; a place used as a person's name.
    if string.type is SemanticType.DEM or (
        string.type is SemanticType.LOC and not is_common_given_name(tokens[0])
    ):
        return []
    people = register.find([("surname", tokens[0]), ("first", tokens[0])])
    return [person for person in people if any(len(peer.tokens) > 1 for peer in person.names)]


def _couples(names: Iterable[WrittenName]) -> set[str]:
    """Return surnames shared by a Mr and a Mrs, or by two people named together."""
    genders: dict[str, set[str]] = {}
    for name in names:
        genders.setdefault(name.tokens[-1], set()).update(
            "mf" if name.couple or name.partner else name.title
        )
    return {surname for surname, letters in genders.items() if len(letters) > 1}


def _order(name: WrittenName) -> tuple[int, int]:
    if name.only_initials:
        return 4, 0
    if name.is_single:
        return (2, 0) if name.title else (3, -len(name.tokens[0]))
    is_whole = len(name.tokens[0]) > 1 and len(name.tokens[-1]) > 1
    return (0 if is_whole else 1), -len(name.tokens)


def _choose(name: WrittenName, start: int, candidates: Sequence[NamedPerson]) -> NamedPerson | None:
    is_given = any(
        name.tokens == peer.tokens[:1] != peer.tokens
        for person in candidates
        for peer in person.names
    )
    return min(
        candidates,
        key=lambda person: (
            not (name.title and person.title == name.title),
            name.title and person.gender != name.title,
            name.profession and not person.profession,
            name.rank and person.rank != name.rank,
            not is_given and -person.formal_count,
            -person.count,
            person.distance(start),
        ),
        default=None,
    )
