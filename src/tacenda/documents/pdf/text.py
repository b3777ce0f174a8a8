"""The text of a PDF, read page by page with its annotations and form fields, and written again.

Pages are parted by a form feed. A word divided at the end of a line is put together
again, so a divided name is found. Pictures are read by OCR where it is installed (``scans``), else a page
without text is reported; a file without any text is an error. Letters that can't be known are read by OCR, too;
what can't be read either way is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, BinaryIO

from ...document import Document
from ...errors import AS_NEW_PDF, InputError, MissingExtraError
from ...result import Result
from ...text.decoding import writable
from ..completeness import is_whole
from ..hyphenation import joined_words
from ..names import NameScrubber
from ..ocr.scans import unread_notes
from ..ocr.tesseract import OcrSettings, can_read, missing, require, settings
from ..pictures import covered_notes
from ..record import PAGE_BREAK, Origin, SourceDocument
from . import glyphs as content
from .cleaning import CleanedFile, cleaned
from .layout import UNREADABLE, page_pieces

if TYPE_CHECKING:
    from .drawing import DrawnFile
    from .redaction import Redaction
    from .scans import Edits, ScannedPage

LARGEST_FILE = 200_000_000
MOST_CHARACTERS = 50_000_000
_BREAKS = str.maketrans({"\r": "\n", PAGE_BREAK: "\n"})
_SHOWN_PAGES = 10
_WORD = re.compile(r"\S+")
_EDGES = re.compile(rf"^[^\w{UNREADABLE}]+|[^\w{UNREADABLE}]+$")
_FEW_WORDS = 20
_ADVICE = "install the program tesseract (apt install tesseract-ocr), which reads it again"


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
    wanted = origin.ocr or settings()
    file, scans, unread = _whole(data, wanted, name)
    empty = [number for number, page in enumerate(file.pages, 1) if not page.text.strip()]
    if len(empty) == len(file.pages):
        if scans:
            fault = "has no text layer, as a scan has none, and OCR reads no text in it."
            raise InputError(fault, name)
        raise InputError("has no text layer, as a scan has none", name, missing(wanted.languages))
    yield SourceDocument(
        Document(name, file.text),
        origin,
        file.text,
        (),
        container=_Container(data, scans, unread, wanted),
        notes=tuple(_notes(file, scans, unread, wanted)),
    )


def drawn(stream: BinaryIO, origin: Origin) -> DrawnFile:
    """Return the pages of a file that ``read`` takes, with the places of the characters of its text.

    Raises:
        InputError: as ``read``.
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
) -> tuple[_File, dict[int, ScannedPage], dict[int, frozenset[int]]]:
    """Return a file with all its words, what was recognised in pictures, and the pictures that are covered.

    The latter two by number of page.
    """
    from .scans import recognised, require_drawn_in_pictures

    file = _read(data, name, wanted)
    can_be_read = can_read(wanted.languages)
    if can_be_read and any(
        page.content.pictures or page.unknown or not page.text.strip() for page in file.pages
    ):
        require(wanted.languages, name)
    drawn = [page.content for page in file.pages]
    unknown = {number: page.unknown for number, page in enumerate(file.pages, 1) if page.unknown}
    if unknown and not can_be_read:
        raise InputError(
            f"page {min(unknown)} has letters that can't be known, since their font has no map to "
            f"Unicode or their places make no words; {_ADVICE}.",
            name,
        )
    scans, unread = recognised(
        file.cleaned.data,
        drawn,
        unknown,
        wanted if can_be_read else replace(wanted, languages=""),
        name,
    )
    if not can_be_read and not wanted.keeps_unread and any(page.text for page in file.pages):
        require_drawn_in_pictures(file.cleaned.data, drawn, wanted.languages, name)
    return _with_words(_covered(file, unread), scans), scans, unread


