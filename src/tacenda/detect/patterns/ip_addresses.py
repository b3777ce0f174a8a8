"""Addresses of machines on the Internet: IPv4 and IPv6, with a prefix length or not."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from .context import before
from .hit import Hit

_V4 = re.compile(
    r"[0-9](?<![\w][0-9])(?<![0-9][.,-][0-9])[0-9]{0,2}(?:\.[0-9]{1,3}){3}(?:/[0-9]{1,2})?"
    r"(?![\w-]|\.[0-9])"
)
_NOT_ADDRESS = before(
    r"(?:\b(?:[Ss]ections?|[Pp]aragraphs?|[Cc]lauses?|[Aa]rticles?|[Vv]ersions?|[Rr]ules?|[Vv]|[Pp]aras?\.?"
    r"|[Cc]hapters?|[Rr]elease|[Pp]oints?)|§)\s?"
)
# Two colons with at most four hexadecimal digits between them are in every IPv6 address.
_COLONS = re.compile(r":[0-9A-Fa-f]{0,4}:")
_V6 = re.compile(
    r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?:(?::[0-9A-Fa-f]{0,4}){1,6}:[0-9]{1,3}(?:\.[0-9]{1,3}){3}"
    r"|(?::[0-9A-Fa-f]{0,4}){2,7})"
    r"(?:%\w{1,15})?(?:/[0-9]{1,3})?(?![\w:])"
)


def find_ip_addresses(text: str) -> Iterator[Hit]:
    """Yield IPv4 and IPv6 addresses (kind ``ip``)."""
    for match in _V4.finditer(text):
        if _is_address(match[0]) and not _NOT_ADDRESS.match(text, match.start()):
            yield Hit(match.start(), match.end(), "ip")
    done = 0
    for colons in _COLONS.finditer(text):
        start = colons.start()
        if start < done:
            continue
        while start > max(done, colons.start() - 4) and text[start - 1] in "0123456789abcdefABCDEF":
            start -= 1
        address = _V6.match(text, start)
        # `::` and `a::b` are punctuation and code more often than addresses.
        if address is not None and _is_address(address[0]) and any(map(str.isdigit, address[0])):
            yield Hit(start, address.end(), "ip")
            done = address.end()
        else:
            done = colons.end() - 1


def _is_address(written: str) -> bool:
    try:
        ipaddress.ip_interface(written)
    except ValueError:
        return False
    return True
