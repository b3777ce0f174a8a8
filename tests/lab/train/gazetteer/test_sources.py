"""The sources of the gazetteer: Wikidata slice and dump, WordNet, word lists."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tacenda.detect.gazetteer import GROUPS
from tacenda.errors import InputError
from tacenda_lab.train.gazetteer_sources import (
    CLASSES,
    FILES,
    PROPERTIES,
    ROOTS,
    WRITTEN,
    read_dump,
    read_lists,
    read_properties,
    read_slice,
    read_wordnet,
)
from tacenda_lab.train.lexicons import licence


def statement(property: str, item: str, rank: str = "normal", **qualifiers: str) -> dict[str, Any]:
    """Return a statement as a dump has it, that ``property`` is ``item``."""
    return {
        "mainsnak": _snak(property, {"entity-type": "item", "id": item}),
        "type": "statement",
        "rank": rank,
        "qualifiers": {p: [_snak(p, {"entity-type": "item", "id": q})] for p, q in qualifiers.items()},
    }  # fmt: skip


def _snak(property: str, value: dict[str, str]) -> dict[str, Any]:
    type = "wikibase-entityid" if "id" in value else "monolingualtext"
    datavalue = {"value": value, "type": type}
    return {"snaktype": "value", "property": property, "datavalue": datavalue}


def entity(id: str, label: str, aliases: tuple[str, ...] = (), **claims: Any) -> dict[str, Any]:
    """Return an entity as a dump has it; one without statements has [] for them."""
    return {
        "type": "item",
        "id": id,
        "labels": {"en": {"language": "en", "value": label}},
        "aliases": {"en": [{"language": "en", "value": alias} for alias in aliases]},
        "claims": claims or [],
    }


def dump() -> list[str]:
    """Return the lines of a dump: values before and after the people who have them."""
    demonym = statement("P1549", "Q0")
    demonym["mainsnak"] = _snak("P1549", {"text": "Ruritanian", "language": "en"})
    unknown = statement("P106", "Q0")
    unknown["mainsnak"] = {"snaktype": "somevalue", "property": "P106"}
    human = [statement("P31", "Q5")]
    entities = [
        entity("Q1", "lamplighter", ("lamp lighter",)),
        entity("Q2", "Ann Other", P31=human, P106=[statement("P106", "Q1"), unknown],
               P27=[statement("P27", "Q4")], P69=[statement("P69", "Q9", P512="Q6")]),
        entity("Q3", "Bob Other", P31=human, P106=[statement("P106", "Q1")],
               P1050=[statement("P1050", "Q7", rank="deprecated")]),
        entity("Q4", "Ruritania", P1549=[demonym]),
        entity("Q6", "Master of Letters"),
        entity("Q7", "lycanthropy"),
        entity("Q8", "chimney pot"),
        entity("Q9", "University of Strelsau"),
        {"type": "item", "id": "Q10", "labels": [], "aliases": [], "claims": []},
    ]  # fmt: skip
    return ["[\n", *(json.dumps(item) + ",\n" for item in entities), "]\n"]


def test_a_dump_gives_the_values_that_people_have(tmp_path: Path) -> None:
    """Labels and aliases with the number of people; demonyms of countries; qualifiers too.

    A deprecated value, and an item that nobody has, are none.
    """
    done = []
    found = list(read_dump(dump(), tmp_path / "spool", "dump", lambda: done.append(1)))
    assert sorted((c.term, c.group, c.uses) for c in found) == [
        ("Master of Letters", "degree", 1),
        ("Ruritanian", "nationality", 1),
        ("lamp lighter", "occupation", 2),
        ("lamplighter", "occupation", 2),
    ]
    assert len(done) == 9


@pytest.mark.parametrize(
    ("line", "fault"), [("{", "line 2 is not JSON"), ('{"a": 1}', "line 2 is not an entity")]
)
def test_a_damaged_dump_is_an_error_with_its_line(tmp_path: Path, line: str, fault: str) -> None:
    """Nothing is skipped in silence."""
    with pytest.raises(InputError, match=fault):
        list(read_dump(["[", line], tmp_path / "spool", "dump", lambda: None))


def write_slice(folder: Path, **tables: str) -> Path:
    """Write the tables of a slice; rows are separated by semicolons."""
    header = "id\tnode1\tlabel\tnode2\n"
    for name in ("labels.en", "aliases.en", "derived.P31", "derived.P279"):
        rows = [row.strip().split("|") for row in tables.get(name.replace(".", "_"), "").split(";")]
        text = header + "".join(f"x\t{row[0]}\tx\t{row[1]}\n" for row in rows if len(row) == 2)
        with gzip.open(folder / f"{name}.tsv.gz", "wt", encoding="utf-8") as file:
            file.write(text)
    return folder


def test_a_slice_gives_subclasses_and_their_instances(tmp_path: Path) -> None:
    r"""Below a root, at any depth; never the root itself, nor a human who is an instance."""
    folder = write_slice(
        tmp_path,
        derived_P279="Q100|Q12737077; Q101|Q100",
        derived_P31="Q102|Q101; Q103|Q101; Q103|Q5",
        labels_en=r"Q12737077|'occupation'@en; Q101|'ship\'s cook'@en; Q102|'pastry cook'@en; "
        "Q103|'Ann Cook'@en",
        aliases_en="Q101|'galley cook'@en; Q999|'other'@en",
    )
    found = [(c.term, c.group) for c in read_slice(folder)]
    terms = ["ship's cook", "pastry cook", "galley cook"]
    assert found == [(term, "occupation") for term in terms]


def test_a_slice_without_a_table_names_it(tmp_path: Path) -> None:
    """And the tables that are needed."""
    with pytest.raises(InputError, match=r"derived\.P279"):
        list(read_slice(tmp_path))


_NOUNS = """  1 This software and database is being provided to you.
00000001 18 n 01 worker 0 000 | one who works
00000002 18 n 02 ship's_cook 0 cook 0 001 @ 00000001 n 0000 | one who cooks
00000003 18 n 01 Escoffier 0 001 @i 00000002 n 0000 | a cook
00000004 15 n 01 country 0 000 | a land
00000005 15 n 01 Ruritania 0 001 @i 00000004 n 0000 | a country
00000006 13 n 01 cook 0 000 | another meaning, here the more frequent one
"""
_INDEX = """worker n 1 0 1 0 00000001
ship's_cook n 1 0 1 0 00000002
cook n 2 0 2 0 00000006 00000002
escoffier n 1 0 1 0 00000003
country n 1 0 1 0 00000004
ruritania n 1 0 1 0 00000005
"""
_ADJECTIVES = "00000009 01 a 01 Ruritanian(a) 0 001 \\ 00000005 n 0101 | of Ruritania\n"


def test_wordnet_gives_hyponyms_and_adjectives_of_countries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word counts in its first sense; a famous cook is no sort of cook."""
    for name, text in (("data.noun", _NOUNS), ("index.noun", _INDEX), ("data.adj", _ADJECTIVES)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    module = "tacenda_lab.train.gazetteer_sources"
    monkeypatch.setattr(f"{module}.ROOTS", {"occupation": (("worker", 1),)})
    monkeypatch.setattr(f"{module}._PLACES", (("country", 1),))
    assert [(c.term, c.group) for c in read_wordnet(tmp_path)] == [
        ("worker", "occupation"),
        ("ship's cook", "occupation"),
        ("Ruritanian", "nationality"),
    ]
    assert licence(tmp_path) == "This software and database is being provided to you.\n"


def test_wordnet_without_a_sense_is_refused(tmp_path: Path) -> None:
    """Another version than the one that the roots are of would give other terms."""
    for name, text in (("data.noun", _NOUNS), ("index.noun", _INDEX), ("data.adj", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="use WordNet 3"):
        list(read_wordnet(tmp_path))


def test_lists_give_leaves_and_headings_but_no_notes(tmp_path: Path) -> None:
    """A religion that has branches is a term, too."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("[]", encoding="utf-8")
    tree = {"description": "A tree.", "Zamonism": {"Old Zamonism": ["Inner Zamonism"]}}
    (tmp_path / "religion/religions.json").write_text(json.dumps(tree), encoding="utf-8")
    written = {term.replace("_", " ") for terms in WRITTEN.values() for term in terms.split()}
    found = {c.term for c in read_lists(tmp_path)} - written
    assert found == {"Zamonism", "Old Zamonism", "Inner Zamonism"}


def test_a_missing_list_is_named(tmp_path: Path) -> None:
    """The first of the lists that is not there."""
    with pytest.raises(InputError, match=r"humans/occupations\.json"):
        list(read_lists(tmp_path))


def test_every_table_speaks_of_groups_that_exist() -> None:
    """And no property is kept twice."""
    used = {p.group for p in PROPERTIES} | {*CLASSES, *ROOTS, *WRITTEN, *FILES.values()}
    assert used == set(GROUPS)
    assert len({p.id for p in PROPERTIES}) == len(PROPERTIES)


def test_own_properties_take_the_place_of_ours(tmp_path: Path) -> None:
    """Values of the properties of the file alone are terms: of citizenship the demonyms, of degrees none."""
    path = tmp_path / "properties.tsv"
    path.write_text(
        "# ours\n\nP27\tcitizenship\tnationality\tdemonym\nP106\twork\toccupation\n",
        encoding="utf-8",
    )
    properties = read_properties(path)
    found = read_dump(dump(), tmp_path / "spool", "dump", lambda: None, properties)
    assert sorted((c.term, c.group, c.uses) for c in found) == [
        ("Ruritanian", "nationality", 1),
        ("lamp lighter", "occupation", 2),
        ("lamplighter", "occupation", 2),
    ]


def test_a_semantic_type_is_group_enough(tmp_path: Path) -> None:
    """As the paper sorts its properties: DEM or MISC, each a group of that type."""
    path = tmp_path / "properties.tsv"
    path.write_text("P106\toccupation\tDEM\nP1399\tconvicted of\tMISC\n", encoding="utf-8")
    assert [(p.id, GROUPS[p.group]) for p in read_properties(path)] == [
        ("P106", "DEM"),
        ("P1399", "MISC"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("P106\twork\toccupation\nP27\tcitizenship\tcountry", "line 2 must be id, name and group"),
        ("106\twork\toccupation", "line 1 must be id"),
        ("P27\tcitizenship\tnationality\tplace", "line 1 must be id"),
        ("P106\twork\toccupation\nP106\tjob\toccupation", "line 2: P106 occurs twice"),
        ("# nothing\n", "contains no property"),
    ],
)
def test_a_file_that_has_no_properties_is_refused(
    tmp_path: Path, content: str, message: str
) -> None:
    """With the number of the line, and the groups there are."""
    path = tmp_path / "properties.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_properties(path)
