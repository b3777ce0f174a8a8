"""Systems are read from masks, from results, and from masks at several thresholds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tacenda.document import Span
from tacenda.errors import InputError
from tacenda.evaluate.systems import THRESHOLDS, System, SystemFile, load_masks, load_systems

from .building import entity, result

TEXT = "Anna Berg met Carl Dahl."


def write(path: Path, *objects: Any) -> str:
    """Write objects, one a line, and return the path."""
    path.write_text("\n".join(json.dumps(item) for item in objects) + "\n", "utf-8")
    return str(path)


def one(path: str, threshold: float | None = None) -> System:
    """Return the only system there is."""
    (system,) = load_systems([SystemFile("system", threshold, path)])
    return system


def test_masks_have_no_curve(tmp_path: Path) -> None:
    """Masks are a point, at a threshold only if that was said."""
    path = write(tmp_path / "a.json", {"d1": [[0, 4]]})
    assert one(path) == System("system", {"d1": (Span(0, 4),)})
    assert one(path, 0.5).threshold == 0.5
    assert one(path, 0.5).levels == ()


@pytest.mark.parametrize("n", [1, 2])
def test_results_are_lines(tmp_path: Path, n: int) -> None:
    """A file with one result or several gives what was masked, and a level a threshold."""
    results = [result(f"d{i}", entity(TEXT, "Anna Berg", risk=0.4)) for i in range(n)]
    system = one(write(tmp_path / "a.jsonl", *results))
    assert system.masks == {f"d{i}": (Span(0, 9),) for i in range(n)}
    assert [level.threshold for level in system.levels] == list(THRESHOLDS)
    assert system.threshold == 0.3
    assert system.follows


def test_results_may_be_a_list(tmp_path: Path) -> None:
    """A JSON array of results is read too."""
    assert one(write(tmp_path / "a.json", [result("d1")])).masks == {"d1": ()}


def test_files_of_one_name_are_one_system(tmp_path: Path) -> None:
    """The first is its operating point; the levels are in order of thresholds."""
    high = write(tmp_path / "high.json", {"d1": []})
    low = write(tmp_path / "low.json", {"d1": [[0, 4]]})
    (system,) = load_systems([SystemFile("s", 0.9, high), SystemFile("s", 0.1, low)])
    assert (system.threshold, system.masks) == (0.9, {"d1": ()})
    assert [level.threshold for level in system.levels] == [0.1, 0.9]
    assert not system.follows


def test_what_contradicts_itself_is_refused(tmp_path: Path) -> None:
    """A threshold twice, or none, of several files; a threshold for results."""
    masks = write(tmp_path / "a.json", {"d1": []})
    results = write(tmp_path / "b.json", result("d1"))
    with pytest.raises(InputError, match="already"):
        load_systems([SystemFile("s", 0.1, masks), SystemFile("s", 0.1, masks)])
    with pytest.raises(InputError, match="s@THRESHOLD"):
        load_systems([SystemFile("s", 0.1, masks), SystemFile("s", None, masks)])
    with pytest.raises(InputError, match=r"without @0\.1"):
        load_systems([SystemFile("s", 0.1, results)])


@pytest.mark.parametrize(
    "content", ["[1]", "3", '{"d1": [[3, 1]]}', '{"schema_version": "1.0"}\n{']
)
def test_other_files_are_refused(tmp_path: Path, content: str) -> None:
    """What is neither masks nor results is an error that names the file."""
    path = tmp_path / "a.json"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"a\.json"):
        one(str(path))


@pytest.mark.parametrize("n", [1, 2])
def test_masks_of_results_are_what_the_run_masked(tmp_path: Path, n: int) -> None:
    """Whoever wants masks alone reads them from either kind of file."""
    results = [result(f"d{i}", entity(TEXT, "Anna Berg", risk=0.4)) for i in range(n)]
    masks = {f"d{i}": (Span(0, 9),) for i in range(n)}
    assert load_masks(write(tmp_path / "a.jsonl", *results)) == masks
    assert load_masks(write(tmp_path / "a.json", {f"d{i}": [[0, 9]] for i in range(n)})) == masks
