"""Street addresses: English forms, forms of other European languages, and PO boxes.

An address includes the town if a postcode ends it or follows the house number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...shipped import shipped_table
from .base import Hit, alternation
from .dates import MONTH_NAMES
from .postcodes import CANADA, UNITED_KINGDOM, UNITED_STATES

# Words for streets in English and other European languages.


_WORDS = shipped_table("word_lists")
ENGLISH = "|".join(_WORDS["streets_after_name"])
"""After the name, the house number before it: ``12 Baker Street``. For use inside a group."""
BEFORE_NAME: list[str] = _WORDS["streets_before_name"]
"""Before the name, the house number after it: ``ul. Marszałkowska 12/4``, ``Via Roma 5``."""
END_OF_NAME: tuple[str, ...] = tuple(_WORDS["streets_end_of_name"])
"""End of the name, the house number after it: ``Hauptstraße 5``, ``Keizersgracht 100``."""


_UPPER = "A-ZÀ-ÖØ-ÞĀČĆĎĐĘĚĞĪİŁŃŇŐŘŚŞŠŤŮŰŹŻŽ"
_STREET_NAME = rf"[{_UPPER}](?:\w{{0,1}}\.(?:-[{_UPPER}]\w{{0,20}})?|[\w'’-]{{0,24}})"
_LINK = r"(?:de|du|des|della|delle|dei|del|di|da|do|dos|la|las|los|le|les|gen|św|ks|dr|płk)"
_NAMES = rf"(?:(?:{_LINK}\.?\s|[dl]['’]){{0,3}}{_STREET_NAME}(?:\s(?:{_STREET_NAME}|{_LINK}|und|y|e)){{0,3}})"
_HOUSE = (
    r"[0-9]{1,5}(?:\s?[a-zA-Z](?!\w))?(?:\s?[-/]\s?[0-9]{1,4}[a-zA-Z]?)?(?!\w|[.,:][0-9])"
    r"(?:\sm\.\s?[0-9]{1,4})?"
)
_FLAT = r"(?:[Aa]pt|[Aa]partment|[Ff]lat|[Uu]nit|[Ss]uite|[Ss]te|[Rr]oom|#)\.?\s?#?[0-9A-Z][0-9A-Za-z-]{0,5}"

_ENGLISH = re.compile(
    r"[0-9](?<!\w[0-9])(?<![./,§-][0-9])[0-9]{0,4}[A-Za-z]?(?:\s?[-/–]\s?[0-9]{1,5}[A-Za-z]?)?,?\s"
    rf"(?:[NSEW]\.?\s)?(?:(?:{_STREET_NAME}|[0-9]{{1,3}}(?:st|nd|rd|th))\s){{1,4}}?"
    rf"(?:{ENGLISH})(?!\w)(?:\.(?=,|\s[A-Z0-9]))?(?:,?\s{_FLAT})?"
)
# Without a word for a street, or in lowercase: only after a word that announces an address.
_LED_TO = (
    r"(?:(?<=\b[Aa]t )|(?<=\bto )|(?<=\bof )|(?<=\bfrom )|(?<=ddress )|(?<=ddress: )|(?<=\bnear ))"
)
_PLAIN = re.compile(
    rf"{_LED_TO}[0-9]{{1,3}}[A-Za-z]?\s(?:The\s{_STREET_NAME}(?:\s{_STREET_NAME})?(?!\w)"
    r"|(?:[a-z]{2,15}\s){1,2}(?:street|st|road|rd|avenue|ave|lane|close|drive|crescent|terrace|gardens|grove|court)\b)"
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
# The lines above an address contain the addressee.
_NAME_FIRST = re.compile(rf"(?<!\w)(?:{_STREET_NAME}[^\S\n]){{0,3}}[\w'’.-]{{1,30}}\Z")
_BOX = re.compile(
    r"(?:P\.\s?O\.\s?Box|PO\s?Box|P\.O\.B\.|Post(?:al)?\s(?:Office\s)?Box|Postfach|Postbus|BP|B\.P\."
    r"|Apartado|Casella\s[Pp]ostale)\s(?:[Nn]o\.?\s)?[0-9](?:[0-9]|\s(?=[0-9])){0,9}(?![\w/])"
)
_TOWN = rf"{_STREET_NAME}(?:[\s-](?:{_STREET_NAME}|upon|am|an|der|de|la|le|sur|in)){{0,3}}"
_REST_OF_ADDRESS = re.compile(
    rf"(?:,?\s(?:{_TOWN},\s?){{0,2}}(?:{_TOWN},?\s)?(?:{UNITED_KINGDOM}|{CANADA}|{UNITED_STATES})"
    r"|,?\s(?:[A-Z]{1,2}-)?(?:[0-9]{4}\s[A-Z]{2}|[0-9]{3}\s[0-9]{2}|[0-9]{2}-[0-9]{3}"
    rf"|[0-9]{{4}}-[0-9]{{3}}|[0-9]{{4,6}}),?\s{_TOWN})(?!\w)"
)
_LONGEST_STREET = 70
# A name continues after a title on a different line from the number: a table cell, not a street.
_OVER_LINES = re.compile(r"[^\n]*\n[^\n]*(?:\n|\b(?:Dr|St)\Z)")
_NAME_BEHIND = re.compile(rf"\.?\s[{_UPPER}]")
# Capitalized, and before a number more often than any street.
_NO_STREET = (*MONTH_NAMES, "Article", "Section", "Rule", "Law", "No.", "Protocol", "Act")


def find_addresses(text: str) -> Iterator[Hit]:
    """Yield street addresses and post office boxes (kind ``street_address``)."""
    for start, end in _streets(text):
        rest = _REST_OF_ADDRESS.match(text, end)
        yield Hit(start, end if rest is None else rest.end(), "street_address")


def _streets(text: str) -> Iterator[tuple[int, int]]:
    flats = {match.end(): match.start() for match in _FLAT_FIRST.finditer(text)}
    for match in _ENGLISH.finditer(text):
        if not (_OVER_LINES.match(match[0]) and _NAME_BEHIND.match(text, match.end())):
            yield flats.get(match.start(), match.start()), match.end()
    for pattern in (_PLAIN, _FRENCH, _BOX):
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
