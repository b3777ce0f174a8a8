"""Times of day and days of the week: ``10.30 a.m.`` → morning · time of day; ``Monday`` → weekday.

An hour from 1 to 12 that says neither a.m. nor p.m. may be either: only that it is a time of day
is said of it.
"""

from __future__ import annotations

import re

from .candidate import Candidate
from .numbers import plain

_MINUTES = 1_440.0
"""Scope of times of day."""
_PARTS = ((5, "night"), (12, "morning"), (17, "afternoon"), (22, "evening"), (24, "night"))
_TIME = re.compile(
    r"(?:at\s|around\s|about\s)?(?P<hour>[0-2]?\d)(?:[.:h](?P<minute>[0-5]\d))?(?:[.:][0-5]\d)?"
    r"(?:\s?(?P<half>[ap])\.?m\.?|\s?(?P<clock>o'clock|hours|hrs|h))?"
)
_WORDS = {"noon": 12, "midday": 12, "midnight": 0}
_WORKING = re.compile(r"(?:on\s)?(?:mon|tues|wednes|thurs|fri)days?")
_WEEKEND = re.compile(r"(?:on\s)?(?:satur|sun)days?")


def time_candidates(original: str) -> list[Candidate]:
    """Return what may be written instead of a time or a weekday; nothing if it is neither."""
    text = plain(original)
    for pattern, words, days in (
        (_WORKING, "weekday", 5.0),
        (_WEEKEND, "day of the weekend", 2.0),
    ):
        if pattern.fullmatch(text):
            return [Candidate(words, "rule:weekday", days, 7.0)]
    hours = _hours(text)
    if not hours:
        return []
    parts = {_part(hour) for hour in hours}
    found = [Candidate("time of day", "rule:time", _MINUTES, _MINUTES)]
    if len(parts) == 1:
        found.insert(0, Candidate(parts.pop(), "rule:part-of-day", 300.0, _MINUTES))
    return found


def _hours(text: str) -> tuple[int, ...]:
    """Return the hours of the day that ``text`` may mean; none if it is no time."""
    if text in _WORDS:
        return (_WORDS[text],)
    match = _TIME.fullmatch(text)
    if match is None or not (match["minute"] or match["half"] or match["clock"]):
        return ()
    hour = int(match["hour"])
    if match["half"]:
        return (hour % 12 + (12 if match["half"] == "p" else 0),) if 1 <= hour <= 12 else ()
    if hour > 23:
        return ()
    if match["clock"] in {"hours", "hrs", "h"} or hour > 12 or match["hour"].startswith("0"):
        return (hour,)
    return (hour % 12, hour % 12 + 12)


def _part(hour: int) -> str:
    return next(name for end, name in _PARTS if hour < end)