def _covered(file: _File, unread: Mapping[int, frozenset[int]]) -> _File:
    """Return a file with grey areas instead of pictures, by number of page."""
    from .redaction import Redaction, around, inverse, redacted

    if not unread:
        return file
    drawn = [page.content for page in file.pages]
    removals = [
        Redaction(frozenset(), (), unread.get(number, frozenset()))
        for number in range(1, len(drawn) + 1)
    ]
    data = redacted(file.cleaned.data, drawn, removals)
    places = (
        tuple(around(page.pictures[index].matrix, inverse(page.matrix)) for index in what.pictures)
        for page, what in zip(drawn, removals, strict=True)
    )
    comments = tuple((*old, *new) for old, new in zip(file.cleaned.comments, places, strict=True))
    pages = tuple(
        replace(page, content=after)
        for page, after in zip(file.pages, content.pages(data), strict=True)
    )
    return _File(pages, replace(file.cleaned, data=data, comments=comments))


def _with_words(file: _File, scans: Mapping[int, ScannedPage]) -> _File:
    """Return a file whose pages say also what was recognised in their pictures."""
    pages = list(file.pages)
    for number, scan in scans.items():
        page = pages[number - 1].without(scan.unknown)
        text, origins = scan.text()
        gap = "\n\n" if page.text and text else ""
        pages[number - 1] = replace(
            page, text=page.text + gap + text, origins=(*page.origins, *[()] * len(gap), *origins)
        )
    return _File(tuple(pages), file.cleaned)


@dataclass(frozen=True, slots=True)
class _TextPage:
    """Text of a page.

    Attributes:
        text: the text.
        origins: of each character the indices of the glyphs that draw it; below zero of the words that
            were recognised (``ScannedPage``).
        content: the glyphs and pictures.
        unknown: indices of glyphs whose letters can't be known, or make no words.
    """

    text: str
    origins: tuple[tuple[int, ...], ...]
    content: content.Page
    unknown: frozenset[int] = frozenset()

    def without(self, glyphs: frozenset[int]) -> _TextPage:
        """Return the page without the characters that some glyphs draw."""
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
class _File:
    """A PDF made anew of its pages' content, and their texts.

    Attributes:
        pages: the texts.
        cleaned: the file, and what is not in it.
    """

    pages: tuple[_TextPage, ...]
    cleaned: CleanedFile

    @property
    def text(self) -> str:
        """All texts."""
        return PAGE_BREAK.join(page.text for page in self.pages)


