"""Inputs and outputs elsewhere, by their URL."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from typer.testing import CliRunner

from tacenda import documents
from tacenda.cli import app
from tacenda.documents import remote
from tacenda.errors import MissingExtraError, OutputError
from tests.documents.building_docx import build, paragraph
from tests.documents.conftest import mask_strings

NAME = "Galip Yalman"
FILES = {
    "a.txt": f"{NAME} went.".encode(),
    "b/c.docx": build(paragraph(f"{NAME} went.")),
    "b/d.eml": f"From: {NAME} <a@b.org>\nSubject: x\n\n{NAME} went.\n".encode(),
    "b/galip-yalman.jsonl.gz": gzip.compress(f'{{"text": "{NAME} went."}}\n'.encode()),
    "b/e.xyz": b"unknown",
    ".hidden": b"x",
}


@pytest.fixture
def store() -> Iterator[Any]:
    """An empty store in memory."""
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    memory.pseudo_dirs[:] = [""]
    yield memory
    memory.store.clear()


def masked(url: str, output: str) -> None:
    """Sanitize a file by its URL in this process."""
    records = list(documents.read(url))
    assert all(isinstance(record, documents.SourceDocument) for record in records), records
    documents.write(
        ((record, mask_strings(record.document, NAME)) for record in records),  # type: ignore[union-attr]
        output,
    )


@pytest.mark.parametrize("name", [name for name in FILES if name not in ("b/e.xyz", ".hidden")])
def test_a_file_of_any_format_is_read_and_written_by_its_url(name: str, store: Any) -> None:
    """As on this machine, compressed or not."""
    store.pipe(f"/in/{name}", FILES[name])
    masked(f"memory://in/{name}", f"memory://out/{name}")
    (record,) = documents.read(f"memory://out/{name}")
    assert isinstance(record, documents.SourceDocument)
    assert "[X]" in record.document.text
    assert "Yalman" not in record.document.text
    assert record.origin.name == name.rpartition("/")[2]


def test_a_folder_is_read_in_order(store: Any) -> None:
    """Hidden and unknown files are left out and named, as on this machine."""
    for name, data in FILES.items():
        store.pipe(f"/in/{name}", data)
    from tacenda.documents.reading import files_of
    from tacenda.documents.record import Origin, Skipped

    entries = list(files_of("memory://in"))
    assert [entry.name for entry in entries if isinstance(entry, Origin)] == [
        "a.txt", "b/c.docx", "b/d.eml", "b/galip-yalman.jsonl.gz"
    ]  # fmt: skip
    assert [entry.name for entry in entries if isinstance(entry, Skipped)] == [".hidden", "b/e.xyz"]


def test_a_fault_of_the_store_names_the_file_and_nothing_else(store: Any) -> None:
    """No password of a URL, no words of a server."""
    (failure,) = documents.read("memory://secret@in/missing.txt")
    assert isinstance(failure, documents.Failure)
    assert str(failure.error).startswith("missing.txt: can't be read")
    (failure,) = documents.read("memory::memory://in/missing.txt")
    assert isinstance(failure, documents.Failure)
    (failure,) = documents.read("nosuch://in/missing.txt")
    assert isinstance(failure, documents.Failure)
    with pytest.raises(OutputError, match="can't be written"):
        remote.RemoteFile("nosuch://out/a.txt")


def test_what_fails_is_not_sent(store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older file stays as it was."""
    store.pipe("/out/a.txt", b"older")
    file = remote.RemoteFile("memory://out/a.txt")
    file.stream.write(b"half")
    file.abort()
    assert store.cat("/out/a.txt") == b"older"

    def fail(source: io.IOBase, target: io.IOBase) -> None:
        target.write(b"half")
        raise ConnectionError

    monkeypatch.setattr(remote.shutil, "copyfileobj", fail)
    with pytest.raises(OutputError), remote.remote_file("memory://out/a.txt"):
        pass
    assert store.cat("/out/a.txt") == b"older"


def test_an_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the library is missing."""
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"\[remote\]"):
        list(documents.read("memory://in/a.txt"))


def command(*arguments: str) -> tuple[int, str]:
    """Run the command line in this process, where the store is; return exit code and messages."""
    run = CliRunner().invoke(app, list(arguments))
    return run.exit_code, run.stderr


def test_the_command_reads_and_writes_a_store(store: Any, tmp_path: Path) -> None:
    """A folder becomes a folder, under names that tell nothing; a file goes where it is to."""
    for name, data in FILES.items():
        store.pipe(f"/in/{name}", data)
    policy = tmp_path / "p.yaml"
    policy.write_text(f"recognizer: false\nthreshold: 0.5\ntarget: [{NAME}]\n")
    chosen = ("--policy", str(policy))
    code, said = command("sanitize", "memory://in/", "-o", "memory://out/", *chosen)
    assert (code, "4 written, 2 skipped" in said) == (0, True), said
    assert sorted(store.find("/out")) == [
        "/out/a.txt", "/out/b/c.docx", "/out/b/d.eml", "/out/document-6.jsonl.gz"
    ]  # fmt: skip
    for name in store.find("/out"):
        (record,) = documents.read(f"memory:/{name}")
        assert isinstance(record, documents.SourceDocument)
        assert "Yalman" not in record.document.text
        assert "[PERSON 1] went." in record.document.text
    for refused in (
        ("memory://in/", "-o", "memory://in/b/"),
        ("memory://in/", "-o", "memory://new/", "--resume"),
    ):
        assert command("sanitize", *refused)[0] == 2
    output = tmp_path / "one.txt"
    assert command("sanitize", "memory://in/a.txt", "-o", str(output), *chosen)[0] == 0
    assert output.read_text() == "[PERSON 1] went."
    assert command("sanitize", "memory://in/a.txt", "-o", "memory://new/a.txt.gz", *chosen)[0] == 0
    assert gzip.decompress(store.cat("/new/a.txt.gz")) == b"[PERSON 1] went."
    assert command("sanitize", "memory://in/none.txt", *chosen)[0] == 1
