"""*Surrogate*: a made-up value of the same kind, indistinguishable from originals.

Only for names of people, their contacts, homes and dates, and only where the kind is certain
(``people``); anything else takes its tag, so no fact becomes another.

| type or kind | written |
|---|---|
| PERSON, surely a name | a name of the same culture and gender, in the same parts |
| e-mail, web, IP and MAC address | one of a domain or range kept for examples |
| telephone number of a country with numbers for fiction | one of these, in the same layout |
| card number, IBAN, with right check digits | one of no issuer, no bank, with right check digits |
| US SSN, UK NHS and National Insurance number | one of a range never given out |
| identity number without check digits, user name | one of the same form |
| street address, postcode, a name of towns of some size alone | a made-up one |
| DATETIME, surely a date | a date of the calendar in the same format, moved (``dates``) |
| ages, durations, times of day, ranges, decades, week days | tag |
| QUANTITY: doses, measurements, amounts | tag |
| ORG, DEM, MISC: bodies, nationalities, illnesses, drugs, languages, statutes, works | tag |
| countries, regions, other places, positions | tag |
| case numbers, licence plates, other national numbers: a valid one is somebody's | tag |
| numbers and dates of statutes, parts of longer numbers, numbers before a unit | tag |

Dates moved by one number of days a document keep their differences, and by these alone a document
is found again in a register: ``dates: jitter`` in the policy moves each by its own (``dates``).

The same entity has the same surrogate throughout a document and, under one key, in all documents
and runs, unless its surrogate stands in one of them already. No surrogate is or holds the original
string, a word of a name masked in the document, or (for names) any word of it.

Replacing by values of the same kind follows Carrell et al., "Hiding in plain sight" (2012): a
reader can't tell an overlooked name from a surrogate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from ...document import Decision, Document, Entity, SemanticType, Span
from ...policy import DateMoving
from ...text.folding import normalize_text
from ..ontology import shipped
from ..ontology.linking import of_type
from ..ontology.store import ancestors, key_of
from ..tags import Tag
from . import numbers
from .dates import Moves, WrittenDate, month_comes_first, read_date
from .drawing import COMMON, DEFAULT, Draw, Taken, culture_of, gives_away, names
from .numbers import like, phone
from .people import (
    People,
    is_common,
    is_identity_number,
    is_measured,
    is_of_statute,
    is_part_of_date,
    is_person,
    is_thing,
)

# Homes: street addresses, postcodes, towns and villages; no other place.
#
# | original | becomes |
# |---|---|
# | ``12 Baker Street`` · ``Flat 3, 12 Baker Street, Leeds LS1 4AP`` · ``ul. Marszałkowska 12`` | ``57 Kirkby Street`` … |
# | a postcode, by its pattern | another of the same form |
# | ``Drammen``, a town of 10,000 people and more in every sense of its name | ``Marlowton`` |
#
# Made-up places are a surname with an ending of English places, so hardly any of them
# exists. A possible name of a country or a region is none of these, nor is an address with one.

_WORD = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_ENDINGS = ("ton", "ford", "bury", "ham", "wick", "field", "mouth", "ley", "stead", "worth")
_STREET = re.compile(
    r"(?:(?:Flat|Apartment|Apt\.?|Unit|Suite|Room) [0-9]{1,4}[A-Za-z]?, ?)?"
    r"[0-9]{1,5}[A-Za-z]?,? (?:[NSEW]\.? )?(?:[^\W\d_][\w'’-]*\.? ){1,4}"
    r"(?:Street|Road|Avenue|Lane|Drive|Close|Court|Gardens|Hill|Place|Terrace|Way|Boulevard|Square"
    r"|St|Rd|Ave|Ln|Dr|Blvd)\.?"
)
_STREET_ENDING = re.compile(
    r"(?:stra(?:ß|ss)e|str\.?|gasse|weg|platz|allee|gata|gaten|vej|straat)$"
)
_KEPT = COMMON | frozenset(
    """flat apartment apt unit suite room ste box po p.o blvd dr ln drive rue avenue place quai
    chemin impasse allee cours route ul pl al calle via piazza rua plaza postfach""".split()
)
_NUMBERED = re.compile(r"(?=[^\W_]*[0-9])[^\W_]+")
_SETTLEMENTS = frozenset(("city", "town", "village", "hamlet", "big city"))
_KNOWN = 4.0
"""Weight of a town of 10,000 people: of smaller ones too many have the name of something else."""
_COUNTRIES = frozenset(("country", "U.S. state"))
_PLACE_TRIES = 60


class Places:
    """Surrogates of homes.

    Args:
        draw: the keyed choices.
        registry: the forbidden words.
    """

    def __init__(self, draw: Draw, registry: Taken) -> None:
        self._draw = draw
        self._taken = registry

    def write(self, string: str, kind: str) -> str | None:
        """Return another place in the form of ``string``; None unless it is surely a home.

        Args:
            string: of type LOC.
            kind: the pattern's own name for it; may be empty.
        """
        if kind == "postcode":
            return like(string, self._draw.source("postcode", normalize_text(string)))
        if kind == "street_address" or _STREET.fullmatch(string):
            return self._address(string)
        return self._town(string) if is_settlement(string) else None

    def _address(self, string: str) -> str | None:
        parts: list[str] = []
        position = 0
        for start, end in _names(string):
            name = string[start:end]
            ending = _STREET_ENDING.search(name)
            town = ending is None and "," in string[:start]
            if town and is_region(name):
                return None
            fake = self._town(name) if town else self._name(name)
            if fake is None:
                return None
            parts += [string[position:start], fake, ending[0] if ending else ""]
            position = end
        output = "".join([*parts, string[position:]])
        source = self._draw.source("numbers", normalize_text(string))
        return _NUMBERED.sub(lambda match: like(match[0], source), output)

    def _name(self, name: str) -> str | None:
        return self._chosen(name, _surnames(name), "street")

    def _town(self, name: str) -> str | None:
        surnames = _surnames(name)
        endings = self._draw.choices(
            _ENDINGS, len(surnames), "named", normalize_text(name), "ending"
        )
        towns = [f"{one.rstrip('aeiouy')}{end}" for one, end in zip(surnames, endings, strict=True)]
        return self._chosen(name, tuple(towns), "town")

    def _chosen(self, name: str, options: tuple[str, ...], kind: str) -> str | None:
        question = ("named", kind, normalize_text(name))
        single = self._draw.choices(options, _PLACE_TRIES, *question)
        pairs = zip(
            self._draw.choices(options, _PLACE_TRIES, *question, "first"),
            self._draw.choices(options, _PLACE_TRIES, *question, "second"),
            strict=True,
        )
        candidates = chain(single, (f"{first}-{second}" for first, second in pairs))
        return _cased(self._taken.first_free(candidates, " ".join(question)), name)


def is_settlement(name: str) -> bool:
    """Return whether a name is a well-known town's, no other place's and no word."""
    word = key_of(name)
    if word in COMMON or is_common(word) or is_thing(name):
        return False
    classes = _classes(name)
    best = max((sense.weight for sense in shipped().store.find(word)), default=0.0)
    return best >= _KNOWN and bool(classes) and all(group & _SETTLEMENTS for group in classes)


def is_region(name: str) -> bool:
    """Return whether a name may be a country's or a state's, or is of no town at all."""
    classes = _classes(name)
    return any(group & _COUNTRIES for group in classes) or (
        bool(classes) and not any(group & _SETTLEMENTS for group in classes)
    )


@lru_cache(maxsize=4096)
def _classes(name: str) -> list[frozenset[str]]:
    """Return the classes of each place of a name, with all above."""
    store = shipped().store
    senses, _ = of_type(store, store.find(key_of(name)), SemanticType.LOC, name)
    return [
        frozenset(store.classes[id].text for id in ancestors(store, sense.classes))
        for sense in senses
    ]


def _surnames(name: str) -> tuple[str, ...]:
    latin = re.search(r"[\u0370-\uffff]", name) is None
    culture = "en_GB" if latin else culture_of(name, (), normalize_text(name))
    return names(culture, latin=latin).male_surnames


def _names(string: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the names in an address: runs of words other than common ones."""
    start = end = -1
    for match in _WORD.finditer(string):
        word = normalize_text(match[0])
        numbered = any(map(str.isdigit, word))
        is_name = word not in _KEPT and not match[0].islower() and not numbered
        if is_name and start >= 0 and string[end : match.start()] in (" ", "-"):
            end = match.end()
        elif is_name:
            if start >= 0:
                yield start, end
            start, end = match.span()
        elif start >= 0:
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def _cased(fake: str | None, like_this: str) -> str | None:
    if fake is None:
        return None
    letters = "".join(filter(str.isalpha, like_this))
    if len(letters) > 1 and letters.isupper():
        return fake.upper()
    return fake.lower() if letters.islower() else fake


