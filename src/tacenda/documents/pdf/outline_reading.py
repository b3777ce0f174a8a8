"""Reading of letters that a page draws as outlines, with nothing beside them.

No box removes an outline, so the page becomes a picture where a masked word, or a part that was not read, is drawn so.
Letters on slopes and curves are not read.
"""

from __future__ import annotations

from dataclasses import replace

from PIL import Image

from ..ocr.scans import SURE, Scan
from .glyphs import Page
from .scanned_page import ScannedPage, overlaps, with_lines


def outlines_alone(image: Image.Image, page: Page, place: ScannedPage) -> Image.Image:
    """Return the picture of a page with its outlines and nothing beside them."""
    sheet = Image.new("L", image.size, 255)
    for line in (line for line in page.outlines if line.is_readable):
        left, top, right, bottom = place.dots(line.box)
        # Dots, accents and straight letters at its ends are not in the line.
        margin = min(right - left, bottom - top) / 3
        left, top = max(0, int(left - margin)), max(0, int(top - margin))
        part = image.crop((left, top, int(right + margin), int(bottom + margin)))
        sheet.paste(part.convert("L"), (left, top))
    return sheet


def with_outlines(place: ScannedPage, page: Page, read: Scan) -> ScannedPage:
    """Return the text of a page, with the lines drawn as outlines; what is not read of them is unread."""
    sure = [word for word in read.words if word.confidence >= SURE]
    # OCR takes many a shape for a single sign.
    boxes = [word.box for word in sure if sum(map(str.isalnum, word.text)) > 1]
    rows = [(place.dots(line.box), line) for line in page.outlines]
    frames = [
        row for row, line in rows if line.is_certain or any(overlaps(box, row) for box in boxes)
    ]
    with_read = with_lines(place, page, read, frames)
    # What looks like a word on a slope is hardly one.
    unread = (
        (int(left), int(top), int(right), int(bottom))
        for (left, top, right, bottom), line in rows
        if not line.is_readable
    )
    scan = replace(with_read.scan, unread=(*with_read.scan.unread, *unread))
    return replace(with_read, scan=scan, outlines=tuple(frames))
