"""Conversations: what leaves, and what comes back."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import tacenda
from tacenda import GuardSession, InputError, PolicyError

from .conftest import KEY

Begin = Callable[..., GuardSession]
ARGUMENTS = {"to": "Bob Stone", "phone": [447700900231, "07700 900231"], "urgent": True, "n": 2}
OPENAI: list[dict[str, Any]] = [
    {"role": "system", "content": "You write letters for Anna Berg."},
    {"role": "user", "name": "anna_berg", "content": [{"type": "text", "text": "Ask Bob Stone."}]},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "send", "arguments": json.dumps(ARGUMENTS)},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "call_1", "content": '{"answer": "from Bob Stone"}'},
]
ANTHROPIC: list[dict[str, Any]] = [
    {"role": "user", "content": "Ask Bob Stone."},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I ask Bob."},
            {"type": "tool_use", "id": "toolu_1", "name": "send", "input": ARGUMENTS},
        ],
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "toolu_1",
                "content": [{"type": "text", "text": "Anna Berg!"}],
            }
        ],
    },
]
NAMES = ("Anna", "Berg", "Bob", "Stone", "Sheffield", "7700900231", "07700")


def assert_hidden(value: Any) -> None:
    """No name is in a value, in whatever case."""
    text = json.dumps(value, ensure_ascii=False).casefold()
    assert [name for name in NAMES if name.casefold() in text] == []


@pytest.mark.parametrize("messages", [OPENAI, ANTHROPIC], ids=["OpenAI", "Anthropic"])
def test_messages_come_back_as_they_were(begin: Begin, messages: list[dict[str, Any]]) -> None:
    """Texts, parts, calls of tools and their results are hidden, and revealed."""
    session = begin()
    hidden = session.hide(messages)
    assert_hidden(hidden)
    revealed = session.reveal(hidden)
    if messages is OPENAI:
        assert hidden[1]["name"].startswith("PERSON_")
        assert json.loads(revealed[2]["tool_calls"][0]["function"].pop("arguments")) == ARGUMENTS
        expected = json.loads(json.dumps(OPENAI))
        expected[2]["tool_calls"][0]["function"].pop("arguments")
        assert revealed == expected
    else:
        assert revealed == messages


def test_arguments_stay_json(begin: Begin) -> None:
    """A number that is hidden becomes a string, and a number again."""
    session = begin()
    hidden = json.loads(session.hide(OPENAI)[2]["tool_calls"][0]["function"]["arguments"])
    assert hidden["urgent"] is True
    assert hidden["n"] == 2
    assert isinstance(hidden["phone"][0], str)
    assert isinstance(json.loads(session.reveal(json.dumps(hidden)) or "{}"), dict)


def test_a_name_has_its_placeholder_in_the_whole_conversation(session: GuardSession) -> None:
    """Its other forms have a letter besides, and come back as they were written."""
    assert session.hide("Anna Berg, Anna, ANNA BERG, Berg's") == (
        "[PERSON_1], [PERSON_1B], [PERSON_1C], [PERSON_1D]'s"
    )
    assert session.reveal("[PERSON_1D]'s [PERSON_1C]") == "Berg's ANNA BERG"


def test_a_full_name_after_a_first_name_is_the_same_person(begin: Begin) -> None:
    """Unless two have it."""
    session = begin()
    assert session.hide({"role": "user", "name": "Anna", "content": "I am Anna Berg."}) == {
        "role": "user",
        "name": "PERSON_1B",
        "content": "I am [PERSON_1].",
    }


def test_an_earlier_answer_is_hidden_again(begin: Begin) -> None:
    """Although no recognizer sees its names there: they are searched for."""
    session = begin()
    session.hide("Write to Anna Berg in Sheffield.")
    answer = session.reveal("dear anna, so [PLACE_1] it is, theBergFile says.")
    assert_hidden(session.hide([{"role": "assistant", "content": answer}]))


@pytest.mark.parametrize("number", ["+44 7700 900231", "(07700) 900-231", "00447700900231"])
def test_a_number_is_hidden_however_it_is_written(session: GuardSession, number: str) -> None:
    """By its digits, those of a country apart."""
    hidden = session.hide(f"row 7 | {number} | 12")
    assert hidden == f"row 7 | {hidden[8:-5]} | 12"
    assert "900" not in hidden
    assert session.reveal(hidden) == f"row 7 | {number} | 12"


def test_own_placeholders_are_not_hidden_again(session: GuardSession) -> None:
    """Neither in what was sent nor in an answer that comes back as it was."""
    hidden = session.hide("Please write a letter to Anna Berg.")
    assert session.hide(hidden) == hidden
    answer = "Of course: Dear [PERSON_1], how are you?"
    assert session.reveal(answer) == "Of course: Dear Anna Berg, how are you?"
    assert session.hide(answer) == answer


@pytest.mark.parametrize(
    "text", ["[PERSON_1]", "PERSON_1", "[person 1]", "x [PERSONNE_1] y", "[TEXT_1]"]
)
def test_a_placeholder_of_the_users_is_no_name(session: GuardSession, text: str) -> None:
    """It is hidden itself, so that nothing is revealed by writing it."""
    hidden = session.hide(text)
    assert "TEXT_" in hidden
    assert "PERSON" not in hidden
    assert session.reveal(hidden) == text


def test_a_tool_is_told_of_without_names(session: GuardSession) -> None:
    """Descriptions, choices and defaults of its schema are text; names of properties stay."""
    tool = {
        "type": "function",
        "function": {
            "name": "mail",
            "description": "Mail for Anna Berg.",
            "parameters": {
                "type": "object",
                "properties": {
                    "description": {"type": "string", "enum": ["Bob Stone", "others"]},
                    "x": {"type": "string", "x-note": "of Bob Stone"},
                },
                "required": ["description"],
            },
        },
    }
    hidden = session.hide_tools([tool])
    assert_hidden(hidden)
    assert list(hidden[0]["function"]["parameters"]["properties"]) == ["description", "x"]
    assert hidden[0]["function"]["parameters"]["required"] == ["description"]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        (
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:x"}}]},
            "image_url",
        ),
        ({"role": "user", "content": [{"type": "image", "source": {"data": "x"}}]}, "source"),
        ({"role": "Anna Berg says", "content": "x"}, "role"),
        ({"role": "tool", "tool_call_id": "of_Anna_Berg", "content": "x"}, "tool_call_id"),
    ],
)
def test_what_cannot_be_read_is_refused(
    session: GuardSession, message: dict[str, Any], place: str
) -> None:
    """Pictures, and settings that are none; the message names the field, and no text."""
    with pytest.raises(InputError, match=f"messages.*{place}: ") as error:
        session.hide([message])
    assert "Berg" not in str(error.value)


def test_pictures_are_sent_where_that_is_wanted(begin: Begin) -> None:
    """By an option of the conversation."""
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    message = {"role": "user", "content": [part]}
    assert begin(media="keep").hide([message]) == [message]


def test_a_field_that_is_not_known_is_hidden_or_refused(session: GuardSession) -> None:
    """In a message it is text; in a request nobody knows."""
    assert_hidden(session.hide([{"role": "user", "content": "x", "note": {"of": "Anna Berg"}}]))
    with pytest.raises(InputError, match="note: "):
        session.hide_fields({"note": "x"}, "", {"messages": None})


def test_objects_of_a_client_come_back_as_such(session: GuardSession) -> None:
    """Responses of the OpenAI client keep their type."""
    from openai.types.chat import ChatCompletionMessage

    answer = ChatCompletionMessage(role="assistant", content="Dear [PERSON_1]")
    revealed = session.reveal(answer)
    assert isinstance(revealed, ChatCompletionMessage)
    assert revealed.content == "Dear Anna Berg"
    assert_hidden(session.hide([revealed]))


def test_unknown_placeholders_are_reported(session: GuardSession) -> None:
    """And left as they are."""
    assert session.reveal("[PERSON_9] and [PERSON_1]") == "[PERSON_9] and Anna Berg"
    assert session.unknown == ("PERSON_9",)


# The vault.


def test_another_process_goes_on_with_the_key(begin: Begin) -> None:
    """Under the name of the conversation, and no other."""
    first = begin(conversation="a")
    hidden = first.hide("Anna Berg")
    sealed = first.sealed
    assert b"Anna" not in sealed
    assert begin(conversation="a", sealed=sealed).reveal(hidden) == "Anna Berg"
    with pytest.raises(InputError, match="another conversation"):
        begin(conversation="b", sealed=sealed)
    with pytest.raises(PolicyError, match="different key"):
        begin(conversation="a", sealed=sealed, key=b"another key of 16 bytes or more")
    with pytest.raises(InputError, match="was changed"):
        begin(conversation="a", sealed=sealed[:-1] + bytes([sealed[-1] ^ 1]))
    with pytest.raises(PolicyError, match="at least 16"):
        begin(key=b"short")


def test_one_conversation_reveals_nothing_of_another(session: GuardSession, begin: Begin) -> None:
    """Although the placeholders look the same."""
    other = begin(conversation="other")
    assert other.reveal("[PERSON_1]") == "[PERSON_1]"


def test_a_conversation_expires(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it was not used for its lifetime; each use begins it anew."""
    session = begin(lifetime=60)
    now = time.time()
    for later in (50, 100):
        monkeypatch.setattr(time, "time", lambda later=later: now + later)
        session.hide("Anna Berg")
    monkeypatch.setattr(time, "time", lambda: now + 161)
    with pytest.raises(InputError, match="expired"):
        session.reveal("[PERSON_1]")


