"""Answers in which only the user's own names come back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import GuardSession, Sanitizer
from tacenda.document import SemanticType, Span
from tacenda.integrations.guard import answers
from tacenda.integrations.guard.answers import AnswerMask
from tacenda.integrations.guard.hiding import Hidden
from tacenda.integrations.guard.shapes import PromptPiece
from tacenda.integrations.guard.vault import Original
from tests.growth import assert_linear

Begin = Callable[..., GuardSession]
PROMPT = "I'm Anna Berg, 07700 900231."
ANSWER = (
    "Dear [PERSON_1], I have noted your number, PHONE_1, and the rest.\nPlease ask Bob\nStone of Sheffield; "
    "he reads bob.stone%40example.com and 4242-4242-4242-4242 is his card. Yours, Bob Stone."
)
SHOWN = (
    "Dear Anna Berg, I have noted your number, 07700 900231, and the rest.\nPlease ask [PERSON]\n[PERSON] of [PLACE]; "
    "he reads [EMAIL] and [CODE] is his card. Yours, [PERSON]."
)
CALL = json.dumps({"to": "[PERSON_1]", "cc": ["Bob Stone"], "n": 2, "card": 4242424242424242})
CALL_SHOWN = {"to": "Anna Berg", "cc": ["[PERSON]"], "n": 2, "card": "[CODE]"}


@pytest.fixture(autouse=True)
def short_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units of few letters, so that short answers have some."""
    monkeypatch.setattr(answers, "_LEAST", 12)


