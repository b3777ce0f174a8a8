"""Read letters that a page draws as outlines, without anything else.

Boxes don't remove outlines, so the page becomes a picture if a masked word, or a part that wasn't
read, is drawn that way. Letters on slopes and curves are not read.
"""

from __future__ import annotations

from dataclasses import replace

from PIL import Image

from ..ocr.scans import SURE, Scan
from .glyphs import Page
from .scanned_page import ScannedPage, overlaps, with_lines


def outlines_alone(image: Image.Image, page: Page, place: ScannedPage) -> Image.Image:
    """Return a picture of only a page's outlines."""
    sheet = Image.new("L", image.size, 255)
    for line in (line for line in page.outlines if line.is_readable):
        left, top, right, bottom = place.dots(line.box)
        # Dots, accents and straight letters at its ends aren't in the line.
        margin = min(right - left, bottom - top) / 3
        left, top = max(0, int(left - margin)), max(0, int(top - margin))
        part = image.crop((left, top, int(right + margin), int(bottom + margin)))
        sheet.paste(part.convert("L"), (left, top))
    return sheet


def with_outlines(place: ScannedPage, page: Page, read: Scan) -> ScannedPage:
    """Return the text of a page, including lines drawn as outlines; parts of them that can't be read are marked unread."""
    sure = [word for word in read.words if word.confidence >= SURE]
    # OCR mistakes many shapes for a single character.
    boxes = [word.box for word in sure if sum(map(str.isalnum, word.text)) > 1]
    rows = [(place.dots(line.box), line) for line in page.outlines]
    frames = [
        row for row, line in rows if line.is_certain or any(overlaps(box, row) for box in boxes)
    ]
    with_read = with_lines(place, page, read, frames)
    # What looks like a word on a slope is rarely one.
    unread = (
        (int(left), int(top), int(right), int(bottom))
        for (left, top, right, bottom), line in rows
        if not line.is_readable
    )
    scan = replace(with_read.scan, unread=(*with_read.scan.unread, *unread))
    return replace(with_read, scan=scan, outlines=tuple(frames))
