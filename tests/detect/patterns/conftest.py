"""What a pattern test asks: which strings of a text are found, and as what."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tacenda.detect.patterns.detector import PatternDetector

Find = Callable[..., list[tuple[str, str]]]


@pytest.fixture(scope="session")
def find() -> Find:
    """Return a function from text and kinds to the (kind, string) pairs found in it."""
    detector = PatternDetector()

    def found(text: str, *kinds: str) -> list[tuple[str, str]]:
        mentions = detector.detect(text)
        return [(m.kind, m.span.of(text)) for m in mentions if not kinds or m.kind in kinds]

    return found
