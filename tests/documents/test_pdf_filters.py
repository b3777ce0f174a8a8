"""Streams of a PDF whose filter is a name, an array or an abbreviation."""

from __future__ import annotations

import base64
import io
import zlib

import pytest
from PIL import Image

from tests.examples import for_each

pikepdf = pytest.importorskip("pikepdf")

from tacenda.documents.pdf.cleaning import cleaned  # noqa: E402  (needs the extra)
from tacenda.documents.pdf.painting import painted  # noqa: E402

SECRET = b"Galip Yalman"


def photograph() -> bytes:
    """Return a JPEG with a comment."""
    output = io.BytesIO()
    Image.new("RGB", (16, 16), (200, 40, 40)).save(output, "JPEG", comment=SECRET)
    return output.getvalue()


JPEG = photograph()
PIXELS = bytes(range(192)) * 4
FORMS = {
    "name": (JPEG, "/DCTDecode", None),
    "array": (JPEG, ["/DCTDecode"], None),
    "array with parameters": (JPEG, ["/DCTDecode"], [None]),
    "two": (base64.a85encode(JPEG) + b"~>", ["/ASCII85Decode", "/DCTDecode"], None),
    "two with parameters": (zlib.compress(JPEG), ["/FlateDecode", "/DCTDecode"], [{"/Predictor": 1}, None]),
    "hexadecimal": (JPEG.hex().encode() + b">", ["/ASCIIHexDecode", "/DCTDecode"], None),
    "none": (PIXELS, None, None),
    "empty": (PIXELS, [], None),
    "flate": (zlib.compress(PIXELS), "/FlateDecode", {"/Predictor": 1}),
    "flate in an array": (zlib.compress(PIXELS), ["/FlateDecode"], [{"/Predictor": 1}]),
    "two without a picture": (
        base64.a85encode(zlib.compress(PIXELS)) + b"~>", ["/ASCII85Decode", "/FlateDecode"], [None, None]
    ),
}  # fmt: skip


def value(item: object) -> object:
    """Return an object of pikepdf."""
    if isinstance(item, str):
        return pikepdf.Name(item)
    if isinstance(item, dict):
        return pikepdf.Dictionary(item)
    return pikepdf.Array([value(each) for each in item]) if isinstance(item, list) else item


def file(form: str, **keys: object) -> bytes:
    """Return a PDF with one picture."""
    data, filters, parameters = FORMS[form]
    with pikepdf.new() as pdf:
        picture = pdf.make_stream(data, Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image)
        picture.Width = picture.Height = 16
        picture.ColorSpace, picture.BitsPerComponent = pikepdf.Name.DeviceRGB, 8
        for key, item in ({"Filter": filters, "DecodeParms": parameters} | keys).items():
            if item is not None:
                picture[f"/{key}"] = value(item)
        page = pdf.add_blank_page()
        page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(A=picture))
        page.obj.Contents = pdf.make_stream(b"q 100 0 0 100 50 50 cm /A Do Q")
        output = io.BytesIO()
        pdf.save(output)
        return output.getvalue()


@for_each("decode", [None, [0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0]])
@for_each("form", FORMS)
def test_a_picture_of_any_filter_is_copied_and_painted_over(form: str, decode: object) -> None:
    """Its pixels stay, what is beside them goes, and half of it can be painted black."""
    data = cleaned(file(form, Decode=decode), "a", keeps=True).data
    with pikepdf.open(io.BytesIO(data)) as pdf:
        ((_, picture),) = pdf.pages[0].obj.Resources.XObject.items()
        pikepdf.PdfImage(picture).as_pil_image()
        assert SECRET not in picture.read_raw_bytes()
        copy = painted(pdf, picture, [[(0, 0), (1, 0), (1, 0.5), (0, 0.5)]])
        image = pikepdf.PdfImage(copy).as_pil_image().convert("RGB")
        assert max(image.getpixel((8, 14))) < 40
        assert (copy.get("/Filter") == "/DCTDecode") == (
            FORMS[form][0] is JPEG or "DCT" in str(FORMS[form][1])
        )


@for_each(
    "head",
    [b"/F /A85", b"/F [/A85]", b"/F [/A85] /DP [null]", b"/Filter /ASCII85Decode", b"/Filter [/A85] /D [1 0 1 0 1 0]"],
)  # fmt: skip
@for_each("space", [b"/CS /RGB", b"/ColorSpace /DeviceRGB"])
def test_an_inline_picture_is_copied(head: bytes, space: bytes) -> None:
    """With every abbreviation of keys and names; it becomes a picture of its own."""
    packed = base64.a85encode(PIXELS) + b"~>"
    inline = b"BI /W 16 /H 16 /BPC 8 " + space + b" " + head + b" ID " + packed + b"\nEI"
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page()
        page.obj.Contents = pdf.make_stream(b"q 100 0 0 100 50 50 cm " + inline + b" Q")
        output = io.BytesIO()
        pdf.save(output)
    data = cleaned(output.getvalue(), "a", keeps=True).data
    with pikepdf.open(io.BytesIO(data)) as pdf:
        ((_, picture),) = pdf.pages[0].obj.Resources.XObject.items()
        assert picture.read_bytes() == PIXELS
        painted(pdf, picture, [[(0, 0), (1, 0), (1, 0.5), (0, 0.5)]])
