"""LiteLLM's Presidio guardrail, unchanged, before a model that remembers what it was sent.

The guardrail is made by LiteLLM's own initializer from the fields of its configuration, and its hooks are
called in the order of its proxy.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Coroutine, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import aiohttp
import pytest

from tacenda.integrations.presidio.gate import ServiceLimits
from tacenda.integrations.presidio.service import application
from tests.deferred import DeferredModule

from .model_server import EchoModel
from .serving import sanitizer, served

# Read on import: otherwise it asks the network for prices.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

litellm = DeferredModule("litellm")
exceptions = DeferredModule("litellm.exceptions")
guardrails = DeferredModule("litellm.types.guardrails")
initializers = DeferredModule("litellm.proxy.guardrails.guardrail_initializers")

pytestmark = pytest.mark.filterwarnings("ignore")
TEXT = "Anna Berg moved to Drammen, write to anna@example.com."
MASKED = "<PERSON> moved to <LOCATION>, write to <EMAIL_ADDRESS>."
_Value = TypeVar("_Value")


@pytest.fixture
def model() -> Iterator[tuple[EchoModel, str]]:
    """Return the model and its address."""
    echo = EchoModel()
    with served(echo.app) as place:
        yield echo, f"{place}/v1"


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    """Return the address of the service."""
    with served(application(sanitizer())) as place:
        yield place


@pytest.fixture(autouse=True)
def _callbacks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave LiteLLM's list of callbacks as it was, and close the connections that it leaves open."""
    monkeypatch.setattr("litellm.callbacks", list(litellm.callbacks))
    monkeypatch.setattr("litellm.disable_aiohttp_transport", True)
    sessions: list[aiohttp.ClientSession] = []
    make = aiohttp.ClientSession.__init__

    def remembered(self: aiohttp.ClientSession, *arguments: Any, **options: Any) -> None:
        make(self, *arguments, **options)
        sessions.append(self)

    monkeypatch.setattr(aiohttp.ClientSession, "__init__", remembered)
    yield

    async def close() -> None:
        for session in sessions:
            await session.close()

    asyncio.run(close())


@dataclass
class Gateway:
    """LiteLLM's proxy, of which only the guardrail and the call of the model are here."""

    guardrails: tuple[Any, ...]
    model: str

    @classmethod
    def of(cls, service: str, model: str, **fields: Any) -> Gateway:
        """A proxy whose configuration has these fields."""
        params = {
            "mode": "pre_call",
            "default_on": True,
            "presidio_filter_scope": "input",
            **fields,
        }
        place = {
            "presidio_analyzer_api_base": service,
            "presidio_anonymizer_api_base": service,
        }
        made = initializers.initialize_presidio(
            guardrails.LitellmParams(guardrail="presidio", **place, **params),
            guardrails.Guardrail(guardrail_name="pii"),
        )
        return cls(made, model)

    async def complete(self, content: Any = TEXT, **fields: Any) -> Any:
        """The answer of a chat, as a client of the proxy gets it."""
        user = DeferredModule("litellm.proxy._types").UserAPIKeyAuth()
        data: dict[str, Any] = {"messages": [{"role": "user", "content": content}], **fields}
        cache = DeferredModule("litellm.caching.caching").DualCache()
        for guardrail in self.guardrails:
            data = await guardrail.async_pre_call_hook(user, cache, data, "completion")
        sent = {key: value for key, value in data.items() if key in ("messages", "stream", "tools")}
        answer = await litellm.acompletion(
            model="openai/echo", api_base=self.model, api_key="x", **sent
        )
        if fields.get("stream"):
            return await self._streamed(answer, user, data)
        for guardrail in self._after(data):
            answer = await guardrail.async_post_call_success_hook(data, user, answer) or answer
        return answer

    async def _streamed(self, answer: AsyncIterator[Any], user: Any, data: dict[str, Any]) -> str:
        for guardrail in self._after(data):
            answer = guardrail.async_post_call_streaming_iterator_hook(user, answer, data)
        return "".join(
            [choice.delta.content or "" async for chunk in answer for choice in chunk.choices]
        )

    def _after(self, data: dict[str, Any]) -> list[Any]:
        hook = guardrails.GuardrailEventHooks.post_call
        return [item for item in self.guardrails if item.should_run_guardrail(data, hook)]

    def run(self, work: Coroutine[Any, Any, _Value]) -> _Value:
        """Do it in a loop of its own."""

        async def closed() -> _Value:
            try:
                return await work
            finally:
                for guardrail in self.guardrails:
                    await guardrail._close_http_session()

        return asyncio.run(closed())

    def content(self, **fields: Any) -> str:
        """The text of an answer."""
        answer = self.run(self.complete(**fields))
        text: str = answer if isinstance(answer, str) else answer.choices[0].message.content
        return text


def test_a_prompt_is_masked(service: str, model: tuple[EchoModel, str]) -> None:
    """The model sees placeholders, and so does who asked."""
    echo, place = model
    assert Gateway.of(service, place).content() == f"You said: {MASKED}"
    assert MASKED in echo.seen
    assert "Anna" not in echo.seen


