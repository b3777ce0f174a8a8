"""A guarded LangChain chat model: it sees placeholders, and so do its callbacks and traces.

model = GuardedModel(ChatOpenAI(model="…"), tacenda.guard())
print(model.invoke("Write to Anna Berg.").content)
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from ...errors import InputError, MissingExtraError
from .session import GuardSession
from .shapes import MESSAGES, PromptTreatment
from .streaming import GuardStream

try:
    from langchain_core.language_models import LanguageModelInput
    from langchain_core.messages import (
        AIMessage,
        AIMessageChunk,
        BaseMessage,
        convert_to_messages,
    )
    from langchain_core.prompt_values import PromptValue
    from langchain_core.runnables import Runnable, RunnableConfig
    from langchain_core.utils.function_calling import convert_to_openai_tool
except ImportError:
    raise MissingExtraError("the guard of LangChain's models", "langchain") from None

_ROOT = "messages"
_TABLE = MESSAGES | {f"{_ROOT}.args": PromptTreatment.JSON}


class GuardedModel(Runnable[LanguageModelInput, AIMessage]):
    """A model that is used within a guarded conversation.

    Args:
        model: a chat model, or the result of its ``bind``.
        session: the conversation; use one per user.
    """

    def __init__(self, model: Runnable[LanguageModelInput, Any], session: GuardSession) -> None:
        self._model = model
        self._session = session

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> GuardedModel:
        """Return the model with tools, whose descriptions are also hidden.

        Raises:
            InputError: if the model doesn't support tools.
        """
        bind = getattr(self._model, "bind_tools", None)
        if bind is None:
            raise InputError("the model doesn't support tools.")
        hidden = self._session.hide_tools([convert_to_openai_tool(tool) for tool in tools])
        return GuardedModel(bind(hidden, **kwargs), self._session)

    def invoke(
        self, input: LanguageModelInput, config: RunnableConfig | None = None, **kwargs: Any
    ) -> AIMessage:
        """Return the model's revealed answer to messages.

        Raises:
            InputError: if a field may not be sent; names it.
        """
        return self._revealed(self._model.invoke(self._hidden(input), config, **kwargs))

    async def ainvoke(
        self, input: LanguageModelInput, config: RunnableConfig | None = None, **kwargs: Any
    ) -> AIMessage:
        """Return the model's revealed answer to messages."""
        return self._revealed(await self._model.ainvoke(self._hidden(input), config, **kwargs))

    def stream(
        self, input: LanguageModelInput, config: RunnableConfig | None = None, **kwargs: Any
    ) -> Iterator[AIMessageChunk]:
        """Yield the revealed pieces of an answer; a placeholder is never split."""
        pieces = _GuardedChunks(self._session)
        for chunk in self._model.stream(self._hidden(input), config, **kwargs):
            yield pieces.feed(chunk)
        yield from pieces.end()

    async def astream(
        self, input: LanguageModelInput, config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[AIMessageChunk]:
        """Yield the revealed pieces of an answer; a placeholder is never split."""
        pieces = _GuardedChunks(self._session)
        async for chunk in self._model.astream(self._hidden(input), config, **kwargs):
            yield pieces.feed(chunk)
        for piece in pieces.end():
            yield piece

    def _hidden(self, input: LanguageModelInput) -> list[BaseMessage]:
        """Return messages with placeholders and without anything else they contain."""
        if isinstance(input, PromptValue):
            messages = input.to_messages()
        elif isinstance(input, str):
            messages = convert_to_messages([("user", input)])
        else:
            messages = convert_to_messages(input)
        fields = [
            {
                "role": message.type,
                "content": message.content,
                "name": message.name,
                "args": [call["args"] for call in getattr(message, "tool_calls", ())],
            }
            for message in messages
        ]
        fields_hidden = self._session.hide_fields(fields, _ROOT, _TABLE)
        return [
            _rewritten(message, item) for message, item in zip(messages, fields_hidden, strict=True)
        ]

    def _revealed(self, answer: AIMessage) -> AIMessage:
        calls = [call | {"args": {}} for call in answer.tool_calls]
        revealed = self._session.reveal(
            {"content": answer.content, "input": {"args": [c["args"] for c in answer.tool_calls]}}
        )
        for call, args in zip(calls, revealed["input"]["args"], strict=True):
            call["args"] = args
        return answer.model_copy(
            update={"content": revealed["content"], "tool_calls": calls, "additional_kwargs": {}}
        )


def _rewritten(message: BaseMessage, hidden: dict[str, Any]) -> BaseMessage:
    # A message's other content repeats its calls and isn't in the table.
    changes: dict[str, Any] = {
        "content": hidden["content"],
        "name": hidden["name"],
        "additional_kwargs": {},
        "response_metadata": {},
    }
    if hidden["args"]:
        calls = getattr(message, "tool_calls", ())
        changes["tool_calls"] = [
            {**call, "args": args} for call, args in zip(calls, hidden["args"], strict=True)
        ]
    return message.model_copy(update=changes)


class _GuardedChunks:
    """The pieces of one answer."""

    def __init__(self, session: GuardSession) -> None:
        self._session = session
        self._texts: dict[Any, GuardStream] = {}
        self._calls: dict[Any, GuardStream] = {}

    def feed(self, chunk: AIMessageChunk) -> AIMessageChunk:
        """Return a piece, revealed as far as possible."""
        content: Any = chunk.content
        if isinstance(content, str):
            content = self._text(None, content)
        else:
            content = [
                {**part, "text": self._text(part.get("index"), part["text"])}
                if isinstance(part, dict) and isinstance(part.get("text"), str)
                else part
                for part in content
            ]
        calls = []
        for call in chunk.tool_call_chunks:
            stream = self._calls.setdefault(call["index"], self._session.stream(is_json=True))
            calls.append({**call, "args": stream.feed(call["args"] or "")})
        return AIMessageChunk(
            content=content,
            tool_call_chunks=calls,  # type: ignore[arg-type]
            id=chunk.id,
            response_metadata=chunk.response_metadata,
            usage_metadata=chunk.usage_metadata,
        )

    def end(self) -> Iterator[AIMessageChunk]:
        """Yield what is left."""
        for index, stream in self._texts.items():
            if rest := stream.end():
                part = {"type": "text", "text": rest, "index": index}
                yield AIMessageChunk(content=rest if index is None else [part])
        for index, stream in self._calls.items():
            if rest := stream.end():
                call = {
                    "name": None,
                    "args": rest,
                    "id": None,
                    "index": index,
                    "type": "tool_call_chunk",
                }
                yield AIMessageChunk(content="", tool_call_chunks=[call])  # type: ignore[list-item]

    def _text(self, index: Any, text: str) -> str:
        return self._texts.setdefault(index, self._session.stream()).feed(text)
