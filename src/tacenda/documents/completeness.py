"""Check that an output contains all of the sanitized text.

A writer may lose text silently, since a page without its body is still a page. So the output is
read again and compared by its letters and digits; white space, emphasis marks and symbols missing
from a typeface depend on the format. If the two differ (a file may contain more than its text, and a
chart's number can't become a tag), every word outside the replacements must be there.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from ..errors import AS_TEXT, InputError
from ..result import Result
from ..text.spans import edited_text
from .names import NameScrubber
from .record import Region, SourceDocument

_NO_LETTER = re.compile(r"[^A-Za-z0-9]+")
_WORD = re.compile(r"[^\W_]+")
_EDIT = "\ue000"
_EDITED = re.compile(rf"\S*{_EDIT}\S*")


def require_whole(record: SourceDocument, sanitized: Result, output: str) -> None:
    """Raise an InputError if an output has lost text.

    Args:
        record: the document with its source.
        sanitized: the text that the output should contain.
        output: the output's text, read again.

    Raises:
        InputError: if words are missing; says how many.
    """
    if is_whole(sanitized.text, output):
        return
    # A line of a field, an address or a comment that contains a form is struck out.
    forms = NameScrubber.of(sanitized)
    lines = (
        line for line in _kept(record, sanitized, forms).splitlines() if not forms.occurs_in(line)
    )
    lost = (Counter(_words("\n".join(lines))) - Counter(_words(output))).total()
    if lost:
        raise InputError(
            f"{lost} words of the sanitized text would be missing in the output; nothing was "
            "written",
            sanitized.document.id,
            AS_TEXT,
        )


def is_whole(text: str, output: str) -> bool:
    """Return whether the letters and digits of a text occur in an output, in order."""
    return _letters(text) in _letters(output)


def _letters(text: str) -> str:
    if text.isascii():
        return _NO_LETTER.sub("", text)
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text))


def _kept(record: SourceDocument, sanitized: Result, forms: NameScrubber) -> str:
    """Return the original text without its edited or struck parts."""
    text = record.document.text
    spans = [(edit.original.start, edit.original.end) for edit in sanitized.replacements]
    spans += _struck(record, forms)
    return _EDITED.sub(" ", edited_text(text, ((*span, _EDIT) for span in sorted(spans))))


def _struck(record: SourceDocument, forms: NameScrubber) -> Iterator[tuple[int, int]]:
    """Yield the parts of the text whose source is in a struck region."""
    regions = [region for region in record.regions if _is_struck(region, record.source, forms)]
    ends = [region.end for region in regions]
    for slot in record.slots:
        for index in range(bisect_right(ends, slot.source_start), len(ends)):
            region = regions[index]
            if region.start >= slot.source_end:
                break
            if not slot.verbatim:
                yield slot.start, slot.end
                break
            shift = slot.start - slot.source_start
            first = max(region.start, slot.source_start) + shift
            yield first, min(region.end, slot.source_end) + shift


def _is_struck(region: Region, source: str, forms: NameScrubber) -> bool:
    value = source[region.start : region.end]
    return region.strike(value, forms) != value
