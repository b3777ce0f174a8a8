"""Several systems on the same documents, and the test of their difference."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tacenda.document import Span
from tacenda.errors import InputError
from tacenda.evaluate.evaluation import compare, paired_test
from tacenda.evaluate.gold import GoldDocument, parse_gold
from tacenda.evaluate.metrics import DocumentStatistics, Share, Tally

from .corpus import standoff

TEXT = "Anna spoke."
NAME = (Span(0, 4),)


def gold(n: int) -> tuple[GoldDocument, ...]:
    """Return documents d0, d1, … with one direct identifier each."""
    marked: dict[str, Any] = {"a": [("Anna", "PERSON", "DIRECT", "e")]}
    return parse_gold([standoff(TEXT, marked, f"d{idx}") for idx in range(n)])


def test_each_system_is_compared_with_the_first() -> None:
    """Differences are the system's figure minus the baseline's."""
    none = {f"d{idx}": () for idx in range(8)}
    every = {f"d{idx}": NAME for idx in range(8)}
    comparison = compare(gold(8), {"none": none, "all": every, "again": none})
    tests = {(test.system, test.metric): test for test in comparison.tests}
    assert tests["all", "entity_recall"].difference == 1.0
    assert tests["all", "entity_recall"].baseline == "none"
    assert tests["again", "entity_recall"].difference == 0.0
    assert tests["again", "entity_recall"].p_value == 1.0


def test_only_common_documents_count() -> None:
    """Systems are compared on the same documents, and the notes say so."""
    systems = {"one": {"d0": NAME, "d1": NAME}, "other": {"d1": (), "d9": ()}}
    comparison = compare(gold(2), systems)
    assert {report.documents for report in comparison.reports.values()} == {1}
    assert any("compared on the 1 documents" in note for note in comparison.notes)
    assert any("other: 1 document not in the gold ignored: d9" in n for n in comparison.notes)


def test_nothing_in_common_is_an_error() -> None:
    """There must be a document that all systems have predictions for."""
    with pytest.raises(InputError, match="has a prediction of all 2 systems"):
        compare(gold(2), {"one": {"d0": NAME}, "other": {"d1": NAME}})
    with pytest.raises(InputError, match="no system"):
        compare(gold(1), {})


def test_the_p_value_is_that_of_all_swaps() -> None:
    """With few documents it is near the share of the 2ⁿ swaps that differ as much."""
    hits = [(0, 1), (1, 1), (0, 1), (1, 1), (0, 1), (1, 0), (0, 1)]
    metric = Share("recall", ("x",))
    first, second = (
        [DocumentStatistics(str(i), {"x": Tally(pair[side], 1)}) for i, pair in enumerate(hits)]
        for side in (0, 1)
    )
    differences = [
        abs(sum((b - a) * sign for (a, b), sign in zip(hits, signs, strict=True)))
        for signs in product((1, -1), repeat=len(hits))
    ]
    observed = sum(b - a for a, b in hits)
    exact = sum(value >= observed for value in differences) / len(differences)
    difference, p_value = paired_test(first, second, [metric], trials=4000)["recall"]
    assert difference == pytest.approx(observed / len(hits))
    assert p_value == pytest.approx(exact, abs=0.03)


def test_undefined_figures_are_not_tested() -> None:
    """A recall over nothing has no difference."""
    comparison = compare(gold(1), {"one": {"d0": NAME}, "other": {"d0": ()}})
    assert "entity_recall_quasi" not in {test.metric for test in comparison.tests}
