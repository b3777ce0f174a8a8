"""Items become things: by membership properties, up to the classes written by hand."""

from __future__ import annotations

import bz2
import json
import re
from pathlib import Path

import pytest

from tacenda.errors import InputError
from tacenda.rewrite.ontology import shipped
from tacenda.rewrite.ontology.store import ancestors
from tacenda_lab.train.ontology.descriptions import Descriptions
from tacenda_lab.train.ontology.hierarchy import (
    Hierarchy,
    Thing,
    WikidataItem,
    read_reasons,
    read_tree,
    with_article,
)
from tacenda_lab.train.ontology.places import PlaceGazetteer, quarters_of, read_demonyms
from tacenda_lab.train.ontology.registers import RegisterRow, read_registers
from tacenda_lab.train.ontology.wikidata import read_dump, read_wikidata

_ITEMS = (
    WikidataItem("Q1", "drummer", (), "", {"P31": ("Q28640",), "P279": ("Q2",)}),
    WikidataItem("Q2", "percussionist", (), "", {"P279": ("Q3", "Q2")}),
    WikidataItem("Q3", "musician", (), "", {"P279": ("Q4",)}),
    WikidataItem("Q4", "wonderful entity", (), "", {"P279": ("Q3",)}),
    WikidataItem("Q28640", "profession", (), "", {"P279": ("Q4",)}),
    WikidataItem("Q6", "Ringo Starr", (), "drummer", {"P31": ("Q5",)}),
    WikidataItem("Q5", "human"),
    WikidataItem("Q7", "Category:Drummers", (), "", {"P31": ("Q8",)}),
    WikidataItem("Q8", "Wikimedia category"),
    WikidataItem("Q9", "jazz", (), "", {"P31": ("Q10",)}),
    WikidataItem("Q10", "kind of tune", (), "", {"P8225": ("Q11",)}),
    WikidataItem("Q11", "creative work", (), "", {"P279": ("Q4",)}),
    WikidataItem("Q12", "handle", (), "", {"P361": ("Q13",)}),
    WikidataItem("Q13", "door", (), "", {"P279": ("Q4",)}),
    WikidataItem("Q14", "Skorb", (), "Norwegian football club", {"P31": ("Q15",)}),
    WikidataItem("Q15", "football club", (), "", {"P279": ("Q4",)}),
)


def _things(items: tuple[WikidataItem, ...] = _ITEMS) -> tuple[Hierarchy, dict[str, Thing]]:
    tree = read_tree()
    hierarchy = Hierarchy(tree.classes)
    gazetteer = PlaceGazetteer(countries={"NO": "Norway"}, codes={"norway": "NO"})
    demonyms = {"norwegian": "Norway"}
    found = read_wikidata(hierarchy, gazetteer, tree.labels, lambda: iter(items), demonyms)
    return hierarchy, {thing.names[0]: thing for thing in found}


def _texts(hierarchy: Hierarchy, thing: Thing) -> set[str]:
    return {hierarchy.classes[key].text for key in hierarchy.ancestors(thing.classes)}


def test_a_drummer_is_a_percussionist_and_a_musician() -> None:
    """P31 and P279 are climbed, over a class that is below itself, to a class written by hand."""
    hierarchy, things = _things()
    assert {"percussionist", "musician", "profession", "person"} <= _texts(
        hierarchy, things["drummer"]
    )


