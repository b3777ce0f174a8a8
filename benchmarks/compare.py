"""Run the commands of ``benchmarks/RESULTS.md`` again and compare what they print with the tables there.

    python -m benchmarks compare DATA [--only TEXT …] [--with NAME=VALUE …] [--seconds 600] [--list]

A table belongs to the block of commands above it in its section; under "*Not run again*" it says in words why no command makes it.
All commands run in one folder, where they find what those before them wrote. A row is compared with the printed rows that have all
words of its first cell, a figure with that in the column of its name, in its place within the cell. Two shares agree if they
differ by at most .005; figures above 1 if they differ by at most .005 of them or half a unit of the last place written.
Columns of time, speed and memory are left out: they hang on the machine.
A command that names what is not there (``WORK``, the folds of a recognizer; ``PYTHON``, an environment with Presidio)
needs ``--with WORK=FOLDER``. Ends with 1 if a figure differs or is printed nowhere under its name.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[1]
_RESULTS: Final = _ROOT / "benchmarks/RESULTS.md"
_FIGURE: Final = re.compile(
    r"(?<![\w.])[-+]?(?:\d[\d,]*\d|\d)?(?:\.\d+|(?<=\d))(?![\w.]*[a-zA-Z_])"
)
_MACHINE: Final = re.compile(r"\b(s|ms|MB|seconds?|minutes|time|rows/s|speed|memory|core)\b")
_PLACEHOLDER: Final = re.compile(
    r"\b(?:WORK|OUT|FOLDER|MASKS|MPNET|PYTHON|URL|WORDNET|FOLDER_OF_en_core_web_md)\b"
)
_NOT_AGAIN: Final = "*Not run again*: "
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
    """

    section: str
    commands: tuple[str, ...]
    reason: str
    rows: tuple[tuple[str, ...], ...]


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
    rows: list[tuple[str, ...]] = []
    ended = True
    for line in [*text.replace("\\\n", " ").splitlines(), ""]:
        if line.startswith("|"):
            rows += _cells(line)
            continue
        if rows:
            yield Table(section, tuple(commands), reason, tuple(rows))
        rows = []
        if line.startswith("#"):
            section, reason, commands = line.lstrip("# "), "", []
        elif line.startswith(_NOT_AGAIN):
            reason, commands = line.removeprefix(_NOT_AGAIN), []
        elif line.startswith("    "):
            commands = [*([] if ended else commands), line.split("  #")[0].strip()]
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
        of_row = [other for other in given if _words(row[0]) <= _words(other[""])]
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
    """What a command of RESULTS writes to both streams."""
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    # Some are modules beside the package, such as tests.fuzz.
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(_ROOT)]))
    result = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        timeout=seconds,
        cwd=folder,
        env=os.environ | {"PATH": paths, "COLUMNS": "200", "PYTHONPATH": path},
        check=False,
    )
    if result.returncode:
        raise OSError((result.stderr.strip().splitlines() or ["no message"])[-1])
    return result.stdout + result.stderr


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], help="words of a section or command")
    parser.add_argument("--with", dest="given", nargs="+", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--list", action="store_true", help="only say what would run")
    options = parser.parse_args()
    given = dict(item.split("=", 1) for item in options.given)
    given["DATA"] = str(options.data.resolve())
    with tempfile.TemporaryDirectory() as folder:
        verdicts = _compared(options, given, folder)
    if not options.list:
        print(f"\n{sum(verdicts)} of {len(verdicts)} tables agree")
    sys.exit(not all(verdicts))


def _compared(options: argparse.Namespace, given: Mapping[str, str], folder: str) -> list[bool]:
    """Whether each table agrees whose commands run, in a folder where later ones find what earlier ones wrote."""
    printed: dict[str, str] = {}
    verdicts = []
    for table in tables(_RESULTS.read_text(encoding="utf-8")):
        commands = [_filled(command, given) for command in table.commands]
        title = f"{table.section}: {'; '.join(commands)}"
        if not any(text in title for text in options.only):
            continue
        print(f"\n{title}", flush=True)
        if not commands:
            print(f"  not run: {table.reason or 'has no command'}")
            continue
        missing = sorted({name for each in commands for name in _PLACEHOLDER.findall(each)})
        if missing or options.list:
            print(f"  not run: needs {', '.join(missing)}" if missing else "  would run")
            continue
        try:
            for command in commands:
                if command not in printed:
                    start = time.monotonic()
                    printed[command] = _printed(command, options.seconds, folder)
                    print(f"  {time.monotonic() - start:.0f} s", flush=True)
        except (OSError, subprocess.TimeoutExpired) as error:
            verdicts.append(False)
            print(f"  failed: {error}")
            continue
        found = agreement(table, "\n".join(printed[each] for each in commands))
        verdicts.append(not found.differing and not found.unprinted)
        print(f"  {found.agreed} figures agree")
        for line in found.differing:
            print(f"  differs: {line}")
        if found.unprinted:
            print(f"  printed under no such name: {'; '.join(found.unprinted)}")
    return verdicts


def _filled(command: str, given: Mapping[str, str]) -> str:
    """A command with its placeholders, and the paths of this repository, made absolute."""
    for name, value in given.items():
        command = re.sub(rf"\b{name}\b", shlex.quote(value), command)
    return re.sub(r"(?<![\w/])(benchmarks|tests/data)/", rf"{_ROOT}/\1/", command)
