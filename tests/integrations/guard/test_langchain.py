"""A chat model of LangChain behind a guard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.tools import tool
from pydantic import Field

from tacenda import GuardSession
from tacenda.integrations.guard.langchain import GuardedModel

NAMES = ("Anna", "Berg", "Stone", "900231")


class FakeChatModel(BaseChatModel):
    """A model that says what it was told, and may call a tool."""

    seen: list[BaseMessage] = Field(default_factory=list)
    tools: list[Any] = Field(default_factory=list)
    answer: AIMessage | None = None

    @property
    def _llm_type(self) -> str:
        return "fake"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        self.tools.extend(tools)
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.seen.extend(messages)
        message = self.answer or AIMessage(content=str(messages[-1].content).lower())
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> Iterator[ChatGenerationChunk]:
        self.seen.extend(messages)
        for letter in str(messages[-1].content):
            yield ChatGenerationChunk(message=AIMessageChunk(content=letter))
        for letter in '{"to": "[PERSON_1]"}':
            call: Any = {"name": None, "args": letter, "id": None, "index": 0}
            yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[call]))

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._stream(messages):
            yield chunk


def assert_nobody(model: FakeChatModel) -> None:
    """No name reached the model."""
    sent = f"{model.seen} {model.tools}"
    assert model.seen
    assert [name for name in NAMES if name.casefold() in sent.casefold()] == []


def test_a_chain_says_names_and_the_model_sees_none(session: GuardSession) -> None:
    """In a prompt, in the history, in calls of tools and their results."""
    model = FakeChatModel()
    chain = ChatPromptTemplate.from_messages([("user", "Write to {who}.")]) | GuardedModel(
        model, session
    )
    assert chain.invoke({"who": "Anna Berg"}).content == "write to Anna Berg."
    call = {"name": "send", "args": {"to": ["Bob Stone"], "n": 1}, "id": "c1"}
    history: list[BaseMessage] = [
        SystemMessage("For Anna Berg"),
        HumanMessage([{"type": "text", "text": "Ask Bob Stone"}]),
        AIMessage("", tool_calls=[call], additional_kwargs={"tool_calls": [{"raw": "Bob Stone"}]}),
        ToolMessage("Bob Stone: 07700 900231", tool_call_id="c1"),
    ]
    answer = asyncio.run(GuardedModel(model, session).ainvoke(history))
    assert answer.content == "Bob Stone: 07700 900231"
    assert_nobody(model)


def test_calls_of_tools_are_revealed(session: GuardSession) -> None:
    """And what the model is told of tools has no names."""

    @tool
    def send(to: str) -> str:
        """Send it for Anna Berg."""
        return to

    call = {"name": "send", "args": {"to": "[PERSON_1]"}, "id": "c1"}
    model = FakeChatModel(answer=AIMessage("", tool_calls=[call]))
    answer = GuardedModel(model, session).bind_tools([send]).invoke("Write to Bob Stone.")
    assert answer.tool_calls[0]["args"] == {"to": "Anna Berg"}
    assert_nobody(model)


def test_streams_are_revealed(session: GuardSession) -> None:
    """Text and arguments; their sum is the answer."""
    model = GuardedModel(FakeChatModel(), session)

    async def collected() -> list[AIMessageChunk]:
        return [chunk async for chunk in model.astream("Bob Stone knows Anna Berg")]

    for chunks in (list(model.stream("Bob Stone knows Anna Berg")), asyncio.run(collected())):
        whole = chunks[0]
        for chunk in chunks[1:]:
            whole += chunk
        assert whole.content == "Bob Stone knows Anna Berg"
        assert whole.tool_call_chunks[0]["args"] == '{"to": "Anna Berg"}'
