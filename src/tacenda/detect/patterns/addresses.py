"""Street addresses: English forms, those of other European languages, and PO boxes.

An address goes on over the town where a postcode ends it or follows the house number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Hit, alternation
from .dates import MONTH_NAMES

# Postcodes with a form of their own: United Kingdom, Netherlands, Canada, Poland, US with state.


UNITED_KINGDOM = r"(?:GIR 0AA|[A-PR-UWYZ][A-HK-Y]?[0-9][0-9A-HJKMNPR-Y]? [0-9][ABD-HJLNP-UW-Z]{2})"
CANADA = r"[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
STATES = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]"
    r"|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY])"
)
UNITED_STATES = rf"{STATES},? [0-9]{{5}}(?:-[0-9]{{4}})?"

_CAPITAL = re.compile(
    r"[A-Z](?<!\w.)(?:(?<=[A-PR-UWYZ])[A-HK-Y]?[0-9][0-9A-HJKMNPR-Y]? [0-9][ABD-HJLNP-UW-Z]{2}"
    r"|(?<=[ABCEGHJ-NPRSTVXY])[0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
    r"|(?P<zip>[A-Z],? [0-9]{5}(?:-[0-9]{4})?))(?!\w|[-/][0-9])"
)
_STATE = re.compile(STATES)
# A town follows: 1012 AB Amsterdam, 00-950 Warszawa. Laws have numbers such as 1995 EC as well.
_DIGIT = re.compile(
    r"[0-9](?<![\w-][0-9])(?<![./][0-9])(?:(?<=[1-9])[0-9]{3} ?(?!S[ADS]|UK|EU|US|EC|FA|AD|BC|UN|TV|AM|PM)[A-Z]{2}|[0-9]-[0-9]{3})"
    r"(?=,?\s[A-ZŁŚŻ][a-zł]{2})"
)


_ANNOUNCED = re.compile(
    r"(?:ZIP|Zip|zip|[Pp]ost(?:al)?\s?code|Postleitzahl|PLZ|CAP)(?:\s[Cc]ode)?(?:\sis|\s?[:=])?\s"
    r"(?P<code>[0-9]{2,5}(?:[ -][0-9]{2,4})?)(?![\w]|[.,][0-9])"
)


def find_postcodes(text: str) -> Iterator[Hit]:
    """Yield postcodes (kind ``postcode``)."""
    for match in _CAPITAL.finditer(text):
        if match["zip"] is None or _STATE.match(text, match.start()):
            yield Hit(match.start(), match.end(), "postcode")
    for match in _ANNOUNCED.finditer(text):
        yield Hit(match.start("code"), match.end("code"), "postcode")
    for match in _DIGIT.finditer(text):
        yield Hit(match.start(), match.end(), "postcode")


# Words for street in English and in other European languages.


ENGLISH = (
    "Street|Str|St|Road|Rd|Avenue|Ave|Av|Lane|Ln|Drive|Dr|Close|Court|Ct|Crescent|Cres|Gardens|Gdns"
    "|Grove|Hill|Mews|Parade|Park|Place|Pl|Row|Square|Sq|Terrace|Walk|Way|Boulevard|Blvd|Circle|Cir"
    "|Highway|Hwy|Parkway|Pkwy|Quay|Rise|View|Wharf|Green|Broadway|Embankment|Alley|Trail|Vale|Yard"
)
"""After the name, the house number before it: ``12 Baker Street``. For use inside a group."""

_OF_THEIR_OWN = (
    "rue avenue boulevard quai chemin via viale piazza corso calle avenida plaza rua praça strada "
    "ulica aleja"
).split()
BEFORE_NAME = (
    *("ul. ", "al. ", "pl. ", "os. ", "Ul. ", "Al. ", "Pl. ", "C/ ", "Avda. ", "str. ", "Str. "),
    *("Am ", "An der ", "Auf dem ", "Im ", "Unter den ", "Zum ", "Zur "),
    *(f"{word} " for word in _OF_THEIR_OWN),
    *(f"{word.capitalize()} " for word in _OF_THEIR_OWN),
)
"""Before the name, the house number after it: ``ul. Marszałkowska 12/4``, ``Via Roma 5``."""

END_OF_NAME = (
    *("straße", "strasse", "Straße", "Strasse", "str.", "Str.", "weg", "Weg", "platz", "Platz"),
    *("allee", "Allee", "gasse", "Gasse", " Ring", "dring", "tring", "damm", "ufer", "chaussee"),
    *("straat", "laan", "plein", "gracht", "skade", "nkade", "dijk", "singel"),
    *(
        "gatan",
        "vägen",
        "gata",
        "sgate",
        " gate",
        "veien",
        "vej",
        "katu",
        "rgade",
        "egade",
        "sgade",
    ),
    *("Caddesi", "Sokak", "Sokağı", "Bulvarı", "Cad.", "Sok.", "utca", "út", "körút"),
)
"""End of the name, the house number after it: ``Hauptstraße 5``, ``Keizersgracht 100``."""


_UPPER = "A-ZÀ-ÖØ-ÞĀČĆĎĐĘĚĞĪİŁŃŇŐŘŚŞŠŤŮŰŹŻŽ"
_NAME = rf"[{_UPPER}](?:\w{{0,1}}\.(?:-[{_UPPER}]\w{{0,20}})?|[\w'’-]{{0,24}})"
_LINK = r"(?:de|du|des|della|delle|dei|del|di|da|do|dos|la|las|los|le|les|gen|św|ks|dr|płk)"
_NAMES = rf"(?:(?:{_LINK}\.?\s|[dl]['’]){{0,3}}{_NAME}(?:\s(?:{_NAME}|{_LINK}|und|y|e)){{0,3}})"
_HOUSE = (
    r"[0-9]{1,5}(?:\s?[a-zA-Z](?!\w))?(?:\s?[-/]\s?[0-9]{1,4}[a-zA-Z]?)?(?!\w|[.,:][0-9])"
    r"(?:\sm\.\s?[0-9]{1,4})?"
)
_FLAT = r"(?:[Aa]pt|[Aa]partment|[Ff]lat|[Uu]nit|[Ss]uite|[Ss]te|[Rr]oom|#)\.?\s?#?[0-9A-Z][0-9A-Za-z-]{0,5}"

_ENGLISH = re.compile(
    r"[0-9](?<!\w[0-9])(?<![./,§-][0-9])[0-9]{0,4}[A-Za-z]?(?:\s?[-/–]\s?[0-9]{1,5}[A-Za-z]?)?,?\s"
    rf"(?:[NSEW]\.?\s)?(?:(?:{_NAME}|[0-9]{{1,3}}(?:st|nd|rd|th))\s){{1,4}}?"
    rf"(?:{ENGLISH})(?!\w)(?:\.(?=,|\s[A-Z0-9]))?(?:,?\s{_FLAT})?"
)
_FLAT_FIRST = re.compile(
    r"(?:Flat|Apartment|Apt\.?|Unit|Suite|Room)\s[0-9]{1,4}[A-Za-z]?,\s(?=[0-9])"
)
_FRENCH = re.compile(
    r"[0-9](?<!\w[0-9])[0-9]{0,3}(?:\s?(?:bis|ter))?,?\s"
    rf"(?:rue|avenue|boulevard|place|quai|chemin|impasse|allée|cours|route)\s{_NAMES}"
)
_HOUSE_LAST = re.compile(rf"[0-9](?<=\s[0-9])(?<=(?=({_HOUSE})).)")
_NUMBER_WORD = re.compile(r"(?:,?\s(?:[Nn]o\s?[.:]?|[nN][.°º]?)|,)\Z")
_WORD_FIRST = re.compile(rf"(?<!\w){alternation(BEFORE_NAME)}\s?{_NAMES}\Z")
_NAME_FIRST = re.compile(rf"(?<!\w)(?:{_NAME}\s){{0,3}}[\w'’.-]{{1,30}}\Z")
_BOX = re.compile(
    r"(?:P\.\s?O\.\s?Box|PO\s?Box|P\.O\.B\.|Post(?:al)?\s(?:Office\s)?Box|Postfach|Postbus|BP|B\.P\."
    r"|Apartado|Casella\s[Pp]ostale)\s(?:[Nn]o\.?\s)?[0-9](?:[0-9]|\s(?=[0-9])){0,9}(?!\w)"
)
_TOWN = rf"{_NAME}(?:[\s-](?:{_NAME}|upon|am|an|der|de|la|le|sur|in)){{0,3}}"
_REST = re.compile(
    rf"(?:,?\s(?:{_TOWN},\s?){{0,2}}(?:{_TOWN},?\s)?(?:{UNITED_KINGDOM}|{CANADA}|{UNITED_STATES})"
    r"|,?\s(?:[A-Z]{1,2}-)?(?:[0-9]{4}\s[A-Z]{2}|[0-9]{3}\s[0-9]{2}|[0-9]{2}-[0-9]{3}"
    rf"|[0-9]{{4}}-[0-9]{{3}}|[0-9]{{4,6}}),?\s{_TOWN})(?!\w)"
)
_LONGEST_STREET = 70
# Capitalised, and before a number more often than any street.
_NO_STREET = (*MONTH_NAMES, "Article", "Section", "Rule", "Law", "No.", "Protocol", "Act")


def find_addresses(text: str) -> Iterator[Hit]:
    """Yield street addresses and post-office boxes (kind ``street_address``)."""
    for start, end in _streets(text):
        rest = _REST.match(text, end)
        yield Hit(start, end if rest is None else rest.end(), "street_address")


def _streets(text: str) -> Iterator[tuple[int, int]]:
    flats = {match.end(): match.start() for match in _FLAT_FIRST.finditer(text)}
    for match in _ENGLISH.finditer(text):
        yield flats.get(match.start(), match.start()), match.end()
    for pattern in (_FRENCH, _BOX):
        for match in pattern.finditer(text):
            if not (match.start() and text[match.start() - 1].isalnum()):
                yield match.span()
    yield from _houses_last(text)


def _houses_last(text: str) -> Iterator[tuple[int, int]]:
    """Yield ``ul. Marszałkowska 12/4`` and ``Hauptstraße 5``: street first, house number last."""
    for house in _HOUSE_LAST.finditer(text):
        end = house.start() - 1
        if text[max(0, end - 1)] in ".:,oOn°º":
            number = _NUMBER_WORD.search(text, max(0, end - 6), end)
            end = number.start() if number else end
        word = max(text.rfind(" ", max(0, end - 30), end), text.rfind("\n", max(0, end - 30), end))
        lowest = max(0, end - _LONGEST_STREET)
        if text.endswith(END_OF_NAME, lowest, end):
            street = _NAME_FIRST.search(text, lowest, end)
            if street is not None and street[0][0].isupper():
                yield street.start(), house.end(1)
        elif text[word + 1].isupper() and not text.endswith(_NO_STREET, lowest, end):
            street = _WORD_FIRST.search(text, lowest, end)
            if street is not None:
                yield street.start(), house.end(1)


# Geographic coordinates: ``52.5200° N, 13.4050° E``, ``52°31′12″N 13°24′18″E``, decimal pairs.


_PRIME = r"\s?['’′]"
_SECOND = r"\s?(?:\"|”|″|''|’’|′′)"
_ANGLE = (
    rf"[0-9]{{1,3}}(?:\.[0-9]{{1,10}})?\s?(?:°|º|deg\b)"
    rf"(?:\s?[0-9]{{1,2}}(?:\.[0-9]{{1,8}})?{_PRIME}(?:\s?[0-9]{{1,2}}(?:\.[0-9]{{1,8}})?{_SECOND})?)?"
)
_DEGREES = re.compile(r"[0-9](?<![\w.][0-9])(?=[0-9.]{0,13}\s?(?:°|º|deg\b))")
_ANGLES = re.compile(
    rf"(?:{_ANGLE}\s?(?:[NSns]\b|north|south)\s?[,;/]?\s?(?:and\s)?{_ANGLE}\s?(?:[EWewOo]\b|east|west)"
    rf"|(?:{_ANGLE}),?\s(?:[NSEW]\s)?{_ANGLE}"
    rf"|{_ANGLE}\s?(?:[NSEW]\b|north\b|south\b|east\b|west\b))"
)
_LETTERS_FIRST = re.compile(
    r"[NS](?<!\w.)\s?[0-9]{1,2}(?:\.[0-9]{2,10}|°\s?[0-9.]{1,10}['’′]?(?:\s?[0-9.]{1,9}[\"”″])?)[,;/]?\s?"
    r"[EWO]\s?[0-9]{1,3}(?:\.[0-9]{2,10}|°\s?[0-9.]{1,10}['’′]?(?:\s?[0-9.]{1,9}[\"”″])?)"
)
# 52.52 N, 13.405 E, or two numbers of four decimals and more that could be latitude and longitude.
_PAIR = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][.,][0-9])(?P<rest>[0-9]{0,2}\.[0-9]{2,10})(?:"
    r"\s?[NS]\b[,;/]?\s?[0-9]{1,3}\.[0-9]{2,10}\s?[EWO]\b"
    r"|(?<=\.[0-9]{4})[0-9]{0,6}\s?[,;]\s?(?P<second>[+-]?[0-9]{1,3}\.[0-9]{4,10})(?![\w%]|\.[0-9]))"
)


def find_coordinates(text: str) -> Iterator[Hit]:
    """Yield positions on the earth (kind ``coordinates``)."""
    if "°" in text or "º" in text or " deg" in text:
        for degrees in _DEGREES.finditer(text):
            match = _ANGLES.match(text, degrees.start())
            if match is not None:
                yield Hit(match.start(), match.end(), "coordinates")
    for match in _LETTERS_FIRST.finditer(text):
        yield Hit(match.start(), match.end(), "coordinates")
    for match in _PAIR.finditer(text):
        start, second = match.start(), match["second"]
        if second is not None:
            if float(text[start] + match["rest"]) > 90 or abs(float(second)) > 180:
                continue
            start -= bool(start and text[start - 1] in "+-")
        yield Hit(start, match.end(), "coordinates")
