"""``tacenda attack --attributes``: which attributes of each person of a release can no longer be inferred."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ..documents.record import SourceDocument
    from ..reidentify.attributes.protection import (
        KnownAttribute,
        PersonProtection,
        ProtectionReport,
        ReleasePair,
    )
    from ..reidentify.rates import Rate
    from .attack import AttackSettings, ReleaseOptions

VERSION = 1
_ROLES = (("everybody", None), ("subjects", True), ("others", False))


def run_attributes(
    release: ReleaseOptions, paths: Sequence[str], settings: AttackSettings, to: str
) -> None:
    """Measure the inference protection of a release and print it.

    Args:
        release: options of the input.
        paths: of the release.
        settings: of the command.
        to: ``table`` or ``json``.

    Raises:
        typer.BadParameter: without originals.
        typer.Exit: with 1, if a document can't be read, or no original tells anything.
        InputError: if the originals can't be used.
    """
    from ..documents.record import SourceDocument
    from ..reidentify.attributes import measure_protection
    from .attack import read_pairs
    from .printing import print_json, print_note, print_tables

    if not settings.originals:
        raise typer.BadParameter("is needed with --attributes", param_hint="--original")
    items = read_pairs(release, paths, settings.originals)
    pairs: list[tuple[SourceDocument, SourceDocument]] = []
    for item, unmasked in items:
        if not isinstance(item, SourceDocument):
            print_note(item.error)
        elif unmasked is not None:
            pairs.append((item, unmasked))
    documents = _released(pairs)
    report = measure_protection(documents)
    if not report.people:
        print_note("the originals reveal no attribute of anyone for certain.")
        raise typer.Exit(1)
    if to == "json":
        texts = {document.id: document.released for document in documents}
        print_json(_object(report, texts, reveal=settings.reveal))
    else:
        rows = [_row(person, reveal=settings.reveal) for person in report.people]
        print_tables(
            _rates(report), [("document", "person", "role", "protected", "still told"), *rows]
        )
    if len(pairs) < len(items):
        raise typer.Exit(1)


def _released(
    pairs: Sequence[tuple[SourceDocument, SourceDocument]],
) -> list[ReleasePair]:
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


def _rates(report: ProtectionReport) -> list[tuple[str, ...]]:
    from ..reidentify.criteria.values import Attribute

    rows = [("attribute", *(name for name, _ in _ROLES))]
    for label, attribute in (("all", None), *((str(item), item) for item in Attribute)):
        rates = [report.protection(subjects=role, attribute=attribute) for _, role in _ROLES]
        if any(rates):
            rows.append((label, *("" if rate is None else str(rate) for rate in rates)))
    return rows


def _row(person: PersonProtection, *, reveal: bool) -> tuple[str, ...]:
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


def _object(report: ProtectionReport, texts: dict[str, str], *, reveal: bool) -> dict[str, Any]:
    from ..reidentify.criteria.values import Attribute

    return {
        "version": VERSION,
        "protection": {
            name: {
                label: _rate(rate)
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


def _rate(rate: Rate) -> dict[str, float]:
    return {"rate": rate.value, "low": rate.low, "high": rate.high}


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
