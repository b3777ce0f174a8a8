"""Files inside strings: base64 isn't text, although it consists of letters."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Iterable
from urllib.parse import unquote_to_bytes

from ..text.spans import edited_text
from .ocr.tesseract import settings
from .pictures import blank_picture, covered_notes, kept_picture
from .record import Origin

DATA = re.compile(
    r"\s*data:(?P<type>[^,]{0,200}?)(?P<base64>;\s*base64)?\s*,(?P<body>.*)", re.I | re.S
)
_BLANK = f"data:image/png;base64,{base64.b64encode(blank_picture()).decode()}"
_FILE = re.compile(
    r"""(?:(?<=(["']))\s*)?data:(?P<type>[^\s,"'<>]{0,200}?)(?P<base64>;\s*base64)?\s*,"""
    r"""(?P<body>(?(1)(?:(?!\1).)+|[^\s"'<>)]+))""",
    re.I | re.S,
)
"""Matches an address that contains a file, up to the closing quote or the end of the word."""
_SHORTEST = 200
"""Length from which letters and digits without spaces are a file rather than a code."""
_URI = re.compile(r"data:[^\s,]{0,200};\s*base64\s*,\s*[A-Za-z0-9+/_%-]{16}", re.IGNORECASE)
_LINES = re.compile(r"\s*+(?:[A-Za-z0-9+/_-]{40,}+\s*+)++(?:[A-Za-z0-9+/_-]*+={0,2}\s*+)")
_DIGIT, _LETTER = re.compile(r"[0-9]"), re.compile(r"[A-Za-z]")


def holds_base64(text: str) -> bool:
    """Return whether a string is a file in base64 or hexadecimal, or contains one in a ``data:`` address."""
    if "base64" in text.lower() and _URI.search(text):
        return True
    return (
        len(text) >= _SHORTEST
        and _LINES.fullmatch(text) is not None
        and _DIGIT.search(text) is not None
        and _LETTER.search(text) is not None
    )


def covered_source(
    source: str, origin: Origin, values: Callable[[str], Iterable[tuple[int, int]]] = lambda _: ()
) -> tuple[str, tuple[str, ...]]:
    """Return a text in which every file in an address that may show text is replaced with a blank picture, and notes.

    Args:
        source: the text.
        origin: the text's origin, which may say that pictures stay.
        values: positions of attribute values, in order, where addresses may contain character
            references.
    """
    if (origin.ocr or settings()).keeps_unread or "data:" not in html.unescape(source).lower():
        return source, ()
    edits = []
    for start, end in values(source):
        match = DATA.match(html.unescape(source[start:end]))
        if match and _covered(match) == _BLANK:
            edits.append((start, end, _BLANK))
    output = _FILE.sub(_covered, edited_text(source, edits))
    return output, tuple(covered_notes(output.count(_BLANK) - source.count(_BLANK)))


def _covered(address: re.Match[str]) -> str:
    """Return an address, or that of a blank picture if its file may show text."""
    data, kind = file_of(address), address["type"].strip().lower()
    is_text = kind.startswith("text/") and "\ufffd" not in data.decode("utf-8", "replace")
    is_file = address["base64"] or re.match(r"[a-z]+/", kind)
    return _BLANK if is_file and not is_text and not kept_picture(data, keeps=False) else address[0]


def file_of(address: re.Match[str]) -> bytes:
    """Return the file in an address; empty if it is damaged."""
    body = unquote_to_bytes(address["body"])
    try:
        return base64.b64decode(body + b"=" * (-len(body) % 4)) if address["base64"] else body
    except ValueError:
        return b""
