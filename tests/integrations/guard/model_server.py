"""A model on this machine, with OpenAI's interface: it answers in ways in which models change placeholders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.serving import serving as serving_at


class Model:
    """What was sent, and what is answered.

    Attributes:
        received: bodies of requests with text, in order.
        headers: of the last request.
        answer: the text of each answer; None for what the last message says.
        size: characters of a piece of a stream.
    """

    def __init__(self) -> None:
        self.received: list[Any] = []
        self.headers: dict[str, str] = {}
        self.answer: str | None = None
        self.arguments: str | None = None
        self.status = 200
        self.size = 3

    def said(self, body: dict[str, Any]) -> str:
        """The text of an answer."""
        if self.answer is not None:
            return self.answer
        content = body["messages"][-1]["content"]
        return content if isinstance(content, str) else json.dumps(content)

    async def chat(self, request: Request) -> Response:
        """``POST /v1/chat/completions``."""
        body = await self._body(request)
        if self.status != 200:
            error = {"error": {"message": f"no: {self.said(body)}", "type": "x"}}
            return JSONResponse(error, self.status, {"retry-after": "7"})
        head = {"id": "c1", "created": 1, "model": body["model"]}
        if body.get("stream"):
            return StreamingResponse(self._chunks(head, body), media_type="text/event-stream")
        message: dict[str, Any] = {"role": "assistant", "content": self.said(body)}
        if self.arguments is not None:
            function = {"name": "send", "arguments": self.arguments}
            message["tool_calls"] = [{"id": "t1", "type": "function", "function": function}]
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return JSONResponse(head | {"object": "chat.completion", "choices": [choice]})

    def _chunks(self, head: dict[str, Any], body: dict[str, Any]) -> Iterator[str]:
        def event(delta: dict[str, Any], finish: str | None = None) -> str:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            item = head | {"object": "chat.completion.chunk", "choices": [choice]}
            return f"data: {json.dumps(item)}\n\n"

        text = self.said(body)
        yield event({"role": "assistant", "content": ""})
        for start in range(0, len(text), self.size):
            yield event({"content": text[start : start + self.size]})
        source = self.arguments or ""
        for start in range(0, len(source), self.size):
            function: dict[str, Any] = {"arguments": source[start : start + self.size]}
            call = {"index": 0, "function": function}
            if not start:
                call |= {"id": "t1", "type": "function"}
                function["name"] = "send"
            yield event({"tool_calls": [call]})
        yield event({}, "stop")
        yield "data: [DONE]\n\n"

    async def completion(self, request: Request) -> Response:
        """``POST /v1/completions``."""
        body = await self._body(request)
        choice = {"index": 0, "text": body["prompt"], "finish_reason": "stop", "logprobs": None}
        head = {"id": "c", "object": "text_completion", "created": 1, "model": body["model"]}
        return JSONResponse(head | {"choices": [choice]})

    async def embedding(self, request: Request) -> Response:
        """``POST /v1/embeddings``."""
        body = await self._body(request)
        data = [{"object": "embedding", "index": 0, "embedding": [0.5]}]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return JSONResponse(
            {"object": "list", "model": body["model"], "data": data, "usage": usage}
        )

    async def response(self, request: Request) -> Response:
        """``POST /v1/responses``."""
        body = await self._body(request)
        content = [{"type": "output_text", "text": body["input"], "annotations": []}]
        output = {
            "type": "message",
            "id": "m",
            "role": "assistant",
            "status": "completed",
            "content": content,
        }
        return JSONResponse(
            {
                "id": "r1",
                "object": "response",
                "created_at": 1,
                "model": body["model"],
                "output": [output],
                "parallel_tool_calls": True,
                "tool_choice": "auto",
                "tools": [],
            }
        )

    async def anthropic(self, request: Request) -> Response:
        """``POST /v1/messages``."""
        body = await self._body(request)
        content = [{"type": "text", "text": body["messages"][-1]["content"]}]
        return JSONResponse({"id": "m", "type": "message", "role": "assistant", "content": content})

    async def models(self, request: Request) -> Response:
        """``GET /v1/models``."""
        return JSONResponse({"object": "list", "data": [{"id": "small", "object": "model"}]})

    async def _body(self, request: Request) -> Any:
        self.headers = dict(request.headers)
        self.received.append(await request.json())
        return self.received[-1]

    def application(self) -> Starlette:
        """The server."""
        posts = {
            "chat/completions": self.chat,
            "completions": self.completion,
            "embeddings": self.embedding,
            "responses": self.response,
            "messages": self.anthropic,
        }
        return Starlette(
            routes=[
                *(Route(f"/v1/{path}", work, methods=["POST"]) for path, work in posts.items()),
                Route("/v1/models", self.models),
            ]
        )


@contextmanager
def serving(application: Any) -> Iterator[str]:
    """Serve an application in a thread; gives its address."""
    config = uvicorn.Config(application, port=0, log_level="critical", access_log=False)
    with config.bind_socket() as socket, serving_at(uvicorn.Server(config), socket):
        yield f"http://127.0.0.1:{socket.getsockname()[1]}"
