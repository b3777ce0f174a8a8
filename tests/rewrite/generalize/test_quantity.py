"""QUANTITY: bins that hold the amount without naming it, then the unit."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.rewrite.generalize.numerals import readings, spelled
from tests.examples import for_each

from .offering import options, texts

UNITS = ("{} €", "€{}", "EUR {}", "{} kg", "{} %", "{}", "{} books")


def edges(text: str) -> tuple[float, float] | None:
    """Return the two numbers of a bin."""
    if not text.startswith("between"):
        return None
    low, high = re.findall(r"(\d[\d,]*(?:\.\d+)?)(?: ([mb]illion))?", text)
    scales = {"": 1.0, "million": 1e6, "billion": 1e9}
    shared = low[1] or (high[1] if "," not in low[0] and high[1] and len(low[0]) < 4 else "")
    # "Between 1 and 5 million" says the scale once.
    sizes = (scales[shared], scales[high[1]])
    return tuple(
        float(end[0].replace(",", "")) * size for end, size in zip((low, high), sizes, strict=True)
    )  # type: ignore[return-value]


@given(cents=st.integers(1, 10**11), unit=st.sampled_from(UNITS), grouped=st.booleans())
def test_the_amount_lies_in_every_bin(cents: int, unit: str, grouped: bool) -> None:
    """Bins are true, and neither edge is the amount."""
    amount = cents / 100
    number = f"{amount:,.2f}" if grouped else f"{amount:.2f}"
    found = [edges(text) for text in texts(unit.format(number), "QUANTITY")]
    bins = [bin for bin in found if bin is not None]
    assert all(low < amount < high for low, high in bins), bins
    assert unit.endswith("%") or bins


@for_each(
    ("string", "expected"),
    [
        ("23 €", ["between 10 and 50 €", "between 10 and 100 €", "X €"]),
        (
            "$1,654,120",
            [
                "between $1 million and $5 million",
                "between $1 million and $10 million",
                "$X",
            ],
        ),
        ("£2.5m", ["between £1m and £5m", "between £1m and £10m", "£X"]),
        ("1.80 m", ["between 1 and 5 m", "between 1 and 10 m", "X m"]),
        ("45 per cent", ["between 25 and 50 per cent", "X per cent"]),
        ("289–296", ["between 100 and 500", "between 100 and 1,000", "X"]),
        ("dozen", ["between 10 and 50", "between 10 and 100", "X"]),
        ("5 ft 9 in (1.75 m)", ["between 1 and 10 ft", "X ft"]),
        ("three-centimetre", ["1-to-5-centimetre", "1-to-10-centimetre", "X-centimetre"]),
        # A bound is not a value.
        ("more than 90 books", ["X books"]),
        ("hundreds of witnesses", ["X witnesses"]),
        ("sixth", ["X"]),
        ("5/48", ["X"]),
        ("15 x 10 mm", ["X"]),
        # 1.234 may be a thousand or one: a bin of both would say nothing.
        ("1.234", ["X"]),
        ("No. 7", ["No. X"]),
        ("115–56", ["X"]),
        ("758-for-2433", ["X"]),
        ("two-thirds", ["X"]),
        ("thousand documents", ["X documents"]),
        ("several hundred euros", ["X euros"]),
        ("26 km/h", ["between 10 and 50 km/h", "between 10 and 100 km/h", "X km/h"]),
        (
            "between 10 and 20 books",
            ["between 5 and 50 books", "between 1 and 100 books", "X books"],
        ),
        (
            "800,000 marks",
            [
                "between 500,000 and 1 million marks",
                "between 100,000 and 1 million marks",
                "X marks",
            ],
        ),
        (
            "30 Turkish liras",
            [
                "between 10 and 50 Turkish liras",
                "between 10 and 100 Turkish liras",
                "between 10 and 50 liras",
                "between 10 and 100 liras",
                "X Turkish liras",
                "X liras",
            ],
        ),
        ("life imprisonment", []),
        # What is about 5.2 may be as little as 4.68.
        ("about 5.2 km", ["between 1 and 10 km", "X km"]),
        ("9 June 1989", ["X"]),
        (
            "thirty decisions",
            ["between 10 and 50 decisions", "between 10 and 100 decisions", "X decisions"],
        ),
        ("TRL 136,890,0000", ["TRL X"]),
        ("42 years old", ["in their forties", "of adult age", "X years old"]),
        # No bin begins or ends at the age; few are above 85, and there it has no upper end.
        ("50-year-old", ["45-to-54-year-old", "adult", "X-year-old"]),
        ("39-year-old", ["35-to-44-year-old", "adult", "X-year-old"]),
        ("3-year-old", ["underage", "X-year-old"]),
        ("aged 3", ["under 8", "under age", "aged X"]),
        ("aged 15", ["in their teens", "under age", "aged X"]),
        ("age 7", ["age under 12", "age X"]),
        ("age 39", ["age between 35 and 44", "age X"]),
        ("aged 93", ["aged over 89", "of adult age", "aged X"]),
        ("93-year-old", ["over-89", "adult", "X-year-old"]),
    ],
)
def test_options_of_amounts(string: str, expected: list[str]) -> None:
    """The options by hand, from the most to the least specific."""
    assert texts(string, "QUANTITY") == expected


@given(st.text(max_size=30).filter(str.strip))
def test_any_string_has_options_that_do_not_contain_it(string: str) -> None:
    """Whatever the string, no option but suppression has its words."""
    own = re.findall(r"\w+", string.casefold())
    for option in options(string, "QUANTITY")[:-1]:
        words = re.findall(r"\w+", option.text.casefold())
        assert not own or own != words
        assert option.text != string


@for_each("string", ["9" * 5000, "hundred " * 300, "1,000" * 900, "(" * 9000])
@for_each("type", ["QUANTITY", "DATETIME", "ORG", "CODE", "MISC"])
def test_absurd_numbers_have_options(string: str, type: str) -> None:
    """What is too large or too long to be anything is not an error, and has no bin."""
    assert not any(text.startswith("between") for text in texts(string, type))


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("twenty-eight", 28),
        ("two hundred and six", 206),
        ("one thousand six hundred", 1600),
        ("three million", 3e6),
        ("a dozen", 12),
    ],
)
def test_numbers_in_words(words: str, number: float) -> None:
    """English number words have their value."""
    assert spelled(words) == number
    assert readings(words) == (number,)


def test_two_numbers_are_not_one() -> None:
    """Of two children, eleven and eight, none is nineteen."""
    assert spelled("eleven and eight") is None
