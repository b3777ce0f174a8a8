"""Base of all routes: templates, dependencies of requests, and answers to errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, FastAPI, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException

from ...errors import TacendaError
from ...text.decoding import writable
from ...wording import IDENTIFIER_NAMES, IDENTIFIERS, counted, in_words
from ..annotation.service import AnnotationService
from ..export import Download
from ..intake import from_upload
from ..page_messages import page_message
from ..service import Service
from ..store import Store
from ..store.documents import NewDocument
from .access import Access
from .guard import NOTHING, TOO_LARGE
from .labels import (
    BADGES,
    NEXT_STEPS,
    OUTCOMES,
    STATUSES,
    STRICTNESS,
    TYPES_WITH_EXAMPLES,
    chance,
    fits,
    left,
    moment,
    outcome_of,
    percent,
    stage_in_list,
    stage_of,
)


class Pages:
    """Renderer of the templates; all values are escaped.

    Args:
        names: values of every template, besides the person and the proof of their session.
    """

    def __init__(self, **names: Any) -> None:
        self._environment = Environment(
            loader=PackageLoader("tacenda.app.web"),
            autoescape=True,
            auto_reload=False,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= names

    def __call__(
        self, request: Request, template: str, status: int = 200, **values: Any
    ) -> HTMLResponse:
        """A template as an answer."""
        html = self._environment.get_template(template).render(_session(request) | values)
        return HTMLResponse(writable(html), status)

    def streamed(self, request: Request, template: str, **values: Any) -> StreamingResponse:
        """A long page as an answer: its beginning is seen while the rest is written."""
        stream = self._environment.get_template(template).stream(_session(request) | values)
        stream.enable_buffering(_PARTS)
        return StreamingResponse(map(str.encode, map(writable, stream)), media_type="text/html")


_PARTS = 2000
"""Strings of a template that are sent together."""


def _session(request: Request) -> dict[str, str]:
    return {name: getattr(request.state, name, "") for name in ("proof", "person")}


_WORDS = {404: NOTHING, 405: "That is not done here.", 413: TOO_LARGE}

Say = Callable[[Request, int, str], Response]
"""Makes an answer of a status and a sentence."""


def answer_errors(app: FastAPI, statuses: Sequence[tuple[type[Exception], int]], say: Say) -> None:
    """Register the answers of an application to errors.

    Args:
        app: the application.
        statuses: kinds of error with their status, the first match wins; the last matches any
            ``TacendaError``.
        say: function that makes the answer.
    """

    def refused(request: Request, error: Exception) -> Response:
        status = next(code for kind, code in statuses if isinstance(error, kind))
        return say(request, status, page_message(error))

    def invalid(request: Request, error: Exception) -> Response:
        # Which field is wrong; never what stood in it, for it may be text.
        faults = error.errors() if isinstance(error, RequestValidationError) else ()
        message = "; ".join(
            f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults
        )
        return say(request, 422, message)

    def other(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return say(request, status, _WORDS.get(status, "The request is invalid."))

    app.add_exception_handler(TacendaError, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, other)


page = Pages(
    in_words=in_words,
    types=TYPES_WITH_EXAMPLES,
    badges=BADGES,
    outcomes=OUTCOMES,
    outcome_of=outcome_of,
    left=left,
    moment=moment,
    chance=chance,
    fits=fits,
    percent=percent,
    strictness=STRICTNESS,
    counted=counted,
    identifiers=IDENTIFIERS,
    short_identifiers=IDENTIFIER_NAMES,
    statuses=STATUSES,
    stage_in_list=stage_in_list,
    stage_of=stage_of,
    next_steps=NEXT_STEPS,
    oob=False,
)


def attachment(file: Download) -> Response:
    """A file to save, never to show: a sanitized page is not one of ours."""
    # A header has letters of Latin 1 at most; RFC 6266 has another field for all others.
    plain = file.name.encode("ascii", "replace").decode().replace("?", "-")
    disposition = f'attachment; filename="{plain}"'
    if plain != file.name:
        disposition += f"; filename*=UTF-8''{quote(writable(file.name))}"
    headers = {"Content-Disposition": disposition}
    return Response(file.content, media_type=file.media_type, headers=headers)


def said(response: Response, sentence: str) -> Response:
    """An answer with a sentence for the person, which the page says where it says everything."""
    response.headers["HX-Trigger"] = json.dumps({"tacenda:said": sentence})
    return response


def uploaded(files: Iterable[UploadFile], target: Sequence[str]) -> list[NewDocument]:
    """The documents of uploaded files; see ``intake.from_upload``."""
    return [
        document
        for file in files
        for document in from_upload(file.filename or "", file.file.read(), target)
    ]


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _access(request: Request) -> Access:
    access: Access = request.app.state.access
    return access


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def _annotations(request: Request) -> AnnotationService:
    annotations: AnnotationService = request.app.state.annotations
    return annotations


def _person(request: Request) -> str:
    return str(request.state.person)


TheService = Annotated[Service, Depends(_service)]
TheAccess = Annotated[Access, Depends(_access)]
TheStore = Annotated[Store, Depends(_store)]
TheAnnotations = Annotated[AnnotationService, Depends(_annotations)]
Person = Annotated[str, Depends(_person)]
