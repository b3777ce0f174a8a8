"""Compressed files of any format: read, written, and refused where they are no files of a user."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest
import zstandard

from tacenda import documents
from tacenda.documents import compression
from tacenda.documents.compression import Packer, compression_of, inner_name, packed, unpacked
from tacenda.documents.names import safe_name
from tacenda.errors import InputError, MissingExtraError
from tests.cli.test_sanitize import tacenda

from .building_docx import build, paragraph
from .conftest import mask_strings

NAME = "Galip Yalman"
FILES = {
    "a.txt": f"{NAME} went.".encode(),
    "a.html": f"<p>{NAME} went.</p>".encode(),
    "a.jsonl": f'{{"text": "{NAME} went."}}\n{{"text": "He came."}}\n'.encode(),
    "a.csv": f"text\n{NAME} went.\n".encode(),
    "a.vtt": f"WEBVTT\n\n00:01.000 --> 00:02.000\n{NAME} went.\n".encode(),
    "a.docx": build(paragraph(f"{NAME} went.")),
}


def unpack(data: bytes, name: str) -> bytes:
    """Return the content of a compressed file, by the reference of its format."""
    if name.endswith(".gz"):
        return gzip.decompress(data)
    return zstandard.ZstdDecompressor().decompressobj().decompress(data)


def failure_of(path: Path) -> str:
    """Return the message of the first failure of a file."""
    for item in documents.read(path):
        if isinstance(item, documents.Failure):
            return str(item.error)
    raise AssertionError("no failure")


@pytest.mark.parametrize("ending", [".gz", ".zst"])
@pytest.mark.parametrize("name", FILES)
def test_a_compressed_file_comes_out_compressed(name: str, ending: str, tmp_path: Path) -> None:
    """In any format; what was masked is not in it, and the rest is."""
    path, output = tmp_path / (name + ending), tmp_path / ("out." + name + ending)
    path.write_bytes(packed(FILES[name], path.name))
    records = [item for item in documents.read(path) if isinstance(item, documents.SourceDocument)]
    results = [(record, mask_strings(record.document, NAME)) for record in records]
    documents.write(results, output)
    content = unpack(output.read_bytes(), output.name)
    (tmp_path / name).write_bytes(content)
    texts = [item.document.text for item in documents.read(tmp_path / name)]  # type: ignore[union-attr]
    assert "".join(texts).count("[X] went.") == 1


def test_a_name_says_what_a_file_is() -> None:
    """Whatever its case; a path without a compression has none."""
    assert (compression_of("a.CSV.GZ"), inner_name("a.CSV.GZ")) == (".gz", "a.CSV")
    assert (compression_of("a.gz/b"), inner_name("a.gz/b")) == ("", "a.gz/b")


def test_the_same_content_is_the_same_file() -> None:
    """No name and no time are in it."""
    for name in ("a.gz", "a.zst"):
        assert packed(b"hello" * 99, name) == packed(b"hello" * 99, name)
    assert packed(b"hello", "a.gz")[4:8] == bytes(4)


def test_a_neutral_name_keeps_both_extensions() -> None:
    """So the file is still known by them."""
    result = mask_strings(documents.read("-", stdin=io.BytesIO(NAME.encode())).__next__().document, NAME)  # type: ignore[union-attr]  # fmt: skip
    assert safe_name("galip-yalman.csv.gz", [result], 3) == "document-3.csv.gz"


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_a_file_cut_off_or_changed_is_an_error(ending: str, tmp_path: Path) -> None:
    """It names the file, and nothing of it is read as text."""
    path = tmp_path / f"a.txt{ending}"
    data = packed(bytes(range(32, 127)) * 99, path.name)
    path.write_bytes(data[: len(data) // 2])
    assert "damaged or cut off" in failure_of(path)
    if ending == ".gz":
        path.write_bytes(data[:-8] + bytes(8))
        assert "damaged or cut off" in failure_of(path)


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_a_file_that_grows_without_end_is_an_error(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it fills the memory."""
    monkeypatch.setattr(compression, "_HARMLESS", 1_000_000)
    path = tmp_path / f"a.txt{ending}"
    path.write_bytes(packed(bytes(9_000_000), path.name))
    assert "more than 200 times its size" in failure_of(path)


def test_a_file_that_is_not_compressed_is_read_as_it_stands(tmp_path: Path) -> None:
    """Whatever it is called."""
    path = tmp_path / "a.txt.gz"
    path.write_bytes(b"hello")
    (record,) = documents.read(path)
    assert isinstance(record, documents.SourceDocument)
    assert record.document.text == "hello"


def test_a_folder_keeps_the_compression_of_its_files(tmp_path: Path) -> None:
    """And restore by a mapping gives them back byte for byte."""
    policy = tmp_path / "p.yaml"
    policy.write_text(f"recognizer: false\nthreshold: 0.5\ntarget: [{NAME}]\n")
    source = tmp_path / "in"
    source.mkdir()
    data = packed(FILES["a.txt"], "a.txt.gz")
    (source / "a.txt.gz").write_bytes(data)
    mapping = tmp_path / "m" / "map"
    mapping.parent.mkdir()
    run = tacenda(
        *("sanitize", str(source), "-o", f"{tmp_path}/out/", "--policy", str(policy)),
        *("--mapping", str(mapping)),
    )
    assert run.returncode == 0, run.stderr
    output = tmp_path / "out" / "a.txt.gz"
    assert b"Galip" not in gzip.decompress(output.read_bytes())
    run = tacenda(
        *("restore", str(output), "--mapping", str(mapping), "-o", str(tmp_path / "b.txt.gz"))
    )
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "b.txt.gz").read_bytes() == data


def test_an_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the library of .zst is missing."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r"\[zstd\]"):
        Packer(io.BytesIO(), ".zst")
    with pytest.raises(MissingExtraError, match=r"\[zstd\]"):
        unpacked(io.BytesIO(b"\x28\xb5\x2f\xfd"), "a.zst")
    with pytest.raises(InputError, match="damaged"):
        unpacked(io.BytesIO(b"\x1f\x8b\x08"), "a.gz").read()
