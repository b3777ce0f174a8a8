"""Dates that stand together: one phrase for a range or a list in one period, order for the others."""

from __future__ import annotations

import re
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import for_each

from .offering import written

DAYS = st.dates(date(1950, 1, 1), date(2009, 12, 31))
MONTHS = (
    "January February March April May June July August September October November December".split()
)


def spelled(day: date) -> str:
    """Return a date as 3 May 1994."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


@for_each(
    ("text", "strings", "expected"),
    [
        ("He sat from 1921 to 1922.", ["1921", "1922"], "He sat [in the 1920s]."),
        ("He sat from 1921 to 1932.", ["1921", "1932"], "He sat from [the 1920s] to [the 1930s]."),
        ("made between 1994 and 1996", ["1994", "1996"], "made [in the 1990s]"),
        ("made between 1994 and 1996", ["1994 and 1996"], "made [in the 1990s]"),
        ("his years (1984–1986)", ["1984", "1986"], "his years ([the 1980s])"),
        ("his years (1880–1986)", ["1880", "1986"], "his years ([the 1880s]–[the 1980s])"),
        ("held on 3 May and 5 June 1994.", ["3 May", "5 June 1994"], "held on [dates in the 1990s]."),
        ("held on 3 May 1994, 5 June 1994 and 6 June 1995.", ["3 May 1994", "5 June 1994", "6 June 1995"], "held on [dates in the 1990s]."),
        ("sat in 1896, 1915, 1917, and 1918.", ["1896", "1915", "1917", "1918"], "sat in [the 1890s], and [the 1910s]."),
        ("He won in 1904.In 1908 he lost.", ["1904", "1908"], "He won in [the 1900s].[Later in the 1900s] he lost."),
        ("In 1904 he won and in 1908 he lost.", ["1904", "1908"], "In [the 1900s] he won and [later in the 1900s] he lost."),
        ("He won in 1908. In 1904 he lost.", ["1908", "1904"], "He won in [the 1900s]. [Earlier in the 1900s] he lost."),
        ("It fell on 3 May 1994 and rose on 5 June 1994.", ["3 May 1994", "5 June 1994"], "It fell on a [date in the 1990s] and rose on a [later date in the 1990s]."),
        ("He left an order of 5 June 1994 on 3 May 1994.", ["5 June 1994", "3 May 1994"], "He left an order of a [date in the 1990s] on an [earlier date in the 1990s]."),
        # Another date stands between: the reader would take it for what it is later than.
        ("He won in 1994, like her in 1996, and in 1998 he lost.", ["1994", "1998"], "He won in [the 1990s], like her in 1996, and in [the 1990s] he lost."),
        # Nobody can tell which of them is the earlier one.
        ("He won in 1994, and by May 1994 he lost.", ["1994", "May 1994"], "He won in [the 1990s], and by a [date in the 1990s] he lost."),
        ("He came in late 1951.", ["1951"], "He came in [the 1950s]."),
        ("He came in mid-1951.", ["1951"], "He came in [the 1950s]."),
        ("the 1984 games and the 1988 games", ["1984", "1988"], "the [1980s] games and the [1980s] games"),
        ("I sat over two days, 11 and 12 March 2024.", ["11 and 12 March 2024"], "I sat over two days, [dates in the 2020s]."),
        ("born in 1952 and 1953 respectively.", ["1952", "1953"], "born in [the 1950s]."),
        ("orders dated 3 May 1994", ["3 May 1994"], "orders [from the 1990s]"),
        ("It fell in 1994.\n\nIt rose in 1996.", ["1994", "1996"], "It fell in [the 1990s].\n\nIt rose [later in the 1990s]."),
        ("year 1994\nyear 1996", ["1994", "1996"], "year [the 1990s]\nyear [the 1990s]"),
        ("from 1921\nto 1922", ["1921", "1922"], "from [the 1920s]\nto [the 1920s]"),
        ("on 3 May 1994 and 5 June 2001", ["3 May 1994", "5 June 2001"], "on a [date in the 1990s] and a [date in the 2000s]"),
    ],
)  # fmt: skip
def test_dates_together(text: str, strings: list[str], expected: str) -> None:
    """By hand, with and without brackets."""
    marks = [(string, "DATETIME") for string in strings]
    assert written(text, *marks) == expected
    assert written(text, *marks, brackets=False) == expected.replace("[", "").replace("]", "")


@given(days=st.lists(DAYS, min_size=2, max_size=5, unique=True))
def test_order_is_never_inverted(days: list[date]) -> None:
    """Whatever the days: each is in the decade written for it, and later is what is later."""
    text = " ".join(f"On {spelled(day)} it moved." for day in days)
    output = written(text, *((spelled(day), "DATETIME") for day in days))
    found = re.findall(r"On an? \[(later |earlier )?date in the (\d{4})s\] it moved\.", output)
    assert [int(decade) for _, decade in found] == [day.year // 10 * 10 for day in days]
    for place, (order, decade) in enumerate(found):
        before = place and found[place - 1][1] == decade
        expected = "" if not before else "later " if days[place] > days[place - 1] else "earlier "
        assert order == expected


@given(first=DAYS, last=DAYS, link=st.sampled_from(("from {} to {}", "between {} and {}", "{}–{}")))
def test_a_range_holds_both_ends(first: date, last: date, link: str) -> None:
    """One decade for a range in it, in words that are no range; else the decades of both ends."""
    first, last = sorted((first, last))
    one, two = str(first.year), str(last.year)
    if one == two:
        return
    output = written(f"He sat {link.format(one, two)}.", (one, "DATETIME"), (two, "DATETIME"))
    decades = [int(decade) for decade in re.findall(r"(\d{4})s", output)]
    assert decades == sorted({year // 10 * 10 for year in (first.year, last.year)})
    assert len(decades) == 2 or not re.search("from|between|–", output)


def test_no_date_is_later_than_one_that_may_go_into_a_phrase() -> None:
    """The reader wouldn't see what it is later than."""
    marks = [("2021", "DATETIME"), ("Zork", "MISC"), ("2023", "DATETIME")]
    text = "It had won the 2021 Zork and was due in 2023."
    assert written(text, *marks).endswith("was due in [the 2020s].")


@for_each("string", ["to date", "Mondays, Wednesdays and Thursdays"])
def test_what_only_has_a_word_for_a_date_is_no_date(string: str) -> None:
    """Nothing is true of it but that it is masked."""
    assert written(f"She works there {string}.", (string, "DATETIME")) == "She works there ***."
