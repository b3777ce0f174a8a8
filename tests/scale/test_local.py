"""Processes of this machine: what is written, what is lost, and what a worker costs."""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tacenda.errors import InputError, PolicyError
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.scale import Spec, quarantine, sanitize
from tests.waiting import is_running, until

from .building import (
    COLUMNS,
    KEY,
    KEY_ENV,
    POLICY,
    ROWS,
    SECRETS,
    all_bytes,
    entries_of,
    make_empty_tables,
    note,
    parts_of,
)
from .conftest import PART_BYTES


def test_what_is_written_is_what_one_sanitizer_writes(
    data: Path, expected: dict[str, bytes], tmp_path: Path
) -> None:
    """Rows of Parquet are those of `Sanitizer.sanitize`, lines are those of the command line, in their order."""
    sanitizer = load(POLICY)
    for name, content in expected.items():
        (tmp_path / name).write_bytes(content)
    table = pq.ParquetDataset(sorted(tmp_path.glob("part-00000-*"))).read()
    assert table["id"].to_pylist() == list(range(ROWS))
    notes = [note(number) for number in range(ROWS)]
    assert table["note"].to_pylist() == [
        None if text is None else sanitizer.sanitize(text).text for text in notes
    ]
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY.model_dump_json(exclude_defaults=True))
    fields = tmp_path / "fields.yaml"
    fields.write_text("fields: {note: text, id: keep, who: identifier}")
    for number, file in enumerate(("b.csv", "c.jsonl"), 1):
        arguments = ["sanitize", str(data / file), "--policy", str(policy), "--fields", str(fields)]
        single = _command(*arguments, "-o", str(tmp_path / file))
        assert single.returncode == 0, single.stderr
        parts = [expected[name] for name in expected if name.startswith(f"part-{number:05}")]
        assert len(parts) > 1
        header = b"id,note,who\r\n" if file == "b.csv" else b""
        assert all(part.startswith(header) for part in parts)
        joined = header + b"".join(part.removeprefix(header) for part in parts)
        assert joined == (tmp_path / file).read_bytes()


def test_a_table_without_rows_comes_out_without_rows(spec: Spec, tmp_path: Path) -> None:
    """With its columns, as without an engine; it is done once."""
    data = make_empty_tables(tmp_path / "data")
    run = sanitize(data, spec, tmp_path / "out", processes=1)
    assert (run.parts, run.rows, run.quarantined, run.failed) == (7, 0, 0, ())
    policy, alone = tmp_path / "policy.yaml", tmp_path / "alone"
    policy.write_text(POLICY.model_dump_json(exclude_defaults=True))
    arguments = [*map(str, sorted(data.iterdir())), "--column", "note", "--field", "note"]
    arguments += ["--keep-columns", "id", "--pseudonym-columns", "who", "--policy", str(policy)]
    single = _command("sanitize", *arguments, "-o", f"{alone}/")
    assert single.returncode == 0, single.stderr
    parts = parts_of(tmp_path / "out")
    for number, path in enumerate(sorted(data.iterdir())):
        content = parts[f"part-{number:05}-00000{path.suffix}"]
        ((other),) = alone.rglob(path.name)
        if path.suffix == ".parquet":
            tables = [pq.read_table(file) for file in (io.BytesIO(content), other)]
            assert tables[0].schema.equals(tables[1].schema, check_metadata=True)
            assert tables[0].num_rows == tables[1].num_rows == 0
        else:
            assert content == other.read_bytes()
    again = sanitize(data, spec, tmp_path / "out", processes=1)
    assert (again.new, parts_of(tmp_path / "out")) == (0, parts)


def test_lines_without_rows_are_in_a_part_of_their_own(spec: Spec, tmp_path: Path) -> None:
    """Blank ones at the end of a file: the parts one after another are still the file."""
    path = tmp_path / "a.csv"
    path.write_bytes(b"id,note,who\n1,ok,\n" + b"\n" * 9)
    run = sanitize(path, spec, tmp_path / "out", processes=1, part_bytes=4)
    assert run.parts > 1
    parts = parts_of(tmp_path / "out").values()
    header = b"id,note,who\n"
    assert header + b"".join(part.removeprefix(header) for part in parts) == path.read_bytes()


