"""A proxy between programs and a language model: it has OpenAI's and Anthropic's interfaces, and sends placeholders upstream.

| path | |
|---|---|
| ``POST /v1/chat/completions``, ``/v1/responses``, ``/v1/messages`` | hidden and revealed, including streams |
| ``POST /v1/completions``, ``/v1/embeddings`` | the same |
| ``GET /v1/models``, ``/v1/models/NAME`` | passed on |
| ``GET /health`` | whether it runs |
| anything else | 404; nothing is passed on |

It fails closed: a request that can't be read or hidden is answered with an error, and nothing is
sent. A conversation is identified by the header ``X-Tacenda-Conversation`` or else by its first
messages, together with the API key; its originals stay in memory, encrypted. API keys are passed on
and never stored. Logs contain no text.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from traceback import extract_tb
from typing import Any
from urllib.parse import urlsplit

import httpx
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ...errors import InputError, PolicyError, TacendaError
from ...pipeline import Sanitizer
from .answers import Answers
from .session import LIFETIME, Conversations, GuardSession, beginning
from .shapes import (
    ANTHROPIC,
    CHAT,
    COMPLETION,
    EMBEDDING,
    RESPONSE,
    Media,
    PromptTreatment,
    UnknownFields,
)

CONVERSATION = "x-tacenda-conversation"
"""Header that names a conversation; the answer has it too."""
_PATHS: Mapping[str, Mapping[str, PromptTreatment]] = {
    "/v1/chat/completions": CHAT,
    "/v1/completions": COMPLETION,
    "/v1/embeddings": EMBEDDING,
    "/v1/responses": RESPONSE,
    "/v1/messages": ANTHROPIC,
    "/v1/messages/count_tokens": ANTHROPIC,
}
_KEYS = ("authorization", "x-api-key", "api-key")
_SENT = (
    *_KEYS,
    *("openai-organization", "openai-project", "openai-beta"),
    *("anthropic-version", "anthropic-beta"),
)
_RETURNED = re.compile(
    r"x-request-id|request-id|retry-after|(x|anthropic)-ratelimit-.*|openai-processing-ms"
)
_REMEMBERED = ("previous_response_id", "conversation")
_PLAIN = re.compile(r"[\w\-.=&/:]*")
_LARGEST_BODY = 16 * 2**20
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProxyOptions:
    """A proxy's settings.

    Attributes:
        upstream: address of the model's API, such as ``https://api.openai.com/v1``.
        hosts: host names under which the proxy is reached, without port.
        media, unknown_fields, answers: see ``guard``.
        lifetime: number of idle seconds after which a conversation is forgotten.
        timeout: seconds that the model may take to start an answer, and between its pieces.
        at_once: maximum number of concurrent requests; more are answered with 429.

    Raises:
        PolicyError: if ``upstream`` isn't an HTTP address.
    """

    upstream: str
    hosts: Collection[str] = ("127.0.0.1", "localhost", "::1")
    media: Media = "refuse"
    unknown_fields: UnknownFields = "refuse"
    answers: Answers = "keep"
    lifetime: float = LIFETIME
    timeout: float = 600.0
    at_once: int = 64

    def __post_init__(self) -> None:
        parts = urlsplit(self.upstream)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise PolicyError(
                "the address of the model must begin with http:// or https:// and have no query, "
                "such as https://api.openai.com/v1."
            )

    @property
    def base(self) -> str:
        """The address without ``/v1``, which every path includes."""
        return self.upstream.rstrip("/").removesuffix("/v1")


class _Refusal(Exception):
    """An answer that is given instead of sending a request upstream."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Proxy:
    """Handles the requests of many conversations.

    Args:
        sanitizer: decides what is hidden.
        options: the settings.
        client: the HTTP client; by default its own.
    """

    def __init__(
        self, sanitizer: Sanitizer, options: ProxyOptions, client: httpx.AsyncClient | None = None
    ) -> None:
        self._options = options
        self._client = client or httpx.AsyncClient(
            timeout=httpx.Timeout(options.timeout, connect=10.0), trust_env=False
        )
        self._conversations = Conversations(
            partial(
                GuardSession,
                sanitizer,
                lifetime=options.lifetime,
                media=options.media,
                unknown_fields=options.unknown_fields,
                answers=options.answers,
            )
        )
        self._running = 0

    async def close(self) -> None:
        """Forget all conversations."""
        await self._client.aclose()
        self._conversations.close()

    async def guarded(self, request: Request) -> Response:
        """Answer a request that contains text."""
        return await self._answered(request, self._exchange)

    async def listed(self, request: Request) -> Response:
        """Answer a request for model names."""
        return await self._answered(request, self._models)

    async def _answered(self, request: Request, work: Any) -> Response:
        """Answer a request, or say why not; the log never contains text of a message."""
        if self._running >= self._options.at_once:
            return _error(429, "too many requests at once; try again.", {"retry-after": "1"})
        self._running += 1
        try:
            _check_address(request, self._options.hosts)
            answer: Response = await work(request)
            return answer
        except _Refusal as refusal:
            return _error(refusal.status, str(refusal))
        except InputError as error:
            return _error(400, str(error))
        except TacendaError as error:
            return _error(500, str(error))
        except httpx.TimeoutException:
            return _error(504, "the model took too long; nothing was answered.")
        except httpx.HTTPError as error:
            return _error(502, f"the model can't be reached ({type(error).__name__}).")
        except ClientDisconnect:
            return _error(400, "the request was cut off.")
        except Exception as error:
            return _unforeseen(error)
        finally:
            self._running -= 1

    async def _models(self, request: Request) -> Response:
        answer = await self._client.send(self._request(request, "GET", None))
        return Response(
            answer.content, answer.status_code, _returned(answer), media_type="application/json"
        )

    async def _exchange(self, request: Request) -> Response:
        path = request.url.path
        body = await _body(request)
        name = request.headers.get(CONVERSATION, "")
        if not name and any(body.get(field) for field in _REMEMBERED):
            raise _Refusal(
                400, f"the model's memory needs a conversation; name it in {CONVERSATION}."
            )
        session, identity = self._session(request, body, name)
        hidden = await run_in_threadpool(session.hide_fields, body, "", _PATHS[path])
        answer = await self._client.send(self._request(request, "POST", hidden), stream=True)
        headers = _returned(answer) | {CONVERSATION: name or identity}
        kind = answer.headers.get("content-type", "")
        if answer.is_success and kind.startswith("text/event-stream"):
            return StreamingResponse(
                _events(session, answer), answer.status_code, headers, "text/event-stream"
            )
        try:
            content = json.loads(await answer.aread())
        except ValueError:
            raise _Refusal(502, "the model's answer is not JSON.") from None
        finally:
            await answer.aclose()
        revealed = await run_in_threadpool(session.reveal, content)
        return JSONResponse(revealed, answer.status_code, headers)

    def _request(self, request: Request, method: str, body: Any) -> httpx.Request:
        query = request.url.query
        if not _PLAIN.fullmatch(request.url.path + query):
            raise _Refusal(400, "the address is not part of this interface.")
        headers = {name: value for name in _SENT if (value := request.headers.get(name))}
        url = f"{self._options.base}{request.url.path}" + (f"?{query}" if query else "")
        return self._client.build_request(method, url, headers=headers, json=body)

    def _session(
        self, request: Request, body: Mapping[str, Any], name: str
    ) -> tuple[GuardSession, str]:
        """Return the conversation of a request, and its identifier."""
        keys = [request.headers.get(key, "") for key in _KEYS]
        return self._conversations.session([name or beginning(body), *keys])


