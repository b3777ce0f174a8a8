r"""Rich text: what is said comes back with its looks, and nothing else of the file."""

from __future__ import annotations

import io
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tacenda import documents
from tacenda.documents.inspection import passages
from tacenda.documents.registry import format_named
from tacenda.documents.rtf import WORDS, read
from tacenda.documents.writing import writer
from tacenda.errors import LeakError
from tests.examples import for_each

from . import conftest
from .conftest import mask_strings
from .test_docx_planted import SPELLINGS, folded

NAME = "Galip Yalman"
HEAD = (
    "{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1{\\fonttbl{\\f0\\fswiss\\fcharset0 Arial;}"
    "{\\f1\\froman\\fcharset204{\\*\\falt x}Times New Roman;}}{\\colortbl ;\\red255\\green0\\blue0;}"
)


def items_of(data: str | bytes) -> list[Any]:
    """Return what is read of a file."""
    return conftest.items_of(_bytes(data), "rtf")


def _bytes(data: str | bytes) -> bytes:
    return data.encode("latin-1") if isinstance(data, str) else data


def text_of(data: str | bytes) -> str:
    """Return the text of a file."""
    (record,) = items_of(data)
    assert isinstance(record, documents.SourceDocument), record.error
    return record.document.text


def unchanged(data: str | bytes) -> str:
    """Return a file of which nothing is masked."""
    (record,) = items_of(data)
    output = io.BytesIO()
    writer("same", output).write(record, mask_strings(record.document))
    return output.getvalue().decode("ascii")


def sanitized(data: str | bytes) -> str:
    """Return a file without one person."""
    return conftest.sanitized(_bytes(data), "rtf", NAME).decode("ascii")


@for_each(
    ("body", "text"),
    [
        ("Hello \\b bold\\b0  and\\par next\\line line\\tab end", "Hello bold and\nnext\nline\tend"),
        ("Caf\\'e9 \\u8364?5 \\u-10179?\\u-8704? na\\u239\\'efve", "Café €5 \U0001f600 naïve"),
        ("\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2\\plain\\'e9", "Приветé"),
        ("{\\uc2 \\u8364??5}\\u8364?6", "€5€6"),
        ("a\\~b\\_c\\-d \\{x\\}\\\\ \\endash \\ldblquote q\\rdblquote", "a\u00a0b\u2011cd {x}\\ –“q”"),
        ("\\trowd\\cellx100 one\\cell two\\cell\\row", "one\ttwo\t\n"),
        ("new \\deleted old\\deleted0 {\\revised new}", "new new"),
        ("{\\galip unknown} {\\*\\galip gone}words", "unknown words"),
        ("{\\listtext\\'b7\\tab}point", "·\tpoint"),
        ("{\\*\\shppict{\\pict\\pngblip 89504e47}}x{\\bin3 abc}y", "xy"),
        ("{\\field{\\*\\fldinst PAGE}{\\fldrslt 7}} {\\field{\\*\\fldinst MERGEFIELD x}{\\fldrslt value}}", "7 value"),
        ("{\\*\\own{\\field{\\*\\fldinst x}}}y", "y"),
        ("one {\\field{\\*\\fldinst X {\\*\\datafield 00}{\\*\\datafield 01}{\\fldinst Y}}{\\fldrslt two}}", "one two"),
        ("{\\upr{title}{\\*\\ud{t\\u238?tle}}}", "tîtle"),
        ("{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv secret}}{\\shptxt box}}}body", "box\nbody"),
    ],
)  # fmt: skip
def test_text_is_read_and_written_as_it_is_said(body: str, text: str) -> None:
    """By number, in code pages, over formatting; a second time it is the same file."""
    lines = text_of(f"{HEAD}{body}}}").split("\n\n")
    assert text.strip("\n") in "\n".join(lines)
    once = unchanged(f"{HEAD}{body}}}")
    assert text_of(once) == text_of(f"{HEAD}{body}}}")
    assert unchanged(once) == once


