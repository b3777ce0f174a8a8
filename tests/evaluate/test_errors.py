"""The errors of a system: the four kinds, their counts and their order."""

from __future__ import annotations

from tacenda.annotations.tab import parse_masks
from tacenda.evaluate.errors import ErrorKind, ErrorReport
from tacenda.evaluate.evaluation import EvaluationSettings, evaluate
from tacenda.evaluate.gold import parse_gold

from .corpus import FIGURE_3, FIGURE_3_TEXT, spans


def errors_of(*masked: str, n: int = 10) -> ErrorReport:
    """Return the errors of a system that masks these strings of Figure 3."""
    masks = parse_masks({"d1": spans(FIGURE_3_TEXT, *masked)})
    report = evaluate(parse_gold([FIGURE_3]), masks, EvaluationSettings(errors=n))
    assert report.errors is not None
    return report.errors


def texts(report: ErrorReport, kind: ErrorKind) -> list[str]:
    """Return the texts of the errors of a kind."""
    return [error.text for error in report.errors if error.kind is kind]


def test_missed() -> None:
    """Nothing masked: every mention is missed, direct identifiers listed first."""
    report = errors_of()
    missed = texts(report, ErrorKind.MISSED)
    assert set(missed[:3]) == {"12345/67", "John Doe", "Mr Doe"}
    assert len(missed) == 7
    assert {kind for kind, _ in report.counts} == {ErrorKind.MISSED}


def test_inconsistent() -> None:
    """A mention left open while another of the same person is masked."""
    assert texts(errors_of("John Doe"), ErrorKind.INCONSISTENT) == ["Mr Doe"]


def test_partial() -> None:
    """A mention of which something that matters is still readable."""
    assert texts(errors_of("October 2021"), ErrorKind.PARTIAL) == ["1 October 2021"]


def test_over_masked() -> None:
    """Words that no annotator masks, as runs."""
    report = errors_of("The case originated", "British national")
    assert sorted(texts(report, ErrorKind.OVER_MASKED)) == ["The case originated", "national"]


def test_annotators_who_agree_are_counted() -> None:
    """A span missed for two annotators is one error with two voices."""
    report = errors_of()
    voices = {error.text: error.annotators for error in report.errors}
    assert voices["John Doe"] == 2
    assert voices["British"] == 1


def test_the_list_is_cut_and_the_counts_are_not() -> None:
    """``errors=1`` lists one error of each kind."""
    report = errors_of(n=1)
    assert len(report.errors) == 1
    assert sum(report.counts.values()) == 7


def test_context_is_of_the_document() -> None:
    """An error carries the text before and after it."""
    (error,) = (e for e in errors_of().errors if e.text == "12345/67")
    assert error.before.endswith("application (no. ")
    assert error.after.startswith(") by John Doe")
    assert error.document == "d1"
    assert FIGURE_3_TEXT[error.start : error.end] == error.text
