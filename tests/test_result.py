"""The result, the values below it, and its JSON: written, described and read."""

from __future__ import annotations

import ast
import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import tacenda.document
from tacenda.document import (
    Assessment,
    Combination,
    Document,
    Effect,
    Evidence,
    Identification,
    IdentifierType,
    Reason,
    Risk,
    RuleKind,
    SemanticType,
    Span,
)
from tacenda.errors import InputError
from tacenda.explain import sentence
from tacenda.result import SCHEMA_VERSION, Result, assessment_object, parse_results, schema
from tests.documents.conftest import mask_strings
from tests.examples import for_each

TEXT = "Anna Berg met Carl Dahl."
EVIDENCE = Evidence("masking_head", 0.9, "The recognizer gives 0.90.")
REASONS = (
    Reason(
        RuleKind.THRESHOLD,
        Effect.MASK,
        risk=0.8,
        type=SemanticType.DATETIME,
        threshold=0.5,
        words=3,
    ),
    Reason(RuleKind.DENY, Effect.WOULD_MASK, index=0),
    Reason(RuleKind.RISK_BUDGET, Effect.KEEP, risk=0.2, threshold=0.3, budget=0.05),
    Reason(RuleKind.COMBINATION, Effect.MASK, others=2),
    Reason(RuleKind.ATTACK, Effect.EDIT, k=1),
    Reason(RuleKind.REVIEWED_IDENTIFIER, Effect.KEEP, identifier=IdentifierType.NO_MASK),
    Reason.of_evidence(EVIDENCE),
)


def masked(*reasons: Reason) -> Result:
    """Return a result of one masked and one kept entity that point to somebody together."""
    result = mask_strings(Document("d", TEXT), "Anna Berg", kept=("Carl Dahl",))
    decisions = tuple(replace(item, reasons=reasons or REASONS) for item in result.decisions)
    return replace(
        result,
        decisions=decisions,
        combinations=(Combination(("e1", "e2"), 0.7, (EVIDENCE,)),),
        identifications=(Identification("bm25", 3, 0.1, 20, 1, (Span(0, 3),)),),
    )


def assessed(result: Result) -> list[Assessment]:
    """Return an assessment of each entity."""
    return [
        Assessment(entity, 0.9, IdentifierType.QUASI, (EVIDENCE,)) for entity in result.entities
    ]


def test_the_values_import_nothing_of_the_package() -> None:
    """Neither at the top nor in a function."""
    tree = ast.parse(Path(tacenda.document.__file__).read_text("utf-8"))
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [node.module for node in froms if node.level or "tacenda" in str(node.module)]


def test_json_is_the_object_in_one_line() -> None:
    """What a program reads back is what ``to_dict`` says."""
    document = Document("d", "Zoë left.\nAnkara")
    result = Result(document, document.text, (), (), (), (), Risk(0.0, 0.0, 0.0, 0))
    assert json.loads(result.to_json()) == result.to_dict()
    assert "\n" not in result.to_json()


@pytest.mark.parametrize("name", ["result", "assessment", "audit", "criteria"])
def test_the_schema_at_the_root_is_the_shipped_one(name: str) -> None:
    """There is one schema: the file at the root of the project is a copy of the package's."""
    root = Path(__file__).parents[1] / "schemas" / f"{name}.schema.json"
    assert json.loads(root.read_text("utf-8")) == schema(name)
    jsonschema.Draft202012Validator.check_schema(schema(name))


def test_schemas_describe_the_same_objects_alike() -> None:
    """A reason, evidence, an option or a combination is one thing, wherever it stands."""
    names = "reason evidence option combination risk type identifier probability offset".split()
    result, assessment, audit = (
        {name: schema(title)["$defs"][name] for name in names}
        for title in ("result", "assessment", "audit")
    )
    assert result == assessment == audit


@pytest.mark.parametrize("reveal", [False, True])
def test_objects_follow_their_schemas(reveal: bool) -> None:
    """With every kind of reason, combinations and attacks; strings are there only if asked for."""
    result = masked()
    for name, item in (
        ("result", result.to_dict(reveal=reveal)),
        ("assessment", assessment_object(result, assessed(result), reveal=reveal)),
    ):
        jsonschema.validate(item, schema(name))
        assert item["schema_version"] == SCHEMA_VERSION
        assert ("Anna" in json.dumps(item)) is reveal
        assert [entity["decision"] for entity in item["entities"]] == ["mask", "keep"]


def test_an_assessment_has_the_findings_of_the_result() -> None:
    """Entities, risk, combinations and attacks are the same objects, with more in an entity."""
    result = masked()
    item, sanitized = assessment_object(result, assessed(result)), result.to_dict()
    for entity in item["entities"]:
        assert entity.pop("assessment")["evidence"] == [
            {
                "indicator": "masking_head",
                "value": 0.9,
                "statement": "The recognizer gives 0.90.",
            }
        ]
        assert [choice["text"] for choice in entity.pop("alternatives")] == ["", "***"]
    assert item.items() <= sanitized.items()
    assert sanitized.keys() - item.keys() == {"text", "replacements", "leaks"}


@for_each("reason", REASONS)
def test_a_reason_is_typed_beside_its_sentence(reason: Reason) -> None:
    """Rule and effect by name, what they compare as numbers, and no key that says nothing."""
    item = masked(reason).to_dict()["entities"][0]["reasons"][0]
    assert (RuleKind(item["rule"]), Effect(item["effect"])) == (reason.rule, reason.effect)
    assert item["statement"] == sentence(reason)
    named = {field.name for field in fields(reason)} - {"rule", "effect", "evidence"}
    stated = {name: value for name in named if (value := getattr(reason, name)) is not None}
    if reason.evidence is not None:
        stated |= {"indicator": "masking_head", "value": 0.9}
    assert {key: item[key] for key in item.keys() - {"rule", "effect", "statement"}} == stated


def thresholded() -> dict[str, Any]:
    """Return a result whose entities are masked up to 0.4 and 0.2, at a threshold of 0.3."""
    item = masked().to_dict()
    for entity, highest in zip(item["entities"], (0.4, 0.2), strict=True):
        entity |= {"threshold": 0.3, "masked_up_to": highest}
    return item


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"schema_version": "2.0"}, "schema_version"),
        ({"schema_version": "1.1"}, "schema_version"),
        ({"entities": [7]}, r"entities\.0"),
    ],
)
def test_what_is_no_result_is_refused_in_one_line(change: dict[str, Any], place: str) -> None:
    """Another version of the schema, an entity that is none."""
    item = thresholded() | change
    with pytest.raises(InputError, match=f"result 0: {place}: ") as refusal:
        parse_results([item], "r.jsonl")
    assert "\n" not in str(refusal.value)
    assert "Anna" not in str(refusal.value)
