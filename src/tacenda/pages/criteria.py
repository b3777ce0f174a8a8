"""The three tests of a release as one page: singling out, linkability and inference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from . import charts
from . import page as whole_page

if TYPE_CHECKING:
    from ..reidentify.criteria.report import CriteriaReport

_SHOWN: Final = 500
"""Documents on the page at most, the most telling first."""


def page(
    report: CriteriaReport,
    rows: Sequence[Sequence[str]],
    by_attacker: Sequence[Sequence[str]],
    *,
    reveal: bool,
) -> str:
    """Return the page of the tests.

    Args:
        report: the tests.
        rows: each test's attack, baseline, control and risk as a table; the first row has the
            headings.
        by_attacker: inferences by attacker, in the same form.
        reveal: whether to show the guesses and the words they are based on; only for review.
    """
    out = report.singling_out
    places = sorted(
        range(len(out.fitting)),
        key=lambda place: (out.fitting[place], -len(report.inference.cases[place].right)),
    )
    return whole_page(
        "criteria.html",
        report=report,
        worst=report.worst,
        risks=list(report.risks()),
        rows=rows,
        by_attacker=by_attacker,
        places=places[:_SHOWN],
        n_more=max(0, len(places) - _SHOWN),
        charts=charts,
        reveal=reveal,
    )
