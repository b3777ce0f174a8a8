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
    """Begin a conversation whose messages are hidden from a language model.

        session = tacenda.guard()
        answer = ask(session.hide([{"role": "user", "content": "Write to Anna Berg."}]))
        print(session.reveal(answer))

    Args:
        policy: a ``Policy``, the name of a shipped one, or the path of a YAML file; what it masks is hidden.
        key: seals the originals, at least 16 bytes; a key of this process alone if None.
        conversation: name of the conversation; another one can't reveal its placeholders.
        lifetime: seconds without use after which it is forgotten.
        media: what happens to pictures, sounds and files, which can't be read: ``refuse`` or ``keep``.
        unknown_fields: what happens to fields of a request that no one knows here: ``refuse``, or ``hide`` text in them.
        answers: what happens to people whom the model names by itself: ``keep``, or ``mask``.
        sealed: ``GuardSession.sealed`` of an earlier process, to go on.
        sanitizer: one that is loaded already, instead of a policy.

    Raises:
        PolicyError: if the policy can't be used, or the key is too short or another one.
        InputError: if ``sealed`` is of another conversation, was changed, or expired.
        MissingExtraError: if ``cryptography`` is not installed.
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
    """Return a policy without its operators: some need a key, and what is written is the guard's."""
    return policy.with_changes(operator="tag", operators={}, operators_for=())


def loaded(policy: Policy | str | Path) -> Sanitizer:
    """Return the sanitizer of a policy.

    Raises:
        PolicyError: if the policy can't be used.
    """
    settings = policy if isinstance(policy, Policy) else Policy.load(policy)
    return _loaded(tagging(settings).model_dump_json(by_alias=True, exclude_unset=True))


@lru_cache(maxsize=4)
def _loaded(policy: str) -> Sanitizer:
    """Sanitizer of a policy; conversations under the same policy share one."""
    return load(Policy.model_validate_json(policy))


