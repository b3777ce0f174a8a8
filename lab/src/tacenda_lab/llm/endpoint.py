"""An endpoint for chat completions, in the format of OpenAI, which most model servers support.

| server | address |
|---|---|
| llama.cpp (``llama-server``, ``python -m llama_cpp.server``), vLLM | ``http://localhost:8000/v1`` |
| Ollama | ``http://localhost:11434/v1`` |
| LM Studio | ``http://localhost:1234/v1`` |

Text goes only to this machine, unless the user allows the network. Requests to this machine use no
proxy, and redirects are never followed. The key is sent only in a header.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from tacenda.errors import PolicyError, ServiceError
from tacenda.reidentify.judge import Cost, Silence

from ..json_client import JsonClient, required_variable

KEY: Final = "TACENDA_LLM_KEY"
_CHAT: Final = "/chat/completions"
_LONGEST_ANSWER: Final = 1_000
"""In tokens: the longest valid answer has some 500."""
_CHARACTERS_A_TOKEN: Final = 4
"""Approximate for English; for endpoints that don't report token counts."""
_UNKNOWN_FORM: Final = (400, 422, 500)
"""Statuses that may say that a part of the request is unknown."""
_FAULTS_OF_ALL: Final = (401, 403, 404)
"""Statuses that mean the same for each document, so that it is pointless to continue."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on requests and tokens; None for no limit.

    Attributes:
        requests: number of requests.
        tokens: read and written.
    """

    requests: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class EndpointQuestion:
    """A question with the form of its answer.

    Attributes:
        name: name of the form.
        messages: (role, content), in order.
        schema: JSON schema of the answer.
    """

    name: str
    messages: tuple[tuple[str, str], ...]
    schema: Mapping[str, Any]


_GREETING: Final = EndpointQuestion(
    "greeting",
    (("user", 'Answer with the JSON object {"ready": true} and nothing else.'),),
    {
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
        "additionalProperties": False,
    },
)
_SHAPES: Final = 5
"""Number of forms of a request; see ``_request_shapes``."""


