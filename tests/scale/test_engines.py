"""Spark and Ray, each with two workers on this machine: the guarantees of one process."""

from __future__ import annotations

import json
import logging
import os
import pickle
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pyarrow
import pytest

from tacenda.errors import InputError
from tacenda.pipeline import load
from tacenda.scale import Spec, sanitize

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

pytestmark = pytest.mark.filterwarnings("ignore")  # of pandas 3 and of sockets, by the engines
NOTES = [note(number) for number in range(40)]
TABLE = {"id": list(range(40)), "note": NOTES, "who": ["u1"] * 40, "day": ["Monday"] * 40}


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """Return a session of Spark with two workers, which tries a task three times."""
    sql = pytest.importorskip("pyspark.sql", reason="needs the group scale")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("needs Java, which is not on the PATH")
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = sql.SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false")
        session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture(scope="module")
def ray(key: None) -> Iterator[Any]:
    """Return Ray with two processors."""
    pytest.importorskip("ray.data", reason="needs the group scale")
    from tacenda.scale.ray import ray

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray.init(
            num_cpus=2, log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR
        )
        yield ray
        ray.shutdown()


@pytest.fixture(params=["spark", "ray"])
def engine(request: pytest.FixtureRequest) -> str:
    """Return the name of an engine that runs."""
    request.getfixturevalue(request.param)
    return str(request.param)


def test_an_engine_writes_the_same_bytes(
    engine: Any, data: Path, spec: Spec, expected: dict[str, bytes], tmp_path: Path
) -> None:
    """It loses nothing when a worker is killed; a second run goes on; no file has a word of a text, or the key."""
    folder, killed, ended = tmp_path / "out", list[int](), Event()

    def watch() -> None:
        while not killed and not ended.wait(0.02):
            for entry in entries_of(folder)[:1]:
                os.kill(entry["worker"], signal.SIGKILL)
                killed.append(entry["worker"])

    thread = Thread(target=watch)
    thread.start()
    try:
        run = sanitize(data, spec, folder, engine=engine, processes=2, part_bytes=PART_BYTES)
    finally:
        ended.set()
        thread.join()
    assert run.failed == ()
    assert run.rows == ROWS + 120
    assert parts_of(folder) == expected
    assert killed
    assert len({entry["worker"] for entry in entries_of(folder)}) > 1
    content = all_bytes(folder)
    assert [secret for secret in SECRETS if secret.encode() in content] == []
    last = sorted(folder.glob("part-*"))[-1]
    last.unlink()
    again = sanitize(data, spec, folder, engine=engine, processes=2, part_bytes=PART_BYTES)
    assert (again.new, parts_of(folder)) == (1, expected)


def test_an_engine_writes_tables_without_rows(engine: Any, spec: Spec, tmp_path: Path) -> None:
    """The same as processes of this machine."""
    data = make_empty_tables(tmp_path / "data")
    sanitize(data, spec, tmp_path / "local", processes=1)
    run = sanitize(data, spec, tmp_path / "out", engine=engine, processes=2)
    assert (run.parts, run.failed) == (7, ())
    assert parts_of(tmp_path / "out") == parts_of(tmp_path / "local")


def _check(rows: list[dict[str, Any]]) -> None:
    """Compare the rows of a data frame with those of one sanitizer; one is too long."""
    sanitizer = load(POLICY)
    assert [row["id"] for row in rows] == list(range(40))
    for row, text in zip(rows[1:], NOTES[1:], strict=True):
        assert row["tacenda_error"] is None
        assert row["note"] == (None if text is None else sanitizer.sanitize(text).text)
        assert row["tacenda_masked"] == (0 if text is None else 3)
    assert "day" not in rows[0]
    assert rows[0]["note"] is None
    error = "field 'note' has more than 200 characters; split it, or drop the field."
    assert rows[0]["tacenda_error"] == error
    assert {row["who"] for row in rows} == {rows[1]["who"]}
    assert rows[1]["who"].startswith("[ID ")