def test_the_number_of_processes_decides_nothing(
    data: Path, spec: Spec, expected: dict[str, bytes], tmp_path: Path
) -> None:
    """Two processes write the same bytes, and nothing of the text or the key is in any file."""
    run = sanitize(data, spec, tmp_path / "out", processes=2, part_bytes=PART_BYTES)
    assert parts_of(tmp_path / "out") == expected
    assert (run.rows, run.quarantined, run.failed) == (ROWS + 120, 0, ())
    content = all_bytes(tmp_path / "out")
    assert [secret for secret in SECRETS if secret.encode() in content] == []


def test_places_may_be_urls(
    data: Path, spec: Spec, expected: dict[str, bytes], tmp_path: Path
) -> None:
    """A folder by its URL is that folder."""
    out = tmp_path / "out"
    run = sanitize(data.as_uri(), spec, out.as_uri(), processes=1, part_bytes=PART_BYTES)
    assert run.complete
    assert parts_of(out) == expected
    with pytest.raises(InputError, match="no file system of Arrow"):
        sanitize("nowhere://lake/visits", spec, out)


def test_a_killed_worker_loses_nothing(
    data: Path, spec: Spec, expected: dict[str, bytes], tmp_path: Path
) -> None:
    """Its part is done by another one; the run ends as if nothing had happened."""
    killed: list[int] = []

    def kill() -> None:
        if not killed:
            killed.append(entries_of(tmp_path / "out")[0]["worker"])
            os.kill(killed[0], signal.SIGKILL)

    run = sanitize(data, spec, tmp_path / "out", processes=2, part_bytes=PART_BYTES, progress=kill)
    assert run.complete
    assert parts_of(tmp_path / "out") == expected
    assert {entry["worker"] for entry in entries_of(tmp_path / "out")} > {*killed}


