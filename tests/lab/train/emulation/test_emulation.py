"""The recipe of the emulated search: what the adversary knows, what is asked, and what is learned."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tacenda.background.documents import LocalIndex, Query
from tacenda.document import Document
from tacenda_lab.train.emulation_data import (
    JUDGMENTS,
    OPENINGS,
    TRAIN,
    IndexScope,
    answers_of,
    build_index,
    read_documents,
)
from tests.evaluate.corpus import standoff

pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("sklearn", reason="needs the extra 'train'")

import torch

from tacenda.cli import app
from tacenda.errors import InputError
from tacenda.models.networks import AttackerModel
from tacenda.models.store import read_model
from tacenda_lab.indicators.emulated_search import (
    FACTS,
    EntityFeatures,
    PredictedSearch,
    confidence,
    load_emulation,
)
from tacenda_lab.train.emulation import METHODS, best_threshold, fit, folds, train_on
from tacenda_lab.train.emulation_data import SearchObservation, SizeAnswers
from tacenda_lab.train.emulation_network import EmulationNetwork, fit_network, pack

torch.set_num_threads(1)
NAMES = "Abel Berg Cole Dahl Eide Falk Gran Holm Iver Juul Koch Lund".split()


def corpus(folder: Path) -> Path:
    """Write twelve judgments to train on, one to develop on, and others that an adversary knows."""
    train = []
    for number, name in enumerate(NAMES):
        text = (
            f"The case originated in an application (no. {40000 + number}/0{number % 9}) against Norway by "
            f"Mr Ola {name}. The applicant was born in {1940 + number} in Oslo. On {1 + number} May 200"
            f"{number % 9} he was arrested by the police. The Oslo City Court heard Mr {name}."
        )
        record = standoff(text, {"a": [(f"Ola {name}", "PERSON", "DIRECT", "e1")]}, f"t{number}")
        # Half of them name the applicant in the file, half in the annotations only.
        train.append(record | {"meta": {"applicant": f"Ola {name}"} if number % 2 else {}})
    common = "The police of Oslo, Norway, and the Oslo City Court were heard in May 2001. "
    files = {
        TRAIN: train,
        JUDGMENTS: {**{f"b{number}": common * 3 for number in range(40)}, "dev1": "Only Dev Known"},
        OPENINGS: {**{f"t{n}": f"CASE OF {NAMES[n]} v. NORWAY" for n in range(12)}, "dev1": "Dev"},
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = json.dumps(content).encode()
        path.write_bytes(gzip.compress(raw) if path.suffix == ".gz" else raw)
    return folder


@pytest.mark.parametrize(("knows", "documents"), [(IndexScope.WHOLE, 64), (IndexScope.OPENING, 52)])
def test_no_judgment_of_a_development_split_is_known(
    tmp_path: Path, knows: IndexScope, documents: int
) -> None:
    """Left out of every source are those whose public version is there and that aren't trained on."""
    build_index(corpus(tmp_path), tmp_path / "index.db", knows)
    index = LocalIndex(tmp_path / "index.db")
    assert index.size().documents == documents
    assert index.search(Query.of(("Dev",)), 5) == []
    index.close()


def test_the_target_is_the_applicant_and_the_name_of_the_case(tmp_path: Path) -> None:
    """From the file's ``meta`` or from what the first annotator calls DIRECT; who has none is left out."""
    path = corpus(tmp_path) / TRAIN
    assert [each.target for each in read_documents(path)[:2]] == [
        ("Ola Abel", "Abel v."),
        ("Ola Berg", "Berg v."),
    ]
    path.write_text(json.dumps([standoff("Nobody.", {"a": []})]), encoding="utf-8")
    assert read_documents(path) == []


def test_what_algorithm_1_does_not_ask_is_no_case() -> None:
    """Of four entities one is risky alone, two are together: no larger combination holds them."""
    one, two, three = answers_of([0, 1, 2, 3, 5], {(0,), (1, 2)}, 3)
    assert one.chosen.tolist() == [[0], [1], [2], [3], [5]]
    assert one.risky.tolist() == [True, False, False, False, False]
    assert two.chosen.tolist() == [[1, 2], [1, 3], [1, 5], [2, 3], [2, 5], [3, 5]]
    assert two.risky.tolist() == [True, False, False, False, False, False]
    assert three.chosen.tolist() == [[1, 3, 5], [2, 3, 5]]
    assert not three.risky.any()


