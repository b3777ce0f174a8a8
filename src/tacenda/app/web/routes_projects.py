"""Pages around projects: login and logout, the list, one project, access log, annotation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, UploadFile
from fastapi.responses import RedirectResponse, Response

from ...errors import InputError, TacendaError
from ..annotation.service import ADJUDICATOR
from ..annotation.sources import sources_of
from ..annotation.store import find
from ..service import Service
from ..store.documents import Status
from ..store.projects import OverQuota
from .access import TooManyWrong, address_of, end_session, set_session
from .base import TheAccess, TheAnnotations, TheService, TheStore, page, uploaded
from .guard import too_many
from .permission import Admin, OwnProjectId, ProjectId, TheIdentity, begin_project, scope_of

entry = APIRouter()
"""Ways in and out, and what is there; also where nothing is reviewed."""
router = APIRouter()


@entry.get("/login")
def form(request: Request) -> Response:
    """Show the form."""
    return page(request, "login.html", wrong=False)


@entry.post("/login")
def enter(
    request: Request,
    access: TheAccess,
    key: Annotated[str, Form(max_length=1000)],
    name: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Begin a session for the owner of the key; if a name is given, the key must be theirs."""
    try:
        identity = access.identify(key.strip(), address_of(request.scope), name.strip())
    except TooManyWrong as error:
        return too_many(request.scope, error)
    if identity is None:
        return page(request, "login.html", 401, wrong=True)
    response = RedirectResponse("/", 303)
    set_session(response, access, identity, request.scope)
    return response


@entry.post("/logout")
def leave(request: Request, access: TheAccess) -> Response:
    """End the session: its cookie opens nothing any more, here or elsewhere."""
    response: Response = RedirectResponse("/login", 303)
    if not access.by_key:
        response = page(request, "left.html")
    end_session(response, request, access)
    return response


@entry.get("/")
def projects(request: Request, store: TheStore, identity: TheIdentity) -> Response:
    """Show the projects open to the person."""
    reviewing = request.app.state.service is not None
    annotations = store.projects.all("annotation", scope_of(identity))
    if len(annotations) == 1 and not reviewing:
        return RedirectResponse(f"/annotation/{annotations[0].handle}/", 303)
    items = []
    for project in store.projects.all(person=scope_of(identity)):
        documents = store.documents.of(project.id)
        n_done = sum(row.summary.done for row in documents)
        items.append({"project": project, "documents": len(documents), "done": n_done})
    return page(
        request,
        "projects.html",
        projects=items,
        annotations=annotations,
        reviewing=reviewing,
        admin=identity.is_admin,
    )


@router.post("/projects")
def begin(
    request: Request,
    name: Annotated[str, Form(max_length=200)],
    files: list[UploadFile],
    target: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    """Begin a project; htmx goes to its page."""
    names = [target.strip()] if target.strip() else []
    try:
        project = begin_project(request, name.strip() or "Project", uploaded(files, names))
    except OverQuota as error:
        return Response(str(error), 429, {"Retry-After": str(error.wait)}, "text/plain")
    except TacendaError as error:
        return Response(str(error), 422, media_type="text/plain")
    return Response(status_code=204, headers={"HX-Redirect": f"/projects/{project.handle}"})


@router.get("/projects/{id}")
def project(
    request: Request,
    service: TheService,
    access: TheAccess,
    identity: TheIdentity,
    id: ProjectId,
) -> Response:
    """Show a project."""
    values = _values(service, id)
    values |= {"annotated": find(service.store, id) is not None}
    is_own = identity.is_admin or values["project"].owner == identity.name
    values |= {
        "own": is_own,
        "shares": access.by_key,
        "members": service.store.projects.members(id),
    }
    return page(request, "queue.html", **values)


@router.get("/projects/{id}/queue")
def queue(request: Request, service: TheService, id: ProjectId) -> Response:
    """Show the list alone, for an open page."""
    return page(request, "_queue.html", **_values(service, id))


@router.post("/projects/{id}/delete")
def delete(service: TheService, id: OwnProjectId) -> Response:
    """Delete a project with all its data; htmx goes to the list of projects."""
    service.delete_project(id)
    return Response(status_code=204, headers={"HX-Redirect": "/"})


@router.post("/projects/{id}/members")
def share(
    service: TheService, id: OwnProjectId, names: Annotated[str, Form(max_length=10_000)] = ""
) -> Response:
    """Let these people work with the project too, and nobody else; htmx loads the page again."""
    service.share(id, names.replace(",", " ").split())
    return Response(status_code=204, headers={"HX-Refresh": "true"})


def _values(service: Service, id: int) -> dict[str, Any]:
    documents = service.store.documents.of(id)
    to_review = [row for row in documents if row.status is Status.READY and not row.summary.done]
    project = service.project(id)
    return {
        "project": project,
        "background": Path(project.background).name,
        "documents": documents,
        "done": sum(row.summary.done for row in documents),
        "waiting": sum(row.status is Status.WAITING for row in documents),
        "following": to_review[0] if to_review else None,
    }


_SHOWN = 200


@entry.get("/access-log")
def access_log(request: Request, store: TheStore, _: Admin, before: int | None = None) -> Response:
    """Show the log of accesses, the latest first."""
    entries = store.accesses.latest(_SHOWN, before)
    following = entries[-1].id if len(entries) == _SHOWN else None
    return page(request, "access_log.html", entries=entries, following=following)


@router.post("/projects/{id}/annotation")
def annotate(
    request: Request,
    service: TheService,
    annotations: TheAnnotations,
    access: TheAccess,
    id: OwnProjectId,
    annotators: Annotated[str, Form(max_length=2000)],
    marked: Annotated[bool, Form()] = False,
) -> Response:
    """Begin to annotate the documents, or go on with it; show where each annotator comes in."""
    names = [name.strip() for name in annotators.split(",") if name.strip()]
    review = service.project(id)
    try:
        project = annotations.begin(
            review.name,
            None,
            names,
            sources_of(service, id, marked),
            owner=review.owner,
            review=id,
        )
    except InputError as error:
        return page(request, "_annotation.html", 422, places={}, fault=str(error), agreement="")
    base = f"/annotation/{project.project.handle}"
    if access.by_key:  # each comes in with their own key
        return page(
            request, "_annotation.html", places={}, fault="", agreement="", place=f"{base}/"
        )
    people = project.annotators
    people = (*people, ADJUDICATOR) if len(people) > 1 else people
    places = {name: f"{base}/?token={access.admit(name, base)}" for name in people}
    agreement = places.get(ADJUDICATOR, "").replace("/?", "/agreement?")
    return page(request, "_annotation.html", places=places, fault="", agreement=agreement, place="")
