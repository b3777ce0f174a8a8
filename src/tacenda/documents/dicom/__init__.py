"""DICOM files: the header follows the standard's profile, and text in the pixels is covered; extra ``dicom``.

A document's text is what OCR reads in the pixels. Names of people in the header are searched for
there, too.

| module | topic |
|---|---|
| ``profile`` | the header |
| ``pixels`` | the pixels, read and painted |
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO

from ...document import Document
from ...errors import InputError, MissingExtraError, Remedy
from ...isolation.worker import report_progress
from ...result import Result
from ..names import NameScrubber
from ..record import PAGE_BREAK, Origin, SourceDocument

try:
    from pydicom import dcmread
    from pydicom.dataset import Dataset
    from pydicom.uid import ExplicitVRBigEndian, MediaStorageDirectoryStorage
except ImportError as error:
    raise MissingExtraError("reading a DICOM file", "dicom") from error

from ..ocr.covering import Patch
from ..ocr.files import MOST_FRAMES, covered_pictures
from ..ocr.scans import Scan, scanned
from ..ocr.tesseract import OcrSettings, can_read, missing, require, settings
from .pixels import Frames, frames_of, require_painted, store
from .profile import Deidentifier, names_and_codes, replace_meta

_UNREAD = "its pixels were not read: look at them for names."


def read(stream: BinaryIO, origin: Origin, key: bytes) -> Iterator[SourceDocument]:
    """Yield the one document of a file.

    Args:
        stream: the file.
        origin: its name.
        key: key for pseudonyms of its numbers.

    Raises:
        InputError: if it isn't a DICOM file, is damaged or too large, or OCR is missing for its
            pixels.
    """
    data, name = stream.read(), origin.name
    dataset = _opened(data, name)
    options = origin.ocr or settings()
    names, codes = names_and_codes(dataset)
    frames = frames_of(dataset, name)
    scans: tuple[Scan, ...] = ()
    notes: tuple[str, ...] = ()
    if frames is not None and not can_read(options.languages):
        if not options.keeps_unread:
            reading = missing(options.languages)
            command = f"{reading.command}, or leave them as they are with --pictures keep"
            fault = "has pixels that may show names, and they were not read"
            raise InputError(fault, name, Remedy(command, reading.page))
        notes = (_UNREAD,)
    elif frames is not None:
        require(options.languages, name)
        if len(frames.values) > MOST_FRAMES:
            raise InputError(f"has more than {MOST_FRAMES} frames; split the file.", name)
        scans = tuple(_scans(frames, dataset, options.languages, name))
        notes = tuple(_notes(scans, kept=options.keeps_unread))
    text = PAGE_BREAK.join(scan.text()[0] for scan in scans)
    container = _DicomContainer(data, scans, options.languages, options.keeps_unread, key)
    document = Document(name, text, names, codes=codes)
    yield SourceDocument(document, origin, text, (), container=container, notes=notes)


def _scans(frames: Frames, dataset: Dataset, languages: str, name: str) -> Iterator[Scan]:
    """Yield what OCR reads in each frame."""
    total = len(frames.values)
    for number in range(total):
        yield scanned(frames.picture(number, dataset), languages, name)
        report_progress(number + 1, total)


def _notes(scans: Sequence[Scan], *, kept: bool) -> Iterator[str]:
    count = sum(bool(scan.unread) for scan in scans)
    if count:
        frames = f"{count} of {len(scans)} frames {'has' if count == 1 else 'have'}"
        frames = frames if len(scans) > 1 else "its picture has"
        ending = (
            "they stay as they are: look at them"
            if kept
            else "they are covered; --pictures keep leaves them as they are"
        )
        yield f"{frames} regions that are not text, or could not be read: {ending}."


@dataclass(frozen=True, slots=True)
class _DicomContainer:
    """A file and what was read in its pixels.

    Attributes:
        data: the original file.
        scans: one per frame; none if the pixels weren't read.
        languages: languages they were read in.
        keeps_unread: whether regions that couldn't be read stay.
        key: key for pseudonyms of its numbers.
    """

    data: bytes = field(repr=False)
    scans: tuple[Scan, ...] = field(repr=False)
    languages: str
    keeps_unread: bool
    key: bytes = field(repr=False)

    def write(self, record: SourceDocument, sanitized: Result) -> bytes:
        """Return the file with a changed header and its pixels painted over.

        Raises:
            LeakError: if a masked string can still be read, or something is left under a box.
            InputError: if the file can't be read again the same way.
        """
        name = record.origin.name
        dataset = _opened(self.data, name)
        frames = frames_of(dataset, name)
        patches = self._patches(frames, dataset, sanitized) if frames is not None else []
        if frames is not None:
            store(dataset, frames.painted(patches))
        is_clean = bool(self.scans) and not self.keeps_unread
        forms = NameScrubber.of(sanitized)
        Deidentifier(self.key, forms).apply(dataset, cleaned_pixels=is_clean)
        replace_meta(dataset)
        output = BytesIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dataset.save_as(output, enforce_file_format=True)
        written = output.getvalue()
        if frames is not None:
            again = frames_of(_opened(written, name), name)
            if again is None:
                raise InputError("can't be written as it was read; convert it.", name)
            require_painted(frames, again, patches, name)
        return written

    def _patches(
        self, frames: Frames, dataset: Dataset, sanitized: Result
    ) -> list[tuple[Patch, ...]]:
        """Return the patches that cover each frame."""
        if not self.scans:
            return [()] * len(frames.values)
        pictures = (frames.picture(number, dataset) for number in range(len(self.scans)))
        options = OcrSettings(self.languages, self.keeps_unread)
        painted = covered_pictures(pictures, self.scans, sanitized, options, "frame")
        return [patches for _, patches in painted]


def _opened(data: bytes, name: str) -> Dataset:
    """Return a file's data set with all values read.

    Raises:
        InputError: if it isn't a DICOM file, is damaged, or is of a kind that can't be written.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dataset = dcmread(BytesIO(data))
            for _ in dataset.iterall():
                pass
    except MemoryError:
        raise
    except Exception as error:  # a damaged file can make its reader fail in any way
        raise InputError(
            f"is not a DICOM file, or is damaged ({type(error).__name__}); check the file.", name
        ) from None
    if dataset.file_meta.get("MediaStorageSOPClassUID") == MediaStorageDirectoryStorage:
        raise InputError("is the directory of a medium (DICOMDIR), not an object; omit it.", name)
    if dataset.file_meta.get("TransferSyntaxUID") == ExplicitVRBigEndian:
        raise InputError(
            "has its bytes in the retired big-endian order; convert it, for example with dcmconv +te.",
            name,
        )
    if not dataset.get("SOPClassUID") or not dataset.get("SOPInstanceUID"):
        raise InputError(
            "doesn't say what it is (no SOP Class or Instance UID); check the file.", name
        )
    if "EncapsulatedDocument" in dataset:
        raise InputError(
            "contains another file (such as a PDF); extract it, for example with dcm2pdf, and sanitize that.",
            name,
        )
    return dataset
