"""From a document and its entities to findings and combinations."""

from __future__ import annotations

import pytest

from tacenda.document import Combination, Document
from tacenda.risk.search.algorithm import phrases_of
from tacenda.risk.search.indicator import SearchRisk
from tests.building import entity, mention
from tests.risk.search.toy import Pages

TEXT = "Anna Berg and Mr Carl Ek live in the Town of Lund. Mr Ek’s bees sting. Ek, the Town: ***"
DOCUMENT = Document("d", TEXT)
EK = entity(
    "e2",
    mention(DOCUMENT, "Mr Carl Ek"),
    mention(DOCUMENT, "Mr Ek’s"),
    mention(DOCUMENT, "Ek", nth=2),
)
BERG = entity("e1", mention(DOCUMENT, "Anna Berg"))
TOWN = entity(
    "e3", mention(DOCUMENT, "the Town of Lund", "LOC"), mention(DOCUMENT, "the Town", "LOC", nth=1)
)
BEES = entity("e4", mention(DOCUMENT, "bees", "MISC"))
NOTHING = entity("e5", mention(DOCUMENT, "***", "MISC"))


def test_asked_is_the_fullest_string_without_title_and_article() -> None:
    """Strings that a longer one holds ask for less, so the longer one is asked alone."""
    assert phrases_of(DOCUMENT, EK) == ("Carl Ek",)
    assert phrases_of(DOCUMENT, TOWN) == ("Town of Lund",)
    assert phrases_of(DOCUMENT, NOTHING) == ()


def test_different_names_of_one_entity_are_alternatives() -> None:
    """Neither of two names holds the other: either may be on the page; the longest comes first."""
    text = Document("d", "The PKK, or Kurdistan Workers' Party")
    party = entity(
        "e1", mention(text, "PKK", "ORG"), mention(text, "Kurdistan Workers' Party", "ORG")
    )
    assert phrases_of(text, party) == ("Kurdistan Workers' Party", "PKK")


def test_without_a_target_everybody_is_protected() -> None:
    """The people whom the document names are then who must not be found; a surname alone is nobody."""
    backend = Pages({"1": {"bees", "Carl Ek"}, "2": {"Town of Lund"}})
    report = SearchRisk(backend).search(DOCUMENT, (BERG, EK, TOWN, BEES))
    assert report.people == 2
    assert [item.entity_ids for item in report.combinations] == [("e2",), ("e4",)]


def test_where_there_is_nobody_nothing_is_asked() -> None:
    """No target and no person: no query, no finding, and a sentence that says so."""
    backend = Pages({"1": {"bees"}})
    report = SearchRisk(backend).search(DOCUMENT, (BEES,))
    assert report.findings == (None,)
    assert not backend.asked
    assert "Nobody" in next(report.sentences())


def test_an_entity_without_words_is_counted() -> None:
    """What can't be searched for has no finding, and the report says how many there were."""
    report = SearchRisk(Pages({}), ["Anna Berg"]).search(DOCUMENT, (BEES, NOTHING))
    assert report.findings[1] is None
    assert report.wordless == 1
    assert any("no word" in sentence for sentence in report.sentences())


def test_what_the_budget_left_out_is_said() -> None:
    """The report names how many combinations were not asked about, and that they count as safe."""
    backend = Pages({"1": {"bees", "Town of Lund"}, "2": {"Carl Ek"}})
    report = SearchRisk(backend, ["Anna Berg"], budget=2).search(DOCUMENT, (EK, TOWN, BEES))
    assert report.unasked == 5
    assert any("5 combinations were not asked" in sentence for sentence in report.sentences())


def test_answers_are_remembered_from_document_to_document() -> None:
    """The same entities in another document cost no query."""
    backend = Pages({"1": {"bees", "Anna Berg"}})
    risk = SearchRisk(backend, ["Anna Berg"])
    first = risk.search(DOCUMENT, (BERG, BEES))
    second = risk.search(DOCUMENT, (BERG, BEES))
    assert second.combinations == first.combinations
    assert (second.queries, second.remembered) == (0, 3)


def test_both_protocols_give_what_the_report_gives() -> None:
    """``judge`` and ``combinations`` are the two halves of ``search``."""
    risk = SearchRisk(Pages({"1": {"bees", "Anna Berg"}}), ["Anna Berg"])
    report = risk.search(DOCUMENT, (BERG, BEES))
    assert risk.judge(DOCUMENT, (BERG, BEES)) == list(report.findings)
    assert risk.combinations(DOCUMENT, (BERG, BEES)) == report.combinations


@pytest.mark.parametrize(("exhaustive", "asked"), [(False, {"bees"}), (True, {"bees", "Carl Ek"})])
def test_an_engine_is_asked_only_for_what_would_be_left(exhaustive: bool, asked: set[str]) -> None:
    """Of what is masked anyway it learns nothing but the names to protect; an index is asked for all."""
    backend = Pages({"1": {"bees", "Anna Berg"}}, exhaustive)
    risk = SearchRisk(backend, ["Anna Berg"])
    found = risk.combinations_of_kept(DOCUMENT, (BERG, EK, BEES), {"e4"})
    words = {string for query in backend.asked for part in query.parts for string in part}
    assert words == asked | {"Anna Berg"}
    assert ("e4",) in {item.entity_ids for item in found}


@pytest.mark.parametrize("changes", [{"arity": 0}, {"budget": 0}, {"count": 0}, {"bound": 1.0}])
def test_settings_without_sense_are_refused(changes: dict[str, int]) -> None:
    """The message names the value and what is needed."""
    (value,) = changes.values()
    with pytest.raises(ValueError, match=str(value)):
        SearchRisk(Pages({}), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("ids", "risk"), [((), 0.5), (("e1", "e1"), 0.5), (("e1",), 1.5)])
def test_a_combination_names_entities_once_with_a_probability(
    ids: tuple[str, ...], risk: float
) -> None:
    """Nothing, an entity twice, or a risk above one is no combination."""
    with pytest.raises(ValueError, match=r"entity_ids|risk"):
        Combination(ids, risk, ())
