"""Remove redacted letters from a PDF's fonts: from their maps, widths and drawings.

A font without any letters left becomes a standard font. The outlines in a font program stay, so a
font that was subset for the document reveals which letters it had.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name


def helvetica() -> Any:
    """Return the standard font for the boxes' words."""
    return Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding
    )


def invisible(pdf: pikepdf.Pdf, letters: dict[bytes, str]) -> Any:
    """Return a font for text that is never drawn, in which each letter is half as wide as the font is high.

    Args:
        pdf: receives the font.
        letters: letters by two-byte code.
    """
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name.Helvetica,
        Flags=4,
        FontBBox=Array([0, -200, 500, 800]),
        ItalicAngle=0,
        Ascent=800,
        Descent=-200,
        CapHeight=800,
        StemV=80,
    )
    glyphs = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.Helvetica,
        CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        DW=500,
        FontDescriptor=pdf.make_indirect(descriptor),
    )
    return Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name.Helvetica,
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(glyphs)]),
        ToUnicode=pdf.make_stream(letters_map(letters)),
    )


def prune_fonts(pdf: pikepdf.Pdf, fonts: dict[int, dict[bytes, str]]) -> None:
    """Keep only the letters of each font that are drawn with it."""
    _prune_descendants(pdf, fonts)
    for item in list(pdf.objects):
        if not isinstance(item, Dictionary) or isinstance(item, pikepdf.Stream):
            continue
        kind = str(item.get("/Subtype", ""))
        if kind not in ("/Type0", "/Type1", "/MMType1", "/TrueType", "/Type3"):
            continue
        used = fonts.get(item.objgen[0])
        if not used:
            for key in list(item.keys()):
                del item[key]
            for key, value in helvetica().items():
                item[key] = value
            continue
        if "/ToUnicode" in item:
            item.ToUnicode = pdf.make_stream(letters_map(used))
        codes = {code[0] for code in used if len(code) == 1}
        if isinstance(item.get("/Widths"), Array):
            first = int(item.get("/FirstChar", 0))
            item.Widths = Array(
                [width if first + n in codes else 0 for n, width in enumerate(item.Widths)]
            )
        if kind == "/Type3":
            _prune_letters(item, codes)


def _prune_descendants(pdf: pikepdf.Pdf, fonts: dict[int, dict[bytes, str]]) -> None:
    """Keep only the widths of drawn glyphs if codes are glyph numbers (PDF 32000, 9.7.4.3)."""
    glyphs: dict[tuple[int, int], tuple[Any, set[int]]] = {}
    unknown: set[tuple[int, int]] = set()
    for item in pdf.objects:
        if not isinstance(item, Dictionary) or item.get("/Subtype") != "/Type0":
            continue
        for descendant in item.get("/DescendantFonts", ()):
            # One that is embedded in its font belongs to no other font.
            key = descendant.objgen if descendant.is_indirect else (item.objgen[0], -1)
            _, numbers = glyphs.setdefault(key, (descendant, set()))
            numbers |= {int.from_bytes(code) for code in fonts.get(item.objgen[0], ())}
            if item.get("/Encoding") not in ("/Identity-H", "/Identity-V"):
                unknown.add(key)
    for key, (descendant, numbers) in glyphs.items():
        for name, size in (("/W", 1), ("/W2", 3)):
            if key not in unknown and isinstance(descendant.get(name), Array):
                descendant[name] = Array(_widths(numbers, list(descendant[name]), size))


def _widths(numbers: set[int], items: list[Any], size: int) -> Iterator[Any]:
    """Yield the items of a widths array that concern certain glyphs.

    Args:
        numbers: the glyph numbers.
        items: the array's items: ``first [w …]`` or ``first last w``.
        size: number of values per glyph.
    """
    place = 0
    while place + 1 < len(items):
        first, second = int(items[place]), items[place + 1]
        if isinstance(second, Array):
            rows: list[Any] = [second[n : n + size] for n in range(0, len(second), size)]
            place += 2
        else:
            last = min(int(second), first + _MOST_GLYPHS)
            rows = [items[place + 2 : place + 2 + size]] * (last - first + 1)
            place += 2 + size
        for number, row in enumerate(rows, first):
            if number in numbers:
                yield from (number, Array(row))


def _prune_letters(font: Any, codes: set[int]) -> None:
    encoding = font.get("/Encoding")
    differences = encoding.get("/Differences") if isinstance(encoding, Dictionary) else None
    if not isinstance(differences, Array):
        return
    names: set[str] = set()
    code = 0
    for item in differences:
        if isinstance(item, Name):
            names |= {str(item)} if code in codes else set()
            code += 1
        else:
            code = int(item)
    for name in list(font.CharProcs.keys()):
        if name not in names:
            del font.CharProcs[name]


_MOST_GLYPHS = 1 << 16
_MAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CMapName /F def
/CMapType 2 def
{spaces} begincodespacerange
{ranges}
endcodespacerange
{letters}
endcmap
end
end
"""
_MOST_LETTERS = 100


def letters_map(used: dict[bytes, str]) -> bytes:
    """Return a map from the codes in use to Unicode (PDF 32000, 9.10.3)."""
    rows = [
        f"<{code.hex()}> <{text.encode('utf-16-be', 'replace').hex()}>"
        for code, text in sorted(used.items())
        if text
    ]
    parts = []
    for first in range(0, len(rows), _MOST_LETTERS):
        some = rows[first : first + _MOST_LETTERS]
        parts.append("\n".join((f"{len(some)} beginbfchar", *some, "endbfchar")))
    lengths = sorted({len(code) for code in used})
    ranges = "\n".join(f"<{'00' * n}> <{'ff' * n}>" for n in lengths)
    text = _MAP.format(spaces=len(lengths), ranges=ranges, letters="\n".join(parts))
    return text.encode("ascii")
