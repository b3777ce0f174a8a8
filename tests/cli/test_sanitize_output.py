"""What `tacenda sanitize` writes: never wrong, never half, never lost."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

from tacenda import cli
from tacenda.cli import outputs
from tacenda.cli.places import InputFile
from tacenda.document import Document, Leak
from tacenda.documents.record import SourceDocument
from tacenda.pipeline import Sanitizer
from tacenda.result import Result
from tests.forks import programs

POLICY = """\
recognizer: false
threshold: 0.5
deny: [{exact: Galip Yalman, type: PERSON}, {regex: 'Bo \\w+dahl', type: PERSON}]
"""
TEXT = "Dear Galip Yalman, all is well.\n"


class Ran(NamedTuple):
    """What became of a run."""

    code: int
    out: bytes
    said: str


class Shell:
    """A folder with a policy, and the command run in it, in this process."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        self.folder = folder
        self._capture = capture
        (folder / "policy.yaml").write_text(POLICY)

    def write(self, name: str, content: str | bytes = TEXT) -> Path:
        """Write a file, and its folders."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def read(self, name: str) -> str:
        """Return what is in a file."""
        return (self.folder / name).read_text()

    def names(self, name: str) -> list[str]:
        """Return the files of a folder, hidden ones too."""
        root = self.folder / name
        return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())

    def sanitize(self, *arguments: str) -> Ran:
        """Run `tacenda sanitize`."""
        code = run_command("sanitize", "--policy", "policy.yaml", *arguments)
        out, err = self._capture.readouterr()
        said = " ".join(err.decode().replace("│", " ").split())
        assert "Traceback" not in said
        assert "unforeseen" not in said
        return Ran(code, out, said)


def run_command(*arguments: str) -> int:
    """Run a command as the shell would, and return its exit code."""
    handlers = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    sys.argv = ["tacenda", *arguments]
    try:
        cli.main()
    except SystemExit as end:
        return int(end.code or 0)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return 0


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Iterator[Shell]:
    """Return a shell in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", sys.argv)
    return Shell(tmp_path, capsysbinary)


