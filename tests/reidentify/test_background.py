"""Background knowledge: files to people, people to a store, and what can't be stored."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.background.people import People
from tacenda.background.people_builder import PeopleBuilder, Runs
from tacenda.background.profiles import Person, terms
from tacenda.background.reading import PeopleReader
from tacenda.errors import InputError
from tests.reidentify.village import VILLAGERS, store


def read(path: Path, without: tuple[str, ...] = ()) -> list[Person | InputError]:
    """Return all that is read from a file."""
    return list(PeopleReader(without=frozenset(without)).read(path))


def test_every_format_gives_the_same_people(tmp_path: Path) -> None:
    """JSON Lines, gzipped or not, a list, an object by id, and a table say the same."""
    record = {"id": "a", "name": "Anna", "job": "baker"}
    expected = [Person("a", "Anna", (("job", "baker"),))]
    contents = {
        "a.jsonl": json.dumps(record) + "\n\n",
        "a.json": json.dumps([record]),
        "b.json": json.dumps({"a": {"name": "Anna", "job": "baker"}}),
        "a.csv": "id,name,job\na,Anna,baker\n",
        "a.tsv": "id\tname\tjob\na\tAnna\tbaker\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
        assert read(tmp_path / name) == expected, name
    with gzip.open(tmp_path / "a.jsonl.gz", "wt") as stream:
        stream.write(contents["a.jsonl"])
    assert read(tmp_path / "a.jsonl.gz") == expected


def test_texts_by_id_are_people(tmp_path: Path) -> None:
    """Of an object of texts each is all that is known of its person; a number is none."""
    (tmp_path / "a.json").write_text(json.dumps({"anna": "Anna bakes.", "bela": 3}))
    found, error = read(tmp_path / "a.json")
    assert found == Person("anna", "", (("text", "Anna bakes."),))
    assert "a.json:2: the record is a int" in str(error)


def test_a_profile_is_flattened_and_fields_can_be_left_out(tmp_path: Path) -> None:
    """Lists repeat their field, objects name it, ``profile`` adds nothing, true and null say nothing."""
    record = {
        "id": 7,
        "name": "Anna",
        "text": "secret",
        "profile": {"towns": ["Bergen", "Oslo"], "car": {"make": "Saab"}, "tall": True, "x": None},
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    profile = (("towns", "Bergen"), ("towns", "Oslo"), ("car.make", "Saab"))
    (found,) = read(tmp_path / "a.jsonl", without=("text",))
    assert found == Person("7", "Anna", profile)


def test_without_an_id_the_name_is_it(tmp_path: Path) -> None:
    """A record with neither is an error that names its line; the others are read."""
    (tmp_path / "a.jsonl").write_text('{"name": "Anna"}\n{"job": "baker"}\n[1]\n{bad\n{"id": 1}')
    found = read(tmp_path / "a.jsonl")
    assert [item.id for item in found if isinstance(item, Person)] == ["Anna", "1"]
    messages = [str(item) for item in found if isinstance(item, InputError)]
    assert [":2" in messages[0], ":3" in messages[1], ":4" in messages[2]] == [True] * 3


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.txt", b"x"), ("a.json", b"{"), ("a.json", b"3"), ("a.csv", b"\xff\xfe"), ("a.gz", b"")],
)
def test_a_file_that_is_no_register_is_an_error(tmp_path: Path, name: str, content: bytes) -> None:
    """The error names the file."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=name):
        read(tmp_path / name)


def test_dates_are_known_as_texts_write_them(tmp_path: Path) -> None:
    """1966-03-04 is 4 march 1966; a thirteenth month is no date."""
    person = Person("a", "Åsa", (("born", "1966-03-04"), ("code", "1966-13-04")))
    assert terms(store(tmp_path / "p.db", [person]).reading(0)) == Counter(
        "asa 4 march 1966 1966 13 04".split()
    )


