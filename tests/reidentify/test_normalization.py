"""Registers as texts would say them, whatever codes and formats they are kept in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacenda.background.normalization import FieldKind, kinds_of, normalize_profile
from tacenda.background.people_builder import PeopleBuilder
from tacenda.background.profiles import Person, linearize, terms
from tacenda.reidentify.attackers.base import rank_of
from tacenda.text.dates import find_dates, keys_and_gaps, read_date
from tacenda.text.numerals import LARGEST, cardinal, ordinal, read_number
from tests.examples import for_each
from tests.reidentify.village import store, word_attackers, worded


def read(*profiles: dict[str, str | list[str]]) -> list[list[tuple[str, str]]]:
    """Return profiles normalised beside one another."""
    pairs = [
        [
            (k, v)
            for k, values in p.items()
            for v in ([values] if isinstance(values, str) else values)
        ]
        for p in profiles
    ]
    kinds = kinds_of(pairs)
    return [list(normalize_profile(profile, kinds)) for profile in pairs]


@for_each(
    "written",
    [
        *("1897-04-09", "1897/04/09", "18970409", "1897-04-09T00:00:00", "9 April 1897"),
        *("9th of April 1897", "April 9, 1897", "Apr. 9, 1897", "9-APR-1897", "9 Apr 1897"),
    ],
)
def test_a_date_of_any_format_is_one_date(written: str) -> None:
    """Whoever reads it reads the ninth of April."""
    (date,) = read_date(written)
    assert (date.year, date.month, date.day, date.written()) == (1897, 4, 9, "April 9, 1897")


@for_each("text", ["2001-02-30", "1932-1948", "82", "", "born 1897", "may", "31/31/1999"])
def test_what_is_no_date_is_none(text: str) -> None:
    """A day that does not exist, a span of years, a number, more than a date."""
    assert read_date(text) == ()


def test_each_part_of_a_date_knows_its_word() -> None:
    """Year, month and day by place; -1 for what the text doesn't say."""
    text = "Born on the 9th of April 1897, in May 1903 he left; since the 1920s, in 1931."
    dates = find_dates(*keys_and_gaps(text))
    parts = [(date.year, date.month, date.day, date.decade, date.places) for date in dates]
    assert parts == [
        (1897, 4, 9, 0, (6, 5, 3)),
        (1903, 5, 0, 0, (9, 8, -1)),
        (0, 0, 0, 1920, (14, -1, -1)),
        (1931, 0, 0, 0, (16, -1, -1)),
    ]


@for_each("number", [0, 1, 12, 19, 20, 21, 82, 90, 100, 112, 250, LARGEST])
def test_numbers_in_words_are_read_again(number: int) -> None:
    """Cardinals and ordinals, to the last word."""
    for words in (cardinal(number).split(), ordinal(number).split()):
        assert read_number(words, 0) == (number, len(words))


def test_numbers_too_large_are_not_written_out() -> None:
    """Neither is a negative one."""
    for number in (-1, LARGEST + 1):
        with pytest.raises(ValueError, match=str(number)):
            ordinal(number)


def test_the_order_of_day_and_month_is_that_of_the_field() -> None:
    """One value that is only possible in one order decides for the rest; without one both are read."""
    (first, _) = read({"born": "4/9/1897"}, {"born": "13/9/1897"})
    assert first == [("born", "September 4, 1897")]
    (first, _) = read({"born": "4/9/1897"}, {"born": "9/13/1897"})
    assert first == [("born", "April 9, 1897")]
    (only,) = read({"born": "4/9/1897"})
    assert only == [("born", "September 4, 1897 April 9, 1897")]


