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
from .variation import LOCALES, names_of

_LENGTHS = (1, 2, 2, 3, 3, 4, 5, 6, 8)
_SEPARATORS = (
    ", ",
    ", ",
    "; ",
    "\n",
    "\n",
    "\n",
    " / ",
    "/",
    " & ",
    " | ",
    "\n- ",
    "\n\n",
    ",",
    ";",
    "\t",
)
_LAST = (" and ", " & ", " und ", " et ", " y ", " e ", " og ", " och ", " en ", " i ")
_HEADINGS = (
    "To: ", "Cc: ", "Present: ", "Team\n", "Absent: ", "Signed: ", "Anwesend: ", "Présents : ", "Asistentes: ", "Presenti: ",
    "Presentes: ", "Aanwezig: ", "Närvarande: ", "Til stede: ", "Til stede: ", "Obecni: ",
)  # fmt: skip
_FORMS = (
    "{g} {s}", "{g} {s}", "{s}, {g}", "{s}, {g}", "{g}", "{g}", "{s}", "{s}", "{s} {g}", "{i}. {s}", "{s} {i}.", "{s}, {i}.", "{g} {i}."
)  # fmt: skip
_PLACES_OR_WORDS = (
    "Paris Brooklyn Sydney Austin Chelsea Georgia Dakota Jordan Florence Adelaide Savannah Phoenix Carolina Israel India Kenya "
    "Chad London Madison Lincoln Houston Dallas Denver Cairo Milan Vienna Asia Virginia Victoria Charlotte Troy Preston Bristol "
    "Kent Devon Shannon Alexandria Verona Siena Valencia Lourdes Mercedes Dolores Santiago Francia Roma Italia Olympia Odessa "
    "Summer Autumn April May June Hunter Mason Carter Forrest Hope Faith Grace Joy Rose Lily Violet Ivy Daisy Heather Hazel Olive "
    "Ruby Pearl Amber Jade Crystal Mark Will Bill Frank Grant Chase Drew Dean Miles Rich Art Ray Guy Christian Rocky Sandy Robin "
    "Jay Wren Dawn Eve Skye Stormy Rain River Brook Cliff Glen Dale Heath Lance Blade Ace King Prince Duke Earl Baron Bishop "
    "Sol Luz Consuelo Rocío Nieves Pilar Lluvia Mar Rosa Margarita Violeta Clara Blanca Stella Gioia Fiore Perla Pia Rosario "
    "Wolf Bär Stern Blume Sommer Winter Klein Groß Lang Kurz Schwarz Weiß Braun König Fuchs Vogel Berg Stein Wald Bach Björn Sten "
    "Lilja Vidar Storm Liv Alma Saga Solveig Dag Bo Ulf Rune Kruk Wrona Zając Baran Sikora Wilk Kot Gołąb Lis Róża Jagoda"
).split()
"""Names that are places, months, flowers, virtues or animals elsewhere."""
_SENTENCES = (
    "{a} met {b} and {c}.|{a} and {b} argue about the dishes again.|Ask {a} whether {b} rang.|{a} says hi to {b}.|I think {a} likes {b}.|"
    "{a}, {b} and {c} carried the table to {d}'s van.|Dinner with {a} and {b}, then {c} drove us home.|{a} broke the window, not {b}.|"
    "tell {a} that {b} is late|{a}'s mum picked up {b} at four|Is {a} bringing {b} on Sunday?|happy birthday {a}! love, {b}|"
    "{a} won, {b} came second and {c} third.|{a} is in the same class as {b}.|{a} and {b} saw {c} with {d}.|Thanks, {a}. {b} has the keys.|"
    "{a} hat {b} und {c} getroffen.|Frag {a}, ob {b} kommt.|{a} ha visto a {b} con {c}.|Dile a {b} que {a} llega tarde.|"
    "{a} et {b} ont vu {c}.|Demande à {a} si {b} vient.|{a} ha incontrato {b} e {c}.|{a} e {b} viram {c}.|{a} zag {b} met {c}.|"
    "{a} såg {b} och {c}.|{a} møtte {b} og {c}.|{a} så {b} sammen med {c}.|{a} widział {b}, a {c} nie.|Was {a} sick, or was it {b}?"
).split("|")
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
    form, separator, case = random.choice(_FORMS), random.choice(_SEPARATORS), random.choice(_CASES)
    if "," in form and "," in separator:
        separator = "; "
    count = random.choice(_LENGTHS)
    draw = _drawing(random)
    if random.random() < _HEADED:
        yield random.choice(_HEADINGS), False
    is_numbered = "\n" in separator and random.random() < _NUMBERED
    last = random.choice(_LAST) if separator == ", " and random.random() < _ENDED else separator
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
    for index, part in enumerate(re.split(r"\{(\w)\}", random.choice(_SENTENCES))):
        if index % 2:
            is_word = random.random() < 2 / 3
            yield (random.choice(_PLACES_OR_WORDS) if is_word else _any_name(random)), True
        elif part:
            yield part, False
