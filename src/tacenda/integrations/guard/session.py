"""A conversation with a language model that sees placeholders instead of people."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import lru_cache, partial
from pathlib import Path
from secrets import token_bytes
from typing import Any

from ...errors import InputError
from ...pipeline import Sanitizer, load
from ...policy import Policy
from ...text.placeholders import Label, readings
from .answers import AnswerMask, Answers, masked
from .hiding import Hiding, is_own
from .shapes import MESSAGES, TOOLS, Media, PromptPiece, PromptShape, UnknownFields, reveal
from .streaming import Events, GuardStream
from .vault import Vault

DEFAULT_POLICY = "prompts"
LIFETIME = 24 * 3600.0
"""Seconds without use after which a conversation is forgotten."""
INSTRUCTION = (
    "Names and other details are given as placeholders in square brackets, such as [PERSON_1]. Write each of them "
    "exactly as it is, with its brackets, and invent no others. [PERSON_1] and [PERSON_1B] are one person."
)
"""Instruction for a model that often changes placeholders."""


def guard(
    policy: Policy | str | Path = DEFAULT_POLICY,
    *,
    key: bytes | None = None,
    conversation: str = "",
    lifetime: float = LIFETIME,
    media: Media = "refuse",
    unknown_fields: UnknownFields = "refuse",
    answers: Answers = "keep",
    sealed: bytes | None = None,
    sanitizer: Sanitizer | None = None,
) -> GuardSession:
    """Start a conversation whose messages are hidden from a language model.

        session = tacenda.guard()
        answer = ask(session.hide([{"role": "user", "content": "Write to Anna Berg."}]))
        print(session.reveal(answer))

    Args:
        policy: a ``Policy``, the name of a shipped one, or the path of a YAML file; what it masks is hidden.
        key: encrypts the originals, at least 16 bytes; None for a key known only to this process.
        conversation: name of the conversation; other conversations can't reveal its placeholders.
        lifetime: number of idle seconds after which it is forgotten.
        media: what to do with pictures, sounds and files, which can't be read: ``refuse`` or
            ``keep``.
        unknown_fields: what to do with unknown fields in a request: ``refuse``, or ``hide`` text in
            them.
        answers: what to do with people that only the model names: ``keep`` or ``mask``.
        sealed: ``GuardSession.sealed`` from an earlier process, to continue its conversation.
        sanitizer: a loaded sanitizer, instead of a policy.

    Raises:
        PolicyError: if the policy can't be used, or the key is too short or wrong.
        InputError: if ``sealed`` belongs to another conversation, was changed, or has expired.
        MissingExtraError: if ``cryptography`` isn't installed.
    """
    return GuardSession(
        sanitizer or loaded(policy),
        key=key,
        conversation=conversation,
        lifetime=lifetime,
        media=media,
        unknown_fields=unknown_fields,
        answers=answers,
        sealed=sealed,
    )


def tagging(policy: Policy) -> Policy:
    """Return a policy without its operators: some need a key, and the guard decides what is written."""
    return policy.with_changes(operator="tag", operators={}, operators_for=())


def loaded(policy: Policy | str | Path) -> Sanitizer:
    """Return the sanitizer for a policy.

    Raises:
        PolicyError: if the policy can't be used.
    """
    settings = policy if isinstance(policy, Policy) else Policy.load(policy)
    return _loaded(tagging(settings).model_dump_json(exclude_unset=True))


@lru_cache(maxsize=4)
def _loaded(policy: str) -> Sanitizer:
    """Return the sanitizer for a policy; conversations under the same policy share one."""
    return load(Policy.model_validate_json(policy))


class GuardSession:
    """One conversation with a language model, created by ``tacenda.guard``; thread-safe.

    Args:
        sanitizer: decides what is hidden.
        key, conversation, lifetime, media, unknown_fields, answers, sealed: see ``guard``.

    Attributes:
        unknown: placeholders in the most recently revealed answer that stand for nothing and were
            left.
    """

    def __init__(
        self,
        sanitizer: Sanitizer,
        *,
        key: bytes | None = None,
        conversation: str = "",
        lifetime: float = LIFETIME,
        media: Media = "refuse",
        unknown_fields: UnknownFields = "refuse",
        answers: Answers = "keep",
        sealed: bytes | None = None,
    ) -> None:
        self._sanitizer = sanitizer
        self._vault = Vault(key, conversation, lifetime, sealed)
        self._media = media
        self._unknown_fields = unknown_fields
        self._mask = sanitizer if answers == "mask" else None
        self.unknown: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the state of the vault, without text."""
        return f"GuardSession({self._vault!r})"

    def __enter__(self) -> GuardSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def hide(self, messages: Any) -> Any:
        """Return messages with placeholders.

        Args:
            messages: a string, a message, or a list of them, in OpenAI's or Anthropic's format,
                with content parts, tool calls (their arguments stay JSON) and results.

        Raises:
            InputError: if a field may not be sent, such as a picture (names it), or the
                conversation is closed or has expired.
        """
        return self.hide_fields(messages, "messages", MESSAGES)

    def hide_tools(self, tools: Any) -> Any:
        """Return tool definitions with placeholders in their descriptions; names stay.

        Raises:
            InputError: as ``hide`` does.
        """
        return self.hide_fields(tools, "tools", TOOLS)

    def hide_fields(self, value: Any, path: str, table: Mapping[str, Any]) -> Any:
        """Return a value with placeholders.

        Args:
            value: of JSON.
            path: its path, to look up in the table.
            table: treatments by path (``guard.shapes``).

        Raises:
            InputError: as ``hide`` does.
        """
        shape = PromptShape(table, self._media, self._unknown_fields)
        value = _plain(value)
        pieces: list[PromptPiece] = []

        def collected(piece: PromptPiece) -> str:
            pieces.append(piece)
            return piece.text

        shape.rewrite(value, path, collected)
        with self._vault.open() as originals:
            sent = iter(Hiding(self._sanitizer, originals, self._vault.digest).hide(pieces))
        return shape.rewrite(value, path, lambda _: next(sent))

    def reveal(self, answer: Any) -> Any:
        """Return an answer with the originals in place of placeholders.

        Args:
            answer: a string, a message or a whole response, as JSON or as a client's object; the
                result has the same type.

        Raises:
            InputError: if the conversation is closed or has expired.
        """
        with self._vault.open() as originals:
            revealing = Revealing(originals.strings(), self._mask)
            revealed = revealing.whole(_plain(answer))
            for text in revealing.own:
                originals.texts.setdefault(self._vault.digest(text), None)
        self.unknown = tuple(revealing.unknown)
        return _as_it_was(revealed, answer)

    def stream(self, *, is_json: bool = False) -> GuardStream:
        """Return a stream for the pieces of one text; its ``feed`` and ``end`` return what can be shown.

        Args:
            is_json: whether the pieces are JSON source, like the arguments of tools.

        Raises:
            InputError: if the conversation is closed or has expired.
        """
        with self._vault.open() as originals:
            return Revealing(originals.strings(), self._mask).stream(is_json)

    def reveal_stream(self, chunks: Iterable[Any]) -> Iterator[Any]:
        """Yield the revealed chunks of an answer; a placeholder is never split.

        Args:
            chunks: strings, or events in OpenAI's or Anthropic's format, as JSON or as a client's
                objects; the results have the same types.

        Raises:
            InputError: if the conversation is closed or has expired.
        """
        events = self._events()
        for chunk in chunks:
            yield from self._revealed(events, chunk)
        yield from events.end()
        self._end(events)

    async def areveal_stream(self, chunks: AsyncIterable[Any]) -> AsyncIterator[Any]:
        """Yield the revealed chunks of an answer, like ``reveal_stream``."""
        events = self._events()
        async for chunk in chunks:
            for item in await self._done(partial(self._revealed, events, chunk)):
                yield item
        for item in await self._done(events.end):
            yield item
        self._end(events)

    async def _done(self, work: Callable[[], Iterator[Any]]) -> list[Any]:
        """Return the result of a function; it runs in a thread if the recognizer is used, so that others don't wait."""
        if self._mask is None:
            return list(work())
        return await asyncio.to_thread(lambda: list(work()))

    @property
    def sealed(self) -> bytes:
        """The encrypted conversation, for another process with the same key.

        Raises:
            InputError: if the conversation is closed or has expired.
        """
        return self._vault.sealed

    @property
    def is_over(self) -> bool:
        """Whether it is closed or has expired."""
        try:
            return not self._vault.sealed
        except InputError:
            return True

    def close(self) -> None:
        """Forget the originals; nothing can be hidden or revealed anymore."""
        self._vault.close()

    def _events(self) -> Events:
        with self._vault.open() as originals:
            return Events(Revealing(originals.strings(), self._mask))

    def _revealed(self, events: Events, chunk: Any) -> Iterator[Any]:
        for item in events.feed(_plain(chunk)):
            yield _as_it_was(item, chunk)

    def _end(self, events: Events) -> None:
        self.unknown = tuple(events.revealing.unknown)
        with self._vault.open() as originals:
            for text in events.texts():
                places = [(item.start, item.end) for item in readings(text)]
                if places and is_own(text, places):
                    originals.texts.setdefault(self._vault.digest(text), None)


