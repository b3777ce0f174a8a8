"""Rows of the papers on risk: who decides, by which probabilities, and with whose indicators."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.document import (
    Assessment,
    Document,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    SemanticType,
    Span,
)
from tacenda.errors import ModelError
from tacenda.evaluate.gold import parse_gold
from tacenda_lab.reproduce import indicators, risk_measures, toy
from tacenda_lab.reproduce.gold_entities import views
from tacenda_lab.reproduce.means import Means
from tacenda_lab.reproduce.recognition import SpacyNames, fine_tuned
from tacenda_lab.reproduce.strategies import Judged, cheapest_cover, optimized, with_direct
from tacenda_lab.reproduce.tables import NotHere
from tacenda_lab.reproduce.workbench import Workbench


def entity(number: int) -> Entity:
    """An entity of one mention."""
    span = Span(2 * number, 2 * number + 1)
    mention = Mention(span, SemanticType.PERSON, 0.5, 0.0, MentionSource.NEURAL)
    return Entity(f"e{number}", SemanticType.PERSON, number, (mention,))


@pytest.mark.parametrize(
    ("prices", "forced", "masked"),
    [
        ([1.0, 9.0, 1.0], (), [True, False, True]),
        ([1.0, 1.5, 1.0], (), [False, True, False]),
        ([1.0, 9.0, 1.0], (False, True, False), [False, True, False]),
    ],
)
def test_the_cheapest_set_breaks_all_combinations(
    prices: list[float], forced: tuple[bool, ...], masked: list[bool]
) -> None:
    """By hand: of the pairs of 0 and 1, and 1 and 2, either the one in both is masked, or the two others."""
    entities = [entity(number) for number in range(3)]
    assert cheapest_cover(entities, [(0, 1), (1, 2)], prices, forced) == masked


def test_what_is_risky_alone_is_masked() -> None:
    """A combination of one entity leaves no choice."""
    assert cheapest_cover([entity(0), entity(1)], [(1,)], [1.0, 99.0]) == [False, True]


def test_direct_identifiers_are_masked_for_it_only_where_a_rule_says_so() -> None:
    """By hand: 0 is direct and named by no measure; of the pair of 1 and 2 the cheaper one is masked."""
    identifiers = (IdentifierType.DIRECT, IdentifierType.QUASI, IdentifierType.QUASI)
    assessments = tuple(
        Assessment(entity(number), 0.5, identifier, ())
        for number, identifier in enumerate(identifiers)
    )
    judged = Judged(
        Document("d", "a b c"), assessments, {"web": [(1, 2)], "other": [(2,)]}, [9.0, 1.0, 2.0]
    )
    assert optimized(judged, ["web"]) == [False, True, False]
    assert optimized(judged, ["web", "other"]) == [False, False, True]
    assert with_direct(lambda each: optimized(each, ["web"]))(judged) == [True, True, False]


def test_fine_tuned_rows_have_both_readings(tmp_path: Path) -> None:
    """The paper's columns come first and alone have its figures; recall of direct identifiers only rises in the others."""
    toy.write(tmp_path / "data")
    table = made(risk_measures, "Table 3").make(Workbench(tmp_path / "data", tmp_path / "work"))
    half = len(table.columns) // 2
    assert table.columns[half:] == tuple(f"{name}, direct masked" for name in table.columns[:half])
    assert all(row[half:] == (None,) * half for row in table.paper.values())
    direct = table.columns.index("R_direct")
    for row in table.ours.values():
        assert row[direct] is not None
        assert row[direct] <= row[direct + half]
    for name in ("mask all", "mask most specific"):
        assert table.ours[name][:half] == table.ours[name][half:]


