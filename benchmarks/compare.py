"""Run the commands of ``benchmarks/RESULTS.md`` again and compare what they print with the tables there.

    python -m benchmarks compare DATA [--only TEXT …] [--with NAME=VALUE …] [--longest 2] [--jobs 2] [--list]

A table belongs to the block of commands above it in its section; under "*Not run again*" it says in words why no command makes it.
All commands run in one folder, where they find what those before them wrote; sections run side by side, a command of two sections once.

What runs is chosen by what a row needs. A command that takes more than a minute of a core names its minutes in its comment (``# 12 minutes``)
and runs with ``--longest 12`` or more; those of up to two minutes take a quarter of an hour on two cores. A command that names what is not
there (``WORK``, the folds of a recognizer; ``PYTHON``, an environment with Presidio) needs ``--with WORK=FOLDER``, one that names a spaCy
pipeline the pipeline. What isn't run is named with the reason, and is no difference.

A row is compared with the printed row of its name, or else with those that have all words of it, a figure with that in the column of
its name, in its place within the cell. Two shares agree if they differ by at most .005; figures above 1 if they differ by at most .005 of them
or half a unit of the last place written. Columns of time, speed and memory are left out: they hang on the machine.

Before that, other pages are compared with this one: a row of `docs/papers.md` has its figures in the sections that it names, and a row of
figures in README or `docs/comparison.md` stands here in one row or paragraph. Ends with 1 if a figure differs or is printed nowhere under
its name, or a command fails.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[1]
_RESULTS: Final = _ROOT / "benchmarks/RESULTS.md"
_FIGURE: Final = re.compile(
    r"(?<![\w.])[-+]?(?:\d[\d,]*\d|\d)?(?:\.\d+|(?<=\d))(?![\w.]*[a-zA-Z_])"
)
_MACHINE: Final = re.compile(r"\b(s|ms|MB|seconds?|minutes|time|rows/s|speed|memory|core)\b")
_PLACEHOLDER: Final = re.compile(
    r"\b(?:WORK|OUT|FOLDER|KEY|MASKS|MPNET|PYTHON|URL|WORDNET|ENCODER|HALF|FOLDER_OF_en_core_web_md)\b"
)
_PIPELINE: Final = re.compile(r"\b[a-z]{2}_core_\w+")
_MINUTES: Final = re.compile(r"\b(\d+) minutes?\b")
"""What a command takes, in its comment."""
_PAPERS: Final = _ROOT / "docs/papers.md"
_PAGES: Final = (_ROOT / "README.md", _ROOT / "docs/comparison.md")
_FEWEST: Final = 3
"""Figures of a row that is looked for in other pages; fewer stand together by chance."""
_NOT_AGAIN: Final = "*Not run again*: "
_SLOWEST: Final = 10
"""How many times as long as it should a command may take on a busy machine, until it counts as hung."""
_NEAR: Final = 0.005
"""How far two shares may be apart; of a figure above 1, this part of it."""

Figure = tuple[float, float]
"""A figure, and half a unit of the last place written."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the page: rows of cells, the titles first.

    Attributes:
        section: its heading.
        commands: that print it; none if it is not made again.
        reason: why not.
        rows: of cells.
        minutes: of a core that the commands take, where their comments say so.
    """

    section: str
    commands: tuple[str, ...]
    reason: str
    rows: tuple[tuple[str, ...], ...]
    minutes: int = 0


@dataclass(frozen=True, slots=True)
class Agreement:
    """Figures of a table that were printed again, those that were not, and what is printed under no such name."""

    agreed: int
    differing: tuple[str, ...]
    unprinted: tuple[str, ...]


def tables(text: str) -> Iterator[Table]:
    """Yield the tables of the page."""
    section, reason = "", ""
    commands: list[str] = []
    minutes = 0
    rows: list[tuple[str, ...]] = []
    ended = True
    for line in [*text.replace("\\\n", " ").splitlines(), ""]:
        if line.startswith("|"):
            rows += _cells(line)
            continue
        if rows:
            yield Table(section, tuple(commands), reason, tuple(rows), minutes)
        rows = []
        if line.startswith("#"):
            section, reason, commands, minutes = line.lstrip("# "), "", [], 0
        elif line.startswith(_NOT_AGAIN):
            reason, commands, minutes = line.removeprefix(_NOT_AGAIN), [], 0
        elif line.startswith("    "):
            command, _, comment = line.partition("  #")
            commands = [*([] if ended else commands), command.strip()]
            minutes = (0 if ended else minutes) + sum(map(int, _MINUTES.findall(comment)))
            reason, ended = "", False
        elif line.strip():
            ended = True


def _cells(line: str) -> list[tuple[str, ...]]:
    """The cells of a line of a table in Markdown; no row for the rule under the titles."""
    cells = tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
    return [] if all(re.fullmatch(r":?-*:?", cell) for cell in cells) else [cells]


def printed_rows(text: str) -> Iterator[dict[str, str]]:
    """Yield the rows of the tables that a command printed, cells by the title of their column; the first is under "".

    A table is in Markdown, or in columns that two spaces or a line part; its titles are the last line before it that has
    no figure, with as many cells or, without one for the first column, one less.
    """
    titles: tuple[str, ...] = ()
    begun = False
    for line in text.splitlines():
        if line.lstrip().startswith("|"):
            (cells,) = _cells(line) or [()]
            if cells and not begun:
                titles, begun = cells, True
                continue
        else:
            begun = False
            parts = re.split(r"\s{2,}|\s*[│┃|]\s*", line.strip().strip("│┃"))
            cells = tuple(part.strip() for part in parts if part.strip())
            if len(cells) > 1 and not any(map(figures, cells)):
                titles = cells
                continue
        names = titles if len(titles) == len(cells) else ("", *titles)
        if len(cells) > 1 and len(names) == len(cells):
            yield {"": cells[0]} | dict(zip(map(_name, names), cells, strict=True))


# Other pages that print the same figures.


def sections(text: str) -> dict[str, str]:
    """The text of each section by its heading, without that of the sections below it."""
    parts = re.split(r"^#+ (.+)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def named_figures(page: str, names: Collection[str]) -> Iterator[tuple[str, str, list[Figure]]]:
    """Yield the figures of a table of features with the section that they are from, and the row's first cell.

    In the last cell of a row parts end with semicolons; one that is the names of sections belongs to those before it. What is in parentheses
    are figures of a paper.

    Args:
        page: with the tables.
        names: of the sections of the other page; those of a paper stand there under *Reproduction of*.
    """
    for line in page.splitlines():
        first, *_, last = _cells(line)[0] if line.startswith("|") and _cells(line) else ("", "")
        _, *parts = re.sub(r"\([^)]*\)|`[^`]*`", "", last).split("; ")
        group: list[str] = []
        for part in parts:
            given = _sections_named(part.partition(". ")[0], names)
            if given:
                yield first, given, figures(" ; ".join(group))
                group = []
            else:
                group.append(part)


def _sections_named(text: str, names: Collection[str]) -> str:
    """The headings that a text consists of, one a line; empty where it says something else."""
    text = text.strip()
    for heading in (text, f"Reproduction of {text}"):
        if heading in names:
            return heading
    head, _, tail = text.rpartition(", ")
    both = [_sections_named(part, names) for part in (head, tail)] if head else [""]
    return "\n".join(both) if all(both) else ""


def page_faults(results: str, papers: str, pages: Mapping[str, str]) -> list[str]:
    """What other pages print that this page doesn't.

    Args:
        results: this page.
        papers: the page of features.
        pages: others, by name.
    """
    parts = sections(results)
    faults = []
    for row, names, wanted in named_figures(papers, parts):
        given = figures("\n".join(parts[name] for name in names.splitlines()))
        missing = [value for value, unit in wanted if not _stands(value, unit, given)]
        if missing:
            faults.append(f"papers.md: {row}: {missing} not in {names!r}")
    blocks = [figures(block) for block in re.split(r"\n\s*\n|\n(?=\|)", results)]
    for name, page in pages.items():
        for line in page.splitlines():
            _, *cells = _cells(line)[0] if line.startswith("|") and _cells(line) else ("",)
            wanted = [item for cell in cells for item in figures(cell)]
            is_row = len(cells) >= _FEWEST and len(wanted) == len(cells)
            if is_row and not any(all(_stands(*it, given) for it in wanted) for given in blocks):
                faults.append(f"{name}: {line}")
    return faults


def _stands(value: float, unit: float, given: Sequence[Figure]) -> bool:
    """Whether a figure is among others, rounded to as many places as it has; a share also as a number of per cent."""
    return any(
        abs(abs(value) * scale - abs(other)) <= unit * scale + 1e-9
        for other, _ in given
        for scale in ((1, 100) if abs(value) < 1 else (1,))
    )


def figures(text: str) -> list[Figure]:
    """Each figure of a text, per cent as a share."""
    found = []
    for match in _FIGURE.finditer(text):
        item = match.group().replace(",", "")
        scale = 0.01 if re.match(r"\s?%", text[match.end() :]) else 1.0
        found.append((scale * float(item), scale * 0.5 * 10.0 ** -len(item.partition(".")[2])))
    return found


def agreement(table: Table, printed: str) -> Agreement:
    """Compare each row of a table with what was printed."""
    titles, *rows = table.rows
    given = list(printed_rows(printed))
    firsts = Counter(row[0] for row in rows)
    agreed, differing, unprinted = 0, [], []
    for row in rows:
        cells = {_name(title): cell for title, cell in zip(titles[1:], row[1:], strict=False)}
        wanted = {
            title: figures(cell)
            for title, cell in cells.items()
            if figures(cell) and not _MACHINE.search(title)
        }
        if not wanted:
            continue
        named = [other for other in given if _words(row[0]) == _words(other[""])]
        of_row = named or [other for other in given if _words(row[0]) <= _words(other[""])]
        missing = {title for title in wanted if not any(title in other for other in of_row)}
        if missing:
            names = ", ".join(sorted(missing)) if of_row else "no such row"
            unprinted.append(f"{row[0]}: {names}")
            continue
        verdicts = [
            [_agrees(items, figures(other.get(title, ""))) for title, items in wanted.items()]
            for other in of_row
        ]
        # Where rows have the same first cell, their second tells them apart, if it has a figure.
        place = max(
            range(len(of_row)),
            key=lambda index: (firsts[row[0]] > 1 and verdicts[index][0], sum(verdicts[index])),
        )
        best, other = verdicts[place], of_row[place]
        agreed += sum(best)
        wrong = [
            f"{title} {cells[title]}, printed {other.get(title) or 'nothing'}"
            for title, fits in zip(wanted, best, strict=True)
            if not fits
        ]
        if wrong:
            differing.append(f"{row[0]}: {'; '.join(wrong)}")
    return Agreement(agreed, tuple(differing), tuple(unprinted))


def _name(title: str) -> str:
    # P is precision, and p is not; what is written in place of a mention may be a title.
    plain = title.replace("`", "")
    return " ".join((plain.replace("*", "").strip() or plain).split())


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w.]+", text.lower().replace("`", "")))


def _agrees(wanted: Sequence[Figure], given: Sequence[Figure]) -> bool:
    """Whether all figures of a cell are the first ones of another."""
    return len(wanted) <= len(given) and all(
        abs(value - other) <= _leeway(value, unit) + 1e-9
        for (value, unit), (other, _) in zip(wanted, given, strict=False)
    )


def _leeway(value: float, unit: float) -> float:
    return _NEAR if abs(value) <= 1 else max(unit, _NEAR * abs(value))


def _printed(command: str, seconds: float, folder: str) -> str:
    """What a command of the page writes to both streams.

    Raises:
        OSError: it failed, or hung; the message is its own.
    """
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    # Some are modules beside the package, such as tests.fuzz.
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(_ROOT)]))
    with subprocess.Popen(
        ["bash", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=os.environ | {"PATH": paths, "COLUMNS": "200", "PYTHONPATH": path},
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            # The shell alone would leave the processes that it waits for.
            os.killpg(process.pid, signal.SIGKILL)
            raise OSError(f"was ended after {seconds:g} seconds") from None
    if process.returncode:
        raise OSError((errors.strip().splitlines() or ["no message"])[-1])
    return output + errors


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], help="words of a section or command")
    parser.add_argument("--with", dest="given", nargs="+", default=[], metavar="NAME=VALUE")
    parser.add_argument(
        "--longest", type=int, default=2, metavar="MINUTES", help="of a core that commands may take"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="sections at a time")
    parser.add_argument("--list", action="store_true", help="only say what would run")
    options = parser.parse_args()
    given = dict(item.split("=", 1) for item in options.given)
    given["DATA"] = str(options.data.resolve())
    results = _RESULTS.read_text(encoding="utf-8")
    pages = {page.name: page.read_text(encoding="utf-8") for page in _PAGES}
    faults = page_faults(results, _PAPERS.read_text(encoding="utf-8"), pages)
    print("\n".join(faults) or "other pages agree", flush=True)
    verdicts: list[bool | None] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        run = PageRun(options, given, folder)
        groups = [list(group) for _, group in groupby(tables(results), lambda each: each.section)]
        for lines, found in pool.map(run.section, groups):
            print("\n".join(lines), end="\n" if lines else "", flush=True)
            verdicts += found
    ran = [verdict for verdict in verdicts if verdict is not None]
    if not options.list:
        used = os.times()
        minutes = (used.children_user + used.children_system) / 60
        print(f"\n{sum(ran)} of {len(ran)} tables agree; {len(verdicts) - len(ran)} not run")
        print(f"{minutes:.0f} minutes of a core")
    sys.exit(bool(faults) or not all(ran))


@dataclass(frozen=True, slots=True)
class PageRun:
    """A run of the commands of the page.

    Attributes:
        options: of the command line.
        given: values of placeholders, by name.
        folder: in which commands run; later ones find there what earlier ones of their section wrote.
        printed: by commands that have run, or do.
        lock: of these.
    """

    options: argparse.Namespace
    given: Mapping[str, str]
    folder: str
    printed: dict[str, Future[str]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def section(self, group: Sequence[Table]) -> tuple[list[str], list[bool | None]]:
        """What is said of the tables of a section, and whether each agrees; None if its commands didn't run."""
        lines: list[str] = []
        verdicts: list[bool | None] = []
        for table in group:
            commands = [_filled(command, self.given) for command in table.commands]
            title = f"{table.section}: {'; '.join(commands)}"
            if not any(text in title for text in self.options.only):
                continue
            lines += ["", title]
            reason = self._hindrance(table, commands)
            if reason:
                lines.append(f"  not run: {reason}")
                verdicts.append(None)
                continue
            try:
                printed = [self._printed(command) for command in commands]
            except OSError as error:
                lines.append(f"  failed: {error}")
                verdicts.append(False)
                continue
            found = agreement(table, "\n".join(printed))
            verdicts.append(not found.differing and not found.unprinted)
            lines.append(f"  {found.agreed} figures agree")
            lines += [f"  differs: {line}" for line in found.differing]
            if found.unprinted:
                lines.append(f"  printed under no such name: {'; '.join(found.unprinted)}")
        return lines, verdicts

    def _hindrance(self, table: Table, commands: Sequence[str]) -> str:
        """Why the commands of a table aren't run; empty if they are."""
        if not commands:
            return table.reason or "has no command"
        missing = {name for each in commands for name in _PLACEHOLDER.findall(each)}
        pipelines = {name for each in commands for name in _PIPELINE.findall(each)}
        missing |= {name for name in pipelines if find_spec(name) is None}
        if missing:
            return f"needs {', '.join(sorted(missing))}"
        if table.minutes > self.options.longest:
            return f"takes {table.minutes} minutes of a core: --longest {table.minutes}"
        return "--list" if self.options.list else ""

    def _printed(self, command: str) -> str:
        """What a command of the page writes to both streams; it runs once.

        Raises:
            OSError: it failed; the message is its own.
        """
        with self.lock:
            is_first = command not in self.printed
            future = self.printed.setdefault(command, Future())
        if is_first:
            try:
                limit = 60 * _SLOWEST * self.options.longest
                future.set_result(_printed(command, limit, self.folder))
            except OSError as error:
                future.set_exception(error)
        return future.result()


def _filled(command: str, given: Mapping[str, str]) -> str:
    """A command with its placeholders, and the paths of this repository, made absolute."""
    for name, value in given.items():
        command = re.sub(rf"\b{name}\b", shlex.quote(value), command)
    return re.sub(r"(?<![\w/])(benchmarks|examples|tests/data)/", rf"{_ROOT}/\1/", command)
