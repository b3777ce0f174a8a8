"""The text of a PDF, read page by page with its annotations and form fields.

Pages are separated by form feeds. Words divided at line ends are joined, so that divided names are
found. Pictures are read by OCR if it is installed (``scans``); otherwise pages without text are
reported. A file without any text is an error. Letters that can't be known are also read by OCR; if
it can't read them they are covered; without OCR they are an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO

from ...document import Document
from ...errors import InputError, MissingExtraError
from ...isolation.worker import report_progress
from ...text.decoding import writable
from ..completeness import is_whole
from ..hyphenation import joined_words
from ..ocr.scans import unread_notes
from ..ocr.tesseract import OcrSettings, can_read, missing, require, settings
from ..pictures import covered_notes
from ..record import PAGE_BREAK, Origin, SourceDocument
from . import glyphs as content
from .cleaning import CleanedFile, cleaned
from .layout import UNREADABLE, page_pieces

if TYPE_CHECKING:
    from .drawing import DrawnFile
    from .scanned_page import ScannedPage

LARGEST_FILE = 200_000_000
MOST_CHARACTERS = 50_000_000
_BREAKS = str.maketrans({"\r": "\n", PAGE_BREAK: "\n"})
_SHOWN_PAGES = 10
_WORD = re.compile(r"\S+")
_EDGES = re.compile(rf"^[^\w{UNREADABLE}]+|[^\w{UNREADABLE}]+$")
_FEW_WORDS = 20
OCR_ADVICE = "install the program tesseract (apt install tesseract-ocr), which reads it again"


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument]:
    """Yield the one document of a PDF.

    Raises:
        InputError: if it isn't a PDF, is protected, damaged, too large, or without text.
    """
    name = origin.name
    data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"has more than {LARGEST_FILE:,} bytes; split the document.", name)
    if b"%PDF-" not in data[:1024]:
        raise InputError("isn't a PDF: it doesn't begin with %PDF-; check the file.", name)
    from .writing import PdfContainer

    options = origin.ocr or settings()
    file, scans, unread = _whole(data, options, name)
    if not any(page.text.strip() for page in file.pages):
        if scans:
            fault = "has no text layer, as a scan has none, and OCR reads no text in it."
            raise InputError(fault, name)
        raise InputError("has no text layer, as a scan has none", name, missing(options.languages))
    yield SourceDocument(
        Document(name, file.text),
        origin,
        file.text,
        (),
        container=PdfContainer(data, scans, unread, options),
        notes=tuple(_notes(file, scans, unread, options)),
    )


def drawn(stream: BinaryIO, origin: Origin) -> DrawnFile:
    """Return the pages of a file that ``read`` accepts, with the positions of its text's characters.

    Raises:
        InputError: as for ``read``.
    """
    from .drawing import drawn_file

    file, scans, _ = _whole(stream.read(), origin.ocr or settings(), origin.name)
    corners = {number: scan.corners() for number, scan in scans.items()}
    texts = [
        (page.text, page.origins, page.content, corners.get(number, {}))
        for number, page in enumerate(file.pages, 1)
    ]
    return drawn_file(file.cleaned.data, texts)


def _whole(
    data: bytes, wanted: OcrSettings, name: str
) -> tuple[PdfText, dict[int, ScannedPage], dict[int, frozenset[int]]]:
    """Return a file with all its words, what was recognized in pictures, and the pictures that are covered.

    The latter two are by page number.
    """
    from .scans import recognised, require_drawn_in_pictures

    file = read_pages(data, name, wanted)
    can_be_read = can_read(wanted.languages)
    if can_be_read and any(
        page.content.pictures or page.content.outlines or page.unknown or not page.text.strip()
        for page in file.pages
    ):
        require(wanted.languages, name)
    unknown = {number: page.unknown for number, page in enumerate(file.pages, 1) if page.unknown}
    if unknown and not can_be_read:
        raise InputError(
            f"page {min(unknown)} has letters that can't be known, since their font has no map "
            f"to Unicode or their positions form no words; {OCR_ADVICE}.",
            name,
        )
    scans, unread = recognised(
        file.cleaned.data,
        file.drawn,
        unknown,
        wanted if can_be_read else replace(wanted, languages=""),
        name,
    )
    if not can_be_read and not wanted.keeps_unread and any(page.text for page in file.pages):
        require_drawn_in_pictures(file.cleaned.data, file.drawn, wanted.languages, name)
    return file.covered(unread).with_words(scans), scans, unread


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page.

    Attributes:
        text: the text.
        origins: for each character, the indexes of the glyphs that draw it; negative ones are
            recognized words (``ScannedPage``).
        content: the glyphs and pictures.
        unknown: indexes of glyphs whose letters can't be known, or don't form words.
    """

    text: str
    origins: tuple[tuple[int, ...], ...]
    content: content.Page
    unknown: frozenset[int] = frozenset()

    def without(self, glyphs: frozenset[int]) -> PageText:
        """Return the page without the characters that these glyphs draw."""
        kept = [
            (character, origin)
            for character, origin in zip(self.text, self.origins, strict=True)
            if not glyphs.intersection(origin)
        ]
        text = "".join(character for character, _ in kept)
        if not text.strip():
            return replace(self, text="", origins=())
        return replace(self, text=text, origins=tuple(origin for _, origin in kept))