@pytest.fixture
def leaky(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every result have a leak."""
    pipe = Sanitizer.pipe

    def leaking(self: Sanitizer, documents: Sequence[Document], **o: Any) -> Iterator[Result]:
        for result in pipe(self, documents, **o):
            yield replace(result, leaks=(Leak("e1", 0, 4),))

    monkeypatch.setattr(Sanitizer, "pipe", leaking)


@pytest.mark.parametrize("output", ["out/{}.txt", "out/"])
def test_many_runs_into_one_folder_swap_and_lose_nothing(shell: Shell, output: str) -> None:
    """Each document is there once, under its name or, where that tells, under a neutral one."""
    names = [first + second + "dahl" for first in "BDFH" for second in "aeiou"]
    texts = {f"bo-{x}.txt": f"Bo {x} has the number of {n} apples.\n" for n, x in enumerate(names)}
    for name, text in texts.items():
        shell.write(name, text)
    command = [programs() / "tacenda", "sanitize", "--policy", "policy.yaml"]
    runs = [
        subprocess.Popen([*command, name, "-o", output.format(n)], stderr=subprocess.DEVNULL)
        for n, name in enumerate(texts)
    ]
    assert {run.wait() for run in runs} == {0}
    contents = {path.name: path.read_text() for path in (shell.folder / "out").iterdir()}
    expected = {f"{n}.txt": f"[PERSON 1] has the number of {n} apples.\n" for n in range(20)}
    if output == "out/":
        assert [name for name in contents if not name.startswith("document-1")] == []
        assert sorted(contents.values()) == sorted(expected.values())
    else:
        assert contents == expected


@pytest.mark.parametrize("earlier", [True, False])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", b"\xff\xfe\x00"),
        ("a.docx", b"PK\x03\x04"),
        ("a.pdf", b"%PDF-1.7\n"),
        ("a.jsonl", b"{\n"),
        ("missing.txt", None),
    ],
)
def test_what_can_not_be_read_leaves_the_earlier_output(
    shell: Shell, name: str, content: bytes | None, earlier: bool
) -> None:
    """No empty file that looks like a sanitized one, and no good one lost."""
    if content is not None:
        shell.write(name, content)
    output = "out/o" + Path(name).suffix
    if earlier:
        shell.write(output, "earlier")
    run = shell.sanitize(name, "-o", output)
    assert run.code == 1
    assert name in run.said
    assert shell.names("out") == ([Path(output).name] if earlier else [])
    if earlier:
        assert shell.read(output) == "earlier"
    assert shell.sanitize(name, "-o", "folder/").code == 1
    assert not shell.names("folder")
    assert shell.sanitize(name, "--to", "masks").out == b""


def test_one_bad_record_is_named_and_the_others_are_written(shell: Shell) -> None:
    """A file that lacks a document ends with exit code 1, and the summary says so."""
    shell.write("in/a.jsonl", '{"text": "Galip Yalman"}\n{\n{"text": "all is well"}\n')
    run = shell.sanitize("in", "-o", "out/", "--summary", "run.json")
    assert run.code == 1
    assert "0 written, 1 incomplete" in run.said
    assert len(shell.read("out/a.jsonl").splitlines()) == 2
    (file,) = json.loads(shell.read("run.json"))["files"]
    assert (file["outcome"], file["documents"], len(file["failures"])) == ("incomplete", 2, 1)


@pytest.mark.parametrize(
    ("name", "arguments", "begins"),
    [
        ("a.txt", ["-o", "o.html"], b"<!doctype html"),
        ("a.txt", ["-o", "o.jsonl"], b'{"id": '),
        ("a.txt", ["-o", "o.md"], b"Dear [PERSON 1]"),
        ("a.txt", ["-o", "o.masked"], b"Dear [PERSON 1]"),
        ("a.txt", ["-o", "o.json", "--to", "masks"], b"{"),
        ("a.txt", ["-o", "o.jsonl", "--to", "json"], b'{"schema_version"'),
        ("a.html", ["-o", "o.txt"], b"Dear [PERSON 1]"),
        ("a.html", ["-o", "o.htm"], b"<p>Dear [PERSON 1]"),
        ("a.json", ["-o", "o.json"], b"["),
        ("a.md", ["-o", "o.txt"], b"Dear [PERSON 1]"),
        ("a.TXT", ["-o", "o.text"], b"Dear [PERSON 1]"),
    ],
)
def test_what_is_written_is_what_the_extension_says(
    shell: Shell, name: str, arguments: list[str], begins: bytes
) -> None:
    """Where a writer of that format exists, it writes."""
    content = {"html": "<p>Dear Galip Yalman</p>", "json": '["Dear Galip Yalman"]'}
    shell.write(name, content.get(name.rpartition(".")[2], TEXT))
    run = shell.sanitize(name, *arguments)
    assert run.code == 0, run.said
    assert (shell.folder / arguments[1]).read_bytes().lower().startswith(begins.lower())


def test_a_word_document_becomes_what_the_extension_says(shell: Shell) -> None:
    """-o x.pdf holds a PDF, x.txt a text, x.docx a Word file."""
    pytest.importorskip("lxml.etree")
    pytest.importorskip("reportlab")
    from tests.documents.building_docx import build, paragraph

    shell.write("a.docx", build(paragraph("Dear Galip Yalman")))
    for name, head in (("o.pdf", b"%PDF"), ("o.txt", b"Dear [PERSON 1]"), ("o.docx", b"PK")):
        assert shell.sanitize("a.docx", "-o", name).code == 0
        assert (shell.folder / name).read_bytes().startswith(head)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("a.txt", ["-o", "o.docx"]),
        ("a.txt", ["-o", "o.csv"]),
        ("a.txt", ["-o", "o.json"]),
        ("a.html", ["-o", "o.md"]),
        ("a.txt", ["-o", "o.html", "--to", "same"]),
        ("a.txt", ["-o", "o.docx", "--to", "text"]),
        ("a.txt", ["-o", "o.txt", "--to", "html"]),
        ("a.txt", ["-o", "o.pdf", "--to", "json"]),
    ],
)
def test_what_nothing_can_write_is_refused_before_it_is_read(
    shell: Shell, name: str, arguments: list[str]
) -> None:
    """A file is never another than its name says; the message names the way out."""
    shell.write(name)
    output = shell.write(arguments[1], "earlier")
    run = shell.sanitize(name, *arguments)
    assert run.code == 2
    assert output.suffix in run.said
    assert output.read_text() == "earlier"


def test_a_folder_ends_with_a_summary_that_tells_nobody(shell: Shell) -> None:
    """Written, skipped and failed, counted and named; the JSON names only what tells nothing."""
    shell.write("in/letter.txt")
    shell.write("in/galip-yalman.txt")
    shell.write("in/yalman.gif", "no text")
    shell.write("in/yalman2.txt", b"\xff")
    shell.write("secret.txt", "secret")
    os.mkfifo(shell.folder / "in" / "pipe.txt")
    (shell.folder / "in" / "link.txt").symlink_to("../secret.txt")
    run = shell.sanitize("in", "-o", "out", "--summary", "run.json")
    assert run.code == 1
    assert "2 written, 3 skipped, 1 failed" in run.said
    for name, reason in (
        ("yalman.gif", "its extension is not known"),
        ("pipe.txt", "it is a pipe"),
        ("link.txt", "it is a link out of the folder"),
    ):
        assert f"{name}: skipped: {reason}" in run.said
    assert shell.names("out") == ["document-1.txt", "letter.txt"]
    assert "yalman" not in shell.read("run.json").casefold()
    summary = json.loads(shell.read("run.json"))
    schema = Path(__file__).parents[2] / "schemas" / "run.schema.json"
    jsonschema.validate(summary, json.loads(schema.read_text()))
    assert summary["complete"]
    assert summary["counts"] == {
        "written": 2, "kept": 0, "incomplete": 0, "skipped": 3, "failed": 1,
    }  # fmt: skip
    assert [(each["name"], each["output"]) for each in summary["files"]] == [
        ("document-1.txt", "document-1.txt"),
        ("letter.txt", "letter.txt"),
        ("document-3.txt", None),
        ("document-4.txt", None),
        ("document-5", None),
        ("document-6.txt", None),
    ]
    private = json.loads(shell.read("run.names.json"))["files"]
    assert (private[0]["output"], private[0]["name"]) == ("document-1.txt", "galip-yalman.txt")
    assert [each["number"] for each in private] == [1, 3, 4, 5, 6]
    assert (shell.folder / "run.names.json").stat().st_mode & 0o777 == 0o600


def test_skipping_alone_is_no_fault(shell: Shell) -> None:
    """Exit code 1 means that a document failed or leaked."""
    shell.write("in/a.txt")
    shell.write("in/b.gif")
    assert shell.sanitize("in", "-o", "out").code == 0


def test_a_stopped_run_goes_on_where_it_was(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is finished is not done again; what changed, in or out, is."""
    for n in range(6):
        shell.write(f"in/{n}.txt", f"Galip Yalman wrote {n} letters.\n")
    shell.write("in/galip yalman.txt")
    end_file = outputs.Folder.end_file
    ended: list[str] = []

    def stopped(self: outputs.Folder, written: int, failed: int) -> str:
        if len(ended) == 4:
            raise KeyboardInterrupt
        ended.append(end_file(self, written, failed))
        return ended[-1]

    with monkeypatch.context() as patch:
        patch.setattr(outputs.Folder, "end_file", stopped)
        run = shell.sanitize("in", "-o", "out", "--summary", "run.json")
    assert run.code == 130
    assert "4 written; stopped" in run.said
    assert not json.loads(shell.read("run.json"))["complete"]
    (hidden,) = (name for name in shell.names("out") if name.startswith("."))
    assert "alip" not in shell.read(f"out/{hidden}")
    shell.write("in/1.txt", "Galip Yalman wrote once.\n")
    shell.write("out/2.txt", "damaged")
    read: list[str] = []
    write = outputs.Folder.write

    def counted(self: outputs.Folder, record: SourceDocument, result: Result) -> None:
        read.append(record.origin.name)
        write(self, record, result)

    monkeypatch.setattr(outputs.Folder, "write", counted)
    run = shell.sanitize("in", "-o", "out", "--resume")
    assert run.code == 0, run.said
    assert read == ["1.txt", "2.txt", "4.txt", "5.txt", "galip yalman.txt"]
    assert "5 written, 2 written before" in run.said
    assert shell.names("out") == [*(f"{n}.txt" for n in range(6)), "document-7.txt"]
    assert shell.read("out/1.txt") == "[PERSON 1] wrote once.\n"
    assert shell.read("out/2.txt") == "[PERSON 1] wrote 2 letters.\n"


def test_a_whole_run_is_resumed_without_writing(shell: Shell) -> None:
    """What is there already stays as it is, also under a neutral name, and is counted as such."""
    for name in ("a", "b", "galip yalman"):
        shell.write(f"in/{name}.txt")
    assert "3 written" in shell.sanitize("in", "-o", "out").said
    names = shell.names("out")

    def states() -> list[tuple[int, ...]]:
        files = [(shell.folder / "out" / name).stat() for name in names]
        # Reading them may change when they were last read, and nothing else.
        return [
            (f.st_mode, f.st_ino, f.st_nlink, f.st_size, f.st_mtime_ns, f.st_ctime_ns)
            for f in files
        ]

    before = states()
    run = shell.sanitize("in", "-o", "out", "--resume", "--summary", "run.json")
    assert "0 written, 3 written before" in run.said
    assert shell.names("out") == names
    assert states() == before
    assert json.loads(shell.read("run.json"))["counts"]["kept"] == 3
    shell.write("in/b.txt", "Galip Yalman wrote once.\n")
    assert "1 written, 2 written before" in shell.sanitize("in", "-o", "out", "--resume").said


def test_another_field_policy_begins_anew(shell: Shell) -> None:
    """What was written under the one of before doesn't stay."""
    shell.write("in/a.csv", "id,note\n1,hello\n")
    shell.write("f.yaml", "fields: {id: keep, note: text}\n")
    arguments = ("in", "-o", "out", "--fields", "f.yaml")
    assert "1 written" in shell.sanitize(*arguments).said
    assert "0 written, 1 written before" in shell.sanitize(*arguments, "--resume").said
    shell.write("f.yaml", "fields: {id: drop, note: text}\n")
    assert "1 written" in shell.sanitize(*arguments, "--resume").said
    assert shell.read("out/a.csv") == "note\nhello\n"


@pytest.mark.parametrize("change", [["--operator", "suppress"], ["--target", "Bo Lund"], []])
def test_another_policy_begins_anew(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, change: list[str]
) -> None:
    """Going on under other options, or under a policy file that changed, would mix two of them."""
    shell.write("in/a.txt")
    shell.write("in/b.txt")

    def stop(self: outputs.Folder, written: int, failed: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(outputs.Folder, "finish", stop)
        assert shell.sanitize("in", "-o", "out").code == 130
    if not change:
        (shell.folder / "policy.yaml").write_text(POLICY + "operator: suppress\n")
    read: list[str] = []
    begin_file = outputs.Folder.begin_file

    def counted(self: outputs.Folder, file: InputFile) -> None:
        assert not file.kept
        read.append(str(file.number))
        begin_file(self, file)

    monkeypatch.setattr(outputs.Folder, "begin_file", counted)
    shell.sanitize("in", "-o", "out", "--resume", *change)
    assert read == ["1", "2"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "o.txt", "--resume"], "output folder"),
        (["-o", "out/", "--resume", "--audit", "audit.json"], "--audit"),
        (["-o", "a.txt"], "one of the inputs"),
        (["-o", "out/", "--summary", "a.txt"], "one of the inputs"),
        (["-o", "out/", "--audit", "a.txt"], "one of the inputs"),
        (["-o", "o.txt", "--summary", "o.txt"], "twice"),
    ],
)
def test_places_that_can_not_be_are_faults_of_usage(
    shell: Shell, arguments: list[str], message: str
) -> None:
    """Nothing is read or written then."""
    source = shell.write("a.txt")
    run = shell.sanitize("a.txt", *arguments)
    assert run.code == 2
    assert message in run.said
    assert source.read_text() == TEXT
    assert shell.names(".") == ["a.txt", "policy.yaml"]


