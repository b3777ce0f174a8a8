"""``tacenda review``: documents in a browser on this machine, where a person decides."""

from __future__ import annotations

import getpass
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..app.service import Service
    from ..app.store.quota import Quota

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
    from ..app.launching import in_browser
    from ..app.listening import listen
    from ..app.server import address, server
    from ..app.web.security.access import Access

    try:
        who = person or _login()
        path = _project(service, files or [], name, target or [], again, who) if files else "/"
        access = Access(who)
        with listen("127.0.0.1", port) as listener, ExitStack() as opening:
            place = address(listener, access, path)
            typer.echo(f"Review at {place}\nStop with Ctrl+C; every decision is kept.")
            if browser:
                opening.enter_context(in_browser(access, who, listener, path))
            server(service, access).run([listener])
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
    from ..app.background import Background
    from ..app.service import Service
    from ..app.store.store import Store
    from ..policy import Policy
    from ..sanitizer import load

    chosen = Policy.load(policy)
    known = None if background is None else Background(background, chosen.target)
    name = Path(model) if model is not None and Path(model).is_dir() else model
    sanitizer = load(chosen, model=name, threads=threads, together=known)
    return Service(
        Store(store or default_store()),
        sanitizer,
        model=name,
        # Of a policy in a file the name alone: a path may tell whose it is.
        policy_name=Path(policy).name,
        background=known,
        quota=quota,
        keep_jobs=keep_jobs,
    )


def require_app(what: str = "the review application") -> None:
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
        raise MissingExtraError(what, "app") from None


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
    for document, said in notes.items():
        typer.echo(f"tacenda: {document}: {' '.join(said)}", err=True)
    known = None if again else service.store.projects.find(digest(documents))
    if known is None:
        first = Path(files[0]).name or files[0]
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        known = service.add_project(name or first + more, documents, owner=owner)
        return f"/projects/{known.handle}"
    service.bring_files(known.id, documents)
    given = "" if service.background is None else service.background.path
    for what, differs in (
        ("policy", known.policy != service.sanitizer.policy),
        ("background", known.background != given),
    ):
        if differs:
            typer.echo(
                f"tacenda: project {known.name!r} goes on under the {what} it began with; --again "
                "begins anew.",
                err=True,
            )
    return f"/projects/{known.handle}"
