"""Data sets of a few hundred rows, and what must become of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as pq

from tacenda.policy import Policy

KEY = "8c0d7a5b9e3f41262f8b1c6d0e9a7435"
KEY_ENV = "TACENDA_TEST_KEY"
POLICY = Policy(
    recognizer=False,
    threshold=0.2,
    operator="pseudonym",
    key_env=KEY_ENV,
    deny=[{"exact": "Galip Yalman", "type": "PERSON"}],
)
"""Without the recognizer, so that a worker starts in a second."""
COLUMNS: dict[str, Any] = {"keep": ["id"], "pseudonym": ["who"]}
SECRETS = ("example.org", "07700", "Galip", "Yalman", KEY)
ROWS = 180


def note(number: int) -> str | None:
    """Return the text of a row; each value is in several rows."""
    if number % 50 == 17:
        return None
    return f"Mail clerk{number % 7}@example.org or 07700 900{number % 10}31 for Galip Yalman, item {number}."


def make_data(folder: Path) -> Path:
    """Write a Parquet file, a CSV file and a file of JSON lines, and return their folder."""
    folder.mkdir()
    numbers = range(ROWS)
    table = {
        "id": list(numbers),
        "note": [note(number) for number in numbers],
        "who": [f"u{number % 5}" for number in numbers],
    }
    pq.write_table(pyarrow.table(table), folder / "a.parquet", row_group_size=80)
    with (folder / "b.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "note", "who"])
        for number in range(60):
            writer.writerow([number, f'{note(number) or ""}\n"quoted", ', "u1"])
    lines = [json.dumps({"id": n, "note": note(n), "who": "u1"}) for n in range(60)]
    (folder / "c.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder


def make_empty_tables(folder: Path) -> Path:
    """Write a table without rows in each format, and return their folder."""
    folder.mkdir()
    types = [("id", pyarrow.int32()), ("note", pyarrow.large_string()), ("who", pyarrow.string())]
    table = pyarrow.schema(types).empty_table()
    pq.write_table(table, folder / "a.parquet")
    with pyarrow.ipc.new_file(folder / "b.arrow", table.schema) as sink:
        sink.write_table(table)
    (folder / "c.csv").write_bytes(b"id,note,who\r\n")
    (folder / "d.csv").write_bytes(b"id,note,who\n\n\n")
    (folder / "e.tsv").write_bytes(b"\xef\xbb\xbfid\tnote\twho")
    (folder / "f.jsonl").write_bytes(b"")
    (folder / "g.jsonl").write_bytes(b"\n\n")
    return folder


def parts_of(folder: Path) -> dict[str, bytes]:
    """Return the bytes of each part that was written."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*"))}


def entries_of(folder: Path) -> list[dict[str, Any]]:
    """Return the record of the parts that are done."""
    paths = sorted((folder / "_tacenda" / "done").glob("*.json"))
    return [json.loads(path.read_text()) for path in paths]


def all_bytes(folder: Path) -> bytes:
    """Return all that was written, to search it for what must not be there."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
