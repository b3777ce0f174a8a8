"""Measures of an attack: rates with baseline and control, and telling words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..background.people import People
from ..document import Span
from .anonymize.anonymize import make_objective
from .anonymize.units import word_units
from .attackers import ENSEMBLE
from .attackers.base import Attacker
from .rates import Rate, Rates, rates
from .tokens import TokenizedDocument

# Telling words, by occlusion: how far the log odds fall without each word.


@dataclass(frozen=True, slots=True)
class TellingWord:
    """A word that is evidence for the person.

    Attributes:
        spans: all its occurrences.
        weight: drop in the person's log odds without it, in nats; above 0.
    """

    spans: tuple[Span, ...]
    weight: float


def telling_words(
    attacker: Attacker, document: TokenizedDocument, person: int, count: int
) -> tuple[TellingWord, ...]:
    """Return the words with the largest drop in the person's log odds, largest first."""
    units = word_units(document)
    if not units or not count or attacker.n_people < 2:
        return ()
    objective = make_objective(attacker, document, person, units)
    drops = objective.log_odds() - objective.log_odds_after(range(len(units)))
    order = np.argsort(-drops, kind="stable")[:count]
    return tuple(
        TellingWord(tuple(document.spans[word] for word in units[n].words), float(drops[n]))
        for n in order
        if drops[n] > 0
    )


# An attack on a release, with its baselines (chance, originals) and its control (strangers).
#
# After anonymeter (Giomi et al., 2023): an attack is only meaningful with a *baseline* and a
# *control*.
#
#     baseline   chance, 1 / people; and the originals, where given: no masking at all
#     control    each document as if it were about another one's person, who is not in it


@dataclass(frozen=True, slots=True)
class AttackCase:
    """A document to attack.

    Attributes:
        document: the released document.
        person: index of the person it is about.
        original: the document before masking, if known.
    """

    document: TokenizedDocument
    person: int
    original: TokenizedDocument | None = None


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """The attackers' results for a document.

    Attributes:
        case: the document and its person.
        ranks: rank of the right person, from 1, by attacker.
        probabilities: probability of the right person, by attacker.
        first: the most probable person, by attacker.
        control: rank of a wrong person, by attacker.
        original: ranks for the original, by attacker; None without an original.
        telling_words: telling words for the attacker with the best rank.
    """

    case: AttackCase
    ranks: Mapping[str, int]
    probabilities: Mapping[str, float]
    first: Mapping[str, int]
    control: Mapping[str, int]
    original: Mapping[str, int] | None
    telling_words: tuple[TellingWord, ...]

    @property
    def rank(self) -> int:
        """The best rank of the right person over all attackers."""
        return min(self.ranks.values())


@dataclass(frozen=True, slots=True)
class AttackReport:
    """The outcome for a release.

    Attributes:
        n_people: number of people in the background knowledge.
        k: the k of the second rate.
        rates: rates by attacker, and for the ensemble (found by any attacker).
        control: the same for people that the documents aren't about.
        original: the same for the originals; None unless all are known.
        outcomes: one per document.
    """

    n_people: int
    k: int
    rates: Mapping[str, Rates]
    control: Mapping[str, Rates]
    original: Mapping[str, Rates] | None
    outcomes: tuple[AttackOutcome, ...]

    @property
    def rate(self) -> Rate:
        """The rate of documents whose right person any attacker ranks first."""
        return self.rates[ENSEMBLE].first


def attack(
    cases: Sequence[AttackCase], attackers: Sequence[Attacker], k: int, n_telling_words: int = 5
) -> AttackReport:
    """Attack documents.

    Args:
        cases: at least one.
        attackers: at least one, with the same people.
        k: at least 1.
        n_telling_words: maximum number of telling words per document.
    """
    strangers = _strangers(cases, attackers[0].n_people)
    outcomes = tuple(
        _attack_one(case, stranger, attackers, n_telling_words)
        for case, stranger in zip(cases, strangers, strict=True)
    )
    originals = [o.original for o in outcomes if o.original is not None]
    return AttackReport(
        attackers[0].n_people,
        k,
        rates_of([outcome.ranks for outcome in outcomes], k),
        rates_of([outcome.control for outcome in outcomes], k),
        rates_of(originals, k) if len(originals) == len(outcomes) else None,
        outcomes,
    )


def rates_of(ranks: Sequence[Mapping[str, int]], k: int) -> dict[str, Rates]:
    """Return rates by attacker and for the ensemble, given one mapping of ranks per document."""
    names = list(ranks[0])
    by_name: dict[str, list[int]] = {name: [one[name] for one in ranks] for name in names}
    by_name[ENSEMBLE] = [min(one.values()) for one in ranks]
    return {name: rates(attacker_ranks, k) for name, attacker_ranks in by_name.items()}


