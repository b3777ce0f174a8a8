"""Dates, years, times and spans of time."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "date",
    ["3 December 2004", "12 March", "March 1994", "9 and 10 May 2001", "1, 4, 12 and 30 June 2001",
     "3rd of May 2001", "December 3rd, 2004", "October 12, 1999", "Monday, 3 May 2004", "SEPTEMBER 2001",
     "Mon 5 Jun 2003", "12.03.1994", "3/12/2004", "1994-03-12", "1994-03-12T10:30:00Z", "19940312T103000Z",
     "19940312T1030", "1994-03-12T10:30:00.250+02:00", "19940312T103000+0200", "3 Dec. 2004",
     "summer of 2001", "end of May 2004", "January and February 2001", "9 to 12 October 2009"],
)  # fmt: skip
def test_a_date_is_one_mention(find, date):
    """Lists of days, weekdays, ordinals and parts of a period belong to the date."""
    assert [string for _, string in find(f"It was {date}, they said.")] == [date]


@pytest.mark.parametrize(
    "moment",
    ["Tue, 3 Sep 2024 10:00:00 +0200", "3 Sep 2024 10:00 GMT", "3 Sep 2024 10:00:00 -0500 (EST)",
     "Sep 3, 2024, 10:00:30 UTC", "3 Sep 2024 10:00:00 -05:00"],
)  # fmt: skip
def test_a_date_takes_the_time_that_has_a_zone(find, moment):
    """As mail and servers write it; without a zone, the time of day is a mention of its own."""
    assert find(f"Date: {moment}") == [("date", moment)]
    assert find("3 Sep 2024 10:00") == [("date", "3 Sep 2024"), ("time", "10:00")]
    assert find("at 10:00:00 +0200,") == [("time", "10:00:00 +0200")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("May I come? You may go. Mrs May spoke to May.", []),
        ("We march on. August men and April showers", []),
        ("He came in May and left in March.", ["May", "March"]),
        ("It was September.", ["September"]),
        ("May 2004 was warm", ["May 2004"]),
    ],
)
def test_a_month_that_is_a_word_or_name_needs_a_sign_of_a_date(find, text, found):
    """May, March, April, June and August alone are months only after a preposition of time."""
    assert [string for _, string in find(text, "date")] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("between 1990 and 1995", ["1990", "1995"]),
        ("the 1990s", ["1990s"]),
        ("the mid-1990s", ["mid-1990s"]),
        ("the early 1990s", ["early 1990s"]),
        ("in 1990-95 and 1997–1999", ["1990-95", "1997–1999"]),
        ("(1888 – 1953)", ["1888 – 1953"]),
        ("late nineteenth century", ["late nineteenth century"]),
        ("in 1994.", ["1994"]),
    ],
)
def test_years_decades_and_ranges_are_found(find, text, found):
    """With the part of the period that is named before them."""
    assert [string for _, string in find(text, "year")] == found


@pytest.mark.parametrize(
    "text",
    ["Article 1994", "section 2001", "no. 1994", "1994 euros", "EUR 1994", "1,994", "1994.5", "§ 1994",
     "2000 people", "in 1799", "2100", "19945", "A1994", "1994/5", "Reports 1996-II"],
)  # fmt: skip
def test_a_number_that_only_looks_like_a_year_is_none(find, text):
    """Sections, amounts, counts, and years before 1800 or after 2099."""
    assert find(text, "year") == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("the Law of 6 June 1990", "6 June 1990"),
        ("Law no. 5190 of 16 June 2004", "16 June 2004"),
        ("the Act of 1994", "1994"),
        ("the 1991 Act", "1991"),
        ("the Insolvency Act 1986", "1986"),
        ("the 1997 Lustration Act", "1997"),
    ],
)
def test_the_date_of_a_law_is_a_kind_of_its_own(find, text, date):
    """Annotators leave it alone nineteen times in twenty."""
    assert find(text) == [("statute_date", date)]


@pytest.mark.parametrize("date", ["32.01.1994", "13.13.1994", "00.01.1994", "1994-13-01", "1.2.33"])
def test_impossible_dates_in_digits_are_none(find, date):
    """A day above 31, no month at or below 12, or the number of a section."""
    assert find(date, "date") == []


@pytest.mark.parametrize(
    "time", ["10.30 a.m.", "9 p.m.", "14:30", "14:30:05", "14h30", "noon", "midnight"]
)
def test_a_time_of_day_is_found(find, time):
    """On the twelve- and the twenty-four-hour clock, and in words."""
    assert find(f"from {time} on") == [("time", time)]


@pytest.mark.parametrize("text", ["10.30 metres", "25:30", "14:75", "afternoon", "3:16:99"])
def test_other_numbers_with_points_and_colons_are_no_time(find, text):
    """Hours end at 23 and minutes at 59."""
    assert find(text, "time") == []


@pytest.mark.parametrize(
    "span",
    ["two years", "ten-day", "three years and nine months", "two and a half years", "15 days"],
)
def test_a_counted_span_of_time_is_one_mention(find, span):
    """Years and months joined by ``and`` are one span."""
    assert find(f"after {span} he") == [("duration", span)]


def test_a_date_after_the_label_of_a_birth_is_one_in_any_form(find):
    """In letters, tables, JSON and XML; a version, and what is only born of need, is none."""
    for date in (
        "3-5-71",
        "3/V/71",
        "3.5.71",
        "1987-02-09",
        "19870209",
        "12 Mar '84",
        "3rd May 1971",
        "May 3rd, 1971",
        "3 février 1980",
        "3 de mayo de 1971",
        "9 March",
    ):
        for label in (
            "DOB {}",
            '"dob": "{}"',
            "| D.O.B. | {} |",
            '<birthDate value="{}"/>',
            "geb. {}",
            "date_of_birth={}",
            "née le {}",
            "né le {}",
            "Geburtsdatum: {}",
            "Geburtstag {}",
            "patientDob={}",
            "birth: {}",
        ):
            assert find(f"Seen. {label.format(date)}", "birth_date") == [("birth_date", date)], (
                label
            )
    assert find("Version 3.5.71 was born of need 3.5", "birth_date") == []
