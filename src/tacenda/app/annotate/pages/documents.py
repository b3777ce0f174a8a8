"""The list of documents: how far one's own annotations are, and what others can be seen."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from ..labels import STEPS
from ..service import ADJUDICATOR, Annotating, Opened
from .context import Person, Project, page

router = APIRouter()


@router.get("/")
def documents(request: Request, annotating: Project, person: Person) -> Response:
    """Show all documents."""
    rows = [_row(annotating, id, person) for id in annotating.store.documents()]
    return page(
        request,
        "documents.html",
        rows=rows,
        steps=STEPS[annotating.flow],
        flow=annotating.flow,
        annotators=annotating.annotators,
        submitted=sum(row["own"] is not None and row["own"].annotation.submitted for row in rows),
    )


@router.get("/next")
def following(annotating: Project, person: Person, after: int) -> Response:
    """Go to the next document that is not submitted."""
    id = None if person == ADJUDICATOR else annotating.following(after, person)
    return RedirectResponse("/" if id is None else f"/documents/{id}", 303)


def _row(annotating: Annotating, id: int, person: str) -> dict[str, Any]:
    markup = annotating.shown(id, person)
    own: Opened | None = next((item for item in markup if item.annotator == person), None)
    return {
        "source": annotating.source(id),
        "own": own,
        "others": [item for item in markup if item.annotator != person],
        "submitted": [item.annotator for item in markup if item.annotation.submitted],
    }