def test_people_are_found_by_id_or_by_a_name_of_their_own(tmp_path: Path) -> None:
    """A missing person and a shared name are errors; the latter lists the ids."""
    twins = (*VILLAGERS, Person("anna2", "Anna Berg", ()), Person("bela kun", "X", ()))
    people = store(tmp_path / "p.db", twins)
    assert people.find("carl") == people.find("Carl Lund") == 2
    with pytest.raises(InputError, match=r"'anna', 'anna2'"):
        people.find("Anna Berg")
    with pytest.raises(InputError, match="no person has the id or name 'Zoe'"):
        people.find("Zoe")


def test_two_people_can_not_have_one_id(tmp_path: Path) -> None:
    """The error names the id, and no store is left."""
    with pytest.raises(InputError, match="'anna' occurs twice"):
        store(tmp_path / "p.db", (VILLAGERS[0], VILLAGERS[0]))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_profile_is_counted_and_kept(tmp_path: Path) -> None:
    """The person stays a candidate; so do two people of one name, who are counted."""
    with PeopleBuilder(tmp_path / "p.db") as builder:
        builder.add(Person("a", "Anna", ()))
        builder.add(Person("b", "Anna", (("job", "baker"),)))
    assert (builder.written, builder.empty, builder.shared_names) == (2, 1, 1)
    assert builder.empty_ids == ["a"]
    assert len(People(tmp_path / "p.db")) == 2


def test_what_is_no_store_is_neither_read_nor_written_over(tmp_path: Path) -> None:
    """A text stays as it is; a store is built anew."""
    text = tmp_path / "a.txt"
    text.write_text("Anna")
    for use in (People, PeopleBuilder):
        with pytest.raises(InputError):
            use(text)
    assert text.read_text() == "Anna"
    with pytest.raises(InputError, match="tacenda index people"):
        People(tmp_path / "missing.db")
    store(tmp_path / "p.db")
    assert len(store(tmp_path / "p.db", VILLAGERS[:2])) == 2


def test_a_store_of_nobody_is_an_error(tmp_path: Path) -> None:
    """Nothing could be ranked."""
    with pytest.raises(InputError, match="no people were read"):
        store(tmp_path / "p.db", ())


def test_a_store_gives_back_what_it_was_given(tmp_path: Path) -> None:
    """Profiles, and for each word who has it how often."""
    people = store(tmp_path / "p.db")
    assert tuple(people.person(n) for n in range(len(people))) == VILLAGERS
    found = people.posting("bergen")
    assert (found.people.tolist(), found.counts.tolist()) == ([0, 1], [1, 1])
    assert people.posting("nowhere").people.tolist() == []
    assert people.occurrences("lund") == 2
    assert people.lengths.tolist() == [7, 7, 7, 7, 7]


@given(
    rows=st.lists(st.dictionaries(st.integers(0, 6), st.integers(1, 9)), max_size=12),
    size=st.integers(1, 9),
)
def test_runs_on_disk_are_as_good_as_one_in_memory(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[int, int]], size: int
) -> None:
    """However few rows memory holds, each word has its people in order, with their counts."""
    runs = Runs(tmp_path_factory.mktemp("runs"), rows_a_run=size)
    expected: dict[int, list[tuple[int, int]]] = {}
    for person, counts in enumerate(rows):
        for term, count in counts.items():
            runs.add(term, person, count)
            expected.setdefault(term, []).append((person, count))
    found = {
        term: list(zip(people.tolist(), counts.tolist(), strict=True))
        for term, people, counts in runs.by_term(7)
    }
    assert found == expected
    assert all(isinstance(people, np.ndarray) for _, people, _ in runs.by_term(7))


def test_a_store_may_be_asked_and_closed_in_another_thread(tmp_path: Path) -> None:
    """A server asks in one thread, and the collector closes in whichever it runs."""
    people = store(tmp_path / "p.db")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(people.find, VILLAGERS[0].id).result() == 0
        pool.submit(people._database.close).result()
