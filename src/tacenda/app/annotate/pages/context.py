"""What routes find in a request, and how they answer."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from ....corpora.decoding import writable
from ...web.labels import TYPES
from ..labels import IDENTIFIERS_SHORT, STATUSES
from ..service import ADJUDICATOR, Annotating

_ENVIRONMENT = Environment(
    loader=PackageLoader("tacenda.app.annotate"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.globals |= {
    "types": TYPES,
    "identifiers": IDENTIFIERS_SHORT,
    "statuses": STATUSES,
    "adjudicator": ADJUDICATOR,
}


def _annotating(request: Request) -> Annotating:
    annotating: Annotating = request.app.state.annotating
    return annotating


def _person(request: Request) -> str:
    return str(request.state.person)


Project = Annotated[Annotating, Depends(_annotating)]
Person = Annotated[str, Depends(_person)]


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a template as an answer."""
    common = {
        "proof": getattr(request.state, "proof", ""),
        "person": getattr(request.state, "person", ""),
    }
    written = _ENVIRONMENT.get_template(template).render(common | values)
    return HTMLResponse(writable(written), status)
