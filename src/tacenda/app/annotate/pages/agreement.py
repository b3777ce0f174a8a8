"""How far the annotators agree."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from ....evaluate.agreement import MASKING_PAIRS
from ..agreement import agreement_view
from .context import Person, Project, page

router = APIRouter()


@router.get("/agreement")
def agreement(request: Request, annotating: Project, person: Person) -> Response:
    """Show the agreement over all annotations that this person may see."""
    view = agreement_view(annotating, person)
    return page(
        request, "agreement.html", view=view, flow=str(annotating.flow), pairs=MASKING_PAIRS
    )