def _check_address(request: Request, hosts: Collection[str]) -> None:
    """Refuse pages from other hosts, which may have pointed a host name at this machine."""
    if (urlsplit(f"//{request.headers.get('host', '')}").hostname or "") not in hosts:
        raise _Refusal(421, "this server does not go by that name.")


async def _body(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request.

    Raises:
        _Refusal: if it is too large or isn't a JSON object.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise _Refusal(415, "the request must be application/json.")
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > _LARGEST_BODY:
            raise _Refusal(413, f"the request has more than {_LARGEST_BODY:,} bytes.")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise _Refusal(400, "the request must be a JSON object.")
    return body


def _returned(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if _RETURNED.fullmatch(name)}


async def _events(session: GuardSession, answer: httpx.Response) -> AsyncIterator[bytes]:
    """Yield a revealed answer that is a stream of events."""
    endings: list[bytes] = []
    try:
        async for event in session.areveal_stream(_parsed(answer, endings)):
            if isinstance(event, Mapping) and "choices" not in event and "type" in event:
                yield f"event: {event['type']}\n".encode()
            data = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
            yield f"data: {data}\n\n".encode()
        for ending in endings:
            yield ending
    except (httpx.HTTPError, TacendaError) as error:
        # It is too late for a status code.
        message = f"the answer broke off ({type(error).__name__})."
        content = {"error": {"message": message, "type": "tacenda"}}
        yield f"data: {json.dumps(content)}\n\n".encode()
    finally:
        await answer.aclose()


async def _parsed(answer: httpx.Response, endings: list[bytes]) -> AsyncIterator[Any]:
    """Yield the data of events; anything that isn't JSON is left out, except the end marker."""
    async for line in answer.aiter_lines():
        name, _, data = line.partition(":")
        if name != "data":
            continue
        if data.strip() == "[DONE]":
            endings.append(b"data: [DONE]\n\n")
            return
        try:
            yield json.loads(data)
        except ValueError:
            _log.warning("an event of the model's answer is not JSON")


def _error(status: int, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    error = {"message": message, "type": "tacenda", "param": None, "code": status}
    return JSONResponse({"error": error}, status, dict(headers or {}))


def _unforeseen(error: Exception) -> JSONResponse:
    """Answer an internal error, without its message and values, which may contain text."""
    place = extract_tb(error.__traceback__)[-1]
    _log.error("%s at %s:%s", type(error).__name__, place.filename, place.lineno)
    return _error(500, "internal error; nothing was sent. See the log.")


async def _nothing(_: Request) -> Response:
    return _error(404, "unknown interface; nothing was sent.")


async def _health(_: Request) -> Response:
    return JSONResponse({"status": "ok"})


def application(
    sanitizer: Sanitizer, options: ProxyOptions, client: httpx.AsyncClient | None = None
) -> Starlette:
    """Return the proxy as an ASGI application.

    Args:
        sanitizer: decides what is hidden.
        options: the settings.
        client: the HTTP client; by default its own.
    """
    proxy = Proxy(sanitizer, options, client)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await asyncio.shield(proxy.close())

    return Starlette(
        routes=[
            Route("/health", _health, methods=["GET"]),
            Route("/v1/models", proxy.listed, methods=["GET"]),
            Route("/v1/models/{name:path}", proxy.listed, methods=["GET"]),
            *(Route(path, proxy.guarded, methods=["POST"]) for path in _PATHS),
            Route("/{path:path}", _nothing, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
        ],
        lifespan=lifespan,
    )
