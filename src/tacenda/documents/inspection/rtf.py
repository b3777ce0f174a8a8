"""The strings in an .rtf: its text across all formatting, and every word that isn't part of the format."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..rtf import WORDS
from ..typefaces import is_shipped
from . import Kind, Passage

_TOKEN = re.compile(
    rb"(?<=\\fldinst )(?:HYPERLINK(?= )|(?:NUM)?PAGE(?=\}))"  # words that belong to the format
    rb"|\\u(-?\d+)\??|\\'([0-9a-f]{2})|\\([A-Za-z]+)(-?\d+)? ?|\\(.)|([{}])|([^\\{}]+)"
)
_BREAKS = frozenset("par line sect page column cell row tab nestcell nestrow softline".split())
_APART = re.compile(
    r"header[lrf]?|footer[lrf]?|footnote|annotation|title|subject|keywords|doccomm|category|fldinst"
    r"|fonttbl|f"
)


def strings(data: bytes) -> Iterator[Passage]:
    """Yield the strings of a file, written in ASCII."""
    parts: list[str] = []
    closings: list[str] = []
    pending = ""
    fonts = 0  # groups around the font table, and its own group
    for number, match in enumerate(_TOKEN.finditer(data), 1):
        code, octet, word, argument, symbol, brace, plain = match.groups()
        if code is not None:
            unit = int(code) % 65_536
            if 0xD800 <= unit < 0xDC00:
                pending = chr(unit)
                continue
            text = (pending + chr(unit)).encode("utf-16-le", "surrogatepass")
            parts.append(text.decode("utf-16-le", "replace"))
        elif octet is not None:
            yield Passage(octet.decode(), f"byte in token {number}", Kind.CODE)
        elif word is not None:
            name = word.decode()
            fonts = len(closings) if name == "fonttbl" else fonts
            if _APART.fullmatch(name) and closings:
                closings[-1] = "\n"
                parts.append("\n")
            elif name in _BREAKS:
                parts.append("\n")
            elif name not in WORDS:
                yield Passage(name, f"word in token {number}", Kind.CODE)
            if argument is not None and len(argument) > 6:
                yield Passage(argument.decode(), f"number in token {number}", Kind.CODE)
        elif symbol is not None:
            parts.append(symbol.decode("latin-1") if symbol in b"\\{}" else "")
        elif brace == b"{":
            closings.append("")
        elif brace == b"}":
            parts.append(closings.pop() if closings else "")
            fonts = fonts if len(closings) >= fonts else 0
        elif plain is not None and not (fonts and is_shipped(plain.decode("latin-1"))):
            parts.append(plain.decode("latin-1"))
        pending = ""
    yield Passage("".join(parts), "text", Kind.TEXT)
