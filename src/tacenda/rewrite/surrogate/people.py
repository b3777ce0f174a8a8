"""People: a fake name as long, of the same culture and gender, in the parts that stand there.

"Mr Galip Yalman", "G. Yalman", "Yalman" and "Galip" of one entity become "Mr Kemal Sezgin",
"K. Sezgin", "Sezgin" and "Kemal". Given names go by the whole name, surnames by the surname, so
that families stay families. Titles stay; particles go.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, islice

from ...document import Document, Entity
from ...text.folding import normalize_text
from ...text.names import PersonName, is_initial, parse_name
from ...text.word_lists import PARTICLES, SUFFIXES, TITLES
from ..operators import canonical
from .certainty import has_form_of_name
from .cultures import culture_of, gender_of, is_given_name, names, options
from .drawing import Draw, Taken

_TOKEN = re.compile(r"\S+")
_CORE = re.compile(r"^([^\w]*)(.*?)((?:['’]s?)?[^\w.]*)$", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_HANDLE = re.compile(r"\S*[@\d_.]\S*")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,5}")
_CONNECTED = frozenset(("and", "&", "et", "und", "y"))
_SHORTEST_INSIDE = 4
_TRIES = 60


@dataclass(slots=True)
class _Persona:
    """A person's names, folded, and what each of them becomes; ``order`` is given names first."""

    order: list[str]
    fakes: dict[str, str]
    gender: str
    culture: str
    latin: bool


class People:
    """Writes the names of a document's people."""

    def __init__(self, draw: Draw, document: Document, registry: Taken) -> None:
        self._draw = draw
        self._document = document
        self._taken = registry
        self._personas: dict[str, _Persona | None] = {}
        self._surnames: dict[str, str] = {}

    def write(self, entity: Entity, string: str) -> str | None:
        """Return the fake name in the form of ``string``; None where there is none to be had."""
        if entity.id not in self._personas:
            self._personas[entity.id] = self._persona(entity)
        persona = self._personas[entity.id]
        if persona is None:
            return None
        if _SPACELESS.fullmatch(string):
            return _without_spaces(string, persona)
        if _is_handle(string, persona):
            return self._handle(string, persona)
        return self._name(string, persona) if has_form_of_name(string) else None

    def _persona(self, entity: Entity) -> _Persona | None:
        strings = sorted({mention.span.of(self._document.text) for mention in entity.mentions})
        parsed = [parse for string in strings if (parse := parse_name(normalize_text(string)))]
        key = canonical(self._document, entity)
        fullest = max(parsed, key=_fullness, default=None)
        text = " ".join(strings)
        if fullest is None:
            order = ["", key[0] if _SPACELESS.fullmatch(key) else key]
        else:
            order = _in_order(fullest)
        culture = culture_of(text, order[:-1], order[-1])
        latin = not re.search(r"[\u0370-\uffff]", text)
        gender = next((name.gender for name in parsed if name.gender), "") or next(
            (gender for given_name in order[:-1] if (gender := gender_of(given_name, culture))), ""
        )
        if not gender:
            gender = self._draw.source("gender", key).choice("mf")
        persona = _Persona(order, {}, gender, culture, latin)
        for place, name in enumerate(order):
            surname = place == len(order) - 1
            if name and not self._add(persona, name, "" if surname else f"{key}\0{place}"):
                return None
        return persona

    def _add(self, persona: _Persona, name: str, person: str) -> bool:
        """Give ``name`` its fake: a given name of ``person``, or the surname where that is empty.

        Of a double surname each part has its own, and a surname has one in the whole document.
        """
        if not person and name in self._surnames:
            persona.fakes[name] = self._surnames[name]
            return True
        if not person and "-" in name.strip("-"):
            parts = [part for part in name.split("-") if part]
            if not all(self._add(persona, part, "") for part in parts):
                return False
            persona.fakes[name] = "-".join(persona.fakes[part] for part in parts)
            return True
        kind = persona.gender, not person
        pool = options(persona.culture, persona.latin, *kind)
        length = 0 if is_initial(name) else len(name)
        matches = options(persona.culture, persona.latin, *kind, length)
        question = ("given", person) if person else ("surname", name)
        single = self._draw.choices(matches, _TRIES, *question)
        pairs = zip(
            self._draw.choices(pool, _TRIES, *question, "first"),
            self._draw.choices(pool, _TRIES, *question, "second"),
            strict=True,
        )
        doubled = (f"{first}-{second}" for first, second in pairs if first != second)
        owner = f"given {person}" if person else f"surname {name}"
        fake = self._taken.first_free(islice(chain(single, doubled), 2 * _TRIES), owner)
        if fake is None:
            return False
        persona.fakes[name] = fake
        if not person:
            self._surnames[name] = fake
        return True

    def _name(self, string: str, persona: _Persona) -> str | None:
        tokens = list(_TOKEN.finditer(string))
        parts: list[str] = []
        position = place = 0
        for number, token in enumerate(tokens):
            before, core, after = _CORE.fullmatch(token[0]).groups()  # type: ignore[union-attr]
            gap = string[position : token.start()]
            position = token.end()
            folded = normalize_text(core)
            bare = folded.rstrip(".")
            last = number == len(tokens) - 1
            if (not last and (bare in TITLES or folded in _CONNECTED)) or (
                number and bare in SUFFIXES
            ):
                output = core
            elif bare in PARTICLES and bare not in persona.fakes and not last:
                continue
            elif is_initial(folded):
                output, place = _initials(core, persona, place)
            else:
                fake = self._part(folded, persona, place, last=_is_last(tokens, number))
                if fake is None:
                    return None
                output = _cased(fake, core)
                place += 1
            parts += [gap, before, output, after]
        return "".join([*parts, string[position:]]).lstrip() if parts else None

    def _part(self, folded: str, persona: _Persona, place: int, *, last: bool) -> str | None:
        fakes = persona.fakes
        if folded in fakes and not is_initial(folded):
            return fakes[folded]
        pieces = folded.split("-")
        if len(pieces) > 1 and any(piece in fakes for piece in pieces):
            results = [self._part(piece, persona, place, last=last) for piece in pieces if piece]
            return "-".join(filter(None, results)) or None
        if last:
            return fakes.get(persona.order[-1]) or fakes[persona.order[0]]
        # A given name in another form: Bob of Robert.
        if place < len(persona.order) - 1 and persona.order[place] in fakes:
            return fakes[persona.order[place]]
        return fakes[folded] if self._add(persona, folded, f"{persona.order}\0{folded}") else None

    def _handle(self, string: str, persona: _Persona) -> str:
        fakes = [
            normalize_text(persona.fakes[name]) for name in persona.order if name in persona.fakes
        ]
        stem = "".join(fake[0] for fake in fakes[:-1]) + fakes[-1].replace(" ", "")
        digits = self._draw.source("handle", string)
        tail = "".join(str(digits.randrange(10)) for sign in string if sign.isdigit())
        return ("@" if string.startswith("@") else "") + stem + tail


