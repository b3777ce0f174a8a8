"""Linked units: a field of the register in all its wordings, the name wherever it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.background.profiles import Person
from tacenda.reidentify.anonymize.anonymize import (
    anonymize,
    margin_of,
    only_judges_learned,
    required_units,
)
from tacenda.reidentify.anonymize.linked_units import linked_units, named_words
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.panel import Panel
from tests.examples import for_each
from tests.reidentify.village import store, word_attackers, worded

MEMBERS = (
    Person(
        "a",
        "Joel Abbot",
        (
            ("birth_date", "1776-03-17"),
            ("states", "GA"),
            ("congresses", "15"),
            ("congresses", "16"),
            ("congresses", "17"),
        ),
    ),
    *(
        Person(
            str(n),
            f"Nobody {n}",
            (("birth_date", f"18{n}-01-02"), ("states", "ND"), ("congresses", str(n))),
        )
        for n in range(20, 40)
    ),
)
TEXT = (
    "A Representative from Georgia; born in Ridgefield, Conn., March 17, 1776; of Washington, Wilkes County, Ga.; "
    "in the 1770s; elected to the Fifteenth and the two succeeding Congresses (1817-1823); at the age of 41 in 1817; "
    "member for Washington."
)


def strings(path: Path, text: str = TEXT) -> list[set[str]]:
    """Return the words of the units of several words, of a text about the first member."""
    document = worded(text)
    units = linked_units(document, 0, store(path, MEMBERS)).units
    words = [{document.keys[place] for place in unit.words} for unit in units]
    return [unit for unit in words if len(unit) > 1]


def test_a_field_is_one_unit_in_all_its_wordings(tmp_path: Path) -> None:
    """A date with its decade and the age that follows; a state with what lies in it; numbers that run on."""
    units = strings(tmp_path / "p.db")
    assert {"march", "17", "1776", "1770s", "41"} in units
    assert {"georgia", "ga", "washington", "wilkes"} in units
    assert {"fifteenth", "two"} in units
    assert not any("ridgefield" in unit for unit in units)


def test_a_word_is_in_one_unit_and_stop_words_in_none(tmp_path: Path) -> None:
    """Units are disjoint, and hold every word but stop words."""
    document = worded(TEXT)
    linked = linked_units(document, 0, store(tmp_path / "p.db", MEMBERS))
    places = [place for unit in linked.units for place in unit.words]
    assert len(places) == len(set(places))
    rest = {key for place, key in enumerate(document.keys) if place not in set(places)}
    assert rest <= {"a", "from", "in", "of", "to", "the", "and", "at", "for"}


@for_each(
    ("text", "expected"),
    [
        ("Joel Abbot's farm", "joel abbot"),
        ("he moved to Abbot, Maine", "abbot"),
        ("signed J. Abbot", "j abbot"),
        ("write to jabbot@example.org", "jabbot"),
        ("write to joel.abbot@example.org", "joel abbot"),
        ("J. Smith", ""),
        ("signed J. A.", "j a"),
        ("regards, JA", "ja"),
        ("ask @joel_abbot7 or jabbot", "joel abbot7 jabbot"),
        ("Mr Abbott, of JAX", "abbott"),
        ("see @sparky77", "sparky77"),
    ],
)
def test_the_name_counts_wherever_it_stands(text: str, expected: str) -> None:
    """Possessives, places, initials, addresses, user names, sounds; a common word in lower case is none."""
    document = worded(text)
    assert (
        " ".join(document.keys[place] for place in named_words(document, "Joel Abbot")) == expected
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Liz came. So did Beth Marsh", "liz beth marsh"),
        ("ask lizmarsh or @beth_marsh", "lizmarsh beth marsh"),
        ("Liz Abbot came", ""),
    ],
)
def test_short_forms_of_given_names_count(text: str, expected: str) -> None:
    """Alone, with the surname, and in user names; not with another surname."""
    document = worded(text)
    words = [document.keys[place] for place in named_words(document, "Elizabeth Marsh")]
    assert " ".join(words) == expected


def test_what_few_share_is_always_masked_and_the_name_first(tmp_path: Path) -> None:
    """Georgia is one man's here; North Dakota is twenty people's."""
    people = store(tmp_path / "p.db", MEMBERS)
    document = worded("Abbot of Georgia knew North Dakota.")
    linked = linked_units(document, 0, people)
    crowds = linked.crowds_of(linked.units)
    required = required_units(linked.units, named_words(document, "Joel Abbot"), crowds, 2)
    keys = [{document.keys[place] for place in linked.units[unit].words} for unit in required]
    assert keys == [{"abbot"}, {"georgia"}]


def test_dates_go_where_only_the_judge_has_learned_from_texts(tmp_path: Path) -> None:
    """A year that no register has tells an era to whoever has read other lives."""
    people = store(tmp_path / "p.db", MEMBERS)
    document = worded("He went to school in 1799 and to sea in March 1811.")
    linked = linked_units(document, 0, people)
    crowds = linked.crowds_of(linked.units)
    required = required_units(linked.units, (), crowds, 2, linked.dated)
    words = {document.keys[n] for unit in required for n in linked.units[unit].words}
    assert words == {"1799", "march", "1811"}
    bm25, encoder = (open_attackers(name, people)[0] for name in ("bm25", "encoder"))
    assert only_judges_learned(Panel((bm25,), (encoder,)))
    assert not only_judges_learned(Panel((encoder,), (bm25,)))
    assert not only_judges_learned(Panel((bm25,), ()))


def test_the_name_is_masked_though_nobody_finds_it(tmp_path: Path) -> None:
    """Whoever reads needs no attacker; the rest may stay."""
    people = store(tmp_path / "p.db", MEMBERS)
    attackers = word_attackers(people)
    result = anonymize(worded("J. Abbot came."), 0, attackers, 2, people=people)
    assert [span.of("J. Abbot came.") for span in result.spans] == ["J. Abbot"]
    assert result.reached


def test_the_margin_is_far_above_k_and_differs_by_document() -> None:
    """In a large store about 160 times K, in a small one an eighth of the people, never below K."""
    margins = {margin_of(10, 100_000, worded(str(n))) for n in range(50)}
    assert len(margins) > 10
    assert all(1200 <= margin <= 2000 for margin in margins)
    assert all(margin_of(10, 200, worded(str(n))) <= 32 for n in range(50))
    assert margin_of(10, 12, worded("x")) == 10
