"""``tacenda attack --population``: how many people fit what a text tells of its subject."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from .options import faults_of_options

if TYPE_CHECKING:
    from ..reidentify.population.report import PopulationRisk
    from .attack import AttackSettings, ReleaseOptions

_DEAREST = 3
"""Clues a document in the table."""


def run_population(
    release: ReleaseOptions,
    paths: Sequence[str],
    settings: AttackSettings,
    country: str,
    to: str,
) -> None:
    """Count the people who fit each document, and print the table.

    Args:
        release: options of the input.
        paths: of the release.
        settings: of the command.
        country: of the tables.
        to: ``table`` or ``json``.

    Raises:
        typer.Exit: with 1, if fewer than ``k`` may fit a document, or one can't be read.
        InputError: if there are no such tables, or the originals can't be used.
    """
    from ..documents.record import SourceDocument
    from ..reidentify.population.report import population_risk
    from .attack import read_pairs
    from .printing import print_json, print_note, print_tables

    place = settings.place or ""
    check_place(country, place)
    rows: list[tuple[str, ...]] = []
    objects: list[dict[str, object]] = []
    few = faults = 0
    for item, unmasked in read_pairs(release, paths, settings.originals):
        if not isinstance(item, SourceDocument):
            print_note(item.error)
            faults += 1
            continue
        text = item.document.text
        risk = population_risk(text, country, place)
        old = None if unmasked is None else population_risk(unmasked.document.text, country, place)
        few += risk.estimate.low < settings.k
        rows.append(_row(item.document.id, text, risk, old, reveal=settings.reveal))
        objects.append(_object(item.document.id, risk, old, reveal=settings.reveal))
    if to == "json":
        print_json(objects)
    else:
        heading = (
            "document",
            "place",
            *(["before"] if settings.originals else []),
            "people who fit",
            "90 %",
            "tells most",
        )
        print_tables([heading, *rows])
    if few:
        print_note(f"fewer than {settings.k} people may fit {few} of the documents.")
    if few or faults:
        raise typer.Exit(1)


def check_place(country: str, place: str) -> None:
    """Check the options ``--population`` and ``--place``.

    Raises:
        typer.BadParameter: if the tables have no such country or place.
    """
    from ..reidentify.population.tables import load

    with faults_of_options("--population", "--place"):
        tables = load(country)
        if place:
            tables.place(place)


def _row(
    name: str, text: str, risk: PopulationRisk, before: PopulationRisk | None, *, reveal: bool
) -> tuple[str, ...]:
    from ..reidentify.population.pipeline import rounded

    estimate = risk.estimate
    tells = [
        f"{cost.clue.name} (×{rounded(cost.factor)})"
        + (f" {cost.clue.span.of(text)!r}" if reveal and cost.clue.span is not None else "")
        for cost in risk.costs[:_DEAREST]
    ]
    earlier = [] if before is None else [rounded(before.estimate.count)]
    return (
        name,
        risk.place,
        *earlier,
        rounded(estimate.count),
        f"{rounded(estimate.low)} to {rounded(estimate.high)}",
        ", ".join(tells) or "nothing",
    )


def _object(
    name: str, risk: PopulationRisk, before: PopulationRisk | None, *, reveal: bool
) -> dict[str, object]:
    estimate = risk.estimate
    return {
        "id": name,
        "place": risk.place,
        "people": risk.people,
        "fit": estimate.count,
        "low": estimate.low,
        "high": estimate.high,
        **({} if before is None else {"fit_before": before.estimate.count}),
        "clues": [
            {
                "attribute": cost.clue.name,
                "factor": cost.factor,
                **(
                    {}
                    if cost.clue.span is None
                    else {"start": cost.clue.span.start, "end": cost.clue.span.end}
                ),
                **({"value": cost.clue.value} if reveal else {}),
            }
            for cost in risk.costs
        ],
    }
