"""``tacenda review``, ``serve app`` and ``annotate``: people review or annotate documents in a browser."""

from __future__ import annotations

import getpass
import os
import secrets
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..wording import counted
from .columns import Keep, names
from .network import WikidataOptions
from .options import (
    Browser,
    Column,
    Host,
    Only,
    Port,
    SanitizerOptions,
    ServerName,
    Target,
    argument,
    cli_option,
    grouped,
    option,
)
from .printing import print_note

if TYPE_CHECKING:
    from ..app.annotation.store import AnnotationSource, Flow
    from ..app.service import Service
    from ..app.store.documents import NewDocument
    from ..app.store.projects import Quota
    from ..deciding import OntologySource

_REVIEWED = tuple(field.name for field in fields(SanitizerOptions) if field.name != "target")
_Files = Annotated[list[str] | None, argument("app.files", metavar="[FILE...]")]
_Store = Annotated[Path | None, cli_option("app.store")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSettings:
    """Options of ``tacenda review``."""

    name: str | None = option(None)
    person: str | None = option(None, "--as")
    again: bool = option(False, "--again")
    same_tags: bool = option(True, "--same-tags/--tags-per-document")
    allow_network: bool = option(False, "--allow-network")
    store: _Store = None


@grouped
def review(
    files: _Files = None,
    *,
    target: Target = None,
    column: Column = None,
    keep_columns: Keep = None,
    options: Annotated[SanitizerOptions, Only(*_REVIEWED)],
    port: Port = 0,
    browser: Browser = True,
    wikidata: WikidataOptions,
    settings: ReviewSettings,
) -> None:
    """Review documents in the browser and change decisions.

    The same files open the same project again, as it was left, or the one named. Everything stays on this
    machine, unless you let it ask Wikidata.

    Examples:
      tacenda review judgment.txt --target "Mr Galip Yalman"
      tacenda review letters/ --name "March letters" --policy strict
      tacenda review letter.docx scan.pdf --background knowledge.db
      tacenda review staff.csv --column note --keep-columns ward
      tacenda review akten/ --tag-language de --operator surrogate
    """
    ontology = wikidata.open(target or (), allow_network=settings.allow_network)
    options = _with_key(options, settings.store)
    service = open_service(settings.store, options, ontology=ontology)
    from ..app.intake import from_paths
    from ..app.listening import address, listen
    from ..app.server import in_browser, server
    from ..app.web.access import Access

    try:
        reviewer = settings.person or _login()
        path = "/"
        if files:
            columns = sorted(names(keep_columns))
            documents = from_paths(files, target or [], column or [], columns)
            of_policy = replace(options, background=None, model=None, threads=None)
            given = ["policy"] * (of_policy != SanitizerOptions())
            given += ["background"] * (options.background is not None)
            given += ["numbering of people"] * (not settings.same_tags)
            path = _project(service, documents, settings, given, reviewer)
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
    options: SanitizerOptions,
    quota: Quota | None = None,
    keep_jobs: float | None = None,
    webhook_networks: Sequence[str] = (),
    ontology: OntologySource | None = None,
) -> Service:
    """Return the service for a store, with a sanitizer under a policy.

    Raises:
        MissingExtraError: if the extra ``app`` is not installed.
    """
    require_app()
    from ..app.review.indicators import Background
    from ..app.service import Service
    from ..app.store import Store
    from ..app.webhooks import WebhookReach
    from ..deciding import AdditionalParts, ontology_of

    reach = WebhookReach.of(webhook_networks)
    policy = options.effective_policy()
    background = options.background
    adversary = None if background is None else Background(background, policy.target)
    parts = AdditionalParts(
        combination_indicators=() if adversary is None else (adversary,),
        ontology=ontology or ontology_of,
    )
    sanitizer = options.open(policy, parts)
    return Service(
        Store(store or default_store(), quota=quota),
        sanitizer,
        model=options.model,
        # Only the name of a policy file, since its path may identify a person.
        policy_name=Path(options.policy).name,
        background=adversary,
        keep_jobs=keep_jobs,
        reach=reach,
    )


