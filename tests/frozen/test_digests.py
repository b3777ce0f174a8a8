"""Texts and results are what they were, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import tacenda
from tests.frozen import digests
from tests.frozen.digests import CASES, OPERATORS, Case, Digests, Machine, title

SLACK = 2
"""Of the documents of a case, how many another processor may decide otherwise: a risk may lie at a threshold."""


@pytest.fixture(scope="module")
def present(tmp_path_factory: pytest.TempPathFactory) -> Digests:
    """Return the digests of the code as it is."""
    return digests.take(tmp_path_factory.mktemp("digests"))


@pytest.mark.parametrize("case", CASES, ids=title)
def test_every_document_becomes_what_it_became(case: Case, present: Digests) -> None:
    """Each on a machine like the snapshot's; on others all but a few."""
    machine, snapshot = digests.read()
    past, now = snapshot[title(case)], present[title(case)]
    assert list(now) == list(past)
    changed = [name for name in now if now[name] != past[name]]
    if machine == Machine.here():
        assert changed == []
    elif case[1] != "surrogate" or machine.faker == Machine.here().faker:
        assert len(changed) <= SLACK, changed


def test_threads_and_hashes_change_nothing(tmp_path: Path, present: Digests) -> None:
    """With two threads, and sets in another order, the result is the same."""
    cases: list[Case] = [("lenient", "generalize"), ("strict", "surrogate")]
    for name, documents in digests.take(tmp_path, cases, threads=2, seed=20260).items():
        assert documents == present[name]


def test_all_operators_are_tried() -> None:
    """A policy knows no other operator than those of the snapshot."""
    with pytest.raises(tacenda.PolicyError) as refusal:
        tacenda.Policy(operator="unheard")
    assert all(f"'{operator}'" in str(refusal.value) for operator in OPERATORS)
    assert str(refusal.value).count("'") == 2 * len(OPERATORS) + 2
    assert {operator for _, operator in CASES} >= {*OPERATORS} - {"tag"}
