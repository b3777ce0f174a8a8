"""PDF: the text layer is read; the output is a new PDF of the sanitized text.

    bytes ─ glyphs (pdfminer.six) ─ layout ─▶ Record ─ sanitize ─▶ text ─ writing (reportlab) ─▶ bytes

Nothing of the input file is in the output, so no layer, no metadata, no attachment and no former
version of a page can tell a masked name. The price is the layout: lines and pages stay, pictures
and typefaces do not. Extra ``documents``.
"""

from .text import read

__all__ = ["read"]
