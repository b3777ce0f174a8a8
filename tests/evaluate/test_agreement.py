"""Agreement of annotators on corpora small enough to be worked out by hand."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tacenda.cli.corpus import agreement
from tacenda.errors import InputError
from tacenda.evaluate.agreement import (
    AgreementRow,
    measure_agreement,
    relation_pairs,
    runs_of_characters,
)
from tacenda.evaluate.gold import GoldDocument, load_gold, parse_gold

from .corpus import FIGURE_3, FIGURE_3_TEXT, standoff

app = typer.Typer()
app.command()(agreement)


def row(layer: str, unit: str, match: str = "exact") -> AgreementRow:
    """Return a line of Table 5 for the two annotators of Figure 3."""
    (found,) = (
        row
        for row in measure_agreement(parse_gold([FIGURE_3])).rows
        if (row.layer, row.unit, row.match) == (layer, unit, match)
    )
    return found


def test_an_unmarked_span_is_a_disagreement_on_type() -> None:
    """Seven spans; British and researcher are marked by one only: 5 of 7 agree."""
    found = row("entity type", "span")
    assert found.items == 7
    assert found.observed == 5 / 7
    assert found.krippendorff_alpha == 1.0


def test_identifier_types_disagree_on_the_state() -> None:
    """Sweden is QUASI for one and NO_MASK for the other: 4 of 7 agree."""
    assert row("identifier type", "span").observed == 4 / 7


def test_an_unmarked_span_is_not_confidential() -> None:
    """Nobody called anything confidential, so all agree."""
    found = row("confidential status", "span")
    assert found.observed == 1.0
    assert found.fleiss_kappa is None


def test_characters_outside_count() -> None:
    """Only the characters of British and researcher are labelled by one annotator."""
    found = row("entity type", "character")
    n = len(FIGURE_3_TEXT)
    assert found.items == n
    assert found.observed == pytest.approx((n - len("British") - len("researcher")) / n)


def test_partial_spans_match_by_their_start() -> None:
    """A span that one annotator ends later is two exact spans and one partial span."""
    text = "Mr Doe of Oslo"
    document = standoff(
        text,
        {"a": [("Mr Doe", "PERSON", "DIRECT", "e")], "b": [("Mr Doe of", "PERSON", "DIRECT", "e")]},
    )
    rows = {row.match: row for row in measure_agreement(parse_gold([document])).rows[:2]}
    assert rows["exact"].observed == 0.0
    assert rows["partial"].observed == 1.0


def test_disagreements_are_counted_once() -> None:
    """Three annotators, two against one, are one disagreement on type and one on masking."""
    text = "Oslo Police"
    document = standoff(
        text,
        {
            "a": [("Oslo Police", "ORG", "QUASI", "e"), ("Oslo", "LOC", "QUASI", "f")],
            "b": [("Oslo Police", "ORG", "NO_MASK", "e"), ("Oslo", "ORG", "QUASI", "f")],
            "c": [("Oslo Police", "ORG", "NO_MASK", "e"), ("Oslo", "ORG", "QUASI", "f")],
        },
    )
    found = measure_agreement(parse_gold([document]))
    assert found.type_disagreements == {("LOC", "ORG"): 1}
    assert found.masking_disagreements["ORG"] == {("QUASI", "NO_MASK"): 1}


def test_relations_are_compared_in_pairs() -> None:
    """Of three mentions, one annotator joins all and the other two: one of three pairs is both's."""
    text = "John Doe, Doe2, Mr J."
    names = ["John Doe", "Doe2", "Mr J."]

    def marked(*entities: str) -> list[tuple[str, str, str, str]]:
        return [(n, "PERSON", "DIRECT", e) for n, e in zip(names, entities, strict=True)]

    documents = parse_gold([standoff(text, {"a": marked(*"eee"), "b": marked(*"eef")})])
    assert relation_pairs(documents) == {(True, True): 1, (True, False): 2}
    assert relation_pairs(documents, different_strings=True) == relation_pairs(documents)


def test_one_annotator_has_nobody_to_agree_with() -> None:
    """Without a document that two annotated there is nothing to measure."""
    with pytest.raises(InputError, match="none of the 1 documents has several annotators"):
        measure_agreement(parse_gold([standoff("A.", {"a": []})]))


