"""Guarded LlamaIndex: its language model sees placeholders.

Settings.llm = GuardedLLM(OpenAI(model="…"), tacenda.guard())

``GuardedNodes`` hides only the nodes that an index finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import InputError, MissingExtraError
from .session import GuardSession
from .shapes import COMPLETION, MESSAGES, PromptTreatment
from .streaming import GuardStream

try:
    from llama_index.core.base.llms.types import (
        ChatMessage,
        ChatResponse,
        ChatResponseAsyncGen,
        ChatResponseGen,
        CompletionResponse,
        CompletionResponseAsyncGen,
        CompletionResponseGen,
        LLMMetadata,
        TextBlock,
        ToolCallBlock,
    )
    from llama_index.core.llms import LLM
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
    from pydantic import PrivateAttr
except ImportError:
    raise MissingExtraError("the guard of LlamaIndex's models", "llamaindex") from None

_TABLE = MESSAGES | {"messages.args": PromptTreatment.JSON}
_NODES = {"nodes.text": PromptTreatment.TEXT, "nodes.metadata": PromptTreatment.JSON}


class GuardedLLM(LLM):
    """A model that is used within a guarded conversation.

    Args:
        llm: the model.
        session: the conversation; use one per user.
    """

    _llm: LLM = PrivateAttr()
    _session: GuardSession = PrivateAttr()

    def __init__(self, llm: LLM, session: GuardSession) -> None:
        super().__init__()
        self._llm = llm
        self._session = session

    @property
    def metadata(self) -> LLMMetadata:
        """The model's own metadata, except function calling, which would bypass this class."""
        return self._llm.metadata.model_copy(update={"is_function_calling_model": False})

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """Return the revealed answer to messages.

        Raises:
            InputError: if something may not be sent, such as a picture; names it.
        """
        return self._answer(self._llm.chat(self._hidden(messages, kwargs), **kwargs))

    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """Return the revealed answer to messages."""
        return self._answer(await self._llm.achat(self._hidden(messages, kwargs), **kwargs))

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """Return the completion of a prompt, with originals restored."""
        hidden = self._prompt(prompt, kwargs)
        return self._completion(self._llm.complete(hidden, formatted, **kwargs))

    async def acomplete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponse:
        """Return the completion of a prompt, with originals restored."""
        hidden = self._prompt(prompt, kwargs)
        return self._completion(await self._llm.acomplete(hidden, formatted, **kwargs))

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        """Yield the answer to messages as it arrives; a placeholder is never split."""
        pieces = _GuardedAnswer(self._session.stream())
        for answer in self._llm.stream_chat(self._hidden(messages, kwargs), **kwargs):
            yield pieces.chat(pieces.feed(answer.delta or ""))
        yield pieces.chat(pieces.end())

    async def astream_chat(
        self, messages: Sequence[ChatMessage], **kwargs: Any
    ) -> ChatResponseAsyncGen:
        """Return the answer to messages as it arrives; a placeholder is never split."""
        answers = await self._llm.astream_chat(self._hidden(messages, kwargs), **kwargs)
        pieces = _GuardedAnswer(self._session.stream())

        async def revealed() -> ChatResponseAsyncGen:
            async for answer in answers:
                yield pieces.chat(pieces.feed(answer.delta or ""))
            yield pieces.chat(pieces.end())

        return revealed()

    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseGen:
        """Yield the completion of a prompt as it arrives; a placeholder is never split."""
        pieces = _GuardedAnswer(self._session.stream())
        hidden = self._prompt(prompt, kwargs)
        for answer in self._llm.stream_complete(hidden, formatted, **kwargs):
            yield pieces.completion(pieces.feed(answer.delta or ""))
        yield pieces.completion(pieces.end())

    async def astream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseAsyncGen:
        """Stream the completion of a prompt; a placeholder is never split."""
        hidden = self._prompt(prompt, kwargs)
        answers = await self._llm.astream_complete(hidden, formatted, **kwargs)
        pieces = _GuardedAnswer(self._session.stream())

        async def revealed() -> CompletionResponseAsyncGen:
            async for answer in answers:
                yield pieces.completion(pieces.feed(answer.delta or ""))
            yield pieces.completion(pieces.end())

        return revealed()

    def _prompt(self, prompt: str, kwargs: dict[str, Any]) -> str:
        _check(kwargs)
        hidden: str = self._session.hide_fields(prompt, "prompt", COMPLETION)
        return hidden

    def _hidden(self, messages: Sequence[ChatMessage], kwargs: dict[str, Any]) -> list[ChatMessage]:
        _check(kwargs)
        fields = []
        for message in messages:
            if message.additional_kwargs.keys() - {"name", "tool_call_id"}:
                raise InputError(
                    "messages.additional_kwargs: unknown fields that may contain text."
                )
            texts = [block.text for block in message.blocks if isinstance(block, TextBlock)]
            calls = [
                block.tool_kwargs for block in message.blocks if isinstance(block, ToolCallBlock)
            ]
            if len(texts) + len(calls) < len(message.blocks):
                raise InputError("messages.blocks: pictures, sounds and files can't be read here.")
            fields.append({"content": texts, "args": calls} | message.additional_kwargs)
        hidden = self._session.hide_fields(fields, "messages", _TABLE)
        return [_rewritten(message, item) for message, item in zip(messages, hidden, strict=True)]

    def _answer(self, answer: ChatResponse) -> ChatResponse:
        blocks = [
            block.model_copy(update={"text": self._session.reveal(block.text)})
            if isinstance(block, TextBlock)
            else block.model_copy(
                update={"tool_kwargs": self._session.reveal({"input": block.tool_kwargs})["input"]}
            )
            if isinstance(block, ToolCallBlock) and isinstance(block.tool_kwargs, dict)
            else block
            for block in answer.message.blocks
        ]
        return ChatResponse(message=ChatMessage(role=answer.message.role, blocks=blocks))

    def _completion(self, answer: CompletionResponse) -> CompletionResponse:
        return CompletionResponse(text=self._session.reveal(answer.text))


