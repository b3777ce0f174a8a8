"""Hooks of LiteLLM: calls from Python over real sockets, and the hooks of its proxy."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tacenda import InputError, Sanitizer

from .model_server import Model, serving

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = (
    "True"  # Else it asks the network while it is imported.
)
pytestmark = pytest.mark.filterwarnings("ignore")  # of LiteLLM, while it is imported and at work

NAMES = ("anna", "berg", "stone", "900231")
PROMPT = "Write to Anna Berg, on 07700 900231, and to Bob Stone."


@pytest.fixture(scope="module")
def model() -> Model:
    """The model of these tests."""
    return Model()


@pytest.fixture(scope="module")
def upstream(model: Model) -> Iterator[str]:
    """Its address."""
    with serving(model.application()) as address:
        yield f"{address}/v1"


@pytest.fixture
def hooks(rules: Sanitizer, model: Model) -> Iterator[Any]:
    """The hooks, asked by LiteLLM for every call."""
    import litellm

    from tacenda.integrations.guard.litellm import GuardHooks

    vars(model).update(vars(Model()))
    hooks = GuardHooks(sanitizer=rules)
    before, litellm.callbacks = litellm.callbacks, [hooks]
    yield hooks
    litellm.callbacks = before


def assert_nobody(sent: Any) -> None:
    """No name is in what was sent."""
    text = json.dumps(sent).casefold()
    assert len(text) > 2
    assert [name for name in NAMES if name in text] == []


def asked(hooks: Any, upstream: str, **options: Any) -> Any:
    """Ask the model by LiteLLM."""
    import litellm

    async def answer() -> Any:
        result = await litellm.acompletion(
            model="openai/small",
            api_base=upstream,
            api_key="mine",
            messages=[{"role": "user", "content": PROMPT}],
            **options,
        )
        return (
            [chunk async for chunk in hooks.revealed(result)] if options.get("stream") else result
        )

    return asyncio.run(answer())


def test_a_call_from_python_is_guarded(hooks: Any, upstream: str, model: Model) -> None:
    """The answer has names, the request has none."""
    model.arguments = '{"to": "[PERSON_1]"}'
    tools = [{"type": "function", "function": {"name": "send", "description": "for Anna Berg"}}]
    message = asked(hooks, upstream, tools=tools).choices[0].message
    assert message.content == PROMPT
    assert message.tool_calls[0].function.arguments == '{"to": "Anna Berg"}'
    assert_nobody(model.received)


def test_a_stream_from_python_is_guarded(hooks: Any, upstream: str, model: Model) -> None:
    """Piece by piece."""
    model.size = 1
    chunks = asked(hooks, upstream, stream=True)
    texts = [chunk.choices[0].delta.content or "" for chunk in chunks]
    assert "".join(texts) == PROMPT
    assert not any("PER" in text for text in texts)
    assert_nobody(model.received)


def test_the_hooks_of_the_proxy(hooks: Any, model: Model) -> None:
    """Before the call, after it, and for a stream; a second hook of the same call does nothing."""
    from litellm.types.utils import ModelResponse, ModelResponseStream

    data: dict[str, Any] = {
        "litellm_call_id": "1",
        "model": "small",
        "messages": [{"role": "user", "content": PROMPT}],
        "metadata": {"headers": {"host": "x"}},
    }

    async def run() -> tuple[Any, str]:
        sent = await hooks.async_pre_call_hook(None, None, data, "completion")
        assert_nobody(sent)
        again = await hooks.async_pre_call_deployment_hook(dict(sent), "acompletion")
        assert again == sent
        text = sent["messages"][0]["content"]
        choice = {"index": 0, "message": {"role": "assistant", "content": text}}
        answer = ModelResponse(choices=[choice])
        untouched = await hooks.async_post_call_success_deployment_hook(sent, answer, "acompletion")
        assert untouched is answer
        answer = await hooks.async_post_call_success_hook(sent, None, answer)

        async def stream() -> AsyncIterator[Any]:
            for letter in text:
                delta = {"index": 0, "delta": {"content": letter}}
                yield ModelResponseStream(choices=[delta])

        pieces = [
            chunk.choices[0].delta.content or ""
            async for chunk in hooks.async_post_call_streaming_iterator_hook(None, stream(), sent)
        ]
        return answer, "".join(pieces)

    answer, text = asyncio.run(run())
    assert answer.choices[0].message.content == PROMPT
    assert text == PROMPT


@pytest.mark.parametrize(
    ("call_type", "changes", "place"),
    [
        ("image_generation", {}, "image_generation"),
        ("completion", {"extra_body": {"note": "Anna Berg"}}, "extra_body"),
        ("completion", {"litellm_call_id": None}, "litellm_call_id"),
        (
            "completion",
            {"messages": [{"role": "user", "content": [{"type": "file", "file": {}}]}]},
            "file",
        ),
    ],
)
def test_what_is_not_known_is_refused(
    hooks: Any, call_type: str, changes: dict[str, Any], place: str
) -> None:
    """Then LiteLLM sends nothing."""
    data = {"litellm_call_id": "2", "messages": [{"role": "user", "content": PROMPT}]} | changes
    with pytest.raises(InputError, match=place):
        asyncio.run(hooks.async_pre_call_hook(None, None, data, call_type))


def test_a_synchronous_call_is_refused(hooks: Any, upstream: str, model: Model) -> None:
    """LiteLLM would ask no hook, and send the text."""
    import litellm

    message = {"role": "user", "content": PROMPT}
    options = {"model": "openai/m", "api_base": upstream, "api_key": "k"}
    with pytest.raises(Exception, match="Use acompletion") as refused:
        litellm.completion(messages=[message], **options)
    assert "Berg" not in str(refused.value)
    assert not model.received
    litellm.callbacks.remove(hooks)
    litellm.completion(messages=[{"role": "user", "content": "Hello"}], **options)
