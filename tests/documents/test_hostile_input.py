"""Input that means harm: read in time that grows with its length, or an error, never an exception."""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tacenda import documents
from tacenda.documents.reading import read_bytes
from tacenda.isolation import TimeLimitError
from tests.examples import for_each
from tests.growth import assert_linear
from tests.waiting import is_running, until

from .conftest import mask_strings

_HOSTILE = {
    "nested tags": ("html", "<div>", "Anna Berg", "</div>"),
    "less-than signs": ("html", "<", "Anna Berg", ""),
    "tags that never end": ("html", "<a ", "", ""),
    "quotes that never end": ("html", '<a x="', "", ""),
    "end tags that never end": ("html", "</", "", ""),
    "comments that never end": ("html", "<!--", "", ""),
    "styles that never end": ("html", "<style></styl", "", ""),
    "ampersands": ("html", "&amp", "Anna Berg", ""),
    "attributes": ("html", '<a x="y">', "Anna Berg", ""),
    "stars": ("markdown", "*", "Anna Berg", "*"),
    "emphasis": ("markdown", "_a_ ", "Anna Berg", ""),
    "brackets": ("markdown", "[", "Anna Berg", "]("),
    "quotations": ("markdown", "> ", "Anna Berg", ""),
    "nested lists": ("json", "[", "", "]"),
    "nested objects": ("json", '{"a":', "1", "}"),
    "a nested line": ("jsonl", "[", "", "]"),
    "digits": ("jsonl", "1", "", ""),
    "an open cell": ("csv", 'text\n"a', "", ""),
    "quotes in a cell": ("csv", 'text\n"', "", ""),
    "columns": ("csv", "text,", "", ""),
    "no line end": ("text", "Anna Berg", "", ""),
    "NUL and marks of direction": ("text", "\0\u202e\u200f", "Anna Berg", "\u2069"),
}


@for_each("kind", _HOSTILE)
def test_hostile_text_takes_linear_time(kind: str) -> None:
    """Thousands of anything are read and written, or refused."""
    format, before, middle, after = _HOSTILE[kind]

    def edited(size: int) -> None:
        text = before * size + middle + after * size
        for item in read_bytes(text.encode(), documents.Origin("a", "a", format, "utf-8")):
            if isinstance(item, documents.SourceDocument):
                documents.edited_source(item, mask_strings(item.document, "Anna Berg"))

    assert_linear(edited, 4_000)


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("jsonl", '{"text": "Anna \\ud800"}\n', "lone surrogate"),
        ("json", '["Anna \\udc00"]', "lone surrogate"),
        ("jsonl", '{"text": "a", "x": ' + "[" * 100_000 + "]" * 100_000 + "}", "correct the line"),
        ("json", "[1" + "0" * 10_000 + "]", "number in its JSON is too long"),
    ],
)
def test_what_json_can_spell_and_nobody_can_write_is_refused(
    format: str, text: str, message: str
) -> None:
    """The error says what it is; it quotes no text."""
    (item,) = read_bytes(text.encode(), documents.Origin("a", "a", format, "utf-8"))
    assert isinstance(item, documents.Failure)
    assert message in str(item.error)


def _pdf(*objects: str, trailer: str = "") -> bytes:
    """Return a PDF of objects 1, 2, …, of which the first is the catalog; its xref is right."""
    body, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{each}\nendobj\n".encode("latin-1")
    rows = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    xref = f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n{rows}"
    size = f"/Size {len(offsets) + 1} /Root 1 0 R {trailer}"
    return body + f"{xref}trailer\n<<{size}>>\nstartxref\n{len(body)}\n%%EOF".encode()


_CATALOG = "<</Type /Catalog /Pages 2 0 R>>"
_PAGES = "<</Type /Pages /Kids [3 0 R] /Count 1>>"
_PAGE = "<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources 5 0 R>>"


def _stream(data: bytes, entries: str = "") -> str:
    return f"<<{entries} /Length {len(data)}>>\nstream\n{data.decode('latin-1')}\nendstream"


_BOMB = zlib.compress(bytes(100_000_000), 9)
_FORM = "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources 5 0 R"


