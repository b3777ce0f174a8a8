"""Pages a second of processor time of reading a PDF, keeping its pages, and making it anew.

python -m benchmarks pdf --pages 50
"""

from __future__ import annotations

import argparse
import io
import time

from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate

from tacenda.documents.pdf.setting import render
from tacenda.documents.pdf.text import read
from tacenda.documents.record import Origin
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy

SENTENCE = (
    "The applicant, Galip Yalman, complained that the length of the proceedings had been too long, and the "
    "court asked the other side to answer within the time that the rules allow. "
)


def main(parser: argparse.ArgumentParser) -> None:
    """Print the pages a second."""
    parser.add_argument("--pages", type=int, default=50)
    count = parser.parse_args().pages
    style = getSampleStyleSheet()["BodyText"]
    stream = io.BytesIO()
    page = [Paragraph(SENTENCE * 4, style) for _ in range(5)]
    SimpleDocTemplate(stream).build([part for _ in range(count) for part in (*page, PageBreak())])
    data = stream.getvalue()
    origin = Origin("a.pdf", "a.pdf", "pdf", "utf-8")
    list(read(io.BytesIO(data), origin))  # imports
    begin = time.process_time()
    (record,) = read(io.BytesIO(data), origin)
    print(f"read {count / (time.process_time() - begin):.1f} pages a second")
    sanitizer = Sanitizer(Policy(recognizer=False, threshold=0.5), None, 0.5)
    result = sanitizer.sanitize(record.document.text, target="Galip Yalman")
    assert record.container is not None
    begin = time.process_time()
    record.container.write(record, result)
    print(f"kept {count / (time.process_time() - begin):.1f} pages a second")
    begin = time.process_time()
    render(result.text, "a")
    print(f"made anew {count / (time.process_time() - begin):.1f} pages a second")
    print(
        f"{len(result.replacements)} boxes, {len(record.document.text) // count} characters a page"
    )
