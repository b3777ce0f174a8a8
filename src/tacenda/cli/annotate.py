"""``tacenda annotate``: people mark texts, or choose replacements, in browsers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .review import Model, Threads, require_app

if TYPE_CHECKING:
    from ..app.annotate.store import AnnotationStore, Flow, Source

_FLOWS = ("tab", "replacement")
_PRE = ("none", "recognizer", "file")


def annotate(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE...]", help="Files or folders; without any, the project goes on."
        ),
    ] = None,
    annotators: Annotated[
        str, typer.Option(help="Their names, with commas between; several see their own only.")
    ] = "annotator1",
    project: Annotated[
        Path, typer.Option(metavar="DB", help="The file of the project; made if it is not there.")
    ] = Path("annotations.db"),
    flow: Annotated[
        str | None,
        typer.Option(help="tab: mark and decide; replacement: choose what is written instead."),
    ] = None,
    pre: Annotated[
        str | None,
        typer.Option(
            help="What is marked from the start: none, recognizer, or what the file has. "
            "By default none; in the replacement flow file, else recognizer."
        ),
    ] = None,
    by: Annotated[
        str, typer.Option(help="Of the file's annotators, whose marks; the first by default.")
    ] = "",
    target: Annotated[
        list[str] | None, typer.Option(help="Name of the person to protect; may be repeated.")
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option(
            help="Lines of a name and its key, for your eyes only (chmod 600); new keys for every "
            "run by default."
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    server_name: Annotated[
        list[str] | None,
        typer.Option(help="A name by which others call this server; may be repeated."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser for the first.")
    ] = True,
    threads: Threads = None,
    model: Model = None,
) -> None:
    """Annotate documents by the guidelines of the Text Anonymization Benchmark.

    Each annotator gets an address of their own; with several there is one more, of the
    adjudicator, who compares what they submitted. Everything is saved as TAB standoff JSON and
    WikiReplace JSON from the pages.

    Examples:
      tacenda annotate letters/ --annotators ann,ben --pre recognizer

      tacenda annotate wikireplace.json --flow replacement --annotators ann,ben --project choices.db
    """
    for name, value, choices in (("--flow", flow, _FLOWS), ("--pre", pre, _PRE)):
        if value not in (None, *choices):
            raise typer.BadParameter(f"{value!r} is none of {', '.join(choices)}", param_hint=name)
    require_app("annotation mode")
    from ..app.annotate.people import access_with, addresses, checked_names, keys_for
    from ..app.annotate.server import server
    from ..app.annotate.service import ADJUDICATOR, Annotating
    from ..app.annotate.store import AnnotationStore, Flow
    from ..app.launching import in_browser
    from ..app.listening import listen
    from ..app.web.security.access import Access
    from ..app.web.security.keys import read_keys

    known = read_keys(key_file) if key_file else {}
    named = [name for name in known if name != ADJUDICATOR] or [
        name.strip() for name in annotators.split(",")
    ]
    names = checked_names(named)
    if not files and not project.exists():
        raise typer.BadParameter("name files, or a project that is there with --project.")
    store = AnnotationStore(project)
    try:
        chosen = store.begin(Flow(flow) if flow else None, names)
        if files:
            _fill(store, files, chosen, pre, by, target or [], threads, model)
        annotating = Annotating(store, chosen)
        # Who joined in an earlier run is there still, and may go on.
        keys = {} if known else keys_for(annotating.annotators)
        access = Access("", known) if known else access_with(keys)
        with listen(host, port) as listener, ExitStack() as opening:
            places = addresses(listener, keys or dict.fromkeys(known, ""))
            for name, place in places.items():
                typer.echo(f"{name}: {place}")
            typer.echo("Stop with Ctrl+C; every annotation is kept.")
            if browser:
                opening.enter_context(in_browser(access, next(iter(places)), listener))
            server(annotating, access, [*(server_name or ()), host]).run([listener])
    finally:
        store.close()


def _fill(
    store: AnnotationStore,
    files: Sequence[str],
    flow: Flow,
    pre: str | None,
    by: str,
    target: Sequence[str],
    threads: int | None,
    model: str | None,
) -> None:
    """Put the documents of files into the project, with what is marked in them."""
    from ..app.annotate.sources import Wanted, from_files
    from ..app.annotate.store import Flow

    replacing = flow is Flow.REPLACEMENT
    wanted = Wanted(marks=pre == "file" or (replacing and pre is None), decisions=replacing, by=by)
    sources: Iterable[Source] = list(from_files(files, target, wanted))
    unmarked = any(not source.marks.items for source in sources)
    if pre == "recognizer" or (replacing and pre is None and unmarked):
        from ..app.annotate.recognized import recognized
        from ..sanitizer import load

        name = Path(model) if model is not None and Path(model).is_dir() else model
        sources = recognized(sources, load(model=name, threads=threads), replacing)
    if replacing:
        from ..app.annotate.options import with_options
        from ..policy import Policy

        policy = Policy(operator="generalize")
        sources = (with_options(source, policy) for source in sources)
    added = store.add(list(sources))
    typer.echo(f"{added} document{'' if added == 1 else 's'} added.", err=True)
