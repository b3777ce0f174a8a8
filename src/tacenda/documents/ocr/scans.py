"""A picture read as text: its words in lines and paragraphs, and the regions that couldn't be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from PIL import Image

from ..hyphenation import Origins, joined_words
from .regions import unexplained
from .tesseract import Rectangle, Word, turns, words

SURE = 50.0
"""Minimum confidence of a word that counts as read."""
_MOST_DOTS = 30_000_000
_SHORT_SIDE, _LONG_SIDE = (
    2_400,
    5_000,
)  # dots of the longest side, for which 300 an inch are supposed
_MOST_ENLARGED = 3.0
_PARAGRAPH = 1.0
"""Distance between two lines, in line heights, from which they belong to different paragraphs."""
_UPRIGHT = 0.6
"""Share of letters in reliably read words from which a page isn't also tried in other orientations."""
_TURNS = (
    None,
    Image.Transpose.ROTATE_90,
    Image.Transpose.ROTATE_180,
    Image.Transpose.ROTATE_270,
)
_SMALL_REGION = 300
"""Maximum height in pixels: that of a few lines."""
_MOST_REGIONS = 200
_PAPER = 40
"""Margin in pixels around a region that is read again."""
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Scan:
    """The text read in a picture.

    Attributes:
        words: the words in reading order, with their boxes in pixels of the original picture.
        unread: rectangles that contain something else.
        turn: quarter turns to the left that make it upright.
    """

    words: tuple[Word, ...] = field(repr=False)
    unread: tuple[Rectangle, ...]
    turn: int = 0

    def text(self) -> tuple[str, Origins]:
        """Return the words as text, and for each character the indexes of its words."""
        return text_of(self.words)


def text_of(content: Sequence[Word]) -> tuple[str, Origins]:
    """Return words as text without divided words, and for each character the indexes of its words."""
    return joined_words(*lines_of(content))


def lines_of(content: Sequence[Word]) -> tuple[str, list[tuple[int, ...]]]:
    """Return words as text in lines and paragraphs, and for each character the indexes of its words."""
    parts: list[str] = []
    origins: list[tuple[int, ...]] = []
    for index, word in enumerate(content):
        if index:
            line, paragraph = content[index - 1].line
            # A paragraph never ends with a hyphen.
            is_near = word.line[1] == paragraph or content[index - 1].text.endswith("-")
            gap = " " if word.line[0] == line else "\n" if is_near else "\n\n"
            parts.append(gap)
            origins += [()] * len(gap)
        parts.append(word.text)
        origins += [(index,)] * len(word.text)
    return "".join(parts), origins


def scanned(image: Image.Image, languages: str, name: str) -> Scan:
    """Return the text in a picture, which may be turned sideways.

    Args:
        image: a picture in any mode without transparency.
        languages: names of languages.
        name: name of the document, for error messages.

    Raises:
        InputError: if the program is missing, takes too long, or fails.
    """
    grey, scale = _prepared(image)
    if not unexplained(grey, ()):
        return Scan((), ())
    turn, content = 0, words(grey, languages, name)
    if _share(content) < _UPRIGHT:
        tried = turns(grey, name)
        for other in (1, 2, 3) if tried is None and content else [tried] if tried else []:
            turned = words(_turned(grey, other), languages, name)
            if _letters(turned) > _letters(content):
                turn, content = other, turned
    upright, size = _turned(grey, turn), image.size
    unread = _unread(upright, content)
    more = _words_in(upright, unread, languages, name)
    if more:
        content = _merged(content, more)
        unread = _unread(upright, content)
    content = in_paragraphs(content)
    return Scan(
        tuple(word._replace(box=_back(word.box, turn, scale, size)) for word in content),
        tuple(_back(box, turn, scale, size) for box in unread),
        turn,
    )


def _unread(image: Image.Image, content: Sequence[Word]) -> list[Rectangle]:
    return unexplained(image, [word.box for word in content if _is_read(word)])


def _words_in(
    image: Image.Image, regions: Sequence[Rectangle], languages: str, name: str
) -> list[Word]:
    """Return the words in small regions, such as numbers in table cells, which are read one below the other."""
    small = [box for box in regions if box[3] - box[1] <= _SMALL_REGION][:_MOST_REGIONS]
    if not small:
        return []
    width = max(right - left for left, _, right, _ in small) + 2 * _PAPER
    height = sum(bottom - top + _PAPER for _, top, _, bottom in small) + _PAPER
    sheet = Image.new("L", (width, height), image.getpixel((0, 0)))
    places: list[tuple[int, Rectangle]] = []
    y = _PAPER
    for box in small:
        sheet.paste(image.crop(box), (_PAPER, y))
        places.append((y, box))
        y += box[3] - box[1] + _PAPER
    found: list[Word] = []
    for word in filter(_is_read, words(sheet, languages, name, sparse=True)):
        middle = (word.box[1] + word.box[3]) // 2
        start, (x, top, _, _) = max(place for place in places if place[0] <= max(middle, _PAPER))
        a, b, c, d = word.box
        across, down = x - _PAPER, top - start
        found.append(word._replace(box=(a + across, b + down, c + across, d + down)))
    return found