_EMAIL = re.compile(r"(?:mailto:)?[^\s@]+@[^\s@]+\.[^\s@]+", re.IGNORECASE)
_URL = re.compile(r"(?:[a-z]+://|www\.)\S+", re.IGNORECASE)
_MAC = re.compile(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}", re.IGNORECASE)
_HANDLE = re.compile(r"@[A-Za-z0-9_.]{2,}")
_PHONE = re.compile(r"(?:\+|0|\()[0-9 ()./-]{7,20}")
_BY_KIND: dict[str, Callable[..., str | None]] = {
    "email": numbers.email,
    "url": numbers.url,
    "phone": phone,
    "iban": numbers.iban,
    "card": numbers.card,
    "mac": numbers.mac,
    "ip": numbers.ip,
    "national_id": numbers.national,
    "identity_number": numbers.like,
    "user_name": numbers.like,
}
_OF_PLACES = frozenset(("postcode", "street_address"))
_NO_NAMES = frozenset((SemanticType.CODE, SemanticType.DATETIME))
_TRIES = 8
_LONGEST = 512  # Code points; nothing longer has a kind that could be made up.


class Surrogate:
    """Operator for made-up values.

    Args:
        key: the secret, at least 16 bytes (checked by the policy).
        document: their document; its dates move by numbers of its own.
        decisions: of the document, for its masked names.
        moving: how dates are moved, ``shift`` or ``jitter``.

    Raises:
        MissingExtraError: if Faker is not installed.
        ModelError: if the shipped ontology is missing or damaged.
    """

    joins = False
    by_string = True
    divides = False

    def __init__(
        self,
        key: bytes,
        document: Document,
        decisions: Sequence[Decision],
        moving: DateMoving = "shift",
    ) -> None:
        names(DEFAULT, latin=True)  # A missing extra is an error before anything is written.
        self._draw = Draw(key)
        self._taken = Taken(document, decisions)
        self._people = People(self._draw, document, self._taken)
        self._places = Places(self._draw, self._taken)
        selection = [item for item in decisions if item.masked and item.operator == "surrogate"]
        mentions = [mention for item in selection for mention in item.entity.mentions]
        self._kinds = {mention.span: mention.kind for mention in mentions if mention.kind}
        self._month_first = month_comes_first(document.text)
        dates = self._dates(document, selection)
        self._moves = Moves(self._draw, document.text, dates, moving)

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return a made-up value in the form of the string at ``span``, or the tag."""
        string = span.of(document.text)
        output = self._written(document, entity, span)
        if not output or gives_away(output, string) or self._taken.names_somebody(output):
            return Tag().write(document, entity, span)
        return output

    def _written(self, document: Document, entity: Entity, span: Span) -> str | None:
        string = span.of(document.text)
        if len(string) > _LONGEST:
            return None
        kind = self._kinds.get(span, "")
        if kind not in _BY_KIND:
            kind = _looks(string, entity.type) or kind
        if entity.type in _NO_NAMES and (
            is_measured(document.text, span) or is_of_statute(document.text, span)
        ):
            return None
        if kind in _BY_KIND:
            return self._coded(_BY_KIND[kind], string)
        match entity.type:
            case SemanticType.PERSON:
                strings = {mention.span.of(document.text) for mention in entity.mentions}
                if is_person(strings):
                    return self._people.write(entity, string)
                return self._coded(numbers.like, string) if _HANDLE.fullmatch(string) else None
            case SemanticType.DATETIME:
                date = self._date(document, span)
                return None if date is None else self._moves.date(date)
            case SemanticType.LOC:
                return self._places.write(string, kind)
            case SemanticType.CODE if kind in _OF_PLACES:
                return self._places.write(string, kind)
            case SemanticType.CODE if not kind and is_identity_number(string):
                return self._coded(numbers.coded, string)
        return None

    def _dates(self, document: Document, decisions: Sequence[Decision]) -> Iterator[WrittenDate]:
        for decision in decisions:
            if decision.entity.type is SemanticType.DATETIME:
                for mention in decision.entity.mentions:
                    date = self._date(document, mention.span)
                    if date is not None:
                        yield date

    def _date(self, document: Document, span: Span) -> WrittenDate | None:
        """Return the date at ``span``; None where it is none, or not one of a person's."""
        if self._kinds.get(span) == "statute_date":
            return None
        date = read_date(span.of(document.text).strip(), self._month_first)
        return date if date and not is_part_of_date(document.text, span, date) else None

    def _coded(self, make: Callable[..., str | None], string: str) -> str | None:
        """Return a code made of the characters of ``string``; equal codes stay equal."""
        plain = "".join(filter(str.isalnum, normalize_text(string)))
        if not plain:
            return None
        for number in range(_TRIES):
            code = make(string, self._draw.source("code", plain, str(number)))
            if code is None:
                return None
            if not gives_away(code, string) and not self._taken.names_somebody(code):
                return code
        return None


def _looks(string: str, type: SemanticType) -> str:
    """Return the kind of a string by its looks, without a detector's; of digits only a CODE."""
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
