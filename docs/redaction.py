"""Draws docs/redaction.png: a page of a PDF before and after its names and dates are masked.

python docs/redaction.py
"""

from __future__ import annotations

import io
from pathlib import Path

import pypdfium2
from PIL import Image
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from tacenda.documents.reading import read_bytes
from tacenda.documents.record import Origin, SourceDocument
from tacenda.documents.writing import write
from tacenda.pipeline import load
from tacenda.policy import Policy

TEXT = """My client, Mr <b>Galip Yalman</b>, born in Ankara on 3 May 1961, has lived with his wife in the
village for years. When Mr Yalman came to the office he said that a <i>letter</i> had been lost; he then
asked the court to hear his neighbour."""


def page() -> bytes:
    """Return a PDF of one page."""
    styles = getSampleStyleSheet()
    table = Table(
        [["Name", "Town"], ["Galip Yalman", "Ankara"], ["Anna Berg", "Ulm"]],
        style=TableStyle(
            [
                ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
                ("BACKGROUND", (0, 0), (-1, 0), colors.lightblue),
            ]
        ),
    )
    stream = io.BytesIO()
    title, body = (
        Paragraph("Letter of Galip Yalman", styles["Title"]),
        Paragraph(TEXT, styles["BodyText"]),
    )
    frame = {"leftMargin": 20, "rightMargin": 20, "topMargin": 10, "bottomMargin": 0}
    SimpleDocTemplate(stream, pagesize=(400, 220), **frame).build(
        [title, body, Spacer(1, 8), table]
    )
    return stream.getvalue()


def main() -> None:
    """Write the picture."""
    data = page()
    (record,) = read_bytes(data, Origin("letter.pdf", "letter.pdf", "pdf", "utf-8"))
    assert isinstance(record, SourceDocument)
    output = io.BytesIO()
    result = load(Policy(recognizer=False, threshold=0.5)).sanitize(
        record.document.text, target="Galip Yalman"
    )
    write([(record, result)], output)
    sides = [
        pypdfium2.PdfDocument(each)[0].render(scale=1.4).to_pil().convert("P")
        for each in (data, output.getvalue())
    ]
    width, height = sides[0].size
    picture = Image.new("RGB", (2 * width + 8, height), "silver")
    for number, side in enumerate(sides):
        picture.paste(side.convert("RGB"), (number * (width + 8), 0))
    picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=32).save(
        Path(__file__).with_name("redaction.png"), optimize=True
    )


if __name__ == "__main__":
    main()
