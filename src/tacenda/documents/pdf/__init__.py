"""PDF: the text layer is read; what is written is a new PDF of the sanitized text.

    bytes ─ glyphs (pdfminer.six) ─ layout ─▶ Record ─ sanitize ─▶ text ─ writing (reportlab) ─▶ bytes

Nothing of the file that came in is in the one that goes out, so that no layer, no metadata, no
attachment and no former version of a page can tell what was masked. The price is the layout:
lines and pages stay, pictures and typefaces do not. Extra ``documents``.
"""

from .reading import read

__all__ = ["read"]
