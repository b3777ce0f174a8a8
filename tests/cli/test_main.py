"""The command `tacenda`: what becomes of signals, of a full disk and of errors nobody foresaw."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time
from array import array
from pathlib import Path

import pytest

from tests.cli.test_sanitize import TEXT, write

POLICY = "recognizer: false\nthreshold: 0.5\ndeny: [{exact: Galip Yalman, type: PERSON}]\n"


EXTRAS = (
    "cryptography faker fastapi httpx lxml matplotlib ortools pandas pdfminer pypdf reportlab spacy "
    "starlette tokenizers torch transformers uvicorn"
)


def one_line(stderr: bytes) -> str:
    """Return the only line that was said."""
    (line,) = stderr.decode().splitlines()
    assert "Traceback" not in line
    return line


def test_text_needs_no_extra(tmp_path: Path) -> None:
    """Without any optional dependency every format of text is read, checked and written."""
    files = [
        write(tmp_path / f"a.{format}", content)
        for format, content in {
            "txt": TEXT,
            "md": TEXT,
            "html": f"<p>{TEXT}</p>",
            "jsonl": json.dumps({"text": TEXT}) + "\n",
            "csv": f'text\n"{TEXT}"\n',
        }.items()
    ]
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({EXTRAS!r}.split()))\n"
        "from tacenda.cli import main; sys.argv[0] = 'tacenda'; main()"
    )
    out = tmp_path / "out"
    command = [sys.executable, "-c", code, "sanitize", *files, "-o", str(out)]
    run = subprocess.run(command, capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"tacenda: 5 written\n")
    assert len(list(out.iterdir())) == len(files)


def test_an_error_that_nobody_foresaw_shows_nothing_of_a_document(tmp_path: Path) -> None:
    """It is named by type and place; the message, which may quote the text, only on demand."""
    code = (
        "import sys; from tacenda.cli import main\n"
        "from tacenda.documents import text\n"
        "def read(stream, origin): raise KeyError(stream.read().decode())\n"
        "text.read_text_file = read; sys.argv = ['tacenda', 'sanitize', sys.argv[1]]; main()"
    )
    command = [sys.executable, "-c", code, write(tmp_path / "a.txt", TEXT)]
    run = subprocess.run(command, capture_output=True, check=False)
    assert run.returncode == 1
    line = one_line(run.stderr)
    assert "KeyError in tacenda.documents.formats:" in line
    assert "Yalman" not in line
    environment = {**os.environ, "TACENDA_DEBUG": "1"}
    run = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert b"Traceback" in run.stderr


def test_a_full_stdout_is_one_line(tmp_path: Path) -> None:
    """`tacenda … > /dev/full` says that there is no room, once."""
    policy = write(tmp_path / "policy.yaml", POLICY)
    command = [sys.executable, "-m", "tacenda", "sanitize", write(tmp_path / "a.txt", TEXT)]
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run(
            [*command, "--policy", policy], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert run.returncode == 1
    assert "No space left" in one_line(run.stderr)


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    """What `head` does not want any more is not written, and nothing is said."""
    policy = write(tmp_path / "policy.yaml", POLICY)
    read, to = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "tacenda", "sanitize", write(tmp_path / "a.txt", TEXT * 999)]
    run = subprocess.run(
        [*command, "--policy", policy], stdout=to, stderr=subprocess.PIPE, check=False
    )
    os.close(to)
    assert (run.returncode, run.stderr) == (0, b"")


def _waits_for_more(process: int, pipe: int) -> bool:
    """Whether a process has read all that is in a pipe, and sleeps."""
    size = array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, size)
    return (
        not size[0]
        and Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "S"
    )


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_nothing_unfinished(tmp_path: Path, signum: signal.Signals) -> None:
    """A stopped run ends with 128 and the signal's number; the earlier output is as it was."""
    policy = write(tmp_path / "policy.yaml", POLICY)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    out = tmp_path / "out"
    out.mkdir()
    write(out / "o.txt", "earlier")
    command = ("sanitize", str(pipe), "--policy", policy, "-o", str(out / "o.txt"))
    process = subprocess.Popen(
        [sys.executable, "-m", "tacenda", *command],
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signum, signal.SIG_DFL),  # ignored under nohup
    )
    with pipe.open("wb") as feeder:
        feeder.write(b"Dear")
        feeder.flush()
        while not _waits_for_more(process.pid, feeder.fileno()):
            time.sleep(0.01)
        process.send_signal(signum)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + signum
    assert signum.name in one_line(stderr)
    assert [path.name for path in out.iterdir()] == ["o.txt"]
    assert (out / "o.txt").read_text() == "earlier"
