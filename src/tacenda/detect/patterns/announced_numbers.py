"""Numbers of people's papers and accounts, found by the words that announce them.

``passport no. X1234567``, ``ID card: AB 123456``, ``SSN 078-05-1120``, ``NHS number 943 476 5919``.
The words are evidence enough; no checksum is required.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Hit, before

_DIGIT = re.compile(r"[0-9](?<![0-9][0-9])")
_CODE = re.compile(
    r"(?:[A-Za-z]{1,8}[ ./-]?)?[0-9](?:[A-Za-z0-9]|[ ./-](?=[A-Z0-9]{0,3}[0-9])|[./-](?=[A-Z])){2,30}"
    r"(?:[ -][A-Z](?!\w))?(?!\w)"
)
_LETTERS_BEFORE = re.compile(r"(?<!\w)[A-Z]{1,8}[ ./-]?\Z|[A-Za-z]{1,8}\Z")
_MINIMUM = 4  # digits; shorter numbers count something or aren't secret

ABBREVIATIONS = (
    r"ID|SSN|NHS|NINO|NIN|TIN|ITIN|EIN|UTR|MRN|PESEL|NIP|REGON|BSN|CPR|DNI|NIE|NIF|NUSS|EGN|CNP|OIB|JMBG|AHV|AVS|SVNR"
    r"|PPSN?|CPF|CNPJ|CURP|RUT|CUI[TL]|SIN|TFN|NRIC|TCKN|SNILS|RSIN|NISS|CHI|AMKA|AFM|HETU|NIR|UAN|EPIC|VIN|IMEI|IMSI|ICCID|IBAN|MPAN"
)
"""Words that announce a number without a sign or the word *number*."""
TITLES = (
    r"aadhaar|voter id|codice fiscale|steuer-?(?:id|nummer)|person(?:al)?nummer|fødselsnummer|serial|s/n|service tag"
    r"|asset tag|[as]/c|acct|accnt|sort code|prisoner|passport"
)
"""The same in any case."""
_PAPERS = (
    rf"{ABBREVIATIONS}|{TITLES}|identity|identification|social security|national insurance"
    r"|driv(?:ing|er['’]?s?['’]?) licen[cs]e|personal|personnel|tax(?:payer)?|PAN|NI|RFC"
    r"|health(?: insurance)?|insurance|policy|membership|customer|client|patient|hospital"
    r"|medical record|employee|student|service|bank account|account|sort|routing|checking|reference|ref"
    r"|credit card|card|visa|residence permit|badge|chassis|meeting|voter|(?:product|licen[cs]e|serial) key"
)
_THING = (
    r"(?: (?:cards?|book|document|account|register|record|policy|security|insurance"
    r"|identification|identity|reference|permit|code|ID|registration)){0,2}"
)
_NUMBER = r"(?:nos?\b\.?|numbers?\b|nr\b\.?|№|#|codes?\b)"
_ANNOUNCED_NUMBER = before(
    rf"\b(?:(?i:(?:{_PAPERS})s?{_THING}(?:\s\([a-z]{{2,6}}\))?\s?\(?(?:[:=]|{_NUMBER}(?:\s\([a-z]{{2,6}}\))?"
    rf"(?:\s(?:is|was|of)\b|\s?[:=])?))|(?:{ABBREVIATIONS}|(?i:{TITLES}))(?:\s(?:is|was))?)\s?[\"“'‘]?"
)
# The text right before an announced number; most numbers are rejected here.
_MARK = re.compile(
    rf"(?:(?i:\bnos?\.?|\bnumbers?|\bnr\.?|\bcodes?|\bis|\bwas|\bof|\b(?:{TITLES})|[#№:=)])|\b(?:[A-Z]{{2,5}}))"
    r"\s?[\"“'‘]?\Z"
)


def find_identity_numbers(text: str) -> Iterator[Hit]:
    """Yield announced numbers of papers and accounts (kind ``identity_number``)."""
    cursor = 0
    for digit in _DIGIT.finditer(text):
        start = digit.start()
        if start < cursor:
            continue
        letters = _LETTERS_BEFORE.search(text, max(cursor, start - 9), start)
        for begin in (letters.start(), start) if letters else (start,):
            if not _MARK.search(text, max(0, begin - 20), begin):
                continue
            code = _CODE.match(text, begin)
            if code is None or sum(map(str.isdigit, code[0])) < _MINIMUM:
                continue
            if _ANNOUNCED_NUMBER.match(text, begin):
                yield Hit(begin, code.end(), "identity_number")
                cursor = code.end()
                break

    for pattern in (_BESIDE_SORT_CODE, _SERIAL, _OF_PERSON):
        for match in pattern.finditer(text):
            if any(map(str.isdigit, match["code"])):
                is_pair = pattern is _BESIDE_SORT_CODE and not match["label"]
                yield Hit(*match.span(0 if is_pair else "code"), "identity_number")


_BESIDE_SORT_CODE = re.compile(
    r"(?<![\w.-])[0-9]{2}(?P<sign>[ -])[0-9]{2}(?P=sign)[0-9]{2}(?:\s?[/,;|]\s?|\s)(?P<label>(?i:a/?c|acc(?:oun)?t?)\.?\s?(?i:nos?\.?|number)?\s?:?\s?)?(?P<code>[0-9]{8})(?![\w-])"
)
# In groups of capitals and digits, some of which may have no digits.
_SERIAL = re.compile(
    r"(?i:\bserial(?: key| no\.?| number| nr\.?)?|\bs/n|\b(?:product|licen[cs]e) key)(?:\s?[:#=]|\sis)?\s(?P<code>[A-Z0-9]{2,8}(?:[ -][A-Z0-9]{2,8}){1,7})(?!\w)"
)
# ``<patient id="p-00871">``, ``"customerId": "C-88"``, ``"patient": {"id": "p-00871"``
_OF_PERSON = re.compile(
    r"(?i:\b(?:patient|person|customer|client|member|employee|student|user|owner|subject|resident|tenant|donor|applicant|claimant|case)"
    r"(?:\b[^<>\"']{0,80}?\s(?:id|ref|no|nr|number|key|mrn)=|[_-]?(?:id|ref|no|nr|number|key)[\"']?\s?[:=]>?\s?|[\"']\s?:\s?\{\s{0,20}[\"'](?:id|ref|no|number)[\"']\s?:\s?))"
    r"[\"']?(?P<code>[\w./-]{0,12}[0-9][\w./-]{0,40}(?<![./-]))(?=[\"'<>&,;\s})]|\Z)"
)