def base_of(url: str, *, allow_network: bool) -> str:
    """Return the part of the address before ``/chat/completions``.

    Raises:
        PolicyError: if text must not be sent there, or the address is invalid.
    """
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise PolicyError("--llm must be an address such as http://localhost:8000/v1.")
    if parts.username is not None or parts.password is not None:
        raise PolicyError(f"--llm must not contain a key; set it in the environment as {KEY}.")
    if not allow_network and not is_loopback(host):
        raise PolicyError(
            f"the language model at {host!r} would be sent the documents and profiles of people; "
            "allow it with --allow-network (allow_network=True), or use one on this machine "
            "(http://localhost:8000/v1)."
        )
    path = parts.path.rstrip("/").removesuffix(_CHAT) or "/v1"
    return f"{parts.scheme}://{parts.netloc}{path}"


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine's own."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Endpoint:
    """A model at an endpoint, with its usage.

    Args:
        client: the HTTP client.
        base: address before ``/chat/completions``.
        model: name of the model.
        key: key for the header; no header if empty.
        budget: what may be spent.
        clock: returns seconds from any start.

    Attributes:
        model: as above.
    """

    def __init__(
        self,
        client: JsonClient,
        base: str,
        model: str,
        key: str = "",
        budget: Budget | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._base = base
        self._headers = {"Content-Type": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._budget = Budget() if budget is None else budget
        self._clock = clock
        self._shape = 0
        self._read = self._written = self._answers = self._dropped = 0
        self._seconds = 0.0
        self._silences: Counter[Silence] = Counter()
        self.model = model or self._only_model()

    @classmethod
    def open(
        cls,
        url: str,
        model: str,
        allow_network: bool,
        budget: Budget,
        timeout: float,
        environment: Mapping[str, str] | None = None,
    ) -> Endpoint:
        """Open the endpoint at an address; see ``open_model``."""
        base = base_of(url, allow_network=allow_network)
        values = os.environ if environment is None else environment
        key = required_variable(values, KEY, "the key") if values.get(KEY, "").strip() else ""
        # A proxy from the environment would send requests for this machine to another one.
        proxies = not is_loopback(urlsplit(base).hostname or "")
        client = JsonClient(
            "the language model",
            f"look at --llm, --llm-model and {KEY}",
            0.0,
            attempts=3,
            timeout=timeout,
            proxies=proxies,
        )
        endpoint = cls(client, base, model, key, budget)
        endpoint.agree()
        return endpoint

    def agree(self) -> None:
        """Find the strictest form of request that the endpoint supports, with a question that contains no text.

        Raises:
            ServiceError: if no form gets an answer.
        """
        for self._shape in range(_SHAPES):
            try:
                self._complete(_GREETING, 0.0)
            except ServiceError as error:
                if error.status not in _UNKNOWN_FORM or self._shape + 1 == _SHAPES:
                    raise
            else:
                return

    @property
    def cost(self) -> Cost:
        """Usage so far."""
        return Cost(
            self._client.requests,
            self._read,
            self._written,
            self._seconds,
            self._answers,
            dict(self._silences),
            self._dropped,
        )

    def count(self, silence: Silence | None, dropped: int = 0) -> None:
        """Count a question as answered or by the kind of silence, and the quotes that were dropped."""
        if silence is None:
            self._answers += 1
        else:
            self._silences[silence] += 1
        self._dropped += dropped

    def ask(self, question: EndpointQuestion, temperature: float = 0.0) -> str | Silence:
        """Return the text of the model's answer, or the reason why there is none.

        Raises:
            ServiceError: if the endpoint refuses whoever asks.
        """
        if self._spent():
            return Silence.NOT_ASKED
        start = self._clock()
        try:
            reply = self._complete(question, temperature)
        except ServiceError as error:
            if error.status in _FAULTS_OF_ALL:
                raise
            return Silence.FAILED
        finally:
            self._seconds += self._clock() - start
        content = _content(reply)
        self._count_tokens(reply, question, content)
        return content

    def _spent(self) -> bool:
        limits = self._budget
        return (limits.requests is not None and self._client.requests >= limits.requests) or (
            limits.tokens is not None and self._read + self._written >= limits.tokens
        )

    def _complete(self, question: EndpointQuestion, temperature: float) -> dict[str, Any]:
        form = _request_shapes(self.model, question, temperature)[self._shape]
        return self._client.fetch(self._base + _CHAT, self._headers, json.dumps(form).encode())

    def _count_tokens(
        self, reply: Mapping[str, Any], question: EndpointQuestion, content: str | Silence
    ) -> None:
        usage = reply.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if not isinstance(read, int):
            read = sum(len(text) for _, text in question.messages) // _CHARACTERS_A_TOKEN
        if not isinstance(written, int):
            written = 0 if isinstance(content, Silence) else len(content) // _CHARACTERS_A_TOKEN
        self._read += read
        self._written += written

    def _only_model(self) -> str:
        """Return the endpoint's only model.

        Raises:
            ServiceError: if it doesn't list its models, or has several.
        """
        entries = self._client.fetch(f"{self._base}/models", self._headers).get("data")
        ids: list[str] = [
            entry["id"]
            for entry in (entries if isinstance(entries, list) else [])
            if isinstance(entry, dict) and isinstance(entry.get("id"), str)
        ]
        if len(ids) != 1:
            raise ServiceError(
                f"the language model's endpoint lists {len(ids)} models; name one with --llm-model."
            )
        return ids[0]


def _request_shapes(
    model: str, question: EndpointQuestion, temperature: float
) -> Sequence[dict[str, Any]]:
    """Return a request in forms from the strictest to one that every endpoint supports."""
    bare: dict[str, Any] = {
        "model": model,
        "messages": [{"role": role, "content": content} for role, content in question.messages],
    }
    plain = {**bare, "temperature": temperature, "max_tokens": _LONGEST_ANSWER}
    schema = {"name": question.name, "schema": question.schema}
    return (
        {**plain, "response_format": {"type": "json_schema", "json_schema": schema}},
        # llama-cpp-python reads the schema here; others ignore it.
        {**plain, "response_format": {"type": "json_object", "schema": question.schema}},
        {**plain, "response_format": {"type": "json_object"}},
        plain,
        bare,
    )


def _content(reply: Mapping[str, Any]) -> str | Silence:
    """Return the text of a completion, or the reason why there is none."""
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return Silence.UNREADABLE
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return Silence.REFUSED
    content = message.get("content")
    return content if isinstance(content, str) else Silence.UNREADABLE
