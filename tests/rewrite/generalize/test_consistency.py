"""Two replaced values that are bound to one another tell no more than each by itself."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .offering import written
from .test_date_groups import spelled

DAYS = st.dates(date(1950, 1, 1), date(2009, 12, 31))


@pytest.mark.parametrize(
    ("text", "strings", "expected"),
    [
        (
            "He left on 20 December 1995. Three weeks later, on 10 January 1996, he died.",
            ["20 December 1995", "10 January 1996"],
            "He left on a [date in the 1990s]. Three weeks later, on a [later date in the 1990s], he died.",
        ),
        (
            "He left in 1995; two years later, in 1997, he died.",
            ["1995", "1997"],
            "He left in [the 1990s]; two years later, [later in the 1990s], he died.",
        ),
        (
            "She (born 3 May 1971) won in 2012, aged 41.",
            ["3 May 1971", "2012", "aged 41"],
            "She (born [in the 1970s]) won in [the 2010s], [in her forties].",
        ),
        # In their forties in 2012 and of the 1970s is born from 1970 to 1972.
        (
            "She (born 3 May 1971) won in 2012, aged 41.",
            ["3 May 1971", "aged 41"],
            "She (born [in the 1970s]) won in 2012, [of adult age].",
        ),
        # Aged 41 in the 2010s and of the 1960s is born in 1968 or 1969.
        (
            "She (born 3 May 1969) won in 2011, aged 41.",
            ["3 May 1969", "2011"],
            "She (born [in the 1960s]) won in [the 21st century], aged 41.",
        ),
    ],
)
def test_bound_values(text: str, strings: list[str], expected: str) -> None:
    """By hand."""
    assert written(text, *((string, "DATETIME") for string in strings)) == expected


@given(first=DAYS, count=st.integers(1, 30), unit=st.sampled_from(("weeks", "months", "years")))
def test_an_interval_does_not_pin_down_its_ends(first: date, count: int, unit: str) -> None:
    """Of the years that the words of the first date name, the interval leaves about half at least."""
    days = {"weeks": 7.0, "months": 30.44, "years": 365.25}[unit] * count
    last = first + timedelta(days=round(days))
    if first.year == last.year:
        return
    text = f"He left in {first.year}; {count} {unit} later, in {last.year}, he died."
    output = written(text, (str(first.year), "DATETIME"), (str(last.year), "DATETIME"))
    assert f"{count} {unit} later" in output
    decades = [int(decade) for decade in re.findall(r"(\d{4})s", output)]
    if len(decades) < 2:
        return
    start, end = (range(decade, decade + 10) for decade in decades)
    years = days / 365.25
    slack = 2 if unit == "years" else 1
    left = [one for one in start if any(abs(two - one - years) <= slack for two in end)]
    assert len(left) >= 4


@given(birth=DAYS, age=st.integers(20, 60))
def test_an_age_does_not_pin_down_a_birth(birth: date, age: int) -> None:
    """With the decade of a birth, of the event and of the age, half of the years are left."""
    event = birth.year + age + 1
    text = f"She (born {spelled(birth)}) won in {event}, aged {age}."
    marks = [(spelled(birth), "DATETIME"), (str(event), "DATETIME"), (f"aged {age}", "DATETIME")]
    output = written(text, *marks)
    match = re.search(
        r"born \[in the (\d{4})s\]\) won in \[the (\d{4})s\], \[in her (\w+)\]", output
    )
    if match is None:
        return
    names = "twenties thirties forties fifties sixties".split()
    low = 20 + 10 * names.index(match[3])
    left = [
        year
        for year in range(int(match[1]), int(match[1]) + 10)
        if any(
            low <= other - year <= low + 10 for other in range(int(match[2]), int(match[2]) + 10)
        )
    ]
    assert len(left) >= 5
