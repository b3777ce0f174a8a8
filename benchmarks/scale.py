"""Rows a second of data sets by text length, engine and number of workers, and how cost and memory grow with rows.

    python -m benchmarks scale lengths DATA [--share 0.01] [--engines local spark ray]
    python -m benchmarks scale growth DATA [--share 0.01] [--engines local spark ray] [--model NAME]

DATA is the folder with ``tab/dev.json``; its judgments are repeated. A whole run (``--share 1``) is a million rows of 40
words and 100,000 judgments. Rates are rows by the time of the processor that the workers took for them, without their
start, so they hold for a core whatever else the machine does; seconds are those of the clock, from the call to the end.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as pq

from benchmarks.tables import print_header
from tacenda.scale import Spec, sanitize

ROWS = 1_000_000
JUDGMENTS = 100_000
LENGTHS = (10, 40, 160, 640)
GROWTH = (0.1, 1.0)
_GIVEN = "Anna Bela Carla David Emil Farid Grace Hanna Ivan Jonas Karin Lars Mona Nils Olga Petra".split()
_SURNAMES = "Berg Castell Dahl Eriksen Fuchs Grant Holm Ivanov Jensen Keller Lund Meyer Novak Okafor".split()
_TOWNS = "Bergen Ulm Drammen Leeds Porto Graz Lyon Turku Malaga Ghent Split Bath".split()
_PLAIN = (
    "the patient came back after some weeks and said that the medicine had helped but sleep was still poor "
    "we agreed to wait and to see how it goes while the family keeps an eye on it and calls us if need be"
).split()


@dataclass(frozen=True, slots=True)
class Measurement:
    """A run: rows, seconds of the clock, rows a second of a core, bytes of a worker at most."""

    rows: int
    seconds: float
    rate: float
    memory: int

    def cells(self) -> str:
        return f"{self.rows:,} | {self.seconds:.0f} | {self.rate:.1f} | {self.memory / 1e6:.0f}"


def short_texts(words: int, number: int, seed: int = 7) -> Iterator[str]:
    """Yield texts of so many words, with a person, a town, a date and a telephone number in every forty."""
    draw = random.Random(seed)
    for _ in range(number):
        text: list[str] = []
        while len(text) < words:
            name = f"{draw.choice(_GIVEN)} {draw.choice(_SURNAMES)}"
            day = f"{draw.randint(1, 28)} March {draw.randint(1950, 2020)}"
            text += f"Seen: {name} of {draw.choice(_TOWNS)}, born {day}, 07700 {draw.randint(900000, 900999)};".split()
            text += draw.sample(_PLAIN, 29)
        yield " ".join(text[:words])


def judgments(data: Path, number: int) -> Iterator[str]:
    documents = json.loads((data / "tab/dev.json").read_text(encoding="utf-8"))
    texts = [document["text"] for document in documents]
    for index in range(number):
        yield texts[index % len(texts)]


def written(texts: Iterator[str], path: Path) -> None:
    """Write texts as a Parquet file, in row groups, without holding them all."""
    schema = pyarrow.schema([("id", pyarrow.int64()), ("note", pyarrow.string())])
    with pq.ParquetWriter(path, schema) as writer:
        first, batch = 0, []
        for text in texts:
            batch.append(text)
            if len(batch) == 20_000:
                writer.write_table(_table(first, batch))
                first, batch = first + len(batch), []
        if batch:
            writer.write_table(_table(first, batch))


def _table(first: int, texts: list[str]) -> pyarrow.Table:
    return pyarrow.table({"id": range(first, first + len(texts)), "note": texts})


def measure(
    source: Path, engine: Any, workers: int, folder: Path, model: str | None = None
) -> Measurement:
    """Return what a run takes, in parts small enough for each worker to have several."""
    spec = Spec.of("note", keep=["id"], model=model)
    size = sum(group.total_byte_size for group in _groups(source))
    # Of repeated texts a Parquet file has one, so its own size may be too small.
    part_bytes = max(20_000, min(8_000_000, size // (6 * workers)))
    run = sanitize(source, spec, folder, engine=engine, processes=workers, part_bytes=part_bytes)
    if not run.complete:
        raise SystemExit(run.failed[0])
    entries = [json.loads(path.read_text()) for path in (folder / "_tacenda/done").glob("*.json")]
    first: dict[int, str] = {}
    for entry in sorted(entries, key=lambda entry: entry["name"]):
        first.setdefault(entry["worker"], entry["name"])
    warm = [entry for entry in entries if entry["name"] not in first.values()]
    seconds = sum(entry["cpu_seconds"] for entry in warm)
    rate = sum(entry["rows"] for entry in warm) / max(seconds, 1e-9)
    return Measurement(run.rows, run.seconds, rate, run.memory)


def _groups(source: Path) -> Iterator[Any]:
    metadata = pq.read_metadata(source)
    return map(metadata.row_group, range(metadata.num_row_groups))


def lengths(data: Path, share: float, engines: list[str], folder: Path) -> None:
    """Print rows a second by length, on one and two processes, and of the other engines."""
    print_header("| texts | engine | workers | rows | seconds | rows/s of a core | MB a worker |")
    kinds: dict[str, Iterator[str]] = {
        f"{words} words": short_texts(words, max(200, int(ROWS * share * 40 / words / 10)))
        for words in LENGTHS
    }
    kinds["judgments"] = judgments(data, max(60, int(JUDGMENTS * share / 10)))
    for name, texts in kinds.items():
        source = folder / f"{name.replace(' ', '-')}.parquet"
        written(texts, source)
        choices = [("local", 1), *((engine, 2) for engine in engines if name != "10 words")]
        for engine, workers in choices:
            out = folder / f"{source.stem}-{engine}-{workers}"
            print(
                f"| {name} | {engine} | {workers} | {measure(source, engine, workers, out).cells()} |"
            )


def growth(
    data: Path, share: float, engines: list[str], folder: Path, model: str | None = None
) -> None:
    """Print what a tenth and all of a share cost, on two processes."""
    print_header("| texts | engine | rows | seconds | rows/s of a core | MB a worker |")
    for name, size in (("40 words", ROWS), ("judgments", JUDGMENTS)):
        for part in GROWTH:
            number = int(size * share * part)
            source = folder / f"{name.replace(' ', '-')}-{part}.parquet"
            is_short = name != "judgments"
            written(short_texts(40, number) if is_short else judgments(data, number), source)
            for engine in engines:
                out = folder / f"{source.stem}-{engine}"
                cells = measure(source, engine, 2, out, model).cells()
                print(f"| {name} | {engine} | {cells} |", flush=True)


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("measurement", choices=["lengths", "growth"])
    parser.add_argument("data", type=Path)
    parser.add_argument("--share", type=float, default=0.01, help="of a whole run")
    parser.add_argument("--engines", nargs="+", default=["local"], help="local, spark, ray")
    parser.add_argument("--model", help="of growth; the default recognizer if absent")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if arguments.measurement == "lengths":
            lengths(arguments.data, arguments.share, arguments.engines, Path(name))
        else:
            growth(arguments.data, arguments.share, arguments.engines, Path(name), arguments.model)
