"""The gate in front of the service limits the size, number and duration of requests.

| limit | answer |
|---|---|
| bytes of a body, declared or not | 413 |
| requests at once in a process | 429, with ``Retry-After`` |
| seconds of a request | 504 |
| any unexpected error | 500, and its class and place in the log |

An error response may be cut off before its end. Some clients treat an error from ``/analyze`` as
"nothing found" and pass the text on unchanged, but no client accepts half a response. By default,
this is done for LiteLLM's HTTP client.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .metrics import Metrics

_log = logging.getLogger(__name__)
_FREE = frozenset(("/health", "/metrics"))
"""Addresses that are answered however busy the service is."""
_CUT = 16
"""Bytes that an answer breaks off before its declared end."""
_TRUSTING = ("aiohttp", "litellm")
"""In the names of clients that may take an error for nothing found."""


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """Limits on requests to one process.

    Attributes:
        body: maximum size of a request in bytes.
        texts: maximum number of texts in a request.
        requests: maximum number of concurrent requests, including waiting ones.
        seconds: maximum duration of a request.
        cut_errors: whether error responses are cut off; None to do so for ``_TRUSTING`` clients.
    """

    body: int = 8 * 2**20
    texts: int = 1_000
    requests: int = 100
    seconds: float = 60.0
    cut_errors: bool | None = None


class _TooLargeError(Exception):
    """The body is larger than allowed."""


class Gate:
    """ASGI middleware that enforces the limits and counts requests.

    Args:
        app: the service.
        limits: limits on requests.
        metrics: the metrics.
    """

    def __init__(self, app: ASGIApp, limits: ServiceLimits, metrics: Metrics) -> None:
        self._app = app
        self._limits = limits
        self._metrics = metrics
        self._passing = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"] in _FREE:
            await self._app(scope, receive, send)
            return
        answer = _Answer(scope, receive, send, cut_errors=self._limits.cut_errors)
        if self._passing >= self._limits.requests:
            self._metrics.refuse("busy")
            await answer.say(429, "Too many requests at once; try again.", {"retry-after": "1"})
            self._metrics.answered(scope["path"], answer.status, 0.0)
            return
        self._passing += 1
        self._metrics.passing(1)
        begin = time.perf_counter()
        try:
            await self._within_limits(scope, receive, answer)
        finally:
            self._passing -= 1
            self._metrics.passing(-1)
            seconds = time.perf_counter() - begin
            self._metrics.answered(scope["path"], answer.status, seconds)

    async def _within_limits(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            declared = Headers(scope=scope).get("content-length", "")
            if declared.isdigit() and int(declared[:19]) > self._limits.body:
                raise _TooLargeError
            async with asyncio.timeout(self._limits.seconds):
                await self._app(scope, self._limited(receive), answer.send)
        except TimeoutError:
            self._metrics.refuse("timeout")
            await answer.say(504, f"The request took longer than {self._limits.seconds:g} s.")
        except _TooLargeError:
            self._metrics.refuse("too_large")
            await answer.say(
                413, f"The request is larger than {self._limits.body} bytes; send fewer texts."
            )
        except Exception as error:
            # Leave out the message and the values, which may contain text.
            place = extract_tb(error.__traceback__)[-1]
            name = Path(place.filename).name
            _log.error("%s at %s:%s", type(error).__name__, name, place.lineno)
            await answer.say(500, "Internal server error")

    def _limited(self, receive: Receive) -> Receive:
        total = 0

        async def counted() -> Message:
            nonlocal total
            message = await receive()
            total += len(message.get("body", b""))
            if total > self._limits.body:
                raise _TooLargeError
            return message

        return counted


class _Answer:
    """A response being sent, which may be cut off if it is an error."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, *, cut_errors: bool | None
    ) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        client = " ".join(Headers(scope=scope).getlist("user-agent")).lower()
        is_trusting = any(name in client for name in _TRUSTING)
        self._cut_errors = is_trusting if cut_errors is None else cut_errors
        self.status = 0

    async def send(self, message: Message) -> None:
        """Pass on a part of the response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            if self._is_cut:
                message["headers"] = [
                    (name, str(int(value) + _CUT).encode() if name == b"content-length" else value)
                    for name, value in message["headers"]
                ]
        elif self._is_cut:
            # More is announced than sent, so the server closes the connection.
            message["more_body"] = True
        await self._send(message)

    async def say(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        """Answer with an error, unless a response has already started."""
        if not self.status:
            response = JSONResponse({"error": message}, status, headers)
            await response(self._scope, self._receive, self.send)

    @property
    def _is_cut(self) -> bool:
        return self._cut_errors and self.status >= 400
