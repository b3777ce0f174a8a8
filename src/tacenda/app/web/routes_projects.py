"""Pages about projects: login and logout, the list, a project, the access log, annotation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from ...errors import InputError
from ...models.text_language import NAMES
from ...wording import counted
from ..annotation.service import ADJUDICATOR
from ..annotation.sources import sources_of
from ..annotation.store import find as annotation_of
from ..page_messages import page_message
from ..profiles import PROFILES, STYLES, profile_of, style_and_bound
from ..release import release_to_publish, stage_of
from ..review.curve import nearest
from ..service import Service
from ..store import Store
from ..store.lists import Counts, State
from ..store.projects import Project, ProjectRole
from .access import TooManyWrong, address_of, end_session, set_session
from .base import TheAccess, TheAnnotations, TheService, TheStore, page, said
from .guard import too_many
from .keys import KeyIdentity
from .labels import STATES, STRICTNESS, strictness
from .permission import (
    Admin,
    OwnProjectId,
    ProjectId,
    TheIdentity,
    check_assignment,
    check_members,
    part_in,
    scope_of,
)
from .views import STEPS

entry = APIRouter()
"""Ways in and out, and what is there; also where nothing is reviewed."""
router = APIRouter()
_ROWS = 100
"""Documents on a page of a list."""
_CHANGES = 200
"""Changed documents of one answer."""
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
    """Start a session for the owner of the key; if a name is given, the key must be theirs."""
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
    """End the session; its cookie no longer gives access anywhere."""
    response: Response = RedirectResponse("/login", 303)
    if not access.by_key:
        response = page(request, "left.html")
    end_session(response, request, access)
    return response


@entry.get("/")
def projects(request: Request, store: TheStore, identity: TheIdentity) -> Response:
    """Show the projects the person has access to."""
    return _first_page(request, store, identity)


@router.get("/new")
def new_project(request: Request, store: TheStore, identity: TheIdentity) -> Response:
    """Show the form for a new project."""
    return _first_page(request, store, identity, is_new=True)


def _first_page(
    request: Request, store: Store, identity: KeyIdentity, is_new: bool = False
) -> Response:
    # One page, so that a text and files move from trying to a new project without being stored.
    reviewing = request.app.state.service is not None
    annotations = store.projects.all("annotation", scope_of(identity))
    if len(annotations) == 1 and not reviewing:
        return RedirectResponse(f"/annotation/{annotations[0].handle}/", 303)
    visible = store.projects.all(person=scope_of(identity))
    counts = store.lists.counts_of([project.id for project in visible])
    items = [(project, counts.get(project.id, Counts())) for project in visible]
    return page(
        request,
        "home.html",
        projects=items,
        profiles=PROFILES,
        styles=STYLES,
        **_settings(request.app.state.service),
        annotations=annotations,
        reviewing=reviewing,
        is_new=is_new,
        admin=identity.is_admin,
    )


def _settings(service: Service | None) -> dict[str, Any]:
    """Return the settings of a new project: those of the server's policy."""
    if service is None:
        return {}
    policy, usual = service.sanitizer.policy, service.sanitizer.threshold
    defaults = {name: style_and_bound(policy, name) for name in PROFILES}
    named = sorted(NAMES.items(), key=lambda item: item[1])
    readable = service.sanitizer.languages
    return {
        "languages": {
            "read": [item for item in named if item[0] in readable],
            "not read: check these yourself": [item for item in named if item[0] not in readable],
        },
        "steps": STEPS,
        "bounds": {
            words: [place for place, name in enumerate(STRICTNESS) if name == words]
            for words in dict.fromkeys(STRICTNESS)
        },
        "own_styles": {name: style for name, (style, _) in defaults.items()},
        "own_positions": {
            name: STEPS - nearest(usual if bound is None else bound)
            for name, (_, bound) in defaults.items()
        },
    }


def settings_of(service: Service, project: Project) -> dict[str, str]:
    """Return the choices made when a project was created, in words."""
    policy = project.policy
    profile = profile_of(service.sanitizer.policy, policy)
    style = next((style for style in STYLES.values() if style.operator == policy.operator), None)
    bound = project.threshold if policy.threshold is None else policy.threshold
    return {
        "Kind of text": PROFILES[profile].label if profile else "a custom policy",
        "Written instead": f"{style.label}: {style.example}" if style else policy.operator,
        "How strict": strictness(bound),
        "The same person": "has the same tag or made-up name in all documents"
        if project.linked
        else "may have another tag in each document",
    }


@router.get("/projects/{id}")
def project(
    request: Request,
    service: TheService,
    access: TheAccess,
    identity: TheIdentity,
    id: ProjectId,
    find: Annotated[str, Query(max_length=200)] = "",
    state: State = State.ALL,
    number: Annotated[int, Query(ge=1, le=1_000_000, alias="page")] = 1,
) -> Response:
    """Show a project, with a page of its documents."""
    own = service.project(id)
    part = part_in(service.store, identity, id)
    first = (number - 1) * _ROWS
    shown = service.store.lists.page(
        id, first, _ROWS, words=find.strip(), state=state, person=identity.name
    )

    def at(number: int) -> str:
        return f"/projects/{own.handle}?" + urlencode(
            {"find": find, "state": state, "page": number}
        )

    values = _progress(service, id) | {
        "project": own,
        "background": Path(own.background).name,
        "rows": shown.rows,
        "total": shown.total,
        "first": first,
        "number": number,
        "at": at,
        "find": find,
        "state": state,
        "states": STATES,
        "tables": service.store.lists.tables(id),
        "annotated": annotation_of(service.store, id) is not None,
        "own": part is ProjectRole.OWNER,
        "shares": access.by_key,
        "people": [identity.name],
        "settings": settings_of(service, own),
    }
    if part is ProjectRole.OWNER:
        values |= _told(service, id) | _people(service, id)
    return page(request, "queue.html", **values)


