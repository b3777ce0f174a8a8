"""The page of a table: a CSV file in a project, in its original and sanitized form."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from .base import TheService, page
from .permission import ProjectId
from .tables import TableSide, indexed, table_page

router = APIRouter()


@router.get("/projects/{id}/tables/{file}")
def table(
    request: Request,
    service: TheService,
    id: ProjectId,
    file: int,
    side: Annotated[TableSide, Query(alias="view")] = TableSide.LEAVES,
    number: Annotated[int, Query(ge=1, le=1_000_000, alias="page")] = 1,
    line: Annotated[int, Query(ge=0, le=1_000_000_000)] = 0,
) -> Response:
    """Show a page of a table, or the page with a line of its file."""
    project = service.project(id)
    if line:
        number = indexed(service, id, file).page_of(line)
    place = f"/projects/{project.handle}/tables/{file}?"

    def at(number: int, side: TableSide = side) -> str:
        return place + urlencode({"view": side, "page": number})

    shown = table_page(service, id, file, side, number)
    return page(
        request, "table.html", project=project, table=shown, sides=SIDES, at=at, chosen=line
    )


SIDES = {TableSide.LEAVES: "As it leaves", TableSide.CAME: "As it came"}
