"""Figures of the paper on explicit measures of risk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacenda.errors import InputError
from tacenda_lab.reproduce import toy
from tacenda_lab.reproduce.risk_figures import (
    TYPES,
    precision_and_recall,
    silver_types,
    threshold_curve,
)
from tacenda_lab.reproduce.tables import NotHere
from tacenda_lab.reproduce.workbench import Workbench

pytest.importorskip("matplotlib", reason="needs the extra 'plot'")


def silver(folder: Path, records: object) -> Workbench:
    """A folder with silver labels."""
    (folder / "silver.json").write_text(json.dumps(records))
    return Workbench(folder, folder / "work")


def test_silver_labels_are_counted_by_type(tmp_path: Path) -> None:
    """Of four mentions three are people."""
    mentions = [[0, 1, "PERSON"], [2, 3, "PERSON"], [4, 5, "LOC"], [6, 7, "PERSON"]]
    records = [{"doc_id": "d", "mentions": mentions}]
    table = silver_types(silver(tmp_path, records))
    ((split, shares),) = table.ours.items()
    assert dict(zip(TYPES, shares, strict=True)) == dict.fromkeys(TYPES, 0.0) | {
        "PERSON": 0.75,
        "LOC": 0.25,
    }
    assert f"{split}: 4 mentions" in table.notes[-1]
    assert table.figure is not None


@pytest.mark.parametrize("records", [{"a": 1}, [{"doc_id": "a"}], [3]])
def test_other_files_are_no_silver_labels(records: object, tmp_path: Path) -> None:
    """The file is named."""
    with pytest.raises(InputError, match=r"silver\.json.*no silver labels"):
        silver_types(silver(tmp_path, records))


def test_texts_are_labelled_where_nobody_did(tmp_path: Path) -> None:
    """Without a text of train or a biography there is nothing to label."""
    with pytest.raises(NotHere, match=r"echr_train\.json"):
        silver_types(Workbench(tmp_path, tmp_path / "work"))
    toy.write(tmp_path / "data")
    table = silver_types(Workbench(tmp_path / "data", tmp_path / "work"))
    assert table.ours
    assert all(sum(map(float, row)) == pytest.approx(1) for row in table.ours.values())


def test_a_threshold_masks_what_is_below() -> None:
    """By hand: of three to mask, two are among the two lowest values, and equal values go together."""
    answers = [(-1.0, False), (-9.0, True), (-5.0, True), (-1.0, True), (0.0, False)]
    assert precision_and_recall(answers) == [
        (-9.0, 1.0, 1 / 3),
        (-5.0, 1.0, 2 / 3),
        (-1.0, 3 / 4, 1.0),
        (0.0, 3 / 5, 1.0),
    ]


def test_the_curve_is_of_what_annotators_marked(tmp_path: Path) -> None:
    """It rises to a recall of 1, and without the split there is none."""
    toy.write(tmp_path)
    rows = list(threshold_curve(Workbench(tmp_path, tmp_path / "work")).ours.values())[2:]
    recalls = [float(row[2] or 0) for row in rows]
    assert recalls == sorted(recalls)
    assert recalls[-1] > 0.9
    (tmp_path / "echr_dev.json").unlink()
    with pytest.raises(NotHere, match=r"echr_dev\.json"):
        threshold_curve(Workbench(tmp_path, tmp_path / "work"))
