"""Annotations of one document side by side: where they differ."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ..collected import submitted
from ..differences import Place, places
from .context import Person, Project, page

router = APIRouter()
_AROUND = 60
"""Characters shown before and after a place."""


@router.get("/documents/{id}/differences")
def differences(
    request: Request, annotating: Project, person: Person, id: int, all: bool = False
) -> Response:
    """Show the places where the annotations that this person may see differ; or all places."""
    opened = submitted(annotating, id, person)
    source = annotating.source(id)
    found = places(opened) if len(opened) > 1 else []
    rows = [_row(source.text, place) for place in found if all or place.differ]
    return page(
        request,
        "differences.html",
        source=source,
        opened=opened,
        rows=rows,
        places=len(found),
        differing=sum(bool(place.differ) for place in found),
        all=all,
        flow=str(annotating.flow),
    )


def _row(text: str, place: Place) -> dict[str, object]:
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
