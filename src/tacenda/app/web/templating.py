"""Templates of a package as answers to requests."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from ...documents.decoding import writable


class Pages:
    """Renders the templates of a package; everything that is put into them is escaped.

    Args:
        package: has a folder ``templates``.
        names: what every template knows, besides who asks and the proof of their session.
    """

    def __init__(self, package: str, **names: Any) -> None:
        self._environment = Environment(
            loader=PackageLoader(package),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= names

    def __call__(
        self, request: Request, template: str, status: int = 200, **values: Any
    ) -> HTMLResponse:
        """Return a template as an answer."""
        who = {name: getattr(request.state, name, "") for name in ("proof", "person")}
        written = self._environment.get_template(template).render(who | values)
        return HTMLResponse(writable(written), status)
