"""``tacenda audit``: from a release to a bound on what is left in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tacenda.app.annotation.service import AnnotationService
from tacenda.app.annotation.sources import from_files
from tacenda.app.annotation.store import Flow
from tacenda.app.store import Store
from tacenda.cli import app
from tacenda.errors import InputError

_RUN = CliRunner()


def audit(*arguments: object) -> Result:
    """Run the command."""
    return _RUN.invoke(app, ["audit", *map(str, arguments)])


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A folder with thirty released documents."""
    folder = tmp_path / "release"
    folder.mkdir()
    for n in range(30):
        (folder / f"{n}.txt").write_text(f"Letter {n} of *** to Anna.\n" * (n + 1), "utf-8")
    return folder


def read_by_hand(table: Path, missed: str) -> str:
    """Fill in the column of a table, the first unit with misses."""
    head, *rows = table.read_text("utf-8").split("\n")
    assert head == "unit,sha256,missed,text"
    cells = [row.split(",", 3) for row in rows if row.count(",") >= 3]
    lines = [f"{one[0]},{one[1]},{missed if n == 0 else 0}" for n, one in enumerate(cells)]
    path = table.with_name("marked.csv")
    path.write_text("unit,sha256,missed\n" + "\n".join(lines), "utf-8")
    return str(path)


def test_a_sample_read_by_hand_gives_a_bound(release: Path, tmp_path: Path) -> None:
    """On the terminal and as JSON; what was missed is in neither."""
    sample = tmp_path / "sample.json"
    run = audit("sample", release, "--size", 12, "-o", sample)
    assert run.exit_code == 0
    assert "12 of 30 passages of 30 documents" in run.stderr
    assert "if nothing is found: at most" in run.stderr
    marked = read_by_hand(tmp_path / "sample.read.csv", "Anna")
    output = tmp_path / "bound.json"
    run = audit("bound", sample, marked, "--for", 0.2, "-o", output)
    assert run.exit_code == 0
    bound = json.loads(output.read_text("utf-8"))
    assert f"at most {bound['units']['bound']} of 30 passages" in run.stdout
    assert "for 0.2: " in run.stdout
    assert (bound["units"]["found"], bound["documents"], bound["confidence"]) == (1, 30, 0.95)
    assert bound["further"]["if_none"] > 0
    assert "Anna" not in output.read_text("utf-8") + run.stdout
    again = audit("bound", sample, marked, "--for", 0.2, "--json")
    assert json.loads(again.stdout) == bound


def test_a_sample_is_read_in_the_annotation_app(release: Path, tmp_path: Path) -> None:
    """Its standoff file opens as a project: a document a unit, unmarked."""
    sample = tmp_path / "sample.json"
    assert audit("sample", release, "--size", 5, "-o", sample).exit_code == 0
    store = Store(tmp_path / "p.db", "--project")
    try:
        annotations = AnnotationService(store).begin("p", Flow.TAB, ["ann"])
        sources = list(from_files([str(tmp_path / "sample.read.json")]))
        assert annotations.sources.add(sources) == 5
    finally:
        store.close()
    units = json.loads(sample.read_text("utf-8"))["units"]
    assert [source.name for source in sources] == [unit["id"] for unit in units]


def test_a_bound_needs_the_whole_sample_read(release: Path, tmp_path: Path) -> None:
    """The table as it was written has not been read."""
    sample = tmp_path / "sample.json"
    audit("sample", release, "--size", 5, "-o", sample)
    run = audit("bound", sample, tmp_path / "sample.read.csv")
    assert isinstance(run.exception, InputError)
    assert "5 of 5 units" in str(run.exception)


@pytest.mark.parametrize(
    "options", [(), ("--size", 3, "--for", 0.1), ("--size", 3, "--allocation", "equal")]
)
def test_wrong_usage_says_what_is_right(
    options: tuple[Any, ...], release: Path, tmp_path: Path
) -> None:
    """Exit code 2, and nothing is written."""
    run = audit("sample", release, *options, "-o", tmp_path / "sample.json")
    assert run.exit_code == 2
    assert not (tmp_path / "sample.json").exists()
