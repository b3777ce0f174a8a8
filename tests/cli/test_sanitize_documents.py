"""The command `tacenda sanitize` on documents of office programs."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.documents.building_docx import build, entries, paragraph
from tests.forks import tacenda

pytest.importorskip("lxml.etree")
pytest.importorskip("pypdf")
pytest.importorskip("reportlab")


def letter(path: Path) -> str:
    """Write a letter and return its path."""
    body = paragraph("The applicant, Mr Galip ", "Yalman, was born in 1966.")
    path.write_bytes(build(body, {"header": paragraph("Re: Mr Galip Yalman")}))
    return str(path)


def test_a_docx_stays_a_docx_and_can_become_a_pdf(tmp_path: Path) -> None:
    """What was found in one part is masked in all; a PDF of it can be sanitized again."""
    source = letter(tmp_path / "letter.docx")
    run = tacenda("sanitize", source, "--operator", "tag", "-o", str(tmp_path / "clean.docx"))
    assert run.returncode == 0, run.stderr
    parts = entries((tmp_path / "clean.docx").read_bytes())
    assert b"[PERSON 1]" in parts["word/header1.xml"]
    assert not any(b"Yalman" in part for part in parts.values())
    run = tacenda("sanitize", source, "--to", "pdf", "-o", str(tmp_path / "clean.pdf"))
    assert run.returncode == 0, run.stderr
    run = tacenda("sanitize", str(tmp_path / "clean.pdf"), "--to", "text")
    assert run.returncode == 0, run.stderr
    assert b"was born in" in run.stdout
    assert b"Yalman" not in run.stdout


def test_a_folder_keeps_each_format(tmp_path: Path) -> None:
    """Files keep their kind; a broken one is named, and the others are done."""
    source = tmp_path / "in"
    source.mkdir()
    letter(source / "a.docx")
    letter(source / "yalman.docx")
    (source / "b.docx").write_bytes(b"PK\x03\x04")
    run = tacenda("sanitize", str(source), "-o", str(tmp_path / "out"))
    assert run.returncode == 1
    assert b"b.docx" in run.stderr
    assert b"Traceback" not in run.stderr
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == 2
    assert all(zipfile.is_zipfile(file) for file in files)
    assert "yalman.docx" not in [file.name for file in files]


def test_two_documents_do_not_fit_in_one_file(tmp_path: Path) -> None:
    """The second one is an error that names the way out."""
    names = [letter(tmp_path / name) for name in ("a.docx", "b.docx")]
    run = tacenda("sanitize", *names)
    assert run.returncode == 1
    assert b"-o must be a folder" in run.stderr
    assert zipfile.is_zipfile(io.BytesIO(run.stdout))


def test_a_picture_is_told_of(tmp_path: Path) -> None:
    """What can't be read is said on stderr."""
    path = tmp_path / "a.docx"
    path.write_bytes(
        build(
            paragraph("x"),
            ties=(("p1", "image", "media/a.png"),),
            files={"word/media/a.png": b"damaged"},
        )
    )
    run = tacenda("sanitize", str(path), "-o", str(tmp_path / "b.docx"))
    assert run.returncode == 0
    assert b"1 picture is covered" in run.stderr


def test_without_the_extra_the_error_names_it(tmp_path: Path) -> None:
    """A missing library is a fault of usage with its remedy."""
    source = letter(tmp_path / "a.docx")
    code = (
        "import sys; sys.modules['lxml'] = None; sys.argv = ['tacenda', 'sanitize', sys.argv[1]];"
        "from tacenda.cli import main; main()"
    )
    run = subprocess.run([sys.executable, "-c", code, source], capture_output=True, check=False)
    assert run.returncode == 2
    assert b"[documents]" in run.stderr
    assert b"Traceback" not in run.stderr


def test_pictures_are_read_as_options_say(tmp_path: Path) -> None:
    """Their languages are named, or switched off; a value without meaning is a fault of usage."""
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    policy = tmp_path / "policy.yaml"
    policy.write_text("recognizer: false\nthreshold: 0.5\n")
    command = ("sanitize", str(picture), "--policy", str(policy))
    run = tacenda(*command, "--ocr-languages", "off")
    assert run.returncode == 1
    assert b"(or --ocr-languages) switches the recognition of text (OCR) off" in run.stderr
    for option, value in (("--ocr-languages", "eng; rm"), ("--pictures", "perhaps")):
        run = tacenda(*command, option, value)
        assert run.returncode == 2
        assert f"{option} is '{value}'; it must be" in " ".join(run.stderr.decode().split())
