"""Names with little around them: signature sheets, columns, headers of mail, rosters, and names that places or words are, too.

Documents mark the names in them by what the sentences around them say. A list that stands alone says nothing, and a
network that has read lists of authors and of towns, in which nothing is marked, takes any list for one of those. Here
every name is somebody's: nothing says that it is a public one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from tacenda.models.encoding import TextEncoder

from .examples import MASKS, Example, MarkedSpan, example
from .tables import load_tables
from .variation import LOCALES, names_of

_TABLES = load_tables("name_lists")
_PLACES_OR_WORDS: list[str] = _TABLES["places_or_words"].split()
"""Names that are places, months, flowers, virtues or animals elsewhere."""
_SENTENCE_SHARE = 0.3
_NAMES_OF_ALL = 0.35
"""Share of the lists of one form that have names of any culture, and of which a third are places or words elsewhere."""
_HEADED = 0.15
_NUMBERED = 0.1
_ENDED = 0.15
_CASES: tuple[Callable[[str], str], ...] = (str, str, str, str, str.upper, str.lower)


def names_alone(number: int, encoder: TextEncoder, random: Random) -> Example:
    """Return a list of people, all in one form and parted alike, or a sentence; each name is a direct identifier.

    Args:
        number: of the example.
        encoder: makes the subwords.
        random: draws names, form and length.
    """
    pieces = _sentence(random) if random.random() < _SENTENCE_SHARE else _list(random)
    text, spans = "", []
    for piece, is_name in pieces:
        if is_name:
            end = len(text) + len(piece)
            spans.append(MarkedSpan(len(text), end, "PERSON", MASKS["DIRECT"]))
        text += piece
    return example(f"names-{number}", text, [spans], encoder, "names")


def _list(random: Random) -> Iterator[tuple[str, bool]]:
    form, separator, case = (
        random.choice(_TABLES["forms"]),
        random.choice(_TABLES["separators"]),
        random.choice(_CASES),
    )
    if "," in form and "," in separator:
        separator = "; "
    count = random.choice(_TABLES["lengths"])
    draw = _drawing(random)
    if random.random() < _HEADED:
        yield random.choice(_TABLES["headings"]), False
    is_numbered = "\n" in separator and random.random() < _NUMBERED
    last = (
        random.choice(_TABLES["last"])
        if separator == ", " and random.random() < _ENDED
        else separator
    )
    for index in range(count):
        if index:
            yield (last if index == count - 1 else separator), False
        if is_numbered:
            yield f"{index + 1}. ", False
        given = draw()
        yield case(form.format(g=given, s=draw(), i=given[0])), True


def _drawing(random: Random) -> Callable[[], str]:
    """Return a function that draws names: of one or two cultures, or of any, and such as are places or words."""
    if random.random() >= _NAMES_OF_ALL:
        pool = [*names_of(random.choice(LOCALES)), *names_of(random.choice(LOCALES))]
        return lambda: random.choice(pool)
    return lambda: _any_name(random)


def _any_name(random: Random) -> str:
    if random.random() < 1 / 3:
        return random.choice(_PLACES_OR_WORDS)
    return random.choice(names_of(random.choice(LOCALES)))


def _sentence(random: Random) -> Iterator[tuple[str, bool]]:
    for index, part in enumerate(re.split(r"\{(\w)\}", random.choice(_TABLES["sentences"]))):
        if index % 2:
            is_word = random.random() < 2 / 3
            yield (random.choice(_PLACES_OR_WORDS) if is_word else _any_name(random)), True
        elif part:
            yield part, False
