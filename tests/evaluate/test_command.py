"""The command ``tacenda evaluate masks``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tacenda.cli import app as tacenda
from tacenda.cli.evaluate import evaluate_masks as evaluate
from tacenda.errors import InputError, OutputError

from ..report.building import entity, result
from .corpus import FIGURE_3, FIGURE_3_TEXT, spans

app = typer.Typer()
app.command()(evaluate)
runner = CliRunner()

TINY_BERT = Path(__file__).parents[1] / "data" / "tiny_bert"
CONTRACT = {
    "token_recall",
    "entity_recall_direct",
    "entity_recall_quasi",
    "entity_recall",
    "mention_recall",
    "token_precision",
    "mention_precision",
    "token_f1",
    "token_recall_by_type",
    "documents",
    "signature",
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Return the paths of a gold file and a prediction file."""
    gold, masks = tmp_path / "gold.json", tmp_path / "masks.json"
    gold.write_text(json.dumps([FIGURE_3]), "utf-8")
    masks.write_text(json.dumps({"d1": spans(FIGURE_3_TEXT, "John Doe", "The case")}), "utf-8")
    return str(gold), str(masks)


def run(*args: str, stdin: str | None = None) -> Any:
    """Run the command, which must succeed."""
    result = runner.invoke(app, args, input=stdin, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_json_has_the_keys_of_the_contract(files: tuple[str, str]) -> None:
    """Scripts rely on these keys."""
    report = json.loads(run(*files, "--json").stdout)
    assert set(report) >= CONTRACT
    assert "weighted_token_precision" not in report


def test_uniform_weights_give_precision(files: tuple[str, str]) -> None:
    """With ``--weights uniform`` weighted precision is precision."""
    report = json.loads(run(*files, "--weights", "uniform", "--json").stdout)
    assert report["weighted_token_precision"] == report["token_precision"] == 2 / 4


def test_masks_from_stdin(files: tuple[str, str]) -> None:
    """``-`` reads the predictions from standard input."""
    result = run(files[0], "-", "--json", stdin='{"d1": [], "d9": []}')
    assert json.loads(result.stdout)["token_precision"] == 0.0
    assert "d9" in result.stderr


def test_tables(files: tuple[str, str]) -> None:
    """Without ``--json`` the figures are a table, with types, intervals and errors if asked."""
    output = run(*files, "--by-type", "--bootstrap", "20", "--errors", "2").stdout
    assert "ER_di" in output
    assert "DATETIME" in output
    assert "over-masked" in output
    assert "docs:1" in output


def test_bad_input_is_an_input_error(files: tuple[str, str]) -> None:
    """Faults of the data end as the error that the command line turns into exit code 1."""
    with pytest.raises(InputError, match="split 'train'"):
        run(*files, "--split", "train")
    with pytest.raises(InputError, match="unknown weights 'heavy'"):
        run(*files, "--weights", "heavy")
    with pytest.raises(InputError, match="is not JSON"):
        run(files[0], "-", stdin="{")


def test_several_systems_side_by_side(files: tuple[str, str], tmp_path: Path) -> None:
    """With several predictions the first is the baseline of a paired test."""
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"d1": spans(FIGURE_3_TEXT, "John Doe")}), "utf-8")
    printed = json.loads(run(*files, str(other), "--json").stdout)
    assert list(printed["systems"]) == ["masks", "other"]
    assert {test["baseline"] for test in printed["tests"]} == {"masks"}
    output = run(*files, str(other)).stdout
    assert "difference from masks" in output


def test_files_of_one_name_are_told_apart(files: tuple[str, str], tmp_path: Path) -> None:
    """Systems are named by their file, or by its path where that is ambiguous."""
    (tmp_path / "b").mkdir()
    other = tmp_path / "b" / "masks.json"
    other.write_text('{"d1": []}', "utf-8")
    printed = json.loads(run(*files, str(other), "--json").stdout)
    assert list(printed["systems"]) == [files[1], str(other)]


def test_errors_as_a_page(files: tuple[str, str], tmp_path: Path) -> None:
    """``--html`` writes the page of ``tacenda evaluate report`` to a file; nothing else changes."""
    page = tmp_path / "errors.html"
    options = ("--bootstrap", "20", "--weights", "uniform")
    output = run(*files, *options, "--html", str(page)).stdout
    assert output == run(*files, *options).stdout
    report = runner.invoke(tacenda, ["evaluate", "report", *files, *options])
    assert page.read_text("utf-8") == report.stdout
    with pytest.raises(OutputError, match="can't be written"):
        run(*files, "--html", str(page / "errors.html"))


def test_misuse_of_several_systems(files: tuple[str, str]) -> None:
    """The same file twice, or a page for several systems, is misuse."""
    gold, masks = files
    assert runner.invoke(app, [gold, masks, masks]).exit_code == 2
    assert runner.invoke(app, [gold, masks, "-", "--html", "x.html"]).exit_code == 2


def test_two_standard_inputs_are_misuse() -> None:
    """Gold and masks can't both come from standard input."""
    assert runner.invoke(app, ["-", "-"]).exit_code == 2


@pytest.mark.parametrize("documents", [1, 2])
def test_results_are_evaluated_as_their_masks(tmp_path: Path, documents: int) -> None:
    """``evaluate`` reads what ``sanitize --to json`` wrote, as ``report`` does, alone and compared."""
    corpus = [{**FIGURE_3, "doc_id": f"d{number}"} for number in range(documents)]
    masks = {f"d{number}": spans(FIGURE_3_TEXT, "John Doe") for number in range(documents)}
    results = [
        result(f"d{number}", entity(FIGURE_3_TEXT, "John Doe", risk=0.4))
        for number in range(documents)
    ]
    gold, plain, lines = (str(tmp_path / name) for name in ("g.json", "m.json", "r.jsonl"))
    Path(gold).write_text(json.dumps(corpus), "utf-8")
    Path(plain).write_text(json.dumps(masks), "utf-8")
    Path(lines).write_text("".join(f"{json.dumps(line)}\n" for line in results), "utf-8")
    assert run(gold, lines, "--json").stdout == run(gold, plain, "--json").stdout
    first, second = json.loads(run(gold, plain, lines, "--json").stdout)["systems"].values()
    assert first == second
    assert first["documents"] == documents


def test_the_program_of_before_needs_the_benchmarks_weights(files: tuple[str, str]) -> None:
    """Without --weights there is nothing that it could change; with them the signature names it."""
    result = runner.invoke(app, [*files, "--weights-before", "2022-06"])
    assert result.exit_code == 2
    assert "--weights bert:NAME" in result.output
    pytest.importorskip("transformers")
    bert = f"bert:{TINY_BERT}"
    report = json.loads(
        run(*files, "--weights", bert, "--weights-before", "2022-06", "--json").stdout
    )
    assert f"weight:{bert} before 2022-06" in report["signature"]
