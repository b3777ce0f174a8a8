"""The program ``tesseract``: the words in a picture with their boxes.

Pictures and words pass through pipes, so no text of a document gets into a temporary file.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ...errors import InputError, Remedy
from ...isolation.limits import limits
from ...isolation.worker import report_progress

if TYPE_CHECKING:
    from PIL import Image

LANGUAGES = "TACENDA_OCR_LANGUAGES"
PICTURES = "TACENDA_PICTURES"
VARIABLES = LANGUAGES, PICTURES
_OFF = "off"
_NAMES = re.compile(r"[A-Za-z_]+(?:\+[A-Za-z_]+)*")
_TURNED = re.compile(rb"Rotate: (\d+)")
_INSTALL = "for OCR install the program tesseract (apt install tesseract-ocr)"
_PAGE = "3"
_SPARSE = "11"
_ORIENTATION = "0"

_MOST_AT_ONCE = min(4, os.cpu_count() or 1)
"""Number of pictures that are read at the same time, each by a separate process."""

Rectangle = tuple[int, int, int, int]
"""``(left, top, right, bottom)`` in dots."""
_Picture = TypeVar("_Picture")
_Value = TypeVar("_Value")


def around(*boxes: Rectangle) -> Rectangle:
    """Return the bounding rectangle of rectangles."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def in_parallel(
    function: Callable[[_Picture], _Value], pictures: Iterable[_Picture], total: int
) -> Iterator[_Value]:
    """Yield a function's value for each picture, in order.

    Only as many pictures are loaded as are read at the same time, since each needs a lot of memory.

    Args:
        function: reads a picture.
        pictures: the pictures, or what they are drawn from.
        total: their number.
    """
    waiting = iter(pictures)
    n_done = 0
    with ThreadPoolExecutor(_MOST_AT_ONCE) as pool:
        while batch := list(islice(waiting, _MOST_AT_ONCE)):
            for value in pool.map(function, batch):
                n_done += 1
                report_progress(n_done, total)
                yield value


@dataclass(frozen=True, slots=True)
class OcrSettings:
    """Options for pictures.

    Attributes:
        languages: Tesseract's names, ``eng+deu``; empty if pictures aren't to be read.
        keeps_unread: whether pictures, or regions of pictures, that may show text but weren't read
            stay.
    """

    languages: str = "eng"
    keeps_unread: bool = False

    @classmethod
    def named(cls, languages: str, pictures: str, names: tuple[str, str]) -> OcrSettings:
        """Return the settings with these values.

        Args:
            languages: names of languages, or ``off``.
            pictures: ``cover`` or ``keep``.
            names: names of the options or variables, for error messages.

        Raises:
            InputError: if a value is invalid.
        """
        if not _NAMES.fullmatch(languages):
            raise InputError(
                f"{names[0]} is {languages[:40]!r}; it must be languages such as eng+deu, or {_OFF}."
            )
        if pictures not in ("cover", "keep"):
            raise InputError(f"{names[1]} is {pictures[:40]!r}; it must be cover or keep.")
        return cls("" if languages == _OFF else languages, pictures == "keep")


def settings(
    languages: str | None = None, pictures: str | None = None, names: tuple[str, str] = VARIABLES
) -> OcrSettings:
    """Return the settings from the environment, with defaults.

    Args:
        languages: overrides the environment; None to use the environment's.
        pictures: overrides the environment in the same way.
        names: names of the options, for error messages.

    Raises:
        InputError: if a value is invalid.
    """
    return OcrSettings.named(
        languages or os.environ.get(LANGUAGES) or OcrSettings().languages,
        pictures or os.environ.get(PICTURES) or "cover",
        (names[0] if languages else LANGUAGES, names[1] if pictures else PICTURES),
    )


class Word(NamedTuple):
    """A word in a picture.

    Attributes:
        text: its characters, without blanks.
        box: its box, in pixels.
        confidence: the confidence, from 0 to 100.
        line: number of its line, and of the line's paragraph.
    """

    text: str
    box: Rectangle
    confidence: float
    line: tuple[int, int]


def is_installed() -> bool:
    """Return whether the program is installed."""
    return shutil.which("tesseract") is not None


