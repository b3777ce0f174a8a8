"""The people, places and numbers of one document."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("faker", reason="needs the extra 'train'")

from tacenda_lab.train.generated.frames import countries, load_words
from tacenda_lab.train.generated.person import form, new_person, plain
from tacenda_lab.train.generated.world import World

SEEDS = range(40)


def world(seed: int) -> World:
    """Return a world without a data folder."""
    return World(Random(seed), load_words(None))


def test_what_names_the_subject_is_direct_and_others_are_quasi() -> None:
    """Names, user names, addresses and numbers of ``me`` against those of anyone else."""
    for seed in SEEDS:
        here = world(seed)
        for name in ("full", "titled", "handle", "at", "email", "phone", "url", "initials"):
            assert here.fill(f"me.{name}")[2] == "DIRECT"
            assert here.fill(f"p1.{name}")[2] == "QUASI"
        assert here.fill("passport")[1:] == ("CODE", "DIRECT")
        assert here.fill("their.employee")[1:] == ("CODE", "QUASI")


def test_a_person_is_the_same_throughout() -> None:
    """First and last name are part of the full name, and e-mail and phone don't change."""
    for seed in SEEDS:
        here = world(seed)
        full = here.fill("me.full")[0]
        assert full.startswith(here.fill("me.first")[0])
        assert full.endswith(here.fill("me.last")[0])
        assert here.fill("me.email") == here.fill("me.email")
        assert here.fill("me.phone") == here.fill("me.phone")


def test_a_home_is_one_place() -> None:
    """The address is in the town where one lives, and the tag is the town's name."""
    for seed in SEEDS:
        here = world(seed)
        city = here.fill("home.city")[0]
        assert city in here.fill("home.address")[0]
        assert here.fill("home.tag")[0] == "#" + "".join(filter(str.isalnum, city))


def test_one_mark_is_one_value() -> None:
    """``#1`` is the same wherever it stands, and without a mark values differ."""
    here = world(1)
    assert here.fill("policy", "1") == here.fill("policy", "1")
    assert len({here.fill("policy") for _ in range(20)}) > 10


def test_a_career_goes_backwards() -> None:
    """Each year and span of years ends where, or before, the one named last began."""
    here = world(2)
    first = int(here.fill("back")[0])
    span = here.fill("years")[0]
    assert span.endswith(str(first))
    assert int(span[:4]) < first
    assert int(here.fill("back")[0]) < int(span[:4])


def test_pronouns_are_no_mentions() -> None:
    """Words that agree with a person's gender carry no type, and an unknown form is none."""
    person = new_person(Random(1), countries()[0], ["otter"])
    assert form(person, "his", Random(1)) == (("his" if person.male else "her"), "")
    assert form(person, "shoe", Random(1)) is None
    with pytest.raises(KeyError, match="shoe"):
        world(1).fill("me.shoe")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Łukasz", "lukasz"),
        ("O'Brien", "obrien"),
        ("Þórsdóttir", "torsdottir"),
        ("İbrahim", "ibrahim"),
    ],
)
def test_names_in_addresses_are_plain(name: str, expected: str) -> None:
    """Small Latin letters only."""
    assert plain(name) == expected