def _merged(content: Sequence[Word], more: Sequence[Word]) -> list[Word]:
    """Return words with additional ones inserted in their lines, or as separate lines from the top."""
    lines = [list(group) for _, group in groupby(content, key=lambda word: word.line[0])]
    lines = [[word for word in line if not _is_within(word, more)] for line in lines]
    lines = [line for line in lines if line]
    for word in more:
        middle = (word.box[1] + word.box[3]) / 2
        peers = [line for line in lines if line[0].box[1] <= middle <= line[0].box[3]]
        if peers:
            peers[0].append(word)
            peers[0].sort(key=lambda each: each.box[0])
        else:
            below = (n for n, line in enumerate(lines) if line[0].box[1] > middle)
            lines.insert(next(below, len(lines)), [word])
    return [word._replace(line=(n, 0)) for n, line in enumerate(lines) for word in line]


def _is_within(word: Word, others: Sequence[Word]) -> bool:
    """Return whether a word that was read with low confidence is among those read again."""
    x, y = (word.box[0] + word.box[2]) / 2, (word.box[1] + word.box[3]) / 2
    return not _is_read(word) and any(
        left <= x <= right and top <= y <= bottom for _, (left, top, right, bottom), *_ in others
    )


def seen(image: Image.Image, turn: int, languages: str, name: str) -> list[Word]:
    """Return the words anywhere in a picture, to check what is about to be released.

    Raises:
        InputError: as for ``scanned``.
    """
    grey, scale = _prepared(image)
    content = in_paragraphs(words(_turned(grey, turn), languages, name, sparse=True))
    return [word._replace(box=_back(word.box, turn, scale, image.size)) for word in content]


def in_paragraphs(content: Sequence[Word]) -> list[Word]:
    """Return words with paragraphs based on line spacing, since Tesseract's are often single lines."""
    numbered: list[Word] = []
    number = 0
    last: Rectangle | None = None
    for _, group in groupby(content, key=lambda word: word.line[0]):
        line = list(group)
        left, top, right, bottom = zip(*(word.box for word in line), strict=True)
        box = min(left), min(top), max(right), max(bottom)
        if last is not None and not _follows(box, last):
            number += 1
        last = box
        numbered += [word._replace(line=(word.line[0], number)) for word in line]
    return numbered


def _follows(line: Rectangle, last: Rectangle) -> bool:
    gap = line[1] - last[3]
    height = min(line[3] - line[1], last[3] - last[1])
    return -0.5 * height < gap < _PARAGRAPH * height and line[0] < last[2] and last[0] < line[2]


def _is_read(word: Word) -> bool:
    return word.confidence >= SURE and any(map(str.isalnum, word.text))


def _letters(content: Sequence[Word]) -> int:
    return sum(len(word.text) for word in content if word.confidence >= SURE)


def _share(content: Sequence[Word]) -> float:
    letters = sum(len(word.text) for word in content)
    return _letters(content) / letters if letters else 0.0


def _prepared(image: Image.Image) -> tuple[Image.Image, float]:
    """Return a picture in gray at about 300 dots per inch, and the scale factor."""
    grey = image.convert("L")
    longest = max(grey.size)
    scale = min(max(1.0, min(_SHORT_SIDE / longest, _MOST_ENLARGED)), _LONG_SIDE / longest)
    if scale == 1.0:
        return grey, scale
    size = tuple(max(1, round(side * scale)) for side in grey.size)
    return grey.resize((size[0], size[1]), Image.Resampling.LANCZOS), scale


def _turned(image: Image.Image, turn: int) -> Image.Image:
    method = _TURNS[turn]
    return image if method is None else image.transpose(method)


def _back(box: Rectangle, turn: int, scale: float, size: tuple[int, int]) -> Rectangle:
    """Return a box in the turned and scaled picture in pixels of the original picture."""
    width, height = size
    left, top, right, bottom = (edge / scale for edge in box)
    match turn:
        case 1:
            left, top, right, bottom = width - bottom, left, width - top, right
        case 2:
            left, top, right, bottom = width - right, height - bottom, width - left, height - top
        case 3:
            left, top, right, bottom = top, height - right, bottom, height - left
    return (
        max(0, int(left)),
        max(0, int(top)),
        min(width, int(right) + 1),
        min(height, int(bottom) + 1),
    )


def unread_notes(
    pages: Sequence[tuple[int, Sequence[Rectangle]]], kind: str, *, kept: bool
) -> Iterator[str]:
    """Yield what users must know about what couldn't be read.

    Args:
        pages: numbers of pages or pictures with their unread regions.
        kind: ``page`` or ``picture``.
        kept: whether they stay.
    """
    for number, regions in pages:
        if not regions:
            continue
        places = ", ".join(
            f"{right - left}x{bottom - top}+{left}+{top}"
            for left, top, right, bottom in regions[:_SHOWN]
        )
        more = " …" if len(regions) > _SHOWN else ""
        count = "1 region was" if len(regions) == 1 else f"{len(regions)} regions were"
        treatment = "stay as they are: look at them" if kept else "are covered"
        yield f"{kind} {number}: {count} not read (handwriting, a stamp, a photograph …) and {treatment}: {places}{more} (dots)"