def test_parts_of_a_message_are_masked(service: str, model: tuple[EchoModel, str]) -> None:
    """Each part of a message with several."""
    echo, place = model
    parts = [{"type": "text", "text": TEXT}, {"type": "text", "text": "Ben Cole, too"}]
    Gateway.of(service, place).content(content=parts)
    assert "Anna" not in echo.seen
    assert "<PERSON>, too" in echo.seen


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_gets_the_originals_back(
    service: str, model: tuple[EchoModel, str], stream: bool
) -> None:
    """Numbered placeholders go out, and come back as what they were; in a stream, too."""
    echo, place = model
    gateway = Gateway.of(service, place, output_parse_pii=True)
    assert gateway.content(stream=stream) == f"You said: {TEXT}"
    assert "<PERSON_1> moved to <LOCATION_2>, write to <EMAIL_ADDRESS_3>." in echo.seen


def test_arguments_of_tools_get_the_originals_back(
    service: str, model: tuple[EchoModel, str]
) -> None:
    """They stay JSON."""
    echo, place = model
    tool = {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object"}}}
    gateway = Gateway.of(service, place, output_parse_pii=True)
    answer = gateway.run(gateway.complete(tools=[tool]))
    (call,) = answer.choices[0].message.tool_calls
    assert json.loads(call.function.arguments) == {"name": TEXT}
    assert "Anna" not in echo.seen


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_is_masked(service: str, model: tuple[EchoModel, str], stream: bool) -> None:
    """With the scope ``output``: what the model says, and what tools are given."""
    _, place = model
    gateway = Gateway.of(service, place, mode="post_call", presidio_filter_scope="output")
    assert gateway.content(stream=stream) == f"You said: {MASKED}"
    if not stream:
        tool = {"type": "function", "function": {"name": "look_up"}}
        answer = gateway.run(gateway.complete(tools=[tool]))
        (call,) = answer.choices[0].message.tool_calls
        assert json.loads(call.function.arguments) == {"name": MASKED}


def test_only_the_log_is_masked(service: str, model: tuple[EchoModel, str]) -> None:
    """With the mode ``logging_only`` the model and who asked see the text, the log doesn't."""
    echo, place = model
    gateway = Gateway.of(service, place, mode="logging_only")
    logged: list[tuple[Any, Any]] = []

    class Recorder(DeferredModule("litellm.integrations.custom_logger").CustomLogger):
        """A callback that keeps what LiteLLM gives it to log."""

        async def async_log_success_event(
            self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any
        ) -> None:
            """Keep messages and answer."""
            answer = response_obj.choices[0].message.content
            logged.append((kwargs["messages"][0]["content"], answer))

    litellm.callbacks.append(Recorder())

    async def complete() -> Any:
        # Read at once: LiteLLM masks the answer for the log in place.
        content = (await gateway.complete()).choices[0].message.content
        async with asyncio.timeout(60):
            while not logged:
                await asyncio.sleep(0.01)
        return content

    assert gateway.run(complete()) == f"You said: {TEXT}"
    assert "Anna" in echo.seen
    assert logged == [(MASKED, f"You said: {MASKED}")]


def test_entities_are_masked_or_block(service: str, model: tuple[EchoModel, str]) -> None:
    """Those of ``pii_entities_config`` alone."""
    echo, place = model
    config = {"PERSON": "MASK", "US_SSN": "BLOCK"}
    masking, blocking = (Gateway.of(service, place, pii_entities_config=config) for _ in range(2))
    assert masking.content() == f"You said: {TEXT.replace('Anna Berg', '<PERSON>')}"
    with pytest.raises(exceptions.BlockedPiiEntityError):
        blocking.content(content="SSN 123-45-6789")
    assert "6789" not in echo.seen


_OUTAGES = {
    "error": ServiceLimits(body=50),
    "too many": ServiceLimits(requests=0),
    "too slow": ServiceLimits(seconds=0.0001),
}


@pytest.mark.parametrize("outage", _OUTAGES)
@pytest.mark.parametrize(
    "fields", [{"output_parse_pii": True}, {"pii_entities_config": {"PERSON": "MASK"}}]
)
def test_nothing_is_sent_without_an_answer(
    model: tuple[EchoModel, str], outage: str, fields: dict[str, Any]
) -> None:
    """Where the guardrail puts the originals back, or has a list of entities, an error stops the request."""
    echo, place = model
    whole = replace(_OUTAGES[outage], cut_errors=False)
    with served(application(sanitizer(), whole)) as service:
        gateway = Gateway.of(service, place, **fields)
        with pytest.raises(exceptions.GuardrailRaisedException):
            gateway.content()
    assert not echo.bodies


@pytest.mark.parametrize("outage", _OUTAGES)
def test_errors_stop_a_guardrail_that_would_ignore_them(
    model: tuple[EchoModel, str], outage: str
) -> None:
    """Without those fields LiteLLM takes a whole error for nothing found, and sends the text; not half an answer."""
    echo, place = model
    whole = replace(_OUTAGES[outage], cut_errors=False)
    with served(application(sanitizer(), whole)) as service:
        Gateway.of(service, place).content()
    assert "Anna" in echo.seen, "LiteLLM stops here now: docs/integrations/presidio.md can say so"
    echo.bodies.clear()
    with served(application(sanitizer(), _OUTAGES[outage])) as service:
        gateway = Gateway.of(service, place)
        with pytest.raises(Exception, match="Presidio PII analysis failed"):
            gateway.content()
    assert not echo.bodies


def test_nothing_is_sent_when_the_service_is_down(model: tuple[EchoModel, str]) -> None:
    """Whatever the fields."""
    echo, place = model
    with served(application(sanitizer())) as service:
        pass
    gateway = Gateway.of(service, place)
    with pytest.raises(Exception, match="Presidio PII analysis failed"):
        gateway.content()
    assert not echo.bodies
