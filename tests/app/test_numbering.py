"""One numbering for all documents of a project."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.events import Event
from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.app.store.documents import NewDocument
from tacenda.document import Document
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.app.building import documents
from tests.detectors import KnownNames, Row
from tests.keys import write_key

TAG = re.compile(r"\[PERSON \d+\]")


def project(
    folder: Path,
    known: Sequence[Row],
    *texts: str,
    order: Sequence[int] = (),
    linked: bool = True,
    **policy: Any,
) -> Service:
    """Return a service whose project 1 has these texts, analysed in an order."""
    sanitizer = Sanitizer(Policy(patterns=False, **policy), KnownNames(*known), 0.5)
    made = Service(Store(folder / "projects.db"), sanitizer)
    made.add_project("Letters", documents(*texts), linked=linked)
    for number in order or range(1, len(texts) + 1):
        made.analysed(number, sanitizer.analyze(made.store.documents.text(number)))
    return made


def people(*names: str) -> list[Row]:
    """Return names that are surely people's."""
    return [(name, "PERSON", 1.0) for name in names]


def texts_of(made: Service) -> list[str]:
    """Return what readers get."""
    return [made.open(row.id).reviewed.sanitized.text for row in made.store.documents.of(1)]


LETTERS = (
    "Anna Berg met Ben Cole in Leeds.",
    "Dear Mr Cole, Leeds is near York. Anna Berg",
    "Ben Cole left. Carl Berg of York wrote: Ms Berg knows.",
)
KNOWN = [
    *people("Anna Berg", "Ben Cole", "Carl Berg", "Mr Cole", "Ms Berg"),
    ("Leeds", "LOC", 1.0),
    ("York", "LOC", 1.0),
]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1)])
def test_who_and_what_is_in_several_documents_has_one_tag(
    tmp_path: Path, order: Sequence[int]
) -> None:
    """Whichever document is analysed first; dates have numbers in each document."""
    made = project(tmp_path, KNOWN, *LETTERS, order=order)
    tags = [re.findall(r"\[\w+ \d+\]", text) for text in texts_of(made)]
    anna, ben, leeds = tags[0]
    assert tags[1][:2] == [ben, leeds]
    assert tags[1][3] == anna
    carl, york = tags[2][1:3]
    assert tags[2] == [ben, carl, york, anna]
    assert york == tags[1][2] != leeds
    assert len({anna, ben, carl}) == 3
    made.store.close()


def test_documents_are_numbered_apart_where_the_project_says_so(tmp_path: Path) -> None:
    """As before, each from 1."""
    made = project(tmp_path, KNOWN, *LETTERS, linked=False)
    assert texts_of(made)[2].startswith("[PERSON 1] left. [PERSON 2] of [PLACE 1]")
    made.store.close()


def test_numbers_of_tags_in_any_text_are_nobodys(tmp_path: Path) -> None:
    """Tags that came with one document are left out in all."""
    made = project(tmp_path, KNOWN, "Anna Berg came.", "[PERSON 1] and [PERSON 3] met Ben Cole.")
    assert texts_of(made) == ["[PERSON 2] came.", "[PERSON 1] and [PERSON 3] met [PERSON 4]."]
    made.store.close()


def test_decisions_and_their_undoing_leave_the_numbers_of_others(tmp_path: Path) -> None:
    """What is kept and masked again has its old number, in a store that was closed, too."""
    made = project(tmp_path, KNOWN, *LETTERS)
    before = texts_of(made)
    span = made.open(1).reviewed.sanitized.entities[0].mentions[0].span
    keep = {"kind": "decide", "spans": [[span.start, span.end]], "value": "keep"}
    made.change(1, "ann", 0, Event.of(keep))
    assert texts_of(made) == [
        before[0].replace(TAG.findall(before[0])[0], "Anna Berg"),
        *before[1:],
    ]
    made.undo(1, "ann", 1)
    assert texts_of(made) == before
    made.store.close()
    again = Service(Store(tmp_path / "projects.db"), made.sanitizer)
    assert texts_of(again) == before
    again.store.close()


def test_two_people_of_one_name_in_a_document_have_two_tags(tmp_path: Path) -> None:
    """Split by hand, the second has a number that no other document has."""
    texts = "Ben Cole met Ben Cole.", "Ben Cole left."
    made = project(tmp_path, KNOWN, *texts)
    first, second = (m.span for m in made.open(1).reviewed.sanitized.entities[0].mentions)
    split = {"kind": "split", "spans": [[second.start, second.end]]}
    made.change(1, "ann", 0, Event.of(split))
    one, two, other = TAG.findall(" ".join(texts_of(made)))
    assert one == other != two
    assert first < second
    made.undo(1, "ann", 1)
    assert len(set(TAG.findall(" ".join(texts_of(made))))) == 1
    made.store.close()


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1)])
def test_everybody_is_one_made_up_person_in_all_documents(
    tmp_path: Path, order: Sequence[int]
) -> None:
    """By the whole name, the surname and a short form; a family stays one, and nothing changes later."""
    texts = (
        "Elizabeth Lindqvist met Robert Cole.",
        "Dear Mr Cole, dear Liz Lindqvist",
        "Bob Cole left. Elizabeth Anna Lindqvist and Carl Lindqvist stayed.",
    )
    whole = "Elizabeth Anna Lindqvist", "Elizabeth Lindqvist", "Robert Cole", "Carl Lindqvist"
    known = people(*whole, "Mr Cole", "Liz Lindqvist", "Bob Cole")
    made = project(
        tmp_path,
        known,
        *texts,
        order=order,
        operator="surrogate",
        key_file=write_key(tmp_path / "key"),
    )
    results = texts_of(made)
    first = re.fullmatch(r"(\S+) (\S+) met (\S+) (\S+)\.", results[0])
    assert first is not None
    given, last, _, cole = first.groups()
    second = re.fullmatch(r"Dear Mr (\S+), dear (\S+) (\S+)", results[1])
    assert second is not None
    assert (second[1], second[3]) == (cole, last)
    third = re.fullmatch(r"\S+ (\S+) left\. (\S+) \S+ (\S+) and (\S+) (\S+) stayed\.", results[2])
    assert third is not None
    assert third.group(1, 2, 3, 5) == (cole, given, last, last)
    assert third[4] != given
    for number in order:  # whatever was made up later
        assert made.by_policy(number).sanitized.text == results[number - 1]
    made.store.close()
    again = Service(Store(tmp_path / "projects.db"), made.sanitizer)
    assert texts_of(again) == results
    again.store.close()


