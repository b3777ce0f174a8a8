"""The sanitized PDF: edited glyphs and words are removed and replaced with boxes.

A page is edited in place if possible, and becomes a picture otherwise. What needs no OCR comes
first, and no page is read by OCR twice, so that a file that can't be written is refused quickly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...errors import AS_NEW_PDF, InputError
from ...result import Result
from ..completeness import is_whole
from ..names import NameScrubber
from ..ocr.tesseract import OcrSettings, can_read, require
from ..record import PAGE_BREAK, SourceDocument
from . import glyphs as content
from .checking import check, looks_alike
from .page_pictures import PicturedPage, page_pictures, with_pictures
from .redaction import Box, PageError, Redaction, redacted, redaction, with_boxes
from .scanned_page import Edits, ScannedPage
from .scans import letters_in, seen_again, unseen_letters, whole_pages
from .text import OCR_ADVICE, PdfText, read_pages

_BLANK = Redaction(frozenset(), ())


@dataclass(frozen=True, slots=True)
class PdfContainer:
    """The bytes of a PDF that is to be redacted.

    Attributes:
        data: the original file.
        scans: what was recognized in pictures, by page number.
        unread: indexes of the pictures that are covered, by page number.
        wanted: settings for reading pictures.
    """

    data: bytes = field(repr=False)
    scans: Mapping[int, ScannedPage] = field(repr=False)
    unread: Mapping[int, frozenset[int]]
    wanted: OcrSettings

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the file with boxes in place of edited glyphs.

        A page that can't be edited in place becomes a picture with boxes, provided that OCR can
        read it again.

        Raises:
            LeakError: if something is left under a box.
            InputError: if a page can't be edited, or would look different outside its boxes.
        """
        name = record.origin.name
        file = read_pages(self.data, name, self.wanted)
        letters = {n: letters_in(file.drawn[n - 1], some) for n, some in self.unread.items()}
        file = file.covered(self.unread).with_words(self.scans)
        if file.text != record.document.text:
            raise InputError("was read differently this time; open and re-save it.", name)
        unseen = unseen_letters(file.cleaned.data, file.drawn, letters)
        return _Editing(file, self.scans, unseen, self.wanted, sanitized, name).output()


