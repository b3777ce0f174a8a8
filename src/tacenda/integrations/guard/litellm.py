"""LiteLLM hooks, for its proxy and for calls from Python: the model sees placeholders.

    litellm.callbacks = [GuardHooks()]
    await litellm.acompletion(model="…", messages=messages)

For a stream, use ``async for chunk in hooks.revealed(await litellm.acompletion(…, stream=True))``.
In the proxy's configuration, use ``callbacks: my_module.hooks``, where ``hooks = GuardHooks()``.

LiteLLM only calls hooks for asynchronous calls. ``litellm.completion`` is refused by a rule;
``litellm.embedding`` and ``litellm.text_completion`` have no rules, so **their text is sent
unchanged**. Use ``aembedding`` and ``atext_completion`` instead.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputError, MissingExtraError
from ...pipeline import Sanitizer
from ...policy import Policy
from .answers import Answers
from .session import DEFAULT_POLICY, LIFETIME, Conversations, GuardSession, beginning, loaded
from .shapes import CHAT, COMPLETION, EMBEDDING, Media, PromptTreatment, UnknownFields

try:
    import litellm
    from litellm.integrations.custom_logger import CustomLogger
except ImportError:
    raise MissingExtraError("the hooks of LiteLLM", "litellm") from None

_TABLES = {
    "completion": CHAT,
    "acompletion": CHAT,
    "text_completion": COMPLETION,
    "atext_completion": COMPLETION,
    "embedding": EMBEDDING,
    "aembedding": EMBEDDING,
    "embeddings": EMBEDDING,
}
_SPEAKING = (
    PromptTreatment.TEXT,
    PromptTreatment.TOKEN,
    PromptTreatment.JSON,
    PromptTreatment.SCHEMA,
)
_LITELLM_ONLY = frozenset(("metadata",))
"""Has a name of the interface, but is LiteLLM's own and goes to no model."""
_UNREADABLE = (
    "extra_body",
    "extra_query",
    "extra_headers",
    "system",
    "input_audio",
    "assistant_id",
)
_MOST_CALLS = 10_000


class _Call(NamedTuple):
    """A call in progress: its conversation, and the hook that hid it, so that the other kind of hook leaves it alone."""

    session: GuardSession
    by: str


def _refuse_synchronous(_: str) -> bool:
    """A LiteLLM rule for every call of a chat model, including synchronous ones.

    Raises:
        InputError: outside an asyncio loop, as long as there are hooks that wouldn't be called.
    """
    if any(isinstance(callback, GuardHooks) for callback in litellm.callbacks):
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            raise InputError(
                "litellm.completion has no hook that could hide its text; nothing was sent. Use acompletion."
            ) from None
    return True


class GuardHooks(CustomLogger):
    """Hooks that hide requests and reveal answers, including streams.

    Args:
        policy: says what is hidden; a ``Policy``, the name of a shipped one, or a path.
        sanitizer: a loaded sanitizer, instead of a policy.
        lifetime: number of idle seconds after which a conversation is forgotten.
        media, unknown_fields, answers: see ``guard``.

    Raises:
        PolicyError: if the policy can't be used.
    """

    def __init__(
        self,
        policy: Policy | str | Path = DEFAULT_POLICY,
        *,
        sanitizer: Sanitizer | None = None,
        lifetime: float = LIFETIME,
        media: Media = "refuse",
        unknown_fields: UnknownFields = "refuse",
        answers: Answers = "keep",
    ) -> None:
        super().__init__()
        if _refuse_synchronous not in litellm.pre_call_rules:
            litellm.pre_call_rules.append(_refuse_synchronous)
        self._conversations = Conversations(
            partial(
                GuardSession,
                sanitizer or loaded(policy),
                lifetime=lifetime,
                media=media,
                unknown_fields=unknown_fields,
                answers=answers,
            )
        )
        self._calls: OrderedDict[str, _Call] = OrderedDict()

    # The proxy.

    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: str
    ) -> dict[str, Any]:
        """Hide a request to the proxy.

        Raises:
            InputError: if a field may not be sent; names it. LiteLLM then sends nothing.
        """
        owner = str(getattr(user_api_key_dict, "api_key", None) or "")
        return self._hidden(data, call_type, owner, "proxy")

    async def async_post_call_success_hook(
        self, data: dict[str, Any], user_api_key_dict: Any, response: Any
    ) -> Any:
        """Reveal an answer from the proxy."""
        call = self._call(data, "proxy")
        return response if call is None else call.session.reveal(response)

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: AsyncIterator[Any], request_data: dict[str, Any]
    ) -> AsyncGenerator[Any, None]:
        """Reveal a stream from the proxy."""
        call = self._call(request_data, "proxy")
        if call is not None:
            response = call.session.areveal_stream(response)
        async for chunk in response:
            yield chunk

    # Calls from Python.

    async def async_pre_call_deployment_hook(
        self, kwargs: dict[str, Any], call_type: Any
    ) -> dict[str, Any]:
        """Hide a call from Python, unless the proxy's hook did.

        Raises:
            InputError: if a field may not be sent; names it. LiteLLM then sends nothing.
        """
        if self._call(kwargs, "proxy") is not None:
            return kwargs
        return self._hidden(dict(kwargs), str(getattr(call_type, "value", call_type)), "", "call")

    async def async_post_call_success_deployment_hook(
        self, request_data: dict[str, Any], response: Any, call_type: Any
    ) -> Any:
        """Reveal the answer to a call from Python."""
        call = self._call(request_data, "call")
        return response if call is None else call.session.reveal(response)

    async def revealed(self, stream: Any) -> AsyncGenerator[Any, None]:
        """Yield the revealed pieces of an answer to a call from Python, for which LiteLLM calls no hook.

        Args:
            stream: the result of ``litellm.acompletion(…, stream=True)``.
        """
        details = {"litellm_call_id": getattr(stream.logging_obj, "litellm_call_id", None)}
        call = self._call(details, "call")
        chunks = stream if call is None else call.session.areveal_stream(stream)
        async for chunk in chunks:
            yield chunk

    def _call(self, data: dict[str, Any], by: str) -> _Call | None:
        call = self._calls.get(str(data.get("litellm_call_id")))
        return call if call is not None and call.by == by else None

    def _hidden(self, data: dict[str, Any], call_type: str, owner: str, by: str) -> dict[str, Any]:
        table = _TABLES.get(call_type)
        if table is None:
            raise InputError(f"unknown kind of call {call_type!r}; nothing was sent.")
        for name in _UNREADABLE:
            if data.get(name):
                raise InputError(f"{name}: unknown field that may contain text; leave it out.")
        if not data.get("litellm_call_id"):
            raise InputError(
                "the call has no litellm_call_id, which is needed to match its answer."
            )
        fields = {
            name: value
            for name, value in data.items()
            if name not in _LITELLM_ONLY
            and value is not None
            and any(
                path.partition(".")[0] == name and treatment in _SPEAKING
                for path, treatment in table.items()
            )
        }
        session, _ = self._conversations.session([beginning(fields), owner])
        data |= session.hide_fields(fields, "", table)
        self._calls[str(data["litellm_call_id"])] = _Call(session, by)
        while len(self._calls) > _MOST_CALLS:
            self._calls.popitem(last=False)
        return data
