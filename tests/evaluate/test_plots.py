"""Pictures: what is on them, and the files that they become."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tacenda.annotations.tab import parse_masks
from tacenda.cli.corpus import agreement
from tacenda.cli.evaluate import evaluate_masks as evaluate_command
from tacenda.errors import InputError, MissingExtraError, OutputError
from tacenda.evaluate.agreement import measure_agreement
from tacenda.evaluate.evaluation import EvaluationSettings, evaluate
from tacenda.evaluate.gold import parse_gold
from tacenda_lab.evaluation.plots import error_bars, save, type_heat_map

from .corpus import FIGURE_3, FIGURE_3_TEXT, spans, standoff

pytest.importorskip("matplotlib").use("Agg")

app = typer.Typer()
app.command()(agreement)
app.command("evaluate")(evaluate_command)
runner = CliRunner()

DISPUTED = standoff(
    "Oslo Police, Naval Police",
    {
        "a": [("Oslo Police", "LOC", "QUASI", "e"), ("Naval Police", "DEM", "QUASI", "f")],
        "b": [("Oslo Police", "ORG", "QUASI", "e"), ("Naval Police", "ORG", "QUASI", "f")],
    },
)
STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def texts(figure: object) -> list[str]:
    """Return all that is written on a figure."""
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    assert isinstance(figure, Figure)
    return [found.get_text() for found in figure.findobj(Text) if found.get_text()]


def test_the_heat_map_has_a_cell_for_each_pair_of_types() -> None:
    """Of three types there are three pairs: two with a span each, and one with none."""
    figure = type_heat_map(measure_agreement(parse_gold([DISPUTED])))
    written = texts(figure)
    assert sorted(text for text in written if text.isdigit()) == ["0", "1", "1"]
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["DEM", "LOC"]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["LOC", "ORG"]
    assert "Spans given two entity types, 1 document" in written


def test_a_corpus_without_disagreement_has_a_heat_map_that_says_so() -> None:
    """There is nothing to divide the colours by."""
    assert "none" in texts(type_heat_map(measure_agreement(parse_gold([FIGURE_3]))))


def test_bars_of_errors_and_leaks() -> None:
    """Of the seven places to mask, "John Doe" is masked; of what leaks, 2 of 6 are DEM."""
    gold = parse_gold([FIGURE_3])
    masks = parse_masks({"d1": spans(FIGURE_3_TEXT, "John Doe", "The case")})
    figure = error_bars({"ours": evaluate(gold, masks, EvaluationSettings(errors=1))})
    kinds, types = figure.axes
    assert [label.get_text() for label in kinds.get_yticklabels()] == [
        "missed",
        "inconsistent",
        "partial",
        "over-masked",
    ]
    assert [patch.get_width() for patch in kinds.patches] == [5, 1, 0, 1]
    shares = {
        label.get_text().split(" ")[0]: patch.get_width()
        for label, patch in zip(types.get_yticklabels(), types.patches, strict=True)
    }
    assert shares["DEM"] == pytest.approx(2 / 6)
    assert sum(shares.values()) == pytest.approx(1)


def test_systems_stand_side_by_side_with_a_legend() -> None:
    """Each has a bar for each kind; one alone needs no legend."""
    gold = parse_gold([FIGURE_3])
    reports = {
        name: evaluate(
            gold, parse_masks({"d1": spans(FIGURE_3_TEXT, *masked)}), EvaluationSettings(errors=1)
        )
        for name, masked in {"ours": ["John Doe"], "theirs": []}.items()
    }
    figure = error_bars(reports)
    assert len(figure.axes[0].patches) == 8
    assert {"ours", "theirs"} <= set(texts(figure))
    assert not error_bars({"ours": reports["ours"]}).legends


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_a_figure_is_the_same_file_every_time(format: str, tmp_path: Path) -> None:
    """In every format that there is; no date and no random name is in it."""
    found = measure_agreement(parse_gold([DISPUTED]))
    one, other = tmp_path / f"one.{format}", tmp_path / f"other.{format.upper()}"
    save(type_heat_map(found), one)
    save(type_heat_map(found), other)
    assert one.read_bytes().startswith(STARTS[format])
    assert one.read_bytes() == other.read_bytes()


def test_what_can_t_be_written_is_an_error(tmp_path: Path) -> None:
    """Another format, or a folder that is none."""
    figure = type_heat_map(measure_agreement(parse_gold([DISPUTED])))
    with pytest.raises(InputError, match=r"as '\.gif'; choose \.png, \.svg, \.pdf"):
        save(figure, tmp_path / "picture.gif")
    (tmp_path / "none").touch()
    with pytest.raises(OutputError, match="can't be written"):
        save(figure, tmp_path / "none" / "picture.png")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without matplotlib the message says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"--plot needs an extra: .*\[plot\]"):
        type_heat_map(measure_agreement(parse_gold([DISPUTED])))


def test_the_commands_draw(tmp_path: Path) -> None:
    """``--plot`` adds a file and changes nothing else; another ending is misuse."""
    gold, masks = tmp_path / "gold.json", tmp_path / "masks.json"
    gold.write_text(json.dumps([DISPUTED]), "utf-8")
    masks.write_text('{"d1": []}', "utf-8")
    both = [str(gold), str(masks)]
    for command in (
        ["agreement", str(gold)],
        ["evaluate", *both],
        ["evaluate", *both, "--json"],
    ):
        picture = tmp_path / f"{len(command)}.svg"
        plain = runner.invoke(app, command, catch_exceptions=False).stdout
        drawn = runner.invoke(app, [*command, "--plot", str(picture)], catch_exceptions=False)
        assert drawn.stdout == plain
        assert "DEM" in picture.read_text("utf-8")
        refused = runner.invoke(app, [*command, "--plot", "picture.gif"])
        assert refused.exit_code == 2
        assert "must end in one of" in refused.output
