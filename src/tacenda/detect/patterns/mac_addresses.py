"""Hardware addresses of network cards: ``00:1A:2b:3c:4d:5e``, with hyphens, ``001a.2b3c.4d5e``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .hit import Hit

_X = "[0-9A-Fa-f]"
# From the first separator on, a character that is rarer than a hexadecimal digit.
_PAIRS = re.compile(rf"[:-](?<=(?<!\w){_X}{_X}[:-])(?<![:-]{_X}{_X}[:-])")
_QUADS = re.compile(rf"\.(?<=(?<!\w){_X}{_X}{_X}{_X}\.)(?={_X}{{4}}\.{_X}{{4}}(?!\w))")
_REST = {
    ":": re.compile(rf"(?:{_X}{_X}:){{4}}{_X}{_X}(?![\w:])"),
    "-": re.compile(rf"(?:{_X}{_X}-){{4}}{_X}{_X}(?![\w-])"),
}


def find_mac_addresses(text: str) -> Iterator[Hit]:
    """Yield hardware addresses of 48 bits (kind ``mac``)."""
    for match in _PAIRS.finditer(text):
        rest = _REST[match[0]].match(text, match.end())
        if rest is not None:
            yield Hit(match.start() - 2, rest.end(), "mac")
    for match in _QUADS.finditer(text):
        yield Hit(match.start() - 4, match.start() + 10, "mac")