@for_each(
    ("code_page", "octet", "letter"),
    [(10000, "8a", "ä"), (10029, "8a", "ä"), (10007, "80", "А"), (708, "c7", "ا"), (0, "e4", "ä"), (65001, "41", "A")],
)  # fmt: skip
def test_code_pages_of_other_systems_are_read(code_page: int, octet: str, letter: str) -> None:
    """Those of Macintosh have codecs of other names."""
    assert text_of(f"{{\\rtf1\\ansicpg{code_page} \\'{octet}}}").strip() == letter


def test_a_masked_name_of_a_typeface_is_machinery_in_the_table_of_fonts() -> None:
    """A shipped one stays, another is replaced."""
    table = "{\\fonttbl{\\f0\\fswiss Arial;}{\\f1\\froman Georgia;}{\\f2 Arial Yalman;}}"
    data = f"{{\\rtf1{table}Arial and Georgia Yalman came.}}".encode()
    output = conftest.sanitized(data, "rtf", "Arial Yalman")
    assert b"Georgia;" in output
    assert b"Yalman" not in output


def test_words_of_fields_are_machinery() -> None:
    """Behind the name of an instruction alone, and with any words masked; elsewhere they are text."""
    fields = '{\\field{\\*\\fldinst HYPERLINK "https://example.org/"}{\\fldrslt x}}{\\field{\\*\\fldinst PAGE}}'
    data = f"{{\\rtf1 A hyperlink on a page. {fields}}}".encode()
    (record,) = items_of(data)
    stream = io.BytesIO()
    writer("same", stream).write(record, mask_strings(record.document, "hyperlink", "page"))
    output = stream.getvalue().decode()
    assert 'fldinst HYPERLINK "https://example.org/"' in output
    assert "fldinst PAGE" in output
    text = "".join(item.text for item in passages(output.encode(), "rtf"))
    assert "hyperlink" not in text.casefold()
    assert "HYPERLINK x" in "".join(
        item.text for item in passages(b"{\\rtf1 {\\header HYPERLINK x}}", "rtf")
    )


def test_looks_stay() -> None:
    """Fonts, colours, paragraphs, tables, fields and links."""
    body = (
        "\\pard\\qc\\f1\\fs28\\cf1 Title\\par\\trowd\\cellx4000\\intbl cell\\cell\\row"
        '{\\field{\\*\\fldinst HYPERLINK "https://example.org/a"}{\\fldrslt\\ul link}}'
        "{\\footnote note}{\\header\\pard head\\par}"
    )
    output = unchanged(f"{HEAD}{body}}}")
    for kept in (
        "{\\f0 \\fswiss Arial;}", "{\\f1 \\froman Times New Roman;}", "\\red255\\green0\\blue0;",
        "\\pard \\qc \\f1 \\fs28 \\cf1 Title\\par ", "\\trowd \\cellx4000 ",
        '{\\*\\fldinst HYPERLINK "https://example.org/a"}{\\fldrslt \\ul link}', "{\\footnote note}",
        "{\\header \\pard head\\par }",
    ):  # fmt: skip
        assert kept in output


PLACES = {
    "body": "x {}",
    "split": "Galip {{\\b Yal}}man {}",
    "author": "{{\\info{{\\author {}}}{{\\operator {}}}{{\\company {}}}{{\\title {}}}{{\\doccomm {}}}}}",
    "font": "{{\\fonttbl{{\\f9 {};}}}}",
    "style": "{{\\stylesheet{{\\s1 {};}}}}",
    "bookmark": "{{\\*\\bkmkstart {}}}x{{\\*\\bkmkend {}}}",
    "note": "x{{\\footnote {}}}{{\\*\\atnid {}}}{{\\*\\atnauthor {}}}{{\\*\\annotation {}}}",
    "header": "{{\\headerl {}}}{{\\footerr {}}}",
    "link": '{{\\field{{\\*\\fldinst HYPERLINK "https://example.org/?q={}"}}{{\\fldrslt x}}}}',
    "field": '{{\\field{{\\*\\fldinst MERGEFIELD "{}"}}{{\\fldrslt {}}}}}',
    "variables": "{{\\*\\docvar {{{}}}{{{}}}}}{{\\*\\userprops{{\\propname {}}}{{\\staticval {}}}}}",
    "changes": "{{\\*\\revtbl{{{};}}}}\\deleted {}\\deleted0 x",
    "picture": "{{\\pict{{\\*\\blipuid {}}}{{\\*\\picprop{{\\sp{{\\sn wzName}}{{\\sv {}}}}}}}00}}",
    "object": "{{\\object{{\\*\\objclass {}}}{{\\*\\objdata 00}}{{\\result {}}}}}",
    "shape": "{{\\shp{{\\*\\shpinst{{\\sp{{\\sn wzName}}{{\\sv {}}}}}{{\\shptxt {}}}}}}}",
    "unknown": "{{\\*\\own {}}}{{\\own {}}}",
    "behind": "x}}{}{{",
}


