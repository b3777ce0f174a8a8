"""Mentions written down as the strings they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tacenda.document import Mention, MentionSource, SemanticType, Span

Mark = Callable[..., tuple[Mention, ...]]


@pytest.fixture
def mark() -> Mark:
    """Return a function that finds each string after the one before it."""

    def find(text: str, *pairs: tuple[str, str], masking: float = 0.9) -> tuple[Mention, ...]:
        mentions = []
        position = 0
        for surface, kind in pairs:
            start = text.index(surface, position)
            position = start + len(surface)
            span = Span(start, position)
            mentions.append(
                Mention(span, SemanticType(kind), masking, masking / 2, MentionSource.NEURAL)
            )
        return tuple(mentions)

    return find