@pytest.mark.parametrize("has_silver", [True, False])
def test_the_fine_tuned_recognizer_starts_from_silver_labels(
    has_silver: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there are some, what learned from them goes on with the types of train, once; else the encoder itself does."""
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from tacenda_lab.train import zero_shot

    steps: list[tuple[str, str]] = []

    def fit(source: Path, student: str, folder: Path) -> None:
        steps.append((Path(student).name.partition("-")[0], source.name))
        folder.mkdir(parents=True)
        (folder / "digests.json").write_text("{}")

    monkeypatch.setattr(zero_shot, "fine_tune", fit)
    monkeypatch.setattr(zero_shot, "fine_tune_further", fit)
    data, encoder = tmp_path / "data", tmp_path / "encoder"
    toy.write(data)
    encoder.mkdir()
    (encoder / "config.json").write_text("{}")
    if has_silver:
        (data / "silver.json").write_text("[]")
    bench = Workbench(data, tmp_path / "work", Means(encoder=str(encoder)))
    folders = [fine_tuned(bench), fine_tuned(bench)]
    last = ("zero" if has_silver else "encoder", "echr_train.json")
    assert steps == [*([("encoder", "silver.json")] if has_silver else []), last]
    assert folders[0] == folders[1]
    assert fine_tuned(Workbench(data, tmp_path / "work")) is None


def test_gold_entities_have_the_probabilities_of_their_words() -> None:
    """The riskiest word, and the least risky one: here a word that nobody found."""
    mention = {
        "entity_type": "ORG",
        "entity_mention_id": "m",
        "start_offset": 0,
        "end_offset": 9,
        "span_text": "Old Court",
        "identifier_type": "QUASI",
        "entity_id": "e",
        "confidential_status": "NOT_CONFIDENTIAL",
    }
    (gold,) = parse_gold(
        [
            {
                "doc_id": "d",
                "text": "Old Court.",
                "dataset_type": "dev",
                "annotations": {"a": {"entity_mentions": [mention]}},
            }
        ]
    )
    found = Mention(Span(4, 9), SemanticType.ORG, 0.8, 0.1, MentionSource.NEURAL)
    (((one,), masked),) = views(gold, [found])
    (each,) = one.mentions
    assert (each.p_mask, each.p_direct, each.p_mask_min_word, masked) == (0.8, 0.1, 0.0, [True])
    (((one,), _),) = views(gold)
    assert one.mentions[0].p_mask == 1


def test_users_indicators_take_the_place_of_their_kind(tmp_path: Path) -> None:
    """By the kind before the colon; the others stay as shipped, and a folder without one is refused."""
    means = Means(indicators=("span:mine", "language_automl:auto"))
    workbench = Workbench(tmp_path, tmp_path / "work", means)
    assert workbench.indicator("span") == "span:mine"
    assert workbench.indicator("language_automl") == "language_automl:auto"
    assert workbench.indicator("language") == "language"
    toy.write(tmp_path / "data")
    means = Means(indicators=(f"language_threshold:{tmp_path / 'none'}",))
    bench = Workbench(tmp_path / "data", tmp_path / "work", means)
    with pytest.raises(ModelError):
        made(risk_measures, "Table 3").make(bench)


def test_a_language_model_is_fitted_to_the_training_split(tmp_path: Path) -> None:
    """The indicators that ask it have its folder; without the split there is nothing to fit to."""
    workbench = Workbench(tmp_path, tmp_path / "work", Means(lm="hf:somewhere"))
    assert workbench.indicator("span") == "span"
    pytest.importorskip("sklearn", reason="needs the extra 'train'")
    with pytest.raises(NotHere, match=r"echr_train\.json"):
        workbench.indicator("perturbation")


def made(module: object, name: str) -> indicators.Experiment:
    """An experiment of a paper by its name."""
    return next(each for each in module.EXPERIMENTS if each.name == name)  # type: ignore[attr-defined]


def test_the_zero_shot_half_needs_a_recognizer(tmp_path: Path) -> None:
    """What it is called and what makes one is said."""
    toy.write(tmp_path)
    with pytest.raises(NotHere, match="tacenda lab train zero-shot"):
        made(risk_measures, "Table 3, zero-shot").make(Workbench(tmp_path, tmp_path / "work"))


def test_automl_is_named_where_it_is_missing(tmp_path: Path) -> None:
    """By the option and the command that fits it."""
    with pytest.raises(NotHere, match="language-risk --automl"):
        made(indicators, "Appendix D").make(Workbench(tmp_path, tmp_path / "work"))


def test_names_of_spacy_have_semantic_types(tmp_path: Path) -> None:
    """GPE is a place, PERSON a person."""
    pytest.importorskip("spacy", reason="needs spaCy")
    names = SpacyNames(str(toy.spacy_pipeline(tmp_path / "spacy")))
    (mentions,) = names.detect([Document("d", "Sean Byrne lives in Cork.")])
    assert [each.type for each in mentions] == [SemanticType.PERSON, SemanticType.LOC]