@dataclass(frozen=True, slots=True)
class PdfText:
    """The texts of a PDF, rebuilt from its pages' content.

    Attributes:
        pages: the pages' texts.
        cleaned: the cleaned file, and what isn't in it.
    """

    pages: tuple[PageText, ...]
    cleaned: CleanedFile

    @property
    def text(self) -> str:
        """All texts."""
        return PAGE_BREAK.join(page.text for page in self.pages)

    @property
    def drawn(self) -> list[content.Page]:
        """Content of the pages."""
        return [page.content for page in self.pages]

    def covered(self, unread: Mapping[int, frozenset[int]]) -> PdfText:
        """Return the file with gray areas in place of pictures, given by index and page number."""
        from .redaction import Redaction, around, inverse, redacted

        if not unread:
            return self
        removals = [
            Redaction(frozenset(), (), unread.get(number, frozenset()))
            for number in range(1, len(self.pages) + 1)
        ]
        data = redacted(self.cleaned.data, self.drawn, removals)
        rows = zip(self.cleaned.comments, self.drawn, removals, strict=True)
        comments = tuple(
            (*old, *(around(page.pictures[n].matrix, inverse(page.matrix)) for n in what.pictures))
            for old, page, what in rows
        )
        pages = tuple(
            replace(page, content=after)
            for page, after in zip(self.pages, content.pages(data), strict=True)
        )
        return PdfText(pages, replace(self.cleaned, data=data, comments=comments))

    def with_words(self, scans: Mapping[int, ScannedPage]) -> PdfText:
        """Return the file with what was recognized in the pictures on its pages."""
        pages = list(self.pages)
        for number, scan in scans.items():
            page = pages[number - 1].without(scan.unknown)
            text, origins = scan.text()
            gap = "\n\n" if page.text and text else ""
            pages[number - 1] = replace(
                page,
                text=page.text + gap + text,
                origins=(*page.origins, *[()] * len(gap), *origins),
            )
        return replace(self, pages=tuple(pages))


def written_text(data: bytes) -> str:
    """Return the text of the pages of one of our PDFs, without page numbers."""
    texts = (_piled(page, ()).text for page in content.pages(data))
    return PAGE_BREAK.join(text.rpartition("\n")[0] for text in texts)


@lru_cache(maxsize=1)  # a file is often written right after it is read
def read_pages(data: bytes, name: str, wanted: OcrSettings) -> PdfText:
    """Return the pages of a file with their texts."""
    pages: list[PageText] = []
    length = 0
    try:
        file = cleaned(data, name, keeps=wanted.keeps_unread)
        for number, page in enumerate(content.pages(file.data), 1):
            text = _piled(page, file.strings[number - 1])
            unknown = _unknown(text)
            words = joined_words(text.text, text.origins)
            pages.append(PageText(*words, text.content, unknown))
            length += len(text.text)
            report_progress(number, len(file.strings))
            if length > MOST_CHARACTERS:
                raise InputError(
                    f"has more than {MOST_CHARACTERS:,} characters; split the document.", name
                )
    except (InputError, MissingExtraError):
        raise
    except content.TooMuchError:
        raise InputError(f"page {len(pages) + 1} draws too much to be processed.", name) from None
    except Exception as error:  # a damaged file can make the parser fail in any way
        raise InputError(
            f"is a damaged PDF ({type(error).__name__}); print it to a new PDF first.", name
        ) from None
    if not pages:
        raise InputError("is a damaged PDF without a page; print it to a new PDF first.", name)
    return PdfText(tuple(pages), file)


