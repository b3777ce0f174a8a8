"""The pages of annotation mode, under ``/annotation/{id}``: a router of the application."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from ...errors import InputError
from ...evaluate.agreement import MASKING_PAIRS
from ...text.decoding import writable
from ..events import Event
from ..export import Download
from ..store.database import PermissionDenied
from ..store.log import RevisionConflict
from ..web.base import Person, TheAccess, attachment, page
from ..web.labels import STEPS
from ..web.permission import TheAnnotation
from ..web.routes_projects import leave
from .adjudication import (
    Adjudication,
    Ruling,
    adjudicated,
    adjudication,
    edit_shares,
    rule,
    take_back,
)
from .comparison import ComparedPlace, agreement_view, places
from .export import as_adjudicated, as_tab, as_wikireplace, submitted
from .rendering import outcome, replaced_rows
from .service import ADJUDICATOR, AnnotationProject, AnnotationView
from .store import Flow
from .views import work_values

router = APIRouter(prefix="/annotation/{id}")
_AROUND = 60
"""Characters shown before and after a place."""


class SentEvent(BaseModel):
    """An annotator's event, and the revision it was made for."""

    revision: int = Field(ge=0)
    act: dict[str, Any]
    everywhere: bool = False


class SentRevision(BaseModel):
    """The revision to undo or redo from."""

    revision: int = Field(ge=0)


class SentCheck(BaseModel):
    """A reviewer's verdict and remark."""

    value: Literal["protected", "exposed"]
    note: Annotated[str, Field(max_length=2000)] = ""


def base_of(project: AnnotationProject) -> str:
    """Return the common prefix of the addresses of a project's pages."""
    return f"/annotation/{project.project.handle}"


def _page(
    request: Request, project: AnnotationProject, template: str, status: int = 200, **values: Any
) -> Response:
    shared = {"base": base_of(project), "flow": str(project.flow)}
    return page(request, f"annotation/{template}", status, **shared, **values)


@router.get("/")
def documents(request: Request, project: TheAnnotation, person: Person) -> Response:
    """Show all documents, with the progress of one's own annotations and others' visible annotations."""
    viewer = project.viewer(person)
    rows = [_document(project, number, viewer) for number in project.documents()]
    return _page(
        request,
        project,
        "documents.html",
        rows=rows,
        steps=STEPS[project.flow],
        annotators=project.annotators,
        viewer=viewer,
        adjudicator=ADJUDICATOR,
        submitted=sum(row["own"] is not None and row["own"].annotation.submitted for row in rows),
    )


def _document(project: AnnotationProject, number: int, viewer: str) -> dict[str, Any]:
    views = project.shown(number, viewer)
    own_view: AnnotationView | None = next(
        (view for view in views if view.annotator == viewer), None
    )
    return {
        "source": project.source(number),
        "own": own_view,
        "others": [view for view in views if view.annotator != viewer],
        "submitted": [view.annotator for view in views if view.annotation.submitted],
        "undecided": adjudication(project, number).open if viewer == ADJUDICATOR else 0,
    }


@router.get("/next")
def following(project: TheAnnotation, person: Person, after: int) -> Response:
    """Go to the next document that isn't submitted yet."""
    viewer = project.viewer(person)
    if after not in project.documents() or viewer == ADJUDICATOR:
        number = None
    else:
        number = project.following(after, viewer)
    place = "" if number is None else f"documents/{number}"
    return RedirectResponse(f"{base_of(project)}/{place}", 303)


@router.post("/logout")
def logout(request: Request, access: TheAccess, _: TheAnnotation) -> Response:
    """End the person's session here; their other sessions continue."""
    return leave(request, access)


@router.get("/documents/{number}")
def work(request: Request, project: TheAnnotation, person: Person, number: int) -> Response:
    """Show a document with one's own annotation, step by step."""
    view = project.open(number, project.viewer(person))
    return _work(request, project, "work.html", view)