def test_the_train_split_is_near_the_paper(shared_data: Path) -> None:
    """On 21 shared documents Table 5 comes out within 0.1 of the figures for all 274."""
    rows = measure_agreement(load_gold(shared_data / "tab" / "train.json")).rows
    found = {(row.layer, row.unit, row.match): row for row in rows}
    published = {
        ("entity type", "span", "exact"): (0.75, 0.67, 0.96),
        ("entity type", "span", "partial"): (0.80, 0.74, 0.95),
        ("entity type", "character", "exact"): (0.96, 0.86, 0.94),
        ("identifier type", "span", "exact"): (0.67, 0.46, 0.68),
        ("identifier type", "span", "partial"): (0.71, 0.51, 0.67),
        ("identifier type", "character", "exact"): (0.94, 0.79, 0.69),
    }
    for key, (observed, kappa, alpha) in published.items():
        row = found[key]
        assert row.observed == pytest.approx(observed, abs=0.1)
        assert row.fleiss_kappa == pytest.approx(kappa, abs=0.1)
        assert row.krippendorff_alpha == pytest.approx(alpha, abs=0.1)


def test_the_command_prints_tables_and_json(tmp_path: Path) -> None:
    """Both hold Table 5, the relations, Figure 6 and Table 10."""
    path = tmp_path / "gold.json"
    path.write_text(json.dumps([FIGURE_3]), "utf-8")
    result = CliRunner().invoke(app, [str(path)], catch_exceptions=False)
    assert all(part in result.stdout for part in ("Table 5", "Cohen", "Figure 6", "Table 10"))
    printed = json.loads(CliRunner().invoke(app, [str(path), "--json"]).stdout)
    assert printed["documents"] == 1
    assert len(printed["agreement"]) == 9
    assert printed["masking_disagreements"]["LOC"] == {"QUASI vs NO_MASK": 1}


spans = st.tuples(st.integers(0, 9), st.integers(1, 10)).map(
    lambda pair: (min(pair[0], pair[1] - 1), max(pair[0] + 1, pair[1]))
)


@st.composite
def documents(draw: st.DrawFn) -> GoldDocument:
    """Draw a document of ten characters with two or three annotators."""
    annotations: dict[str, Any] = {}
    for annotator in "abc"[: draw(st.integers(2, 3))]:
        annotations[annotator] = {
            "entity_mentions": [
                {
                    "entity_type": draw(st.sampled_from(["LOC", "ORG"])),
                    "start_offset": start,
                    "end_offset": end,
                    "identifier_type": "QUASI",
                    "entity_id": draw(st.sampled_from("xy")),
                }
                for start, end in draw(st.lists(spans, max_size=5, unique=True))
            ]
        }
    return parse_gold([{"doc_id": "d", "text": "abcdeabcde", "annotations": annotations}])[0]


@given(documents())
def test_runs_of_characters_are_the_characters(document: GoldDocument) -> None:
    """Runs cover the text and say at each character what the naive search says."""
    flat = [place for length, place in runs_of_characters(document) for _ in range(length)]
    assert len(flat) == len(document.text)
    for at, place in enumerate(flat):
        for annotator in document.annotators:
            here = [
                mention.span
                for entity in document.entities
                if entity.annotator == annotator
                for mention in entity.mentions
                if mention.span.start <= at < mention.span.end
            ]
            found = place.get(annotator)
            assert (found.span if found else None) == max(here, default=None)


@given(documents(), st.booleans())
def test_relations_count_as_pair_by_pair(document: GoldDocument, different: bool) -> None:
    """Counting by sizes of groups equals going through all pairs of mentions."""
    naive: Counter[tuple[bool, bool]] = Counter()
    entity_of: dict[str, dict[Any, str]] = {}
    for entity in document.entities:
        for mention in entity.mentions:
            entity_of.setdefault(entity.annotator, {})[mention.span] = entity.id
    for first, second in combinations(entity_of.values(), 2):
        for one, other in combinations(sorted(first.keys() & second.keys()), 2):
            if not different or one.of(document.text) != other.of(document.text):
                naive[first[one] == first[other], second[one] == second[other]] += 1
    assert relation_pairs([document], different_strings=different) == naive
