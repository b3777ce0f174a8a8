"""Answers that arrive in pieces: text that may become a placeholder is held back until that is known.

However a text is cut into pieces, what is shown equals the whole text revealed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...text.placeholders import pending, readings
from .shapes import AS_THEY_ARE, IN_JSON

if TYPE_CHECKING:
    from .session import Revealing


_Key = tuple[Any, ...]
_WHOLE = AS_THEY_ARE | {"name"}
"""Fields of an event whose strings come whole."""


class GuardStream:
    """One text that arrives in pieces.

    Args:
        text: reveals a string with placeholders.
        number: if the pieces are JSON source, returns the number that a string stands for, or None.
        mask: an ``AnswerMask`` for the text, if what it says about other people is masked.

    Attributes:
        raw: the whole text, with placeholders.
    """

    def __init__(
        self,
        text: Callable[[str], str],
        number: Callable[[str], float | None] | None = None,
        mask: Any = None,
    ) -> None:
        self._text = text
        self._number = number
        self._mask = mask
        self._held = ""
        self._before = ""
        self.raw = ""

    def feed(self, piece: str) -> str:
        """Return the text that can be shown after one more piece."""
        return self._revealed(piece if self._mask is None else self._mask.feed(piece))

    def end(self) -> str:
        """Return the rest."""
        shown = "" if self._mask is None else self._revealed(self._mask.end())
        text = self._before + self._held
        return shown + self._shown(text, len(text))

    def _revealed(self, piece: str) -> str:
        self.raw += piece
        text = self._before + self._held + piece
        end = pending(text)
        if self._number is not None:
            end = self._begin_of_string(text, end)
        return self._shown(text, max(end, len(self._before)))

    def _begin_of_string(self, text: str, end: int) -> int:
        """Move an end to before the opening quotation mark of a string that may consist of a placeholder."""
        for reading in readings(text):
            if reading.end == len(text):
                end = min(end, reading.start)
        return end - 1 if text[end - 1 : end] == '"' else end

    def _shown(self, text: str, end: int) -> str:
        begin = len(self._before)
        pieces: list[str] = []
        position = begin
        for reading in readings(text):
            if reading.start < begin or reading.end > end:
                continue
            start, stop, string = self._string(text, reading.start, reading.end)
            pieces += [text[position:start], string]
            position = stop
        end = max(end, position)
        pieces.append(text[position:end])
        # The preceding character decides whether a word starts.
        self._before = text[max(0, end - 1) : end]
        self._held = text[end:]
        return "".join(pieces)

    def _string(self, text: str, start: int, end: int) -> tuple[int, int, str]:
        """Return a placeholder's original, and where to put it."""
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
    """The events of one answer: OpenAI chunks, Anthropic events, or strings.

    Args:
        revealing: the originals.

    Attributes:
        revealing: the originals.
    """

    def __init__(self, revealing: Revealing) -> None:
        self.revealing = revealing
        self._streams: dict[_Key, GuardStream] = {}
        self._ended: list[GuardStream] = []
        self._last: Any = None

    def feed(self, event: Any) -> Iterator[Any]:
        """Yield the events to pass on for one event."""
        self._last = event
        if isinstance(event, str):
            if shown := self._stream(("text",)).feed(event):
                yield shown
            return
        if not isinstance(event, dict):
            yield event
        elif isinstance(event.get("choices"), list):
            yield self._chunk(event)
        elif isinstance(event.get("type"), str):
            yield from self._event(event)
        else:
            yield self.revealing.whole(event)

    def end(self) -> Iterator[Any]:
        """Yield the rest if an answer ended without saying so."""
        rest = {key: text for key in list(self._streams) if (text := self._rest(key))}
        if not rest:
            return
        if isinstance(self._last, str):
            yield from rest.values()
        elif isinstance(self._last, dict) and "choices" in self._last:
            choices: dict[Any, dict[str, Any]] = {}
            for (_, index, *place), text in rest.items():
                choice = choices.setdefault(index, {"index": index, "finish_reason": None})
                _append(choice, place, text)
            yield {
                **self.revealing.whole(self._last | {"choices": []}),
                "choices": [*choices.values()],
            }
        else:
            for key, text in rest.items():
                yield _delta(key, text)

    def texts(self) -> Iterator[str]:
        """Yield each text as it arrived, with its placeholders."""
        yield from (stream.raw for stream in self._ended)

    def _stream(self, key: _Key, is_json: bool = False) -> GuardStream:
        if key not in self._streams:
            self._streams[key] = self.revealing.stream(is_json)
        return self._streams[key]

    def _rest(self, key: _Key) -> str:
        """Return the rest of a text that ends."""
        stream = self._streams.pop(key)
        self._ended.append(stream)
        return stream.end()

    def _pieces(self, value: Any, key: _Key, name: str = "") -> Any:
        """Return a part of an event whose strings are pieces of texts; each position has its own text."""
        if isinstance(value, dict):
            return {k: self._pieces(item, (*key, k), k) for k, item in value.items()}
        if isinstance(value, list):
            return [
                self._pieces(item, (*key, _index(item, number)), name)
                for number, item in enumerate(value)
            ]
        if not isinstance(value, str) or name in _WHOLE:
            return self.revealing.whole(value, name)
        return self._stream(key, name in IN_JSON).feed(value)

    def _chunk(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return an OpenAI chunk."""
        choices = []
        for number, choice in enumerate(event["choices"]):
            begin = ("chunk", _index(choice, number))
            shown = {
                name: self._pieces(item, (*begin, name), name)
                if name in ("delta", "text")
                else self.revealing.whole(item, name)
                for name, item in choice.items()
            }
            if choice.get("finish_reason"):
                for key in [key for key in self._streams if key[:2] == begin]:
                    if rest := self._rest(key):
                        _append(shown, key[2:], rest)
            choices.append(shown)
        return {**self.revealing.whole(event | {"choices": []}), "choices": choices}

    def _event(self, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield an event of Anthropic's interface or of OpenAI's responses."""
        kind = event["type"]
        delta = event.get("delta")
        place = tuple(event.get(name) for name in ("output_index", "content_index", "index"))
        if kind == "content_block_delta" and isinstance(delta, dict):
            delta = {
                name: self._pieces(item, (kind, place, name), name)
                if isinstance(item, str)
                else self.revealing.whole(item, name)
                for name, item in delta.items()
            }
            yield {**self.revealing.whole(event | {"delta": None}), "delta": delta}
            return
        if kind.endswith(".delta") and isinstance(delta, str):
            stream = self._stream((kind, place, event.get("item_id")), "arguments" in kind)
            yield {**self.revealing.whole(event | {"delta": None}), "delta": stream.feed(delta)}
            return
        if kind == "content_block_stop" or kind.endswith(".done"):
            for key in [key for key in self._streams if key[1] == place]:
                if rest := self._rest(key):
                    yield _delta(key, rest)
        yield self.revealing.whole(event)


def _index(item: Any, number: int) -> int:
    """Return the stated or counted index of a choice, a call or a content part."""
    index = item.get("index") if isinstance(item, dict) else None
    return index if isinstance(index, int) else number


def _append(holder: Any, place: Sequence[Any], text: str) -> None:
    """Append the rest of a text at a position, which is created if missing."""
    name, *inner = place
    if isinstance(name, int) and not inner:
        holder.append(text)
    elif isinstance(name, int):
        item = next((item for item in holder if _index(item, -1) == name), None)
        if item is None:
            holder.append(item := {"index": name})
        _append(item, inner, text)
    elif inner:
        kind = list if isinstance(inner[0], int) else dict
        if not isinstance(holder.get(name), kind):
            holder[name] = kind()
        _append(holder[name], inner, text)
    else:
        holder[name] = (holder.get(name) or "") + text


def _delta(key: tuple[Any, ...], text: str) -> dict[str, Any]:
    """Return the event for the rest of a text."""
    kind, place, name = key
    if kind == "content_block_delta":
        type = {
            "text": "text_delta",
            "partial_json": "input_json_delta",
            "thinking": "thinking_delta",
        }
        return {
            "type": kind,
            "index": place[2],
            "delta": {"type": type.get(name, f"{name}_delta"), name: text},
        }
    output, content, _ = place
    event = {"type": kind, "output_index": output, "delta": text, "item_id": name}
    return event if content is None else {**event, "content_index": content}