def _is_handle(string: str, persona: _Persona) -> bool:
    """Tell whether a string is a user name: with @ before it, or one of the person's names in it."""
    if _HANDLE.fullmatch(string) is None or is_initial(normalize_text(string)):
        return False
    folded = normalize_text(string)
    names = [name for name in persona.fakes if len(name) >= _SHORTEST_INSIDE]
    return string.startswith("@") or any(name in folded for name in names)


def _fullness(name: PersonName) -> tuple[int, int, tuple[str, ...]]:
    full_tokens = [token for token in name.tokens if not is_initial(token)]
    return len(full_tokens), len("".join(name.tokens)), name.tokens


def _in_order(name: PersonName) -> list[str]:
    """Return given names, then the surname; empty where a given name is all there is."""
    if not name.surname:
        return [*name.initials]
    if not name.given and is_given_name(name.surname) and not name.gender:
        return [name.surname, ""]
    return [*name.given, name.surname]


def _is_last(tokens: list[re.Match[str]], number: int) -> bool:
    """Tell whether no other name follows; before a comma stands the surname."""
    if tokens[number][0].endswith(",") and number == 0:
        return True
    comma = tokens[0][0].endswith(",") and len(tokens) > 1
    return not comma and all(
        normalize_text(t[0]).strip(".,") in SUFFIXES for t in tokens[number + 1 :]
    )


def _initials(core: str, persona: _Persona, place: int) -> tuple[str, int]:
    """Return initials of the fake names, and the place of the next name."""

    def instead(match: re.Match[str]) -> str:
        nonlocal place
        letter = normalize_text(match[0])
        places = range(place, len(persona.order))
        at = next((i for i in places if persona.order[i][:1] == letter), place)
        name = persona.order[min(at, len(persona.order) - 1)]
        place = at + 1
        fake = persona.fakes.get(name, next(iter(persona.fakes.values())))
        return fake[0].upper() if match[0].isupper() else fake[0].lower()

    return _LETTER.sub(instead, core), place


def _cased(fake: str, like: str) -> str:
    letters = [sign for sign in like if sign.isalpha()]
    if len(letters) > 1 and all(map(str.isupper, letters)):
        return fake.upper()
    return fake.lower() if letters and all(map(str.islower, letters)) else fake


def _without_spaces(string: str, persona: _Persona) -> str | None:
    """Return a name in a script without spaces, its surname first."""
    surname = persona.fakes.get(persona.order[-1])
    if surname is None:
        return None
    pool = names(persona.culture, latin=False).given(persona.gender)
    return surname if len(string) == 1 else surname + pool[len(surname + string) % len(pool)]
