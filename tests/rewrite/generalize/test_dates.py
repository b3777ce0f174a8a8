"""DATETIME: what holds a date, and nothing that does not."""

from __future__ import annotations

import calendar
import re
from datetime import date
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tacenda.rewrite.generalize.date_parsing import parse_period
from tests.examples import for_each

from .offering import options, texts

FORMATS = (
    lambda day: f"{day.day} {calendar.month_name[day.month]} {day.year}",
    lambda day: f"{calendar.month_name[day.month]} {day.day}, {day.year}",
    lambda day: f"{day.day}th {calendar.month_abbr[day.month]}. {day.year}",
    lambda day: (
        f"{calendar.day_name[day.weekday()]}, {day.day} {calendar.month_name[day.month]} {day.year}"
    ),
    lambda day: day.isoformat(),
    lambda day: f"{day.isoformat()}T10:15:00Z",
    lambda day: f"{day.day:02}.{day.month:02}.{day.year}",
    lambda day: f"{day.month}/{day.day}/{day.year}",
    lambda day: f"{day.day}/{day.month}/{day.year}",
)
DAYS = st.dates(date(1000, 1, 1), date(2099, 12, 31))


def holds(text: str, day: date) -> bool:
    """Tell whether a date is in the month, year, decade or century that ``text`` names."""
    if month := re.fullmatch(r"([A-Z]\w+) (\d{4})", text):
        return (month[1], int(month[2])) == (calendar.month_name[day.month], day.year)
    if re.fullmatch(r"\d{4}", text):
        return int(text) == day.year
    if decades := re.findall(r"(\d{3}0)s", text):
        numbers = [int(decade) for decade in decades]
        return min(numbers) <= day.year <= max(numbers) + 9
    if century := re.search(r"(\d+)(?:st|nd|rd|th) century", text):
        return int(century[1]) == (day.year - 1) // 100 + 1
    return text == "DATE"


@given(day=DAYS, form=st.sampled_from(FORMATS))
def test_every_option_holds_the_date(day: date, form) -> None:  # type: ignore[no-untyped-def]
    """However a date is written, it lies in every month, year, decade and century offered."""
    found = texts(form(day), "DATETIME")
    assert found[-1] == "DATE"
    assert all(holds(text, day) for text in found), found


@given(first=DAYS, last=DAYS)
def test_every_option_holds_both_ends_of_a_range(first: date, last: date) -> None:
    """A range of dates lies in what is offered for it with both ends."""
    first, last = sorted((first, last))
    found = texts(f"from {FORMATS[0](first)} to {FORMATS[0](last)}", "DATETIME")
    assert all(holds(text, first) and holds(text, last) for text in found), found


@for_each(
    ("string", "expected"),
    [
        (
            "12 March 1994",
            ["March 1994", "1994", "date in the 1990s", "date in the 20th century", "DATE"],
        ),
        ("1994", ["date in the 1990s", "date in the 20th century", "DATE"]),
        # Nobody can tell 3 April from 4 March: the year is what both are in.
        ("3/4/2004", ["2004", "date in the 2000s", "date in the 21st century", "DATE"]),
        ("31/4/2004", ["DATE"]),
        ("30 February 1994", ["DATE"]),
        (
            "from 3 to 5 May 1994",
            ["May 1994", "1994", "period in the 1990s", "period in the 20th century", "DATE"],
        ),
        (
            "9 and 10 May 2011",
            ["May 2011", "2011", "dates in the 2010s", "dates in the 21st century", "DATE"],
        ),
        ("1858–1906", ["period from the 1850s to the 1900s", "DATE"]),
        ("1990-95", ["period in the 1990s", "period in the 20th century", "DATE"]),
        ("2008–09 season", ["period in the 2000s", "period in the 21st century", "DATE"]),
        (
            "17 April 1989 onwards",
            ["April 1989", "1989", "date in the 1980s", "date in the 20th century", "DATE"],
        ),
        ("1990s", ["date in the 20th century", "DATE"]),
        ("early 2000s", ["date in the 2000s", "DATE"]),
        (
            "first quarter of 1904",
            ["1904", "date in the 1900s", "date in the 20th century", "DATE"],
        ),
        # Summer is at both ends of the year, by hemisphere.
        ("summer of 1994", ["date in the 1990s", "date in the 20th century", "DATE"]),
        ("circa 1990", ["date in the 1980s or the 1990s", "date in the 20th century", "DATE"]),
        ("December to March 1994", ["period in the 1990s", "period in the 20th century", "DATE"]),
        ("1900", ["date in the 1900s", "DATE"]),
        ("12 March", ["date in March", "date in the first half of the year", "DATE"]),
        ("Monday", ["weekday", "DATE"]),
        ("10.30 a.m.", ["morning", "time of day", "DATE"]),
        ("14:30", ["afternoon", "time of day", "DATE"]),
        ("9.15", ["time of day", "DATE"]),
        ("the following day", ["later date", "DATE"]),
        ("seven years later", ["years later", "later date", "DATE"]),
        ("yesterday", ["earlier date", "DATE"]),
        ("that day", ["DATE"]),
        ("two years", ["between 1 and 5 years", "X years", "DATE"]),
        ("18 months", ["between 10 and 20 months", "between 1 and 5 years", "X months", "DATE"]),
        ("one year", ["less than 5 years", "X years", "DATE"]),
        ("three years’ and nine months", ["between 1 and 5 years", "X years", "DATE"]),
        ("three-month", ["1-to-5-month", "X-month", "DATE"]),
        ("aged 42", ["in their forties", "of adult age", "DATE"]),
    ],
)
def test_options_of_dates(string: str, expected: list[str]) -> None:
    """The options by hand, from the most to the least specific."""
    assert texts(string, "DATETIME") == expected


