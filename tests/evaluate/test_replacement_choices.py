"""Our choice against people's, people against one another, and faults of options, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.document import Document, Entity, Option
from tacenda.evaluate.agreement import cohen_kappa
from tacenda.evaluate.replacement_gold import light_kappa, measure_annotators, parse_replacements
from tacenda_lab.evaluation.replacements import find_faults, measure_choices

from .test_replacements import GOLD, offer

SPANS = parse_replacements(GOLD)


def first(document: Document, entity: Entity, options: tuple[Option, ...]) -> Option:
    """Take the most specific option."""
    return options[0]


def last(document: Document, entity: Entity, options: tuple[Option, ...]) -> Option:
    """Take suppression."""
    return options[-1]


def test_our_choice_against_people_by_hand() -> None:
    """Bob both, Ada once one of two and once none, 1815 and Ulm none."""
    found = measure_choices(SPANS, offer, first)
    total = found.total
    assert (total.spans, total.any, total.most) == (5, 2, 2)
    assert (total.choices, total.same) == (10, 3)
    # Ulm has nothing but ***; Ada's second mention is what people suppressed, and one of two hers.
    assert (total.suppressed, total.people_suppressed) == (1, 2)
    # Level 1 for Bob twice, for Ada 1 to 1 and 1 to 2 three times, 1 to 2 of the decade.
    assert (total.compared, total.difference) == (7, -4)
    assert found.by_type["LOC"].mean_difference is None
    assert found.as_json()["by_type"]["PERSON"]["share_chosen_by_most"] == pytest.approx(2 / 3)


def test_suppression_is_more_general_than_people() -> None:
    """Its level is the last, so that the difference is positive."""
    found = measure_choices(SPANS, offer, last)
    assert found.total.suppressed == 5
    assert found.total.mean_difference == pytest.approx((2 + 1 + 1) / 7)


def test_cohens_example() -> None:
    """Cohen, "A Coefficient of Agreement for Nominal Scales" (1960), Table 1: κ = .492."""
    table = ((88, 14, 18), (10, 40, 10), (2, 6, 12))
    pairs = {(i, j): n for i, row in enumerate(table) for j, n in enumerate(row)}
    assert cohen_kappa(pairs) == pytest.approx(0.492, abs=5e-4)


def test_lights_kappa_is_the_mean_of_pairs() -> None:
    """Raters 1 to 3 of Fleiss' psychiatric diagnoses (R package irr): .651, .384, .631 → .555."""
    assert light_kappa([0.651, 0.384, 0.631]) == pytest.approx(0.555, abs=5e-4)
    assert light_kappa([0.5, None]) == 0.5
    assert light_kappa([None]) is None


def test_annotators_by_hand() -> None:
    """X and y share Bob and both mentions of Ada; y and z share 1815, with one label: undefined."""
    found = measure_annotators(SPANS)
    assert found.annotators == ("x", "y", "z")
    assert found.spans == 4
    assert found.shared == {("x", "y"): 4, ("x", "z"): 1, ("y", "z"): 1}
    # Of four two agree; x: 2 · 1 · *** · decade, y: 2 · *** · *** · 1815; by chance 3/16.
    assert found.kappa[("x", "y")] == pytest.approx((2 / 4 - 3 / 16) / (1 - 3 / 16))
    assert found.kappa[("x", "z")] == 0
    assert found.kappa[("y", "z")] is None
    assert found.light_kappa == pytest.approx((5 / 13) / 2)
    assert found.as_json()["pairs"][2] == {
        "annotators": ["y", "z"],
        "spans": 1,
        "cohen_kappa": None,
    }


def test_faults_are_found_with_their_place() -> None:
    """An option with the name in it, and a class that is not above what is linked; each once."""
    options = {
        "Ada": [("friend of ada", "rule:x"), ("programmer", "ontology:Q1")],
        "Ulm": [("city", "ontology:Q2"), ("head", "ontology:head")],
    }

    def offer_some(document: Document, entity: Entity) -> tuple[Option, ...]:
        texts = options.get(entity.mentions[0].span.of(document.text), [])
        texts = [*texts, ("***", "suppress")]
        return tuple(Option(text, n, source, 0.1, 0.1) for n, (text, source) in enumerate(texts))

    found = find_faults(SPANS, offer_some, lambda *_: frozenset(("ontology:Q2",)))
    assert (found.options, found.naming, found.linked, found.untrue) == (4, 1, 2, 1)
    assert found.places == ("d 0-3 1", "d 0-3 2")
    assert find_faults(SPANS, offer_some).linked == 0


def test_the_heat_map_is_drawn(tmp_path: Path) -> None:
    """A cell a pair with its κ, a dash where it is undefined, and Light's κ above."""
    pytest.importorskip("matplotlib")
    from tacenda_lab.evaluation.plots import kappa_map, save

    save(kappa_map(measure_annotators(SPANS)), tmp_path / "map.svg")
    drawn = (tmp_path / "map.svg").read_text("utf-8")
    assert all(f">{text}<" in drawn for text in ("0.38", "0.00", "–"))
    assert "0.19" in drawn
    save(kappa_map(measure_annotators(SPANS[:0])), tmp_path / "none.png")
    assert (tmp_path / "none.png").stat().st_size
