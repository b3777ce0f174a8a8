"""PDF: its text is read; it is written with its pages as they were, or as a new PDF of the text.

    bytes ─ cleaning (pikepdf) ─ glyphs (pdfminer.six) ─ layout ─▶ Record ─ sanitize ─▶ edits
          ─ redaction (pikepdf), painting (Pillow) ─ checking (pypdfium2) ─▶ bytes

| module | topic |
|---|---|
| ``cleaning``, ``layers`` | a file rebuilt from what its pages draw, and nothing else |
| ``forms`` | form fields that can still be filled in |
| ``glyphs`` | the drawn letters, and where they stand in the content |
| ``outlines`` | shapes that may be letters |
| ``layout`` | letters with places → text |
| ``text`` | pages → a record |
| ``writing`` | the edits of a record → glyphs, page by page |
| ``redaction``, ``painting`` | glyphs removed from the content, boxes in their place, also in pictures |
| ``scans`` | pages that are pictures of text, or have some: read by OCR |
| ``scanned_page`` | what was read in the picture of a page, beside the letters of its own layer |
| ``outline_reading`` | letters drawn as outlines: read by OCR |
| ``page_pictures`` | scans, and pages that can't be edited, as pictures with their words under them |
| ``checking`` | what is written, as another program sees it |
| ``drawing`` | pages as pictures, and the places of the characters on them |
| ``setting`` | ``--to pdf``: the sanitized text on new pages (reportlab) |

Nothing of the input file is in the output but what its pages draw, and form fields in which nothing is masked. Extra ``documents``.
"""

from ...errors import MissingExtraError

try:
    from .text import read
except ModuleNotFoundError as error:
    raise MissingExtraError("reading and writing a PDF", "documents") from error

__all__ = ["read"]