class GuardedNodes(BaseNodePostprocessor):
    """The nodes that an index finds, for a model that is used without ``GuardedLLM``.

    The question isn't hidden. Use the conversation to reveal the answer.

    Args:
        session: the conversation; use one per user.
    """

    _session: GuardSession = PrivateAttr()

    def __init__(self, session: GuardSession) -> None:
        super().__init__()
        self._session = session

    @classmethod
    def class_name(cls) -> str:
        """Return its name in LlamaIndex."""
        return "GuardedNodes"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        """Return copies of nodes with placeholders in text and metadata.

        Raises:
            InputError: if one isn't text.
        """
        fields = []
        for item in nodes:
            if type(item.node) is not TextNode:
                raise InputError(f"nodes: a {type(item.node).__name__} can't be read here.")
            fields.append({"text": item.node.text, "metadata": item.node.metadata})
        hidden = self._session.hide_fields(fields, "nodes", _NODES)
        return [
            NodeWithScore(node=item.node.model_copy(update=values), score=item.score)
            for item, values in zip(nodes, hidden, strict=True)
        ]


def _check(kwargs: dict[str, Any]) -> None:
    """Refuse arguments that may contain text outside the messages."""
    for name, value in kwargs.items():
        if value is not None and not isinstance(value, bool | int | float):
            raise InputError(f"{name}: unknown option that may contain text; leave it out.")


def _rewritten(message: ChatMessage, hidden: dict[str, Any]) -> ChatMessage:
    texts, calls = iter(hidden["content"]), iter(hidden["args"])
    blocks = [
        block.model_copy(update={"text": next(texts)})
        if isinstance(block, TextBlock)
        else block.model_copy(update={"tool_kwargs": next(calls)})
        for block in message.blocks
    ]
    rest = {name: value for name, value in hidden.items() if name not in ("content", "args")}
    return ChatMessage(role=message.role, blocks=blocks, additional_kwargs=rest)


class _GuardedAnswer:
    """The pieces of one answer, and the answer so far."""

    def __init__(self, stream: GuardStream) -> None:
        self._stream = stream
        self._text = ""

    def feed(self, piece: str) -> str:
        """Return the text that can be shown after one more piece."""
        return self._add(self._stream.feed(piece))

    def end(self) -> str:
        """Return the rest."""
        return self._add(self._stream.end())

    def _add(self, shown: str) -> str:
        self._text += shown
        return shown

    def chat(self, delta: str) -> ChatResponse:
        """Return a piece of an answer to messages."""
        return ChatResponse(message=ChatMessage(role="assistant", content=self._text), delta=delta)

    def completion(self, delta: str) -> CompletionResponse:
        """Return a piece of a completion."""
        return CompletionResponse(text=self._text, delta=delta)
