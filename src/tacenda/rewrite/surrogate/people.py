"""People: a made-up name with the same length, culture, gender and parts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from ...document import Decision, Document, Entity, SemanticType, Span
from ...shipped import shipped_patterns, shipped_table
from ...text.given_names import is_common_given_name, short_forms
from ...text.inflection import PLURAL, InflectedName, declined, inflections_of
from ...text.names import PersonName, is_initial, parse_name, titled
from ...text.normal_form import fold_text
from ...text.word_lists import FORMS_OF_ADDRESS, SUFFIXES, TITLES, word_list_of
from ..identities import KnownIdentities, MadeUpPerson
from ..rewrite import canonical
from .certainty import (
    BY_GIVEN_NAME,
    CONNECTED,
    OFFICES,
    SMALL,
    SPACELESS,
    has_form_of_name,
    is_latin,
    is_person,
    is_role,
)
from .cultures import (
    DEFAULT,
    as_borne,
    culture_of,
    gender_of,
    gender_of_ending,
    is_given_name,
    is_korean,
    is_name,
    names,
    options,
)
from .drawing import Draw, Taken, cased
from .numbers import like, user_name

# "Mr Galip Yalman", "G. Yalman", "Yalman" and "Galip" of one entity become "Mr Kemal Sezgin",
# "K. Sezgin", "Sezgin" and "Kemal". Given names go by the whole name, surnames by the surname, so
# that families stay families. A short form becomes one of the fake name, if that has any. Titles stay;
# particles go. A name stands in the case of the original: "o Wojciechu Marcu" for "o Piotrze Zarębie".


_TOKEN = re.compile(r"\S+")
_CORE = re.compile(r"^([^\w]*)(.*?)((?:['’]s?)?[^\w.]*)$", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_HANDLE = re.compile(r"\S*[@\d_.]\S*")
_USER_NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_NO_LETTERS = re.compile(r"[@_.\d-]+")
_SHORTEST_INSIDE = 4
_TRIES = 60
_NEAR, _BEGINNING = 160, 1500
_LETTERS, _MANY_LETTERS = 4000, 100
_FIRST, _MOST_MENTIONS = 2, 12
_FEWEST_VOTES, _CLEAR, _KIN_VOTES = 2, 0.75, 3
_ALIKE = 0.6
_MOST_INITIALS = 3
_JOINED = re.compile(rf",? (?:{'|'.join(CONNECTED)}) ")
_GREETINGS = BY_GIVEN_NAME | frozenset("hi hiya hello hey salut".split())
_AND = {word for word in CONNECTED if len(word) > 1}
_TITLES_OF: dict[str, dict[str, str]] = shipped_table("cultures")["titles"]
"""Titles that are something else in other languages, with the gender that they imply, by the culture."""
_GIVEN_NAMES = word_list_of("called_like_given_names")
_LISTS = {
    "verbs": "verbs_of_people",
    "women": "kin_of_women",
    "men": "kin_of_men",
    "both": "kin_of_both",
}
_PATTERNS = shipped_patterns(
    "english_contexts",
    "around_names",
    **{piece: "|".join(word_list_of(name)) for piece, name in _LISTS.items()},
)


@dataclass(slots=True)
class _Persona:
    """A person's case-folded names with their made-up ones; ``order`` has given names first.

    The made-up names have ``culture``; the names themselves have ``origin``.
    """

    order: list[str]
    fakes: dict[str, str]
    gender: str
    culture: str
    origin: str
    latin: bool
    known: Mapping[str, str]


class FakePeople:
    """Makes surrogates for a document's people.

    Args:
        draw: the keyed choices.
        document: the document.
        registry: the forbidden words.
        decisions: the document's decisions, which tell where else people are named.
        usual: the culture of its language.
        keeps_culture: whether a name is replaced by one from its own culture, or by one from
            ``usual``.
        known: made-up people from other documents; those of this one are added.
    """

    def __init__(
        self,
        draw: Draw,
        document: Document,
        registry: Taken,
        decisions: Sequence[Decision] = (),
        usual: str = DEFAULT,
        *,
        keeps_culture: bool = True,
        known: KnownIdentities | None = None,
    ) -> None:
        self._usual = usual
        self._keeps_culture = keeps_culture
        self._titles_of_language = _TITLES_OF.get(usual, {})
        self._draw = draw
        self._document, self._taken = document, registry
        self._entities = tuple(
            decision.entity for decision in decisions if decision.entity.type is SemanticType.PERSON
        )
        self._owners = {
            mention.span: entity for entity in self._entities for mention in entity.mentions
        }
        self._spans = sorted(self._owners)
        letters = [sign for sign in document.text[:_LETTERS] if sign.isalpha()]
        latin = sum(map(is_latin, letters))
        self._latin = latin >= _MANY_LETTERS and latin >= _CLEAR * len(letters)
        self._language = usual[:2]
        surfaces = (titled(document.text, span).of(document.text) for span in self._spans)
        self._inflections = inflections_of(frozenset(map(str.casefold, surfaces)), self._language)
        self._personas: dict[str, _Persona | None] = {}
        self._surnames: dict[str, str] = {}
        self._known = known = known or KnownIdentities()
        self._known_surnames: dict[str, str] = {}
        self._others: set[str] = set()
        for other in known.others:
            self._known_surnames |= other.surnames
            self._others |= {*map(fold_text, (*other.names.values(), *other.surnames.values()))}

    def fakes(self) -> list[dict[str, str]]:
        """Return, for each certain person in the document, the made-up names by case-folded real name."""
        certain = filter(self.is_person, self._entities)
        return [persona.fakes for persona in map(self._persona_of, certain) if persona is not None]

    def is_person(self, entity: Entity) -> bool:
        """Return whether an entity is certainly a person, by its strings or by their context."""
        text = self._document.text
        spans = [mention.span for mention in entity.mentions]
        named = [one for one in spans if self._language != "en" or self._stands_like_name(one)]
        # Whatever else is called Ruby or Lorraine, "my kids Lorraine and Ruby, 9" are people.
        return (
            self._is_sure(entity)
            or is_person({one.of(text) for one in named}, named=True)
            or any(self._is_relative(one) and _is_listed(one.of(text)) for one in spans)
        )

    def _is_relative(self, span: Span) -> bool:
        """Return whether a word for kin stands before a mention, or an age behind it."""
        kin = _PATTERNS["kin_before"].search(
            self._document.text, max(0, span.start - _NEAR // 4), span.start
        )
        return bool(kin or _PATTERNS["aged"].match(self._document.text, span.end))

    def _is_sure(self, entity: Entity) -> bool:
        return is_person({mention.span.of(self._document.text) for mention in entity.mentions})

    def _stands_like_name(self, span: Span) -> bool:
        """Return whether a mention is next to certain people, kin or a salutation, before a verb about people, or on a line of its own."""
        text = self._document.text
        place = bisect_right(self._spans, span) - 1
        before, after = self._spans[:place][-1:], self._spans[place + 1 :][:1]
        gaps = [
            text[one.end : other.start]
            for pair in ([*before, span], [span, *after])
            for one, other in pairwise(pair)
            if self._is_sure(self._owners[one if other == span else other])
        ]
        line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
        greeting = line.strip().casefold()
        nearest = text[max(0, span.start - _NEAR // 4) : span.start]
        return (
            any(map(_JOINED.fullmatch, gaps))
            or _PATTERNS["called"].search(nearest) is not None
            or self._is_relative(span)
            or _PATTERNS["does"].match(text, span.end) is not None
            or gaps == [", ", ", "]
            or greeting in _GREETINGS
            or (not greeting and _PATTERNS["end_of_line"].match(text, span.end) is not None)
        )

    def has_name_in(self, string: str) -> bool:
        """Return whether a lowercase string contains a person's name."""
        inside = [name for fakes in self.fakes() for name in fakes if len(name) >= _SHORTEST_INSIDE]
        return _USER_NAME.fullmatch(string) is not None and any(name in string for name in inside)

    def surname(self, folded: str) -> str | None:
        """Return the made-up surname for a surname of a person in the document."""
        self.fakes()
        return self._surnames.get(folded)

    def _inflected(self, span: Span) -> InflectedName | None:
        """Return the name at a span in the nominative, if it is in another case."""
        return self._inflections.get(titled(self._document.text, span).of(self._document.text))

    def write(self, entity: Entity, span: Span) -> str | None:
        """Return the made-up name in the form and case of the string at ``span``, or None if there is none."""
        string = span.of(self._document.text)
        persona = self._persona_of(entity)
        if persona is None:
            return None
        if string.isalpha() and string.isupper() and len(string) <= _MOST_INITIALS:
            initials = fold_text(string)
            owner = self._with_initials(initials)
            unlisted = len(initials) > 1 and not is_name(initials, latin=True)
            if owner is None and unlisted and sum(map(bool, persona.order)) == 1:
                return like(string, self._draw.source("initials", initials))
            persona = owner or persona
        if self._latin and not is_latin(string):
            return None  # Its transcription next to it would be of another name.
        if SPACELESS.fullmatch(string):
            return _without_spaces(string, persona)
        if _is_handle(string, persona):
            source = self._draw.source("handle", string)
            return user_name(string, source, [persona.fakes, *self.fakes()], persona.culture)
        if not has_form_of_name(string):
            return None
        return self._name(string, persona, self._inflected(span))

    def _with_initials(self, letters: str) -> _Persona | None:
        """Return the first person with these initials."""
        personas = filter(None, map(self._persona_of, self._entities))
        owners = (one for one in personas if "".join(name[:1] for name in one.order) == letters)
        return next(owners, None)

    def _persona_of(self, entity: Entity) -> _Persona | None:
        if entity.id not in self._personas:
            self._personas[entity.id] = self._persona(entity)
        return self._personas[entity.id]

    def _persona(self, entity: Entity) -> _Persona | None:
        spans = {mention.span.of(self._document.text): mention.span for mention in entity.mentions}
        inflected = {string: form for string in spans if (form := self._inflected(spans[string]))}
        strings = sorted(spans)
        spoken = [name for name in strings if not _HANDLE.fullmatch(name) or is_initial(name)]
        spoken = spoken or [_NO_LETTERS.sub(" ", string) for string in strings]
        called = [
            self._without_office(
                " ".join(inflected[string].words) if string in inflected else string
            )
            for string in spoken
        ]
        parsed = [parse for *_, name in called if (parse := parse_name(name))]
        parsed = [name for name in parsed if not all(map(is_role, name.tokens))] or parsed
        fullest = max(parsed, key=_fullness, default=None)
        key = (
            " ".join(fullest.tokens) if inflected and fullest else canonical(self._document, entity)
        )
        if fullest is None:
            order = ["", key[0] if SPACELESS.fullmatch(key) else key]
        else:
            formal = any(surname for _, surname, _ in called)
            order = self._order(entity, fullest, parsed, spoken, formal=formal)
        around = tuple(self._around(entity))
        origin = culture_of(" ".join(strings), order[:-1], order[-1], around, self._usual)
        culture = origin if self._keeps_culture else self._usual
        titles = (
            *(name.gender for name in parsed),
            *(gender for gender, *_ in called),
            *(name.gender for name in inflected.values()),
        )
        # A couple's name is in the masculine form or the plural: Mr and Mrs Petrov.
        families = any(name.case.startswith(PLURAL) for name in inflected.values())
        couple = families or any(not CONNECTED.isdisjoint(string.split()) for string in strings)
        title = next(filter(None, titles), "")
        gender = "" if couple else title or self._gender(entity, order, origin)
        made = self._known.people.get(entity.id)
        if made is not None:
            gender, culture = made.gender, made.culture
        known = {} if made is None else made.names
        blank = _Persona(order, {}, gender, culture, origin, is_latin(" ".join(strings)), known)
        persona = self._with_fakes(blank, key)
        if persona is not None:
            self._add_short_forms(persona, parsed)
            surnames = {
                name: self._surnames[name] for name in persona.fakes if name in self._surnames
            }
            self._known.people[entity.id] = MadeUpPerson(gender, culture, persona.fakes, surnames)
        return persona

    def _order(
        self,
        entity: Entity,
        fullest: PersonName,
        parsed: Sequence[PersonName],
        spoken: Sequence[str],
        *,
        formal: bool,
    ) -> list[str]:
        """Return the names of a person in order, the surname last."""
        has_title = formal or any(name.gender for name in parsed)
        # Pani Jadwiga: in Polish this title may precede a given name, as in German "seine Frau Inge".
        is_given = self._language in ("pl", "de") and is_common_given_name(fullest.surname)
        order = _in_order(fullest, titled=has_title and not is_given)
        if len(order) == 1 and not formal and self._is_familiar(entity, spoken):
            order = [*order, ""]
        alone = next((name for name in parsed if _is_given_name_alone(name, order)), None)
        if len(order) == 1 and alone is not None:
            order = [alone.surname, *order]
        return order

    def _with_fakes(self, blank: _Persona, key: str) -> _Persona | None:
        """Return a persona with made-up names, or None if none are left."""
        for number in range(_TRIES):
            persona = replace(blank, fakes={})
            again = f"\0{number}" if number else ""
            for place, name in enumerate(persona.order):
                surname = place == len(persona.order) - 1
                person = "" if surname else f"{key}\0{place}{again}"
                if name and not self._add(persona, name, person):
                    return None
            if not self._taken.is_somebodys(" ".join(persona.fakes.values())):
                return persona
        return None

    def _add_short_forms(self, persona: _Persona, parsed: Sequence[PersonName]) -> None:
        """Give other forms of the first given name short forms of the made-up one."""
        fake = persona.fakes.get(persona.order[0], "")
        forms = [form.capitalize() for form in short_forms(fold_text(fake))]
        short = next(filter(self._taken.is_free, forms), fake)
        for name in parsed:
            other = _in_order(name, titled=True)[0] if name.surname else ""
            given = other != name.surname or _is_given_name_alone(name, persona.order)
            if other and given and not is_initial(other):
                persona.fakes.setdefault(other, persona.known.get(other, short))

    def _is_title(self, word: str) -> bool:
        """Return whether a word before a name is a title; a capitalized given name isn't: Don Draper."""
        bare = _bare(word)
        is_name = bare in _GIVEN_NAMES and not word.islower()
        return bare in self._titles_of_language or (bare in FORMS_OF_ADDRESS and not is_name)

    def _without_office(self, string: str) -> tuple[str, bool, str]:
        """Return the gender that titles before a name imply, whether a surname follows, and the rest, case-folded."""
        words = string.split()
        titles: list[str] = []
        gender, formal = "", False
        while len(words) > 1 and (
            self._is_title(words[0])
            # Charge Nurse, School Nurse: part of the title.
            or (len(words) > 2 and self._is_title(words[1]) and is_role(_bare(words[0])))
        ):
            word = words.pop(0)
            bare = _bare(word)
            if bare in TITLES:
                titles.append(word)
            elif self._is_title(word):
                gender = gender or OFFICES.get(bare, self._titles_of_language.get(bare, ""))
            formal |= self._is_title(word) and bare not in BY_GIVEN_NAME
        rest = [*titles, *(word for word in words if not word.isdecimal())]
        return gender, formal, fold_text(" ".join(rest))

    def _is_familiar(self, entity: Entity, spoken: Sequence[str]) -> bool:
        """Return whether somebody is called by a given name: Uncle Wilf; her aunt, Wilf."""
        return any(self._is_relative(mention.span) for mention in entity.mentions) or any(
            _bare(word) in BY_GIVEN_NAME for name in spoken for word in name.split()[:-1]
        )

    def _around(self, entity: Entity) -> Iterator[str]:
        """Yield the text near the first mentions, then the beginning of the text."""
        text = self._document.text
        for mention in entity.mentions[:_FIRST]:
            start, end = mention.span.start, mention.span.end
            yield text[end : end + _NEAR]
            yield text[max(0, start - _NEAR // 2) : start]
        yield text[:_BEGINNING]

    def _gender(self, entity: Entity, order: list[str], culture: str) -> str:
        """Return the gender from the text, the given names, the other people, or a keyed draw."""
        given_names = order if not order[-1] else order[:-1]
        listed = next((gender for name in given_names if (gender := gender_of(name, culture))), "")
        votes = self._votes(entity)
        likeliest = max(sorted(votes), key=votes.__getitem__, default="")
        sure = any(map(is_common_given_name, given_names))
        if not sure and votes[likeliest] >= _KIN_VOTES and votes.total() == votes[likeliest]:
            return likeliest  # My sister-in-law Jaswinder, whatever the lists say.
        if listed or votes:
            return listed or likeliest
        if guess := next(filter(None, map(gender_of_ending, filter(None, given_names))), ""):
            return guess
        pronouns = [
            bool(match["f"])
            for match in _PATTERNS["pronoun"].finditer(self._document.text[:_LETTERS])
        ]
        if len(pronouns) >= _FEWEST_VOTES:
            return "f" if 2 * sum(pronouns) > len(pronouns) else "m"
        return self._draw.source("gender", canonical(self._document, entity)).choice("mf")

    def _votes(self, entity: Entity) -> Counter[str]:
        """Count each gender among the first pronouns after a name and the kinship words before it."""
        text = self._document.text
        votes: Counter[str] = Counter()
        for mention in entity.mentions[:_MOST_MENTIONS]:
            start, end = mention.span.start, mention.span.end
            kin = _PATTERNS["kin_before"].search(text, max(0, start - _NEAR // 4), start)
            if kin and kin.lastgroup:
                votes[kin.lastgroup] += _KIN_VOTES
            place = bisect_left(self._spans, Span(end, end + 1))
            following = next((span.start for span in self._spans[place : place + 1]), len(text))
            pronoun = _PATTERNS["pronoun"].search(text, end, min(end + _NEAR, following))
            if pronoun:
                votes["f" if pronoun["f"] else "m"] += 1
        return votes

    def _add(self, persona: _Persona, name: str, person: str) -> bool:
        """Give ``name`` a made-up one: a given name of ``person``, or the surname if that is empty.

        Each part of a double surname has its own, and a surname has one in the whole document.
        """
        of_men = name if person else as_borne(name, "m", persona.origin)
        if person and name in persona.known:
            persona.fakes[name] = persona.known[name]
            return True
        if not person and of_men in self._known_surnames:
            self._surnames.setdefault(of_men, self._known_surnames[of_men])
        if not person and of_men in self._surnames:
            surname = as_borne(self._surnames[of_men], persona.gender, persona.culture)
            persona.fakes |= {name: surname, of_men: surname}
            return True
        if not person and "-" in name.strip("-"):
            parts = [part for part in name.split("-") if part]
            if not all(self._add(persona, part, "") for part in parts):
                return False
            persona.fakes[name] = "-".join(persona.fakes[part] for part in parts)
            return True
        gender = persona.gender or (gender_of(name, persona.origin) if person else "")
        kind = gender, not person
        pool = options(persona.culture, persona.latin, *kind)
        length = 0 if is_initial(name) else len(name)
        matches = options(persona.culture, persona.latin, *kind, length)
        question = ("given", person) if person else ("surname", of_men)
        owner = f"given {person}" if person else f"surname {of_men}"
        candidates = self._draw.names(matches, pool, _TRIES, *question)
        free = (one for one in candidates if fold_text(one) not in self._others)
        fake = self._taken.first_free(free, owner)
        if fake is None:
            return False
        persona.fakes[name] = fake
        if not person:
            persona.fakes |= dict.fromkeys((of_men, as_borne(of_men, "f", persona.origin)), fake)
            self._surnames[of_men] = as_borne(fake, "m", persona.culture)
        return True

    def _name(
        self, string: str, persona: _Persona, inflected: InflectedName | None = None
    ) -> str | None:
        tokens = list(_TOKEN.finditer(string))
        parts: list[str] = []
        position = place = 0
        for number, token in enumerate(tokens):
            before, core, after = _CORE.fullmatch(token[0]).groups()  # type: ignore[union-attr]
            gap = string[position : token.start()]
            position = token.end()
            folded = inflected.words[number - len(tokens)] if inflected else fold_text(core)
            if not core:
                parts += [gap, token[0]]
                continue
            bare = folded.rstrip(".")
            last = number == len(tokens) - 1
            first = not (last or after.startswith(","))
            if (first and (self._is_title(core) or core in CONNECTED)) or (
                number and (bare in SUFFIXES or (before == "(" and bare in TITLES))
            ):
                output = core
            elif core.isdecimal():
                output = like(core, self._draw.source("number", core))
            elif core.isupper() and bare == "".join(name[:1] for name in persona.order):
                output, place = _initials(core, persona, 0)
            elif folded in SMALL and folded not in persona.fakes and not last:
                continue
            elif not is_initial(folded) and folded not in persona.fakes and is_role(bare):
                if last:
                    return None
                output = core
            elif is_initial(folded):
                output, place = _initials(core, persona, place)
            elif folded not in persona.fakes and _is_of_office(
                folded, tokens[number + 1 :], persona
            ):
                return None
            else:
                fake = self._part(folded, persona, place, last=_is_last(tokens, number))
                if fake is None:
                    return None
                if inflected and (last or self._language == "pl"):
                    fake = declined(fake, persona.gender, inflected.case, self._language)
                shortened = core.endswith(".") and not last
                output = cased(fake[0] + "." if shortened else fake, core)
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
        # Another form of a given name: Bob for Robert.
        if place < len(persona.order) - 1 and persona.order[place] in fakes:
            return fakes[persona.order[place]]
        return fakes[folded] if self._add(persona, folded, f"{persona.order}\0{folded}") else None


def _bare(word: str) -> str:
    return fold_text(word).rstrip(".")


def _is_listed(string: str) -> bool:
    folded = fold_text(string)
    return is_name(folded, latin=True) or is_common_given_name(folded)


def _is_handle(string: str, persona: _Persona) -> bool:
    """Return whether a string is a user name: it has an @ before it, or contains a name of the person."""
    folded = fold_text(string)
    small = string.isalpha() and string.islower() and folded not in persona.fakes
    if not (small or _HANDLE.fullmatch(string)) or is_initial(folded):
        return False
    names = [name for name in persona.fakes if len(name) >= _SHORTEST_INSIDE]
    return string.startswith("@") or any(name in folded for name in names)


def _fullness(name: PersonName) -> tuple[int, int, tuple[str, ...]]:
    full_tokens = [token for token in name.tokens if not is_initial(token)]
    return len(full_tokens), len("".join(name.tokens)), name.tokens


def _in_order(name: PersonName, *, titled: bool) -> list[str]:
    """Return given names, then the surname, which is empty if there is only a given name.

    Args:
        name: the fullest name.
        titled: whether the person has a title such as Mr, so that a single name is the surname.
    """
    if not name.surname:
        return [*name.initials]
    if not name.given and is_given_name(name.surname) and not titled:
        return [name.surname, ""]
    if len(name.given) == 1 and is_korean(name.given[0], name.surname):
        return [name.surname, name.given[0]]
    # Words before a title inside the name belong to the office: Employment Judge Rawnsley.
    titles = [place for place, word in enumerate(name.given) if word.rstrip(".") in TITLES]
    given_names = name.given[titles[-1] + 1 :] if titles else name.given
    return [*(given for given in given_names if given not in SMALL | _AND), name.surname]


def _is_given_name_alone(name: PersonName, order: Sequence[str]) -> bool:
    """Return whether a name is one word that is more likely another given name of a person than the surname."""
    if not name.surname or name.given or name.gender:
        return False
    like_given, like_surname = (
        Levenshtein.normalized_similarity(name.surname, part) for part in (order[0], order[-1])
    )
    if len(order) == 1 or not order[-1]:
        listed = is_name(name.surname, latin=True)
        return like_surname < _ALIKE and listed and is_given_name(name.surname)
    return like_surname < _ALIKE or like_given > like_surname


def _is_of_office(folded: str, rest: Sequence[re.Match[str]], persona: _Persona) -> bool:
    """Return whether an unknown word comes before a title, or is a whole mention but unlike a person's name."""
    if any(fold_text(token[0]).rstrip(".") in TITLES for token in rest):
        return True
    similarity = Levenshtein.normalized_similarity(folded, persona.order[-1])
    return not rest and len(persona.order) == 1 and similarity < _ALIKE


def _is_last(tokens: list[re.Match[str]], number: int) -> bool:
    """Return whether no other name follows; the name before a comma is the surname."""
    if tokens[number][0].endswith(",") and number == 0:
        return True
    comma = tokens[0][0].endswith(",") and len(tokens) > 1
    rest = (fold_text(token[0]) for token in tokens[number + 1 :])
    return not comma and all(
        word.strip(".,") in SUFFIXES or (word[0] == "(" and word.strip("().") in TITLES)
        for word in rest
    )


def _initials(core: str, persona: _Persona, place: int) -> tuple[str, int]:
    """Return initials of the made-up names, and the index of the next name."""

    def instead(match: re.Match[str]) -> str:
        nonlocal place
        letter = fold_text(match[0])
        places = range(place, len(persona.order))
        at = next((i for i in places if persona.order[i][:1] == letter), place)
        name = persona.order[min(at, len(persona.order) - 1)]
        place = at + 1
        fake = persona.fakes.get(name, next(iter(persona.fakes.values())))
        return fake[0].upper() if match[0].isupper() else fake[0].lower()

    return _LETTER.sub(instead, core), place


def _without_spaces(string: str, persona: _Persona) -> str | None:
    """Return a name in a script without spaces, with the surname first."""
    surname = persona.fakes.get(persona.order[-1])
    if surname is None:
        return None
    pool = names(persona.culture, latin=False).given(persona.gender)
    return surname if len(string) == 1 else surname + pool[len(surname + string) % len(pool)]
