"""``tacenda review``: documents in a browser on this machine, where a person decides."""

from __future__ import annotations

import getpass
import os
import secrets
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..app.annotation.store import AnnotationSource, Flow
    from ..app.service import Service
    from ..app.store.projects import Quota

PolicyOption = Annotated[
    str, typer.Option("--policy", help="A YAML file, or: balanced, strict, lenient, tags.")
]
StoreOption = Annotated[
    Path | None,
    typer.Option("--store", help="The file of the projects; in your data folder by default."),
]
Threads = Annotated[int | None, typer.Option(min=1, help="Cores to use; all by default.")]
Model = Annotated[str | None, typer.Option(help="Name of a shipped recognizer, or a folder.")]
Background = Annotated[
    Path | None,
    typer.Option(
        help="An index of what an adversary could know (tacenda index build): new projects are "
        "decided by it too, and say what points to the person together.",
        exists=True,
        dir_okay=False,
    ),
]


def review(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE...]", help="Files or folders; without any, your projects."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What the project is called.")] = None,
    target: Annotated[
        list[str] | None, typer.Option(help="Name of the person to protect; may be repeated.")
    ] = None,
    policy: PolicyOption = "default",
    store: StoreOption = None,
    person: Annotated[
        str | None, typer.Option("--as", help="Whose decisions they are; your login by default.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser.")
    ] = True,
    again: Annotated[
        bool, typer.Option("--again", help="Begin anew although these files have a project.")
    ] = False,
    threads: Threads = None,
    model: Model = None,
    background: Background = None,
) -> None:
    """Review documents: see why each thing is masked, decide otherwise, save the result.

    The same files open the same project again, as it was left. Everything stays on this machine.

    Examples:
      tacenda review judgment.txt --target "Mr Galip Yalman"

      tacenda review letters/ --name "March letters" --policy strict

      tacenda review letter.docx scan.pdf --background knowledge.db
    """
    service = open_service(store, policy, threads, model, background)
    from ..app.listening import address, listen
    from ..app.server import in_browser, server
    from ..app.web.security import Access

    try:
        reviewer = person or _login()
        path = _project(service, files or [], name, target or [], again, reviewer) if files else "/"
        access = Access(reviewer)
        with listen("127.0.0.1", port) as listener, ExitStack() as opening:
            place = address(listener, path, access.token)
            typer.echo(f"Review at {place}\nStop with Ctrl+C; every decision is kept.")
            if browser:
                opening.enter_context(in_browser(access, reviewer, listener, path))
            server(service.store, access, (), service).run([listener])
    finally:
        service.store.close()


def open_service(
    store: Path | None,
    policy: str,
    threads: int | None,
    model: str | None,
    background: Path | None = None,
    quota: Quota | None = None,
    keep_jobs: float | None = None,
) -> Service:
    """Return the service over a store, with a sanitizer under a policy.

    Raises:
        MissingExtraError: if the extra ``app`` is not installed.
    """
    require_app()
    from ..app.review.indicators import Background
    from ..app.service import Service
    from ..app.store import Store
    from ..pipeline import load
    from ..policy import Policy

    effective_policy = Policy.load(policy)
    adversary = None if background is None else Background(background, effective_policy.target)
    name = Path(model) if model is not None and Path(model).is_dir() else model
    sanitizer = load(effective_policy, model=name, threads=threads, together=adversary)
    return Service(
        Store(store or default_store(), quota=quota),
        sanitizer,
        model=name,
        # Of a policy in a file the name alone: a path may tell whose it is.
        policy_name=Path(policy).name,
        background=adversary,
        keep_jobs=keep_jobs,
    )


def require_app(feature: str = "the review application") -> None:
    """Check that the extra ``app`` is there.

    Raises:
        MissingExtraError: if it is not installed.
    """
    from ..errors import MissingExtraError

    try:
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtraError(feature, "app") from None


