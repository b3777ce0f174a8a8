"""Each point of a curve is what an evaluation at its threshold gives."""

from __future__ import annotations

import pytest

from tacenda.errors import InputError
from tacenda.evaluate.curves import measure
from tacenda.evaluate.evaluation import EvaluationSettings, evaluate
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.matching import Masks
from tacenda.evaluate.systems import Level, System
from tacenda.result import parse_results

from ..evaluate.corpus import FIGURE_3, FIGURE_3_TEXT
from .building import entity, result

GOLD = parse_gold([FIGURE_3])
RESULT = parse_results(
    [
        result(
            "d1",
            entity(FIGURE_3_TEXT, "John Doe", "Mr Doe", risk=0.9),
            entity(FIGURE_3_TEXT, "12345/67", risk=0.7),
            entity(FIGURE_3_TEXT, "The case", risk=0.5),
            entity(FIGURE_3_TEXT, "British", risk=0.2),
        )
    ],
    "results",
)[0]
THRESHOLDS = (0.0, 0.2, 0.5, 0.6, 0.8, 1.0)


def system(*levels: tuple[float, Masks]) -> System:
    """Return a system with these levels."""
    return System("system", {"d1": RESULT.made()}, 0.3, tuple(Level(*level) for level in levels))


def test_points_are_evaluations() -> None:
    """Figures that are defined are equal, to the bit."""
    levels = [(t, {"d1": RESULT.masks(t)}) for t in THRESHOLDS]
    (found,) = measure(GOLD, [system(*levels)], EvaluationSettings(bootstrap=0)).findings
    assert [point.threshold for point in found.curve] == list(THRESHOLDS)
    for point, (_, masks) in zip(found.curve, levels, strict=True):
        report = evaluate(GOLD, masks)
        for name, value in point.scores.items():
            assert value == (None if name in report.undefined else report.scores[name])


def test_the_operating_point_is_on_the_curve() -> None:
    """At the threshold of the run the curve passes through the figures of the run."""
    (found,) = measure(
        GOLD, [system((0.3, {"d1": RESULT.masks(0.3)}))], EvaluationSettings(bootstrap=0)
    ).findings
    assert found.curve[0].scores == found.report.scores


def test_a_system_that_masks_nothing_has_no_precision() -> None:
    """The convention of 0 would bend the curve; the point is left undefined instead."""
    (found,) = measure(GOLD, [system((1.0, {"d1": ()}))], EvaluationSettings(bootstrap=0)).findings
    assert found.curve[0].scores["token_precision"] is None
    assert found.curve[0].scores["token_recall"] is not None


def test_all_points_are_on_the_same_documents() -> None:
    """A level without a document that is reported on is an error that names it."""
    with pytest.raises(InputError, match=r"threshold 0\.5 .*'d1'"):
        measure(GOLD, [system((0.5, {}))], EvaluationSettings(bootstrap=0))
