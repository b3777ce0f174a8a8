"""The three tests of a release together: as values, as rows for a reader, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...background.people import People
from ..rates import Rate
from ..report import Rows
from .inference import CaseInference, InferenceReport, ReleaseCase, infer_attributes, risk
from .linkability import LinkabilityReport, link_documents
from .singling_out import SinglingOutReport, single_out

VERSION = 1


@dataclass(frozen=True, slots=True)
class CriteriaReport:
    """The outcome of the three tests.

    Attributes:
        singling_out: uniqueness among people.
        linkability: of documents; None if nobody has two.
        inference: inference of attributes.
    """

    singling_out: SinglingOutReport
    linkability: LinkabilityReport | None
    inference: InferenceReport

    @property
    def worst(self) -> tuple[str, Rate]:
        """The largest risk and its name: the success of an attack beyond its control."""
        return max(self.risks(), key=lambda item: item[1].value)

    def risks(self) -> Iterator[tuple[str, Rate]]:
        """Yield the risk of each test and attribute."""
        yield "singling out", risk(self.singling_out.attack, self.singling_out.control)
        if self.linkability is not None:
            yield (
                "linkability",
                risk(self.linkability.attack["any"], self.linkability.control["any"]),
            )
        for item in self.inference.attributes:
            yield f"inference of {item.attribute}", item.risk


def evaluate_release(cases: Sequence[ReleaseCase], people: People | None = None) -> CriteriaReport:
    """Test a release.

    Args:
        cases: at least one.
        people: background knowledge for singling out; None for the people of the release.
    """
    return CriteriaReport(single_out(cases, people), link_documents(cases), infer_attributes(cases))


# For a reader.


def risk_rows(report: CriteriaReport) -> Rows:
    """Return the results of the tests as rows; the first has the headings."""
    out, link = report.singling_out, report.linkability
    tests: list[tuple[str, Rate, object, Rate]] = [
        ("singling out", out.attack, out.baseline, out.control)
    ]
    if link is not None:
        tests += (
            (f"linkability by {name}", rate, f"{link.chance:.3f}", link.control[name])
            for name, rate in link.attack.items()
        )
    tests += (
        (f"inference of {item.attribute}", item.rates["any"], item.baseline, item.control)
        for item in report.inference.attributes
    )
    rows: Rows = [("test", "attack", "baseline", "control", "risk")]
    for name, attack, baseline, control in tests:
        rows.append((name, *map(str, (attack, baseline, control, risk(attack, control)))))
    return rows


def inference_rows(report: InferenceReport) -> Rows:
    """Return the inferences by attacker as rows; the first has the headings."""
    rows: Rows = [("attribute", "by rules", "refitted", "confident guesses", "in the originals")]
    for item in report.attributes:
        original = "" if item.original is None else item.original
        cells = (item.rates["rules"], item.rates["refitted"], item.confident, original)
        rows.append((item.attribute, *map(str, cells)))
    return rows


# As JSON; ``schemas/criteria.schema.json`` describes it.


def as_object(report: CriteriaReport, *, reveal: bool) -> dict[str, Any]:
    """Return a report as values for ``json.dumps``; with ``reveal`` also the guesses and their words."""
    out, link = report.singling_out, report.linkability
    cases = enumerate(report.inference.cases)
    results = [_result(item, out, place, reveal) for place, item in cases]
    worst, rate = report.worst
    return {
        "version": VERSION,
        "documents": len(results),
        "worst": {"test": worst, **rate.as_object()},
        "singling_out": {
            "people": out.n_people,
            "background": out.is_background,
            "attack": out.attack.as_object(),
            "wrong": out.wrong.as_object(),
            "baseline": out.baseline.as_object(),
            "control": out.control.as_object(),
            "risk": risk(out.attack, out.control).as_object(),
            "median_fitting": out.median_fitting,
        },
        "linkability": None
        if link is None
        else {
            "pairs": link.n_pairs,
            "chance": link.chance,
            "attack": {name: item.as_object() for name, item in link.attack.items()},
            "control": {name: item.as_object() for name, item in link.control.items()},
            "risk": risk(link.attack["any"], link.control["any"]).as_object(),
        },
        "inference": {
            item.attribute: {
                "attack": {name: rate.as_object() for name, rate in item.rates.items()},
                "confident": item.confident.as_object(),
                "baseline": item.baseline.as_object(),
                "control": item.control.as_object(),
                "original": None if item.original is None else item.original.as_object(),
                "risk": item.risk.as_object(),
            }
            for item in report.inference.attributes
        },
        "results": results,
    }


def _result(
    item: CaseInference, out: SinglingOutReport, place: int, reveal: bool
) -> dict[str, Any]:
    document = item.case.document
    guesses = []
    for attribute, guess in item.guesses.items():
        entry: dict[str, Any] = {
            "attribute": attribute,
            "probability": guess.probability,
            "rule": guess.rule,
            "right": attribute in item.right if item.case.values.get(attribute) else None,
            "span": None if guess.span is None else [guess.span.start, guess.span.end],
        }
        if reveal:
            entry["value"] = guess.value
            entry["words"] = "" if guess.span is None else guess.span.of(document.text)
        guesses.append(entry)
    return {
        "id": document.id,
        "fitting": out.fitting[place],
        "predicates": [attribute for attribute, _ in out.predicates[place]],
        "guesses": guesses,
    }
