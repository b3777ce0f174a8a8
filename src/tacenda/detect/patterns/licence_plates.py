"""License plates: after words that announce one, or in a format that is rarely anything else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Hit

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
    """Yield license plates (kind ``licence_plate``) with at least a letter and two digits."""
    for pattern in (_ANNOUNCED_PLATE, _VEHICLE):
        for match in pattern.finditer(text):
            plate = match["plate"]
            digits = sum(map(str.isdigit, plate))
            if digits >= 2 and any(map(str.isalpha, plate)) and len(plate) >= 5:
                yield Hit(match.start("plate"), match.end("plate"), "licence_plate")
    for match in _STRONG.finditer(text):
        yield Hit(match.start(), match.end(), "licence_plate")
