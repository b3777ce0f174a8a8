"""Bytes that are no text, text in other encodings, and files that aren't there."""

from __future__ import annotations

import codecs
import io
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tacenda import documents
from tacenda.documents.reading import files_of, format_of, read_bytes
from tacenda.documents.record import Skipped
from tacenda.documents.registry import SHIPPED
from tacenda.documents.writing import writer
from tacenda.errors import InputError
from tacenda.result import Result

Through = Callable[..., str]
ReadAll = Callable[..., list[documents.SourceDocument | documents.Failure]]
WHOLE_FILES = ["text", "markdown", "html"]


def error_of(items: list[documents.SourceDocument | documents.Failure]) -> str:
    """Return the message of the only failure."""
    (failure,) = items
    assert isinstance(failure, documents.Failure)
    return str(failure.error)


@pytest.mark.parametrize(
    "format",
    [name for name, f in SHIPPED.items() if f.is_text and not (f.has_fields and not f.mappable)],
)
@pytest.mark.parametrize("head", [b"%PDF-1.7\n%\xe2\xe3", b"PK\x03\x04\x14", b"\xd0\xcf\x11\xe0"])
def test_a_pdf_by_another_name_is_refused(format: str, head: bytes, read_all: ReadAll) -> None:
    """What is plainly no text is an error that says what it looks like and the way out."""
    message = error_of(read_all(head + b"\x00" * 20, format))
    assert message.startswith("stdin: looks like a")
    assert "first" in message or "--from" in message


@pytest.mark.parametrize("format", WHOLE_FILES)
def test_undecodable_bytes_name_offset_and_option(format: str, read_all: ReadAll) -> None:
    """The error names the byte offset and the option, and shows no text."""
    message = error_of(read_all("abc Rén".encode("latin-1"), format))
    assert "byte offset 5" in message
    assert "--encoding" in message
    assert "abc" not in message


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_an_undecodable_row_fails_alone(format: str, read_all: ReadAll) -> None:
    """The offset is the file's, and the rows around are read."""
    rows = {"jsonl": b'{"text":"%s"}\n', "csv": b"%s\n"}[format]
    head = b"text\n" if format == "csv" else b""
    data = head + rows % b"a" + rows % b"\xff" + rows % b"b"
    first, failure, last = read_all(data, format)
    assert isinstance(first, documents.SourceDocument)
    assert isinstance(last, documents.SourceDocument)
    assert isinstance(failure, documents.Failure)
    assert f"byte offset {data.index(0xFF)}" in str(failure.error)
    assert last.document.text == "b"


def test_a_named_encoding_is_used_strictly(read_all: ReadAll, through: Through) -> None:
    """With --encoding the text is read in it, and written back in it."""
    assert through("Rén Galip".encode("cp1252"), "text", "Galip", encoding="cp1252") == "Rén [X]"
    assert "byte offset 1" in error_of(read_all(b"a\x81", "text", encoding="cp1252"))


@pytest.mark.parametrize("format", ["text", "csv"])
def test_utf_16_is_read_and_written_with_one_mark(
    format: str, read_all: ReadAll, mask: Callable[..., Result]
) -> None:
    """UTF-16 works where it is named, in streams too."""
    data = "text\r\nGalip ż\r\n".encode("utf-16")
    output = io.BytesIO()
    sink = writer("same", output)
    for item in read_all(data, format, encoding="utf-16"):
        assert isinstance(item, documents.SourceDocument)
        sink.write(item, mask(item.document))
    assert output.getvalue() == data


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_without_being_told_is_refused(codec: str, read_all: ReadAll) -> None:
    """UTF-16 is never passed as UTF-8 full of NUL, with every name unrecognised."""
    assert "--encoding utf-16" in error_of(read_all("My name is Galip".encode(codec), "text"))


@pytest.mark.parametrize("format", ["text", "markdown", "html", "csv", "jsonl"])
def test_a_byte_order_mark_is_no_text_and_stays(
    format: str, read_all: ReadAll, through: Through
) -> None:
    """The mark of UTF-8 is not in the text, and is written back."""
    body = {"csv": "text\nGalip\n", "jsonl": '{"text": "Galip"}\n'}.get(format, "Galip")
    data = codecs.BOM_UTF8 + body.encode()
    (record,) = read_all(data, format)
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text.strip() == "Galip"
    assert through(data, format, "Galip", text="X") == "\ufeff" + body.replace("Galip", "X")


@pytest.mark.parametrize("encoding", ["no-such", "base64", "rot13", "idna", "hex"])
def test_an_encoding_that_is_none_is_refused_at_once(encoding: str) -> None:
    """A codec that doesn't exist or makes no text is a fault of usage."""
    with pytest.raises(InputError, match=encoding):
        documents.read("-", encoding=encoding)


def test_a_format_that_is_none_is_refused_at_once() -> None:
    """The error lists the formats there are."""
    with pytest.raises(InputError, match=r"unknown format 'wpd'.*markdown"):
        documents.read("-", "wpd")


