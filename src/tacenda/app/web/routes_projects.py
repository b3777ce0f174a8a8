"""Pages around projects: login and logout, the list, one project, access log, annotation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from ...errors import InputError
from ..annotation.service import ADJUDICATOR
from ..annotation.sources import sources_of
from ..annotation.store import find
from ..profiles import PROFILES, STYLES, style_of
from ..review.curve import nearest
from ..service import Service
from ..store.documents import Status
from ..store.projects import Part
from .access import TooManyWrong, address_of, end_session, set_session
from .base import TheAccess, TheAnnotations, TheService, TheStore, page
from .guard import too_many
from .permission import (
    Admin,
    OwnProjectId,
    ProjectId,
    TheIdentity,
    check_assignment,
    part_in,
    scope_of,
)
from .views import STEPS

entry = APIRouter()
"""Ways in and out, and what is there; also where nothing is reviewed."""
router = APIRouter()
_Names = Annotated[str, Form(max_length=10_000)]


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
        n_ready = sum(row.status is Status.READY for row in documents)
        items.append(
            {
                "project": project,
                "documents": len(documents),
                "done": n_done,
                "waiting": n_ready - n_done,
            }
        )
    return page(
        request,
        "home.html",
        projects=items,
        profiles=PROFILES,
        styles=STYLES,
        **_settings(request.app.state.service),
        annotations=annotations,
        reviewing=reviewing,
        admin=identity.is_admin,
    )


def _settings(service: Service | None) -> dict[str, Any]:
    """The settings of a new project: those of the server's policy."""
    if service is None:
        return {}
    policy = service.sanitizer.policy
    return {
        "steps": STEPS,
        "position": STEPS - nearest(service.sanitizer.threshold),
        "own_styles": {name: style_of(policy, name) for name in PROFILES},
    }


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
    part = part_in(service.store, identity, id)
    members = service.store.projects.parts(id)
    values |= {
        "own": part is Part.OWNER,
        "shares": access.by_key,
        "members": {
            part: [name for name, theirs in members.items() if theirs is part] for part in Part
        },
        "people": [values["project"].owner, *members] if part is Part.OWNER else [identity.name],
    }
    return page(request, "queue.html", **values)


@router.get("/projects/{id}/queue")
def queue(request: Request, service: TheService, access: TheAccess, id: ProjectId) -> Response:
    """Show the list alone, for an open page."""
    return page(request, "_queue.html", **_values(service, id), shares=access.by_key)


@router.post("/projects/{id}/delete")
def delete(service: TheService, id: OwnProjectId) -> Response:
    """Delete a project with all its data; htmx goes to the list of projects."""
    service.delete_project(id)
    return Response(status_code=204, headers={"HX-Redirect": "/"})


@router.post("/projects/{id}/members")
def share(
    service: TheService,
    id: OwnProjectId,
    names: _Names = "",
    approvers: _Names = "",
    owners: _Names = "",
    four_eyes: Annotated[bool, Form()] = False,
) -> Response:
    """Let these people work with the project too, and nobody else; htmx loads the page again."""
    lists = {Part.REVIEWER: names, Part.APPROVER: approvers, Part.OWNER: owners}
    members = {name: part for part in Part for name in lists[part].replace(",", " ").split()}
    service.share(id, members, four_eyes)
    return Response(status_code=204, headers={"HX-Refresh": "true"})


@router.post("/projects/{id}/assignments")
def assign(
    service: TheService,
    identity: TheIdentity,
    id: ProjectId,
    documents: Annotated[list[str], Form(max_length=100_000)],
    assignee: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Give documents to somebody to review; htmx loads the page again."""
    check_assignment(service.store, identity, id, documents, assignee)
    service.assign(id, documents, assignee)
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