def _attack_one(
    case: AttackCase, stranger: int, attackers: Sequence[Attacker], n_telling_words: int
) -> AttackOutcome:
    rankings = {attacker.name: attacker.rank(case.document) for attacker in attackers}
    ranks = {name: ranking.rank(case.person) for name, ranking in rankings.items()}
    original = None
    if case.original is not None:
        original = {a.name: a.rank(case.original).rank(case.person) for a in attackers}
    best = min(attackers, key=lambda attacker: ranks[attacker.name])
    return AttackOutcome(
        case,
        ranks,
        {name: ranking.probability(case.person) for name, ranking in rankings.items()},
        {name: ranking.best(1)[0] for name, ranking in rankings.items()},
        {name: ranking.rank(stranger) for name, ranking in rankings.items()},
        original,
        telling_words(best, case.document, case.person, n_telling_words),
    )


_STEP: Final = 7919
"""Prime: how far from the right person a stranger is taken where all documents have one person."""


def _strangers(cases: Sequence[AttackCase], n_people: int) -> list[int]:
    """Return a wrong person for each document: that of the next document about another person."""
    people = [case.person for case in cases]
    strangers = []
    for place, person in enumerate(people):
        following = (*people[place + 1 :], *people[:place])
        stranger = next((n for n in following if n != person), (person + _STEP) % n_people)
        if stranger == person:
            stranger = (person + 1) % n_people
        strangers.append(stranger)
    return strangers


# An attack as JSON, stable and documented.
#
#     {"version": 1, "documents": n, "people": n, "k": k,
#      "rates": {attacker: {"rank_1": RATE, "rank_k": RATE}, …, "ensemble": …},
#      "control": …, "original": … or null, "chance": {"rank_1": p, "rank_k": p},
#      "results": [{"id", "person", "rank", "ranks": {attacker: rank}, "probabilities": {…},
#                   "looks_like": {attacker: id}, "clues": [{"weight", "spans": [[start, end], …]}]}]}
#
# RATE is {"rate", "low", "high"}, a 95 % interval. With ``reveal`` a clue has its "word" too.


VERSION = 1


def as_object(report: AttackReport, people: People, *, reveal: bool) -> dict[str, Any]:
    """Return a report as values for ``json.dumps``."""
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
        name: {"rank_1": entry.first.as_object(), "rank_k": entry.among_k.as_object()}
        for name, entry in rates.items()
    }


def _outcome(outcome: AttackOutcome, people: People, reveal: bool) -> dict[str, Any]:
    firsts = people.names(list(outcome.first.values()))
    text = outcome.case.document.document.text
    return {
        "id": outcome.case.document.document.id,
        "person": people.names([outcome.case.person])[0][0],
        "rank": outcome.rank,
        "ranks": dict(outcome.ranks),
        "probabilities": dict(outcome.probabilities),
        "looks_like": {name: id for name, (id, _) in zip(outcome.first, firsts, strict=True)},
        "clues": [_clue(clue, text, reveal) for clue in outcome.telling_words],
    }


def _clue(clue: TellingWord, text: str, reveal: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "weight": clue.weight,
        "spans": [[span.start, span.end] for span in clue.spans],
    }
    if reveal:
        item["word"] = clue.spans[0].of(text)
    return item


# Report of an attack as rows of text, for the terminal and for HTML alike.


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
    """Return the documents as rows, worst first; with ``reveal`` also their telling words."""
    rows: Rows = [("document", "person", "rank", "probability", "who it looks like")]
    if reveal:
        rows[0] += ("telling words",)
    worst = sorted(report.outcomes, key=lambda one: (one.rank, -max(one.probabilities.values())))
    return rows + [_row(outcome, people, reveal) for outcome in worst]


def _rows(title: str, rates: Mapping[str, Rates]) -> Rows:
    return [
        (f"{title} {name}", str(entry.first), str(entry.among_k)) for name, entry in rates.items()
    ]


def _row(outcome: AttackOutcome, people: People, reveal: bool) -> tuple[str, ...]:
    best = min(outcome.ranks, key=lambda name: outcome.ranks[name])
    names = people.names([outcome.case.person, outcome.first[best]])
    cells: Sequence[str] = (
        outcome.case.document.document.id,
        person_label(*names[0]),
        f"{outcome.rank:,}",
        f"{outcome.probabilities[best]:.3f}",
        person_label(*names[1]),
    )
    if not reveal:
        return tuple(cells)
    text = outcome.case.document.document.text
    words = (f"{clue.spans[0].of(text)} ({clue.weight:.1f})" for clue in outcome.telling_words)
    return (*cells, ", ".join(words))


def people_shown(report: AttackReport, people: People) -> dict[int, str]:
    """Return all people named in a report, by index."""
    numbers = {outcome.case.person for outcome in report.outcomes}
    numbers.update(number for outcome in report.outcomes for number in outcome.first.values())
    ordered = sorted(numbers)
    return {
        number: person_label(*row)
        for number, row in zip(ordered, people.names(ordered), strict=True)
    }


def person_label(id: str, name: str) -> str:
    """Return a person's name and id, truncated if long."""
    label = id if name in ("", id) else f"{name} ({id})"
    return label if len(label) <= _PERSON_LENGTH else label[: _PERSON_LENGTH - 1] + "…"