def test_no_original_is_overwritten(shell: Shell) -> None:
    """Neither a file that is named, nor one in a folder that is read."""
    shell.write("sub/a.txt")
    shell.write("sub/sub/a.txt")
    for arguments in (["sub/a.txt", "-o", "."], ["sub", "-o", "."], ["sub/a.txt", "-o", "./"]):
        assert shell.sanitize(*arguments).code == 1
        assert shell.read("sub/a.txt") == TEXT
        assert shell.read("sub/sub/a.txt") == TEXT
    assert shell.sanitize("sub", "-o", "sub/a.txt").code == 2


def test_an_output_folder_in_the_input_is_not_read(shell: Shell) -> None:
    """The second run reads what the first one did."""
    shell.write("in/a.txt")
    for _ in range(2):
        run = shell.sanitize("in", "-o", "in/out")
        assert run.code == 0
        assert shell.names("in") == ["a.txt", "out/a.txt"]
    assert "out: skipped: it is the output folder" in run.said


def test_nothing_is_written_through_a_link(shell: Shell) -> None:
    """A link in the place of an output is replaced; a folder that leads out is refused."""
    elsewhere = shell.write("elsewhere/a.txt", "another's")
    shell.write("in/a.txt")
    shell.write("in/sub/b.txt")
    (shell.folder / "out").mkdir()
    (shell.folder / "out" / "a.txt").symlink_to(elsewhere)
    (shell.folder / "out" / "sub").symlink_to(elsewhere.parent)
    run = shell.sanitize("in", "-o", "out")
    assert run.code == 1
    assert "link out of the output folder" in run.said
    assert shell.names("elsewhere") == ["a.txt"]
    assert elsewhere.read_text() == "another's"
    assert shell.read("out/a.txt") == "Dear [PERSON 1], all is well.\n"


