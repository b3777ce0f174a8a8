"""``tacenda assess``: the risk of each entity according to each indicator, and of combinations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .network import WebOptions
from .options import (
    AsJson,
    InputFormat,
    Only,
    SanitizerOptions,
    argument,
    faults_of_options,
    grouped,
    option,
)
from .printing import print_note

if TYPE_CHECKING:
    from ..document import Assessment, Document, Entity
    from ..pipeline import Sanitizer
    from ..result import Result
    from ..risk.search.indicator import SearchReport, SearchRisk

_LONGEST_STRING = 40


def print_tables(
    result: Result, assessments: Sequence[Assessment], report: SearchReport | None
) -> None:
    """Print a document's risks, highest first, including its strings."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ..explain import sentence
    from ..wording import in_words, indicator_label, risk_left

    console, document = Console(), result.document
    names = {item.entity.id: _name(document, item.entity) for item in assessments}
    table = Table(title=Text(document.id), title_justify="left")
    decisions = {decision.entity.id: decision for decision in result.decisions}
    for heading in ("entity", "risk", "identifier", "decision", "indicators"):
        table.add_column(heading, justify="right" if heading == "risk" else "left")
    for item in sorted(assessments, key=lambda item: -item.risk):
        says = "\n".join(
            f"{indicator_label(e.indicator)} {e.value:.2f}: {e.statement}" for e in item.evidence
        )
        table.add_row(
            Text(names[item.entity.id]),
            f"{item.risk:.2f}",
            in_words(item.identifier),
            Text(sentence(decisions[item.entity.id].reasons[0])),
            Text(says),
        )
    console.print(table)
    console.print(risk_left(result.risk))
    if report is None:
        return
    combinations = [item for item in report.combinations if len(item.entity_ids) > 1]
    if combinations:
        table = Table(title="risky together", title_justify="left")
        for heading in ("entities", "risk", "evidence"):
            table.add_column(heading, justify="right" if heading == "risk" else "left")
        for combination in combinations:
            members = "\n".join(names[id] for id in combination.entity_ids)
            says = "\n".join(e.statement for e in combination.evidence)
            table.add_row(Text(members), f"{combination.risk:.2f}", Text(says))
        console.print(table)
    for statement in report.sentences():
        console.print(Text(statement))


def _name(document: Document, entity: Entity) -> str:
    from ..wording import in_words

    strings = (" ".join(mention.span.of(document.text).split()) for mention in entity.mentions)
    string = max(strings, key=len)
    excerpt = string if len(string) <= _LONGEST_STRING else string[: _LONGEST_STRING - 1] + "…"
    return f"{in_words(entity.type)} {entity.number} {excerpt!r}"


def as_object(
    result: Result,
    assessments: Sequence[Assessment],
    report: SearchReport | None,
    reveal: bool,
) -> dict[str, object]:
    """Return the assessments of a document, and only the policy's decisions, as JSON.

    Args:
        result: the document's result.
        assessments: assessments of its entities, in the order of the decisions.
        report: the report of the search; None if there was none.
        reveal: whether to add the document's strings.
    """
    from ..result import assessment_object
    from ..risk.search.indicator import COUNTS

    if report is None:
        return assessment_object(result, assessments, reveal=reveal)
    combinations = (*result.combinations, *report.combinations)
    return {
        **assessment_object(replace(result, combinations=combinations), assessments, reveal=reveal),
        "search": {name: getattr(report, name) for name in COUNTS},
    }


_File = Annotated[str, argument("assess.file", metavar="FILE")]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentSettings:
    """Options of ``tacenda assess``."""

    background: Path | None = option(None, metavar="INDEX")
    allow_network: bool = option(False, "--allow-network")
    arity: int = option(2, min=1)
    bound: float = option(0.0, min=0, max=1)
    budget: int = option(2_000, min=1)
    count: int = option(50, min=1)
    reveal: bool = option(False, "--reveal")
    as_html: bool = option(False, "--html")


@grouped
def assess(
    file: _File,
    input_format: InputFormat = None,
    *,
    options: Annotated[SanitizerOptions, Only("policy", "target", "model")],
    as_json: AsJson = False,
    web: WebOptions,
    settings: AssessmentSettings,
) -> None:
    """Assess the risk of each entity and of combinations.

    Examples:
      tacenda assess letter.txt --target "Anna Berg" --background knowledge.db
      tacenda assess letter.txt --web searxng --allow-network --web-cache ~/.cache/tacenda
      tacenda assess letter.txt --html > risk.html
    """
    from ..errors import PolicyError

    if as_json and settings.as_html:
        raise PolicyError("--json and --html can't be used together.")
    if settings.bound >= 1:
        raise PolicyError("--bound must be below 1.")
    backend = web.open(settings.background, allow_network=settings.allow_network)
    policy = options.effective_policy()
    sanitizer = options.open(policy)
    indicator = None
    if backend is not None:
        from ..risk.search.indicator import SearchRisk

        indicator = SearchRisk(
            backend,
            policy.target,
            arity=settings.arity,
            bound=settings.bound,
            budget=settings.budget,
            count=settings.count,
        )
    faults = 0
    items: list[dict[str, object]] = []
    sections: list[str] = []
    for document in _documents(file, input_format):
        if document is None:
            faults += 1
            continue
        result, assessments, report = _assess_document(sanitizer, indicator, document)
        if as_json:
            items.append(as_object(result, assessments, report, settings.reveal))
        elif settings.as_html:
            from ..pages.assess import section

            sections.append(section(result, assessments, report))
        else:
            print_tables(result, assessments, report)
    if as_json:
        print(json.dumps(items, indent=1, ensure_ascii=False))
    if settings.as_html:
        from ..pages.assess import page

        print(page(sections), end="")
    if faults:
        raise typer.Exit(1)


def _documents(file: str, input_format: str | None) -> Iterator[Document | None]:
    """Yield the documents in a file; for each unreadable one, print a message and yield None."""
    from ..documents.reading import read
    from ..documents.record import SourceDocument

    with faults_of_options():
        items = read(file, input_format)
    for item in items:
        if isinstance(item, SourceDocument):
            yield item.document
        else:
            print_note(item.error)
            yield None


def _assess_document(
    sanitizer: Sanitizer, indicator: SearchRisk | None, document: Document
) -> tuple[Result, tuple[Assessment, ...], SearchReport | None]:
    from ..risk.assess import assess as assess_entities
    from ..risk.search.indicator import PrecomputedFindings

    (result,) = sanitizer.pipe([document])
    report = None if indicator is None else indicator.search(document, result.entities)
    indicators = () if report is None else (PrecomputedFindings(report.findings),)
    assessments = assess_entities(document, result.entities, sanitizer.policy, indicators)
    return result, assessments, report