def test_a_part_that_kills_its_workers_is_said(
    data: Path, spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some tries it failed, the others are done, and a second run tries it again."""
    monkeypatch.setattr("tacenda.scale.local._PartWorker.done", lambda *_: None)
    run = sanitize(data, spec, tmp_path / "out", processes=1, part_bytes=10**9)
    assert not run.complete
    assert "a.parquet" in run.failed[0]
    assert "workers died" in run.failed[0]
    monkeypatch.undo()
    assert sanitize(data, spec, tmp_path / "out", processes=1, part_bytes=10**9).complete


def _command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tacenda", *arguments], capture_output=True, text=True, timeout=300
    )


_HALTED = """
import pickle, sys, time
from itertools import count
from tacenda.scale import sanitize

numbers = count(1)

def halt():
    if next(numbers) == 3:
        print("three", flush=True)
        time.sleep(600)

spec = pickle.loads(bytes.fromhex(sys.argv[1]))
sanitize(sys.argv[2], spec, sys.argv[3], processes=1, part_bytes=300, progress=halt)
"""
"""A run of many parts that stands still after three of them."""


def test_a_killed_run_goes_on(data: Path, spec: Spec, tmp_path: Path) -> None:
    """Its workers end with it; a second run does the rest, and the folder is as if there had been one."""
    arguments = [sys.executable, "-c", _HALTED, pickle.dumps(spec).hex(), str(data / "c.jsonl")]
    with subprocess.Popen([*arguments, str(tmp_path / "out")], stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"three\n"
        first.kill()
    done = entries_of(tmp_path / "out")
    assert len(done) >= 3
    until(lambda: not is_running(done[0]["worker"]))
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("part-*")}
    second = sanitize(data / "c.jsonl", spec, tmp_path / "out", processes=1, part_bytes=300)
    assert second.complete
    assert 0 < second.new <= second.parts - len(done)
    kept = [entry["name"] + entry["extension"] for entry in done]
    assert all(
        (tmp_path / "out" / name).stat().st_mtime_ns == times[tmp_path / "out" / name]
        for name in kept
    )
    whole = sanitize(data / "c.jsonl", spec, tmp_path / "whole", processes=1, part_bytes=300)
    assert parts_of(tmp_path / "out") == parts_of(tmp_path / "whole")
    assert whole.rows == second.rows


def test_what_was_changed_is_done_again(data: Path, spec: Spec, tmp_path: Path) -> None:
    """A part whose file is gone or damaged isn't done; a folder of another run isn't touched."""
    folder = tmp_path / "out"
    sanitize(data / "c.jsonl", spec, folder, processes=1, part_bytes=PART_BYTES)
    parts = parts_of(folder)
    (folder / "part-00000-00000.jsonl").write_text("{}\n")
    run = sanitize(data / "c.jsonl", spec, folder, processes=1, part_bytes=PART_BYTES)
    assert (run.new, parts_of(folder)) == (1, parts)
    other = Spec.of("note", POLICY, keep=["id"], drop=["who"])
    with pytest.raises(InputError, match="another policy or other options"):
        sanitize(data / "c.jsonl", other, folder)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="is not empty"):
        sanitize(data / "c.jsonl", spec, tmp_path / "full")


def test_the_key_is_named_and_never_sent(
    data: Path, spec: Spec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The spec is small, has no key and shows no policy; a worker with another key does nothing."""
    assert len(pickle.dumps(spec)) < 2_000
    assert KEY.encode() not in pickle.dumps(spec)
    assert not any(secret in repr(spec) for secret in SECRETS)
    monkeypatch.setenv(KEY_ENV, KEY[::-1])
    run = sanitize(data / "c.jsonl", spec, tmp_path / "out", processes=1)
    assert run.rows == 0
    assert "different key" in run.failed[0]
    monkeypatch.delenv(KEY_ENV)
    with pytest.raises(PolicyError, match=KEY_ENV):
        Spec.of("note", POLICY, **COLUMNS)


def test_a_worker_is_one_thread_in_bounded_memory(data: Path, tmp_path: Path) -> None:
    """With the recognizer it takes less than 600 MB, and no more time of processors than one has."""
    spec = Spec.of("note", Policy(), keep=["id"], drop=["who"])
    run = sanitize(data / "a.parquet", spec, tmp_path / "out", processes=1, part_bytes=PART_BYTES)
    assert run.complete
    assert 100e6 < run.memory < 600e6
    entries = entries_of(tmp_path / "out")[1:]  # The first one loads.
    seconds = sum(entry["seconds"] for entry in entries)
    assert sum(entry["cpu_seconds"] for entry in entries) < 1.1 * seconds + 0.1


def test_the_command(data: Path, tmp_path: Path) -> None:
    """It says what became of the rows without a word of them; what has no meaning here is refused."""
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY.model_dump_json(exclude_defaults=True))
    arguments = ["sanitize", str(data), "--policy", str(policy), "--column", "note"]
    arguments += ["--keep-columns", "id", "--pseudonym-columns", "who", "--engine", "local"]
    run = _command(*arguments, "-o", str(tmp_path / "out"), "--threads", "1")
    assert run.returncode == 0
    assert f"{ROWS + 120} rows in 5 parts (0 done before), 0 in quarantine" in run.stderr
    refused = _command(*arguments, "-o", str(tmp_path / "new"), "--explain")
    assert (refused.returncode, "--explain is for runs without an engine" in refused.stderr) == (
        2,
        True,
    )
    assert list(quarantine(tmp_path / "out")) == []


def test_a_column_has_one_treatment() -> None:
    """None, two and an unknown detail are refused before any work."""
    with pytest.raises(InputError, match="no text field"):
        Spec.of([], POLICY)
    with pytest.raises(InputError, match="field 'note' is text, and has another treatment"):
        Spec.of("note", POLICY, keep=["note"])
    with pytest.raises(InputError, match="unknown detail"):
        Spec.of("note", POLICY, details=["colour"])  # type: ignore[list-item]
