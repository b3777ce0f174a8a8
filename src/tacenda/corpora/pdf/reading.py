"""The text layer of a PDF, page by page, with what its annotations and form fields say.

Pages are parted by a form feed. A word that was divided at the end of a line is put together
again, so that a divided name is found. A page without text is a picture of one; that it is there
is said, and a file that has no text at all is an error.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from ...document import Document, Sanitized
from ...errors import InputError, MissingExtraError
from ...isolation import limits
from ..decoding import writable
from ..record import Origin, Record

try:
    import pypdf
except ImportError as error:
    raise MissingExtraError("reading a PDF", "documents") from error

PAGE_BREAK = "\f"
LARGEST_FILE = 200_000_000
MOST_CHARACTERS = 50_000_000
_DIVIDED = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\n(?=[^\W\d_])(\S+)[ ]?")
_SHOWN_PAGES = 10

# Its warnings quote what it stumbles over, and no text of a document may reach a log.
logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)


def read(stream: BinaryIO, origin: Origin) -> Iterator[Record]:
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
    empty = [number for number, page in enumerate(pages, 1) if not page.text.strip()]
    if len(empty) == len(pages):
        raise InputError(
            "has no text layer, as a scan has none; recognise its text first (OCR), then sanitize "
            "the result.",
            name,
        )
    text = PAGE_BREAK.join(_whole_words(writable(page.text)) for page in pages)
    yield Record(
        Document(name, text),
        origin,
        text,
        (),
        container=_Container(),
        notes=tuple(_notes(empty, sum(page.pictures for page in pages))),
    )


@dataclass(frozen=True, slots=True)
class _Page:
    text: str
    pictures: int


class _Container:
    """A PDF is written anew, from its text alone."""

    def write(self, record: Record, sanitized: Sanitized) -> bytes:
        """Return the new PDF."""
        from .writing import render

        return render(sanitized.text, record.origin.name)


def _guarded(data: bytes, name: str) -> list[_Page]:
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError("is protected by a password; save it without one.", name)
        limits().check_parts(len(reader.pages), "pages", name)
        pages: list[_Page] = []
        length = 0
        for page in reader.pages:
            pages.append(_read_page(page))
            length += len(pages[-1].text)
            if length > MOST_CHARACTERS:
                raise InputError(
                    f"has more than {MOST_CHARACTERS:,} characters; split the document.", name
                )
        return pages
    except (InputError, MissingExtraError):
        raise
    except Exception as error:  # a damaged file makes the parser fail in any way there is
        raise InputError(
            f"is a damaged PDF ({type(error).__name__}); print it to a new PDF first.", name
        ) from None


def _read_page(page: Any) -> _Page:
    lines = [page.extract_text()]
    for reference in page.get("/Annots") or ():
        annotation = reference.get_object()
        keys = ("/V", "/TU") if annotation.get("/Subtype") == "/Widget" else ("/Contents",)
        for key in keys:
            value = annotation.get(key)
            if isinstance(value, str) and value.strip() and not value.startswith("/"):
                lines.append(str(value))
    resources = page.get("/Resources")
    objects = resources.get_object().get("/XObject") if resources is not None else None
    drawn = objects.get_object().values() if objects is not None else ()
    pictures = sum(item.get_object().get("/Subtype") == "/Image" for item in drawn)
    return _Page("\n".join(lines).replace(PAGE_BREAK, "\n").rstrip("\n"), pictures)


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
        shown = ", ".join(map(str, empty[:_SHOWN_PAGES]))
        more = " …" if len(empty) > _SHOWN_PAGES else ""
        yield f"page {shown}{more}: without text; what such a page shows is not in the output."
    if pictures:
        yield f"{pictures} pictures are not in the output, which is made of the text alone."
