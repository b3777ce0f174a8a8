"""``tacenda attack --tests``: singling out, linkability and inference, the three tests of WP216."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from ..errors import InputError

if TYPE_CHECKING:
    from ..background.people import People
    from ..documents.record import SourceDocument
    from ..reidentify.criteria import ReleaseCase
    from ..reidentify.criteria.values import Values
    from ..reidentify.pipeline import SubjectResolver
    from .attack import AttackSettings, ReleaseOptions

_LABELS = "attributes"
"""Field of a line with what is true of its person."""


def run_tests(
    release: ReleaseOptions, paths: Sequence[str], settings: AttackSettings, to: str
) -> None:
    """Test a release and print the report.

    Args:
        release: options of the input.
        paths: of the release.
        settings: of the command.
        to: ``table``, ``json`` or ``html``.

    Raises:
        typer.Exit: with 1, if a risk is higher or a document can't be read.
        InputError: if the store or the originals can't be used.
    """
    from ..background.people import People
    from ..reidentify.criteria import evaluate_release
    from ..reidentify.criteria.report import as_object, inference_rows, risk_rows
    from .printing import print_note, print_tables

    people = None if release.background is None else People(release.background)
    cases, n_faults = read_cases(release, paths, settings.originals, people)
    if not cases:
        print_note("no documents to attack")
        raise typer.Exit(1)
    report = evaluate_release(cases, people)
    if not report.inference.attributes:
        print_note(
            "fewer than two people have known attributes, so inference is not measured; give the "
            f"documents before masking with --original, or add a field {_LABELS!r} to the lines."
        )
    if to == "json":
        print(json.dumps(as_object(report, reveal=settings.reveal), indent=1, ensure_ascii=False))
    elif to == "html":
        from ..pages.criteria import page

        sys.stdout.write(
            page(
                report, risk_rows(report), inference_rows(report.inference), reveal=settings.reveal
            )
        )
    else:
        print_tables(risk_rows(report), inference_rows(report.inference))
    name, risk = report.worst
    if settings.max_rate is not None and risk.value > settings.max_rate:
        print_note(
            f"the risk of {name} is {risk.value:.3f}, more than --max-rate {settings.max_rate:g}."
        )
        raise typer.Exit(1)
    if n_faults:
        raise typer.Exit(1)


def read_cases(
    release: ReleaseOptions, paths: Sequence[str], original: Sequence[str], people: People | None
) -> tuple[list[ReleaseCase], int]:
    """Return the documents to test, and how many can't be read; a message for each of these."""
    from ..documents.record import SourceDocument
    from ..reidentify.criteria import ReleaseCase, true_values
    from .attack import read_pairs
    from .printing import print_note

    subjects = release.subjects()
    cases, n_faults = [], 0
    for item, unmasked in read_pairs(release, paths, original):
        text = None if unmasked is None else unmasked.document.text
        try:
            if not isinstance(item, SourceDocument):
                raise item.error
            person = _person(item, subjects, people)
            # Sanitizing may have masked labels that were kept beside the text.
            values = true_values(_labels(unmasked or item), text)
        except InputError as error:
            print_note(error)
            n_faults += 1
            continue
        cases.append(ReleaseCase(item.document, person, values, text))
    return cases, n_faults


def _person(record: SourceDocument, subjects: SubjectResolver, people: People | None) -> str:
    """Return the id of the person a document is about; empty where nothing says it.

    Raises:
        InputError: if there is background knowledge, and the person is not in it.
    """
    try:
        person = subjects.of(record)
    except InputError:
        return ""
    return person if people is None else people.person(people.find(person)).id


def _labels(record: SourceDocument) -> Values:
    """Return what the line of a document says of its person.

    Raises:
        InputError: if the field isn't an object.
    """
    from ..reidentify.criteria import read_values

    if record.origin.format != "jsonl":
        return {}
    labels = json.loads(record.source).get(_LABELS)
    if labels is None:
        return {}
    if not isinstance(labels, Mapping):
        raise InputError(
            f"{_LABELS!r} is a {type(labels).__name__}, not an object of attributes; correct the line.",
            record.document.id,
        )
    return read_values(
        (str(key), str(value))
        for key, item in labels.items()
        for value in (item if isinstance(item, list) else [item])
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    )
