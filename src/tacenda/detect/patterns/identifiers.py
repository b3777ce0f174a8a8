"""International bank account numbers (ISO 13616), by country length and check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

from ...text.shipped import by_word, shipped_table
from .base import Hit, before

_START = re.compile(r"[A-Z](?<!\w.)[A-Z][0-9]{2}(?=[ -]?[A-Z0-9]{2})")
_LENGTH = {
    country: int(length) for country, length in by_word(shipped_table("iban_lengths")).items()
}
"""Length by country."""


def find_ibans(text: str) -> Iterator[Hit]:
    """Yield account numbers with right check digits (kind ``iban``), in capitals."""
    for match in _START.finditer(text):
        length = _LENGTH.get(match[0][:2])
        if length is None:
            continue
        end, number = _take(text, match.start(), length)
        if len(number) == length and _has_iban_checksum(number):
            yield Hit(match.start(), end, "iban")


def _take(text: str, start: int, length: int) -> tuple[int, str]:
    """Take ``length`` capitals and digits from ``start``, single spaces or hyphens between."""
    characters: list[str] = []
    position = start
    while position < len(text) and len(characters) < length:
        character = text[position]
        if "A" <= character <= "Z" or "0" <= character <= "9":
            characters.append(character)
        elif character not in " -" or text[position - 1] in " -":
            break
        position += 1
    if position < len(text) and text[position].isalnum():
        return position, ""
    return position, "".join(characters)


def _has_iban_checksum(number: str) -> bool:
    """Return whether the number is 1 modulo 97 with its first four characters last (ISO 7064)."""
    return int("".join(str(int(c, 36)) for c in number[4:] + number[:4])) % 97 == 1


# Numbers of payment cards: issuer, length and Luhn's check digit.


_CARD = re.compile(
    r"[2-6](?<![\w][2-6])(?<![0-9][.,/-][2-6])(?:"
    r"[0-9]{11,18}"
    r"|[0-9]{3}(?P<four>[ -])[0-9]{4}(?P=four)[0-9]{4}(?P=four)[0-9]{1,4}(?:(?P=four)[0-9]{3})?"
    r"|[0-9]{3}(?P<six>[ -])[0-9]{6}(?P=six)[0-9]{4,5})(?![\w]|[.,-][0-9])"
)
_ISSUERS = re.compile(
    r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})"  # Visa
    r"|(?:5[1-5]|2[2-7])[0-9]{14}"  # Mastercard
    r"|3[47][0-9]{13}"  # American Express
    r"|3(?:0[0-59]|[689][0-9])[0-9]{11,13}"  # Diners Club
    r"|35[0-9]{14}"  # JCB
    r"|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}"  # Discover
    r"|62[0-9]{14,17}"  # UnionPay
    r"|(?:50|5[6-9]|6[0-9])[0-9]{10,17}"  # Maestro
)


def find_cards(text: str) -> Iterator[Hit]:
    """Yield numbers of payment cards (kind ``card``), solid or in the groups printed on them."""
    for match in _CARD.finditer(text):
        digits = match[0].replace(" ", "").replace("-", "")
        if _ISSUERS.fullmatch(digits) and passes_luhn(digits):
            yield Hit(match.start(), match.end(), "card")


def passes_luhn(digits: str) -> bool:
    """Return whether the last digit is the check digit of the others (ISO/IEC 7812-1)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) << (place & 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


# Formats of national identity, tax and health numbers, and the modules that check them.
#
# A format stands alone where its check digits and its shape leave few chances: fewer than one in
# twenty numbers of that shape pass. The others count only near a word of identity.


@dataclass(frozen=True, slots=True)
class Format:
    """Format of numbers, and the modules of stdnum for their validity.

    Attributes:
        shape: pattern of the whole number; ``9`` is a digit and ``A`` a capital, all else itself.
        alone: names of stdnum modules with sufficient checks.
        announced: names of stdnum modules in need of a word of identity nearby.
    """

    shape: str
    alone: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()


FORMATS = tuple(
    Format(shape, tuple(row.get("alone", "").split()), tuple(row.get("announced", "").split()))
    for shape, row in shipped_table("number_formats").items()
)


# National identity, tax and health numbers, by their check digits.


_BY_SHAPE = {format.shape: format for format in FORMATS}
_OF_ITALY = _BY_SHAPE["AAAAAA99A99A999A"]
_TO_SHAPE = str.maketrans("0123456789" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "9" * 10 + "A" * 26)


def _pattern(shape: str) -> str:
    """Return the pattern of a shape after its first character."""
    runs = re.findall(r"9+|A+|[^9A]", shape[1:])
    pieces = {"9": "[0-9]", "A": "[A-Z]"}
    return "".join(
        f"{pieces[run[0]]}{{{len(run)}}}" if run[0] in pieces else re.escape(run) for run in runs
    )


def _alternation(first: str) -> str:
    shapes = sorted((s for s in _BY_SHAPE if s[0] == first), key=lambda s: (-len(s), s))
    return "(?:" + "|".join(map(_pattern, shapes)) + r")(?![\w]|[-/][0-9]|\.[0-9])"


# The shortest shapes have eight characters: most numbers of a text fall at the first look.
_NUMBERS = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][.,/-][0-9])(?=[0-9A-Z ./+-]{7})" + _alternation("9")
)
_LETTERS = re.compile(r"[A-Z](?<!\w[A-Z])(?=[A-Z0-9-]{8})" + _alternation("A"))
# National Insurance numbers of the United Kingdom have no check digit but forbidden letters.
_NATIONAL_INSURANCE = re.compile(
    r"[A-CEGHJ-PR-TW-Z](?<!\w.)(?!(?<=B)G|(?<=G)B|(?<=K)N|(?<=N)[KT]|(?<=T)N|(?<=Z)Z)"
    r"[A-CEGHJ-NPR-TW-Z](?: ?[0-9]{2}){3} ?[A-D](?!\w)"
)
# Codes of Italy, where letters may stand for digits (omocodia), and identity cards of Poland.
_FISCAL = re.compile(
    r"[A-Z](?<!\w.)[A-Z]{2} ?[A-Z]{3} ?[0-9L-NP-V]{2}[A-EHLMPRST][0-9L-NP-V]{2} ?[A-Z][0-9L-NP-V]{3} ?[A-Z](?!\w)"
)
_POLISH_CARD = re.compile(r"[A-Z](?<!\w.)[A-Z]{2} ?[0-9]{6}(?![\w-])")
_UUID = re.compile(r"(?<![\w-])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![\w-])")


