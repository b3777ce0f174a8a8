"""Annotations as files."""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from ....documents.decoding import writable
from ....errors import InputError
from ..collected import as_tab, as_wikireplace
from .context import Person, Project

router = APIRouter()


@router.get("/export/tab.json")
def tab(annotating: Project, person: Person) -> Response:
    """Return TAB standoff JSON of the submitted annotations that this person may see."""
    return _file("tab.json", as_tab(annotating, person))


@router.get("/export/wikireplace.json")
def wikireplace(annotating: Project, person: Person, by: str = "") -> Response:
    """Return WikiReplace JSON; ``by`` says whose spans are marked, in the *tab* flow."""
    return _file("wikireplace.json", as_wikireplace(annotating, person, by))


def _file(name: str, records: list[dict[str, Any]]) -> Response:
    if not records:
        raise InputError("nothing is submitted yet; submit an annotation first.")
    content = writable(json.dumps(records, ensure_ascii=False, indent=1))
    disposition = f'attachment; filename="{name}"'
    return Response(
        content.encode(),
        media_type="application/json",
        headers={"content-disposition": disposition},
    )
