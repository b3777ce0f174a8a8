"""What is answered where something can't be done: one sentence, never what was sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ...errors import TacendaError
from .security.limits import TOO_LARGE

_WORDS = {404: "There is nothing at this address.", 405: "That is not done here.", 413: TOO_LARGE}

Say = Callable[[Request, int, str], Response]
"""Makes an answer of a status and a sentence."""


def answer_errors(app: FastAPI, statuses: Sequence[tuple[type[Exception], int]], say: Say) -> None:
    """Have an application answer its errors.

    Args:
        app: the application.
        statuses: kinds of error with their status, the first that fits; the last fits any
            ``TacendaError``.
        say: makes the answer.
    """

    def refused(request: Request, error: Exception) -> Response:
        return say(
            request, next(code for kind, code in statuses if isinstance(error, kind)), str(error)
        )

    def invalid(request: Request, error: Exception) -> Response:
        # Which field is wrong; never what stood in it, for it may be text.
        faults = error.errors() if isinstance(error, RequestValidationError) else ()
        said = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults)
        return say(request, 422, said)

    def other(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return say(request, status, _WORDS.get(status, "The request is none."))

    app.add_exception_handler(TacendaError, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, other)
