"""Coverage of what people chose, worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tacenda.document import Document, Entity, Option
from tacenda.errors import InputError
from tacenda.evaluate.replacement_gold import load_replacements, parse_replacements
from tacenda_lab.cli import evaluate_replacements
from tacenda_lab.evaluation.replacements import measure_coverage

TEXT = "Ada came in 1815. Bob came, Ada left Ulm."
app = typer.Typer()
app.command()(evaluate_replacements)


def marked(string: str, type: str, id: str, chosen: dict[str, list[str]], nth: int = 0) -> Any:
    """Return a mention with the options that people chose."""
    start = -1
    for _ in range(nth + 1):
        start = TEXT.index(string, start + 1)
    return {
        "entity_type": type,
        "entity_mention_id": f"m{start}",
        "start_offset": start,
        "end_offset": start + len(string),
        "identifier_type": "QUASI",
        "entity_id": id,
        "replacement": {
            "generalizations": {"P31": [*chosen, "***"], "contained": {"P279": ["thing"]}},
            "generalization_selection": chosen,
        },
    }


MENTIONS = [
    marked("Bob", "PERSON", "b", {"PERSON 2": ["x", "y"]}),
    marked("Ada", "PERSON", "a", {"PERSON 1": ["x"], "***": ["y"]}),
    marked("Ada", "PERSON", "a", {"***": ["x", "y"]}, nth=1),
    marked("1815", "DATETIME", "d", {"date in the 1810s": ["x"], "1815": ["y", "z"]}),
    marked("Ulm", "LOC", "u", {"city": ["x"]}),
]
GOLD = [{"doc_id": "d", "text": TEXT, "annotations": {"one": {"entity_mentions": MENTIONS}}}]


def offer(document: Document, entity: Entity) -> tuple[Option, ...]:
    """Return two options for dates and people, and only suppression for the others."""
    words = {
        "PERSON": [f"[Person {entity.number}]"],
        "DATETIME": ["1810 to 1819", "Date in the 1810s"],
    }.get(entity.type, [])
    return tuple(Option(text, level, "t", 0.5, 0.1) for level, text in enumerate([*words, "***"]))


def test_coverage_by_hand() -> None:
    """Spans with an option, spans with the option that most chose, choices by level of ours."""
    found = measure_coverage(parse_replacements(GOLD), offer)
    total = found.total
    assert (total.spans, total.with_option) == (5, 4)
    # Both PERSONs of whom something was chosen; of 1815 most chose what is not offered.
    assert (total.decided, total.chosen_offered) == (4, 2)
    assert total.levels == {"1": 3, "2": 1, "***": 3, "not offered": 3}
    assert found.by_type["LOC"].with_option == 0
    assert found.as_json()["by_type"]["PERSON"]["share_chosen_offered"] == 1.0
    assert list(found.by_type) == ["DATETIME", "LOC", "PERSON"]


def test_people_are_numbered_in_order_of_the_text() -> None:
    """Ada is 1, as she is first, however the file is ordered; both her mentions are one entity."""
    spans = parse_replacements(GOLD)
    assert [span.entity.number for span in spans[:3]] == [2, 1, 1]
    assert len(spans[1].entity.mentions) == 2
    assert spans[0].shown == ("PERSON 2", "***", "thing")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"replacement": {"generalizations": {}}}, "generalization_selection must be an object"),
        ({"replacement": {"generalization_selection": {}}}, "generalizations must be an object"),
        ({"entity_type": "NAME"}, "'NAME' must be one of"),
        ({"end_offset": 999}, "offsets"),
    ],
)
def test_faults_are_named(change: dict[str, Any], message: str) -> None:
    """What is no gold of replacements is refused with the document and the place."""
    record = GOLD[0] | {"annotations": {"one": {"entity_mentions": [MENTIONS[0] | change]}}}
    with pytest.raises(InputError, match=message):
        parse_replacements([record])


def test_gold_without_replacements_is_refused() -> None:
    """A TAB file without any replacement has nothing to measure."""
    with pytest.raises(InputError, match="no mention has a `replacement`"):
        parse_replacements([{"doc_id": "d", "text": "", "annotations": {}}])


def test_the_command_prints_tables_and_json(tmp_path: Path) -> None:
    """Both forms have the same counts."""
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(GOLD), "utf-8")
    result = CliRunner().invoke(app, [str(path), "--json"])
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    # Of ours: PERSON 1 and 2, the decade, and what the ontology knows of Ulm.
    assert (report["spans"], report["with_option"], report["decided"]) == (5, 5, 4)
    assert report["choice"]["documents_fitted_to"] == 0
    assert report["choice"]["by_type"]["PERSON"]["chosen_by_any"] == 2
    assert report["annotators"]["light_kappa"] == pytest.approx((5 / 13) / 2)
    assert report["faults"]["naming"] == 0
    assert report["by_type"]["DATETIME"]["levels"] == {"1": 1, "not offered": 2}
    printed = CliRunner().invoke(app, [str(path), "--residual-risk", "0.5"]).stdout
    assert "Light's κ: 0.192, over 4 spans" in printed
    assert "PERSON" in printed


def test_the_rules_cover_the_development_documents(shared_data: Path) -> None:
    """An option for 80 % and the chosen one for 78 % of the spans that rules are for."""
    from tacenda.rewrite.generalize.options import rules

    of_type = rules()
    spans = load_replacements(shared_data / "wiki" / "wikireplace_dev.json")
    found = measure_coverage(
        spans, lambda document, entity: of_type[entity.type].options(document, entity)
    )
    for type in ("DATETIME", "PERSON", "QUANTITY"):
        part = found.by_type[type]
        assert part.with_option >= 0.8 * part.spans
        assert part.chosen_offered >= 0.78 * part.decided
