"""The emulated search that ships, and what it refuses."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.document import Document, Entity, IdentifierType
from tacenda.errors import ModelError
from tacenda.explain import sentences
from tacenda.models.networks import AttackerModel
from tacenda.models.store import digest, find
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.policy.loading import shipped as shipped_policies
from tacenda.risk.indicators import CombinationIndicator
from tacenda.risk.registry import load_indicators
from tacenda_lab.indicators.emulated_search import (
    ARRAYS_FILE,
    DEFAULT_EMULATION,
    EMULATION_FILE,
    FACTS,
    PredictedSearch,
    confidence,
    entity_features,
    load_emulation,
)
from tests.building import entity, mention

DOCUMENT = Document(
    "d",
    "The case originated in an application (no. 48292/07) against the Republic of Turkey by Mr Zebulon "
    "Quetz. He was born in 1961 and lives in Ordu, was a teacher and was arrested on 3 March 1999 by "
    "the police. He was a member of the Ordu branch of the union of weavers.",
    ("Zebulon Quetz",),
)
ENTITIES = [
    entity("e1", mention(DOCUMENT, "48292/07", "CODE"), number=1),
    entity("e2", mention(DOCUMENT, "Turkey", "LOC"), number=2),
    entity("e3", mention(DOCUMENT, "Zebulon Quetz"), number=3),
    entity("e4", mention(DOCUMENT, "1961", "DATETIME"), number=4),
    entity("e5", mention(DOCUMENT, "teacher", "DEM"), number=5),
    entity("e6", mention(DOCUMENT, "3 March 1999", "DATETIME"), number=6),
    entity("e7", mention(DOCUMENT, "police", "ORG"), number=7),
]


@pytest.fixture(scope="module")
def shipped() -> PredictedSearch:
    """Return the indicator that ships."""
    return PredictedSearch.shipped()


def chances(indicator: PredictedSearch, document: Document, entities: list[Entity]) -> list[float]:
    """Return what is said of each entity, -1 where nothing is."""
    return [-1 if f is None else f.evidence.value for f in indicator.judge(document, entities)]


def test_a_policy_asks_by_name() -> None:
    """It judges by a probability and names itself; it knows combinations, too."""
    (indicator,) = load_indicators(["search_emulated"])
    assert isinstance(indicator, CombinationIndicator)
    for finding in indicator.judge(DOCUMENT, ENTITIES):
        assert finding is not None
        assert finding.evidence.indicator == "search_emulated"
        assert 0 <= finding.evidence.value <= 1


def test_no_shipped_policy_asks_for_it() -> None:
    """It is off by default."""
    for name in shipped_policies():
        assert "search_emulated" not in Policy.load(name).indicators


def test_what_nobody_else_has_leads_to_the_person(shipped: PredictedSearch) -> None:
    """A case number and a rare name do; a state and the police, of whom all judgments speak, do not."""
    code, state, name, _, _, _, police = shipped.judge(DOCUMENT, ENTITIES)
    for rare in (code, name):
        assert rare is not None
        assert rare.identifier is IdentifierType.QUASI
        assert rare.evidence.value > 0.7
    for common in (state, police):
        assert common is not None
        assert common.identifier is IdentifierType.NO_MASK
        assert common.evidence.value < 0.3


def test_combinations_are_minimal_and_of_what_is_not_risky_alone() -> None:
    """No risky combination holds another one, up to the arity; the riskiest are first."""
    indicator = PredictedSearch(load_emulation(), AttackerModel.load(), arity=3)
    found = indicator.combinations(DOCUMENT, ENTITIES)
    sets = [set(each.entity_ids) for each in found]
    assert {1, 2} <= {len(each) for each in sets}
    assert max(map(len, sets)) <= 3
    assert not any(a < b for a in sets for b in sets)
    assert [each.risk for each in found] == sorted((each.risk for each in found), reverse=True)
    risky = {
        e.id
        for e, f in zip(ENTITIES, indicator.judge(DOCUMENT, ENTITIES), strict=True)
        if f is not None and f.identifier is IdentifierType.QUASI
    }
    assert {id for each in sets if len(each) == 1 for id in each} == risky


def test_only_the_riskiest_combinations_are_listed() -> None:
    """``most`` keeps the first ones."""
    full = PredictedSearch(load_emulation(), AttackerModel.load())
    short = PredictedSearch(load_emulation(), AttackerModel.load(), limit=2)
    expected = full.combinations(DOCUMENT, ENTITIES)[:2]
    assert short.combinations(DOCUMENT, ENTITIES) == expected


def test_without_entities_there_is_nothing(shipped: PredictedSearch) -> None:
    """No entity, no finding and no combination."""
    assert shipped.judge(DOCUMENT, []) == []
    assert shipped.combinations(DOCUMENT, []) == ()


def test_one_entity_is_judged_alone(shipped: PredictedSearch) -> None:
    """A single rare entity is one finding and one combination of one."""
    (finding,) = shipped.judge(DOCUMENT, ENTITIES[:1])
    (found,) = shipped.combinations(DOCUMENT, ENTITIES[:1])
    assert finding is not None
    assert found.entity_ids == ("e1",)
    assert found.risk == finding.evidence.value


def test_where_nobody_is_to_be_protected_it_says_nothing(shipped: PredictedSearch) -> None:
    """As a search that has no name to ask for."""
    bare = replace(DOCUMENT, target=())
    others = [each for each in ENTITIES if each.id != "e3"]
    assert shipped.judge(bare, others) == [None] * len(others)
    assert shipped.combinations(bare, others) == ()
    # Everybody named in the document is protected where there is no target.
    assert None not in shipped.judge(bare, ENTITIES)


def test_what_has_no_word_is_not_judged(shipped: PredictedSearch) -> None:
    """A search could not be asked for a dash."""
    text = Document("d", "Mr Quetz — of Ordu.", ("Quetz",))
    dash, city = shipped.judge(
        text, [entity("e1", mention(text, "—", "MISC")), entity("e2", mention(text, "Ordu", "LOC"))]
    )
    assert dash is None
    assert city is not None


def test_scripts_and_marks_are_read(shipped: PredictedSearch) -> None:
    """Names in any script have a probability; the way an accent is written changes nothing."""
    strings = ["Ωνάσης", "王小明", "محمد علي", "İsmail Çağlar", "👩‍⚖️ Σ", "a" * 5_000]
    text = Document("d", " | ".join(strings), ("İsmail Çağlar",))
    entities = [entity(f"e{i}", mention(text, string)) for i, string in enumerate(strings)]
    assert all(0 <= chance <= 1 for chance in chances(shipped, text, entities))
    composed, decomposed = (
        Document("d", string, ("Quetz",)) for string in ("Caf\u00e9 Noir", "Cafe\u0301 Noir")
    )
    values = [
        entity_features(
            each, [entity("e1", mention(each, each.text, "ORG"))], (), AttackerModel.load()
        )
        for each in (composed, decomposed)
    ]
    assert values[0] is not None
    assert values[1] is not None
    assert np.array_equal(values[0].vectors, values[1].vectors)


@settings(max_examples=25)
@given(st.text(min_size=1, max_size=30))
def test_any_string_is_read(string: str) -> None:
    """Whatever a recognizer may call an entity has a probability, or nothing to search for."""
    text = Document("d", f"Quetz {string}", ("Quetz",))
    found = PredictedSearch(load_emulation(), AttackerModel.load()).judge(
        text, [entity("e1", mention(text, text.text[6:], "MISC"))]
    )
    assert all(each is None or 0 <= each.evidence.value <= 1 for each in found)


def test_it_is_deterministic_and_company_changes_nothing_of_an_entity() -> None:
    """Twice the same; the vector of a phrase doesn't depend on what else is read."""
    one, two = (PredictedSearch.shipped() for _ in range(2))
    assert one.judge(DOCUMENT, ENTITIES) == two.judge(DOCUMENT, ENTITIES)
    assert one.combinations(DOCUMENT, ENTITIES) == two.combinations(DOCUMENT, ENTITIES)
    encoder = AttackerModel.load()
    together = entity_features(DOCUMENT, ENTITIES, (), encoder)
    assert together is not None
    for number, each in enumerate(ENTITIES):
        alone = entity_features(DOCUMENT, [each], (), encoder)
        assert alone is not None
        assert np.allclose(alone.vectors[0], together.vectors[number], atol=1e-5)


