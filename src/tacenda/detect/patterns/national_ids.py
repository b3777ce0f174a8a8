"""National identity, tax and health numbers, by their check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from .context import before
from .hit import Hit
from .national_formats import FORMATS

_BY_SHAPE = {format.shape: format for format in FORMATS}
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
_IDENTITY = before(
    r"(?:\b(?:ID|[Ii]dentity|[Ii]dentification|[Nn]ational|[Pp]ersonal|[Cc]itizen|[Ss]ocial|[Tt]ax(?:payer)?"
    r"|[Ii]nsurance|[Hh]ealth|[Pp]atient|NHS|SSN|TIN|UTR|NIF|BSN|SIN|TFN|EGN|SVNR|PAN|OIB|NI|CPF|NIP"
    r"|[Aa]adhaar|[Ss]ofinummer|[Pp]ersonnummer|[Ss]teuer-?(?:ID|nummer))\b).{0,40}"
)


def find_national_ids(text: str) -> Iterator[Hit]:
    """Yield numbers that stdnum finds valid (kind ``national_id``)."""
    for pattern in (_NUMBERS, _LETTERS):
        for match in pattern.finditer(text):
            format = _BY_SHAPE[match[0].translate(_TO_SHAPE)]
            if _is_valid(match[0], format.alone) or (
                format.announced
                and _IDENTITY.match(text, match.start())
                and _is_valid(match[0], format.announced)
            ):
                yield Hit(match.start(), match.end(), "national_id")
    for match in _NATIONAL_INSURANCE.finditer(text):
        yield Hit(match.start(), match.end(), "national_id")


def _is_valid(number: str, modules: tuple[str, ...]) -> bool:
    return any(_module(name).is_valid(number) for name in modules)


@cache
def _module(name: str) -> ModuleType:
    # Loaded with the first candidate of its shape: there are fifty of them.
    return import_module(f"stdnum.{name}")
