"""What routes find in a request, and how they answer."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from ....wording import TYPES
from ...web.templating import Pages
from ..labels import IDENTIFIERS_SHORT, STATUSES
from ..service import ADJUDICATOR, Annotating

page = Pages(
    "tacenda.app.annotate",
    types=TYPES,
    identifiers=IDENTIFIERS_SHORT,
    statuses=STATUSES,
    adjudicator=ADJUDICATOR,
)


def _annotating(request: Request) -> Annotating:
    annotating: Annotating = request.app.state.annotating
    return annotating


def _person(request: Request) -> str:
    return str(request.state.person)


Project = Annotated[Annotating, Depends(_annotating)]
Person = Annotated[str, Depends(_person)]
