"""Names that are none of the choices: a fault of usage, whoever is asked."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import cast

import pytest

from tacenda import cli
from tacenda.annotations import format_named
from tacenda.background.people import People
from tacenda.documents.reading import check_input
from tacenda.documents.writing import writer
from tacenda.errors import InputError, PolicyError, UnknownNameError
from tacenda.evaluate.weights import weighting
from tacenda.reidentify.attackers import open_attackers
from tacenda_lab import baselines
from tacenda_lab.evaluation.similarity import embedding
from tests.examples import for_each


@pytest.mark.parametrize(
    ("error", "code"), [(UnknownNameError("x"), 2), (InputError("x"), 1), (PolicyError("x"), 2)]
)
def test_a_name_that_is_none_of_the_choices_is_a_fault_of_usage(
    monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    """Faults of usage end with 2, those of the data with 1."""

    def fail() -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == code


@for_each(
    "choose",
    [
        weighting,
        baselines.create,
        embedding,
        format_named,
        lambda name: writer(name, BytesIO()),
        lambda name: check_input(name, "utf-8"),
        lambda name: open_attackers(name, cast("People", None)),
    ],
)
def test_the_choices_are_named(choose: Callable[[str], object]) -> None:
    """Whoever is asked for something by name says what there is."""
    with pytest.raises(UnknownNameError, match=r"unknown .*'unheard'; choose"):
        choose("unheard")
