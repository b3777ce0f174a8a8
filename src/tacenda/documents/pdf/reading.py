"""The text layer of a PDF, page by page, with its annotations and form fields.

Pages are parted by a form feed. A word divided at the end of a line is put together
again, so a divided name is found. A page without text is a picture of one and is reported; a
file without any text is an error. So is a page of unknown letters:
unreadable text can't be sanitized.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from ...document import Document
from ...errors import InputError, MissingExtraError
from ...isolation.limits import limits
from ...result import Result
from ...text.decoding import writable
from ..completeness import require_whole
from ..record import Origin, SourceDocument
from . import glyphs as content
from .layout import UNREADABLE, page_text

PAGE_BREAK = "\f"
LARGEST_FILE = 200_000_000
MOST_CHARACTERS = 50_000_000
_DIVIDED = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\n(?=[^\W\d_])(\S+)[ ]?")
_SHOWN_PAGES = 10
_WORD = re.compile(r"\S+")
_EDGES = re.compile(rf"^[^\w{UNREADABLE}]+|[^\w{UNREADABLE}]+$")
_FEW_WORDS = 20


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document of a PDF.

    Raises:
        InputError: if it is no PDF, protected, damaged, too large, or without text.
    """
    name = origin.name
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"has more than {LARGEST_FILE:,} bytes; split the document.", name)
    if b"%PDF-" not in data[:1024]:
        raise InputError("is no PDF: it does not begin with %PDF-; check the file.", name)
    pages = _guarded(data, name)
    empty = [number for number, page in enumerate(pages, 1) if not page[0].strip()]
    if len(empty) == len(pages):
        raise InputError(
            "has no text layer, as a scan has none; recognise its text first (OCR), then sanitize "
            "the result.",
            name,
        )
    text = PAGE_BREAK.join(_whole_words(writable(text)) for text, _ in pages)
    yield SourceDocument(
        Document(name, text),
        origin,
        text,
        (),
        container=_Container(),
        notes=tuple(_notes(empty, sum(pictures for _, pictures in pages))),
    )


class _Container:
    """A PDF is written anew, from its text alone."""

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the new PDF.

        Raises:
            InputError: if text is missing in it.
        """
        from .writing import render

        data = render(sanitized.text, record.origin.name)
        require_whole(record, sanitized, written_text(data, record.origin.name))
        return data


def written_text(data: bytes, name: str) -> str:
    """Return the text of the pages of a PDF of ours, without the numbers below them."""
    pages = _guarded(data, name)
    return PAGE_BREAK.join(text.rpartition("\n")[0] for text, _ in pages)


def _guarded(data: bytes, name: str) -> list[tuple[str, int]]:
    """Return text and number of pictures of each page."""
    pages: list[tuple[str, int]] = []
    length = 0
    try:
        for number, page in enumerate(content.pages(data), 1):
            limits().check_parts(number, "pages", name)
            texts = [page_text(glyphs) for glyphs in (page.glyphs, *page.appearances)]
            for text in texts:
                _require_readable(text, number, name)
            text = "\n".join((*texts, *page.annotations)).replace(PAGE_BREAK, "\n").strip("\n")
            pages.append((text, page.pictures))
            length += len(text)
            if length > MOST_CHARACTERS:
                raise InputError(
                    f"has more than {MOST_CHARACTERS:,} characters; split the document.", name
                )
    except (InputError, MissingExtraError):
        raise
    except content.PasswordNeededError:
        raise InputError("is protected by a password; save it without one.", name) from None
    except content.TooMuchError:
        raise InputError(f"page {len(pages) + 1} draws too much to be read.", name) from None
    except Exception as error:  # a damaged file makes the parser fail in any way there is
        raise InputError(
            f"is a damaged PDF ({type(error).__name__}); print it to a new PDF first.", name
        ) from None
    if not pages:
        raise InputError("is a damaged PDF without a page; print it to a new PDF first.", name)
    return pages


def _require_readable(text: str, number: int, name: str) -> None:
    """Raise InputError for a page of unknown letters or words.

    A symbol alone, such as the mark of a list item, may be unknown.
    """
    words = [_EDGES.sub("", word) for word in _WORD.findall(text)]
    symbols = sum(word == UNREADABLE for word in words)
    unknown = any(UNREADABLE in word and word != UNREADABLE for word in words)
    if unknown or 5 * symbols > len(words) + 10:
        raise InputError(
            f"page {number} has letters that can't be known, since their font has no map to Unicode; "
            "recognise its text first (OCR), then sanitize the result.",
            name,
        )
    letters = [word for word in words if word.isalpha() and not _is_spaceless(word)]
    if len(letters) >= _FEW_WORDS and 2 * sum(len(word) == 1 for word in letters) > len(letters):
        raise InputError(
            f"page {number} has letters so placed that they make no words; recognise its text first "
            "(OCR), then sanitize the result.",
            name,
        )


def _is_spaceless(word: str) -> bool:
    """Return whether a word is of a script with a sign as a possible word."""
    return word >= "\u0e00"


def _whole_words(text: str) -> str:
    r"""Return text without divided words: ``Yal-\nman went`` becomes ``Yalman\nwent``."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _DIVIDED.sub(lambda match: _joined(match), lines)


def _joined(match: re.Match[str]) -> str:
    # A capital after the hyphen makes it a double name, which keeps it.
    hyphen = "-" if match[1][0].isupper() else ""
    return f"{hyphen}{match[1]}\n"


def _notes(empty: list[int], pictures: int) -> Iterator[str]:
    if empty:
        numbers = ", ".join(map(str, empty[:_SHOWN_PAGES]))
        more = " …" if len(empty) > _SHOWN_PAGES else ""
        yield f"page {numbers}{more}: without text; what such a page shows is not in the output."
    if pictures:
        yield f"{pictures} pictures are not in the output, which is made of the text alone."
