"""The features of the paper (5.1), against a computation by transformers and the textbook alone."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.document import Document, SemanticType
from tacenda.models.checkpoint import DEVICE_VARIABLE
from tacenda_lab.indicators.language import (
    Context,
    LanguageRisk,
    LanguageThreshold,
    Threshold,
    chance,
    feature_rows,
    load_language_risk,
    read_entities,
)
from tacenda_lab.train.corpus import AnnotatorView
from tacenda_lab.train.language_risk import fit, observe
from tests.building import entity, mention
from tests.lab.train import tiny

from .fake import Words

TEXT = "The clerk of room 12 saw Zorblax Quimby in Oslo. Quimby ate soup on 3 4 5 stairs."
DOCUMENT = Document("d", TEXT)
ENTITIES = (
    entity("e1", mention(DOCUMENT, "Zorblax Quimby"), mention(DOCUMENT, "Quimby", nth=1)),
    entity("e2", mention(DOCUMENT, "Oslo", "LOC")),
    entity("e3", mention(DOCUMENT, "3 4 5 stairs", "MISC")),
)
SPANS = [each for item in ENTITIES for each in item.mentions]


def by_transformers(folder: Path, text: str, start: int, end: int, size: int) -> list[float]:
    """The five aggregates of a span: its subwords masked in the window around it, and nothing else."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    encoded = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
    ids = encoded["input_ids"]
    inside = [n for n, (a, b) in enumerate(encoded["offset_mapping"]) if a < end and b > start]
    hidden = [tokenizer.mask_token_id if n in inside else id for n, id in enumerate(ids)]
    # As many to the left as to the right, as far as the text goes.
    first = min(max(0, (inside[0] + inside[-1] + 1 - size) // 2), max(0, len(ids) - size))
    window = [tokenizer.cls_token_id, *hidden[first : first + size], tokenizer.sep_token_id]
    with torch.no_grad():
        shares = torch.log_softmax(model(torch.tensor([window])).logits[0], dim=-1)
    values = [float(shares[1 + n - first, ids[n]]) for n in inside]
    middle = statistics.median(values)
    return [min(values), max(values), middle, statistics.fmean(values), sum(values)]


@pytest.mark.parametrize("family", ["bert", "roberta"])
@pytest.mark.parametrize("positions", [130, 18])
def test_features_are_those_of_the_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, family: str, positions: int
) -> None:
    """In a window that holds the text, and in one that holds a part of it."""
    pytest.importorskip("transformers", reason="needs the extra 'hf'")
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")
    from tacenda.evaluate.weights import HuggingFaceModel

    folder = tiny.encoder(
        tmp_path / "lm", family, "AutoModelForMaskedLM", max_position_embeddings=positions
    )
    model = HuggingFaceModel(str(folder))
    found = read_entities(DOCUMENT, ENTITIES, model, Context.ENTIRE)
    assert found.owners.tolist() == [0, 0, 1, 2]
    expected = [
        by_transformers(folder, TEXT, each.span.start, each.span.end, model.window)
        for each in SPANS
    ]
    np.testing.assert_allclose(found.features, expected, rtol=1e-4)
    lowest = [min(expected[0][4], expected[1][4]), expected[2][4], expected[3][4]]
    np.testing.assert_allclose(found.sums, lowest, rtol=1e-4)


def test_nothing_but_the_span_is_hidden_and_all_of_it_is_asked_for() -> None:
    """Another mention of the entity is shown; of a span longer than a window each part is asked for, all of it hidden."""
    model = Words(6)
    read_entities(Document("d", "Ada met Bo. Ada left."), [], model, Context.ENTIRE)
    assert model.asked == []
    short = Document("d", "Ada met Bo. Ada left.")
    read_entities(short, [entity("e1", mention(short, "Ada"))], model, Context.ENTIRE)
    assert [model.shown(question) for question in model.asked] == ["_ met Bo Ada left"]
    model = Words(6)
    long = Document("d", " ".join(f"w{n}" for n in range(14)))
    span = mention(long, "w2 w3 w4 w5 w6 w7 w8 w9 w10", "MISC")
    found = read_entities(long, [entity("e1", span)], model, Context.ENTIRE)
    assert [len(question.targets) for question in model.asked] == [6, 3]
    assert [model.shown(question) for question in model.asked] == [
        "_ _ _ _ _ _",
        "_ _ _ _ _ w11",
    ]
    # By hand: nothing shown, 1 in 10; one other shown, 1 in 11.
    total = 6 * np.log(1 / 10) + 3 * np.log(1 / 11)
    assert found.features[0][[0, 1, 4]] == pytest.approx([np.log(1 / 11), np.log(1 / 10), total])


def test_the_features_are_five_and_the_type() -> None:
    """No product of any with the type."""
    (row,) = feature_rows(np.arange(5.0)[None], [SemanticType.DEM], Context.ENTIRE)
    assert row == {"min": 0, "max": 1, "median": 2, "mean": 3, "sum": 4, "type DEM": 1}


def test_an_entity_is_as_risky_as_its_riskiest_mention() -> None:
    """What has no subword says nothing; one mention with one speaks for its entity."""
    document = Document("d", "Ada met Ada Lovelace. ...")
    items = [
        entity("e1", mention(document, "Ada"), mention(document, "Ada Lovelace")),
        entity("e2", mention(document, "...", "MISC")),
        entity("e3", mention(document, "...", "MISC"), mention(document, "met", "MISC")),
    ]
    found = read_entities(document, items, Words(), Context.ENTIRE)
    assert found.owners.tolist() == [0, 0, 1, 2]
    weights = {"sum": -1.0}
    ada, nothing, met = LanguageRisk(Words(), weights, Context.ENTIRE).judge(document, items)
    assert nothing is None
    assert ada is not None
    assert met is not None
    values = [chance(weights, {"sum": total}) for total in found.features[:, 4]]
    assert ada.evidence.value == max(values[:2])
    low = Threshold(float(found.sums[0]) + 0.01, 0.9, 0.1)
    ada, nothing, met = LanguageThreshold(Words(), low, Context.ENTIRE).judge(document, items)
    assert nothing is None
    assert ada is not None
    assert met is not None
    assert (ada.evidence.value, met.evidence.value) == (0.9, 0.1)


def test_the_regression_is_at_the_optimum() -> None:
    """On five features scaled to a deviation of 1, and the type, the gradient of likelihood and ridge is 0."""
    masked = ((True, False, True), (False, True, True), (True, True, False))
    observed = [
        observe(AnnotatorView(DOCUMENT, ENTITIES, each), Words(), Context.ENTIRE) for each in masked
    ]
    weights = dict(fit(observed, "words@0").weights)
    constant = weights.pop("constant")
    assert sorted(weights) == sorted(
        ["min", "max", "median", "mean", "sum", "type PERSON", "type LOC", "type MISC"]
    )
    rows = [row for each in observed for row in each.rows()]
    # Both mentions of the person have its label.
    labels = np.array([label for one, two, three in masked for label in (one, one, two, three)])
    matrix = np.array([[row.get(name, 0.0) for name in weights] for row in rows])
    slopes = np.array(list(weights.values()))
    chances = 1 / (1 + np.exp(-(matrix @ slopes + constant)))
    scale = matrix.std(axis=0)
    centred = (matrix - matrix.mean(axis=0)) / scale
    assert (chances - labels).sum() == pytest.approx(0, abs=1e-3)
    np.testing.assert_allclose((chances - labels) @ centred + slopes * scale, 0, atol=1e-3)


def test_the_command_fits_to_several_files_and_a_policy_reads_as_it_was_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--context entire`` with two files; the folder and its card know the context."""
    monkeypatch.setattr("tacenda_lab.indicators.open_language_model", lambda _: Words())
    for number, name in enumerate(("tab", "biographies")):
        documents = tiny.documents(6 * number, 6 * number + 6)
        for document in documents[::2]:
            view = document["annotations"]["a0"]  # type: ignore[index]
            view["entity_mentions"][1]["identifier_type"] = "NO_MASK"
        (tmp_path / f"{name}.json").write_text(json.dumps(documents), encoding="utf-8")
    files = [str(tmp_path / "tab.json"), str(tmp_path / "biographies.json")]
    options = ["--context", "entire", "--out", str(tmp_path / "risk")]
    run = CliRunner().invoke(
        app, ["lab", "train", "language-risk", *files, *options], catch_exceptions=False
    )
    assert run.exit_code == 0, run.output
    weights = load_language_risk(tmp_path / "risk")
    assert weights.context is Context.ENTIRE
    assert not any(" of " in name for name in weights.weights)
    card = (tmp_path / "risk/CARD.md").read_text(encoding="utf-8")
    assert "24 entities in 12 documents" in card
    assert "around each mention by itself" in card
