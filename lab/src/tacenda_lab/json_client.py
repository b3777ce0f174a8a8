"""A polite client of JSON services: spaced requests, retries with back-off, no redirects.

A request can contain a key and strings of a private document. Messages never contain either, and a
redirect, which would send both to another host, is an error.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from http.client import HTTPException, IncompleteRead
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from tacenda.errors import PolicyError, ServiceError

_RETRIED = frozenset((408, 425, 429, 500, 502, 503, 504))
_LONGEST_WAIT = 60.0
_LARGEST = 8_000_000
_STATUS_MEANINGS = {
    400: "it does not understand the request",
    401: "it refuses the key",
    403: "it refuses the request",
    404: "no such service at this address",
    422: "it does not understand the request",
    429: "too many requests, or its quota is used up",
}


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any, **options: Any) -> None:
        return None


class JsonClient:
    """Client of one service that answers in JSON.

    Args:
        name: name of the service, for messages.
        remedy: what to do if the service refuses.
        interval: least number of seconds between two requests.
        failure: class of the error to raise if there is no answer.
        attempts: number of attempts per request.
        timeout: seconds to wait for an answer.
        proxies: whether to use proxies from the environment.
        sleep: function that waits.
        clock: returns seconds from any start.

    Attributes:
        requests: number of requests sent, repetitions included.
    """

    def __init__(
        self,
        name: str,
        remedy: str,
        interval: float,
        failure: type[ServiceError] = ServiceError,
        *,
        attempts: int = 4,
        timeout: float = 15.0,
        proxies: bool = True,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._remedy = remedy
        self._interval = interval
        self._failure = failure
        self._attempts = attempts
        self._timeout = timeout
        self._sleep = sleep
        self._clock = clock
        handlers = [] if proxies else [ProxyHandler({})]
        self._opener = build_opener(_NoRedirects, *handlers)
        self.requests = 0
        self._next = 0.0

    def fetch(
        self, url: str, headers: Mapping[str, str] | None = None, form: bytes | None = None
    ) -> dict[str, Any]:
        """Return the JSON object at ``url``, by a POST if there is a ``form``.

        Raises:
            ServiceError: of the class for failures, if there is no answer after all attempts.
        """
        sent = {"Accept": "application/json", "User-Agent": "tacenda", **(headers or {})}
        for attempt in range(1, self._attempts + 1):
            self._wait_for_turn()
            self.requests += 1
            status = 0
            try:
                return self._parsed(self._read(Request(url, data=form, headers=sent)))
            except ServiceError:
                # Its base class is a connection error, but the connection isn't at fault.
                raise
            except HTTPError as error:
                fault, pause = self._refusal(error.code), error.headers.get("Retry-After", "")
                error.close()
                status = error.code
                if status not in _RETRIED:
                    raise self._failure(fault, status) from None
            except (URLError, TimeoutError, ConnectionError, HTTPException) as error:
                # Only the kind of error, since its message could contain the URL with the query.
                kind = type(getattr(error, "reason", error)).__name__
                fault, pause = f"{self.name} can't be reached ({kind}); try again later.", ""
            if attempt < self._attempts:
                self._sleep(_retry_delay(pause, attempt))
        raise self._failure(fault, status)

    def _wait_for_turn(self) -> None:
        now = self._clock()
        if now < self._next:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + self._interval

    def _read(self, request: Request) -> bytes:
        with self._opener.open(request, timeout=self._timeout) as response:
            body: bytes = response.read(_LARGEST + 1)
            missing = response.length
        if missing and len(body) <= _LARGEST:
            raise IncompleteRead(body, missing)
        return body

    def _parsed(self, body: bytes) -> dict[str, Any]:
        if len(body) > _LARGEST:
            raise self._failure(f"{self.name} answered with more than {_LARGEST} bytes.")
        try:
            parsed = json.loads(body)
        except (ValueError, RecursionError):
            parsed = None
        if not isinstance(parsed, dict):
            raise self._failure(f"{self.name} did not answer with a JSON object; {self._remedy}.")
        return parsed

    def _refusal(self, status: int) -> str:
        reason = _STATUS_MEANINGS.get(
            status, "internal error of the service" if status >= 500 else "it refuses"
        )
        if 300 <= status < 400:
            reason = "it points to another address"
        return f"{self.name} answered with status {status}: {reason}; {self._remedy}."


def _retry_delay(retry_after: str, attempt: int) -> float:
    """Return the delay that the service asks for, or else 1, 2, 4, … seconds, at most a minute."""
    delay = float(retry_after) if retry_after.isdecimal() else 0.0
    return min(_LONGEST_WAIT, max(delay, 2.0 ** (attempt - 1)))


# Settings of a service from the environment.


def required_variable(values: Mapping[str, str], variable: str, description: str) -> str:
    """Return an environment variable whose value can be sent in a header.

    Args:
        values: the environment.
        variable: its name.
        description: what it should be set to.

    Raises:
        PolicyError: if it is empty, or contains characters that a header can't.
    """
    value = values.get(variable, "").strip()
    if not value:
        raise PolicyError(f"the environment variable {variable} is empty; set it to {description}.")
    if not value.isascii() or not value.isprintable():
        raise PolicyError(
            f"the environment variable {variable} contains characters not allowed in a header."
        )
    return value
