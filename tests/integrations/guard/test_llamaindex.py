"""A language model of LlamaIndex behind a guard."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from llama_index.core import SummaryIndex
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseGen,
    ImageBlock,
    TextBlock,
    ToolCallBlock,
)
from llama_index.core.llms import MockLLM
from llama_index.core.schema import Document, ImageNode, NodeWithScore
from pydantic import Field

from tacenda import GuardSession, InputError
from tacenda.integrations.guard.llamaindex import GuardedLLM, GuardedNodes

NAMES = ("anna", "berg", "stone", "900231")


class FakeLLM(MockLLM):
    """A model that says what it was told."""

    seen: list[str] = Field(default_factory=list)

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        self.seen.append(prompt)
        return CompletionResponse(text=prompt)

    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseGen:
        self.seen.append(prompt)
        for letter in prompt:
            yield CompletionResponse(text="", delta=letter)

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        self.seen.append(str([message.model_dump() for message in messages]))
        return ChatResponse(message=ChatMessage(role="assistant", blocks=messages[-1].blocks))

    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        self.seen.append(str([message.model_dump() for message in messages]))
        for letter in messages[-1].content or "":
            yield ChatResponse(message=ChatMessage(role="assistant"), delta=letter)


@pytest.fixture
def model() -> FakeLLM:
    """A model that was asked nothing."""
    return FakeLLM()


def assert_nobody(model: FakeLLM) -> None:
    """No name reached the model."""
    sent = " ".join(model.seen).casefold()
    assert sent
    assert [name for name in NAMES if name in sent] == []


def test_answers_are_revealed(session: GuardSession, model: FakeLLM) -> None:
    """To prompts and to messages, at once and as they come."""
    guarded, prompt = GuardedLLM(model, session), "Write to Anna Berg, 07700 900231"
    message = ChatMessage(role="user", content=prompt)

    async def streams() -> list[str]:
        completions = await guarded.astream_complete(prompt)
        chats = await guarded.astream_chat([message])
        return [
            [item.text async for item in completions][-1],
            [item.message.content or "" async for item in chats][-1],
        ]

    assert guarded.complete(prompt).text == prompt
    assert asyncio.run(guarded.acomplete(prompt)).text == prompt
    assert guarded.chat([message]).message.content == prompt
    assert asyncio.run(guarded.achat([message])).message.content == prompt
    assert "".join(item.delta or "" for item in guarded.stream_complete(prompt)) == prompt
    assert "".join(item.delta or "" for item in guarded.stream_chat([message])) == prompt
    assert asyncio.run(streams()) == [prompt, prompt]
    assert_nobody(model)


def test_an_index_is_asked_without_names(session: GuardSession, model: FakeLLM) -> None:
    """The nodes that it finds go to the model with placeholders."""
    index = SummaryIndex.from_documents([Document(text="Bob Stone wrote to Anna Berg.")])
    answer = index.as_query_engine(llm=GuardedLLM(model, session)).query("Who is Anna Berg?")
    assert "Bob Stone wrote to Anna Berg." in str(answer)
    assert_nobody(model)


def test_nodes_are_hidden_for_a_model_without_a_guard(
    session: GuardSession, model: FakeLLM
) -> None:
    """Text and metadata; the index has its own as they were, and the answer is revealed by hand."""
    document = Document(text="Bob Stone wrote to Anna Berg.", metadata={"by": "Anna Berg"})
    index = SummaryIndex.from_documents([document])
    nodes = GuardedNodes(session)
    engine = index.as_query_engine(llm=model, node_postprocessors=[nodes])
    answer = str(engine.query("Who wrote?"))
    assert "[PERSON_2] wrote to [PERSON_1]." in answer
    assert "Bob Stone wrote to Anna Berg." in session.reveal(answer)
    assert_nobody(model)
    assert "Anna Berg" in index.as_retriever().retrieve("x")[0].node.get_content()
    with pytest.raises(InputError, match="ImageNode"):
        nodes.postprocess_nodes([NodeWithScore(node=ImageNode(text="x"))])


def test_calls_of_tools_are_hidden_and_revealed(session: GuardSession, model: FakeLLM) -> None:
    """Their arguments are."""
    call = ToolCallBlock(tool_name="send", tool_kwargs={"to": "Bob Stone", "n": 1})
    message = ChatMessage(role="assistant", blocks=[TextBlock(text="for Anna Berg"), call])
    answer = GuardedLLM(model, session).chat([message]).message
    assert answer.blocks == message.blocks
    assert_nobody(model)


def test_what_cannot_be_read_is_refused(session: GuardSession, model: FakeLLM) -> None:
    """Pictures, and options that may hold text."""
    guarded = GuardedLLM(model, session)
    picture = ChatMessage(role="user", blocks=[ImageBlock(image=b"x")])
    with pytest.raises(InputError, match="blocks"):
        guarded.chat([picture])
    with pytest.raises(InputError, match="additional_kwargs"):
        guarded.chat([ChatMessage(role="user", content="x", additional_kwargs={"raw": "Anna"})])
    with pytest.raises(InputError, match="suffix"):
        guarded.complete("x", suffix="Anna Berg")
    assert model.seen == []