def test_the_order_of_a_combination_changes_nothing() -> None:
    """What is pooled knows no order."""
    seen = entity_features(DOCUMENT, ENTITIES, (), AttackerModel.load())
    assert seen is not None
    there, back = (
        confidence(load_emulation().arrays, seen, np.array([order])) for order in ([1, 4], [4, 1])
    )
    assert there == pytest.approx(back)


def test_a_document_is_decided_with_it() -> None:
    """Asked by a policy, its evidence stands beside the recognizer's and raises the risk."""
    policy = Policy(indicators=("search_emulated",))
    result = load(policy).sanitize(DOCUMENT.text, target="Zebulon Quetz")
    reasons = [reason for decision in result.decisions for reason in sentences(decision)]
    assert any("emulated: nothing was searched" in reason for reason in reasons)
    assert "48292/07" not in result.text


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    """One byte more and it does not load; another model is no emulation."""
    for number, name in enumerate((ARRAYS_FILE, EMULATION_FILE)):
        copy = Path(shutil.copytree(find(DEFAULT_EMULATION).folder, tmp_path / str(number)))
        with (copy / name).open("ab") as file:
            file.write(b"\0")
        with pytest.raises(ModelError, match=rf"{name} has SHA-256"):
            load_emulation(copy)
    with pytest.raises(ModelError, match="ranker-en emulates no search"):
        load_emulation("ranker-en")


