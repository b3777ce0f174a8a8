"""National identity, tax and health numbers by their check digits.

A format stands alone where its check digits and its shape leave few chances: fewer than one in
twenty numbers of that shape pass. The others count only near a word of identity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

from ...text.shipped import shipped_table
from .base import Hit, before


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
