"""The three tests of a release together: as values, as rows for a reader, as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...background.people import People
from ..rates import Rate
from ..report import Rows
from .inference import Case, CaseInference, InferenceReport, infer_attributes, risk
from .linkability import LinkabilityReport, link_documents
from .singling_out import SinglingOutReport, single_out

VERSION = 1


@dataclass(frozen=True, slots=True)
class CriteriaReport:
    """Outcome of the three tests.

    Attributes:
        singling_out: uniqueness among people.
        linkability: of documents; None where nobody has two.
        inference: of attributes.
    """

    singling_out: SinglingOutReport
    linkability: LinkabilityReport | None
    inference: InferenceReport

    @property
    def worst(self) -> tuple[str, Rate]:
        """The largest risk with its name: the success of an attack beyond its control."""
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


def evaluate_release(cases: Sequence[Case], people: People | None = None) -> CriteriaReport:
    """Test a release.

    Args:
        cases: at least one.
        people: background knowledge for singling out; the people of the release if None.
    """
    return CriteriaReport(single_out(cases, people), link_documents(cases), infer_attributes(cases))


# For a reader.


def risk_rows(report: CriteriaReport) -> Rows:
    """Return what each test found as rows; the first has the headings."""
    out = report.singling_out
    rows: Rows = [("test", "attack", "baseline", "control", "risk")]
    rows.append(
        (
            "singling out",
            str(out.attack),
            str(out.baseline),
            str(out.control),
            str(risk(out.attack, out.control)),
        )
    )
    link = report.linkability
    if link is not None:
        for name in link.attack:
            both = link.attack[name], link.control[name]
            rows.append(
                (
                    f"linkability by {name}",
                    str(both[0]),
                    f"{link.chance:.3f}",
                    str(both[1]),
                    str(risk(*both)),
                )
            )
    for item in report.inference.attributes:
        rows.append(
            (
                f"inference of {item.attribute}",
                str(item.rates["any"]),
                str(item.baseline),
                str(item.control),
                str(item.risk),
            )
        )
    return rows


def inference_rows(report: InferenceReport) -> Rows:
    """Return the inferences by attacker as rows; the first has the headings."""
    rows: Rows = [("attribute", "by rules", "refitted", "confident guesses", "in the originals")]
    for item in report.attributes:
        original = "" if item.original is None else str(item.original)
        rows.append(
            (
                item.attribute,
                str(item.rates["rules"]),
                str(item.rates["refitted"]),
                str(item.confident),
                original,
            )
        )
    return rows


# As JSON; ``schemas/criteria.schema.json`` describes it.


def as_object(report: CriteriaReport, *, reveal: bool) -> dict[str, Any]:
    """Return a report as values for ``json.dumps``; with ``reveal`` also the guesses and their words."""
    out, link = report.singling_out, report.linkability
    results = []
    for place, item in enumerate(report.inference.cases):
        results.append(_result(item, out, place, reveal))
    worst, rate = report.worst
    return {
        "version": VERSION,
        "documents": len(results),
        "worst": {"test": worst, **_rate(rate)},
        "singling_out": {
            "people": out.n_people,
            "background": out.is_background,
            "attack": _rate(out.attack),
            "wrong": _rate(out.wrong),
            "baseline": _rate(out.baseline),
            "control": _rate(out.control),
            "risk": _rate(risk(out.attack, out.control)),
            "median_fitting": out.median_fitting,
        },
        "linkability": None
        if link is None
        else {
            "pairs": link.n_pairs,
            "chance": link.chance,
            "attack": {name: _rate(item) for name, item in link.attack.items()},
            "control": {name: _rate(item) for name, item in link.control.items()},
            "risk": _rate(risk(link.attack["any"], link.control["any"])),
        },
        "inference": {
            item.attribute: {
                "attack": {name: _rate(rate) for name, rate in item.rates.items()},
                "confident": _rate(item.confident),
                "baseline": _rate(item.baseline),
                "control": _rate(item.control),
                "original": None if item.original is None else _rate(item.original),
                "risk": _rate(item.risk),
            }
            for item in report.inference.attributes
        },
        "results": results,
    }


def _rate(rate: Rate) -> dict[str, float]:
    return {"rate": rate.value, "low": rate.low, "high": rate.high}


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
