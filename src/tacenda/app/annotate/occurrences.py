"""Where else a text has the same words."""

from __future__ import annotations

from collections.abc import Iterator

from ...document import Span


def occurrences(text: str, span: Span) -> Iterator[Span]:
    """Yield all places with the string of ``span``, as whole words, in order.

    A string that begins inside a word in its own place may do so elsewhere.
    """
    string = span.of(text)
    own = _cut(text, span)
    start = text.find(string)
    while start >= 0:
        found = Span(start, start + len(string))
        if found == span or all(
            mine or not theirs for mine, theirs in zip(own, _cut(text, found), strict=True)
        ):
            yield found
            start = found.end - 1
        start = text.find(string, start + 1)


def _cut(text: str, span: Span) -> tuple[bool, bool]:
    """Tell whether the span cuts a word at its start, and at its end."""
    return (
        span.start > 0 and text[span.start - 1].isalnum() and text[span.start].isalnum(),
        span.end < len(text) and text[span.end - 1].isalnum() and text[span.end].isalnum(),
    )
