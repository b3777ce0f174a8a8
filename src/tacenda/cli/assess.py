"""``tacenda assess``: how large the risk of each entity is, by which indicators, and of which together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import plugins
from .assess_output import as_object, print_tables
from .options import AsJson

if TYPE_CHECKING:
    from ..background.queries import SearchBackend
    from ..document import Assessment, Document
    from ..result import Result
    from ..risk.search.indicator import SearchReport, SearchRisk
    from ..sanitizer import Sanitizer


def assess(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A document; - is stdin.")],
    background: Annotated[
        Path | None,
        typer.Option(
            metavar="INDEX", help="What an adversary could know: made by tacenda index build."
        ),
    ] = None,
    web: Annotated[
        str | None, typer.Option(help="Search the web instead: searxng, brave or google.")
    ] = None,
    allow_network: Annotated[
        bool,
        typer.Option("--allow-network", help="Let --web send strings of the document to others."),
    ] = False,
    cache: Annotated[
        Path | None, typer.Option(help="Folder that remembers answers of --web.")
    ] = None,
    target: Annotated[
        list[str] | None, typer.Option(help="Name of the person to protect; may be repeated.")
    ] = None,
    arity: Annotated[int, typer.Option(min=1, help="Largest number of entities together.")] = 2,
    bound: Annotated[
        float,
        typer.Option(min=0, max=1, help="Risky above this share of results about the person."),
    ] = 0.0,
    budget: Annotated[int, typer.Option(min=1, help="Queries a document, at most.")] = 2_000,
    count: Annotated[int, typer.Option(min=1, help="Results looked at for each query.")] = 50,
    policy: Annotated[
        str, typer.Option(help="A YAML file, or: balanced, strict, lenient, tags.")
    ] = "default",
    model: Annotated[
        str | None, typer.Option(help="Name of a shipped recognizer, or a folder.")
    ] = None,
    came_in: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="text, markdown, html, jsonl, csv, json, tab or texts; else by extension.",
        ),
    ] = None,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="JSON: add the strings, for review only.")
    ] = False,
    as_json: AsJson = False,
    as_html: Annotated[
        bool, typer.Option("--html", help="Print a page to read; it shows the original's strings.")
    ] = False,
) -> None:
    """Say for each entity what the risk indicators find, and which entities are risky together.

    Examples:
      tacenda assess letter.txt --target "Anna Berg" --background knowledge.db

      tacenda assess letter.txt --web searxng --allow-network --cache ~/.cache/tacenda

      tacenda assess letter.txt --html > risk.html
    """
    from ..errors import PolicyError
    from ..policy import Policy
    from ..sanitizer import load

    if background is not None and web is not None:
        raise PolicyError("--background and --web are both given; one of them must go.")
    if as_json and as_html:
        raise PolicyError("--json and --html are both given; one of them must go.")
    if bound >= 1:
        raise PolicyError("--bound is 1; no combination could be risky. Take less.")
    backend = _backend(background, web, allow_network, cache)
    chosen = Policy.load(policy)
    chosen = chosen.with_changes(target=(*chosen.target, *(target or ())))
    sanitizer = load(chosen, model=Path(model) if model and Path(model).is_dir() else model)
    indicator = None
    if backend is not None:
        from ..risk.search.indicator import SearchRisk

        indicator = SearchRisk(
            backend, chosen.target, arity=arity, bound=bound, budget=budget, count=count
        )
    faults = 0
    items: list[dict[str, object]] = []
    sections: list[str] = []
    for document in _documents(file, came_in):
        if document is None:
            faults += 1
            continue
        result, assessments, report = _assessed(sanitizer, indicator, document)
        if as_json:
            items.append(as_object(result, assessments, report, reveal))
        elif as_html:
            from ..pages.assess import section

            sections.append(section(result, assessments, report))
        else:
            print_tables(result, assessments, report)
    if as_json:
        print(json.dumps(items, indent=1, ensure_ascii=False))
    if as_html:
        from ..pages.assess import page

        print(page(sections), end="")
    if faults:
        raise typer.Exit(1)


def _backend(
    background: Path | None, web: str | None, allow_network: bool, cache: Path | None
) -> SearchBackend | None:
    if background is not None:
        from ..background.documents import LocalIndex

        return LocalIndex(background)
    if web is None:
        return None
    open_backend = plugins.load(plugins.EXTRAS, "web_search", "--web")
    backend: SearchBackend = open_backend(web, allow_network, cache)
    return backend


def _documents(file: str, came_in: str | None) -> Iterator[Document | None]:
    """Yield the documents of a file; None, and a message, for each that can't be read."""
    from ..documents.reading import read
    from ..documents.record import Record
    from ..errors import InputError

    try:
        items = read(file, came_in)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    for item in items:
        if isinstance(item, Record):
            yield item.document
        else:
            typer.echo(f"tacenda: {item.error}", err=True)
            yield None


def _assessed(
    sanitizer: Sanitizer, indicator: SearchRisk | None, document: Document
) -> tuple[Result, tuple[Assessment, ...], SearchReport | None]:
    from ..risk.assess import assess as assess_entities
    from ..risk.search.indicator import Told

    (result,) = sanitizer.pipe([document])
    report = None if indicator is None else indicator.search(document, result.entities)
    further = () if report is None else (Told(report.findings),)
    assessments = assess_entities(document, result.entities, sanitizer.policy, further)
    return result, assessments, report