@dataclass(frozen=True, slots=True)
class _Container:
    """The bytes of a PDF, to be redacted.

    Attributes:
        data: the file as it came.
        scans: what was recognised in pictures, by number of page.
        unread: indices of the pictures that are covered, by number of page.
        wanted: of the reading of pictures.
    """

    data: bytes = field(repr=False)
    scans: Mapping[int, ScannedPage] = field(repr=False)
    unread: Mapping[int, frozenset[int]]
    wanted: OcrSettings

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the file without the glyphs of what is edited, with boxes in their place.

        A page that can't be edited in place becomes a picture with boxes, if OCR can read that again.

        Raises:
            LeakError: if something is left under a box.
            InputError: if a page can't be edited, or would look otherwise beside its boxes.
        """
        from .checking import looks_alike
        from .redaction import PageError, redaction
        from .scans import whole_page

        name = record.origin.name
        file = _with_words(_covered(_read(self.data, name, self.wanted), self.unread), self.scans)
        if file.text != record.document.text:
            raise InputError("is not read again as it was; save it anew.", name)
        drawn = [page.content for page in file.pages]
        edits = list(_edits(file, sanitized))
        removals = [
            redaction(page, _of_glyphs(some)) for page, some in zip(drawn, edits, strict=True)
        ]
        words = {number: _of_words(edits[number - 1]) for number in self.scans}
        for number, scan in self.scans.items():
            removals[number - 1] = scan.widened(
                drawn[number - 1], removals[number - 1], words[number]
            )
        # A scan may have more in its file than what it shows.
        pictured = {
            number: scan
            for number, scan in self.scans.items()
            if scan.is_scan and drawn[number - 1].pictures and not self.wanted.keeps_unread
        }
        removals = list(_with_fields(file, removals, sanitized))
        while True:
            try:
                return self._written(file, removals, words, pictured, sanitized)
            except PageError as error:
                reason, numbers = error.reason, error.numbers - pictured.keys()
            can_be_read = can_read(self.wanted.languages)
            if not numbers or not can_be_read:
                advice = "" if can_be_read else f"; to write the page as a picture, {_ADVICE}"
                raise InputError(f"{reason}, so nothing was written{advice}", name, AS_NEW_PDF)
            require(self.wanted.languages, name)
            for number in sorted(numbers):
                page, what = drawn[number - 1], removals[number - 1]
                comments = file.cleaned.comments[number - 1]
                if not looks_alike(
                    file.cleaned.shown, file.cleaned.data, number, page, what, comments
                ):
                    raise InputError(f"{reason}, and so would a picture of it", name, AS_NEW_PDF)
                pictured[number] = self.scans.get(number) or whole_page(
                    file.cleaned.data, page, number, self.wanted, name
                )

    def _written(
        self,
        file: _File,
        what: Sequence[Redaction],
        words: Mapping[int, Edits],
        pictured: Mapping[int, ScannedPage],
        sanitized: Result,
    ) -> bytes:
        """Return the file with edits.

        Args:
            file: its pages.
            what: goes from each of them.
            words: edits of recognised words, by number of page.
            pictured: pages that become pictures in any case, by number.
            sanitized: the document.

        Raises:
            PageError: if pages can't be edited.
            LeakError: if something is left under a box.
            InputError: if a page can't be read again.
        """
        from .checking import check
        from .redaction import PageError, Redaction, redacted
        from .scans import repainted

        drawn, removals = [page.content for page in file.pages], list(what)
        scans = {**self.scans, **pictured}
        data, pictures = repainted(
            file.cleaned.data, scans, removals, words, sanitized, self.wanted, pictured
        )
        for number in pictures:
            drawn[number - 1] = content.Page((), (), drawn[number - 1].matrix, frozenset())
            removals[number - 1] = Redaction(frozenset(), ())
        output = redacted(data, drawn, removals)
        rows = zip(drawn, removals, content.pages(output), strict=True)
        moved = [
            number
            for number, (page, removal, after) in enumerate(rows, 1)
            if not _is_edited(page, removal.glyphs(page), after)
        ]
        if moved:
            raise PageError(
                moved, f"page {moved[0]} can't be edited without moving its other letters"
            )
        check(
            file.cleaned.shown, output, drawn, removals, file.cleaned.comments, pictures, sanitized
        )
        return output


def _of_glyphs(edits: Edits) -> Iterator[tuple[str, list[int]]]:
    """Yield the edits with the glyphs among their indices."""
    for text, indices in edits:
        yield text, [index for index in indices if index >= 0]


def _of_words(edits: Edits) -> list[tuple[str, list[int]]]:
    """Return the edits of recognised words, with the indices of these."""
    some = [(text, [-1 - index for index in indices if index < 0]) for text, indices in edits]
    return [(text, indices) for text, indices in some if indices]


def _edits(file: _File, sanitized: Result) -> Iterator[list[tuple[str, list[int]]]]:
    """Yield of each page what is written instead of which glyphs."""
    edits = sorted(
        (edit.original.start, edit.original.end, edit.text) for edit in sanitized.replacements
    )
    offset = 0
    for page in file.pages:
        end = offset + len(page.text)
        some: list[tuple[str, list[int]]] = []
        for start, stop, text in edits:
            if start < end and stop > offset:
                characters = page.origins[max(0, start - offset) : stop - offset]
                indices = list(dict.fromkeys(index for each in characters for index in each))
                some.append((text if start >= offset else "", indices))
        yield some
        offset = end + len(PAGE_BREAK)


def _with_fields(file: _File, what: Sequence[Redaction], sanitized: Result) -> Iterator[Redaction]:
    """Yield what goes from each page, with the fields of its form in which nothing is masked."""
    names = NameScrubber.of(sanitized)
    rows = list(zip(file.pages, what, file.cleaned.fields, strict=True))
    masked = {
        field.group
        for page, removal, fields in rows
        for field in fields
        if removal.touches(field, page.content)
        or any(
            names.occurs_in(text) or not is_whole(text, sanitized.text) for text in field.strings
        )
    }
    for _, removal, fields in rows:
        yield replace(removal, fields=tuple(each for each in fields if each.group not in masked))


def _is_edited(before: content.Page, removed: frozenset[int], after: content.Page) -> bool:
    """Return whether all other glyphs are where they were."""
    kept = [glyph for index, glyph in enumerate(before.glyphs) if index not in removed]
    return len(kept) <= len(after.glyphs) and all(
        old.text == new.text and _is_near(old, new)
        for old, new in zip(kept, after.glyphs, strict=False)
    )


def _is_near(old: content.Glyph, new: content.Glyph) -> bool:
    slack = 0.1 + 0.05 * old.size
    return abs(old.x - new.x) <= slack and abs(old.y - new.y) <= slack


def written_text(data: bytes) -> str:
    """Return the text of the pages of a PDF of ours, without the numbers below them."""
    texts = (_piled(page, ()).text for page in content.pages(data))
    return PAGE_BREAK.join(text.rpartition("\n")[0] for text in texts)


def _read(data: bytes, name: str, wanted: OcrSettings) -> _File:
    """Return the pages of a file with their texts."""
    pages: list[_TextPage] = []
    length = 0
    try:
        file = cleaned(data, name, keeps=wanted.keeps_unread)
        for number, page in enumerate(content.pages(file.data), 1):
            text = _piled(page, file.strings[number - 1])
            unknown = _unknown(text)
            joined = joined_words(text.text, text.origins)
            pages.append(_TextPage(*joined, text.content, unknown))
            length += len(text.text)
            if length > MOST_CHARACTERS:
                raise InputError(
                    f"has more than {MOST_CHARACTERS:,} characters; split the document.", name
                )
    except (InputError, MissingExtraError):
        raise
    except content.TooMuchError:
        raise InputError(f"page {len(pages) + 1} draws too much to be read.", name) from None
    except Exception as error:  # a damaged file makes the parser fail in any way there is
        raise InputError(
            f"is a damaged PDF ({type(error).__name__}); print it to a new PDF first.", name
        ) from None
    if not pages:
        raise InputError("is a damaged PDF without a page; print it to a new PDF first.", name)
    return _File(tuple(pages), file)


def _piled(page: content.Page, strings: tuple[str, ...]) -> _TextPage:
    """Return the text of a page, and what is said beside it."""
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
    return _TextPage(text[start:end], tuple(origins[start:end]), page)


def _unknown(page: _TextPage) -> frozenset[int]:
    """Return the indices of glyphs whose letters can't be known, or are so placed that they make no words.

    A symbol alone, such as the mark of a list item, may be unknown.
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
    """Return whether a word is of a script with a sign as a possible word."""
    return word >= "\u0e00"


def _notes(
    file: _File,
    scans: Mapping[int, ScannedPage],
    unread: Mapping[int, frozenset[int]],
    wanted: OcrSettings,
) -> Iterator[str]:
    empty = [number for number, page in enumerate(file.pages, 1) if not page.text.strip()]
    if empty:
        numbers = ", ".join(map(str, empty[:_SHOWN_PAGES]))
        more = " …" if len(empty) > _SHOWN_PAGES else ""
        shown = "; what such a page shows is not read: look at it" if wanted.keeps_unread else ""
        yield f"page {numbers}{more}: without text{shown}."
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
        shown = "1 picture" if pictures == 1 else f"{pictures} pictures"
        beside = " beside its words" if scans else ""
        yield f"{shown}: what a picture shows{beside} is not read, and stays in a PDF that keeps its pages."
    if file.cleaned.layers:
        yield f"{file.cleaned.layers} layers that are switched off are not in the output."
