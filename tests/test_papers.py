"""The page of the papers leaves nothing unsaid: each feature has its place, its test and what becomes of it here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from tacenda_lab.cli.reproduce import PAPERS
from tests.examples import for_each

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/papers.md").read_text("utf-8")
COLUMNS = ["feature", "section", "command", "file", "test", "here"]
_FEATURES = 119
"""That a comparison with the five papers counted; the page may part them further."""
_VERDICT = re.compile(r"as in the paper\b|differs, because [\w`*]")


def _rows(text: str) -> Iterator[list[str]]:
    """Rows of the tables of features in some lines."""
    for is_table, lines in groupby(text.splitlines(), lambda line: line.startswith("|")):
        rows = [
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line[1:-1])]
            for line in lines
            if is_table
        ]
        if rows[:1] == [COLUMNS]:
            yield from rows[2:]


ROWS = list(_rows(PAGE))


def test_each_paper_has_its_table() -> None:
    """One after the other, under the name that the command takes, with at least as many features as were counted."""
    sections = dict(re.findall(r"^## (\S+): .*\n((?:(?!^## ).*\n?)*)", PAGE, re.M))
    assert set(sections) == set(PAPERS)
    assert all(list(_rows(text)) for text in sections.values())
    assert len(ROWS) >= _FEATURES


@for_each("row", ROWS)
def test_a_feature_has_a_place_a_test_and_a_verdict(row: list[str]) -> None:
    """*As in the paper*, or *differs, because* and why; `test_documentation.py` checks that commands and files exist."""
    feature, section, command, file, test, here = row
    assert feature
    assert section
    assert re.fullmatch(r"(`tacenda [^`]+`(, )?)+", command)
    for source in file.split(", "):
        assert any((ROOT / folder / source.strip("`")).is_file() for folder in ("src", "lab/src"))
    for path in test.split(", "):
        assert path.startswith("`tests/")
        assert re.search(r"^(async )?def test_", (ROOT / path.strip("`")).read_text("utf-8"), re.M)
    assert _VERDICT.match(here)


def test_a_row_without_a_verdict_is_seen() -> None:
    """A row is one of features by its titles; what says neither is a fault."""
    table = (
        f"| {' | '.join(COLUMNS)} |\n|{'---|' * 6}\n| a | 1 | `tacenda x` | `y` | `z` | partly |\n"
    )
    (row,) = _rows(f"Words.\n\n{table}\n| other | table |\n|---|---|\n| 1 | 2 |\n")
    assert row[0] == "a"
    assert not _VERDICT.match(row[5])