class Revealing:
    """A snapshot of the originals, to reveal texts with.

    Args:
        strings: each label's string, and whether it was a number.
        sanitizer: decides what to mask in what an answer itself says; None to mask nothing.

    Attributes:
        unknown: the placeholders that were left, in order.
        own: texts with placeholders, unrevealed.
    """

    def __init__(
        self, strings: Mapping[Label, tuple[str, bool]], sanitizer: Sanitizer | None = None
    ) -> None:
        self._strings = strings
        self._sanitizer = sanitizer
        self.unknown: dict[str, None] = {}
        self.own: list[str] = []

    def whole(self, value: Any, key: str = "") -> Any:
        """Return an answer, or the value of one of its fields, as shown to the user."""
        if self._sanitizer is not None:
            value = masked(value, self._sanitizer, key)
        return reveal(value, self.text, self.string, self.source, key)

    def stream(self, is_json: bool) -> GuardStream:
        """Return a stream for one text of an answer."""
        mask = None if self._sanitizer is None else AnswerMask(self._sanitizer, is_json)
        return GuardStream(self.text, self.number if is_json else None, mask)

    def text(self, text: str) -> str:
        """Return a revealed text."""
        parts: list[str] = []
        position = 0
        places = []
        for reading in readings(text):
            label = reading.label(self._strings)
            if label is None:
                self.unknown[f"{reading.word.upper()}_{reading.number}"] = None
                continue
            parts += [text[position : reading.start], self._strings[label][0], reading.ending]
            position = reading.end
            places.append((reading.start, reading.end))
        if places and is_own(text, places):
            self.own.append(text)
        return "".join([*parts, text[position:]])

    def string(self, string: str) -> Any:
        """Return a revealed JSON string; a number if the original was one."""
        number = self.number(string)
        return self.text(string) if number is None else number

    def source(self, source: str) -> str:
        """Return revealed JSON source; it stays valid JSON in the same layout."""
        stream = GuardStream(self.text, self.number)
        return stream.feed(source) + stream.end()

    def number(self, string: str) -> int | float | None:
        """Return the number that a placeholder stands for; None unless the string is just that placeholder."""
        for reading in readings(string):
            if (reading.start, reading.end) == (0, len(string)) and (
                label := reading.label(self._strings)
            ):
                text, is_number = self._strings[label]
                if is_number:
                    return float(text) if any(map(text.__contains__, ".eE")) else int(text)
        return None


