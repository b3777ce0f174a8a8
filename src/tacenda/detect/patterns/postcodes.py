"""Postcodes with a recognizable form: United Kingdom, Netherlands, Canada, Poland, US with state."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...policy.forms import STATE_CODES
from .base import Hit

UNITED_KINGDOM = r"(?:GIR 0AA|[A-PR-UWYZ][A-HK-Y]?[0-9][0-9A-HJKMNPR-Y]? [0-9][ABD-HJLNP-UW-Z]{2})"
CANADA = r"[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
STATES = rf"(?:{STATE_CODES})"
UNITED_STATES = rf"{STATES},? [0-9]{{5}}(?:-[0-9]{{4}})?"

_CAPITAL = re.compile(
    r"[A-Z](?<!\w.)(?:(?<=[A-PR-UWYZ])[A-HK-Y]?[0-9][0-9A-HJKMNPR-Y]? [0-9][ABD-HJLNP-UW-Z]{2}"
    # Not a tumor stage, T2N1M0, unless it follows a province.
    r"|(?!(?<=T)(?<!\bAB T)[0-4]N[0-3]M[01])(?<=[ABCEGHJ-NPRSTVXY])[0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
    r"|(?P<zip>[A-Z],? [0-9]{5}(?:-[0-9]{4})?))(?!\w|[-/][0-9])"
)
_STATE = re.compile(STATES)
# A town follows: 1012 AB Amsterdam, 00-950 Warszawa. Laws also have numbers such as 1995 EC.
_DIGIT = re.compile(
    r"[0-9](?<![\w-][0-9])(?<![./][0-9])(?:(?<=[1-9])[0-9]{3} ?(?!S[ADS]|UK|EU|US|EC|FA|AD|BC|UN|TV|AM|PM)[A-Z]{2}|[0-9]-[0-9]{3})"
    r"(?=,?\s[A-ZŁŚŻ][a-zł]{2})"
)


_ANNOUNCED_ADDRESS = re.compile(
    r"(?:ZIP|Zip|zip|[Pp]ost(?:al)?\s?code|Postleitzahl|PLZ|CAP)(?:\s[Cc]ode)?(?:\sis|\s?[:=])?\s"
    r"(?P<code>[0-9]{2,5}(?:[ -][0-9]{2,4})?)(?![\w]|[.,][0-9])"
)


def find_postcodes(text: str) -> Iterator[Hit]:
    """Yield postcodes (kind ``postcode``)."""
    for match in _CAPITAL.finditer(text):
        if match["zip"] is None or _STATE.match(text, match.start()):
            yield Hit(match.start(), match.end(), "postcode")
    for match in _ANNOUNCED_ADDRESS.finditer(text):
        yield Hit(match.start("code"), match.end("code"), "postcode")
    for match in _DIGIT.finditer(text):
        yield Hit(match.start(), match.end(), "postcode")
