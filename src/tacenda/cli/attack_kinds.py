"""Attacks that don't search among candidates: the three tests of WP216, attributes, population, and one person's documents.

Each prints its report and returns the number of documents that can't be read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import typer

from ..errors import InputError
from ..wording import counted
from .options import faults_of_options
from .printing import print_note

if TYPE_CHECKING:
    from ..background.people import People
    from ..documents.record import SourceDocument
    from ..reidentify.attributes.protection import (
        KnownAttribute,
        PersonProtection,
        ProtectionReport,
        ReleasePair,
    )
    from ..reidentify.criteria import ReleaseCase
    from ..reidentify.criteria.person_file import PersonFileRisk
    from ..reidentify.criteria.values import Values
    from ..reidentify.pipeline import SubjectResolver
    from ..reidentify.population.report import PopulationRisk
    from ..reidentify.report import Rows
    from .attack import AttackedRelease

# ``--tests``: singling out, linkability and inference.

_LABELS: Final = "attributes"
"""Field of a line with what is true of its person."""


def run_tests(attacked: AttackedRelease) -> int:
    """Run the three tests of WP216.

    Raises:
        typer.Exit: with 1, if a risk is too high, or there are no documents.
        InputError: if the store or the originals can't be used.
    """
    from ..background.people import People
    from ..reidentify.criteria import evaluate_release
    from ..reidentify.criteria.report import as_object, inference_rows, risk_rows

    background, reveal = attacked.options.background, attacked.settings.reveal
    people = None if background is None else People(background)
    cases, n_faults = read_cases(attacked, people)
    if not cases:
        print_note("no documents to attack")
        raise typer.Exit(1)
    report = evaluate_release(cases, people)
    if not report.inference.attributes:
        print_note(
            "fewer than two people have known attributes, so inference is not measured; give the "
            f"documents before masking with --original, or add a field {_LABELS!r} to the lines."
        )
    tables = risk_rows(report), inference_rows(report.inference)
    if attacked.to == "html":
        from ..pages.criteria import page

        sys.stdout.write(page(report, *tables, reveal=reveal))
    else:
        attacked.show(as_object(report, reveal=reveal), *tables)
    name, risk = report.worst
    attacked.settings.check_rate(risk.value, f"the risk of {name} is {risk.value:.3f}")
    return n_faults


def read_cases(
    attacked: AttackedRelease, people: People | None = None
) -> tuple[list[ReleaseCase], int]:
    """Return the documents to test, and how many can't be read, with a message for each."""
    from ..reidentify.criteria import ReleaseCase, true_values

    subjects = attacked.options.subjects()
    pairs, n_faults = attacked.pairs()
    cases = []
    for item, unmasked in pairs:
        text = None if unmasked is None else unmasked.document.text
        try:
            person = _person(item, subjects, people)
            # Sanitizing may have masked labels that were kept next to the text.
            values = true_values(_labels(unmasked or item), text)
        except InputError as error:
            print_note(error)
            n_faults += 1
            continue
        cases.append(ReleaseCase(item.document, person, values, text))
    return cases, n_faults


def _person(record: SourceDocument, subjects: SubjectResolver, people: People | None) -> str:
    """Return the id of the person a document is about; empty if nothing says so.

    Raises:
        InputError: if there is background knowledge and the person isn't in it.
    """
    try:
        person = subjects.of(record)
    except InputError:
        return ""
    return person if people is None else people.person(people.find(person)).id


