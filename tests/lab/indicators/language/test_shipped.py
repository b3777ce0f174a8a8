"""The language model that ships and what was fitted to it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tacenda.document import Document
from tacenda.errors import ModelError
from tacenda.evaluate.weights import weighting
from tacenda.models.networks import DEFAULT_LANGUAGE_MODEL, LanguageModel
from tacenda.models.store import find
from tacenda.risk.indicators import CombinationIndicator
from tacenda.risk.registry import load_indicators
from tacenda_lab.indicators.language import features
from tests.building import entity, mention

DOCUMENT = Document(
    "d",
    "The case originated in an application against the Republic of Turkey lodged with the Court by "
    "a Turkish national, Mr Zebulon Quetz. Mr Quetz was born in 1961 and lives in Ordu.",
    ("Zebulon Quetz",),
)
ENTITIES = [
    entity("e1", mention(DOCUMENT, "Republic of Turkey", "LOC")),
    entity("e2", mention(DOCUMENT, "Zebulon Quetz"), mention(DOCUMENT, "Quetz", nth=1)),
    entity("e3", mention(DOCUMENT, "1961", "DATETIME")),
]


def test_it_is_small() -> None:
    """At most 30 MB on disk."""
    assert find(DEFAULT_LANGUAGE_MODEL).size <= 30_000_000


def test_what_a_judgment_always_says_is_less_surprising() -> None:
    """A subword of a state told by its neighbours is likelier than one of a name that nobody has."""
    state, name, _ = features(DOCUMENT, ENTITIES, LanguageModel.load())
    assert state[3] > name[3] + 1


def test_weights_of_tokens_need_no_folder() -> None:
    """``--weights lm`` is the shipped model, and its name tells which one that was."""
    surprisal = weighting("lm")
    spans = [mention(DOCUMENT, word).span for word in ("Zebulon", "Turkey")]
    name, state = surprisal.weights(DOCUMENT.text, spans)
    assert surprisal.name.startswith(f"lm:{DEFAULT_LANGUAGE_MODEL}@")
    assert name > state > 0


def test_a_changed_model_is_refused(tmp_path: Path) -> None:
    """One byte more and it does not load."""
    copy = Path(shutil.copytree(find(DEFAULT_LANGUAGE_MODEL).folder, tmp_path / "copy"))
    with (copy / "model.onnx").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ModelError, match=r"model\.onnx has SHA-256"):
        LanguageModel.load(copy)
    with pytest.raises(ModelError, match="ranker-en is not a language model"):
        LanguageModel.load("ranker-en")


@pytest.mark.parametrize("name", ["language", "language_threshold", "perturbation"])
def test_a_policy_asks_by_name(name: str) -> None:
    """Each judges by what was fitted, as a probability, and names itself in its evidence."""
    (indicator,) = load_indicators([name])
    findings = indicator.judge(DOCUMENT, ENTITIES)
    # The target's own name is what the perturbation asks for, not what it judges.
    judged = [finding for finding in findings if finding is not None]
    assert len(judged) == (2 if name == "perturbation" else 3)
    for finding in judged:
        assert finding.evidence.indicator == name
        assert 0 < finding.evidence.value < 1


def test_combinations_are_asked_for_by_name() -> None:
    """Two long and odd entities are risky together; the state and a year are not."""
    (indicator,) = load_indicators(["language_together"])
    assert isinstance(indicator, CombinationIndicator)
    odd = "the Xylograph of Quuxville, a zither-playing yak breeder of Ytterby"
    text = Document("d", f"{DOCUMENT.text} He was {odd}. His wife was {odd[::-1]}.")
    long = [entity("e4", mention(text, odd, "DEM")), entity("e5", mention(text, odd[::-1], "DEM"))]
    found = [each.entity_ids for each in indicator.combinations(text, [*ENTITIES, *long])]
    assert found
    assert all({"e4", "e5"} & set(ids) for ids in found)
    assert ("e1", "e3") not in found
