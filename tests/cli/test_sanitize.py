"""The command `tacenda sanitize`: exit codes, streams, and what becomes of bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.forks import tacenda

TEXT = "The applicant, Mr Galip Yalman, was born in 1966. Write to galip@example.org.\n"


def write(path: Path, content: str | bytes) -> str:
    """Write a file and return its path."""
    path.write_bytes(
        content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    )
    return str(path)


def test_result_on_stdout_reasons_on_stderr(tmp_path: Path) -> None:
    """The sanitized text is all that stdout holds; `--explain` goes to stderr."""
    run = tacenda("sanitize", write(tmp_path / "a.txt", TEXT), "--explain", "--operator", "tag")
    assert run.returncode == 0
    out = run.stdout.decode()
    assert "Yalman" not in out
    assert "[PERSON 1]" in out
    assert "Masked: " in run.stderr.decode()


def test_stdin_is_the_default() -> None:
    """Without a path the text comes from stdin."""
    run = tacenda("sanitize", input=TEXT.encode())
    assert run.returncode == 0
    assert b"example.org" not in run.stdout


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    """A PDF called .txt is named on stderr, the other file is done, and the exit code is 1."""
    bad = write(tmp_path / "a.txt", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n")
    good = write(tmp_path / "b.txt", TEXT)
    run = tacenda("sanitize", bad, good)
    assert run.returncode == 1
    assert b"a.txt" in run.stderr
    assert b"PDF" in run.stderr
    assert b"was born in" in run.stdout
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "docx"], "not one of same, text"),
        (["--from", "wpd"], "unknown format"),
        (["--policy", "harsh"], "shipped policies"),
        (["--threshold", "2"], "threshold"),
        (["--operator", "shred"], "operator"),
        (["--operator", "pseudonym"], "need a key"),
        (["--encoding", "klingon"], "klingon"),
    ],
)
def test_faults_of_usage_exit_with_2(tmp_path: Path, arguments: list[str], message: str) -> None:
    """What the user asked for can't be: exit code 2 and the way out."""
    run = tacenda("sanitize", write(tmp_path / "a.txt", TEXT), *arguments)
    assert run.returncode == 2
    assert message in run.stderr.decode().replace("\n", " ").replace("│", "")
    assert b"Traceback" not in run.stderr
    assert run.stdout == b""


def test_masks_of_tab_documents(tmp_path: Path) -> None:
    """From TAB's format, `--to masks` writes what `tacenda evaluate masks` reads."""
    document = {"doc_id": "d1", "text": TEXT, "dataset_type": "dev", "annotations": {}}
    run = tacenda("sanitize", write(tmp_path / "a.json", json.dumps([document])), "--to", "masks")
    assert run.returncode == 0
    masks = json.loads(run.stdout)
    assert list(masks) == ["d1"]
    assert any(TEXT[start:end].endswith("Galip Yalman") for start, end in masks["d1"])


def test_another_language_is_told_of_or_refused(tmp_path: Path) -> None:
    """A document in another language is written with a warning, or, by the policy, not at all."""
    letters = tmp_path / "letters"
    letters.mkdir()
    german = (
        "Der Zeuge gab an, dass er das Fahrzeug zuletzt am Abend vor der Wohnung gesehen hatte.\n"
    )
    write(letters / "a.txt", german)
    write(letters / "b.txt", TEXT)
    settings = "recognizer: false\nthreshold: 0.2\n"
    policy = write(tmp_path / "p.yaml", settings)
    warned = tacenda("sanitize", str(letters), "-o", str(tmp_path / "out"), "--policy", policy)
    assert warned.returncode == 0
    assert b"% of the text is in German: " in warned.stderr
    assert b"2 written, warnings about 1" in warned.stderr
    policy = write(tmp_path / "p.yaml", settings + "languages: refuse\n")
    refused = tacenda("sanitize", str(letters / "a.txt"), "--policy", policy)
    assert (refused.returncode, refused.stdout) == (1, b"")
    assert b"in German, which the policy refuses" in refused.stderr


def test_faulty_tab_documents_are_named_and_the_others_done(tmp_path: Path) -> None:
    """Duplicate ids and lone surrogates are errors with a place; good documents go on."""
    documents = [
        {"doc_id": "d1", "text": TEXT},
        {"doc_id": "d1", "text": TEXT},
        {"doc_id": "d2", "text": "no"},
    ]
    run = tacenda("sanitize", write(tmp_path / "a.json", json.dumps(documents)), "--to", "masks")
    assert run.returncode == 1
    assert set(json.loads(run.stdout)) == {"d1", "d2"}
    assert b"d1" in run.stderr
    assert b"Yalman" not in run.stderr


def test_wrong_encoding_names_the_byte(tmp_path: Path) -> None:
    """Latin-1 read as UTF-8 is an error with the byte offset and the option to set."""
    path = write(tmp_path / "a.txt", "Café Yalman".encode("latin-1"))
    run = tacenda("sanitize", path)
    assert run.returncode == 1
    assert b"byte offset 3" in run.stderr
    assert b"--encoding" in run.stderr
    assert tacenda("sanitize", path, "--encoding", "latin-1").returncode == 0


def test_what_an_index_leads_from_to_the_person_is_masked(tmp_path: Path) -> None:
    """--background masks what the threshold alone would keep, and --explain says why."""
    page = write(tmp_path / "page.txt", "Anna Berg of Uppsala was given the Orrefors Medal.")
    tacenda("index", "build", page, "-o", str(tmp_path / "k.db"))
    letter = write(tmp_path / "letter.txt", "Anna Berg was given the Orrefors Medal.\n")
    command = ("sanitize", letter, "--target", "Anna Berg", "--threshold", "1")
    assert b"Orrefors Medal" in tacenda(*command).stdout
    audit = tmp_path / "audit.json"
    known = ("--background", str(tmp_path / "k.db"))
    run = tacenda(*command, *known, "--explain-all", "--audit", str(audit))
    record = json.loads(audit.read_text())
    assert record["background"]["name"] == "k.db"
    assert record["documents"][0]["combinations"][0]["changed"]
    assert b"Orrefors" not in run.stdout
    explained = run.stderr.decode()
    assert "it points to the person, and changing it loses least" in explained
    assert "By itself it would be kept: its risk is" in explained