def test_a_made_up_name_is_in_no_document(tmp_path: Path) -> None:
    """The one that a document alone would get gives way to the name of somebody in another."""
    key = write_key(tmp_path / "key")
    options = {"operator": "surrogate", "key_file": key}
    (tmp_path / "alone").mkdir()
    alone = project(tmp_path / "alone", KNOWN, "Anna Berg came.", **options)
    (name,) = re.findall(r"(\S+ \S+) came", texts_of(alone)[0])
    alone.store.close()
    made = project(tmp_path, KNOWN, "Anna Berg came.", f"Here is {name}.", **options)
    assert set(name.split()).isdisjoint(texts_of(made)[0].split())
    made.store.close()


def test_two_servers_make_up_one_person(tmp_path: Path) -> None:
    """Who comes second takes over what the first has made up."""
    key = write_key(tmp_path / "key")
    made = project(tmp_path, KNOWN, *LETTERS, operator="surrogate", key_file=key)
    identities = made.store.identities
    (key_of_anna, anna), *_ = identities.made_up(1).items()
    assert identities.make_up(1, {key_of_anna: anna})
    other = dict.fromkeys(anna.names, "Other")
    assert not identities.make_up(1, {key_of_anna: replace(anna, names=other)})
    assert identities.made_up(1)[key_of_anna] == anna
    made.store.close()


def test_a_deleted_project_leaves_no_name(tmp_path: Path) -> None:
    """The keys of its people go with it."""
    made = project(tmp_path, KNOWN, *LETTERS)
    assert made.store.database.rows("SELECT count(*) FROM identity") != [(0,)]
    made.delete_project(1)
    assert made.store.database.rows("SELECT count(*) FROM identity") == [(0,)]
    made.store.close()


GIVEN = "Anna Ben Carl Dora Emil Fred Gina Hugo".split()
SURNAMES = "Kowal Nemitz Ostrom Pavlik".split()
_Person = tuple[str, str]


@contextmanager
def drawn(
    cast: Sequence[Sequence[tuple[_Person, bool]]], order: Sequence[int]
) -> Iterator[Service]:
    """Yield a project of documents with these people, each by the whole name or the surname."""
    texts = [
        "\n".join(f"It was {' '.join(one) if whole else one[1]} again." for one, whole in of_one)
        for of_one in cast
    ]
    everybody = {one for of_one in cast for one, _ in of_one}
    known = people(*map(" ".join, sorted(everybody)), *SURNAMES)
    with TemporaryDirectory() as folder:
        made = project(Path(folder), known, *texts, order=order)
        try:
            yield made
        finally:
            made.store.close()


@given(data=st.data())
def test_everybody_has_one_tag_and_nobody_anothers(data: st.DataObject) -> None:
    """In any project, in any order: a surname alone is whoever alone bears it, else somebody of that document."""
    person = st.tuples(st.sampled_from(GIVEN), st.sampled_from(SURNAMES))
    document = st.lists(st.tuples(person, st.booleans()), min_size=1, max_size=4)
    cast = data.draw(st.lists(document, min_size=1, max_size=4))
    order = data.draw(st.permutations(range(1, len(cast) + 1)))
    whole = {one for of_one in cast for one, is_whole in of_one if is_whole}
    with drawn(cast, order) as made:
        tags: dict[_Person, set[str]] = {}
        unclear: list[tuple[int, str]] = []
        for number, (of_one, text) in enumerate(zip(cast, texts_of(made), strict=True)):
            here = {one for one, is_whole in of_one if is_whole}
            lines = [TAG.findall(line)[0] for line in text.splitlines()]
            for (one, is_whole), tag in zip(of_one, lines, strict=True):
                bearers = {peer for peer in whole if peer[1] == one[1]}
                if is_whole:
                    tags.setdefault(one, set()).add(tag)
                elif len(bearers) == 1:
                    tags.setdefault(next(iter(bearers)), set()).add(tag)
                elif not bearers:
                    tags.setdefault(("", one[1]), set()).add(tag)
                elif not {peer for peer in here if peer[1] == one[1]}:
                    unclear.append((number, tag))
    assert all(len(of_one) == 1 for of_one in tags.values())
    everybody = [next(iter(of_one)) for of_one in tags.values()]
    assert len(set(everybody)) == len(everybody)
    assert not {tag for _, tag in unclear} & set(everybody)
    assert len({tag for _, tag in unclear}) == len(dict.fromkeys(unclear))


def test_a_job_numbers_each_document(tmp_path: Path) -> None:
    """Its texts needn't have anything to do with one another."""
    made = project(tmp_path, KNOWN, "Ben Cole")
    job = made.add_project("job", [NewDocument(Document("a", "Anna"))], purpose="job")
    assert (made.project(1).linked, job.linked) == (True, False)
    made.store.close()
