"""Another annotator's annotation, masked, for review (TAB, section 4.2, step 5)."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from ..masked import masked_parts, written_parts
from ..rendering import parts_html
from ..service import Annotating, Opened
from ..store import Flow
from .context import Person, Project, page

router = APIRouter()


class SentCheck(BaseModel):
    """What a reviewer has to say."""

    value: Literal["protected", "exposed"]
    note: Annotated[str, Field(max_length=2000)] = ""


@router.get("/documents/{id}/review/{annotator}")
def peer(
    request: Request, annotating: Project, person: Person, id: int, annotator: str
) -> Response:
    """Show the text as the annotator masked it."""
    return _shown(request, "peer.html", annotating, annotating.see(id, person, annotator))


@router.post("/documents/{id}/review/{annotator}")
def check(
    request: Request,
    annotating: Project,
    person: Person,
    id: int,
    annotator: str,
    sent: SentCheck,
) -> Response:
    """Keep what the reviewer says; it is on disk when this answers."""
    opened = annotating.check(id, person, annotator, sent.value, sent.note)
    return _shown(request, "_peer.html", annotating, opened)


def _shown(request: Request, template: str, annotating: Annotating, opened: Opened) -> Response:
    text, annotation = opened.source.text, opened.annotation
    if annotating.flow is Flow.REPLACEMENT:
        chosen = {item.span: item.choice for item in annotation.mentions if item.choice}
        html = parts_html(written_parts(text, chosen), "written")
    else:
        html = parts_html(masked_parts(text, annotation), "stars")
    return page(request, template, opened=opened, annotation=annotation, html=html)
