"""An attack on a release as one page: the people found, and the words that gave them away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from . import charts
from . import page as whole_page

if TYPE_CHECKING:
    from ..reidentify.rates import Rates
    from ..reidentify.report import AttackOutcome, AttackReport

_ENSEMBLE: Final = "ensemble"
_OPEN: Final = 5
"""Documents that are shown without a click, if their people are found."""

_SHADES: Final = 3
"""Shades of a word, darkest for the most telling."""


def page(
    report: AttackReport,
    rows: Sequence[Sequence[str]],
    people: Mapping[int, str],
    *,
    reveal: bool,
) -> str:
    """Return the page of an attack.

    Args:
        report: the attack.
        rows: its rates as a table; the first row has the headings.
        people: the label of each person in the report, by number.
        reveal: whether to show the texts with the telling words; only for review.
    """
    has_ensemble = len(report.rates) > 2
    groups = [("This release", "release", _rates(report.rates, has_ensemble))]
    if report.original is not None:
        groups.append(("Originals", "original", _rates(report.original, has_ensemble)))
    groups.append(("Strangers", "control", _rates(report.control, has_ensemble)))
    return whole_page(
        "attack.html",
        report=report,
        chart=charts.rates(report.n_people, groups),
        charts=charts,
        has_ensemble=has_ensemble,
        found=sum(outcome.rank == 1 for outcome in report.outcomes),
        outcomes=sorted(report.outcomes, key=_hiding),
        rows=rows,
        people=people,
        reveal=reveal,
        open=_OPEN,
        marked=_marked,
    )


def _rates(rates: Mapping[str, Rates], has_ensemble: bool) -> dict[str, Rates]:
    """Return the rates to draw; without the ensemble if there is only one attacker."""
    return {name: rate for name, rate in rates.items() if has_ensemble or name != _ENSEMBLE}


def _hiding(outcome: AttackOutcome) -> tuple[int, float]:
    """Return an outcome's sort key: the most certain identification comes first."""
    return outcome.rank, -max(outcome.probabilities.values())


def _marked(outcome: AttackOutcome) -> Iterator[tuple[str, int]]:
    """Return the text cut at its telling words, each with its shade: the more telling, the darker."""
    text = outcome.case.document.document.text
    heaviest = outcome.telling_words[0].weight
    shades = sorted(
        (span.start, span.end, min(_SHADES, 1 + int(_SHADES * clue.weight / heaviest)))
        for clue in outcome.telling_words
        for span in clue.spans
    )
    position = 0
    for start, end, shade in shades:
        yield text[position:start], 0
        yield text[start:end], shade
        position = end
    yield text[position:], 0