def _plain(value: Any) -> Any:
    """Return a client's object as plain JSON."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump(mode="json", exclude_unset=True)
    if value is not None and not isinstance(value, str | int | float | bool):
        raise InputError(f"{type(value).__name__} is neither text nor JSON; give messages.")
    return value


def _as_it_was(value: Any, original: Any) -> Any:
    """Return plain JSON as an object of the original's type."""
    build = getattr(type(original), "model_validate", None)
    return value if build is None else build(value)


# Many conversations in one process: each is recognized by how it started, or by its name.


_MOST = 1_000
"""Conversations that are kept; the one that was not used for longest goes first."""


class Conversations:
    """The conversations in one process; thread-safe.

    Args:
        begin: creates a conversation, given its ``key`` and its name, ``conversation``.
    """

    def __init__(self, begin: Callable[..., GuardSession]) -> None:
        self._begin = begin
        self._key = token_bytes(32)
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, GuardSession] = OrderedDict()

    def session(self, parts: Sequence[str]) -> tuple[GuardSession, str]:
        """Return the conversation with these parts, and the digest that identifies it.

        Args:
            parts: what distinguishes it from others: its name or beginning, and its owner's key.
        """
        digest = hashlib.blake2b(json.dumps(parts).encode(), key=self._key, digest_size=16)
        identity = digest.hexdigest()
        with self._lock:
            session = self._sessions.pop(identity, None)
            if session is None or session.is_over:
                session = self._begin(key=self._key, conversation=identity)
            self._sessions[identity] = session
            while len(self._sessions) > _MOST:
                self._sessions.popitem(last=False)[1].close()
        return session, identity

    def close(self) -> None:
        """Forget all conversations."""
        with self._lock:
            for session in self._sessions.values():
                session.close()
            self._sessions.clear()


def beginning(body: Mapping[str, Any]) -> str:
    """Return the start of a request's conversation: everything up to the user's first message."""
    messages = body.get("messages", body.get("input", body.get("prompt")))
    begin: list[Any] = [body.get("system"), body.get("instructions")]
    for message in messages if isinstance(messages, list) else [messages]:
        begin.append(message)
        if isinstance(message, Mapping) and message.get("role") == "user":
            break
    return json.dumps(begin, sort_keys=True, default=str)