def test_codes_are_read_beside_the_other_values_of_their_field() -> None:
    """DE is Delaware among states and Germany among countries; in a field of words it stays."""
    states = read({"place": "DE"}, {"place": "ND"})
    assert states[0] == [("place", "Delaware, Del."), ("", "DE")]
    assert states[1] == [("place", "North Dakota, N. Dak."), ("", "ND")]
    assert read({"x": "DE"}, {"x": "POL"})[0] == [
        ("x", "Germany, Federal Republic of Germany"),
        ("", "DE"),
    ]
    assert read({"country": "CA"})[0] == [("country", "Canada"), ("", "CA")]
    assert read({"code": "DE"}, {"code": "XQ"})[0] == [("code", "DE")]


def test_small_numbers_are_words_and_runs_are_counted() -> None:
    """Who has several numbers has sessions; digits are another wording."""
    profile = read({"session": ["82", "83", "84", "90"]})[0]
    assert ("session", "eighty second") in profile
    assert ("", "82") in profile
    assert ("session from", "eighty second and two succeeding") in profile
    assert ("session from", "ninetieth") in profile
    assert read({"session": "82, 83"})[0][-1] == (
        "session from",
        "eighty second and one succeeding",
    )
    assert read({"age": "34"})[0][0] == ("age", "thirty four thirty fourth")
    assert read({"year": "1897"}, {"year": "34"})[0] == [("year", "1897")]


def test_two_fields_of_a_period_are_one() -> None:
    """With the years again, by which texts name it; a start without an end is a date."""
    assert read({"term_start": "1951-01-03", "term_end": "1953-01-03"})[0] == [
        ("term", "January 3, 1951 - January 3, 1953"),
        ("term years", "1951"),
        ("term years", "1953"),
    ]
    assert read({"from": "1951-01-03"})[0] == [("from", "January 3, 1951")]


def test_sexes_have_names_and_texts_stay() -> None:
    """A code in a field of codes; an ISO date inside a text is written out."""
    assert read({"sex": "F"}, {"sex": "m"})[0] == [("sex", "F"), ("", "female")]
    assert read({"note": "Left on 1951-01-03 for F."})[0] == [
        ("note", "Left on January 3, 1951 for F.")
    ]


def test_encoders_read_the_usual_wording_only() -> None:
    """Other wordings are words all the same."""
    person = Person("a", "Anna", tuple(read({"session": ["82", "83"]})[0]))
    text = "name: Anna; session: eighty second, eighty third; session from: eighty second and one succeeding"
    assert linearize(person) == text
    assert terms(person)["82"] == 1


def test_a_raw_register_shows_what_a_spelled_one_shows(tmp_path: Path) -> None:
    """Codes, numbers and dates lead to the person as the words do."""
    raw = [
        Person(
            "a", "", (("state", "ND"), ("session", "82"), ("session", "83"), ("born", "09/04/1897"))
        ),
        Person("b", "", (("state", "VA"), ("session", "82"), ("born", "13/04/1898"))),
    ]
    spelled = [
        Person("a", "", (("all", "North Dakota N Dak, eighty second third 9 April 1897"),)),
        Person("b", "", (("all", "Virginia Va, eighty second, 13 April 1898"),)),
    ]
    text = worded("Of N. Dak., born April 9, 1897, in the Eighty-third Congress.")
    for index, people in enumerate((raw, spelled)):
        register = store(tmp_path / f"{index}.db", people)
        for attacker in word_attackers(register):
            scores = attacker.scores(text, np.zeros((1, len(text)), dtype=bool))[0]
            assert rank_of(scores, 0) == 1
            assert scores[0] > scores[1] + 1
    assert store(tmp_path / "c.db", raw).kinds["born"] == FieldKind.DAY_FIRST


def test_a_store_keeps_the_register_as_it_is(tmp_path: Path) -> None:
    """What attackers read is another view of it."""
    with PeopleBuilder(tmp_path / "p.db") as builder:
        builder.add(Person("a", "Anna", (("state", "ND"),)))
    people = store(tmp_path / "q.db", [Person("a", "Anna", (("state", "ND"),))])
    assert people.person(0).profile == (("state", "ND"),)
    assert people.reading(0).profile == (("state", "North Dakota, N. Dak."), ("", "ND"))
