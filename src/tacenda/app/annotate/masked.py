"""The text as others would read it: masked (TAB, Figure 2), or with replacements written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...document import Span
from .annotation import Annotation
from .marks import SUPPRESSED

Part = tuple[str, Span | None]
"""A piece of text; with the span it stands for where it replaces one."""


def masked_parts(text: str, annotation: Annotation) -> list[Part]:
    """Return the text with every masked character but white space as ``*``."""
    covered = bytearray(len(text))
    for mention in annotation.mentions:
        if mention.masked:
            covered[mention.span.start : mention.span.end] = b"\1" * len(mention.span)
    parts: list[Part] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or covered[end] != covered[start]:
            string = text[start:end]
            if covered[start]:
                stars = "".join(char if char.isspace() else "*" for char in string)
                parts.append((stars, Span(start, end)))
            else:
                parts.append((string, None))
            start = end
    return parts


def written_parts(text: str, chosen: Mapping[Span, str]) -> list[Part]:
    """Return the text with options, in brackets but for ``***``, instead of spans.

    Of spans that overlap, the first is written, and the longest of those; of the others nothing
    is left.
    """
    parts: list[Part] = []
    position = 0
    for span in sorted(chosen, key=lambda span: (span.start, -span.end)):
        if span.start < position:
            position = max(position, span.end)
            continue
        option = chosen[span]
        parts.append((text[position : span.start], None))
        parts.append((option if option == SUPPRESSED else f"[{option}]", span))
        position = span.end
    parts.append((text[position:], None))
    return [part for part in parts if part[0]]


def written(text: str, chosen: Mapping[Span, str]) -> str:
    """Return the text with options instead of spans; see ``written_parts``."""
    return joined(written_parts(text, chosen))


def joined(parts: Sequence[Part]) -> str:
    """Return the text of all parts."""
    return "".join(string for string, _ in parts)
