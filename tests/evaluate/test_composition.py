"""What a corpus consists of: Tables 1 to 4."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tacenda.cli.corpus import stats
from tacenda.evaluate.composition import describe
from tacenda.evaluate.gold import load_gold, parse_gold

from .corpus import FIGURE_3, standoff

app = typer.Typer()
app.command()(stats)


def test_a_corpus_counted_by_hand() -> None:
    """Two annotators in the manner of Figure 3 mark ten entities with twelve mentions."""
    composition = describe(parse_gold([FIGURE_3, standoff("A.", {"first": []}, "d2", "test")]))
    assert composition.splits["dev"].annotators_per_document == 2
    assert composition.splits["test"].annotations == 1
    assert composition.all_splits.documents == 2
    assert composition.multiple == 1
    assert (composition.entities, composition.mentions) == (10, 12)
    assert composition.types["PERSON"].mentions == composition.types["PERSON"].direct == 4
    assert composition.types["DEM"].quasi == 2
    assert composition.all_types.mentions == 12
    assert composition.masked_share == pytest.approx((4 / 5 + 5 / 5) / 2)


def test_relations_are_pairs_of_mentions() -> None:
    """A link told from both ends is one relation."""
    document = standoff("Anna A.", {"a": [("Anna", "PERSON", "DIRECT", "e")] * 2})
    one, other = document["annotations"]["a"]["entity_mentions"]
    one |= {"entity_mention_id": "m1", "related_mentions": ["m2"]}
    other |= {"entity_mention_id": "m2", "related_mentions": ["m1"]}
    assert describe(parse_gold([document])).relations == 1


def test_reviewed_annotations_are_counted() -> None:
    """``quality_checked`` names the annotators whose work was reviewed."""
    document = FIGURE_3 | {"quality_checked": ["first"]}
    assert describe(parse_gold([document])).all_splits.reviewed == 1


def test_an_empty_corpus_has_nothing() -> None:
    """No document is no error and no division by zero."""
    composition = describe(())
    assert composition.mentions == 0
    assert composition.masked_share is None


def test_totals_follow_from_the_train_split(shared_data: Path) -> None:
    """All tables of the shared train split equal a count of its raw JSON."""
    path = shared_data / "tab" / "train.json"
    raw = json.loads(path.read_text("utf-8"))
    annotations = [
        (document["doc_id"], name, annotation["entity_mentions"])
        for document in raw
        for name, annotation in document["annotations"].items()
    ]
    mentions: list[dict[str, Any]] = [m for *_, theirs in annotations for m in theirs]
    composition = describe(load_gold(path))
    assert composition.all_splits.documents == len(raw) == 174
    assert composition.all_splits.annotations == len(annotations)
    assert composition.mentions == composition.all_types.mentions == len(mentions)
    assert composition.entities == len(
        {(doc_id, name, m["entity_id"]) for doc_id, name, theirs in annotations for m in theirs}
    )
    for type_, row in composition.types.items():
        of_type = [m for m in mentions if m["entity_type"] == type_]
        assert row.mentions == len(of_type)
        assert row.quasi == sum(m["identifier_type"] == "QUASI" for m in of_type)
        assert row.direct == sum(m["identifier_type"] == "DIRECT" for m in of_type)
    assert sum(composition.confidential.values()) == len(mentions)


def test_the_command_prints_tables_and_json(tmp_path: Path) -> None:
    """Both hold all four tables."""
    path = tmp_path / "gold.json"
    path.write_text(json.dumps([FIGURE_3]), "utf-8")
    output = CliRunner().invoke(app, [str(path)], catch_exceptions=False).stdout
    assert all(f"Table {n}" in output for n in range(1, 5))
    printed = json.loads(CliRunner().invoke(app, [str(path), "--json"]).stdout)
    assert printed["documents"] == 1
    assert printed["types"]["CODE"]["direct"] == 2