@pytest.mark.parametrize("output", ["n" * 300 + ".txt", "a.txt/b.txt", "a.txt/b/", "/dev/full"])
def test_a_place_that_can_not_be_written_is_one_line(shell: Shell, output: str) -> None:
    """No traceback, and nothing left behind."""
    shell.write("a.txt")
    run = shell.sanitize("a.txt", "-o", output)
    assert run.code in (1, 2)
    assert "can't be written" in run.said
    assert shell.names(".") == ["a.txt", "policy.yaml"]


def test_one_file_that_can_not_be_written_does_not_stop_the_others(shell: Shell) -> None:
    """A name that is too long with its new extension, and a file in the place of a folder."""
    shell.write("in/" + "n" * 251 + ".txt")
    shell.write("in/a.txt")
    shell.write("in/sub/b.txt")
    shell.write("out/sub", "a file")
    run = shell.sanitize("in", "-o", "out", "--to", "html")
    assert run.code == 1
    assert "1 written, 2 failed" in run.said
    assert shell.names("out") == ["a.html", "sub"]


@pytest.mark.parametrize("source", ["n" * 300 + ".txt", "a.txt/b.txt"])
def test_an_input_that_can_not_be_is_one_line(shell: Shell, source: str) -> None:
    """A name that is too long, and a parent that is a file."""
    shell.write("a.txt")
    for output in ("o.txt", "out/", "-"):
        assert shell.sanitize(source, "-o", output).code == 1


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS])
@pytest.mark.parametrize("output", ["out/o.txt", "out/"])
@pytest.mark.parametrize("call", ["open", "fsync"])
def test_a_disk_that_refuses_leaves_the_earlier_output(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, output: str, code: int, call: str
) -> None:
    """A full disk, a folder without permission and one to read only: one line, exit code 1."""
    shell.write("a.txt")
    shell.write("out/a.txt", "earlier")
    shell.write("out/o.txt", "earlier")
    original = os.open

    def refuse(path: Any, flags: int = os.O_CREAT, mode: int = 0o777, **options: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(code, os.strerror(code))
        return original(path, flags, mode, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        run = shell.sanitize("a.txt", "-o", output)
    assert run.code == 1
    assert os.strerror(code) in run.said
    assert shell.names("out") == ["a.txt", "o.txt"]
    assert shell.read("out/a.txt") == shell.read("out/o.txt") == "earlier"


@pytest.mark.parametrize("output", ["out/a.txt", "out/", "-"])
def test_a_leaking_document_is_written_only_where_that_is_allowed(
    shell: Shell, leaky: None, output: str
) -> None:
    """It never reaches its name, nor stdout; with --allow-leaks it does, and the exit code stays 1."""
    shell.write("a.txt")
    shell.write("out/a.txt", "earlier")
    run = shell.sanitize("a.txt", "-o", output)
    assert (run.code, run.out) == (1, b"")
    assert shell.names("out") == ["a.txt"]
    assert shell.read("out/a.txt") == "earlier"
    run = shell.sanitize("a.txt", "-o", output, "--allow-leaks", "--summary", "run.json")
    assert run.code == 1
    assert "still in the output" in run.said
    written = run.out.decode() if output == "-" else shell.read("out/a.txt")
    assert written == "Dear [PERSON 1], all is well.\n"
    (file,) = json.loads(shell.read("run.json"))["files"]
    assert (file["outcome"], file["leaking"]) == ("written", 1)


@pytest.mark.parametrize("output", ["out/a.txt", "out/"])
def test_what_a_person_says_is_no_leak_does_not_block(
    shell: Shell, leaky: None, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    """The reason is in the record, without what was masked; any other place, or document, blocks."""
    monkeypatch.setattr("tacenda.documents.writing.survivors", lambda *_: ("attribute 1",))
    shell.write("a.txt")
    told = ("--accept-leak", "a.txt: attribute 1=a word of the format")
    reason = ("--accept-leak", "0:4=Dear is not Galip Yalman")
    for places in (
        reason,
        told,
        (*told, "--accept-leak", "b.txt: 0:4=no"),
        ("--accept-leak", "0:4"),
    ):
        assert shell.sanitize("a.txt", "-o", output, *places).code
    run = shell.sanitize("a.txt", "-o", output, *reason, *told, "--audit", "audit.json")
    assert (run.code, shell.read("out/a.txt")) == (0, "Dear [PERSON 1], all is well.\n")
    (item,) = json.loads(shell.read("audit.json"))["documents"]
    assert item["accepted_leaks"] == [
        {"place": "0:4", "reason": "Dear is not ***"},
        {"place": "attribute 1", "reason": "a word of the format"},
    ]


@pytest.mark.parametrize("output", ["out/a.txt", "out/", "-"])
def test_what_only_the_reader_of_the_output_finds_counts_where_it_is_allowed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    """The run says where it is, and does not end well, with a mapping and an audit as without."""
    monkeypatch.setattr("tacenda.documents.writing.survivors", lambda *_: ("attribute 1",))
    shell.write("a.txt")
    assert shell.sanitize("a.txt", "-o", output).code == 1
    beside = () if output == "-" else ("--mapping", "secret/mapping", "--audit", "audit.json")
    run = shell.sanitize("a.txt", "-o", output, "--allow-leaks", "--summary", "run.json", *beside)
    assert run.code == 1
    assert "masked strings are still in the output: attribute 1" in run.said
    (file,) = json.loads(shell.read("run.json"))["files"]
    assert (file["outcome"], file["leaking"]) == ("written", 1)


def test_a_mapping_is_not_left_where_nothing_was_written(shell: Shell, leaky: None) -> None:
    """It would stand in the way of the next run, and an audit in the place of a good one."""
    shell.write("a.txt")
    shell.write("audit.json", "earlier")
    beside = ("--mapping", "secret/mapping", "--audit", "audit.json")
    assert shell.sanitize("a.txt", "-o", "out/", *beside).code == 1
    assert not shell.names("secret")
    assert shell.read("audit.json") == "earlier"
