"""Machine addresses: IPv4 and IPv6, with or without a prefix length, and network cards."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from .base import Hit, before

# Internet addresses: IPv4 and IPv6, with or without a prefix length.


_V4 = re.compile(
    r"[0-9](?<![\w][0-9])(?<![0-9][.-][0-9])[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?:/[0-9]{1,2})?"
    r"(?![\w-]|\.[0-9])"
)
_NOT_ADDRESS = before(
    r"(?:\b(?:[Ss]ections?|[Pp]aragraphs?|[Cc]lauses?|[Aa]rticles?|[Vv]ersions?|[Rr]ules?|[Vv]|[Pp]aras?\.?"
    r"|[Cc]hapters?|[Rr]eleases?|[Pp]oints?)|§)[\s=:/_-]{0,3}"
)
# In the path of a URL, four small numbers are a version.
_IN_PATH = before(r"[\w.-]/ ?")
_SMALL = re.compile(r"[1-9]?[0-9](?:\.[0-2]?[0-9]){3}")
# Two colons with at most four hexadecimal digits between them are in every IPv6 address.
_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")
_V6 = re.compile(
    r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?:(?::[0-9A-Fa-f]{0,4}){1,6}:[0-9]{1,3}(?:\.[0-9]{1,3}){3}"
    r"|(?::[0-9A-Fa-f]{0,4}){2,7})"
    r"(?:%\w{1,15})?(?:/[0-9]{1,3})?(?![\w:])"
)


def find_ip_addresses(text: str) -> Iterator[Hit]:
    """Yield IPv4 and IPv6 addresses (kind ``ip``), except those that every machine has."""
    for match in _V4.finditer(text):
        is_version = _NOT_ADDRESS.match(text, match.start()) or (
            _SMALL.fullmatch(match[0]) and _IN_PATH.match(text, match.start())
        )
        if _is_address(match[0]) and not is_version:
            yield Hit(match.start(), match.end(), "ip")
    last = 0
    for colons in _COLONS.finditer(text):
        start = colons.start()
        if start < last:
            continue
        while start > max(last, colons.start() - 4) and text[start - 1] in "0123456789abcdefABCDEF":
            start -= 1
        address = _V6.match(text, start)
        # `::` and `a::b` are more often punctuation and code than addresses.
        if address is not None and _is_address(address[0]) and any(map(str.isdigit, address[0])):
            yield Hit(start, address.end(), "ip")
            last = address.end()
        else:
            last = colons.end() - 1


def _is_address(string: str) -> bool:
    try:
        address = ipaddress.ip_interface(string).ip
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified)


# Hardware addresses of network cards: ``00:1A:2b:3c:4d:5e``, with hyphens, ``001a.2b3c.4d5e``.


_X = "[0-9A-Fa-f]"
# Starts at the first separator, which is rarer than a hexadecimal digit.
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
