"""A language model on this machine that says what it was told to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tacenda_lab.json_client import JsonClient
from tacenda_lab.llm.endpoint import Budget, Endpoint
from tests.lab.indicators.web.server import Asked, Engine, running

MODELS = {"object": "list", "data": [{"id": "toy", "object": "model"}]}


def completion(content: str | None, **message: Any) -> dict[str, Any]:
    """Return a reply as endpoints give it."""
    return {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def said(value: object) -> dict[str, Any]:
    """Return a reply with a JSON value."""
    return completion(json.dumps(value))


class ToyModel:
    """The endpoint of a model: its replies by the name of the question.

    Attributes:
        engine: the server.
        replies: by question; called with the request where a function.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.replies: dict[str, Any] = {"greeting": said({"ready": True})}
        engine.answer = self._answer

    @property
    def url(self) -> str:
        """Its address."""
        return f"{self.engine.base}/v1"

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The requests for completions but greetings."""
        bodies = [
            json.loads(one.body)
            for one in self.engine.asked
            if one.path.endswith("chat/completions")
        ]
        return [body for body in bodies if question_of(body) != "greeting"]

    def endpoint(
        self,
        *,
        key: str = "",
        budget: Budget | None = None,
        timeout: float = 60.0,
        attempts: int = 3,
        is_agreed: bool = True,
    ) -> Endpoint:
        """Return a client that does not wait between attempts, and has asked for the form of a request."""
        client = JsonClient(
            "the language model",
            "look at --llm",
            0.0,
            attempts=attempts,
            timeout=timeout,
            proxies=False,
            sleep=lambda _: None,
        )
        endpoint = Endpoint(client, self.url, "toy", key, budget)
        if is_agreed:
            endpoint.agree()
        return endpoint

    def _answer(self, asked: Asked) -> Any:
        if asked.path.endswith("/models"):
            return MODELS
        reply = self.replies.get(question_of(json.loads(asked.body)), completion("I don't know."))
        return reply(json.loads(asked.body)) if isinstance(reply, Callable) else reply


def question_of(body: dict[str, Any]) -> str:
    """Return the name of the question in a request."""
    name: str = body["response_format"]["json_schema"]["name"]
    return name


@pytest.fixture
def model() -> Iterator[ToyModel]:
    """Run a model."""
    with running() as engine:
        yield ToyModel(engine)