@pytest.mark.parametrize(
    "data",
    [
        _pdf(_CATALOG, "<</Type /Pages /Kids [2 0 R] /Count 1>>"),
        _pdf(_CATALOG, "<</Type /Pages /Kids [3 0 R 2 0 R] /Count 2000000000>>", _PAGE),
        _pdf("1 0 R", "2 0 R"),
        _pdf(_CATALOG, _PAGES, _PAGE, "4 0 R", "5 0 R"),
        _pdf(_CATALOG, _PAGES, trailer="/Prev 9"),
        _pdf(_CATALOG, _PAGES, _PAGE, _stream(b"q " * 300_000), "<<>>"),
        _pdf(_CATALOG, _PAGES, _PAGE, _stream(b"[" * 300_000), "<<>>"),
        _pdf(_CATALOG, _PAGES, _PAGE, _stream(b"<<" * 100_000), "<<>>"),
        _pdf(_CATALOG, _PAGES, _PAGE, _stream(_BOMB, "/Filter /FlateDecode"), "<<>>"),
        _pdf(
            _CATALOG,
            _PAGES,
            _PAGE,
            _stream(b"/F Do /F Do"),
            "<</XObject <</F 6 0 R>>>>",
            _stream(b"/F Do /F Do", _FORM),
        ),
        _pdf(_CATALOG, _PAGES, "<<" * 50_000),
        b"%PDF-1.4\n" + b"1 0 obj\n" * 100_000,
    ],
    ids=map(str, range(12)),
)
def test_hostile_pdfs_are_failures_in_time(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops, bombs and depths end as an error that names the file."""
    monkeypatch.setenv("TACENDA_LIMIT_SECONDS", "4")
    monkeypatch.setenv("TACENDA_LIMIT_MEMORY_MB", "500")
    (item,) = read_bytes(data, documents.Origin("a.pdf", "a.pdf", "pdf", "utf-8"))
    assert isinstance(item, documents.Failure)
    assert str(item.error).startswith("a.pdf: ")


_TESSERACT = """#!/bin/sh
[ "$1" = --list-langs ] && printf 'languages:\\neng\\n' && exit
cat > /dev/null
echo $$ >> "{folder}/started"
sleep "$(cat "{folder}/delay")"
echo x >> "{folder}/ended"
printf 'level\\tpage_num\\tblock_num\\tpar_num\\tline_num\\tword_num\\tleft\\ttop\\twidth\\theight\\tconf\\ttext\\n'
printf '5\\t1\\t1\\t1\\t1\\t1\\t40\\t40\\t400\\t60\\t96\\tYalman\\n'
"""


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


@pytest.mark.skipif(os.name != "posix", reason="the program is a shell script")
@pytest.mark.parametrize("slow", ["reading", "writing"])
def test_one_limit_ends_a_file_with_all_its_readings(
    slow: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readings of pages that each take less than the limit are stopped together, and none goes on."""
    (tmp_path / "tesseract").write_text(_TESSERACT.format(folder=tmp_path))
    (tmp_path / "tesseract").chmod(0o755)
    (tmp_path / "delay").write_text("0")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("TACENDA_LIMIT_SECONDS", "60")
    monkeypatch.setenv("TACENDA_LIMIT_MEMORY_MB", "1999")  # so that its worker knows the program
    monkeypatch.setattr("tacenda.documents.containers._PICTURE", 0)
    page = pytest.importorskip("PIL.Image").new("L", (800, 200), 255)
    page.paste(0, (40, 40, 440, 100))
    stream = io.BytesIO()
    pages = [page] * 11
    page.save(stream, "TIFF", save_all=True, append_images=pages, compression="tiff_deflate")

    def in_time(call: Callable[[], object]) -> None:
        (tmp_path / "delay").write_text("1.5")
        (tmp_path / "started").write_text("")
        monkeypatch.setenv("TACENDA_LIMIT_SECONDS", "2")
        with pytest.raises(TimeLimitError, match="took more than 2 s"):
            call()
        ended = _text(tmp_path / "ended")
        until(lambda: not any(map(is_running, _text(tmp_path / "started").split())))
        assert _text(tmp_path / "ended") == ended

    def read() -> documents.SourceDocument:
        origin = documents.Origin("a.tiff", "a.tiff", "tiff", "utf-8")
        (item,) = read_bytes(stream.getvalue(), origin)
        if isinstance(item, documents.Failure):
            raise item.error
        return item

    if slow == "reading":
        in_time(read)
        return
    record = read()
    container = record.container
    assert container is not None
    in_time(lambda: container.write(record, mask_strings(record.document, "Yalman")))
