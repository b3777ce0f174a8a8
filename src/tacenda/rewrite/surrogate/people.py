"""People: a fake name as long, of the same culture and gender, in the parts that stand there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from ...document import Decision, Document, Entity, SemanticType
from ...text.folding import normalize_text
from ...text.names import PersonName, is_initial, parse_name
from ...text.word_lists import PARTICLES, SUFFIXES, TITLES
from ..rewrite import canonical
from .certainty import CONNECTED, OFFICES, SPACELESS, has_form_of_name, is_latin, is_person, is_role
from .cultures import culture_of, gender_of, is_given_name, is_korean, names, options
from .drawing import Draw, Taken

# "Mr Galip Yalman", "G. Yalman", "Yalman" and "Galip" of one entity become "Mr Kemal Sezgin",
# "K. Sezgin", "Sezgin" and "Kemal". Given names go by the whole name, surnames by the surname, so
# that families stay families. Titles stay; particles go.


_TOKEN = re.compile(r"\S+")
_CORE = re.compile(r"^([^\w]*)(.*?)((?:['’]s?)?[^\w.]*)$", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_HANDLE = re.compile(r"\S*[@\d_.]\S*")
_SHORTEST_INSIDE = 4
_TRIES = 60
_NEAR, _BEGINNING = 160, 1500
_LETTERS, _MANY_LETTERS = 4000, 100
_FIRST, _MOST_MENTIONS = 2, 12
_FEWEST_VOTES, _CLEAR = 2, 0.75
_PRONOUN = re.compile(
    r"(?<!\w)(?:(?P<f>[Ss]he|[Hh]ers?|[Hh]erself)|[Hh]e|[Hh]i[ms]|[Hh]imself)(?!\w)"
)
_KIN_BEFORE = re.compile(
    r"(?<!\w)(?:(?P<f>wife|mother|daughter|sister|widow|aunt|niece|girlfriend|actress|businesswoman"
    r"|née|queen)|husband|father|son|brother|uncle|nephew|boyfriend|actor|businessman|king)"
    r",?(?: of)? \Z"
)


@dataclass(slots=True)
class _Persona:
    """A person's names, folded, with their fakes; ``order`` is given names first."""

    order: list[str]
    fakes: dict[str, str]
    gender: str
    culture: str
    latin: bool