class GuardSession:
    """One conversation with a language model; safe for threads. Made by ``tacenda.guard``.

    Args:
        sanitizer: decides what is hidden.
        key, conversation, lifetime, media, unknown_fields, answers, sealed: as of ``guard``.

    Attributes:
        unknown: placeholders in the answer revealed last, that stand for nothing and were left.
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
        """The state of the vault, without text."""
        return f"GuardSession({self._vault!r})"

    def __enter__(self) -> GuardSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def hide(self, messages: Any) -> Any:
        """Return messages with placeholders.

        Args:
            messages: a string, a message, or a list of them, as OpenAI's or Anthropic's interface has them: with
                content parts, calls of tools (their arguments stay JSON) and results.

        Raises:
            InputError: naming the field that may not be sent, such as a picture; or if the conversation
                is closed or expired.
        """
        return self.hide_fields(messages, "messages", MESSAGES)

    def hide_tools(self, tools: Any) -> Any:
        """Return definitions of tools with placeholders in what they tell; names stay.

        Raises:
            InputError: as ``hide`` does.
        """
        return self.hide_fields(tools, "tools", TOOLS)

    def hide_fields(self, value: Any, path: str, table: Mapping[str, Any]) -> Any:
        """Return a value with placeholders.

        Args:
            value: of JSON.
            path: its own, by which the table is read.
            table: treatments of paths (``guard.shapes``).

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
        """Return an answer with the originals in place of their placeholders.

        Args:
            answer: a string, a message or a whole response, as JSON or as an object of the client's; it
                comes back as the same type.

        Raises:
            InputError: if the conversation is closed or expired.
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
            is_json: whether the pieces are the source of JSON, as arguments of tools are.

        Raises:
            InputError: if the conversation is closed or expired.
        """
        with self._vault.open() as originals:
            return Revealing(originals.strings(), self._mask).stream(is_json)

    def reveal_stream(self, chunks: Iterable[Any]) -> Iterator[Any]:
        """Yield the chunks of an answer revealed, never with half a placeholder.

        Args:
            chunks: strings, or events of OpenAI's or Anthropic's interface, as JSON or as objects of the
                client's; they come back as the same types.

        Raises:
            InputError: if the conversation is closed or expired.
        """
        events = self._events()
        for chunk in chunks:
            yield from self._revealed(events, chunk)
        yield from events.end()
        self._end(events)

    async def areveal_stream(self, chunks: AsyncIterable[Any]) -> AsyncIterator[Any]:
        """Yield the chunks of an answer revealed, as ``reveal_stream`` does."""
        events = self._events()
        async for chunk in chunks:
            for item in await self._done(partial(self._revealed, events, chunk)):
                yield item
        for item in await self._done(events.end):
            yield item
        self._end(events)

    async def _done(self, work: Callable[[], Iterator[Any]]) -> list[Any]:
        """Return the result of some work; in a thread if the recognizer runs, so that others don't wait."""
        if self._mask is None:
            return list(work())
        return await asyncio.to_thread(lambda: list(work()))

    @property
    def sealed(self) -> bytes:
        """The conversation for another process with the same key, encrypted.

        Raises:
            InputError: if the conversation is closed or expired.
        """
        return self._vault.sealed

    @property
    def is_over(self) -> bool:
        """Whether it is closed or expired."""
        try:
            return not self._vault.sealed
        except InputError:
            return True

    def close(self) -> None:
        """Forget the originals: nothing can be hidden or revealed any more."""
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
    """Originals of one moment, to reveal texts with.

    Args:
        strings: the string of each label, and whether it was a number.
        sanitizer: decides what is masked of what an answer says itself; None if nothing is.

    Attributes:
        unknown: what was left, in order.
        own: texts with placeholders, as they were.
    """

    def __init__(
        self, strings: Mapping[Label, tuple[str, bool]], sanitizer: Sanitizer | None = None
    ) -> None:
        self._strings = strings
        self._sanitizer = sanitizer
        self.unknown: dict[str, None] = {}
        self.own: list[str] = []

    def whole(self, value: Any, key: str = "") -> Any:
        """Return an answer, or the value of one of its fields, as it is shown."""
        if self._sanitizer is not None:
            value = masked(value, self._sanitizer, key)
        return reveal(value, self.text, self.string, self.source, key)

    def stream(self, is_json: bool) -> GuardStream:
        """Return a stream for one text of an answer."""
        mask = None if self._sanitizer is None else AnswerMask(self._sanitizer, is_json)
        return GuardStream(self.text, self.number if is_json else None, mask)

    def text(self, text: str) -> str:
        """Return a text revealed."""
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
        """Return a whole string of JSON revealed; a number where it was one."""
        number = self.number(string)
        return self.text(string) if number is None else number

    def source(self, source: str) -> str:
        """Return the source of JSON revealed; it stays JSON, in its own layout."""
        stream = GuardStream(self.text, self.number)
        return stream.feed(source) + stream.end()

    def number(self, string: str) -> int | float | None:
        """Return the number that a placeholder stands for; None where the string isn't just that."""
        for reading in readings(string):
            if (reading.start, reading.end) == (0, len(string)) and (
                label := reading.label(self._strings)
            ):
                text, is_number = self._strings[label]
                if is_number:
                    return float(text) if any(map(text.__contains__, ".eE")) else int(text)
        return None


def _plain(value: Any) -> Any:
    """Return an object of a client as JSON has it."""
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
    """Return plain JSON as the type of an original."""
    build = getattr(type(original), "model_validate", None)
    return value if build is None else build(value)


# Many conversations in one process: each is found again by what it began with, or by its name.


_MOST = 1_000
"""Conversations that are kept; the one that was not used for longest goes first."""


class Conversations:
    """The conversations of one process; safe for threads.

    Args:
        begin: a conversation, given its ``key`` and its name, ``conversation``.
    """

    def __init__(self, begin: Callable[..., GuardSession]) -> None:
        self._begin = begin
        self._key = token_bytes(32)
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, GuardSession] = OrderedDict()

    def session(self, parts: Sequence[str]) -> tuple[GuardSession, str]:
        """Return the conversation of these parts, and the digest that it is known by.

        Args:
            parts: what tells it from others: its name or beginning, and the key of who has it.
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
        """Forget all of them."""
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
