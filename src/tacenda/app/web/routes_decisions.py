"""The page of a project's decisions: names that need a person, and the resulting lists."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import JSONResponse, Response

from ...document import SemanticType
from ...errors import InputError, in_one_line
from ...text.normal_form import mention_key
from ...wording import counted
from ..events import ReviewAction
from ..everywhere import names_of
from ..service import DocumentView, Service
from ..store.database import PermissionDenied
from ..store.projects import ProjectRole
from ..terms import ListEffect, list_names, take_back
from .base import Person, TheService, page
from .decisions import name_groups, term_batches
from .permission import DocumentId, ProjectId, TheIdentity, approval_of, part_in
from .routes_document import Shown
from .rows import anchor as place_of
from .views import update

router = APIRouter()
_SHOWN = 100
_NUMBER = re.compile("[0-9]{1,12}")


@router.get("/projects/{id}/decisions")
def decisions(
    request: Request, service: TheService, id: ProjectId, whole: bool = False
) -> Response:
    """Show the page, with the project's latest decisions, or all of them on request."""
    values = _values(service, id)
    return page(request, "decisions.html", **values | ({"shown": None} if whole else {}))


@router.get("/projects/{id}/decisions/progress")
def progress(service: TheService, person: Person, id: ProjectId) -> Response:
    """Show the progress of the person's decision; answer 204 if none is being carried out."""
    act = service.acts.get((id, person))
    if act is None:
        return Response(status_code=204)
    return JSONResponse({"done": act.done, "documents": act.documents})


@router.post("/projects/{id}/decisions")
def decide(
    request: Request,
    service: TheService,
    person: Person,
    id: ProjectId,
    names: Annotated[str, Form(max_length=1_000_000)],
    action: Annotated[str, Form(max_length=20)],
) -> Response:
    """Decide on names in all documents, and return the page's lists."""
    try:
        subjects = _names(names)
        effect = list_names(service, id, person, subjects, action)
    except InputError as error:
        return _answer(request, service, id, str(error), 422)
    outcome = {"keep": "stays", "mask": "is masked", "generalise": "is generalized"}[action]
    words = f"“{subjects[0][0]}”" if len(subjects) == 1 else f"{len(subjects)} names"
    verb = (
        outcome if len(subjects) == 1 else outcome.replace("stays", "stay").replace("is ", "are ")
    )
    return _answer(request, service, id, f"{words} {verb}; {_effect(effect)}.")


@router.post("/projects/{id}/decisions/{batch}/undo")
def undo(
    request: Request,
    service: TheService,
    identity: TheIdentity,
    person: Person,
    id: ProjectId,
    batch: str,
) -> Response:
    """Withdraw a decision in all documents; only its author and the project's owners can."""
    authors = {term.person for term in service.store.terms.of(id) if term.batch == batch}
    if authors - {person} and part_in(service.store, identity, id) is not ProjectRole.OWNER:
        raise PermissionDenied(
            "only the person who decided, or an owner of the project, can take it back."
        )
    try:
        count = take_back(service, id, person, batch)
    except InputError as error:
        return _answer(request, service, id, str(error), 422)
    return _answer(request, service, id, f"Taken back; {counted(count, 'document')} changed.")


@router.post("/documents/{id}/terms")
def list_here(
    request: Request,
    service: TheService,
    person: Person,
    id: DocumentId,
    before: Shown,
    span: Annotated[str, Form(max_length=40)],
    action: Annotated[str, Form(max_length=20)],
    type: Annotated[SemanticType, Form()] = SemanticType.MISC,
    anchor: Annotated[str, Form(alias="chosen", max_length=40)] = "",
) -> Response:
    """Put the text at a place in a document on a list of its project, and return the page's changes."""
    view = service.open(id)
    status = 200
    try:
        names = _names_at(view, span, type)
        effect = list_names(service, view.project.id, person, names, action, here=id)
    except InputError as error:
        status, notice = 422, str(error)
    else:
        sentence = "always masked" if action == "mask" else "never masked"
        notice = f"“{names[0][0]}” is {sentence} in this project; {_effect(effect)}. "
        notice += "It can be taken back on the project's page of decisions."
    view = service.open(id)
    values = update(view, service, person, before, anchor, notice, status != 200)
    return page(request, "_update.html", status, **values, **approval_of(request, view))


def _names_at(view: DocumentView, place: str, type: SemanticType) -> list[tuple[str, SemanticType]]:
    """Return the names of the entity with a mention at ``start-end``, or the words there with that type."""
    text = view.reviewed.sanitized.document.text
    for entity in view.reviewed.sanitized.entities:
        if place in {place_of(mention.span) for mention in entity.mentions}:
            names = names_of(text, entity)
            strings = dict.fromkeys(mention.span.of(text) for mention in entity.mentions)
            listed = {mention_key(string): string for string in strings}
            return [(listed[name], names.type) for name in sorted(names.strings)]
    start, _, end = place.partition("-")
    if not (_NUMBER.fullmatch(start) and _NUMBER.fullmatch(end)):
        raise InputError("a place must be start-end; reload the page.")
    return [(" ".join(text[int(start) : int(end)].split()), type)]


_BY_HAND = {
    ReviewAction.KEEP: "kept",
    ReviewAction.MASK: "masked",
    ReviewAction.GENERALISE: "generalized",
    ReviewAction.WRITE: "replaced",
}


def _effect(effect: ListEffect) -> str:
    """Return the effect of a decision in words, always including what conflicts with it."""
    contrary = [
        f"{_BY_HAND[action]} by hand in {counted(count, 'document')}, where that stays"
        for action, count in sorted(effect.contrary.items())
    ]
    where = f" ({in_one_line(effect.changed)})" if effect.changed else ""
    changed = f"{counted(len(effect.changed), 'document')} changed{where}"
    return "; ".join([changed, *contrary])


def _answer(
    request: Request, service: Service, id: int, notice: str, status: int = 200
) -> Response:
    values = _values(service, id) | {"notice": notice, "warning": status != 200}
    return page(request, "_decisions.html", status, **values)


def _names(text: str) -> list[tuple[str, SemanticType]]:
    try:
        items: Any = json.loads(text)
        return [(str(string), SemanticType(type)) for string, type in items]
    except (TypeError, ValueError):
        raise InputError("names must be a list of [string, type]; reload the page.") from None


def _values(service: Service, id: int) -> dict[str, Any]:
    names, places = service.store.doubts.totals(id)
    return {
        "project": service.project(id),
        "groups": name_groups(service, id, _SHOWN),
        "places": places,
        "names": names,
        "batches": term_batches(service, id),
        "shown": _SHOWN,
        "notice": "",
        "warning": False,
    }
