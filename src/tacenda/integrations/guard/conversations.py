"""Many conversations in one process: each is found again by what it began with, or by its name."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from secrets import token_bytes
from typing import Any

from ...pipeline import Sanitizer
from .answers import Answers
from .session import LIFETIME, GuardSession
from .shapes import Media, UnknownFields

_MOST = 1_000
"""Conversations that are kept; the one that was not used for longest goes first."""


class Conversations:
    """The conversations of one process; safe for threads.

    Args:
        sanitizer: decides what is hidden.
        lifetime: seconds without use after which one is forgotten.
        media, unknown_fields, answers: as of ``guard``.
    """

    def __init__(
        self,
        sanitizer: Sanitizer,
        lifetime: float = LIFETIME,
        media: Media = "refuse",
        unknown_fields: UnknownFields = "refuse",
        answers: Answers = "keep",
    ) -> None:
        self._sanitizer = sanitizer
        self._lifetime = lifetime
        self._media = media
        self._unknown_fields = unknown_fields
        self._answers = answers
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
                session = GuardSession(
                    self._sanitizer,
                    key=self._key,
                    conversation=identity,
                    lifetime=self._lifetime,
                    media=self._media,
                    unknown_fields=self._unknown_fields,
                    answers=self._answers,
                )
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
