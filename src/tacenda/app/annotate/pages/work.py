"""A document and one's own annotation of it, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from ..annotation import Annotated
from ..change import Act
from ..labels import IDENTIFIER_CHOICES, STATUS_CHOICES, STEPS, TYPE_CHOICES
from ..masked import masked_parts, written_parts
from ..rendering import decision, parts_html, text_html
from ..service import Annotating, Opened
from ..store import Flow, Late
from .context import Person, Project, page

router = APIRouter()


class SentAct(BaseModel):
    """What the page sends: an act, and the revision that the annotator saw."""

    revision: int = Field(ge=0)
    act: dict[str, Any]
    everywhere: bool = False


class SentRevision(BaseModel):
    """What the page sends to take something back."""

    revision: int = Field(ge=0)


@router.get("/documents/{id}")
def work(request: Request, annotating: Project, person: Person, id: int) -> Response:
    """Show the document with one's own annotation."""
    return _shown(request, "work.html", annotating, annotating.open(id, person))


@router.post("/documents/{id}/acts")
def act(request: Request, annotating: Project, person: Person, id: int, sent: SentAct) -> Response:
    """Make an act; the answer is the new state, which is on disk."""

    def do() -> Opened:
        return annotating.do(id, person, sent.revision, Act.of(sent.act), sent.everywhere)

    return _done(request, annotating, person, id, do)


@router.post("/documents/{id}/undo")
@router.post("/documents/{id}/redo")
def step(
    request: Request, annotating: Project, person: Person, id: int, sent: SentRevision
) -> Response:
    """Take back one's latest act, or bring back what was taken back last."""
    back = request.url.path.endswith("/undo")

    def do() -> Opened:
        return (annotating.undo if back else annotating.redo)(id, person, sent.revision)

    return _done(request, annotating, person, id, do)


def _done(
    request: Request, annotating: Annotating, person: str, id: int, do: Callable[[], Opened]
) -> Response:
    """Return the new state; if another window was faster, the state that it led to."""
    try:
        opened = do()
    except Late:
        return _shown(request, "_work.html", annotating, annotating.open(id, person), 409)
    return _shown(request, "_work.html", annotating, opened)


def _shown(
    request: Request, template: str, annotating: Annotating, opened: Opened, status: int = 200
) -> Response:
    annotation, text = opened.annotation, opened.source.text
    steps = STEPS[annotating.flow]
    step = min(annotation.step, len(steps))
    last = step == len(steps)
    replacing = annotating.flow is Flow.REPLACEMENT
    if last and replacing:
        chosen = {item.span: item.choice for item in annotation.mentions if item.choice}
        html = parts_html(written_parts(text, chosen), "written")
    elif last:
        html = parts_html(masked_parts(text, annotation), "stars")
    else:
        # In the replacement flow only what is replaced is marked.
        shown = [item for item in annotation.mentions if item.choices or not replacing]
        html = text_html(text, shown)
    choices = {1: TYPE_CHOICES, 2: IDENTIFIER_CHOICES, 3: STATUS_CHOICES}
    return page(
        request,
        template,
        status,
        opened=opened,
        annotation=annotation,
        flow=str(annotating.flow),
        steps=steps,
        step=step,
        last=last,
        html=html,
        choices=() if replacing or last else choices.get(step, ()),
        entities=_entities(opened) if not replacing else [],
        spans=_spans(opened) if replacing else [],
        missing=annotation.unchosen if replacing else annotation.undecided,
        late=status == 409,
    )


def _entities(opened: Opened) -> list[dict[str, Any]]:
    """Return what the list shows of each entity, in order of the text."""
    text = opened.source.text
    result = []
    for number, mentions in opened.annotation.entities().items():
        strings = list(dict.fromkeys(" ".join(m.span.of(text).split()) for m in mentions))
        result.append(
            {
                "number": number,
                "label": max(strings, key=len),
                "also": [string for string in strings if string != max(strings, key=len)],
                "first": mentions[0],
                "spans": _joined(mentions),
                "open": _joined([item for item in mentions if item.identifier is None]),
                "count": len(mentions),
                "decisions": list(dict.fromkeys(decision(mention) for mention in mentions)),
                "identifiers": list(dict.fromkeys(mention.identifier for mention in mentions)),
                "statuses": list(
                    dict.fromkeys(
                        mention.status
                        for mention in mentions
                        if mention.status != "NOT_CONFIDENTIAL"
                    )
                ),
            }
        )
    return result


def _joined(mentions: Sequence[Annotated]) -> str:
    """Return spans as the page's script reads them."""
    return " ".join(f"{mention.span.start}-{mention.span.end}" for mention in mentions)


def _spans(opened: Opened) -> list[dict[str, Any]]:
    """Return what the list shows of each span that is replaced."""
    text = opened.source.text
    return [
        {"mention": mention, "string": mention.span.of(text)}
        for mention in opened.annotation.mentions
        if mention.choices
    ]
