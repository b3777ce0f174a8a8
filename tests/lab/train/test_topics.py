"""The recipe of the classifiers of topics, on a handful of made-up texts."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("sklearn", reason="needs tacenda-lab[train]")

from tacenda.models.topics import load_classifiers
from tacenda_lab.train import topics

JOBS = {
    "ChessPlayer": "chess board grandmaster opening pawn match rook".split(),
    "Chef": "kitchen menu restaurant pastry sauce star guide".split(),
    "Painter": "canvas brush oil gallery portrait colour studio".split(),
}


def data(folder: Path) -> Path:
    """Return a data folder with texts of three occupations and of three kinds."""
    random = Random(1)
    lives = [
        {
            "id": f"{job}{n}",
            "text": "born " + " ".join(random.sample(words, 5)) + " died",
            "profile": {"dbpedia_l3": job},
        }
        for job, words in JOBS.items()
        for n in range(40)
    ]
    recipes = [{"id": f"r{n}", "text": "bake flour butter oven sugar"} for n in range(40)]
    judgment = [
        {"doc_id": f"j{n}", "text": "court applicant article convention"} for n in range(40)
    ]
    for path, items in (
        ("reid/db_bio.jsonl.gz", lives),
        ("everyday/innocent/recipes.jsonl.gz", recipes),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(item) + "\n" for item in items)
        (folder / path).write_bytes(gzip.compress(lines.encode()))
    for path in ("tab/train.json", "wiki/biographies_train.json"):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(json.dumps(judgment if "tab" in path else []), "utf-8")
    (folder / "background").mkdir()
    judgments = folder / "background" / "echr_judgments.json.gz"
    judgments.write_bytes(gzip.compress(b"{}"))
    return folder


def test_the_folder_to_ship(tmp_path: Path) -> None:
    """Classifiers that know their labels, curves from 0 to 1, and a card with a row for each."""
    out = tmp_path / "topics-en"
    rows = topics.train_topics(data(tmp_path), out)
    kind, occupation = load_classifiers(out)
    assert kind.labels == ("biography", "judgment", "recipe")
    assert (occupation.labels, occupation.within) == (tuple(sorted(JOBS)), "biography")
    for job, words in JOBS.items():
        prediction = occupation.predict(words)
        assert prediction is not None
        assert prediction.label == job
    for classifier in (kind, occupation):
        assert (classifier.curve[0], classifier.curve[-1]) == (0, 1)
        assert all(low <= high for low, high in pairwise(classifier.curve))
    card = (out / "CARD.md").read_text("utf-8")
    assert rows in card
    assert rows.count("\n") == 1
