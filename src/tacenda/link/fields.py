"""Given names and surnames in separate fields: forms, keys, table columns, contact cards.

First name: Anna            {"first_name": "Anna", "last_name": "Berg"}
Surname: Berg
                            id,surname,forename
N:Berg;Anna;;;              1,Berg,Anna
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ..document import Mention
from ..text.word_lists import NEVER

_GIVEN = r"(?:(?:first|given|fore|christian)[ _-]?names?|vornamen?|pr[eé]noms?|nombres?|imi[eę]|imion|voornaam|f[oö]rnamn)"
_SURNAME = r"(?:(?:last|sur|family)[ _-]?names?|nachname|familienname|apellidos?|nazwisko|achternaam|efternamn|sobrenome|cognome)"
_LABEL = re.compile(
    rf"(?:^|[\W_])(?:(?P<given>{_GIVEN})|{_SURNAME})[\"'\])*]*\s*[:=|>\n]\s*[\"'“*]*\Z",
    re.IGNORECASE,
)
_GIVEN_COLUMN = re.compile(rf"{_GIVEN}|first|name|nombre|nome", re.IGNORECASE)
_SURNAME_COLUMN = re.compile(rf"{_SURNAME}|last|surname", re.IGNORECASE)
_STEMS = ("name", "last", "apellido", "nazwisko", "naam", "namn", "nome")
_INITIAL = re.compile(r"(?:^|[\s.])[^\W\d_]\Z")
_CARD = re.compile(r"(?:^|\n)N(?:;[^:\n]{0,40})?:\Z")
_LABEL_LENGTH = 40
_CAPITALS = 3
_NEAR = 160


def names_in_fields(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Yield pairs of indices: a given name's mention, and that of the surname that belongs to it.

    Args:
        text: the document's text.
        mentions: mentions of people, in text order.
    """
    yield from _labelled(text, mentions)
    yield from _columns(text, mentions)
    yield from _cards(text, mentions)
    yield from _neighbours(text, mentions)


def _labelled(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    neighbour: tuple[int, bool] | None = None
    for index, mention in enumerate(mentions):
        start = mention.span.start
        label = _LABEL.search(text[max(0, start - _LABEL_LENGTH) : start])
        if label is None:
            continue
        is_given = label["given"] is not None
        if (
            neighbour is not None
            and neighbour[1] != is_given
            and start - mentions[neighbour[0]].span.end < _NEAR
        ):
            yield (index, neighbour[0]) if is_given else (neighbour[0], index)
            neighbour = None
        else:
            neighbour = index, is_given


def _columns(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    starts = [mention.span.start for mention in mentions]
    position = 0
    header: tuple[str, int, int] | None = None
    for line in text.splitlines(keepends=True):
        new_header = _header(line)
        if new_header is not None:
            header = new_header
        elif header is not None:
            delimiter, *columns = header
            cells = line.split(delimiter)
            if len(cells) <= max(columns):
                header = None
            else:
                places = [_within(cells, cell, position, starts) for cell in columns]
                if places[0] is not None and places[1] is not None:
                    yield places[0], places[1]
        position += len(line)


def _header(line: str) -> tuple[str, int, int] | None:
    """Return the delimiter and the columns of given names and surnames."""
    small = line.lower()
    if not any(stem in small for stem in _STEMS):
        return None
    for delimiter in "|\t;,":
        cells = [cell.strip(" \"'*\r\n") for cell in line.split(delimiter)]
        given_names = [place for place, cell in enumerate(cells) if _GIVEN_COLUMN.fullmatch(cell)]
        surnames = [place for place, cell in enumerate(cells) if _SURNAME_COLUMN.fullmatch(cell)]
        if len(given_names) == 1 and len(surnames) == 1:
            return delimiter, given_names[0], surnames[0]
    return None


def _within(cells: Sequence[str], cell: int, position: int, starts: Sequence[int]) -> int | None:
    """Return the index of the first mention that starts in a cell of the line at ``position``."""
    start = position + sum(map(len, cells[:cell])) + cell
    place = bisect_left(starts, start)
    if place < len(starts) and starts[place] < start + len(cells[cell]):
        return place
    return None


def _cards(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    for index in range(len(mentions) - 1):
        span, following = mentions[index].span, mentions[index + 1].span
        if text[span.end : following.start] == ";" and _CARD.search(
            text[max(0, span.start - _LABEL_LENGTH - 4) : span.start]
        ):
            yield index + 1, index


def _neighbours(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Yield the two mentions of a name that was cut in two."""
    for index in range(len(mentions) - 1):
        span, following = mentions[index].span, mentions[index + 1].span
        first, second = span.of(text), following.of(text)
        if not (first[0].isupper() and second[0].isupper()) or first.lower() in NEVER:
            continue
        one_word = second.isalpha()
        match text[span.end : following.start]:
            case " " if one_word and first[-1].isalpha():
                yield index, index + 1
            case ". " if one_word and _INITIAL.search(first):
                yield index, index + 1
            case ", " if len(first) > _CAPITALS and first.isupper() and not second.isupper():
                yield index + 1, index