@router.post("/documents/{number}/acts")
def act(
    request: Request, project: TheAnnotation, person: Person, number: int, sent: SentEvent
) -> Response:
    """Apply an event, and answer with the new state, which is already on disk."""

    def do(annotator: str) -> AnnotationView:
        event = Event.of(sent.act)
        return project.do(number, annotator, sent.revision, event, sent.everywhere)

    return _answer(request, project, person, number, do)


@router.post("/documents/{number}/undo")
@router.post("/documents/{number}/redo")
def step(
    request: Request, project: TheAnnotation, person: Person, number: int, sent: SentRevision
) -> Response:
    """Undo one's latest event, or redo the last one undone."""
    redo = request.url.path.endswith("/redo")

    def do(annotator: str) -> AnnotationView:
        return project.step(number, annotator, sent.revision, redo=redo)

    return _answer(request, project, person, number, do)


def _answer(
    request: Request,
    project: AnnotationProject,
    person: str,
    number: int,
    do: Callable[[str], AnnotationView],
) -> Response:
    """Return the new state or, after a conflict with another window, the current state."""
    annotator = project.viewer(person)
    try:
        view = do(annotator)
    except RevisionConflict:
        return _work(request, project, "_update.html", project.open(number, annotator), 409)
    return _work(request, project, "_update.html", view)


def _work(
    request: Request,
    project: AnnotationProject,
    template: str,
    view: AnnotationView,
    status: int = 200,
) -> Response:
    return _page(request, project, template, status, **work_values(view, project.flow))


@router.get("/documents/{number}/review/{annotator}")
def peer(
    request: Request, project: TheAnnotation, person: Person, number: int, annotator: str
) -> Response:
    """Show the text as another annotator masked it, for review (TAB, section 4.2, step 5)."""
    viewer = project.viewer(person)
    return _peer(request, project, "peer.html", viewer, project.see(number, viewer, annotator))


@router.post("/documents/{number}/review/{annotator}")
def check(
    request: Request,
    project: TheAnnotation,
    person: Person,
    number: int,
    annotator: str,
    sent: SentCheck,
) -> Response:
    """Store a peer review; it is on disk before the answer is sent."""
    viewer = project.viewer(person)
    view = project.check(number, viewer, annotator, sent.value, sent.note)
    return _peer(request, project, "_reviews.html", viewer, view)


def _peer(
    request: Request, project: AnnotationProject, template: str, viewer: str, view: AnnotationView
) -> Response:
    return _page(
        request,
        project,
        template,
        view=view,
        annotation=view.annotation,
        viewer=viewer,
        rows=replaced_rows(view.source.text, view.annotation.mentions),
    )


@router.get("/documents/{number}/differences")
def differences(
    request: Request, project: TheAnnotation, person: Person, number: int, all: bool = False
) -> Response:
    """Show the places where visible annotations differ, or all places, for the adjudicator to decide."""
    viewer = project.viewer(person)
    if viewer == ADJUDICATOR:
        return _adjudication(request, project, number, adjudication(project, number), all)
    views = submitted(project, number, viewer)
    compared = places(views) if len(views) > 1 else []
    return _differences(request, project, number, views, compared, all)


def _differences(
    request: Request,
    project: AnnotationProject,
    number: int,
    views: Sequence[AnnotationView],
    compared: Sequence[ComparedPlace],
    all: bool,
    status: int = 200,
    **values: Any,
) -> Response:
    source = project.source(number)
    rulings: Sequence[Ruling | None] = values.get("rulings", [None] * len(compared))
    return _page(
        request,
        project,
        "differences.html",
        status,
        source=source,
        views=views,
        rows=[
            _row(source.text, place) | {"ruling": ruling}
            for place, ruling in zip(compared, rulings, strict=True)
            if all or place.differ
        ],
        places=len(compared),
        differing=sum(bool(place.differ) for place in compared),
        all=all,
        following=number + 1 if number in project.documents()[:-1] else 1,
        adjudicator=ADJUDICATOR,
        outcome=outcome,
        **({"state": None} | values),
    )