@pytest.mark.parametrize("format", WHOLE_FILES)
@pytest.mark.parametrize(
    "text", ["", "a\x00b", "שלום עולם", "مرحبا", "👩‍👩‍👧 🇳🇴", "e\u0301a\u0300", "\r", "\u2028"]
)
def test_odd_characters_are_characters(format: str, text: str, through: Through) -> None:
    """Empty text, NUL, right-to-left scripts, emoji and combining marks come back."""
    assert through(text, format) == text


@pytest.mark.parametrize("format", WHOLE_FILES)
def test_a_megabyte_of_one_line_is_read(format: str, through: Through) -> None:
    """A long line is a document like others."""
    line = "The applicant, Galip, was born. " * 30_000
    begin = through(line, format, "zebra")
    assert begin == line


def test_files_and_folders(tmp_path: Path) -> None:
    """Folders are read in sorted order, hidden and unknown files left; what fails stops nothing."""
    (tmp_path / "b.txt").write_text("b")
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "c.exe").write_text("c")
    (tmp_path / ".hidden.txt").write_text("h")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "bad.txt").write_bytes(b"\xff")
    (tmp_path / "sub" / "d.HTM").write_text("d")
    items = list(documents.read(tmp_path))
    ids = [
        i.document.id if isinstance(i, documents.SourceDocument) else i.error.document
        for i in items
    ]
    assert ids == ["a.md", "b.txt", "sub/bad.txt", "sub/d.HTM"]
    assert isinstance(items[2], documents.Failure)


@pytest.mark.parametrize("name", ["missing.txt", "file.docx", "empty-folder"])
def test_what_can_not_be_read_is_a_failure(name: str, tmp_path: Path) -> None:
    """A missing file, an unknown extension and a folder without texts are errors."""
    (tmp_path / "file.docx").write_text("x")
    (tmp_path / "empty-folder").mkdir()
    assert name in error_of(list(documents.read(tmp_path / name)))


def test_a_file_in_memory_is_read_like_one_on_disk(tmp_path: Path) -> None:
    """What ``files_of`` finds, its bytes and its origin give the same documents as ``read``."""
    (tmp_path / "a.md").write_text("*Dear* Ada")
    (tmp_path / "b.TAB").write_text("id\ttext\n1\tDear Ben\n")
    found = [item for item in files_of(tmp_path) if isinstance(item, documents.Origin)]
    assert [(item.name, item.format) for item in found] == [("a.md", "markdown"), ("b.TAB", "csv")]
    read = [
        record.document
        for origin in found
        for record in read_bytes(Path(origin.path).read_bytes(), origin)
        if isinstance(record, documents.SourceDocument)
    ]
    assert read == [
        item.document
        for item in documents.read(tmp_path)
        if isinstance(item, documents.SourceDocument)
    ]


def test_the_name_of_a_file_says_its_format() -> None:
    """By its extension, in any case and after any kind of slash; an unknown one is an error."""
    assert format_of("C:\\x\\Letter.DOCX") == "docx"
    assert format_of("notes") == "text"
    with pytest.raises(InputError, match=r"scan\.gif: unknown extension '\.gif'"):
        format_of("scan.gif")


def test_what_is_no_file_of_the_folder_is_skipped_and_named(tmp_path: Path) -> None:
    """Pipes, sockets, hidden files, links out of the folder or nowhere: none is opened."""
    root = tmp_path / "in"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("s")
    (tmp_path / "elsewhere").mkdir()
    (root / "a.txt").write_text("a")
    (root / "b.gif").write_text("b")
    (root / ".hidden.txt").write_text("h")
    os.mkfifo(root / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket.txt"))
    links = {"out.txt": "../secret.txt", "dir.txt": "../elsewhere", "loop.txt": "loop.txt"}
    links |= {"device.txt": "/dev/zero", "nowhere.txt": "missing", "in.txt": "a.txt", "s": "sub"}
    for name, goal in links.items():
        (root / name).symlink_to(goal)
    entries = list(files_of(root))
    skipped = {item.name: item.reason for item in entries if isinstance(item, Skipped)}
    assert [item.name for item in entries if isinstance(item, documents.Origin)] == [
        "a.txt",
        "in.txt",
    ]
    assert skipped == {
        ".hidden.txt": "it is hidden",
        "b.gif": "its extension is not known; name the format with --from FORMAT",
        "device.txt": "it is a link out of the folder",
        "dir.txt": "it is a link out of the folder",
        "loop.txt": "it is a dangling link",
        "nowhere.txt": "it is a dangling link",
        "out.txt": "it is a link out of the folder",
        "pipe.txt": "it is a pipe",
        "s": "it is a link to a folder, which is read at its real path",
        "socket.txt": "it is a socket",
    }
    records = [item for item in documents.read(root) if isinstance(item, documents.SourceDocument)]
    assert [item.document.id for item in records] == ["a.txt", "in.txt"]


def test_a_pipe_that_is_named_is_read_and_a_device_is_not(tmp_path: Path) -> None:
    """A shell's `<(command)` is a pipe; a device would never end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    feeder = threading.Thread(target=lambda: pipe.write_bytes(b"Dear Ada"))
    feeder.start()
    (record,) = documents.read(pipe)
    feeder.join()
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text == "Dear Ada"
    assert "it is a device" in error_of(list(documents.read("/dev/zero")))
    assert "NUL" in error_of(list(documents.read("a\0b.txt")))
