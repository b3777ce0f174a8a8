"""Numbers of people's papers and accounts, by the words that announce them.

``passport no. X1234567``, ``ID card: AB 123456``, ``SSN 078-05-1120``, ``NHS number 943 476 5919``.
The words are evidence enough; no checksum is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .context import before
from .hit import Hit

_DIGIT = re.compile(r"[0-9](?<![0-9][0-9])")
_CODE = re.compile(
    r"(?:[A-Za-z]{1,5}[ ./-]?)?[0-9](?:[A-Za-z0-9]|[ ./-](?=[A-Z0-9]{0,3}[0-9])|[./-](?=[A-Z])){2,30}"
    r"(?:[ -][A-Z](?!\w))?(?!\w)"
)
_LETTERS_BEFORE = re.compile(r"(?<!\w)[A-Z]{1,5}[ ./-]?\Z|[A-Za-z]{1,5}\Z")
_MINIMUM = 4  # digits; what is shorter counts something or is no secret

_PAPERS = (
    r"passport|identity|identification|ID|social security|SSN|NHS|NINO|NIN|national insurance"
    r"|driv(?:ing|er['’]?s?['’]?) licen[cs]e|personal|personnel|tax(?:payer)?|TIN|UTR"
    r"|health(?: insurance)?|insurance|policy|membership|customer|client|patient|hospital|MRN"
    r"|medical record|employee|student|prisoner|service|bank account|account|sort|routing|reference|ref"
    r"|credit card|card|visa|residence permit|badge|PESEL|NIP|BSN|CPR|DNI|NIE|NIF|EGN|CNP|OIB|JMBG"
    r"|AHV|SVNR|PPS|CPF|SIN|steuer-?(?:id|nummer)|personnummer|VIN|IMEI|chassis|serial"
)
_THING = (
    r"(?: (?:cards?|book|document|account|register|record|policy|security|insurance"
    r"|identification|identity|reference|permit|code|ID|registration)){0,2}"
)
_ABBREVIATIONS = (
    "ID SSN NHS NINO NIN TIN UTR MRN PESEL NIP BSN CPR DNI NIE NIF EGN CNP OIB JMBG AHV SVNR PPS "
    "CPF SIN VIN IMEI"
).replace(" ", "|")
_NUMBER = r"(?:nos?\b\.?|numbers?\b|nr\b\.?|№|#|codes?\b)"
_ANNOUNCED = before(
    rf"\b(?:(?i:(?:{_PAPERS}){_THING}(?:\s\([a-z]{{2,6}}\))?\s?\(?(?:[:=]|{_NUMBER}(?:\s\([a-z]{{2,6}}\))?"
    rf"(?:\s(?:is|was|of)\b|\s?[:=])?))|(?:{_ABBREVIATIONS})(?:\s(?:is|was))?)\s?[\"“'‘]?"
)
# What stands right before the number wherever it is announced; most numbers fall here.
_MARK = re.compile(
    r"(?:(?i:\bnos?\.?|\bnumbers?|\bnr\.?|\bcodes?|\bis|\bwas|\bof)|[#№:=)]|\b[A-Z]{2,5})"
    r"\s?[\"“'‘]?\Z"
)


def find_identity_numbers(text: str) -> Iterator[Hit]:
    """Yield announced numbers of papers and accounts (kind ``identity_number``)."""
    done = 0
    for digit in _DIGIT.finditer(text):
        start = digit.start()
        if start < done:
            continue
        letters = _LETTERS_BEFORE.search(text, max(done, start - 6), start)
        for begin in (letters.start(), start) if letters else (start,):
            if not _MARK.search(text, max(0, begin - 10), begin):
                continue
            code = _CODE.match(text, begin)
            if code is None or sum(map(str.isdigit, code[0])) < _MINIMUM:
                continue
            if _ANNOUNCED.match(text, begin):
                yield Hit(begin, code.end(), "identity_number")
                done = code.end()
                break
