"""From a review to annotation mode: its documents, several annotators, their agreement."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from ....errors import InputError
from ...annotate.service import ADJUDICATOR
from ..permission import OwnProjectId
from .context import TheAccess, TheAnnotations, page

router = APIRouter()


@router.post("/projects/{id}/annotation")
def begin(
    request: Request,
    annotations: TheAnnotations,
    access: TheAccess,
    id: OwnProjectId,
    annotators: Annotated[str, Form(max_length=2000)],
    marked: Annotated[bool, Form()] = False,
) -> Response:
    """Begin annotation mode, or go on with it; show where each annotator comes in."""
    if access.by_key:
        raise InputError(
            "people come in from other machines; annotation mode for them is `tacenda annotate`."
        )
    names = [name.strip() for name in annotators.split(",") if name.strip()]
    try:
        places = annotations.open(id, names, marked)
    except InputError as error:
        return page(request, "_annotation.html", 422, places={}, fault=str(error), agreement="")
    agreement = places.get(ADJUDICATOR, "").replace("/?", "/agreement?")
    return page(request, "_annotation.html", places=places, fault="", agreement=agreement)
