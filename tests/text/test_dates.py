"""Years of two digits: one rule for all who read them."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tacenda.rewrite.surrogate import dates as surrogates
from tacenda.text.dates import LONGEST_LIFE, read_date, years_ending_in

_SHORT = st.integers(0, 99)


@given(_SHORT)
def test_a_year_of_two_digits_is_the_latest_past_one(digits: int) -> None:
    """Also that of a birth, for which the century before is possible where somebody may still live."""
    today = date.today().year
    (last,) = years_ending_in(digits)
    assert last % 100 == digits
    assert today - 100 < last <= today
    births = years_ending_in(digits, is_birth=True)
    assert births[0] == last
    assert (last - 100 in births) == (today - last + 100 <= LONGEST_LIFE)


@given(_SHORT, st.integers(1, 28), st.integers(1, 12))
def test_all_readers_take_a_year_of_two_digits_alike(digits: int, day: int, month: int) -> None:
    """The register's and the surrogates'."""
    (year,) = years_ending_in(digits)
    string = f"{day:02}.{month:02}.{digits:02}"
    written = surrogates.read_date(string, month_first=False)
    assert written is not None
    assert written.date == date(year, month, day)
    assert date(year, month, day) in {reading.calendar() for reading in read_date(string)}
    assert {reading.year for reading in read_date(string)} == {year}