@pytest.mark.parametrize(
    ("name", "content"),
    [(EMULATION_FILE, b"{}"), (ARRAYS_FILE, b"PK"), (ARRAYS_FILE, b"")],
)
def test_files_that_hold_no_network_are_an_error(tmp_path: Path, name: str, content: bytes) -> None:
    """Also where their digests fit."""
    copy = Path(shutil.copytree(find(DEFAULT_EMULATION).folder, tmp_path / "copy"))
    (copy / name).write_bytes(content)
    digests = {path: digest(copy / path) for path in ("CARD.md", ARRAYS_FILE, EMULATION_FILE)}
    (copy / "digests.json").write_text(json.dumps(digests), encoding="utf-8")
    with pytest.raises(ModelError, match="contain no network; rebuild it"):
        load_emulation(copy)


def test_weights_of_another_encoder_or_other_facts_are_refused() -> None:
    """Their numbers mean something else."""
    emulation, encoder = load_emulation(), AttackerModel.load()
    assert emulation.facts == FACTS
    with pytest.raises(ModelError, match="fitted to the vectors of other"):
        PredictedSearch(replace(emulation, encoder="other"), encoder)
    with pytest.raises(ModelError, match="other facts of an entity"):
        PredictedSearch(replace(emulation, facts=FACTS[1:]), encoder)


def test_limits_are_checked() -> None:
    """The message has the value and what is allowed."""
    emulation, encoder = load_emulation(), AttackerModel.load()
    with pytest.raises(ValueError, match="arity is 0; at least 1"):
        PredictedSearch(emulation, encoder, arity=0)
    with pytest.raises(ValueError, match="limit is 0; at least 1"):
        PredictedSearch(emulation, encoder, limit=0)
    with pytest.raises(ValueError, match=r"arity is 4; the network was fitted to .* up to 3"):
        PredictedSearch(emulation, encoder, arity=4)
