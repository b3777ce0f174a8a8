"""The coefficients give the values of published worked examples."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.evaluate.agreement import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    observed_agreement,
)

FLEISS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]
"""Ten subjects, fourteen raters, five categories: the example of the article on Fleiss' κ."""

DIAGNOSES = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
""".split()
"""Thirty patients, six psychiatrists, five diagnoses (Fleiss 1971, Table 1)."""

KRIPPENDORFF = [
    "123321412...",
    "1233224125.3",
    ".3332342251.",
    "12332441251.",
]
"""Four observers, twelve units (Krippendorff 2011, Computing alpha-reliability, example C)."""


def by_unit(rows: list[str]) -> Counter[tuple[str | None, ...]]:
    """Return the items of observers' rows; a dot is a missing value."""
    columns = zip(*rows, strict=True)
    return Counter(tuple(None if value == "." else value for value in unit) for unit in columns)


def test_fleiss_kappa_of_the_published_example() -> None:
    """P is 0.378 and κ is 0.210."""
    items = Counter(
        tuple(str(category) for category, n in enumerate(row) for _ in range(n)) for row in FLEISS
    )
    assert observed_agreement(items) == pytest.approx(0.378, abs=5e-4)
    assert fleiss_kappa(items) == pytest.approx(0.210, abs=5e-4)


def test_fleiss_kappa_of_the_original_article() -> None:
    """Fleiss (1971): the agreement is 0.556 and κ is 0.430."""
    items = Counter(
        tuple(str(diagnosis) for diagnosis, n in enumerate(patient) for _ in range(int(n)))
        for patient in DIAGNOSES
    )
    assert observed_agreement(items) == pytest.approx(0.556, abs=5e-4)
    assert fleiss_kappa(items) == pytest.approx(0.430, abs=5e-4)


def test_krippendorff_alpha_of_the_published_example() -> None:
    """With missing values, α of nominal data is 0.743."""
    assert krippendorff_alpha(by_unit(KRIPPENDORFF)) == pytest.approx(0.743, abs=5e-4)


def test_krippendorff_alpha_of_binary_data() -> None:
    """Two observers, ten units (the same text, example A): α is 0.095."""
    items = by_unit(["0100000010", "1110010000"])
    assert krippendorff_alpha(items) == pytest.approx(0.095, abs=5e-4)


@pytest.mark.parametrize(
    ("table", "kappa"),
    [((20, 5, 10, 15), 0.4), ((45, 15, 25, 15), 0.1304), ((25, 35, 5, 35), 0.2593)],
)
def test_cohen_kappa_of_the_published_examples(
    table: tuple[int, int, int, int], kappa: float
) -> None:
    """Two by two tables of the article on Cohen's κ."""
    pairs = zip([(True, True), (True, False), (False, True), (False, False)], table, strict=True)
    assert cohen_kappa(dict(pairs)) == pytest.approx(kappa, abs=5e-5)


def test_nothing_to_correct_is_undefined() -> None:
    """With one label only, or no item rated twice, a coefficient says nothing."""
    same = {("A", "A"): 5}
    assert observed_agreement(same) == 1.0
    assert fleiss_kappa(same) is None
    assert krippendorff_alpha(same) is None
    assert cohen_kappa({("A", "A"): 5}) is None
    assert cohen_kappa({}) is None
    assert observed_agreement({("A",): 3}) is None
    assert krippendorff_alpha({("A", None): 3}) is None


@given(st.lists(st.lists(st.sampled_from("ABC"), min_size=2, max_size=4), min_size=1, max_size=8))
def test_weights_are_repetitions(units: list[list[str]]) -> None:
    """An item of weight two is two items of weight one, and the order of labels is nothing."""
    items = Counter(tuple(unit) for unit in units)
    doubled = {labels: 2 * n for labels, n in items.items()}
    turned: Counter[tuple[str | None, ...]] = Counter(tuple(reversed(unit)) for unit in units)
    assert fleiss_kappa(doubled) == pytest.approx(fleiss_kappa(items))
    assert fleiss_kappa(turned) == pytest.approx(fleiss_kappa(items))
    alpha = krippendorff_alpha(items)
    assert krippendorff_alpha(turned) == pytest.approx(alpha)
    assert alpha is None or alpha <= 1
