"""Corrections to the recognizer's mentions where spelling knows better than statistics.

| a mention | becomes |
|---|---|
| of function words only ("and", "of the") | none: it names nothing, and its string is everywhere |
| that is the number of a list item ("4." at the beginning of a line) | none |
| of a PERSON that ends with a title or an initial, before a capitalised word | longer by that word: "Mr I." of "Mr I. Thrilling" lacks the surname |
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ..document import Mention, SemanticType, Span
from .merge import riskier

_FUNCTION_WORDS = frozenset(
    "a an the this that these those and or but nor of in on at by to for from with without as than "
    "into onto upon over under after before between during until since about against through i he "
    "she it we they his her its our their my your him them who whom which whose is was are were be "
    "been being has had have not no".split()
)
_WORD = re.compile(r"[^\W_]+")
_LIST_NUMBER = re.compile(r"\(?(?:\d{1,3}|[ivxIVX]{1,5}|[a-zA-Z])[.)]*")
_UNFINISHED = re.compile(
    r"(?:^|[\s.])(?:Mr|Mrs|Ms|Miss|Dr|Prof|Judge|Sir|Lady|Lord|[^\W\d_a-z])\.?$"
)
_NEXT_NAME = re.compile(r"[ \u00a0]{1,2}(?=[^\W\d_a-z])[^\W\d_]+(?:[-’'][^\W\d_]+)*")


def corrected(text: str, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return the mentions in order with the table's corrections; they still do not overlap."""
    result: list[Mention] = []
    for mention in mentions:
        if result and mention.span.start < result[-1].span.end:
            # The mention before has grown into this one.
            if mention.span.end <= result[-1].span.end:
                result[-1] = riskier(result[-1], mention)
                continue
            mention = replace(mention, span=Span(result[-1].span.end, mention.span.end))
        if _is_function_words(mention.span.of(text)) or _is_list_number(text, mention.span):
            continue
        result.append(_finished(text, mention))
    return tuple(result)


def _is_function_words(string: str) -> bool:
    # Long strings are no function words, and need not be taken apart to see it.
    if len(string) > 40 or string != string.lower():
        return False
    words = _WORD.findall(string)
    return bool(words) and all(word in _FUNCTION_WORDS for word in words)


def _is_list_number(text: str, span: Span) -> bool:
    before = text[max(0, span.start - 8) : span.start]
    at_line_start = not before.rpartition("\n")[2].strip(" \t(") and (
        "\n" in before or span.start <= len(before)
    )
    after = text[span.end : span.end + 2]
    closed = after[:1] in (".", ")") or text[span.end - 1] in ".)"
    return (
        at_line_start
        and closed
        and (not after.strip(".)") or after[-1].isspace())
        and _LIST_NUMBER.fullmatch(span.of(text)) is not None
    )


def _finished(text: str, mention: Mention) -> Mention:
    if mention.type is not SemanticType.PERSON:
        return mention
    end = mention.span.end
    tail = text[max(mention.span.start, end - 12) : end]
    if _UNFINISHED.search(tail) is None:
        return mention
    # The tokenizer parts "I" from its full stop; the stop may lie outside the mention.
    stop = end + 1 if text[end : end + 1] == "." else end
    following = _NEXT_NAME.match(text, stop, stop + 60)
    if following is None:
        return mention
    return replace(mention, span=Span(mention.span.start, following.end()))