def default_store() -> Path:
    """Return the file of the projects in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "tacenda" / "projects.db"


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        return "reviewer"


def _project(
    service: Service, files: list[str], name: str | None, target: list[str], again: bool, owner: str
) -> str:
    """Return the path of the project of these files; the one there is, if there is one."""
    from ..app.intake import from_paths
    from ..app.service import digest

    documents = from_paths(files, target)
    notes = {new.document.id: new.notes for new in documents if new.notes}
    for document, remarks in notes.items():
        typer.echo(f"tacenda: {document}: {' '.join(remarks)}", err=True)
    project = None if again else service.store.projects.find(digest(documents))
    if project is None:
        first = Path(files[0]).name or files[0]
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        project = service.add_project(name or first + more, documents, owner=owner)
        return f"/projects/{project.handle}"
    service.bring_files(project.id, documents)
    background_path = "" if service.background is None else service.background.path
    for aspect, differs in (
        ("policy", project.policy != service.sanitizer.policy),
        ("background", project.background != background_path),
    ):
        if differs:
            typer.echo(
                f"tacenda: project {project.name!r} goes on under the {aspect} it began with; --again "
                "begins anew.",
                err=True,
            )
    return f"/projects/{project.handle}"


# ``tacenda serve``: the same service for several people, and for programs.


def serve(
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8765,
    api_key_file: Annotated[
        Path | None,
        typer.Option(
            help="Lines `name key`, then user or admin, for your eyes only (chmod 600); people log in with "
            "their key, programs send it. Each sees what is theirs; the role admin sees everything. A key "
            "may be written as sha256: and its digest."
        ),
    ] = None,
    server_name: Annotated[
        list[str] | None,
        typer.Option(help="A name by which others call this server; may be repeated."),
    ] = None,
    quota_texts: Annotated[
        int, typer.Option(min=1, help="With keys: texts of one owner that may wait at once.")
    ] = 20_000,
    quota_jobs: Annotated[
        int, typer.Option(min=1, help="With keys: jobs that one owner may have.")
    ] = 100,
    quota_megabytes: Annotated[
        int, typer.Option(min=1, help="With keys: size of all that one owner may have.")
    ] = 1024,
    keep_jobs: Annotated[
        float,
        typer.Option(
            min=0, help="Hours after which finished jobs and their originals are deleted."
        ),
    ] = 24.0,
    policy: PolicyOption = "default",
    store: StoreOption = None,
    threads: Threads = None,
    model: Model = None,
    background: Background = None,
) -> None:
    """Serve the review application and a REST API (/api/v1/openapi.json).

    Without keys it listens on this machine only, and prints a token that opens it. Put a server
    that speaks TLS in front of it before others reach it over a network. Several servers may share a
    store: what waits is analysed once.

    Examples:
      tacenda serve --api-key-file keys.txt

      curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"text": "Ada Byron wrote."}' http://127.0.0.1:8765/api/v1/sanitize

      curl -H "Authorization: Bearer $KEY" -F file=@letter.docx -o clean.docx http://127.0.0.1:8765/api/v1/sanitize/file
    """
    from ..app.listening import is_loopback

    if api_key_file is None and not is_loopback(host):
        raise typer.BadParameter(
            f"{host!r} can be reached by others; say who may come in with --api-key-file.",
            param_hint="--host",
        )
    require_app()
    from ..app.listening import address, listen
    from ..app.server import server
    from ..app.store.projects import Quota
    from ..app.web.security import LOCAL, Access, read_keys

    keys = read_keys(api_key_file) if api_key_file else None
    quota = Quota(quota_texts, quota_jobs, quota_megabytes * 2**20) if keys else None
    service = open_service(store, policy, threads, model, background, quota, keep_jobs * 3600)
    try:
        access = Access(LOCAL, keys)
        names = [*(server_name or ()), host]
        with listen(host, port) as listener:
            typer.echo(f"Serving at {address(listener, token=access.token)}")
            server(service.store, access, names, service).run([listener])
    finally:
        service.store.close()


# ``tacenda annotate``: people mark texts, or choose replacements, in browsers.


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
    from ..app.annotation.service import ADJUDICATOR, AnnotationService, checked_names
    from ..app.annotation.store import Flow
    from ..app.listening import address, listen
    from ..app.server import in_browser, server
    from ..app.store import Store
    from ..app.web.security import Access, Key, read_keys

    keys = read_keys(key_file) if key_file else {}
    names = checked_names(
        [name for name in keys if name != ADJUDICATOR]
        or [name.strip() for name in annotators.split(",")]
    )
    if not files and not project.exists():
        raise typer.BadParameter("name files, or a project that is there with --project.")
    store = Store(project, "--project")
    try:
        annotations = AnnotationService(store).begin(
            project.stem, Flow(flow) if flow else None, names
        )
        if files:
            sources = _sources(files, annotations.flow, pre, by, target or [], threads, model)
            added = annotations.sources.add(sources)
            typer.echo(f"{added} document{'' if added == 1 else 's'} added.", err=True)
        # Who joined in an earlier run is there still, and may go on.
        people = annotations.annotators
        people = (*people, ADJUDICATOR) if len(people) > 1 else people
        tokens = {} if keys else {name: secrets.token_urlsafe(32) for name in people}
        access = Access("", keys or {name: Key.of(token) for name, token in tokens.items()})
        path = f"/annotation/{annotations.project.handle}/"
        with listen(host, port) as listener, ExitStack() as opening:
            places = tokens or dict.fromkeys(keys, "")
            for name, token in places.items():
                typer.echo(f"{name}: {address(listener, path, token)}")
            typer.echo("Stop with Ctrl+C; every annotation is kept.")
            if browser:
                opening.enter_context(in_browser(access, next(iter(places)), listener, path))
            server(store, access, [*(server_name or ()), host]).run([listener])
    finally:
        store.close()


def _sources(
    files: Sequence[str],
    flow: Flow,
    pre: str | None,
    by: str,
    target: Sequence[str],
    threads: int | None,
    model: str | None,
) -> list[AnnotationSource]:
    """Return the documents of files, with what is marked in them."""
    from ..app.annotation.sources import MarkOptions, from_files
    from ..app.annotation.store import Flow

    replacing = flow is Flow.REPLACEMENT
    options = MarkOptions(
        marks=pre == "file" or (replacing and pre is None), decisions=replacing, by=by
    )
    sources: Iterable[AnnotationSource] = list(from_files(files, target, options))
    unmarked = any(not source.marks.items for source in sources)
    if pre == "recognizer" or (replacing and pre is None and unmarked):
        from ..app.annotation.sources import recognized
        from ..pipeline import load

        name = Path(model) if model is not None and Path(model).is_dir() else model
        sources = recognized(sources, load(model=name, threads=threads), replacing)
    if replacing:
        from ..app.annotation.sources import with_options
        from ..policy import Policy

        policy = Policy(operator="generalize")
        sources = (with_options(source, policy) for source in sources)
    return list(sources)
