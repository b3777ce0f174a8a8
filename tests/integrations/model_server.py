"""A language model that isn't one: it answers in OpenAI's interface, and remembers what it was sent."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

_HEAD = {"id": "c1", "created": 1, "model": "echo"}


class EchoModel:
    """Application that repeats the last message, in its answer or as argument of a tool.

    Attributes:
        bodies: the requests, as they were sent.
    """

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.app = Starlette(
            routes=[Route("/v1/chat/completions", self._complete, methods=["POST"])]
        )

    @property
    def seen(self) -> str:
        """All that it was sent, as one string."""
        return json.dumps(self.bodies, ensure_ascii=False)

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        self.bodies.append(body)
        content = _text(body["messages"][-1]["content"])
        if body.get("stream"):
            return StreamingResponse(_chunks(content), media_type="text/event-stream")
        message: dict[str, Any] = {"role": "assistant", "content": f"You said: {content}"}
        if body.get("tools"):
            arguments = json.dumps({"name": content})
            function = {"name": "look_up", "arguments": arguments}
            message = {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "t1", "type": "function", "function": function}],
            }
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return JSONResponse(
            {**_HEAD, "object": "chat.completion", "choices": [choice], "usage": usage}
        )


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else " ".join(part["text"] for part in content)


async def _chunks(content: str) -> AsyncIterator[str]:
    """Three characters at a time, so that placeholders are cut in pieces."""
    answer = f"You said: {content}"
    for start in range(0, len(answer), 3):
        delta = {"role": "assistant", "content": answer[start : start + 3]}
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield _event({**_HEAD, "object": "chat.completion.chunk", "choices": [choice]})
    choice = {"index": 0, "delta": {}, "finish_reason": "stop"}
    yield _event({**_HEAD, "object": "chat.completion.chunk", "choices": [choice]})
    yield "data: [DONE]\n\n"


def _event(value: dict[str, Any]) -> str:
    return f"data: {json.dumps(value)}\n\n"