def can_read(languages: str) -> bool:
    """Return whether pictures are to be read and the program is installed."""
    return bool(languages) and is_installed()


def missing(languages: str) -> Remedy:
    """Return advice for when the program is missing or switched off."""
    if not languages:
        return Remedy(
            f"{LANGUAGES} (or --ocr-languages) switches the recognition of text (OCR) off",
            "the settings of the server switch the recognition of text (OCR) off",
        )
    return Remedy(_INSTALL, _INSTALL)


def require(languages: str, name: str) -> None:
    """Raise an InputError unless the program is installed and knows the languages.

    Raises:
        InputError: if not; names the package to install.
    """
    if not can_read(languages):
        raise InputError("is a picture of text", name, missing(languages))
    unknown = [each for each in languages.split("+") if each not in known_languages()]
    if unknown:
        packages = " ".join(f"tesseract-ocr-{each.replace('_', '-')}" for each in unknown)
        raise InputError(
            f"can't be read in {', '.join(unknown)}: Tesseract has no data of it; install it "
            f"(apt install {packages}).",
            name,
        )


@lru_cache(maxsize=1)
def known_languages() -> frozenset[str]:
    """Return the names of the installed languages."""
    output = _run(["--list-langs"], b"", "")
    return frozenset(output.decode("utf-8", "replace").split("\n")[1:])


def words(image: Image.Image, languages: str, name: str, *, sparse: bool = False) -> list[Word]:
    """Return the words in an upright picture, in reading order.

    Args:
        image: gray, about 300 dots per inch.
        languages: names of languages.
        name: name of the document, for error messages.
        sparse: whether words may be anywhere instead of in columns; edges are then found from each
            pixel's surroundings.

    Raises:
        InputError: if it takes too long or fails.
    """
    options = ["-c", "thresholding_method=2"] if sparse else []
    mode = _SPARSE if sparse else _PAGE
    output = _run(
        ["stdin", "stdout", "-l", languages, "--dpi", "300", "--psm", mode, *options, "tsv"],
        _pgm(image),
        name,
    )
    lines = output.decode("utf-8", "replace").splitlines()
    return list(_parsed(lines))


def _parsed(lines: Sequence[str]) -> list[Word]:
    found: list[Word] = []
    numbers: dict[tuple[str, ...], tuple[int, int]] = {}
    paragraphs: dict[tuple[str, ...], int] = {}
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        text = "".join((row["text"] or "").split())
        if row["level"] != "5" or not text:
            continue
        left, top, width, height = (int(row[key]) for key in ("left", "top", "width", "height"))
        paragraph = (row["block_num"], row["par_num"])
        number = paragraphs.setdefault(paragraph, len(paragraphs))
        line = numbers.setdefault((*paragraph, row["line_num"]), (len(numbers), number))
        box = (left, top, left + width, top + height)
        found.append(Word(text, box, float(row["conf"]), line))
    return found


def turns(image: Image.Image, name: str) -> int | None:
    """Return by how many quarter turns to the left a picture's text becomes upright; None if unknown."""
    try:
        output = _run(["stdin", "stdout", "-l", "osd", "--psm", _ORIENTATION], _pgm(image), name)
    except InputError:  # too few letters, or no data for it
        return None
    match = _TURNED.search(output)
    return -int(match[1]) // 90 % 4 if match else None


def _pgm(image: Image.Image) -> bytes:
    return b"P5\n%d %d\n255\n" % image.size + image.tobytes()


def _run(arguments: Sequence[str], data: bytes, name: str) -> bytes:
    program = shutil.which("tesseract")
    if program is None:
        raise InputError(f"can't be read; {_INSTALL}.", name)
    seconds = limits().seconds
    try:
        run = subprocess.run(
            [program, *arguments],
            input=data,
            capture_output=True,
            timeout=seconds,
            check=True,
            # Its threads spend more time waiting for each other than computing.
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except subprocess.TimeoutExpired:
        raise InputError(
            f"has a page whose recognition {limits().too_slow(seconds)}", name
        ) from None
    except (OSError, subprocess.CalledProcessError):
        raise InputError(
            "has a page that Tesseract can't read; check the picture, or scan it again.", name
        ) from None
    return run.stdout