def _with_key(options: SanitizerOptions, store: Path | None) -> SanitizerOptions:
    """Return the options with the key beside the projects, where their operator needs one and none is named."""
    from ..app.profiles import key_file
    from ..policy import Policy
    from ..policy.rules import KEYED

    policy = Policy.load(options.policy)
    if options.operator not in KEYED or options.key_file or policy.key_env or policy.key_file:
        return options
    return replace(options, key_file=key_file((store or default_store()).parent))


def require_app(feature: str = "the review application") -> None:
    """Check that the extra ``app`` is installed.

    Raises:
        MissingExtraError: if it is not installed.
    """
    from ..errors import require_extra

    require_extra("app", feature, "fastapi", "jinja2", "python_multipart", "uvicorn")


def default_store() -> Path:
    """Return the projects' file in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "tacenda" / "projects.db"


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        return "reviewer"


def _project(
    service: Service,
    documents: list[NewDocument],
    settings: ReviewSettings,
    given: Sequence[str],
    owner: str,
) -> str:
    """Return the path of the project for these files, with the given name if any; create it if necessary.

    Args:
        service: the service for the store.
        documents: the files' documents.
        settings: the project's name, and whether to create a new one.
        given: which of policy, background and numbering the user specified.
        owner: owner of a new project.
    """
    from ..app.intake import title_of
    from ..app.store.projects import digest

    notes = {source.document.id: source.notes for source in documents if source.notes}
    for document, remarks in notes.items():
        print_note(f"{document}: {' '.join(remarks)}")
    name = settings.name
    project = None
    if not settings.again:
        project = service.store.projects.find(digest(documents), name)
    if project is None:
        title = name or title_of(documents)
        project = service.add_project(title, documents, owner=owner, linked=settings.same_tags)
        return f"/projects/{project.handle}"
    service.bring_files(project.id, documents)
    background_path = "" if service.background is None else service.background.path
    for aspect, differs in (
        ("policy", project.policy != service.sanitizer.policy),
        ("background", project.background != background_path),
        ("numbering of people", project.linked != settings.same_tags),
    ):
        if differs and aspect in given:
            print_note(
                f"project {project.name!r} keeps its original {aspect}; use --again to start a new project"
            )
    return f"/projects/{project.handle}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Options of ``tacenda serve app``."""

    store: _Store = None
    api_key_file: Path | None = option(None)
    quota_texts: int = option(20_000, min=1)
    quota_jobs: int = option(100, min=1)
    quota_megabytes: int = option(1024, min=1)
    keep_jobs: float = option(24.0, min=0)
    webhook_network: list[str] | None = option(None, metavar="NETWORK")


@grouped
def serve_app(
    *,
    options: Annotated[SanitizerOptions, Only("policy", "background", "model", "threads")],
    host: Host = "127.0.0.1",
    port: Port = 8765,
    server_name: ServerName = None,
    settings: ServerSettings,
) -> None:
    """Serve the review application and its REST API (/api/v1/openapi.json).

    Without keys it listens on this machine only, and prints a token that opens it. Put a server
    that speaks TLS in front of it before others reach it over a network. Several servers may share a
    store: what waits is analysed once.

    Examples:
      tacenda serve app --api-key-file keys.txt
      curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"text": "Ada Byron wrote."}' http://127.0.0.1:8765/api/v1/sanitize
      curl -H "Authorization: Bearer $KEY" -F file=@letter.docx -o clean.docx http://127.0.0.1:8765/api/v1/sanitize/file
    """
    from ..app.listening import is_loopback

    if settings.api_key_file is None and not is_loopback(host):
        raise typer.BadParameter(
            f"{host!r} can be reached by others; restrict access with --api-key-file",
            param_hint="--host",
        )
    require_app()
    from ..app.listening import address, listen
    from ..app.server import server
    from ..app.store.projects import Quota
    from ..app.web.access import Access
    from ..app.web.keys import LOCAL, read_keys

    keys = read_keys(settings.api_key_file) if settings.api_key_file else None
    quota = (
        Quota(settings.quota_texts, settings.quota_jobs, settings.quota_megabytes * 2**20)
        if keys
        else None
    )
    reviews = open_service(
        settings.store, options, quota, settings.keep_jobs * 3600, settings.webhook_network or ()
    )
    try:
        access = Access(LOCAL, keys)
        names = [*(server_name or ()), host]
        with listen(host, port) as listener:
            typer.echo(f"Serving at {address(listener, token=access.token)}")
            server(reviews.store, access, names, reviews).run([listener])
    finally:
        reviews.store.close()


