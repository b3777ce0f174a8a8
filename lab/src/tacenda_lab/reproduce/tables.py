"""A remade table next to the published one, and a run that makes all tables of a paper.

A run writes each table as soon as it is done; a second run with the same inputs reuses what is
there.
"""

from __future__ import annotations

import hashlib
import json
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tacenda.atomic import write_atomically
from tacenda.errors import InputError, MissingExtraError, ModelError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .workbench import Workbench

Cell = float | int | str | None
Rows = Mapping[str, Sequence[Cell]]


@cache
def _published() -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads(Path(__file__).with_name("published.toml").read_text("utf-8"))


def published_rows(paper: str, table: str) -> dict[str, Any]:
    """Return the rows of a published table by name, each a tuple of cells or one value."""
    rows = _published()[paper][table]
    return {name: tuple(row) if isinstance(row, list) else row for name, row in rows.items()}


class NotHere(Exception):
    """Something a table needs is missing; the message says what would provide it."""


class LeftOut(Exception):
    """Part of a paper that no file or model can reproduce; the message says why."""


@dataclass(frozen=True, slots=True)
class ReproducedTable:
    """Our figures next to the paper's.

    Attributes:
        columns: names of the figures.
        ours: rows by name, one cell per column; None where a value is undefined or missing.
        paper: the rows as published.
        notes: sentences about what differs from the paper.
        figure: a picture of our figures.
    """

    columns: tuple[str, ...]
    ours: Rows
    paper: Rows = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    figure: Figure | None = field(default=None, compare=False, repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return the figures as JSON, in a stable form."""
        return {
            "columns": list(self.columns),
            "ours": {name: list(row) for name, row in self.ours.items()},
            "paper": {name: list(row) for name, row in self.paper.items()},
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> ReproducedTable:
        """Return the table from such JSON, without its picture."""
        return cls(
            tuple(content["columns"]),
            {name: tuple(row) for name, row in content["ours"].items()},
            {name: tuple(row) for name, row in content["paper"].items()},
            tuple(content["notes"]),
        )

    def markdown(self) -> str:
        """Return a Markdown table, with each of the paper's rows in italics below ours."""
        lines = [f"| | {' | '.join(self.columns)} |", "|---" * (len(self.columns) + 1) + "|"]
        for name, row in self.ours.items():
            lines.append(_line(name, row))
            if name in self.paper:
                lines.append(_line("*paper*", self.paper[name]))
        lines += [
            _line(f"*paper:* {n}", row) for n, row in self.paper.items() if n not in self.ours
        ]
        return "\n".join([*lines, *(f"\n{note}" for note in self.notes)])


def _line(name: str, row: Sequence[Cell]) -> str:
    return f"| {name} | {' | '.join(map(_cell, row))} |"


def _cell(value: Cell) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    return (
        f"{value:.3f}"
        if isinstance(value, float)
        else f"{value:,}"
        if isinstance(value, int)
        else " ".join(value.split()).replace("|", "\\|")
    )


@dataclass(frozen=True, slots=True)
class Experiment:
    """One table, figure or set of figures in the paper.

    Attributes:
        name: as in the paper (``Table 6``), and unique there.
        title: what the table shows.
        make: returns the table; raises NotHere if something is missing, LeftOut if nothing can
            provide it.
    """

    name: str
    title: str
    make: Callable[[Workbench], ReproducedTable]

    @property
    def key(self) -> str:
        """The name of its files."""
        return self.name.lower().replace(",", "").replace(" ", "-").replace(".", "-")


def left_out(name: str, title: str, why: str) -> Experiment:
    """Return an experiment that can't be made here: a picture, a human study, an answer from the web."""

    def refuse(_: Workbench) -> ReproducedTable:
        raise LeftOut(why)

    return Experiment(name, title, refuse)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an experiment.

    Attributes:
        experiment: the table or figure.
        table: the result, if it was made.
        missing: otherwise, what would provide it.
        reason: or why nothing can.
    """

    experiment: Experiment
    table: ReproducedTable | None
    missing: str = ""
    reason: str = ""

    @property
    def state(self) -> str:
        """The outcome in one line."""
        if self.reason:
            return f"not here: {self.reason}"
        return f"missing: {self.missing}" if self.missing else "done"


PICTURES: Final = (".pdf", ".svg")
"""Formats of each figure."""


def run(experiments: Sequence[Experiment], workbench: Workbench, out: Path) -> Iterator[Outcome]:
    """Make each table and write it to ``out``: ``NAME.json``, figures as PDF and SVG.

    Tables in ``out`` that were made from the same inputs are reused.

    Raises:
        OutputError: a file can't be written.
        InputError: a data file is damaged.
    """
    out.mkdir(parents=True, exist_ok=True)
    inputs = workbench.fingerprint()
    for experiment in experiments:
        path = out / f"{experiment.key}.json"
        done = _done(path, inputs)
        if done is not None:
            yield Outcome(experiment, done)
            continue
        try:
            table = experiment.make(workbench)
        except LeftOut as error:
            yield Outcome(experiment, None, reason=str(error))
            continue
        except (NotHere, MissingExtraError, ModelError) as error:
            path.unlink(missing_ok=True)  # of other inputs
            yield Outcome(experiment, None, str(error))
            continue
        if table.figure is not None:
            from ..evaluation.plots import save

            for ending in PICTURES:
                save(table.figure, path.with_suffix(ending))
        content = {"inputs": inputs, "title": experiment.title} | table.as_json()
        write_atomically(path, json.dumps(content, indent=1, ensure_ascii=False).encode())
        yield Outcome(experiment, table)


def _done(path: Path, inputs: str) -> ReproducedTable | None:
    try:
        content = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise InputError(
            "is not a table of an earlier run; remove it or choose another --out", str(path)
        ) from error
    return ReproducedTable.from_json(content) if content.get("inputs") == inputs else None


def fingerprint(paths: Sequence[Path], options: Mapping[str, object]) -> str:
    """Return a digest of the options and of the files' names, sizes and times."""
    digest = hashlib.sha256(json.dumps(dict(options), sort_keys=True, default=str).encode())
    for path in sorted(paths):
        state = path.stat()
        digest.update(f"{path}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def report(title: str, outcomes: Sequence[Outcome]) -> str:
    """Return the report of a run in Markdown: the tables in order, with a note in place of each missing one."""
    parts = [f"# {title}\n"]
    for outcome in outcomes:
        experiment = outcome.experiment
        parts.append(f"## {experiment.name}: {experiment.title}\n")
        parts.append(
            f"{outcome.state[0].upper()}{outcome.state[1:]}\n"
            if outcome.table is None
            else f"{outcome.table.markdown()}\n"
        )
        if outcome.table is not None and outcome.table.figure is not None:
            parts.append(f"![{experiment.name}]({experiment.key}{PICTURES[1]})\n")
    return "\n".join(parts)