def test_a_closed_conversation_knows_nothing(session: GuardSession) -> None:
    """Nothing is hidden or revealed by it."""
    with session:
        pass
    with pytest.raises(InputError, match="closed"):
        session.reveal("[PERSON_1]")
    with pytest.raises(InputError, match="closed"):
        session.hide("Anna Berg")


def test_its_text_is_nowhere_in_sight(session: GuardSession) -> None:
    """Neither in its representation nor in what lies in memory between two calls."""
    assert repr(session) == "GuardSession(Vault(sealed))"
    vault = vars(session)["_vault"]
    assert not any("Anna" in str(value) for value in vars(vault).values())


def test_threads_agree_on_placeholders(begin: Begin) -> None:
    """Each name has one, whoever came first."""
    session = begin()
    texts = ["Anna Berg", "Bob Stone", "Anna Berg and Bob Stone"] * 8
    with ThreadPoolExecutor(8) as pool:
        hidden = list(pool.map(session.hide, texts))
    assert len(set(hidden)) == 3
    assert [session.reveal(item) for item in hidden] == texts


def test_a_short_key_of_words_is_enough_to_begin() -> None:
    """With the recognizer, under the policy for chats."""
    session = tacenda.guard(key=KEY)
    hidden = session.hide("Hi, I'm Marta Kowalska, born 3 June 1981; call 07700 900231.")
    assert "Marta" not in hidden
    assert "1981" not in hidden
    assert session.reveal(hidden) == "Hi, I'm Marta Kowalska, born 3 June 1981; call 07700 900231."