_AnnotatedFiles = Annotated[list[str] | None, argument("app.annotated_files", metavar="[FILE...]")]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationSettings:
    """Options of ``tacenda annotate``."""

    project: Path = option(Path("annotations.db"), metavar="DB")
    annotators: str = option("annotator1")
    flow: str | None = option(None, choices=("tab", "replacement"))
    pre: str | None = option(None, choices=("none", "recognizer", "file"))
    by: str = option("")
    key_file: Path | None = option(None)


@grouped
def annotate(
    files: _AnnotatedFiles = None,
    *,
    target: Target = None,
    options: Annotated[SanitizerOptions, Only("model", "threads")],
    host: Host = "127.0.0.1",
    port: Port = 0,
    server_name: ServerName = None,
    browser: Browser = True,
    settings: AnnotationSettings,
) -> None:
    """Annotate documents by the guidelines of the TAB benchmark.

    Each annotator gets an address of their own; with several there is one more, of the
    adjudicator, who compares what they submitted. Everything is saved as TAB standoff JSON and
    WikiReplace JSON from the pages.

    Examples:
      tacenda annotate letters/ --annotators ann,ben --pre recognizer
      tacenda annotate wikireplace.json --flow replacement --annotators ann,ben --project choices.db
    """
    require_app("annotation mode")
    from ..app.annotation.service import ADJUDICATOR, AnnotationService, checked_names
    from ..app.annotation.store import Flow
    from ..app.listening import address, listen
    from ..app.server import in_browser, server
    from ..app.store import Store
    from ..app.web.access import Access
    from ..app.web.keys import Key, read_keys

    keys = read_keys(settings.key_file) if settings.key_file else {}
    names = checked_names(
        [name for name in keys if name != ADJUDICATOR]
        or [name.strip() for name in settings.annotators.split(",")]
    )
    if not files and not settings.project.exists():
        raise typer.BadParameter("name files, or an existing project with --project")
    store = Store(settings.project, "--project")
    try:
        annotations = AnnotationService(store).begin(
            settings.project.stem, Flow(settings.flow) if settings.flow else None, names
        )
        if files:
            sources = _sources(
                files, annotations.flow, settings.pre, settings.by, target or [], options
            )
            count = annotations.sources.add(sources)
            typer.echo(f"{counted(count, 'document')} added.", err=True)
        # Annotators of an earlier run stay and may continue.
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
    options: SanitizerOptions,
) -> list[AnnotationSource]:
    """Return the documents in files, with their marks."""
    from ..app.annotation.sources import MarkOptions, from_files
    from ..app.annotation.store import Flow

    replacing = flow is Flow.REPLACEMENT
    marks = MarkOptions(
        marks=pre == "file" or (replacing and pre is None), decisions=replacing, by=by
    )
    sources: Iterable[AnnotationSource] = list(from_files(files, target, marks))
    unmarked = any(not source.marks.items for source in sources)
    if pre == "recognizer" or (replacing and pre is None and unmarked):
        from ..app.annotation.sources import recognized

        sources = recognized(sources, options.open(options.effective_policy()), replacing)
    if replacing:
        from ..app.annotation.sources import with_options
        from ..policy import Policy

        policy = Policy(operator="generalize")
        sources = (with_options(source, policy) for source in sources)
    return list(sources)
