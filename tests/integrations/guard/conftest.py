"""Conversations under policies that need no recognizer, and one sanitizer that has it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tacenda
from tacenda import GuardSession, Policy, Sanitizer

KEY = b"a key of the tests, of 32 bytes."
DENIED = [
    {"exact": "Anna Berg", "type": "PERSON"},
    {"exact": "Bob Stone", "type": "PERSON"},
    {"exact": "Sheffield", "type": "LOC"},
]


@pytest.fixture(scope="session")
def rules() -> Sanitizer:
    """A sanitizer by patterns and three names."""
    return tacenda.load(Policy.build(recognizer=False, threshold=0.5, deny=DENIED))


@pytest.fixture
def begin(rules: Sanitizer) -> Callable[..., GuardSession]:
    """Begin a conversation under the rules."""

    def begun(**options: object) -> GuardSession:
        return tacenda.guard(sanitizer=rules, **{"key": KEY} | options)  # type: ignore[arg-type]

    return begun


@pytest.fixture
def session(begin: Callable[..., GuardSession]) -> GuardSession:
    """A conversation in which two people, a place and a number have placeholders."""
    session = begin()
    session.hide("Anna Berg of Sheffield knows Bob Stone; Anna's number is 07700 900231.")
    return session
