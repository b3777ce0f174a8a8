"""PDF: its text is read; it is written with its pages as they were, or as a new PDF with the text.

    bytes ─ cleaning (pikepdf) ─ glyphs (pdfminer.six) ─ layout ─▶ Record ─ sanitize ─▶ edits
          ─ redaction (pikepdf), painting (Pillow) ─ checking (pypdfium2) ─▶ bytes

| module | topic |
|---|---|
| ``cleaning``, ``layers`` | a file rebuilt from only what its pages draw |
| ``forms`` | form fields that can still be filled in |
| ``glyphs`` | the drawn letters, and where they are in the content |
| ``outlines`` | shapes that may be letters |
| ``layout`` | from letters with positions to text |
| ``text`` | from pages to a record |
| ``writing`` | from a record's edits to glyphs, page by page |
| ``redaction``, ``painting`` | removing glyphs from the content, and drawing boxes in their place, also in pictures |
| ``scans`` | pages that are or contain pictures of text, read by OCR |
| ``scanned_page`` | what was read in the picture of a page, in addition to the letters in its own layer |
| ``outline_reading`` | letters drawn as outlines, read by OCR |
| ``page_pictures`` | scans, and pages that can't be edited, as pictures with their words underneath |
| ``checking`` | what is written, as seen by another program |
| ``drawing`` | pages as pictures, and where the characters are on them |
| ``setting`` | ``--to pdf``: the sanitized text on new pages (reportlab) |

The output contains nothing of the input file except what its pages draw, and form fields in which
nothing is masked. Needs the extra ``documents``.
"""

from ...errors import MissingExtraError

try:
    from .text import read
except ModuleNotFoundError as error:
    raise MissingExtraError("reading and writing a PDF", "documents") from error

__all__ = ["read"]