class People:
    """Surrogates of a document's people.

    Args:
        draw: the keyed choices.
        document: the document.
        registry: the forbidden words.
        decisions: of the document: where else people are named.
    """

    def __init__(
        self, draw: Draw, document: Document, registry: Taken, decisions: Sequence[Decision] = ()
    ) -> None:
        self._draw = draw
        self._document = document
        self._taken = registry
        self._entities = tuple(
            decision.entity for decision in decisions if decision.entity.type is SemanticType.PERSON
        )
        self._starts = sorted(
            (mention.span.start, entity.id)
            for entity in self._entities
            for mention in entity.mentions
        )
        letters = [sign for sign in document.text[:_LETTERS] if sign.isalpha()]
        latin = sum(map(is_latin, letters))
        self._latin = latin >= _MANY_LETTERS and latin >= _CLEAR * len(letters)
        self._personas: dict[str, _Persona | None] = {}
        self._surnames: dict[str, str] = {}

    def fakes(self) -> dict[str, str]:
        """Return the fake names of all certain people of the document by their folded names."""
        names: dict[str, str] = {}
        for entity in self._entities:
            strings = {mention.span.of(self._document.text) for mention in entity.mentions}
            if is_person(strings) and (persona := self._persona_of(entity)) is not None:
                for name, fake in persona.fakes.items():
                    names.setdefault(name, normalize_text(fake))
        return names

    def write(self, entity: Entity, string: str) -> str | None:
        """Return the fake name in the form of ``string``; None where there is none to be had."""
        persona = self._persona_of(entity)
        if persona is None:
            return None
        if self._latin and not is_latin(string):
            return None  # Its transcription beside it would tell of another name.
        if SPACELESS.fullmatch(string):
            return _without_spaces(string, persona)
        if _is_handle(string, persona):
            return self._handle(string, persona)
        return self._name(string, persona) if has_form_of_name(string) else None

    def _persona_of(self, entity: Entity) -> _Persona | None:
        if entity.id not in self._personas:
            self._personas[entity.id] = self._persona(entity)
        return self._personas[entity.id]

    def _persona(self, entity: Entity) -> _Persona | None:
        strings = sorted({mention.span.of(self._document.text) for mention in entity.mentions})
        folded = [_without_office(normalize_text(string)) for string in strings]
        parsed = [parse for name in folded if (parse := parse_name(name))]
        parsed = [name for name in parsed if not any(map(is_role, name.tokens))] or parsed
        key = canonical(self._document, entity)
        fullest = max(parsed, key=_fullness, default=None)
        text = " ".join(strings)
        titled = any(name.gender for name in parsed)
        if fullest is None:
            order = ["", key[0] if SPACELESS.fullmatch(key) else key]
        else:
            order = _in_order(fullest, titled=titled)
        culture = culture_of(text, order[:-1], order[-1], tuple(self._around(entity)))
        latin = not re.search(r"[\u0370-\uffff]", text)
        gender = next((name.gender for name in parsed if name.gender), "") or self._gender(
            entity, order, culture
        )
        for number in range(_TRIES):
            persona = _Persona(order, {}, gender, culture, latin)
            again = f"\0{number}" if number else ""
            for place, name in enumerate(order):
                surname = place == len(order) - 1
                person = "" if surname else f"{key}\0{place}{again}"
                if name and not self._add(persona, name, person):
                    return None
            if not self._taken.is_somebodys(" ".join(persona.fakes.values())):
                return persona
        return None

    def _around(self, entity: Entity) -> Iterator[str]:
        """Yield what stands near the first mentions, then the beginning of the text."""
        text = self._document.text
        for mention in entity.mentions[:_FIRST]:
            start, end = mention.span.start, mention.span.end
            yield text[end : end + _NEAR]
            yield text[max(0, start - _NEAR // 2) : start]
        yield text[:_BEGINNING]

    def _gender(self, entity: Entity, order: list[str], culture: str) -> str:
        """Return the gender by the text, the given names, the other people, or a keyed draw."""
        votes = self._votes(entity)
        if votes.total() >= _FEWEST_VOTES and max(votes.values()) >= _CLEAR * votes.total():
            return max(votes, key=votes.__getitem__)
        given = order if not order[-1] else order[:-1]
        listed = next((gender for name in given if (gender := gender_of(name, culture))), "")
        if listed or votes:
            return listed or max(sorted(votes), key=votes.__getitem__)
        pronouns = [bool(match["f"]) for match in _PRONOUN.finditer(self._document.text[:_LETTERS])]
        if len(pronouns) >= _FEWEST_VOTES:
            return "f" if 2 * sum(pronouns) > len(pronouns) else "m"
        return self._draw.source("gender", canonical(self._document, entity)).choice("mf")

    def _votes(self, entity: Entity) -> Counter[str]:
        """Return how often the first pronoun after a name, and kin before it, is of each gender."""
        text = self._document.text
        votes: Counter[str] = Counter()
        for mention in entity.mentions[:_MOST_MENTIONS]:
            start, end = mention.span.start, mention.span.end
            kin = _KIN_BEFORE.search(text, max(0, start - _NEAR // 4), start)
            if kin:
                votes["f" if kin["f"] else "m"] += 2
            place = bisect_right(self._starts, (end, ""))
            following = next((other for other, _ in self._starts[place : place + 1]), len(text))
            pronoun = _PRONOUN.search(text, end, min(end + _NEAR, following))
            if pronoun:
                votes["f" if pronoun["f"] else "m"] += 1
        return votes

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
            if not core:
                parts += [gap, token[0]]
                continue
            bare = folded.rstrip(".")
            last = number == len(tokens) - 1
            if (not last and (bare in TITLES | OFFICES or folded in CONNECTED)) or (
                number and bare in SUFFIXES
            ):
                output = core
            elif not is_initial(folded) and folded not in persona.fakes and is_role(bare):
                return None
            elif folded in PARTICLES and folded not in persona.fakes and not last:
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
    """Return whether a string is a user name: with @ before it, or a name of the person in it."""
    if _HANDLE.fullmatch(string) is None or is_initial(normalize_text(string)):
        return False
    folded = normalize_text(string)
    names = [name for name in persona.fakes if len(name) >= _SHORTEST_INSIDE]
    return string.startswith("@") or any(name in folded for name in names)


def _without_office(folded: str) -> str:
    """Return a folded name without the offices before it."""
    words = folded.split()
    while len(words) > 1 and words[0].rstrip(".") in OFFICES:
        words.pop(0)
    return " ".join(words)


def _fullness(name: PersonName) -> tuple[int, int, tuple[str, ...]]:
    full_tokens = [token for token in name.tokens if not is_initial(token)]
    return len(full_tokens), len("".join(name.tokens)), name.tokens


def _in_order(name: PersonName, *, titled: bool) -> list[str]:
    """Return given names, then the surname; empty where a given name is all there is.

    Args:
        name: the fullest one.
        titled: whether the person is called Mr and the like, so that a name alone is the surname.
    """
    if not name.surname:
        return [*name.initials]
    if not name.given and is_given_name(name.surname) and not titled:
        return [name.surname, ""]
    if len(name.given) == 1 and is_korean(name.given[0], name.surname):
        return [name.surname, name.given[0]]
    return [*name.given, name.surname]


def _is_last(tokens: list[re.Match[str]], number: int) -> bool:
    """Return whether no other name follows; before a comma stands the surname."""
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
