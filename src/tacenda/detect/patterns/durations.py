"""Spans of time and ages in years: ``two years``, ``ten-day``, ``three years and nine months``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .context import before
from .hit import Hit
from .number_words import NUMBER_WORDS

_UNIT = re.compile(
    r"(?:years?|months?|weeks?|days?|hours?|minutes?|decades?|seconds?)(?![A-Za-z])['’]?"
)
_COUNT = before(
    rf"(?<![\w.,/-])(?:[0-9]{{1,4}}(?:[.,][0-9])?|(?:{NUMBER_WORDS})(?:[\s-](?:{NUMBER_WORDS})){{0,3}}"
    r"|several|few|half\sa)(?:\sand\sa\shalf)?(?:\sfull|\sconsecutive|\sfurther|\sadditional)?[\s-]"
)
_JOIN = re.compile(r"['’]?,?\s(?:and\s)?")


def find_durations(text: str) -> Iterator[Hit]:
    """Yield counted spans of time (kind ``duration``), neighbours joined by ``and`` as one."""
    start = end = -1
    for unit in _UNIT.finditer(text):
        if not unit.start() or text[unit.start() - 1] not in " -\n":
            continue
        count = _COUNT.match(text, unit.start())
        if count is None:
            continue
        join = _JOIN.match(text, end) if end >= 0 else None
        if join is None or join.end() != count.start():
            if end >= 0:
                yield Hit(start, end, "duration")
            start = count.start()
        end = unit.end()
    if end >= 0:
        yield Hit(start, end, "duration")