# Streams.


JSON = {
    "to": 'Anna\nBerg "',
    "phone": 447700900231,
    "Bob Stone": ["x", {"a": [], "q": '"Sheffield"'}],
}


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_json_in_pieces_is_revealed_as_json(begin: Begin, size: int) -> None:
    """Originals with quotation marks and numbers too, wherever it is cut."""
    session = begin()
    hidden = session.hide({"role": "tool", "tool_call_id": "c", "content": json.dumps(JSON)})
    source = hidden["content"]
    assert_hidden(source)
    tools = [
        chunk(tool_calls=[{"index": 0, "function": {"arguments": source[n : n + size]}}])
        for n in range(0, len(source), size)
    ]
    revealed = list(session.reveal_stream([*tools, chunk(finish="stop")]))
    assert json.loads(calls(revealed)) == JSON
    assert json.loads(session.reveal({"arguments": source})["arguments"]) == JSON


def chunk(**delta: Any) -> dict[str, Any]:
    """A chunk of an answer."""
    finish = delta.pop("finish", None)
    return {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def calls(chunks: list[Any]) -> str:
    """The arguments of the first call of tools."""
    parts = (
        call["function"].get("arguments", "")
        for item in chunks
        for choice in item["choices"]
        for call in choice["delta"].get("tool_calls") or ()
    )
    return "".join(parts)


def test_chunks_of_openai_are_revealed(session: GuardSession) -> None:
    """Text, and arguments of tools as the JSON they are."""
    session.hide(
        [
            {
                "role": "tool",
                "tool_call_id": "c",
                "content": '{"phone": 447700900231, "q": "\\"Anna Berg"}',
            }
        ]
    )
    arguments = '{"to": "[PERSON_1]", "n": "[PHONE_2]"}'
    tools = [
        chunk(tool_calls=[{"index": 0, "function": {"arguments": letter}}]) for letter in arguments
    ]
    texts = [chunk(content=letter) for letter in "Dear [PERSON_1], PERSON_2"]
    revealed = list(session.reveal_stream([*texts, *tools, chunk(finish="stop")]))
    text = "".join(c["choices"][0]["delta"].get("content") or "" for c in revealed)
    assert text == "Dear Anna Berg, Bob Stone"
    assert json.loads(calls(revealed)) == {"to": "Anna Berg", "n": 447700900231}


def test_an_answer_cut_off_is_given_out(session: GuardSession) -> None:
    """What waited comes at the end, though nothing said that it was one."""
    (first, last) = session.reveal_stream([chunk(content="Dear PERSON_1")])
    assert first["choices"][0]["delta"]["content"] == "Dear "
    assert last["choices"][0]["delta"]["content"] == "Anna Berg"
    assert "".join(session.reveal_stream(["PERSON", "_1"])) == "Anna Berg"


def test_events_of_anthropic_are_revealed(session: GuardSession) -> None:
    """Of text and of the input of tools; what waited comes before the block ends."""

    def delta(**fields: str) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": 0, "delta": fields}

    events = [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(delta(type="text_delta", text=letter) for letter in "Dear PERSON_1"),
        {"type": "content_block_stop", "index": 0},
        *(delta(type="input_json_delta", partial_json=letter) for letter in '{"a": "[PERSON_2]"}'),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_stop"},
    ]
    revealed = list(session.reveal_stream(events))
    deltas = [item["delta"] for item in revealed if item["type"] == "content_block_delta"]
    assert "".join(item.get("text", "") for item in deltas) == "Dear Anna Berg"
    assert json.loads("".join(item.get("partial_json", "") for item in deltas)) == {
        "a": "Bob Stone"
    }
    assert revealed[-1] == {"type": "message_stop"}
    last_text = max(n for n, item in enumerate(revealed) if "text" in item.get("delta", {}))
    assert revealed[last_text + 1]["type"] == "content_block_stop"


def test_events_of_responses_are_revealed(session: GuardSession) -> None:
    """Pieces, and the whole at the end."""
    place = {"item_id": "m", "output_index": 0, "content_index": 0}
    kind = "response.output_text"
    events = [
        *({"type": f"{kind}.delta", **place, "delta": letter} for letter in "Dear PERSON_1"),
        {"type": f"{kind}.done", **place, "text": "Dear PERSON_1"},
        {"type": "response.completed", "response": {"output": [{"text": "Dear PERSON_1"}]}},
    ]
    revealed = list(session.reveal_stream(events))
    assert "".join(item.get("delta", "") for item in revealed) == "Dear Anna Berg"
    assert revealed[-2]["text"] == "Dear Anna Berg"
    assert revealed[-1]["response"]["output"][0]["text"] == "Dear Anna Berg"