class _Editing:
    """Edits a file page by page; letters under covered pictures, by page number, go as well."""

    def __init__(
        self,
        file: PdfText,
        scans: Mapping[int, ScannedPage],
        unseen: Mapping[int, frozenset[int]],
        wanted: OcrSettings,
        sanitized: Result,
        name: str,
    ) -> None:
        self._file = file
        self._wanted = wanted
        self._sanitized = sanitized
        self._name = name
        self._drawn = file.drawn
        edits = list(_edits(file, sanitized))
        self._removals = [
            redaction(page, _of_glyphs(some), unseen.get(number, ()))
            for number, (page, some) in enumerate(zip(self._drawn, edits, strict=True), 1)
        ]
        self._words = {number: _of_words(edits[number - 1]) for number in scans}
        for number, scan in scans.items():
            words = self._words[number]
            page, what = self._drawn[number - 1], self._removals[number - 1]
            what = scan.widened(page, what, words, keeps=wanted.keeps_unread)
            self._removals[number - 1] = what
        self._pictured = {n: scan for n, scan in scans.items() if self._needs_picture(n, scan)}
        self._unseen = {n: scan for n, scan in scans.items() if n not in self._pictured}
        self._scans = scans

    def _needs_picture(self, number: int, scan: ScannedPage) -> bool:
        """Return whether a scan becomes a picture, since its file may contain more than it shows."""
        stays = self._wanted.keeps_unread or not (
            self._drawn[number - 1].pictures or scan.scan.unread
        )
        return scan.is_scan and not (stays and not self._words[number])

    def output(self) -> bytes:
        """Return the edited file.

        Raises:
            LeakError: if something is left under a box.
            InputError: if a page can't be edited, or would look different outside its boxes.
        """
        data = self._edited()
        if self._has_more_to_cover():
            data = self._edited()
        if not self._pictured:
            return data
        rows = {
            number: PicturedPage(
                scan,
                self._drawn[number - 1],
                self._removals[number - 1],
                self._words[number] if scan is self._scans.get(number) else (),
            )
            for number, scan in self._pictured.items()
        }
        pictures = page_pictures(self._file.cleaned.data, rows, self._sanitized, self._wanted)
        return with_pictures(data, pictures)

    def _edited(self) -> bytes:
        """Return the file with pages edited in place; pages that can't be will become pictures later."""
        while True:
            try:
                return self._edited_in_place()
            except PageError as error:
                self._make_pictures(error)

    def _edited_in_place(self) -> bytes:
        """Return the file with its edits; pages that become pictures have no letters.

        Raises:
            PageError: if pages can't be edited.
            LeakError: if something is left under a box.
        """
        self._removals = list(_with_fields(self._file, self._removals, self._sanitized))
        drawn, removals = [*self._drawn], [*self._removals]
        for number in self._pictured:
            drawn[number - 1] = content.Page((), (), drawn[number - 1].matrix, frozenset())
            removals[number - 1] = _BLANK
        file = self._file.cleaned
        output = redacted(file.data, drawn, removals)
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
        more = check(
            file.shown, output, drawn, removals, file.comments, self._pictured, self._sanitized
        )
        for number, boxes in more.items():
            self._cover(number, boxes)
        return self._edited_in_place() if more else output

    def _cover(self, number: int, boxes: Sequence[Box]) -> None:
        page, what = self._drawn[number - 1], self._removals[number - 1]
        self._removals[number - 1] = with_boxes(page, what, boxes)

    def _make_pictures(self, error: PageError) -> None:
        """Turn pages into pictures.

        Raises:
            InputError: if OCR can't read them again, or a picture would also look different.
        """
        numbers = sorted(error.numbers - self._pictured.keys())
        can_be_read = can_read(self._wanted.languages)
        if not numbers or not can_be_read:
            advice = "" if can_be_read else f"; to write the page as a picture, {OCR_ADVICE}"
            raise InputError(
                f"{error.reason}, so nothing was written{advice}",
                self._name,
                AS_NEW_PDF,
            )
        require(self._wanted.languages, self._name)
        file = self._file.cleaned
        for number in numbers:
            page, what = self._drawn[number - 1], self._removals[number - 1]
            if not looks_alike(
                file.shown, file.data, number, page, what, file.comments[number - 1]
            ):
                raise InputError(
                    f"{error.reason}, and so would a picture of it",
                    self._name,
                    AS_NEW_PDF,
                )
        self._add_pictures(numbers)

    def _add_pictures(self, numbers: Iterable[int]) -> None:
        scans = {n: self._scans[n] for n in numbers if n in self._scans and self._scans[n].is_scan}
        new = {n: self._drawn[n - 1] for n in numbers if n not in scans}
        data = self._file.cleaned.data
        self._pictured |= scans | whole_pages(data, new, self._wanted, self._name)

    def _has_more_to_cover(self) -> bool:
        """Cover what is still visible of masked strings in pictures; return whether there was anything."""
        outlined = [
            n for n, scan in self._unseen.items() if scan.is_outlined(self._removals[n - 1])
        ]
        pages = {
            number: (self._drawn[number - 1], scan, self._removals[number - 1])
            for number, scan in self._unseen.items()
            if number not in {*self._pictured, *outlined}
            and (scan.has_words or self._wanted.keeps_unread)
        }
        data = self._file.cleaned.data
        more = list(seen_again(data, pages, self._sanitized, self._wanted))
        for number, boxes, is_elsewhere in more:
            if not is_elsewhere:
                self._cover(number, boxes)
        elsewhere = [number for number, _, is_elsewhere in more if is_elsewhere]
        self._add_pictures({*elsewhere, *outlined} - self._pictured.keys())
        return bool(more or outlined)


def _of_glyphs(edits: Edits) -> Iterator[tuple[str, list[int]]]:
    """Yield the edits with only glyphs among their indexes."""
    for text, indices in edits:
        yield text, [index for index in indices if index >= 0]


def _of_words(edits: Edits) -> list[tuple[str, list[int]]]:
    """Return the edits of recognized words, with their indexes."""
    some = [(text, [-1 - index for index in indices if index < 0]) for text, indices in edits]
    return [(text, indices) for text, indices in some if indices]


def _edits(file: PdfText, sanitized: Result) -> Iterator[list[tuple[str, list[int]]]]:
    """Yield for each page what is written in place of which glyphs."""
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


def _with_fields(
    file: PdfText, what: Sequence[Redaction], sanitized: Result
) -> Iterator[Redaction]:
    """Yield what is removed from each page, with the form fields in which nothing is masked."""
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
    glyphs = [glyph for index, glyph in enumerate(before.glyphs) if index not in removed]
    return len(glyphs) <= len(after.glyphs) and all(
        old.text == new.text and _is_near(old, new)
        for old, new in zip(glyphs, after.glyphs, strict=False)
    )


def _is_near(old: content.Glyph, new: content.Glyph) -> bool:
    slack = 0.1 + 0.05 * old.size
    return abs(old.x - new.x) <= slack and abs(old.y - new.y) <= slack