@pytest.fixture(scope="module")
def row_spec(key: None) -> Spec:
    """Return a spec for data frames."""
    return Spec.of("note", POLICY, **COLUMNS, drop=["day"], details=["masked"], longest_cell=200)


def _table() -> dict[str, list[Any]]:
    return TABLE | {"note": [f"{NOTES[0]} {'and so on ' * 20}", *NOTES[1:]]}


def test_a_frame_of_spark(spark: Any, row_spec: Spec, capfd: pytest.CaptureFixture[str]) -> None:
    """The same pseudonym in every partition; a bad row has a reason; its plan has neither text, key nor policy."""
    frame = spark.createDataFrame(pyarrow.table(_table())).repartition(4)
    clean = sanitize(frame, row_spec)
    clean.explain(True)
    _check(sorted((row.asDict() for row in clean.collect()), key=lambda row: row["id"] or 0))
    plan = capfd.readouterr()
    assert "MapInArrow" in plan.out
    assert [secret for secret in (*SECRETS, "clerk") if secret in plan.out + plan.err] == []
    with pytest.raises(InputError, match="who"):
        sanitize(frame, Spec.of("note", POLICY, keep=["id", "day"]))


_CONNECT = """
import json, sys
from pyspark.sql import SparkSession
from tacenda.scale import sanitize
import pickle
session = SparkSession.builder.remote("local[2]").getOrCreate()
spec = pickle.loads(bytes.fromhex(sys.argv[1]))
rows = [(number, text, "u1", "Monday") for number, text in enumerate(json.loads(sys.argv[2]))]
frame = session.createDataFrame(rows, "id long, note string, who string, day string")
print(json.dumps([row.asDict() for row in sanitize(frame.repartition(4), spec).collect()]))
"""


def test_spark_connect(row_spec: Spec) -> None:
    """The same by a client that has no JVM."""
    pytest.importorskip("pyspark", reason="needs the group scale")
    pytest.importorskip("grpc_status", reason="needs the group scale")
    if shutil.which("java") is None:
        pytest.skip("needs Java, which is not on the PATH")
    arguments = [pickle.dumps(row_spec).hex(), json.dumps(_table()["note"])]
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _CONNECT, *arguments],
        capture_output=True,
        text=True,
        timeout=180,
        env=os.environ | {"PYSPARK_PYTHON": sys.executable},
    )
    assert run.returncode == 0, run.stderr[-2_000:]
    _check(sorted(json.loads(run.stdout.splitlines()[-1]), key=lambda row: row["id"]))


def test_a_worker_of_spark_that_cannot_work(
    spark: Any, row_spec: Spec, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What it raises names the fault, and nothing of the text."""
    monkeypatch.setenv(KEY_ENV, KEY[::-1])
    other = Spec.of("note", POLICY, **COLUMNS, drop=["day"])
    monkeypatch.setenv(KEY_ENV, KEY)
    with pytest.raises(Exception, match="this worker has a different key") as fault:
        sanitize(spark.createDataFrame(pyarrow.table(TABLE)), other).collect()
    captured = capfd.readouterr()
    shown = str(fault.value) + captured.out + captured.err
    assert [secret for secret in SECRETS if secret in shown] == []


def test_a_dataset_of_ray(ray: Any, row_spec: Spec) -> None:
    """The same of Ray Data, on two actors."""
    dataset = ray.data.from_arrow(pyarrow.table(_table())).repartition(4)
    rows = sanitize(dataset, row_spec, processes=2).take_all()
    _check(sorted(rows, key=lambda row: row["id"] or 0))
    with pytest.raises(InputError, match="who"):
        sanitize(dataset, Spec.of("note", POLICY, keep=["id", "day"]))
    with pytest.raises(InputError, match="sanitizing a data frame returns another one"):
        sanitize(dataset, row_spec, "folder")