def find_uuids(text: str) -> Iterator[Hit]:
    """Yield universally unique identifiers (kind ``uuid``), which no other kind of number divides."""
    return (Hit(*match.span(), "uuid") for match in _UUID.finditer(text) if "-" in text)


_IDENTITY = before(
    r"(?:\b(?:(?i:identity|identification|national|personal|citizen|social|tax(?:payer)?|insurance|health|patients?"
    r"|nhs|ssn|utr|nif|bsn|tfn|egn|svnr|oib|cpf|nip|aadhaar|sofinummer|personnummer|steuer-?(?:id|nummer))"
    r"|ID|TIN|SIN|PAN|NI)\b).{0,40}"
)


def find_national_ids(text: str) -> Iterator[Hit]:
    """Yield valid numbers by stdnum (kind ``national_id``)."""
    for pattern in (_NUMBERS, _LETTERS):
        for match in pattern.finditer(text):
            format = _BY_SHAPE[match[0].translate(_TO_SHAPE)]
            if _is_valid_id(match[0], format.alone) or (
                format.announced
                and _IDENTITY.match(text, match.start())
                and _is_valid_id(match[0], format.announced)
            ):
                yield Hit(match.start(), match.end(), "national_id")
    for match in _FISCAL.finditer(text):
        if _is_valid_id(match[0], _OF_ITALY.alone):
            yield Hit(*match.span(), "national_id")
    for match in _POLISH_CARD.finditer(text):
        weights = zip(match[0].replace(" ", ""), (7, 3, 1, 9, 7, 3, 1, 7, 3), strict=True)
        if sum(int(character, 36) * weight for character, weight in weights) % 10 == 0:
            yield Hit(*match.span(), "identity_number")
    for match in _NATIONAL_INSURANCE.finditer(text):
        yield Hit(match.start(), match.end(), "national_id")


def modules_of(number: str) -> tuple[str, ...]:
    """Names of the modules of stdnum by which a number is valid, the sufficient checks first."""
    format = _BY_SHAPE.get(number.translate(_TO_SHAPE), _OF_ITALY)
    names = (*format.alone, *format.announced)
    return tuple(name for name in names if _module(name).is_valid(number))


def _is_valid_id(number: str, modules: tuple[str, ...]) -> bool:
    return any(_module(name).is_valid(number) for name in modules)


@cache
def _module(name: str) -> ModuleType:
    # Loaded with the first candidate of its shape: there are fifty of them.
    return import_module(f"stdnum.{name}")


# Numbers of people's papers and accounts, by the words that announce them.
#
# ``passport no. X1234567``, ``ID card: AB 123456``, ``SSN 078-05-1120``, ``NHS number 943 476 5919``.
# The words are evidence enough; no checksum is asked for.


_DIGIT = re.compile(r"[0-9](?<![0-9][0-9])")
_CODE = re.compile(
    r"(?:[A-Za-z]{1,8}[ ./-]?)?[0-9](?:[A-Za-z0-9]|[ ./-](?=[A-Z0-9]{0,3}[0-9])|[./-](?=[A-Z])){2,30}"
    r"(?:[ -][A-Z](?!\w))?(?!\w)"
)
_LETTERS_BEFORE = re.compile(r"(?<!\w)[A-Z]{1,8}[ ./-]?\Z|[A-Za-z]{1,8}\Z")
_MINIMUM = 4  # digits; what is shorter counts something or is no secret