def _piled(page: content.Page, strings: tuple[str, ...]) -> PageText:
    """Return the text of a page, and the strings in its annotations."""
    parts: list[str] = []
    origins: list[tuple[int, ...]] = []
    for text, indices in page_pieces(page.glyphs):
        parts.append(text)
        origins += [indices] * len(text)
    drawn = "".join(parts)
    for string in strings:
        if not is_whole(string, drawn):
            line = "\n" + string.replace("\r\n", "\n")
            parts.append(line)
            origins += [()] * len(line)
    text = writable("".join(parts)).translate(_BREAKS)
    start = len(text) - len(text.lstrip("\n"))
    end = len(text.rstrip("\n"))
    return PageText(text[start:end], tuple(origins[start:end]), page)


def _unknown(page: PageText) -> frozenset[int]:
    """Return the indexes of glyphs whose letters can't be known, or are placed so that they don't form words.

    A single symbol, such as a list marker, may be unknown.
    """
    matches = list(_WORD.finditer(page.text))
    words = [_EDGES.sub("", match[0]) for match in matches]
    letters = [word for word in words if word.isalpha() and not _is_spaceless(word)]
    if len(letters) >= _FEW_WORDS and 2 * sum(len(word) == 1 for word in letters) > len(letters):
        return frozenset(range(len(page.content.glyphs)))
    symbols = sum(word == UNREADABLE for word in words)
    many = 5 * symbols > len(words) + 10
    return frozenset(
        index
        for match, word in zip(matches, words, strict=True)
        if UNREADABLE in word and (many or word != UNREADABLE)
        for place in range(*match.span())
        if page.text[place] == UNREADABLE
        for index in page.origins[place]
    )


def _is_spaceless(word: str) -> bool:
    """Return whether a word is in a script in which one character may be a word."""
    return word >= "\u0e00"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:_SHOWN_PAGES])) + " …" * (len(numbers) > _SHOWN_PAGES)


def _notes(
    file: PdfText,
    scans: Mapping[int, ScannedPage],
    unread: Mapping[int, frozenset[int]],
    wanted: OcrSettings,
) -> Iterator[str]:
    empty = [number for number, page in enumerate(file.pages, 1) if not page.text.strip()]
    if empty:
        advice = "; its content is not read: check it" if wanted.keeps_unread else ""
        yield f"page {_listed(empty)}: without text{advice}."
    shapes = [
        number
        for number, page in enumerate(file.pages, 1)
        if page.content.outlines
        and (number not in scans or scans[number].leaves_shapes(page.content))
    ]
    if shapes:
        yield f"page {_listed(shapes)}: shapes that may be letters were not read, and stay: check them."
    regions = [(number, page.scan.unread) for number, page in scans.items()]
    yield from unread_notes(regions, "page", kept=wanted.keeps_unread)
    yield from covered_notes(
        file.cleaned.covered + sum(map(len, unread.values())),
        "" if can_read(wanted.languages) else missing(wanted.languages).command,
    )
    pictures = sum(
        len(page.content.pictures)
        for number, page in enumerate(file.pages, 1)
        if number not in scans or not scans[number].is_scan
    )
    if pictures and wanted.keeps_unread:
        advice = "1 picture" if pictures == 1 else f"{pictures} pictures"
        addition = " beside its words" if scans else ""
        yield f"{advice}: text in pictures{addition} is not read, and stays in a PDF that keeps its pages."
    if file.cleaned.was_archival:
        yield "is PDF/A, and the output is a PDF that doesn't call itself so: convert it again for an archive."
    if file.cleaned.layers:
        yield f"{file.cleaned.layers} layers that are switched off are not in the output."
