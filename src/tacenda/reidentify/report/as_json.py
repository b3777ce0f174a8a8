"""An attack as JSON, stable and documented.

    {"version": 1, "documents": n, "people": n, "k": k,
     "rates": {attacker: {"rank_1": RATE, "rank_k": RATE}, …, "ensemble": …},
     "control": …, "original": … or null, "chance": {"rank_1": p, "rank_k": p},
     "results": [{"id", "person", "rank", "ranks": {attacker: rank}, "probabilities": {…},
                  "looks_like": {attacker: id}, "clues": [{"weight", "spans": [[start, end], …]}]}]}

RATE is {"rate", "low", "high"}, a 95 % interval. With ``reveal`` a clue has its "word" too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...background.people import People
from .clues import Clue
from .measure import AttackReport, Outcome, Rates

VERSION = 1


def as_object(report: AttackReport, people: People, *, reveal: bool) -> dict[str, Any]:
    """Return a report as what ``json.dumps`` can write."""
    return {
        "version": VERSION,
        "documents": len(report.outcomes),
        "people": report.n_people,
        "k": report.k,
        "rates": _rates(report.rates),
        "control": _rates(report.control),
        "original": None if report.original is None else _rates(report.original),
        "chance": {
            "rank_1": 1 / report.n_people,
            "rank_k": min(1.0, report.k / report.n_people),
        },
        "results": [_outcome(outcome, people, reveal) for outcome in report.outcomes],
    }


def _rates(rates: Mapping[str, Rates]) -> dict[str, Any]:
    return {
        name: {
            key: {"rate": one.value, "low": one.low, "high": one.high}
            for key, one in (("rank_1", found.first), ("rank_k", found.among_k))
        }
        for name, found in rates.items()
    }


def _outcome(outcome: Outcome, people: People, reveal: bool) -> dict[str, Any]:
    firsts = people.names(list(outcome.first.values()))
    text = outcome.case.document.document.text
    return {
        "id": outcome.case.document.document.id,
        "person": people.names([outcome.case.person])[0][0],
        "rank": outcome.rank,
        "ranks": dict(outcome.ranks),
        "probabilities": dict(outcome.probabilities),
        "looks_like": {name: id for name, (id, _) in zip(outcome.first, firsts, strict=True)},
        "clues": [_clue(clue, text, reveal) for clue in outcome.clues],
    }


def _clue(clue: Clue, text: str, reveal: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "weight": clue.weight,
        "spans": [[span.start, span.end] for span in clue.spans],
    }
    if reveal:
        item["word"] = clue.spans[0].of(text)
    return item