def observed(documents: int = 20, seed: int = 0) -> list[SearchObservation]:
    """Return documents where an entity is risky if its first vector number is positive."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(documents):
        vectors = random.normal(scale=0.3, size=(8, 6)).astype(np.float32)
        vectors[:, 0] = random.choice([-1.0, 1.0], size=8)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        risky = {(i,) for i in range(8) if vectors[i, 0] > 0}
        facts = random.normal(size=(8, len(FACTS))).astype(np.float32)
        seen = EntityFeatures(facts, vectors, vectors[0], np.ones(8, dtype=bool))
        answers = answers_of(range(8), risky, 2)
        # Entities are counted only.
        entities: tuple[object, ...] = (None,) * 8
        found.append(SearchObservation(Document(f"d{number}", "text"), entities, seen, answers))  # type: ignore[arg-type]
    return found


def test_both_networks_compute_the_same() -> None:
    """Numpy and torch agree, for singles and for pairs."""
    torch.manual_seed(1)
    documents = observed(3)
    network = EmulationNetwork(
        len(FACTS), 6, 2, np.ones(len(FACTS), np.float32), np.full(len(FACTS), 2, np.float32)
    )
    network.eval()
    packed = pack(documents, np.random.default_rng(0))
    with torch.no_grad():
        odds = network(
            packed.facts,
            packed.vectors,
            packed.people[packed.of],
            packed.chosen,
            packed.size,
        )
    expected = torch.sigmoid(odds).numpy()
    arrays = network.arrays()
    own = [confidence(arrays, each.features, a.chosen) for each in documents for a in each.answers]
    assert np.allclose(np.concatenate(own), expected, atol=1e-5)


def test_it_learns_what_tells_them_apart_and_is_deterministic() -> None:
    """What vectors tell is found on other documents, and fitting twice gives the same."""
    documents, others = observed(40), observed(10, seed=1)
    arrays, again = fit_network(documents), fit_network(documents)
    assert all(np.array_equal(arrays[name], again[name]) for name in arrays)
    right = [
        (confidence(arrays, each.features, each.answers[0].chosen) > 0.5) == each.answers[0].risky
        for each in others
    ]
    assert np.mean(right) > 0.85


def test_every_document_is_held_out_once() -> None:
    """And is never fitted to in that fold."""
    parts = list(folds(observed(7)))
    assert sorted(index for _, held in parts for index in held) == list(range(7))
    assert all(not set(used) & set(held) and len(used) + len(held) == 7 for used, held in parts)


def test_figures_compare_with_what_is_simple() -> None:
    """The types and the information tell nothing here; the emulation does."""
    figures = {each.method: each for each in fit(observed(40), epochs=8).figures if each.size == 1}
    assert tuple(figures) == METHODS
    assert figures["emulation"].area > 0.85
    assert figures["emulation"].count == 320
    assert abs(figures["information"].area - 0.5) < 0.15


def test_the_threshold_has_the_highest_f1() -> None:
    """Risky at .9, .8 and .4: from .4 on 3 of 4 are hits; equal values are taken together."""
    chances = np.array([0.9, 0.8, 0.6, 0.4, 0.1])
    assert best_threshold(chances, np.array([True, True, False, True, False])) == 0.4
    assert best_threshold(np.array([0.5, 0.5, 0.1]), np.array([True, False, False])) == 0.5
    assert best_threshold(chances, np.zeros(5, dtype=bool)) == 1.0


def test_too_few_documents_are_an_error() -> None:
    """The message says how many there are, and where."""
    with pytest.raises(InputError, match="3 documents name a person"):
        train_on(observed(3), IndexScope.WHOLE, 1, "train.json")
    with pytest.raises(ValueError, match="1 documents"):
        fit(observed(1))


def test_the_recipe_writes_what_the_indicator_reads(tmp_path: Path) -> None:
    """From a tiny corpus to a folder with card and digests that loads and judges."""
    out = tmp_path / "emulation"
    told = CliRunner().invoke(
        app, ["lab", "train", "emulation", "--data", str(corpus(tmp_path)), "--out", str(out)]
    )
    assert told.exit_code == 0, told.output
    assert "| 1 | " in told.output
    read_model(out).verify()
    assert "cross-validation" in (out / "CARD.md").read_text(encoding="utf-8")
    emulation = load_emulation(out)
    assert len(emulation.sizes) == 3
    PredictedSearch(emulation, AttackerModel.load(), arity=3)


def test_answers_of_documents_without_pairs_are_empty() -> None:
    """A document whose entities are all risky alone has no pair, and nothing breaks."""
    one, two = answers_of([0], {(0,)}, 2)
    assert isinstance(two, SizeAnswers)
    assert one.chosen.shape == (1, 1)
    assert two.chosen.shape == (0, 2)