ABBREVIATIONS = (
    r"ID|SSN|NHS|NINO|NIN|TIN|ITIN|EIN|UTR|MRN|PESEL|NIP|REGON|BSN|CPR|DNI|NIE|NIF|NUSS|EGN|CNP|OIB|JMBG|AHV|AVS|SVNR"
    r"|PPSN?|CPF|CNPJ|CURP|RUT|CUI[TL]|SIN|TFN|NRIC|TCKN|SNILS|AMKA|AFM|HETU|NIR|UAN|EPIC|VIN|IMEI|IMSI|ICCID|IBAN|MPAN"
)
"""What announces a number without a sign or the word *number*."""
TITLES = (
    r"aadhaar|voter id|codice fiscale|steuer-?(?:id|nummer)|person(?:al)?nummer|fødselsnummer|serial|s/n|service tag"
    r"|asset tag|a/c|acct|accnt|sort code|prisoner|passport"
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
# Text right before an announced number; most numbers are refused here.
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
# In groups of capitals and digits, some of which may have no digit.
_SERIAL = re.compile(
    r"(?i:\bserial(?: key| no\.?| number| nr\.?)?|\bs/n|\b(?:product|licen[cs]e) key)(?:\s?[:#=]|\sis)?\s(?P<code>[A-Z0-9]{2,8}(?:[ -][A-Z0-9]{2,8}){1,7})(?!\w)"
)
# ``<patient id="p-00871">``, ``"customerId": "C-88"``, ``"patient": {"id": "p-00871"``
_OF_PERSON = re.compile(
    r"(?i:\b(?:patient|person|customer|client|member|employee|student|user|owner|subject|resident|tenant|donor|applicant|claimant|case)"
    r"(?:\b[^<>\"']{0,80}?\s(?:id|ref|no|nr|number|key|mrn)=|[_-]?(?:id|ref|no|nr|number|key)[\"']?\s?[:=]>?\s?|[\"']\s?:\s?\{\s{0,20}[\"'](?:id|ref|no|number)[\"']\s?:\s?))"
    r"[\"']?(?P<code>[\w./-]{0,12}[0-9][\w./-]{0,40}(?<![./-]))(?=[\"'<>&,;\s})]|\Z)"
)


# Licence plates: after words that announce one, or in a format that is little else.


_ANNOUNCED_PLATE = re.compile(
    r"(?:plates?|registration|registered|reg\.|Registration|REGISTRATION|Plates?|Reg\.|VRM|VRN)(?!\w)"
    r"(?:\s(?:plates?|marks?|under|as|with|bearing|of|vehicle|car))?"
    r"(?:\s?\(?(?:[Nn]os?\b\.?|[Nn]umbers?|[Mm]ark|№|#))?\s?(?:is|was|:)?\s?[\"“'‘(]?"
    r"(?P<plate>[A-ZÄÖÜ0-9]{1,4}(?:[ -][A-ZÄÖÜ0-9]{1,4}){0,3}|[A-Z0-9]{5,8})(?!\w|[/.,-][0-9])"
)
_VEHICLE = re.compile(
    r"(?:car|vehicle|van|lorry|truck|motorcycle|Car|Vehicle|BMW|Ford|Toyota|Opel|Fiat|Renault|Audi)"
    r"(?:\s[a-z]{1,12}){0,2}\s?[\"“‘(]"
    r"(?P<plate>[A-ZÄÖÜ0-9]{1,4}(?:[ -][A-ZÄÖÜ0-9]{1,4}){1,3}|[A-Z0-9]{5,8})(?!\w|[/.,-][0-9])"
)
_STRONG = re.compile(
    r"[A-ZÄÖÜ](?<!\w.)(?:"
    r"[A-Z][0-9]{2} [A-Z]{3}"  # United Kingdom, since 2001
    r"|[A-Z]-[0-9]{3}-[A-Z]{2}"  # France, since 2009
    r"|[A-Z] [0-9]{3} [A-Z]{2}"  # Italy
    r"|[A-ZÄÖÜ]{0,2}-[A-Z]{1,2} [0-9]{1,4}[EH]?"  # Germany
    r")(?!\w|[/.,-][0-9])"
)


def find_plates(text: str) -> Iterator[Hit]:
    """Yield licence plates (kind ``licence_plate``): at least a letter and two digits."""
    for pattern in (_ANNOUNCED_PLATE, _VEHICLE):
        for match in pattern.finditer(text):
            plate = match["plate"]
            digits = sum(map(str.isdigit, plate))
            if digits >= 2 and any(map(str.isalpha, plate)) and len(plate) >= 5:
                yield Hit(match.start("plate"), match.end("plate"), "licence_plate")
    for match in _STRONG.finditer(text):
        yield Hit(match.start(), match.end(), "licence_plate")
