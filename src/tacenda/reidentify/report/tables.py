"""What a reader is shown of an attack: rows of text, for the terminal and for HTML alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...background.people import People
from .measure import AttackReport, Outcome, Rates
from .rate import Rate

Rows = list[tuple[str, ...]]

_PERSON_LENGTH = 40


def rate_rows(report: AttackReport) -> Rows:
    """Return the rates with their baselines and control; the first row has the headings."""
    rows: Rows = [("", "at rank 1", f"among the first {report.k}")]
    rows += _rows("found by", report.rates)
    if report.original is not None:
        rows += _rows("in the originals by", report.original)
    rows += _rows("control: strangers by", report.control)
    chance = (1 / report.n_people, min(1.0, report.k / report.n_people))
    rows.append((f"chance, of {report.n_people:,} people", *(f"{c:.4f}" for c in chance)))
    return rows


def outcome_rows(report: AttackReport, people: People, *, reveal: bool) -> Rows:
    """Return the documents, the worst first; with ``reveal`` with the words that are clues."""
    rows: Rows = [("document", "person", "rank", "probability", "who it looks like")]
    if reveal:
        rows[0] += ("what gave it away",)
    worst = sorted(report.outcomes, key=lambda one: (one.rank, -max(one.probabilities.values())))
    return rows + [_row(outcome, people, reveal) for outcome in worst]


def _rows(what: str, rates: Mapping[str, Rates]) -> Rows:
    return [
        (f"{what} {name}", _shown(found.first), _shown(found.among_k))
        for name, found in rates.items()
    ]


def _shown(rate: Rate) -> str:
    return f"{rate.value:.3f} [{rate.low:.3f}, {rate.high:.3f}]"


def _row(outcome: Outcome, people: People, reveal: bool) -> tuple[str, ...]:
    best = min(outcome.ranks, key=lambda name: outcome.ranks[name])
    named = people.names([outcome.case.person, outcome.first[best]])
    cells: Sequence[str] = (
        outcome.case.document.document.id,
        person_shown(*named[0]),
        f"{outcome.rank:,}",
        f"{outcome.probabilities[best]:.3f}",
        person_shown(*named[1]),
    )
    if not reveal:
        return tuple(cells)
    text = outcome.case.document.document.text
    words = (f"{clue.spans[0].of(text)} ({clue.weight:.1f})" for clue in outcome.clues)
    return (*cells, ", ".join(words))


def people_shown(report: AttackReport, people: People) -> dict[int, str]:
    """Return all people that a report names, by number."""
    numbers = {outcome.case.person for outcome in report.outcomes}
    numbers.update(number for outcome in report.outcomes for number in outcome.first.values())
    ordered = sorted(numbers)
    return {
        number: person_shown(*named)
        for number, named in zip(ordered, people.names(ordered), strict=True)
    }


def person_shown(id: str, name: str) -> str:
    """Return a person by name and id, cut where it is long."""
    shown = id if name in ("", id) else f"{name} ({id})"
    return shown if len(shown) <= _PERSON_LENGTH else shown[: _PERSON_LENGTH - 1] + "…"