@for_each("place", PLACES)
def test_a_planted_name_is_written_nowhere(place: str) -> None:
    """It is masked, struck out or left out wherever it stands."""
    for spelling in SPELLINGS:
        coded = "".join(f"\\'{ord(c):02x}" for c in spelling)
        for said in (spelling.replace("&", ""), coded):
            body = f"About {NAME}. " + PLACES[place].replace("{}", said).replace("{{", "{").replace("}}", "}")  # fmt: skip
            try:
                output = sanitized(f"{HEAD}{body}}}")
            except LeakError as error:
                raise AssertionError(f"{spelling!r} was refused: {error}") from error
            assert "yalman" not in folded(re.sub(r"\\[a-z]+-?\d* ?|[{}]", "", output)), said
            assert "yalman" not in folded(output)


def test_words_of_nobody_are_in_the_output() -> None:
    """Only those of the list; a number can't carry a secret."""
    output = unchanged(f"{HEAD}\\galipyalman x\\li12345678901 y\\fs24 z\\GalipYalman5}}")
    words = re.findall(r"\\([A-Za-z]+)(-?\d*)", output)
    assert {word for word, _ in words} <= WORDS
    assert all(len(number) < 7 for _, number in words)


def test_pictures_and_objects_are_named() -> None:
    """As removed."""
    (record,) = items_of(f"{HEAD}{{\\pict 00}}{{\\object{{\\*\\objdata 00}}}}x}}")
    assert "2 embedded objects, sounds or films were removed" in record.notes[0]


@for_each(
    ("data", "reason"),
    [
        ("hello", "is not a valid .rtf"),
        ("{\\rtf1 hello", "cut off"),
        (f"{HEAD}hello", "cut off"),
        ("{\\rtf1\\ansicpg99999 x}", "code page"),
        ("{\\rtf1" + "{" * 2000 + "}" * 2001, "nested too deeply"),
        ("{\\rtf1\\ansicpg932 \\'81}", "not text in"),
        ("{\\rtf1\\bin999999999 x}", "cut off"),
    ],
)
def test_a_file_that_can_not_be_read_is_an_error(data: str, reason: str) -> None:
    """It says why."""
    (failure,) = items_of(data)
    assert isinstance(failure, documents.Failure)
    assert reason in str(failure.error)


@given(text=st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40))
def test_any_text_written_is_read_again(text: str) -> None:
    """In every script."""
    source = "".join(f"\\u{(ord(c) + 32768) % 65536 - 32768}?" if ord(c) < 65536 else "" for c in text)  # fmt: skip
    plain = "".join(c for c in text if ord(c) < 65536)
    origin = documents.Origin("a.rtf", "a.rtf", "rtf", "utf-8")
    (record,) = read(io.BytesIO(f"{HEAD}{source}}}".encode()), origin)
    assert record.document.text.strip("\n") == plain
    data = format_named("rtf").write(record, mask_strings(record.document))
    (again,) = read(io.BytesIO(data), origin)
    assert again.document.text.strip("\n") == "".join(
        c for c in plain if ord(c) > 159 or ord(c) < 127
    )


@given(data=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """Never anything else."""
    (item,) = items_of(b"{\\rtf1 " + data + b"}")
    assert isinstance(item, documents.SourceDocument | documents.Failure)
