"""Dates, ages and durations as people write them."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_NOW = date(2025, 6, 1)


def some_date(random: Random, years: int = 6) -> date:
    """Return a day of the last ``years`` years."""
    return _NOW - timedelta(days=random.randint(3, 365 * years))


def written_date(random: Random, day: date, american: bool, year: bool = False) -> str:
    """Return a day in one of the many ways of writing it; with its year where it is asked for."""
    month, short = _MONTHS[day.month - 1], _MONTHS[day.month - 1][:3]
    ordinal = f"{day.day}{_ordinal(day.day)}"
    numeric = (
        (f"{day.month}/{day.day}/{day.year}", f"{day.month:02}/{day.day:02}/{day.year % 100:02}")
        if american
        else (
            f"{day.day:02}/{day.month:02}/{day.year}",
            f"{day.day}.{day.month}.{day.year}",
            f"{day.day:02}.{day.month:02}.{day.year % 100:02}",
            f"{day.day:02}-{day.month:02}-{day.year}",
        )
    )
    spelled = (
        (f"{month} {day.day}, {day.year}", f"{short} {day.day} {day.year}", f"{month} {ordinal}")
        if american
        else (
            f"{day.day} {month} {day.year}",
            f"{ordinal} {month} {day.year}",
            f"{ordinal} of {month}",
            f"{day.day} {short} {day.year}",
            f"{day:%A} {day.day} {month}",
            f"{day.day} {month}",
        )
    )
    ways: tuple[str, ...] = (*spelled, *spelled, *numeric, day.isoformat())
    if year:
        ways = tuple(way for way in ways if str(day.year) in way)
    return random.choice(ways)


def written_month(random: Random, day: date) -> str:
    """Return a month with its year."""
    month = _MONTHS[day.month - 1]
    return random.choice(
        (
            f"{month} {day.year}", f"{month} {day.year}", f"{month[:3]} {day.year}",
            f"{month} '{day.year % 100:02}", f"{month} of {day.year}", f"{day.month:02}/{day.year}",
        )
    )  # fmt: skip


def month_name(day: date) -> str:
    """Return the month alone."""
    return _MONTHS[day.month - 1]


def written_duration(random: Random) -> str:
    """Return how long something took or lasts."""
    words = "two three four five six seven eight nine ten eleven twelve".split()
    n = random.choice((*words, str(random.randint(2, 30)), str(random.randint(2, 14))))
    unit = random.choice(("years", "years", "months", "weeks", "days", "yrs"))
    return random.choice(
        (f"{n} {unit}", f"{n} {unit}", f"{n} {unit}", f"almost {n} {unit}", f"over {n} years",
         "a year and a half", f"{n} and a half years")
    )  # fmt: skip


def written_time(random: Random) -> str:
    """Return a time of day."""
    hour, minute = random.randint(0, 23), random.randint(0, 59)
    twelve = (hour - 1) % 12 + 1
    half = "am" if hour < 12 else "pm"
    return random.choice(
        (f"{hour:02}:{minute:02}", f"{twelve}:{minute:02} {half}", f"{twelve}{half}",
         f"{hour}.{minute:02}", f"{twelve}:{minute:02}{half.upper()}")
    )  # fmt: skip


def _ordinal(n: int) -> str:
    if 10 <= n % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