def _adjudication(
    request: Request,
    project: AnnotationProject,
    number: int,
    state: Adjudication,
    all: bool = False,
    status: int = 200,
) -> Response:
    return _differences(
        request,
        project,
        number,
        state.views,
        state.places,
        all,
        status,
        state=state,
        rulings=state.rulings,
    )


def _adjudicator(project: AnnotationProject, person: str) -> None:
    """Check that a person may adjudicate.

    Raises:
        PermissionDenied: if they annotate this project themselves.
    """
    if project.viewer(person) != ADJUDICATOR:
        raise PermissionDenied("only the adjudicator, who doesn't annotate, can do that.")


@router.post("/documents/{number}/rulings")
def ruling(
    request: Request,
    project: TheAnnotation,
    person: Person,
    number: int,
    sent: SentEvent,
    all: bool = False,
) -> Response:
    """Decide a place; the decision is on disk before the answer is sent."""
    _adjudicator(project, person)
    try:
        state = rule(project, number, sent.revision, Event.of(sent.act))
    except RevisionConflict:
        return _adjudication(request, project, number, adjudication(project, number), all, 409)
    return _adjudication(request, project, number, state, all)


@router.post("/documents/{number}/rulings/undo")
@router.post("/documents/{number}/rulings/redo")
def ruling_step(
    request: Request,
    project: TheAnnotation,
    person: Person,
    number: int,
    sent: SentRevision,
    all: bool = False,
) -> Response:
    """Undo the latest ruling, or redo the last one undone."""
    _adjudicator(project, person)
    redo = request.url.path.endswith("/redo")
    try:
        state = take_back(project, number, sent.revision, redo)
    except RevisionConflict:
        return _adjudication(request, project, number, adjudication(project, number), all, 409)
    return _adjudication(request, project, number, state, all)


def _row(text: str, place: ComparedPlace) -> dict[str, object]:
    span = place.span
    return {
        "before": text[max(0, span.start - _AROUND) : span.start],
        "string": span.of(text),
        "after": text[span.end : span.end + _AROUND],
        "place": place,
        "marked": [
            [(mention.span.of(text), mention) for mention in mentions] for mentions in place.marked
        ],
    }


@router.get("/agreement")
def agreement(request: Request, project: TheAnnotation, person: Person) -> Response:
    """Show the agreement among all annotations visible to this person."""
    viewer = project.viewer(person)
    view = agreement_view(project, viewer)
    visible = [item for number in project.documents() for item in project.shown(number, viewer)]
    shares = edit_shares(visible) if project.flow is Flow.TAB else []
    return _page(request, project, "agreement.html", view=view, pairs=MASKING_PAIRS, shares=shares)


@router.get("/export/tab.json")
def tab(project: TheAnnotation, person: Person) -> Response:
    """Download the submitted annotations visible to this person as TAB standoff JSON."""
    return _file("tab.json", as_tab(project, project.viewer(person)))


@router.get("/export/wikireplace.json")
def wikireplace(project: TheAnnotation, person: Person, by: str = "") -> Response:
    """Download WikiReplace JSON; in the *tab* flow, ``by`` names the annotator whose spans are taken."""
    return _file("wikireplace.json", as_wikireplace(project, project.viewer(person), by))


@router.get("/export/adjudicated.json")
def adjudicated_file(project: TheAnnotation, person: Person) -> Response:
    """Download the adjudicated annotations of the documents in which everything is decided."""
    _adjudicator(project, person)
    views = adjudicated(project)
    if not views:
        raise InputError("no document is decided yet; first decide where the annotators differ.")
    return _file("adjudicated.json", as_adjudicated(project, views))


def _file(name: str, records: list[dict[str, Any]]) -> Response:
    if not records:
        raise InputError("nothing is submitted yet; submit an annotation first.")
    content = writable(json.dumps(records, ensure_ascii=False, indent=1))
    return attachment(Download(name, "application/json", content.encode()))