@pytest.mark.parametrize(
    ("classes", "kept"),
    [
        (("museum", "event"), ("museum",)),
        (("dancing", "field of study"), ("dancing",)),
        (("crime", "legal proceeding"), ("crime", "legal proceeding")),
        (("event", "activity"), ("event", "activity")),
        (("publisher",), ("publisher",)),
    ],
)
def test_what_a_thing_is_besides_goes_where_more_is_known(
    classes: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    """A museum is no event, whatever way leads there; a crime is an event of its own kind."""
    hierarchy = Hierarchy(read_tree().classes)
    hierarchy.add("dancing", "dancing", ["activity"], "wordnet:n1")
    assert hierarchy.mainly(classes) == kept


def test_what_a_reader_does_not_understand_is_stepped_over() -> None:
    """A class of the cut list is no option."""
    hierarchy, things = _things()
    assert not any(
        "entity" in text for thing in things.values() for text in _texts(hierarchy, thing)
    )


def test_people_and_categories_are_not_in_it() -> None:
    """Humans and pages of Wikimedia are no things."""
    assert not {"Ringo Starr", "Category:Drummers"} & _things()[1].keys()


def test_a_metaclass_leads_to_what_its_instances_are() -> None:
    """Is metaclass for (P8225): what is an instance of a kind of tune is a creative work."""
    hierarchy, things = _things()
    assert "creative work" in _texts(hierarchy, things["jazz"])


def test_part_of_is_the_last_way() -> None:
    """What has no class is said to be a part of what it is a part of."""
    hierarchy, things = _things()
    assert _texts(hierarchy, things["handle"]) == {"part of a door"}


def test_a_description_tells_the_country() -> None:
    """Norwegian football club: football club in Norway."""
    hierarchy, things = _things()
    assert "football club in Norway" in _texts(hierarchy, things["Skorb"])


def test_two_countries_in_a_description_are_none() -> None:
    """A description that names two countries does not say in which the thing is."""
    gazetteer = PlaceGazetteer({"NO": "Norway", "SE": "Sweden"}, {"norway": "NO", "sweden": "SE"})
    described = Descriptions(gazetteer, {"river": "river"}, {})
    assert described.country("river in Norway") == "Norway"
    assert described.country("river in Norway and Sweden") == ""
    assert described.classes("long river in Norway") == ("river",)


def test_a_capital_lies_where_its_town_does() -> None:
    """What GeoNames says of a town's place is kept where Wikidata adds a class."""
    items = (
        WikidataItem("Q20", "Vik", (), "", {"P31": ("Q21",)}),
        WikidataItem("Q21", "state capital"),
    )
    gazetteer = PlaceGazetteer(
        towns={"vik": [(80_000, "NO")]},
        classes={"vik": ("city",)},
        within={"vik": ("Skorb", "Norway")},
    )
    tree = read_tree()
    hierarchy = Hierarchy(tree.classes)
    (thing,) = read_wikidata(hierarchy, gazetteer, tree.labels, lambda: iter(items), {})
    assert thing.classes == ("city", "state capital")
    assert thing.where == ("Skorb", "Norway")


def test_an_item_labelled_like_a_class_may_be_none() -> None:
    """Energy transferred is no work of art; a state is no constituency; who is all is nothing."""
    items = (
        WikidataItem("Q20", "heat", (), "", {"P279": ("Q42213",)}),
        WikidataItem("Q42213", "work", (), "", {"P279": ()}),
        WikidataItem("Q22", "Vik", (), "", {"P31": ("Q23",)}),
        WikidataItem("Q23", "federative unit", (), "", {"P279": ("Q24", "Q25")}),
        WikidataItem("Q24", "electoral district", (), "", {"P279": ()}),
        WikidataItem("Q25", "administrative region", (), "", {"P279": ()}),
        WikidataItem("Q26", "Skorb", (), "", {"P31": ("Q27", "Q28", "Q29")}),
        WikidataItem("Q27", "crime"),
        WikidataItem("Q28", "technology"),
        WikidataItem("Q29", "legal proceeding"),
    )
    hierarchy, things = _things(items)
    assert "heat" not in things
    assert "Skorb" not in things
    assert "administrative region" in _texts(hierarchy, things["Vik"])
    assert "constituency" not in _texts(hierarchy, things["Vik"])


def test_a_company_is_said_without_the_country_of_its_register() -> None:
    """A firm of many countries is registered in one of them, a college in its own."""
    gazetteer = PlaceGazetteer({"NO": "Norway"}, {"norway": "NO"})
    rows = [
        RegisterRow("Skorb AS", "company", "Norway", "ROR (CC0)"),
        RegisterRow("Vik College", "education", "Norway", "ROR (CC0)"),
        RegisterRow("World Bee Society", "nonprofit", "Norway", "ROR (CC0)"),
    ]
    hierarchy = Hierarchy(read_tree().classes)
    rows.append(RegisterRow("Vik Community College", "university", "Norway", "Hipo universities"))
    company, college, society, other = read_registers(hierarchy, gazetteer, rows)
    assert company.classes == ("company",)
    assert college.classes == ("college in Norway",)
    assert society.classes == ("nonprofit organization",)
    assert other.classes == ("college in Norway",)


def test_a_quarter_of_a_city_is_no_town() -> None:
    """What lies within a much larger place is a settlement; a town beyond it stays one."""
    rows = [
        {
            "geonameid": number,
            "countrycode": "NO",
            "population": people,
            "latitude": 60.0,
            "longitude": east,
        }
        for number, people, east in ((1, 900_000, 10.0), (2, 50_000, 10.05), (3, 50_000, 11.0))
    ]
    assert quarters_of(rows) == {2}


def test_a_dump_gives_the_same_things(tmp_path: Path) -> None:
    """The lines of a real dump, packed, are the same items."""
    path = tmp_path / "dump.json.bz2"
    lines = ",\n".join(json.dumps(_entity(item)) for item in _ITEMS)
    path.write_bytes(bz2.compress(f"[\n{lines}\n]\n".encode()))
    read = tuple(read_dump(str(path), 0, lambda: None))
    assert {item.id: item.statements for item in read} == {
        item.id: item.statements for item in _ITEMS
    }
    ours, theirs = _things(), _things(read)
    assert ours[1] == theirs[1]
    assert ours[0].classes == theirs[0].classes


def _entity(item: WikidataItem) -> dict[str, object]:
    claims = {
        property: [
            {
                "rank": "normal",
                "mainsnak": {"snaktype": "value", "datavalue": {"value": {"id": value}}},
            }
            for value in values
        ]
        for property, values in item.statements.items()
    }
    return {
        "id": item.id,
        "type": "item",
        "labels": {"en": {"language": "en", "value": item.label}},
        "aliases": {},
        "descriptions": {"en": {"language": "en", "value": item.description}}
        if item.description
        else [],
        "claims": claims or [],
        "sitelinks": {},
    }


def test_an_item_of_few_wikipedias_is_left_out_of_a_dump(tmp_path: Path) -> None:
    """Classes are read all the same."""
    path = tmp_path / "dump.json"
    path.write_text("\n".join(json.dumps(_entity(item)) for item in _ITEMS), encoding="utf-8")
    assert {item.id for item in read_dump(str(path), 1, lambda: None)} == {
        item.id for item in _ITEMS if "P279" in item.statements
    }


def test_a_dump_that_is_none_is_refused(tmp_path: Path) -> None:
    """The error names the line."""
    path = tmp_path / "dump.json"
    path.write_text("[\nnot json\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2 is not JSON"):
        list(read_dump(str(path), 0, lambda: None))


def test_a_class_is_never_above_itself() -> None:
    """A source that closes a circle is not followed."""
    hierarchy = Hierarchy(read_tree().classes)
    hierarchy.add("a", "a", ["place"], "s")
    hierarchy.add("b", "b", ["a"], "s")
    hierarchy.add("a", "a", ["b"], "s")
    assert hierarchy.classes["a"].parents == ("place",)


def test_countries_and_parts_of_the_world_are_said_with_their_article() -> None:
    """City in the United States, place in Norway above city in Norway."""
    hierarchy = Hierarchy(read_tree().classes)
    key = hierarchy.in_country("city", "United States", ("North America", "the Americas"))
    assert key == "city in the United States"
    assert {"city in the Americas", "city", "place in the United States", "place"} <= (
        hierarchy.ancestors([key])
    )
    assert with_article("Norway") == "Norway"


def test_the_list_of_classes_is_a_tree() -> None:
    """Every class has types and parents that are classes, and labels mean classes."""
    tree = read_tree()
    for text, each in tree.classes.items():
        assert each.types
        assert all(parent in tree.classes for parent in each.parents)
        assert text not in set(each.parents)
    assert set(tree.labels.values()) <= tree.classes.keys()
    assert {text for texts in tree.names.values() for text in texts} == tree.classes.keys()


def test_a_noun_of_two_classes_has_both() -> None:
    """A driver drives lorries or races, so nothing but what both are is said."""
    tree = read_tree()
    assert set(tree.names["driver"]) == {"driver", "racing driver"}
    assert tree.occupation("lorry driver") == "driver"
    assert tree.occupation("pool driver") == "profession"
    assert tree.occupation("xyzzy") == "profession"


def test_names_stand_below_their_class(tmp_path: Path) -> None:
    """A row of names says no class of its own; before any class it is refused."""
    path = tmp_path / "classes.txt"
    path.write_text("    | metropolis\n", encoding="utf-8")
    with pytest.raises(ValueError, match="metropolis"):
        read_tree([path])
    path.write_text("place : LOC\n  city + ~ 1e4\n      | metropolis, big town\n", encoding="utf-8")
    tree = read_tree([path])
    assert tree.classes["city"].least == 10_000
    assert tree.classes["city"].with_country
    assert tree.names["big town"] == ("city",)
    assert "big town" not in tree.labels


def test_adjectives_of_countries_are_read(tmp_path: Path) -> None:
    """An adjective that pertains to a country, and is called like it or listed."""
    (tmp_path / "data.adj").write_text(
        "00000001 01 a 02 Norwegian 0 Norse 0 001 \\ 00000009 n 0101 | of Norway\n",
        encoding="utf-8",
    )
    (tmp_path / "data.noun").write_text(
        "00000009 15 n 01 Norway 0 000 | a country\n", encoding="utf-8"
    )
    listed = tmp_path / "nationalities.json"
    listed.write_text('{"nationalities": ["Danish"]}', encoding="utf-8")
    gazetteer = PlaceGazetteer({"NO": "Norway"}, {"norway": "NO"})
    assert read_demonyms(tmp_path, gazetteer, listed) == {
        "norwegian": "Norway",
        "norse": "Norway",
    }


def test_every_class_written_by_hand_has_its_reason() -> None:
    """One row each, and none for anything else; a class that Wikidata has under none of its names is ours."""
    tree = read_tree()
    reasons = read_reasons()
    assert reasons.keys() == tree.classes.keys()
    assert {reason for reason in reasons.values() if not reason.startswith("wikidata:Q")} == {
        "tacenda"
    }


def test_every_shipped_class_of_ours_has_its_reason() -> None:
    """It is of the table, or one of these with a place: city in Norway, county of Norway, African."""
    reasons, store = read_reasons(), shipped().store
    for id, each in enumerate(store.classes):
        if each.source != "tacenda" or each.text in reasons:
            continue
        above = {store.classes[parent].text for parent in ancestors(store, [id])}
        of_place = re.search(r" (?:in|of) (?:the )?[A-Z]", each.text) and above & reasons.keys()
        assert of_place or "nationality" in above, each.text


@pytest.mark.parametrize("rows", ["place", "place\tbecause", "place\ttacenda\nplace\twikidata:Q1"])
def test_a_reason_is_a_source_or_ours(tmp_path: Path, rows: str) -> None:
    """A row without one, with words, or for a class that has one is refused."""
    path = tmp_path / "reasons.tsv"
    path.write_text(rows, encoding="utf-8")
    with pytest.raises(ValueError, match="needs a new name, a tab and a reason"):
        read_reasons(path)
