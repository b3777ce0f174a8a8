"""Every page shows any text as text, whatever it says and wherever it comes from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tacenda.audit import Act, as_object
from tacenda.document import Assessment, Combination, Document, Evidence, IdentifierType, Span
from tacenda.pages import assess, audit
from tacenda.pages.attack import page as attack_page
from tacenda.pages.criteria import page as criteria_page
from tacenda.pages.replacements import Pair, Place
from tacenda.pages.replacements import page as replacements_page
from tacenda.reidentify.criteria import ReleaseCase, evaluate_release
from tacenda.reidentify.report import AttackCase, attack, people_shown, rate_rows
from tacenda.result import Result
from tacenda.risk.search.indicator import SearchReport
from tests.building import reason
from tests.documents.conftest import mask_strings

from ..reidentify.village import ABOUT_ANNA, store, word_attackers, worded
from .markup import HOSTILE, UNWRITABLE, check_alone

_EVIDENCE = (Evidence(HOSTILE, 0.9, HOSTILE),)


def _result() -> Result:
    """A result whose every string tries to break out."""
    text = f"Galip met {HOSTILE} {UNWRITABLE}"
    result = mask_strings(Document(HOSTILE, text), "Galip", kept=(HOSTILE,), text=HOSTILE)
    decisions = tuple(
        replace(d, reasons=(reason(HOSTILE),), operator=HOSTILE) for d in result.decisions
    )
    names = tuple(entity.id for entity in result.entities)
    return replace(
        result,
        decisions=decisions,
        warnings=(HOSTILE,),
        combinations=(Combination(names, 0.5, _EVIDENCE),),
    )


def _assessments(result: Result) -> list[Assessment]:
    return [Assessment(entity, 0.9, IdentifierType.QUASI, _EVIDENCE) for entity in result.entities]


def test_an_audit_record_is_text() -> None:
    """Names, evidence, warnings, what was written, what people did, and the head of the record."""
    result = _result()
    act = Act(HOSTILE, "2024-01-02T00:00:00+00:00", HOSTILE, HOSTILE, (HOSTILE,), decides=True)
    item = as_object(result, _assessments(result), (act,), name=HOSTILE)
    item["entities"][0]["decided_by"] = {"kind": "person", "person": HOSTILE, "at": HOSTILE}
    named = {"name": HOSTILE, "sha256": "0" * 64}
    origin = {
        "created": HOSTILE,
        "tool": {"name": "tacenda", "version": HOSTILE},
        "policy": {**named, "settings": {HOSTILE: HOSTILE}, "rules": {HOSTILE: 1}},
        "model": {"name": HOSTILE, "files": {HOSTILE: "0" * 64}},
    }
    for background in (named, {"name": HOSTILE}):  # an index, and a search engine
        start, end = audit.ends(origin | {"background": background})
        elements = check_alone(start + audit.section(item) + end)
        assert elements.text.count(HOSTILE) >= 15


def test_an_assessment_is_text() -> None:
    """Strings of the original, reasons, evidence, alternatives and combinations."""
    result = _result()
    report = SearchReport((), result.combinations, people=1, failure=HOSTILE)
    section = assess.section(result, _assessments(result), report)
    elements = check_alone(assess.page([section]))
    assert elements.text.count("<script>alert(1)</script>") >= 8


def test_replacements_are_text() -> None:
    """Names of documents, both texts, kinds and notes."""
    text = f"{HOSTILE} {UNWRITABLE}"
    place = Place.of(text, Span(0, len(HOSTILE)))
    elements = check_alone(replacements_page([(HOSTILE, [Pair("LOC", place, place, [HOSTILE])])]))
    assert elements.text.count(HOSTILE) == 4


def test_tests_are_text() -> None:
    """Names of documents, guesses and their words, cells of tables."""
    text = f"I live in Leeds (38M). {HOSTILE} {UNWRITABLE}"
    report = evaluate_release([ReleaseCase(Document(HOSTILE, text), id) for id in "aabb"])
    elements = check_alone(criteria_page(report, [(HOSTILE,)], [(HOSTILE,)], reveal=True))
    assert elements.text.count(HOSTILE) >= 5


def test_an_attack_is_text(tmp_path: Path) -> None:
    """Names of documents and people, texts, and the words that gave somebody away."""
    people = store(tmp_path / "p.db")
    document = worded(f"{ABOUT_ANNA} {HOSTILE} {UNWRITABLE}", HOSTILE)
    report = attack([AttackCase(document, 0, document)], word_attackers(people), k=2)
    shown = dict.fromkeys(people_shown(report, people), HOSTILE)
    rows = [(HOSTILE,) * len(row) for row in rate_rows(report)]
    elements = check_alone(attack_page(report, rows, shown, reveal=True))
    assert elements.text.count(HOSTILE) >= 10
    assert "half \ufffd and null \ufffd" in elements.text
