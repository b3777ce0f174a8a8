"""``tacenda attack --file-of``: how many documents of one person can be joined, and what they tell together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from ..errors import InputError

if TYPE_CHECKING:
    from ..reidentify.criteria.person_file import PersonFileRisk
    from .attack import AttackSettings, ReleaseOptions


def run_person_file(
    release: ReleaseOptions, paths: Sequence[str], settings: AttackSettings, person: str, to: str
) -> None:
    """Try to join the documents of a person, and print the table.

    Args:
        release: options of the input.
        paths: of the release.
        settings: of the command.
        person: id.
        to: ``table`` or ``json``.

    Raises:
        typer.Exit: with 1, if more pairs are linked than ``--max-rate`` allows, or a document can't be read.
        InputError: if the release has fewer than two documents of the person, or of others.
    """
    from ..reidentify.criteria.person_file import person_file_risk
    from .attack_tests import read_cases
    from .printing import print_json, print_note, print_tables

    cases, n_faults = read_cases(release, paths, (), None)
    risk = person_file_risk(cases, person)
    if risk is None:
        raise InputError(
            f"the release needs two documents of {person!r} and two of others; --person-field or --people "
            "says whom each is about."
        )
    if to == "json":
        print_json(_object(risk, [case.document.id for case in cases], reveal=settings.reveal))
    else:
        heading = ("attacker", "pairs of one person linked", "false links", "documents joined")
        n_own = len(risk.documents)
        rows = [
            (each.attacker, str(each.recall), str(each.n_false), f"{len(each.joined)} of {n_own}")
            for each in risk.links
        ]
        print_tables([heading, *rows], [("reader of", "knows"), *_known(risk, settings.reveal)])
    worst = max(each.recall.value for each in risk.links)
    if settings.max_rate is not None and worst > settings.max_rate:
        print_note(
            f"{worst:.3f} of the pairs are linked, more than --max-rate {settings.max_rate:g}."
        )
        raise typer.Exit(1)
    if n_faults:
        raise typer.Exit(1)


def _known(risk: PersonFileRisk, reveal: bool) -> list[tuple[str, str]]:
    """What is known from one document and from those joined: attributes, with their values where revealed."""
    return [
        (
            reader,
            ", ".join(
                sorted({f"{name} {value!r}" if reveal else str(name) for name, value in attributes})
            )
            or "nothing",
        )
        for reader, attributes in (
            ("the most telling document", risk.alone),
            ("those joined", risk.together),
        )
    ]


def _object(risk: PersonFileRisk, ids: Sequence[str], *, reveal: bool) -> dict[str, object]:
    return {
        "documents": [ids[place] for place in risk.documents],
        "attackers": {
            each.attacker: {
                "linked": each.recall.as_object(),
                "false_links": each.n_false,
                "joined": [ids[place] for place in each.joined],
            }
            for each in risk.links
        },
        **{
            key: sorted([str(name), value] if reveal else [str(name)] for name, value in known)
            for key, known in (("alone", risk.alone), ("together", risk.together))
        },
    }
