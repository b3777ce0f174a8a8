"""Reading of letters that a page draws as outlines, with nothing beside them.

No box removes an outline, so the page becomes a picture where a masked word, or a part that was not read, is drawn so.
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
    for line in page.outlines:
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
    rows = [(place.dots(line.box), line.is_certain) for line in page.outlines]
    frames = [row for row, it in rows if it or any(overlaps(box, row) for box in boxes)]
    return replace(with_lines(place, page, read, frames), outlines=tuple(frames))