def _labels(record: SourceDocument) -> Values:
    """Return what a document's line says about its person.

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


# ``--file-of``: how many of one person's documents can be joined, and what they reveal together.


def join_documents(attacked: AttackedRelease, person: str) -> int:
    """Try to join a person's documents.

    Raises:
        typer.Exit: with 1, if more pairs are linked than ``--max-rate`` allows.
        InputError: if the release has fewer than two documents of the person, or of others.
    """
    from ..reidentify.criteria.person_file import person_file_risk

    settings = attacked.settings
    cases, n_faults = read_cases(attacked)
    risk = person_file_risk(cases, person)
    if risk is None:
        raise InputError(
            f"the release needs two documents of {person!r} and two of others; --person-field or --people "
            "says whom each is about."
        )
    links: Rows = [("attacker", "pairs of one person linked", "false links", "documents joined")]
    links += (
        (
            each.attacker,
            str(each.recall),
            str(each.n_false),
            f"{len(each.joined)} of {len(risk.documents)}",
        )
        for each in risk.links
    )
    known: Rows = [("reader of", "knows")]
    for reader, attributes in (
        ("the most telling document", risk.alone),
        ("those joined", risk.together),
    ):
        words = {
            f"{name} {value!r}" if settings.reveal else str(name) for name, value in attributes
        }
        known.append((reader, ", ".join(sorted(words)) or "nothing"))
    ids = [case.document.id for case in cases]
    attacked.show(_joined_object(risk, ids, reveal=settings.reveal), links, known)
    worst = max(each.recall.value for each in risk.links)
    settings.check_rate(worst, f"{worst:.3f} of the pairs are linked")
    return n_faults


def _joined_object(risk: PersonFileRisk, ids: Sequence[str], *, reveal: bool) -> dict[str, Any]:
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


# ``--population``: how many people fit what a text reveals about its subject.

_CLUES_SHOWN: Final = 3


def count_population(attacked: AttackedRelease, country: str) -> int:
    """Count the people who fit each document.

    Raises:
        typer.Exit: with 1, if fewer than ``k`` may fit a document.
        InputError: if there are no such tables, or the originals can't be used.
    """
    from ..models.text_language import language_of
    from ..reidentify.population.report import population_risk

    settings = attacked.settings
    place, reveal = settings.place or "", settings.reveal
    check_place(country, place)
    before = ["before"] if settings.original else []
    rows: Rows = [("document", "place", *before, "people who fit", "90 %", "tells most")]
    objects: list[dict[str, Any]] = []
    pairs, n_faults = attacked.pairs()
    n_few, n_foreign = 0, 0
    for item, unmasked in pairs:
        document = item.document
        n_foreign += language_of(document) not in ("en", "")
        risk = population_risk(document.text, country, place)
        old = None if unmasked is None else population_risk(unmasked.document.text, country, place)
        n_few += risk.estimate.low < settings.k
        rows.append(_population_row(document.id, document.text, risk, old, reveal=reveal))
        objects.append(_population_object(document.id, risk, old, reveal=reveal))
    attacked.show(objects, rows)
    if n_foreign:
        print_note(
            f"{counted(n_foreign, 'document is', 'documents are')} not in English: what such a text tells "
            "is not counted, so far fewer people may fit it."
        )
    if n_few:
        print_note(f"fewer than {settings.k} people may fit {n_few} of the documents.")
        raise typer.Exit(1)
    return n_faults


def check_place(country: str, place: str) -> None:
    """Check the options ``--population`` and ``--place``.

    Raises:
        typer.BadParameter: if the tables have no such country or place.
    """
    from ..reidentify.population.estimate import load

    with faults_of_options("--population", "--place"):
        tables = load(country)
        if place:
            tables.place(place)


def _population_row(
    name: str, text: str, risk: PopulationRisk, before: PopulationRisk | None, *, reveal: bool
) -> tuple[str, ...]:
    from ..reidentify.population.pipeline import rounded

    estimate = risk.estimate
    tells = [
        f"{cost.clue.name} (×{rounded(cost.factor)})"
        + (f" {cost.clue.span.of(text)!r}" if reveal and cost.clue.span is not None else "")
        for cost in risk.costs[:_CLUES_SHOWN]
    ]
    earlier = [] if before is None else [rounded(before.estimate.count)]
    interval = f"{rounded(estimate.low)} to {rounded(estimate.high)}"
    words = ", ".join(tells) or "nothing"
    return name, risk.place, *earlier, rounded(estimate.count), interval, words


def _population_object(
    name: str, risk: PopulationRisk, before: PopulationRisk | None, *, reveal: bool
) -> dict[str, Any]:
    clues = []
    for cost in risk.costs:
        item: dict[str, Any] = {"attribute": cost.clue.name, "factor": cost.factor}
        if (span := cost.clue.span) is not None:
            item |= {"start": span.start, "end": span.end}
        clues.append(item | ({"value": cost.clue.value} if reveal else {}))
    return {
        "id": name,
        "place": risk.place,
        "people": risk.people,
        "fit": risk.estimate.count,
        "low": risk.estimate.low,
        "high": risk.estimate.high,
        **({} if before is None else {"fit_before": before.estimate.count}),
        "clues": clues,
    }


# ``--attributes``: which attributes of each person in a release can no longer be inferred.

_VERSION: Final = 1
_ROLES: Final = (("everybody", None), ("subjects", True), ("others", False))


def infer_attributes(attacked: AttackedRelease) -> int:
    """Measure the inference protection of a release.

    Raises:
        typer.BadParameter: without originals.
        typer.Exit: with 1, if no original reveals anything.
        InputError: if the originals can't be used.
    """
    from ..reidentify.attributes import measure_protection

    if not attacked.settings.original:
        raise typer.BadParameter("is needed with --attributes", param_hint="--original")
    pairs, n_faults = attacked.pairs()
    documents = _released([(after, before) for after, before in pairs if before is not None])
    report = measure_protection(documents)
    if not report.people:
        print_note("the originals reveal no attribute of anyone for certain.")
        raise typer.Exit(1)
    reveal = attacked.settings.reveal
    texts = {document.id: document.released for document in documents}
    people: Rows = [("document", "person", "role", "protected", "still told")]
    people += (_person_row(person, reveal=reveal) for person in report.people)
    attacked.show(
        _protection_object(report, texts, reveal=reveal), _protection_rows(report), people
    )
    return n_faults


def _released(pairs: Sequence[tuple[SourceDocument, SourceDocument]]) -> list[ReleasePair]:
    """Return the documents with the people that the recognizer finds in their originals."""
    from ..link.linking import link
    from ..pipeline import load
    from ..reidentify.attributes import ReleasePair, names_of

    analyses = load().analyze_all([before.document for _, before in pairs]) if pairs else []
    return [
        ReleasePair(
            after.document.id,
            analysis.document.text,
            after.document.text,
            names_of(link(analysis.document, analysis.mentions)),
        )
        for (after, _), analysis in zip(pairs, analyses, strict=True)
    ]


def _protection_rows(report: ProtectionReport) -> Rows:
    from ..reidentify.criteria.values import Attribute

    rows: Rows = [("attribute", *(name for name, _ in _ROLES))]
    for label, attribute in (("all", None), *((str(item), item) for item in Attribute)):
        rates = [report.protection(subjects=role, attribute=attribute) for _, role in _ROLES]
        if any(rates):
            rows.append((label, *("" if rate is None else str(rate) for rate in rates)))
    return rows


def _person_row(person: PersonProtection, *, reveal: bool) -> tuple[str, ...]:
    remaining = [item for item in person.known if item.left is not None]
    labels = [
        f"{item.attribute} ({item.value})" if reveal else str(item.attribute) for item in remaining
    ]
    return (
        person.document,
        person.person,
        "subject" if person.is_subject else "other",
        f"{len(person.known) - len(remaining)} of {len(person.known)}",
        ", ".join(labels) or "nothing",
    )


def _protection_object(
    report: ProtectionReport, texts: Mapping[str, str], *, reveal: bool
) -> dict[str, Any]:
    from ..reidentify.criteria.values import Attribute

    return {
        "version": _VERSION,
        "protection": {
            name: {
                label: rate.as_object()
                for label, attribute in (("all", None), *((str(item), item) for item in Attribute))
                if (rate := report.protection(subjects=role, attribute=attribute)) is not None
            }
            for name, role in _ROLES
        },
        "classified": sorted(report.classified),
        "people": [
            {
                "id": person.document,
                "person": person.person,
                "subject": person.is_subject,
                "protection": person.share,
                "attributes": [
                    _attribute(item, texts[person.document], reveal=reveal) for item in person.known
                ],
            }
            for person in report.people
        ],
    }


def _attribute(item: KnownAttribute, text: str, *, reveal: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"attribute": item.attribute, "protected": item.left is None}
    if item.left is not None:
        span = item.left.span
        entry["rule"] = item.left.rule
        entry["span"] = None if span is None else [span.start, span.end]
        if reveal:
            entry["words"] = "" if span is None else span.of(text)
    if reveal:
        entry["value"] = item.value
    return entry
