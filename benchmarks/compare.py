"""Run the commands of ``benchmarks/RESULTS.md`` again and compare what they print with the tables there.

    python benchmarks/compare.py DATA [--only TEXT …] [--with NAME=VALUE …] [--tolerance .02] [--seconds 600] [--list]

A table belongs to the commands above it in its section. A row is compared with the printed line that has most
of its figures, among those with all words of its first cell where it has fewer than four, or, if no line has these, with all that was
printed; a figure agrees if the two differ by at most ``--tolerance`` of it or by half a unit of the last place written.
Columns of time, speed and memory are left out: they hang on the machine. A command that names what is not there (``WORK``, the folds
of a recognizer; ``PYTHON``, an environment with Presidio) needs ``--with WORK=FOLDER``. Ends with 1 if a figure differs.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_RESULTS: Final = Path(__file__).with_name("RESULTS.md")
_FIGURE: Final = re.compile(r"(?<![\w.])-?(?:\d[\d,]*\d|\d)?(?:\.\d+|(?<=\d))(?![\w.]*[a-zA-Z_])")
_MACHINE: Final = re.compile(r"\b(s|ms|MB|seconds?|minutes|time|rows/s|speed|memory|core)\b")
_PLACEHOLDER: Final = re.compile(
    r"\b(?:WORK|OUT|FOLDER|GOLD|MASKS|MPNET|PYTHON|WORDNET|FOLDER_OF_en_core_web_md)\b"
)


_TELLING: Final = 4
"""So many figures on one line are those of a row, whatever the line is called."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its commands: rows of cells, the titles first."""

    section: str
    commands: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Figures of a table that were printed again, those that were not, and rows that no line has."""

    agreed: int
    differing: tuple[str, ...]
    unprinted: tuple[str, ...]


def tables(text: str) -> Iterator[Table]:
    """Yield the tables that have a command above them in their section."""
    section, commands, rows, fresh = "", [], [], True
    for line in [*text.replace("\\\n", " ").splitlines(), ""]:
        if line.startswith("|"):
            cells = tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                rows.append(cells)
            continue
        if rows and commands:
            yield Table(section, tuple(commands), tuple(rows))
        rows = []
        if line.startswith("#"):
            section, commands = line.lstrip("# "), []
        elif re.match(r" {4}(python|tacenda|make|TACENDA_\w+=) ?", line):
            commands = [*([] if fresh else commands), line.split("  #")[0].strip()]
            fresh = False
        elif line.strip():
            fresh = True


def figures(text: str) -> list[tuple[float, float]]:
    """Each figure of a text, per cent as a share, with half a unit of its last place."""
    found = []
    for match in _FIGURE.finditer(text):
        item = match.group().replace(",", "")
        scale = 0.01 if re.match(r"\s?%", text[match.end() :]) else 1.0
        found.append((scale * float(item), scale * 0.5 * 10.0 ** -len(item.partition(".")[2])))
    return found


def agreement(table: Table, printed: str, tolerance: float) -> Agreement:
    """Compare each row of a table with what was printed."""
    titles, *rows = table.rows
    compared = [place for place, title in enumerate(titles) if not _MACHINE.search(title)]
    lines = [(frozenset(_words(line)), figures(line)) for line in printed.splitlines()]
    agreed, differing, unprinted = 0, [], []
    for row in rows:
        label = frozenset(_words(row[0]))
        wanted = figures(" | ".join(row[place] for place in compared[1:] if place < len(row)))
        if not wanted:
            continue
        of_row = [given for words, given in lines if label and label <= words]
        if len(wanted) >= _TELLING:
            of_row += [given for _, given in lines]
        if not of_row:
            everything = [figure for _, given in lines for figure in given]
            if not all(_is_in(item, everything, tolerance) for item in wanted):
                unprinted.append(row[0])
                continue
            of_row = [everything]
        met = max(sum(_is_in(item, given, tolerance) for item in wanted) for given in of_row)
        agreed += met
        if met < len(wanted):
            differing.append(f"{row[0]}: {len(wanted) - met} of {len(wanted)} figures")
    return Agreement(agreed, tuple(differing), tuple(unprinted))


def _words(text: str) -> list[str]:
    return re.findall(r"[\w.]+", text.lower().replace("`", ""))


def _is_in(wanted: tuple[float, float], given: list[tuple[float, float]], tolerance: float) -> bool:
    value, unit = wanted
    return any(
        abs(value - other) <= max(tolerance * abs(value), unit, place) + 1e-9
        for other, place in given
    )


def _printed(command: str, seconds: float, folder: str) -> str:
    """What a command of RESULTS writes to both streams."""
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    result = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        timeout=seconds,
        cwd=folder,
        env=os.environ | {"PATH": paths, "COLUMNS": "200"},
        check=False,
    )
    if result.returncode:
        raise OSError((result.stderr.strip().splitlines() or ["no message"])[-1])
    return result.stdout + result.stderr


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], help="words of a section or command")
    parser.add_argument("--with", dest="given", nargs="+", default=[], metavar="NAME=VALUE")
    parser.add_argument("--tolerance", type=float, default=0.02)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--list", action="store_true", help="only say what would run")
    options = parser.parse_args()
    given = dict(item.split("=", 1) for item in options.given)
    given["DATA"] = str(options.data.resolve())
    printed: dict[str, str] = {}
    verdicts = []
    for table in tables(_RESULTS.read_text(encoding="utf-8")):
        commands = [_filled(command, given) for command in table.commands]
        if not any(text in table.section or text in commands[0] for text in options.only):
            continue
        print(f"\n{table.section}: {'; '.join(commands)}", flush=True)
        missing = sorted({name for each in commands for name in _PLACEHOLDER.findall(each)})
        if missing or options.list:
            print(f"  not run: needs {', '.join(missing)}" if missing else "  would run")
            continue
        try:
            with tempfile.TemporaryDirectory() as folder:
                for command in commands:
                    if command not in printed:
                        start = time.monotonic()
                        printed[command] = _printed(command, options.seconds, folder)
                        print(f"  {time.monotonic() - start:.0f} s", flush=True)
        except (OSError, subprocess.TimeoutExpired) as error:
            verdicts.append(False)
            print(f"  failed: {error}")
            continue
        found = agreement(table, "\n".join(printed[each] for each in commands), options.tolerance)
        verdicts.append(not found.differing and not found.unprinted)
        print(f"  {found.agreed} figures agree")
        for line in found.differing:
            print(f"  differs: {line}")
        if found.unprinted:
            print(f"  printed under no such label, nor elsewhere: {'; '.join(found.unprinted)}")
    if not options.list:
        print(f"\n{sum(verdicts)} of {len(verdicts)} tables agree")
    sys.exit(not all(verdicts))


def _filled(command: str, given: dict[str, str]) -> str:
    """A command with its placeholders, and the paths of this repository, made absolute."""
    for name, value in given.items():
        command = re.sub(rf"\b{name}\b", shlex.quote(value), command)
    root = _RESULTS.parents[1]
    return re.sub(r"(?<![\w/])(benchmarks|tests/data)/", rf"{root}/\1/", command)


if __name__ == "__main__":
    main()
