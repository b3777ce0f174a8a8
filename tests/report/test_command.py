"""The command ``tacenda evaluate report``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tacenda.cli import app

from ..evaluate.corpus import FIGURE_3, FIGURE_3_TEXT, spans
from ..pages.building import Page
from .building import entity, result

runner = CliRunner()


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Return the paths of a gold file, two of masks and one of results."""
    contents: dict[str, Any] = {
        "gold": [FIGURE_3],
        "masks": {"d1": spans(FIGURE_3_TEXT, "John Doe", "The case")},
        "other": {"d1": spans(FIGURE_3_TEXT, "British")},
        "results": result("d1", entity(FIGURE_3_TEXT, "John Doe", risk=0.9)),
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), "utf-8")
    return {name: str(tmp_path / f"{name}.json") for name in contents}


def report(*arguments: str) -> Any:
    """Run the command."""
    return runner.invoke(app, ["evaluate", "report", *arguments])


def test_its_numbers_are_those_of_evaluate(files: dict[str, str], tmp_path: Path) -> None:
    """Every figure, by type too, stands on the page with all of its digits; so do intervals."""
    options = ["--bootstrap", "20", "--weights", "unigram"]
    out = tmp_path / "report.html"
    assert report(files["gold"], files["masks"], *options, "-o", str(out)).exit_code == 0
    content = out.read_text("utf-8")
    shown = Page(content).values
    evaluated = runner.invoke(
        app, ["evaluate", "masks", files["gold"], files["masks"], *options, "--json"]
    )
    figures = json.loads(evaluated.stdout)
    for value in figures.values():
        if isinstance(value, float):
            assert value in shown
    for shares in (figures["token_recall_by_type"], figures["token_precision_by_type"]):
        assert set(shares.values()) <= set(shown)
    for low, high in figures["intervals"].values():
        assert f"{low:.3f} – {high:.3f}" in content
    assert figures["signature"] in content


def test_differences_are_those_of_evaluate(files: dict[str, str]) -> None:
    """Differences and p-values of several systems, too."""
    systems = [files["masks"], files["other"]]
    shown = Page(report(files["gold"], *systems, "--bootstrap", "0").stdout).values
    evaluated = runner.invoke(app, ["evaluate", "masks", files["gold"], *systems, "--json"])
    tests = json.loads(evaluated.stdout)["tests"]
    assert len(tests) > 5
    for test in tests:
        assert {test["difference"], test["p_value"]} <= set(shown)


def test_systems_get_names(files: dict[str, str]) -> None:
    """By label, or by the file; files of one label are one curve."""
    content = report(
        files["gold"], files["results"], f"x@0.5={files['masks']}", f"x@0.9={files['other']}"
    ).stdout
    assert "<title>Evaluation of results, x</title>" in content
    assert "the operating point is the first file given at threshold 0.5" in content


def test_a_file_with_an_equals_sign_is_a_file(files: dict[str, str], tmp_path: Path) -> None:
    """An argument that exists is a path, whatever is in its name."""
    path = Path(files["masks"]).rename(tmp_path / "a@2=b.json")
    assert "Evaluation of a@2=b<" in report(files["gold"], str(path)).stdout


@pytest.mark.parametrize("label", ["x@2", "x@-0.1", "x@", "x@high", "x@nan"])
def test_a_threshold_is_a_probability(files: dict[str, str], label: str) -> None:
    """Anything else is a mistake of usage."""
    done = report(files["gold"], f"{label}={files['masks']}")
    assert done.exit_code == 2
    assert "from 0 to 1" in re.sub(r"[\s│]+", " ", done.output)


def test_a_file_is_given_once(files: dict[str, str]) -> None:
    """The same file twice is a mistake of usage, and so is stdin twice."""
    assert report(files["gold"], files["masks"], files["masks"]).exit_code == 2
    assert report("-", "-").exit_code == 2


def test_it_is_the_same_every_time(files: dict[str, str]) -> None:
    """Two processes with other hashes write the same bytes."""
    pages = {
        subprocess.run(
            [
                sys.executable,
                "-m",
                "tacenda",
                "evaluate",
                "report",
                files["gold"],
                files["results"],
            ],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(pages) == 1


def test_the_development_split_has_a_small_page(tab_oracle: Path, tmp_path: Path) -> None:
    """127 documents with two systems side by side stay below 8 MB."""
    gold, oracle = tab_oracle / "dev.json", tab_oracle / "oracle"
    systems = [str(oracle / "ontonotes_md.json"), str(oracle / "half.json")]
    out = tmp_path / "report.html"
    done = report(str(gold), *systems, "--bootstrap", "10", "-o", str(out))
    assert done.exit_code == 0, done.output
    assert out.stat().st_size < 8_000_000