@router.get("/projects/{id}/queue")
def queue(
    request: Request,
    service: TheService,
    access: TheAccess,
    id: ProjectId,
    since: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """Show what changed since a version of the list, for an open page; answer 204 if nothing did."""
    if service.store.lists.version(id) <= since:
        return Response(status_code=204)
    rows, version = service.store.lists.changes(id, since, _CHANGES)
    values = _progress(service, id) | {"version": version}
    return page(request, "_changed.html", **values, rows=rows, shares=access.by_key)


@router.post("/projects/{id}/delete")
def delete(service: TheService, id: OwnProjectId) -> Response:
    """Delete a project with all its data; htmx goes to the list of projects."""
    service.delete_project(id)
    return Response(status_code=204, headers={"HX-Redirect": "/"})


@router.post("/projects/{id}/members")
def share(
    request: Request,
    service: TheService,
    access: TheAccess,
    id: OwnProjectId,
    names: _Names = "",
    approvers: _Names = "",
    owners: _Names = "",
    four_eyes: Annotated[bool, Form()] = False,
) -> Response:
    """Share the project with exactly these people; respond with the form."""
    lists = {
        ProjectRole.REVIEWER: names,
        ProjectRole.APPROVER: approvers,
        ProjectRole.OWNER: owners,
    }
    members = {name: part for part in ProjectRole for name in lists[part].replace(",", " ").split()}
    check_members(access, service.store, id, members)
    service.share(id, members, four_eyes)
    answer = page(request, "_shared.html", **_people(service, id))
    others = [f"{name} ({part})" for name, part in service.store.projects.parts(id).items()]
    return said(answer, f"Shared with {', '.join(others)}." if others else "Not shared.")


def _people(service: Service, id: int) -> dict[str, Any]:
    """Return the members of a project, for its owner."""
    own = service.project(id)
    members = service.store.projects.parts(id)
    return {
        "project": own,
        "members": {
            part: [name for name, theirs in members.items() if theirs is part]
            for part in ProjectRole
        },
        "people": [own.owner, *members],
    }


@router.post("/projects/{id}/webhook")
def tell(
    request: Request,
    service: TheService,
    id: OwnProjectId,
    url: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Set or remove the project's webhook; respond with the form and the secret."""
    try:
        webhook = service.set_webhook(id, url.strip())
    except InputError as error:
        values = _told(service, id) | {"fault": page_message(error)}
        return page(request, "_webhook.html", 422, **values)
    return page(request, "_webhook.html", **_told(service, id) | {"secret": webhook.secret})


def _told(service: Service, id: int) -> dict[str, Any]:
    deliveries = service.store.deliveries
    return {
        "project": service.project(id),
        "webhook": deliveries.webhook(id).url,
        "deliveries": deliveries.of(id),
        "secret": "",
        "fault": "",
    }


@router.post("/projects/{id}/assignments")
def assign(
    service: TheService,
    identity: TheIdentity,
    id: ProjectId,
    documents: Annotated[list[str], Form(max_length=100_000)],
    assignee: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Assign documents to a reviewer; the page reloads its list."""
    check_assignment(service.store, identity, id, documents, assignee)
    service.assign(id, documents, assignee)
    count = counted(len(documents), "document is", "documents are")
    return said(Response(status_code=204), f"{count} assigned to {assignee or 'no one'}.")


def _progress(service: Service, id: int) -> dict[str, Any]:
    # Read the version first: anything that changes meanwhile is shown, and sent once more.
    lists, doubts = service.store.lists, service.store.doubts
    version = lists.version(id)
    names, places = doubts.totals(id)
    recurring, proposals = doubts.repeated(id)
    return {
        "version": version,
        "project": service.project(id),
        "counts": lists.counts(id),
        "sums": lists.figures(id),
        "names": names,
        "places": places,
        "recurring": recurring,
        "proposals": proposals,
        "following": lists.following(id),
        "stage": stage_of(service, id),
        "archive": release_to_publish(service, id),
    }


_SHOWN = 200


@entry.get("/access-log")
def access_log(request: Request, store: TheStore, _: Admin, before: int | None = None) -> Response:
    """Show the access log, the newest entries first."""
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
    """Start or continue annotating the documents; show each annotator's entrance."""
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
        return page(
            request, "_annotation.html", 422, places={}, fault=page_message(error), agreement=""
        )
    base = f"/annotation/{project.project.handle}"
    if access.by_key:  # each logs in with their own key
        return page(
            request, "_annotation.html", places={}, fault="", agreement="", place=f"{base}/"
        )
    people = project.annotators
    people = (*people, ADJUDICATOR) if len(people) > 1 else people
    places = {name: f"{base}/?token={access.admit(name, base)}" for name in people}
    agreement = places.get(ADJUDICATOR, "").replace("/?", "/agreement?")
    return page(request, "_annotation.html", places=places, fault="", agreement=agreement, place="")
