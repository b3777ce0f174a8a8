"""Parts of a file other than its text: pictures, comments and hidden text, which people may keep, blank or remove.

    bytes ─ parts_of ─▶ parts, each with a key ─ people decide ─▶ decisions ─ treated ─▶ bytes

They are found in the sanitized file, from which metadata, changes and foreign objects have already
been removed. A key is a digest of the content, so a changed part is undecided again. Files are
opened only in a worker.

| module | topic |
|---|---|
| ``pictures`` | files that are pictures, and painting any picture |
| ``archives`` | .docx, .pptx and .odt |
| ``pdf`` | pictures of a PDF |
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeVar

from ...errors import InputError
from ...isolation.workers import isolated
from ..containers import input_size
from ..formats import FileFormat
from ..ocr.tesseract import settings
from ..registry import SHIPPED

WITH_PARTS = tuple(name for name, format in SHIPPED.items() if format.parts)
"""Formats whose files are searched for parts; no other format lets pictures or comments through."""
ARCHIVES = tuple(name for name in WITH_PARTS if SHIPPED[name].change_counter)
"""Formats with pictures inside that may show text and weren't read."""
_KEY_DIGITS = 32
_Value = TypeVar("_Value")


class PartKind(StrEnum):
    """Kinds of parts other than text."""

    PICTURE = "picture"
    COMMENT = "comment"
    HIDDEN = "hidden text"
    CHANGES = "tracked changes"


class PartTreatment(StrEnum):
    """How a part is treated."""

    KEEP = "keep"
    BLANK = "blank"
    REMOVE = "remove"


class PictureBox(NamedTuple):
    """A rectangle in a picture, in ten-thousandths of its width and height, to be painted black."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, numbers: Sequence[int]) -> PictureBox:
        """Return the box given by four numbers.

        Raises:
            InputError: if they don't form a box.
        """
        if len(numbers) != 4 or not all(isinstance(n, int) for n in numbers):
            raise InputError("a box is four whole numbers: left, top, right, bottom.")
        box = cls(*numbers)
        if not (0 <= box.left < box.right <= 10_000 and 0 <= box.top < box.bottom <= 10_000):
            raise InputError(
                "a box must be inside its picture, from 0 to 10000 to the right and down."
            )
        return box


WHOLE = PictureBox(0, 0, 10_000, 10_000)


@dataclass(frozen=True, slots=True)
class PartDecision:
    """The decision on a part.

    Attributes:
        treatment: what happens to it.
        boxes: boxes to paint black in a picture that is kept.
    """

    treatment: PartTreatment
    boxes: tuple[PictureBox, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether the part is changed."""
        return self != PartDecision(PartTreatment.KEEP)


@dataclass(frozen=True, slots=True)
class BesidePart:
    """A part of a file other than its text.

    Attributes:
        key: digest of its content.
        kind: the kind of part.
        place: where it is, such as ``page 3``.
        text: the text of a comment, or hidden text.
        content: a picture's content, as PNG or JPEG.
        media_type: media type of the content.
        treatments: the possible treatments.
    """

    key: str
    kind: PartKind
    place: str
    text: str = field(default="", repr=False)
    content: bytes = field(default=b"", repr=False)
    media_type: str = ""
    treatments: tuple[PartTreatment, ...] = tuple(PartTreatment)


def parts_of(content: bytes, format: str) -> tuple[BesidePart, ...]:
    """Return the parts of a sanitized file, each once; empty for formats that let none through.

    Raises:
        InputError: if the file can't be read within the limits.
        MissingExtraError: if the extra ``documents`` is needed but missing.
    """
    if format not in WITH_PARTS:
        return ()
    parts = _in_worker(SHIPPED[format].changed_parts, content, format, {})[1]
    return tuple({part.key: part for part in parts}.values())


def treated(content: bytes, format: str, decisions: Mapping[str, PartDecision]) -> bytes:
    """Return a sanitized file with its parts as decided; undecided parts stay, except pictures that may show text.

    Raises:
        InputError: if a picture can't be painted.
        MissingExtraError: if the extra ``documents`` is needed but missing.
    """
    if format not in WITH_PARTS:
        return content
    blanks_unread = format in ARCHIVES and not settings().keeps_unread
    if not blanks_unread and not any(decision.changes for decision in decisions.values()):
        return content
    return _in_worker(_treated, content, format, SHIPPED[format], dict(decisions), blanks_unread)


def accepted_changes(original: bytes, format: str) -> BesidePart | None:
    """Return the tracked changes in an original, which are accepted when it is read; None if there are none."""
    if format not in ARCHIVES:
        return None
    count = _in_worker(SHIPPED[format].tracked_changes, original, format)
    if not count:
        return None
    text = f"{count} tracked changes are accepted: deleted text is gone, inserted text is part of the text."
    return BesidePart(
        key_of(b"changes", hashlib.sha256(original).digest()),
        PartKind.CHANGES,
        "the document",
        text,
        treatments=(PartTreatment.KEEP,),
    )


def ocr_text(part: BesidePart) -> str:
    """Return the words that Tesseract reads in a picture, or a sentence that says why there are none."""
    if not part.content:
        return "This part is not a picture that can be read."
    return _in_worker(_words, part.content, "png", part.place)


def key_of(*pieces: bytes) -> str:
    """Return the digest of content; different lists of pieces have different digests."""
    running = hashlib.sha256()
    for piece in pieces:
        running.update(len(piece).to_bytes(8, "big") + piece)
    return running.hexdigest()[:_KEY_DIGITS]


# Run by a worker.


def _in_worker(
    function: Callable[..., _Value], content: bytes, format: str, *rest: object
) -> _Value:
    """Call a function in a worker with a file, its format and other arguments."""
    size = input_size(content, SHIPPED[format])
    subject = f"the .{format}"
    return isolated(function, (content, *rest), subject=subject, size=size)


def _treated(
    content: bytes,
    format: FileFormat,
    decisions: Mapping[str, PartDecision],
    blanks_unread: bool,
) -> bytes:
    if blanks_unread:
        from ..pictures import kept_picture

        unread = [
            part
            for part in format.changed_parts(content, {})[1]
            if part.content and kept_picture(part.content, keeps=False) is None
        ]
        decisions = {part.key: PartDecision(PartTreatment.BLANK) for part in unread} | {**decisions}
    if not any(decision.changes for decision in decisions.values()):
        return content
    return format.changed_parts(content, decisions)[0]


def _words(content: bytes, place: str) -> str:
    from ..ocr.tesseract import can_read, missing, words
    from .pictures import opened

    languages = settings().languages
    if not can_read(languages):
        return f"The picture can't be read here; {missing(languages).page}."
    words_found = words(opened(content).convert("L"), languages, place, sparse=True)
    return " ".join(word.text for word in words_found) or "No word was found; look at it yourself."