@pytest.fixture
def session(begin: Begin) -> GuardSession:
    """A conversation whose user named one of the people of the answers."""
    session = begin(answers="mask")
    session.hide(PROMPT)
    return session


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """A chunk of OpenAI's interface."""
    return {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def in_pieces(text: str, size: int) -> list[str]:
    """A text cut evenly."""
    return [text[start : start + size] for start in range(0, len(text), size)]


def test_what_the_user_did_not_say_is_masked(session: GuardSession) -> None:
    """The user's own names come back, others have a tag that no placeholder can be made of."""
    assert session.reveal(ANSWER) == SHOWN
    assert session.hide([{"role": "assistant", "content": "Ask [PERSON]."}]) == [
        {"role": "assistant", "content": "Ask [PERSON]."}
    ]


@pytest.mark.parametrize("size", [1, 7, 40])
def test_a_stream_is_masked_as_the_whole(session: GuardSession, size: int) -> None:
    """However many letters come at a time, in any field of a chunk."""
    chunks = [chunk(content=piece, note=piece) for piece in in_pieces(ANSWER, size)]
    shown = list(session.reveal_stream([*chunks, chunk("stop")]))
    for name in ("content", "note"):
        text = "".join(item["choices"][0]["delta"].get(name) or "" for item in shown)
        assert text == SHOWN


class Names:
    """A reader of two names, one of which has a line end and a sentence end inside."""

    def __init__(self, *_: object) -> None: ...

    def parts(self, pieces: Sequence[PromptPiece]) -> list[list[Hidden]]:
        """Return where the names stand, and what is like a placeholder."""
        return [list(self._parts(piece.text)) for piece in pieces]

    def _parts(self, text: str) -> Iterator[Hidden]:
        for match in re.finditer(r"Dr\.\s+Bob\s+Stone|Zoë|(\[PERSON_\s?1\])", text):
            word = "TEXT" if match[1] else "PERSON"
            span = Span(*match.span())
            yield Hidden(span, span, Original(word, 1, SemanticType.PERSON, []))


WORDS = (
    "Dr. Bob Stone",
    "Dr.  Bob\nStone",
    "Zoë",
    "[PERSON_1]",
    "[PERSON_\n1]",
    "Yes! ",
    "a\n\n",
    "。",
    " x. ",
    "x.”) ",
    "\u2003",
    "no",
)


@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join), st.data())
def test_no_split_of_a_stream_changes_what_is_shown(text: str, data: st.DataObject) -> None:
    """At each place in two, and anyhow in more pieces; what is shown is never taken back."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "Hiding", Names)
        whole = AnswerMask(None).whole(text)  # type: ignore[arg-type]
        assert "Stone" not in whole
        assert "Zoë" not in whole
        cuts = data.draw(st.sets(st.integers(0, len(text)), max_size=8))
        bounds = [0, *sorted(cuts), len(text)]
        for places in ([*bounds], *([0, cut, len(text)] for cut in range(len(text)))):
            mask = AnswerMask(None)  # type: ignore[arg-type]
            pieces = [text[a:b] for a, b in pairwise(places)]
            assert "".join([*map(mask.feed, pieces), mask.end()]) == whole


def test_a_stream_without_an_end_of_a_sentence_takes_linear_time() -> None:
    """Though each piece is looked at for one."""

    def fed(size: int) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(answers, "Hiding", Names)
            mask = AnswerMask(None)  # type: ignore[arg-type]
            for _ in range(size):
                mask.feed("AbC0" * 8)

    assert_linear(fed, 1_000)


def test_sentences_are_shown_before_the_answer_ends(session: GuardSession) -> None:
    """A unit as soon as the one behind it is there."""
    stream = session.stream()
    shown = [stream.feed(f"This is sentence number {n} of many. ") for n in range(5)]
    assert [bool(text) for text in shown] == [False, False, True, True, True]


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_arguments_of_tools_are_masked_as_json(session: GuardSession, size: int) -> None:
    """In pieces or whole, by value; a masked number is a string."""
    calls = [
        chunk(tool_calls=[{"index": 0, "function": {"arguments": piece}}])
        for piece in in_pieces(CALL, size)
    ]
    name = chunk(
        tool_calls=[{"index": 0, "id": "t", "function": {"name": "send", "arguments": ""}}]
    )
    shown = list(session.reveal_stream([name, *calls, chunk("tool_calls")]))
    first = shown[0]["choices"][0]["delta"]["tool_calls"][0]
    assert (first["id"], first["function"]["name"]) == ("t", "send")
    source = "".join(
        call["function"]["arguments"]
        for item in shown
        for call in item["choices"][0]["delta"].get("tool_calls", ())
    )
    assert json.loads(source) == CALL_SHOWN
    assert json.loads(session.reveal({"arguments": CALL})["arguments"]) == CALL_SHOWN
    assert session.reveal({"type": "tool_use", "input": json.loads(CALL)})["input"] == CALL_SHOWN


def test_a_field_twice_hides_nothing(session: GuardSession) -> None:
    """Of two values under one name both are masked, or gone."""
    assert (
        "Stone" not in session.reveal({"arguments": '{"to": "Bob Stone", "to": "x"}'})["arguments"]
    )


def test_events_of_anthropic_are_masked(session: GuardSession) -> None:
    """Text, and the input of tools in pieces."""

    def delta(**fields: str) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": 0, "delta": fields}

    stop = {"type": "content_block_stop", "index": 0}
    texts = [delta(type="text_delta", text=piece) for piece in in_pieces(ANSWER, 9)]
    inputs = [delta(type="input_json_delta", partial_json=piece) for piece in in_pieces(CALL, 9)]
    deltas = [
        item.get("delta", {}) for item in session.reveal_stream([*texts, stop, *inputs, stop])
    ]
    assert "".join(item.get("text", "") for item in deltas) == SHOWN
    assert json.loads("".join(item.get("partial_json", "") for item in deltas)) == CALL_SHOWN


def test_events_of_responses_are_masked(session: GuardSession) -> None:
    """Pieces, and the whole at the end; ids stay."""
    place = {"item_id": "msg_07700900231", "output_index": 0, "content_index": 0}
    kind = "response.output_text"
    shown = list(
        session.reveal_stream(
            [
                *({"type": f"{kind}.delta", **place, "delta": p} for p in in_pieces(ANSWER, 9)),
                {"type": f"{kind}.done", **place, "text": ANSWER},
            ]
        )
    )
    assert "".join(item.get("delta", "") for item in shown) == SHOWN == shown[-1]["text"]
    assert {item["item_id"] for item in shown} == {"msg_07700900231"}


def test_what_spells_out_the_text_or_cannot_be_read_is_left_out(session: GuardSession) -> None:
    """Probabilities of tokens, pictures and sounds."""
    picture = f"data:image/png;base64,{'iVBORw0K' * 9}"
    message = {"content": f"Here: {picture} !", "audio": {"data": "UklGRg" * 99}}
    choice = {"index": 0, "message": message, "logprobs": {"content": [{"token": "Stone"}]}}
    (shown,) = session.reveal({"choices": [choice]})["choices"]
    assert shown == {
        "index": 0,
        "message": {"content": "Here: [FILE] !", "audio": {"data": "[FILE]"}},
        "logprobs": None,
    }


def test_words_beside_a_placeholder_are_masked(begin: Begin, rules: Sanitizer) -> None:
    """A name of which a placeholder is a part: the rest, but no title."""
    from tacenda.integrations.guard.hiding import _outside

    text = "Dr [PERSON_1] Keller and [PERSON_2]"
    places = [Span(3, 13), Span(25, 35)]
    assert [span.of(text) for span in _outside(text, Span(0, 35), places)] == ["Keller and"]
    assert list(_outside(text, Span(0, 13), places)) == []
