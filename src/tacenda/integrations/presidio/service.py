"""The service: a sanitizer with Presidio's addresses, status codes and messages.

| address | answers |
|---|---|
| ``POST /analyze`` | what would be masked (``analysis.py``) |
| ``POST /anonymize``, ``/deanonymize`` | the text with operators (``operators.py``) |
| ``GET /supportedentities``, ``/recognizers``, ``/anonymizers``, ``/deanonymizers`` | lists of names |
| ``GET /health`` | whether it is up |
| ``GET /metrics`` | metrics for Prometheus, without text |

Errors have Presidio's status codes, 400 or 500 for ``/analyze`` and 400, 422 or 500 for the others,
and 413, 429 and 504 from the gate (``gate.py``). Nothing of a request is stored; logs, metrics and
errors contain no text.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from ...errors import InputError, TacendaError
from ...pipeline import Sanitizer, load
from .analysis import NO_RECOGNIZER, RECOGNIZERS, Analyzer, EngineError
from .batches import Batches
from .entities import NAMES
from .gate import Gate, ServiceLimits
from .metrics import Metrics
from .operators import (
    ANONYMIZERS,
    DEANONYMIZERS,
    UndecryptableError,
    anonymize,
    deanonymize,
)
from .schemas import AnalyzeRequest, calls, check_fields, check_unicode, detections

UP = "Presidio-compatible service of tacenda is up"


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """Settings for each process of the service.

    Attributes:
        policy: name of a shipped policy, or the path of one.
        model: name of a shipped recognizer, or a folder; None for the policy's.
        threads: number of cores per process; None for all.
        limits: limits on requests.
        hosts: host names under which it is reached; any if empty.
    """

    policy: str = "default"
    model: str | None = None
    threads: int | None = None
    limits: ServiceLimits = field(default_factory=ServiceLimits)
    hosts: tuple[str, ...] = ()

    def application(self) -> Starlette:
        """Return the application with the weights loaded."""
        return application(
            load(self.policy, model=self.model, threads=self.threads), self.limits, self.hosts
        )


def application(
    sanitizer: Sanitizer, limits: ServiceLimits | None = None, hosts: Collection[str] = ()
) -> Starlette:
    """Return the application for a sanitizer.

    Args:
        sanitizer: decides what is masked; its operators aren't used.
        limits: limits on requests; None for the defaults.
        hosts: host names under which it is reached; any if empty.

    Raises:
        MissingExtraError: if the extra ``service`` isn't installed.
    """
    bounds = limits or ServiceLimits()
    analyzer = Analyzer(sanitizer)
    metrics = Metrics()
    batches = Batches(analyzer.sanitizer)
    service = _Service(analyzer, batches, bounds, metrics)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        yield
        batches.close()

    return Starlette(
        routes=[
            Route("/analyze", service.analyze, methods=["POST"]),
            Route("/anonymize", service.anonymize, methods=["POST"]),
            Route("/deanonymize", service.deanonymize, methods=["POST"]),
            Route("/supportedentities", service.names(NAMES)),
            Route("/recognizers", service.names(RECOGNIZERS)),
            Route("/anonymizers", _listing(ANONYMIZERS)),
            Route("/deanonymizers", _listing(DEANONYMIZERS)),
            Route("/health", _health),
            Route("/metrics", service.figures),
        ],
        middleware=[
            Middleware(Gate, limits=bounds, metrics=metrics),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts) or ["*"]),
        ],
        exception_handlers={HTTPException: _refused},
        lifespan=life,
    )


class _Service:
    def __init__(
        self, analyzer: Analyzer, batches: Batches, limits: ServiceLimits, metrics: Metrics
    ) -> None:
        self._analyzer = analyzer
        self._batches = batches
        self._limits = limits
        self._metrics = metrics

    async def analyze(self, request: Request) -> Response:
        """``POST /analyze``."""
        try:
            body = await _json(request)
            # Presidio checks these two before anything else.
            if isinstance(body, dict):
                for name in ("text", "language"):
                    if not body.get(name):
                        raise EngineError(f"No {name} provided")
            wishes = AnalyzeRequest.of(body)
            self._count(wishes.texts)
            prepared = self._analyzer.prepare(wishes)
            documents = prepared.documents
            analyses = await self._batches.analyze(documents) if documents else []
            return JSONResponse(await _aside(prepared.answer, analyses))
        except EngineError as error:
            return _error(500, str(error))
        except TacendaError as error:
            return _error(400, str(error))

    async def anonymize(self, request: Request) -> Response:
        """``POST /anonymize``."""
        return await self._written(
            request, anonymize, "analyzer_results", "anonymizers", ANONYMIZERS, scored=True
        )

    async def deanonymize(self, request: Request) -> Response:
        """``POST /deanonymize``."""
        return await self._written(
            request, deanonymize, "anonymizer_results", "deanonymizers", DEANONYMIZERS, scored=False
        )

    async def _written(
        self,
        request: Request,
        write: Callable[..., dict[str, Any]],
        results: str,
        operators: str,
        known: Mapping[str, Any],
        *,
        scored: bool,
    ) -> Response:
        body = await _json(request)
        if not body or not isinstance(body, dict):
            raise HTTPException(400, "Invalid request json")

        def answer() -> Any:
            check_unicode(body)
            check_fields(body, ("text", results, operators), "the request")
            operators_by_entity = calls(body.get(operators), operators, dict(known))
            text, found = body.get("text"), body.get(results)
            if found is None:
                raise InputError(f"Invalid input, request must contain {results.replace('_', ' ')}")
            if isinstance(text, str):
                return write(text, detections(found, results, scored), operators_by_entity)
            texts = _strings(text)
            self._count(texts)
            if not isinstance(found, list) or len(found) != len(texts):
                raise InputError(
                    f"Invalid input, '{results}' must contain one list of results per item in 'text' "
                    f"when 'text' is a list ({len(texts)} text items)"
                )
            return [
                write(item, detections(of_item, results, scored), operators_by_entity)
                for item, of_item in zip(texts, found, strict=True)
            ]

        wishes = body.get(operators)
        if isinstance(wishes, dict) and any(
            isinstance(item, dict) and item.get("type") == "custom" for item in wishes.values()
        ):
            raise HTTPException(400, "Custom type anonymizer is not supported")
        try:
            return JSONResponse(await _aside(answer))
        except UndecryptableError:
            return _error(500, "Internal server error")
        except TacendaError as error:
            return _error(422, str(error))

    def names(self, names: Collection[str]) -> Callable[[Request], Awaitable[Response]]:
        """Answer with names, for a supported language."""

        async def answer(request: Request) -> Response:
            language = request.query_params.get("language")
            try:
                if language:
                    self._analyzer.check_language(language)
            except EngineError:
                return _error(500, NO_RECOGNIZER)
            return JSONResponse(list(names))

        return answer

    async def figures(self, request: Request) -> Response:
        """``GET /metrics``."""
        content, kind = self._metrics.page()
        return Response(content, headers={"Content-Type": kind})

    def _count(self, texts: Collection[str]) -> None:
        if len(texts) > self._limits.texts:
            raise InputError(
                f"text: has {len(texts)} texts, at most {self._limits.texts} are read in one request"
            )
        self._metrics.count_texts(len(texts), sum(map(len, texts)))


async def _aside(function: Callable[..., Any], *arguments: object) -> Any:
    """Call in a thread; a request that times out doesn't wait for it."""
    return await run_sync(function, *arguments, abandon_on_cancel=True)


async def _json(request: Request) -> Any:
    """Return the body as JSON.

    Raises:
        HTTPException: 415 unless it is declared as JSON, 400 unless it is JSON.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind != "application/json" and not (
        kind.startswith("application/") and kind.endswith("+json")
    ):
        raise HTTPException(
            415,
            "Did not attempt to load JSON data because the request Content-Type was not "
            "'application/json'.",
        )
    body = await request.body()
    try:
        return json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise HTTPException(
            400, "The browser (or proxy) sent a request that this server could not understand."
        ) from None


def _no_number(name: str) -> None:
    raise ValueError(name)


def _strings(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError("Invalid input, text must be a string or a list of strings")
    return value


def _listing(names: Collection[str]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        return JSONResponse(list(names))

    return answer


async def _health(_: Request) -> Response:
    return PlainTextResponse(UP)


async def _refused(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _error(status, error.detail if isinstance(error, HTTPException) else "")


def _error(status: int, message: str) -> Response:
    return JSONResponse({"error": message}, status)
