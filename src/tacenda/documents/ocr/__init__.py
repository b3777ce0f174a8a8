"""Text in pictures, read by Tesseract: scans as PDF, PNG, JPEG and TIFF.

    picture ─ tesseract ─▶ words with boxes ─ scans ─▶ text, and what could not be read
            ─ sanitize ─▶ edits ─ covering ─▶ picture with boxes ─ tesseract ─▶ nothing masked is seen

| module | topic |
|---|---|
| ``tesseract`` | the program: the words in a picture, their boxes, and its confidence |
| ``regions`` | ink that no word explains: handwriting, stamps, signatures, photographs |
| ``scans`` | a picture as text |
| ``covering`` | painting over pixels, and reading the picture once more |
| ``files`` | the formats PNG, JPEG and TIFF; pages of PDF are in ``pdf.scans`` |

Needs the extra ``ocr`` and the program ``tesseract``.
"""
