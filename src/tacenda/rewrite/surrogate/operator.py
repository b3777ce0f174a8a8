"""The *surrogate* operator: a made-up value of the same kind, indistinguishable from originals.

Only if the kind is certain (``certainty``); anything else gets a tag, so that no fact turns into
another.

| type or kind | written |
|---|---|
| PERSON, surely a name | a name of the same culture (or that of the language, if the policy says so) and gender, in the same parts |
| e-mail address, user name | of the same parts, with the fake names of people of the text; in a domain kept for examples |
| web, IP and MAC address | one of a domain or range kept for examples |
| telephone number of a country with numbers for fiction | one of these, in the same layout |
| card number, IBAN, with right check digits | one of no issuer, no bank, with right check digits |
| US SSN, UK NHS and National Insurance number | one of a range never given out |
| identity number without check digits | one of the same form |
| licence plate | one of the same form, of letters never issued in Britain and Germany |
| street address, postcode | a made-up one |
| town of some size | another of its country and region, about as large |
| university · company with its legal form · court, hospital, school … of a town or a name | another of the kind and country |
| DATETIME, surely a date | a date of the calendar in the same format, moved (``dates``) |
| year of an event, a work or a law, date with its season | tag |
| ages, durations, times of day, ranges, decades, week days | tag |
| QUANTITY: doses, measurements, amounts | tag |
| other ORG, DEM, MISC: offices, nationalities, illnesses, drugs, languages, statutes, works | tag |
| countries, regions, other places | tag |
| case numbers, other national numbers: a valid one is a person's | tag |
| numbers and dates of statutes, parts of longer numbers, numbers before a unit | tag |

If all dates in a document moved by the same number of days, the document could be found in a
register by their differences alone. So each moves by its own number; ``dates: shift`` in the policy
moves all by the same one.

An entity has the same surrogate throughout a document and, under one key, in all documents and
runs, unless one of them already contains that surrogate. No surrogate equals or contains the
original string, a word of a name masked in the document, or (for names) any word of the document;
nor, if the policy has a ``background``, a name or value of a person in it. If a name leaves
something open, the text near it decides (nationality, pronouns, the country of a town), so the name
may have a different surrogate in another document.

Replacing values with others of the same kind follows Carrell et al., "Hiding in plain sight"
(2012): a reader can't tell an overlooked name from a surrogate.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...document import Decision, Document, Entity, SemanticType, Span
from ...policy.schema import DateMoving, NameCulture
from ...shipped import shipped_patterns
from ...text.normal_form import fold_text
from ...text.word_lists import SUFFIXES
from ..edits import BuiltInOperator
from ..identities import KnownIdentities
from ..tags import Tag
from . import numbers
from .certainty import (
    OFFICES,
    has_amount,
    is_identity_number,
    is_measured,
    is_of_birth,
    is_of_event,
    is_of_statute,
    is_part_of_date,
    is_role,
)
from .cultures import DEFAULT, USUAL
from .dates import Moves, WrittenDate, month_comes_first, names_weekday, read_date
from .drawing import Draw, Taken, gives_away, people_of, words_of
from .numbers import phone
from .organisations import Organisations, kinds_in
from .people import FakePeople
from .places import KEPT, Places, is_part_of_name

_EMAIL = re.compile(r"(?:mailto:)?[^\s@]+@[^\s@]+\.[^\s@]+", re.IGNORECASE)
_URL = re.compile(r"(?:[a-z]+://|www\.)\S+", re.IGNORECASE)
_MAC = re.compile(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}", re.IGNORECASE)
_HANDLE = re.compile(
    r"@[A-Za-z0-9_.]{2,}|(?=.*[0-9_.])[a-z][a-z0-9]*(?:[._-][a-z0-9]+){0,3}|[A-Z][a-z]+[0-9]{1,4}"
)
_PHONE = re.compile(r"(?:\+|0|\()[0-9 ()./-]{7,20}")
_PHONE_LABEL = shipped_patterns("english_contexts", "phones")["phone_label"]
_BY_KIND: dict[str, Callable[..., str | None]] = {
    "url": numbers.url,
    "phone": phone,
    "iban": numbers.iban,
    "card": numbers.card,
    "mac": numbers.mac,
    "ip": numbers.ip,
    "national_id": numbers.national,
    "identity_number": numbers.like,
    "licence_plate": numbers.plate,
}
_OF_PEOPLE: dict[str, Callable[..., str]] = {"email": numbers.email, "user_name": numbers.user_name}
_IN_ADDRESS = re.compile(r" ?,? {0,2}\n?")
_OF_PLACES = frozenset(("postcode", "street_address"))
_NO_NAMES = frozenset((SemanticType.CODE, SemanticType.DATETIME))
_KEPT = frozenset((*OFFICES, *KEPT, *SUFFIXES))
_TRIES = 8
_BEFORE = 24
_LONGEST = 512  # In code points; nothing longer is of a kind that can be made up.


class Surrogate(BuiltInOperator):
    """The operator that writes made-up values.

    Args:
        key: the secret, at least 16 bytes (checked by the policy).
        document: the document; its dates move by numbers of its own.
        decisions: the document's decisions, for its masked names.
        moving: how dates move, ``jitter`` or ``shift``.
        background: store of people whose names and values can't be surrogates.
        tag: what to write if no value is made up.
        text_language: language of most of the text.
        culture: culture of made-up names: each person's (``keep``) or the language's
            (``document``).
        known: made-up people from other documents.

    Raises:
        InputError: if there is no store at ``background``.
        ModelError: if the shipped ontology is missing or damaged.
    """

    by_string = True

    def __init__(
        self,
        key: bytes,
        document: Document,
        decisions: Sequence[Decision],
        moving: DateMoving = "jitter",
        background: Path | None = None,
        tag: Tag | None = None,
        text_language: str = "en",
        culture: NameCulture = "keep",
        known: KnownIdentities | None = None,
    ) -> None:
        self._tag = tag or Tag()
        self._draw = Draw(key)
        people = None if background is None else people_of(background)
        known = known or KnownIdentities()
        words = None if known.words is None else known.words()
        self._taken = Taken(document, decisions, people, words)
        self._usual = USUAL.get(text_language, DEFAULT)
        self._people = FakePeople(
            self._draw,
            document,
            self._taken,
            decisions,
            self._usual,
            keeps_culture=culture == "keep",
            known=known,
        )
        self._places = Places(self._draw, document, self._taken, self._usual)
        self._organisations = Organisations(
            self._draw, self._taken, self._places, self._people.surname
        )
        selection = [item for item in decisions if item.masked and item.operator == "surrogate"]
        mentions = [mention for item in selection for mention in item.entity.mentions]
        self._kinds = {mention.span: mention.kind for mention in mentions if mention.kind}
        self._places_of = sorted(
            (
                (item.entity, mention.span)
                for item in selection
                for mention in item.entity.mentions
                if mention.type is SemanticType.LOC or mention.kind in _OF_PLACES
            ),
            key=lambda part: part[1],
        )
        self._language = text_language
        self._month_first = month_comes_first(document.text, text_language)
        self._moves = self._moves_of(document, decisions, moving)

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return a made-up value in the form of the string at ``span``, or the tag."""
        if any(not self._made(document, *part) for part in self._address_around(document, span)):
            return self._tag.write(document, entity, span)
        return self._made(document, entity, span) or self._tag.write(document, entity, span)

    def _address_around(self, document: Document, span: Span) -> Sequence[tuple[Entity, Span]]:
        """Return the parts of the address that contains a stretch, or nothing if none does."""
        place = bisect_right(self._places_of, span, key=lambda part: part[1]) - 1
        if place < 0 or not self._places_of[place][1].overlaps(span):
            return ()
        first, last = place, place + 1
        while first and self._is_next(document, first):
            first -= 1
        while last < len(self._places_of) and self._is_next(document, last):
            last += 1
        parts = self._places_of[first:last]
        numbered = any(map(str.isdigit, document.text[parts[0][1].start : parts[-1][1].end]))
        return parts if numbered and len(parts) > 1 else ()

    def _is_next(self, document: Document, place: int) -> bool:
        """Return whether only a comma or a line end separates a place from the one before."""
        before, after = self._places_of[place - 1][1], self._places_of[place][1]
        return _IN_ADDRESS.fullmatch(document.text, before.end, after.start) is not None

    def _made(self, document: Document, entity: Entity, span: Span) -> str:
        """Return a made-up value in the form of the string at ``span``, or an empty string if there is none."""
        string = span.of(document.text)
        output = self._written(document, entity, span)
        kinds: Collection[str] = _KEPT
        if entity.type is SemanticType.ORG:
            kinds = kinds_in(string)
        elif entity.type is SemanticType.PERSON:
            kinds = _KEPT | set(filter(is_role, words_of(string)))
        if not output or gives_away(output, string) or self._taken.names_somebody(output, kinds):
            return ""
        return output

    def _written(self, document: Document, entity: Entity, span: Span) -> str | None:
        string = span.of(document.text)
        if len(string) > _LONGEST:
            return None
        kind = self._kinds.get(span, "")
        before = document.text[max(0, span.start - _BEFORE) : span.start]
        if not kind and entity.type is SemanticType.CODE and _PHONE_LABEL.search(before):
            kind = "phone"
        if kind not in _BY_KIND and kind not in _OF_PEOPLE:
            kind = _looks(string, entity.type) or kind
        if entity.type in _NO_NAMES and (
            is_measured(document.text, span) or is_of_statute(document.text, span)
        ):
            return None
        if kind in _BY_KIND:
            make = partial(phone, language=self._language) if kind == "phone" else _BY_KIND[kind]
            return self._coded(make, string)
        if kind in _OF_PEOPLE:
            return self._named(_OF_PEOPLE[kind], string)
        match entity.type:
            case SemanticType.PERSON:
                if self._people.is_person(entity):
                    return self._people.write(entity, span)
                if not _HANDLE.fullmatch(string):
                    return None
                return self._named(numbers.user_name, string)
            case SemanticType.DATETIME:
                date = self._date(document, span)
                return None if date is None else self._moves.date(date)
            case SemanticType.LOC if not has_amount(string):
                return self._places.write(span, kind)
            case SemanticType.ORG:
                if is_part_of_name(document.text, span):
                    return None
                return self._organisations.write(string)
            case SemanticType.CODE if kind in _OF_PLACES:
                return self._places.write(span, kind)
            case SemanticType.CODE if not kind and is_identity_number(string):
                return self._coded(numbers.coded, string)
            case SemanticType.CODE if self._people.has_name_in(string):
                return self._named(numbers.user_name, string)
        return None

    def _moves_of(
        self, document: Document, decisions: Sequence[Decision], moving: DateMoving
    ) -> Moves:
        dates_moved: list[WrittenDate] = []
        fixed: list[WrittenDate] = []
        births: list[WrittenDate] = []
        for decision in decisions:
            if decision.entity.type is not SemanticType.DATETIME:
                continue
            made_up = decision.masked and decision.operator == "surrogate"
            if decision.masked and not made_up:
                continue  # Another operator's replacement isn't a date in this text.
            for mention in decision.entity.mentions:
                date = self._date(document, mention.span)
                if date is None:
                    continue
                (dates_moved if made_up else fixed).append(date)
                if made_up and is_of_birth(document.text, mention.span):
                    births.append(date)
        return Moves(self._draw, document.text, dates_moved, moving, fixed, births)

    def _date(self, document: Document, span: Span) -> WrittenDate | None:
        """Return the date at ``span``, or None if it isn't one or isn't a person's."""
        if self._kinds.get(span) == "statute_date":
            return None
        string = span.of(document.text).strip()
        date = read_date(string, self._month_first, self._language)
        if date is not None and names_weekday(
            document.text[max(0, span.start - _BEFORE) : span.start]
        ):
            date = replace(date, on_weekday=True)
        if date is None or is_part_of_date(document.text, span, date):
            return None
        return None if is_of_event(document.text, span, date) else date

    def _named(self, make: Callable[..., str], string: str) -> str | None:
        """Return an address or user name made from people's made-up names."""
        return self._coded(partial(make, people=self._people.fakes(), culture=self._usual), string)

    def _coded(self, make: Callable[..., str | None], string: str) -> str | None:
        """Return a code in the form of ``string``; equal codes stay equal."""
        plain = "".join(filter(str.isalnum, fold_text(string)))
        if not plain:
            return None
        for number in range(_TRIES):
            code = make(string, self._draw.source("code", plain, str(number)))
            if code is None:
                return None
            if (
                not gives_away(code, string)
                and not self._taken.names_somebody(code)
                and not self._taken.is_somebodys(code)
            ):
                return code
        return None


def _looks(string: str, type: SemanticType) -> str:
    """Return the kind of a string by its form, if its detector gave none; digits must be a CODE."""
    if _EMAIL.fullmatch(string):
        return "email"
    if _URL.fullmatch(string):
        return "url"
    if _MAC.fullmatch(string):
        return "mac"
    if type is not SemanticType.CODE:
        return ""
    if _PHONE.fullmatch(string):
        return "phone"
    if numbers.is_card(string):
        return "card"
    return "iban" if numbers.is_iban(string) else ""
