"""Answers that come piece by piece: what may become a placeholder waits until it is one, or is none.

However a text is cut into pieces, what is shown is what the whole of it reveals.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ...text.placeholders import pending, readings
from .shapes import reveal

if TYPE_CHECKING:
    from .session import Revealing


class GuardStream:
    """One text in pieces.

    Args:
        text: from a string with placeholders to what it says.
        number: where the pieces are the source of JSON: the number that a string stands for, or None.

    Attributes:
        raw: the whole text, with placeholders.
    """

    def __init__(
        self,
        text: Callable[[str], str],
        number: Callable[[str], float | None] | None = None,
    ) -> None:
        self._text = text
        self._number = number
        self._held = ""
        self._before = ""
        self.raw = ""

    def feed(self, piece: str) -> str:
        """Return what can be shown after one more piece."""
        self.raw += piece
        text = self._before + self._held + piece
        end = pending(text)
        if self._number is not None:
            end = self._begin_of_string(text, end)
        return self._shown(text, max(end, len(self._before)))

    def end(self) -> str:
        """Return the rest."""
        text = self._before + self._held
        return self._shown(text, len(text))

    def _begin_of_string(self, text: str, end: int) -> int:
        """Move an end to the quotation mark before it, of a string that may be all placeholder."""
        for reading in readings(text):
            if reading.end == len(text):
                end = min(end, reading.start)
        return end - 1 if text[end - 1 : end] == '"' else end

    def _shown(self, text: str, end: int) -> str:
        begin = len(self._before)
        shown: list[str] = []
        position = begin
        for reading in readings(text):
            if reading.start < begin or reading.end > end:
                continue
            start, stop, string = self._string(text, reading.start, reading.end)
            shown += [text[position:start], string]
            position = stop
        end = max(end, position)
        shown.append(text[position:end])
        # The character before decides whether a word begins.
        self._before = text[max(0, end - 1) : end]
        self._held = text[end:]
        return "".join(shown)

    def _string(self, text: str, start: int, end: int) -> tuple[int, int, str]:
        """Return what a placeholder stands for, and where that is put."""
        string = text[start:end]
        if self._number is None:
            return start, end, self._text(string)
        number = self._number(string)
        if number is not None and text[start - 1 : start] == text[end : end + 1] == '"':
            return start - 1, end + 1, json.dumps(number)
        revealed = self._text(string)
        if revealed == string:
            return start, end, string
        return start, end, json.dumps(revealed, ensure_ascii=False)[1:-1]


class Events:
    """The events of one answer: chunks of OpenAI's interface, events of Anthropic's, or strings.

    Args:
        revealing: the originals.

    Attributes:
        revealing: the originals.
    """

    def __init__(self, revealing: Revealing) -> None:
        self.revealing = revealing
        self._streams: dict[tuple[Any, ...], GuardStream] = {}
        self._ended: list[GuardStream] = []
        self._last: Any = None

    def feed(self, event: Any) -> Iterator[Any]:
        """Yield the events to pass on for one."""
        self._last = event
        if isinstance(event, str):
            if shown := self._stream("text").feed(event):
                yield shown
            return
        if not isinstance(event, dict):
            yield event
        elif isinstance(event.get("choices"), list):
            yield self._chunk(event)
        elif isinstance(event.get("type"), str):
            yield from self._event(event)
        else:
            yield self._whole(event)

    def end(self) -> Iterator[Any]:
        """Yield what is left where an answer ended without saying so."""
        rest = {key: stream.end() for key, stream in self._streams.items()}
        self._ended += self._streams.values()
        self._streams = {}
        rest = {key: text for key, text in rest.items() if text}
        if not rest:
            return
        if isinstance(self._last, str):
            yield from rest.values()
        elif isinstance(self._last, dict) and "choices" in self._last:
            event = copy.deepcopy(self._last)
            event["choices"] = []
            for (_, index, *place), text in rest.items():
                choice: dict[str, Any] = {"index": index, "finish_reason": None}
                _put(choice, place, text)
                event["choices"].append(choice)
            yield event
        else:
            for key, text in rest.items():
                yield _delta(key, text)

    def texts(self) -> Iterator[str]:
        """Yield each text as it came, with its placeholders."""
        yield from (stream.raw for stream in self._ended)

    def _whole(self, event: Any) -> Any:
        """Return an event that has a text as a whole."""
        revealing = self.revealing
        return reveal(event, revealing.text, revealing.string, revealing.source)

    def _stream(self, *key: Any, is_json: bool = False) -> GuardStream:
        if key not in self._streams:
            self._streams[key] = GuardStream(
                self.revealing.text, self.revealing.number if is_json else None
            )
        return self._streams[key]

    def _chunk(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return a chunk of OpenAI's interface."""
        event = copy.deepcopy(event)
        for choice in event["choices"]:
            index = choice.get("index", 0)
            delta = choice.get("delta")
            holder = choice if delta is None else delta
            for name in ("content", "text", "refusal", "reasoning_content"):
                if isinstance(holder.get(name), str):
                    place = (name,) if delta is None else ("delta", name)
                    holder[name] = self._stream("chunk", index, *place).feed(holder[name])
            for number, call in enumerate((delta or {}).get("tool_calls") or ()):
                function = call.get("function") or {}
                if isinstance(function.get("arguments"), str):
                    stream = self._stream(
                        "chunk", index, "call", call.get("index", number), is_json=True
                    )
                    function["arguments"] = stream.feed(function["arguments"])
            if choice.get("finish_reason"):
                for key in [key for key in self._streams if key[:2] == ("chunk", index)]:
                    stream = self._streams.pop(key)
                    self._ended.append(stream)
                    if rest := stream.end():
                        _put(choice, key[2:], rest)
        return event

    def _event(self, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield an event of Anthropic's interface, or of OpenAI's responses."""
        kind = event["type"]
        delta = event.get("delta")
        place = tuple(event.get(name) for name in ("output_index", "content_index", "index"))
        if kind == "content_block_delta" and isinstance(delta, dict):
            for name in ("text", "partial_json", "thinking"):
                if isinstance(delta.get(name), str):
                    stream = self._stream(kind, place, name, is_json=name == "partial_json")
                    yield {**event, "delta": {**delta, name: stream.feed(delta[name])}}
                    return
            yield event
            return
        if kind.endswith(".delta") and isinstance(delta, str):
            stream = self._stream(kind, place, event.get("item_id"), is_json="arguments" in kind)
            yield {**event, "delta": stream.feed(delta)}
            return
        if kind == "content_block_stop" or kind.endswith(".done"):
            for key in [key for key in self._streams if key[1] == place]:
                stream = self._streams.pop(key)
                self._ended.append(stream)
                if rest := stream.end():
                    yield _delta(key, rest)
        yield self._whole(event)


def _put(choice: dict[str, Any], place: Any, text: str) -> None:
    """Append the rest of a text to a choice."""
    kind, name = (place[0], place[-1])
    if kind == "call":
        calls = choice.setdefault("delta", {}).setdefault("tool_calls", None) or []
        choice["delta"]["tool_calls"] = calls
        for call in calls:
            if call.get("index") == name:
                function = call.setdefault("function", {})
                function["arguments"] = (function.get("arguments") or "") + text
                return
        calls.append({"index": name, "function": {"arguments": text}})
        return
    holder = choice.setdefault("delta", {}) if kind == "delta" else choice
    holder[name] = (holder.get(name) or "") + text


def _delta(key: tuple[Any, ...], text: str) -> dict[str, Any]:
    """Return the event of the rest of a text."""
    kind, place, name = key
    if kind == "content_block_delta":
        type = {
            "text": "text_delta",
            "partial_json": "input_json_delta",
            "thinking": "thinking_delta",
        }
        return {"type": kind, "index": place[2], "delta": {"type": type[name], name: text}}
    output, content, _ = place
    event = {"type": kind, "output_index": output, "delta": text, "item_id": name}
    return event if content is None else {**event, "content_index": content}
