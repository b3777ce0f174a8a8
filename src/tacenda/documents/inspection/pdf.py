"""Strings of a PDF: names and strings of every object, and the text of its pages."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pypdf
import pypdfium2
from pypdf.generic import ByteStringObject, DictionaryObject, IndirectObject, NameObject

from . import Kind, Passage

_WORDS = frozenset(
    """
    Adobe Alternate Ascent AvgWidth BBox Background BaseEncoding BaseFont BitsPerComponent BitsPerCoordinate
    BitsPerFlag BlackPoint Bounds CIDFontType0 CIDFontType2 CIDSystemInfo CIDToGIDMap CalGray CalRGB
    CapHeight Catalog CharProcs ColorSpace Colors Columns Contents Coords Count CropBox DCTDecode Decode
    DecodeParms Descent DescendantFonts DeviceCMYK DeviceGray DeviceN DeviceRGB Differences Domain Encode
    Encoding ExtGState Extend Filter FirstChar Flags FlateDecode Font FontBBox FontDescriptor FontFile
    FontFile2 FontFile3 FontMatrix FontName Form Function FunctionType Functions Gamma Group Height
    Helvetica ICCBased Identity Identity-H Identity-V Image ImageMask Indexed Intent Interpolate
    ItalicAngle Kids LastChar Leading Length Length1 Length2 Length3 Luminosity MacRomanEncoding
    MacExpertEncoding Mask Matrix Matte MaxWidth MediaBox MissingWidth Multiply Normal ObjStm Ordering
    Page Pages PaintType Parent Pattern PatternType Predictor Range Registry Resources Root Rotate SMask
    Separation Shading ShadingType Size Spot StandardEncoding StemH StemV Subtype Supplement TilingType
    ToUnicode Transparency TrueType Type Type0 Type1 Type1C Type3 UserUnit Width Widths WinAnsiEncoding
    WhitePoint XHeight XObject XRef XStep YStep
    Courier Courier-Bold Courier-BoldOblique Courier-Oblique Helvetica-Bold Helvetica-BoldOblique
    Helvetica-Oblique Symbol Times-Bold Times-BoldItalic Times-Italic Times-Roman ZapfDingbats Arial
    """.split()
)
"""Names of the format and of its standard fonts: whoever is masked, they were not taken from the
document."""


def objects(data: bytes) -> Iterator[Passage]:
    """Yield the strings of a document."""
    yield from _texts(data)
    reader = pypdf.PdfReader(io.BytesIO(data))
    yield from _pdf_strings(reader.trailer, "the trailer")
    for number in range(1, len(reader.xref_objStm) + sum(map(len, reader.xref.values())) + 1):
        item = reader.get_object(number)
        if item is not None:
            yield from _pdf_strings(item, f"object {number}")


def _texts(data: bytes) -> Iterator[Passage]:
    document = pypdfium2.PdfDocument(data)
    try:
        for number in range(len(document)):
            text = document[number].get_textpage().get_text_range()
            yield Passage(text.replace("\r\n", "\n"), f"text of page {number + 1}", Kind.TEXT)
    finally:
        document.close()


def _pdf_strings(item: Any, place: str) -> Iterator[Passage]:
    pending = [item]
    while pending:
        value = pending.pop()
        if isinstance(value, IndirectObject):
            continue
        if isinstance(value, DictionaryObject):
            for key, inner in value.items():
                yield from _name(str(key), f"a key of {place}")
                pending.append(inner)
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, NameObject):
            yield from _name(str(value), f"a name of {place}")
        elif isinstance(value, (str, ByteStringObject)):
            string = value.decode("latin-1") if isinstance(value, bytes) else str(value)
            yield Passage(string, f"a string of {place}")


def _name(value: str, place: str) -> Iterator[Passage]:
    name = value.removeprefix("/")
    if name not in _WORDS:
        yield Passage(name, place, Kind.CODE)
