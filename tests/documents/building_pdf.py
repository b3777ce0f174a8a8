"""PDFs that place their letters in every way that programs do, by reportlab."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import reportlab
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONT, SIZE, LEADING = "Helvetica", 11.0, 14.0
VERA = "tacenda-test-Vera"
Draw = Callable[[Canvas, list[str]], None]


def built(*pages: list[str], draw: Draw, rotate: int = 0) -> bytes:
    """Return a PDF with the lines of each page drawn by ``draw``."""
    stream = io.BytesIO()
    paper = Canvas(stream, pageCompression=1, invariant=1)
    paper.setAuthor(pages[0][0])
    for lines in pages:
        paper.setPageRotation(rotate)
        paper.setFont(FONT, SIZE)
        draw(paper, lines)
        paper.showPage()
    paper.save()
    return stream.getvalue()


def _width(text: str, font: str = FONT) -> float:
    return float(pdfmetrics.stringWidth(text, font, SIZE))


def _letters(lines: list[str], spacing: float = 0.0) -> list[tuple[float, float, str]]:
    placed = []
    for number, line in enumerate(lines):
        for index, letter in enumerate(line):
            x = 72 + _width(line[:index]) + spacing * index
            placed.append((x, 720 - LEADING * number, letter))
    return placed


def by_line(paper: Canvas, lines: list[str]) -> None:
    """Draw whole lines."""
    for number, line in enumerate(lines):
        paper.drawString(72, 720 - LEADING * number, line)


def by_word(paper: Canvas, lines: list[str]) -> None:
    """Draw words, each at its place."""
    for number, line in enumerate(lines):
        x = 72.0
        for word in line.split(" "):
            paper.drawString(x, 720 - LEADING * number, word)
            x += _width(word + " ")


def by_letter(paper: Canvas, lines: list[str]) -> None:
    """Draw letters, each at its place."""
    for x, y, letter in _letters(lines):
        paper.drawString(x, y, letter)


def by_letter_without_blanks(paper: Canvas, lines: list[str]) -> None:
    """Draw letters, and nothing between the words."""
    for x, y, letter in _letters(lines):
        if letter != " ":
            paper.drawString(x, y, letter)


def out_of_order(paper: Canvas, lines: list[str]) -> None:
    """Draw the letters of a page in any order."""
    placed = _letters(lines)
    random.Random(7).shuffle(placed)
    for x, y, letter in placed:
        paper.drawString(x, y, letter)


def backwards(paper: Canvas, lines: list[str]) -> None:
    """Draw the last letter first."""
    for x, y, letter in reversed(_letters(lines)):
        if letter != " ":
            paper.drawString(x, y, letter)


def unsteady(paper: Canvas, lines: list[str]) -> None:
    """Draw letters that dance about their line."""
    chance = random.Random(7)
    for x, y, letter in _letters(lines):
        paper.drawString(x + chance.uniform(-0.2, 0.2), y + chance.uniform(-0.8, 0.8), letter)


def spaced_out(paper: Canvas, lines: list[str]) -> None:
    """Draw lines with wide spacing."""
    for number, line in enumerate(lines):
        paper.drawString(72, 720 - LEADING * number, line, charSpace=3)


def spaced_out_letters(paper: Canvas, lines: list[str]) -> None:
    """Draw letters far apart, and nothing between the words."""
    for x, y, letter in _letters(lines, spacing=3):
        if letter != " ":
            paper.drawString(x, y, letter)


def twice(paper: Canvas, lines: list[str]) -> None:
    """Draw letters in bold, by drawing them twice."""
    for x, y, letter in _letters(lines):
        paper.drawString(x, y, letter)
        paper.drawString(x + 0.3, y, letter)


def shadowed(paper: Canvas, lines: list[str]) -> None:
    """Draw lines with a shadow."""
    for number, line in enumerate(lines):
        paper.drawString(72, 720 - LEADING * number, line)
        paper.drawString(74.5, 719 - LEADING * number, line)


def covered(paper: Canvas, lines: list[str]) -> None:
    """Draw other letters upon the lines."""
    for number, line in enumerate(lines):
        paper.drawString(72, 720 - LEADING * number, line)
        paper.drawString(72, 720 - LEADING * number, "x" * len(line))


def invisible(paper: Canvas, lines: list[str]) -> None:
    """Draw what an OCR program lays under its picture."""
    for number, line in enumerate(lines):
        paper.drawString(72, 720 - LEADING * number, line, mode=3)


def outside(paper: Canvas, lines: list[str]) -> None:
    """Draw beside the page."""
    for number, line in enumerate(lines):
        paper.drawString(-2000, 5000 - LEADING * number, line)


def scaled(paper: Canvas, lines: list[str]) -> None:
    """Draw in a font of one point on a page that is scaled."""
    paper.scale(SIZE, SIZE)
    paper.setFont(FONT, 1)
    for x, y, letter in _letters(lines):
        paper.drawString(x / SIZE, y / SIZE, letter)


def flipped(paper: Canvas, lines: list[str]) -> None:
    """Draw on a page that is upside down, with letters that are too."""
    paper.transform(1, 0, 0, -1, 0, 800)
    for x, y, letter in _letters(lines):
        text = paper.beginText()
        text.setTextTransform(1, 0, 0, -1, x, 800 - y)
        text.textOut(letter)
        paper.drawText(text)


def turned(angle: float) -> Draw:
    """Return what draws at an angle in degrees."""

    def draw(paper: Canvas, lines: list[str]) -> None:
        paper.translate(300, 400)
        paper.rotate(angle)
        paper.translate(-200, -700)
        by_letter_without_blanks(paper, lines)

    return draw


def in_a_form(paper: Canvas, lines: list[str]) -> None:
    """Draw in a form XObject."""
    name = f"form{paper.getPageNumber()}"
    paper.beginForm(name)
    paper.setFont(FONT, SIZE)
    by_letter(paper, lines)
    paper.endForm()
    paper.doForm(name)


def in_columns(paper: Canvas, lines: list[str]) -> None:
    """Draw a second column at the side."""
    filler = "the river and the village below it"
    for number in range(max(12, len(lines))):
        line = lines[number] if number < len(lines) else filler
        paper.drawString(72, 720 - LEADING * number, line)
        paper.drawString(350, 714 - LEADING * number, f"{filler} {number}")


def kerned(paper: Canvas, lines: list[str]) -> None:
    """Draw lines with a little less than nothing between the letters."""
    for number, line in enumerate(lines):
        text = paper.beginText(72, 720 - LEADING * number)
        codes = (f"(\\{code:03o})" for code in line.encode("cp1252"))
        text._code.append(f"[{' 15 '.join(codes)}] TJ")
        paper.drawText(text)


def embedded(paper: Canvas, lines: list[str]) -> None:
    """Draw in a subset of a TrueType font, with ligatures."""
    folder = Path(reportlab.__file__).parent / "fonts"
    pdfmetrics.registerFont(TTFont(VERA, folder / "Vera.ttf"))
    paper.setFont(VERA, SIZE)
    for number, line in enumerate(lines):
        shown = line.replace("fi", "\ufb01").replace("fl", "\ufb02")
        paper.drawString(72, 720 - LEADING * number, shown)


def as_notes(paper: Canvas, lines: list[str]) -> None:
    """Write lines in annotations."""
    paper.drawString(72, 720, "Form")
    for number, line in enumerate(lines):
        paper.textAnnotation(line, Rect=[72, 500 - 30 * number, 90, 520 - 30 * number])


def as_fields(paper: Canvas, lines: list[str]) -> None:
    """Write lines in form fields."""
    paper.drawString(72, 720, "Form")
    for number, line in enumerate(lines):
        paper.acroForm.textfield(value=line, x=72, y=600 - 40 * number)


def divided(paper: Canvas, lines: list[str]) -> None:
    """Divide the last word of each line."""
    shown: list[str] = []
    for line in lines:
        middle = line.rindex(" ") + 3
        shown += [line[:middle] + "-", line[middle:] + " went there"]
    by_line(paper, shown)


PLACINGS: dict[str, Draw] = {
    draw.__name__: draw
    for draw in (
        *(by_line, by_word, by_letter, by_letter_without_blanks, out_of_order, backwards),
        *(unsteady, spaced_out, spaced_out_letters, twice, shadowed, covered, invisible, outside),
        *(scaled, flipped, in_a_form, in_columns, kerned, embedded, as_notes, as_fields, divided),
    )
} | {f"turned {angle}": turned(angle) for angle in (90, 180, 270, 45, 7, 1.4, -1.4)}


def edited(data: bytes, change: Callable[[Any], None]) -> bytes:
    """Return a PDF with ``change`` made to each of its objects."""
    import pypdf

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    for thing in writer._objects:
        if isinstance(thing, dict):
            change(thing)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()