def test_a_year_of_two_digits_is_one_near_the_years_of_the_document() -> None:
    """12.03.94 is of 1994 where the text speaks of 1996, and nobody knows when where it does not."""
    assert "date in the 1990s" in texts("12.03.94", "DATETIME", "On {} and in 1996.")
    assert texts("12.03.94", "DATETIME", "On {} he left.") == ["DATE"]


@given(st.integers(0, 99), st.sets(st.integers(1911, date.today().year), min_size=1, max_size=4))
def test_a_year_of_two_digits_is_of_no_false_century(short: int, years: set[int]) -> None:
    """With years of a lifetime around it, it is the last such year or near the future, or nothing is said."""
    period = parse_period(f"3.4.{short:02}", tuple(sorted(years)))
    if period is not None:
        today = date.today().year
        assert period.first.year % 100 == short
        assert today - 100 < period.first.year <= today + 10


@for_each(
    ("years", "string", "year"),
    [
        ((1929,), "18.4.24", None),  # fell today, born then
        ((1929, 2023), "18.4.24", 2024),
        ((1970,), "18.4.24", None),
        ((2022,), "18.4.24", 2024),
        ((1996,), "12.3.94", 1994),
        ((1996,), "12.3.58", 1958),
        ((1850, 1861), "12.3.58", 1858),  # nobody alive is meant
    ],
)
def test_the_century_of_a_year_of_two_digits(
    years: tuple[int, ...], string: str, year: int | None
) -> None:
    """The last such year near the years of the text, if no other is as likely."""
    period = parse_period(string, years)
    assert (period and period.first.year) == year


def test_a_birth_in_two_digits_may_be_a_century_earlier() -> None:
    """``born 3/4/19`` beside 2024 is a child or very old; ``born 3/4/58`` is of 1958, and a visit of 2019."""
    assert texts("3/4/19", "DATETIME", "DOB {}. Seen in 2024.") == ["DATE"]
    assert "2019" in texts("3/4/19", "DATETIME", "Seen {} and in 2024.")
    assert "1958" in texts("3/4/58", "DATETIME", "born on {}, died in 1999.")


def test_a_date_without_a_year_has_that_of_its_list() -> None:
    """``17 May and 28 October 1999`` are both of 1999; without a list, half of the year is all there is."""
    found = texts("17 May", "DATETIME", "held on {} and 28 October 1999.")
    assert found[:3] == ["May 1999", "1999", "date in the 1990s"]
    found = texts("20 December", "DATETIME", "from {} to 3 March 1994.")
    assert found[:2] == ["December 1993", "1993"]
    assert "date in the 1990s" not in texts("17 May", "DATETIME", "held on {} before 1999.")


def test_a_bare_number_is_an_age_after_words_of_age() -> None:
    """``at the age of 65`` has only 65 marked."""
    assert texts("65", "DATETIME", "died at the age of {}.") == ["between 60 and 69", "DATE"]
    assert texts("65", "DATETIME", "number {}.") == []


@given(st.text(max_size=30))
def test_any_string_has_ordered_options(string: str) -> None:
    """Whatever the string: options fall in what they keep and risk, and end in suppression."""
    if not string.strip():
        return
    found = options(string, "DATETIME")
    assert [option.level for option in found] == list(range(len(found)))
    for better, worse in pairwise(found):
        assert better.kept >= worse.kept
        assert better.risk >= worse.risk
    assert (found[-1].text, found[-1].kept, found[-1].risk) == ("***", 0.0, 0.0)


def test_what_is_not_understood_is_no_date() -> None:
    """A word that is not one of dates makes the whole unknown, rather than be skipped."""
    assert parse_period("not 1994") is None
    assert parse_period("May '45") is None
    assert parse_period("1994 or never") is None
    assert parse_period("") is None
