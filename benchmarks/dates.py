"""Attack by differences: how often the moved dates of a document find its person in a register.

    python -m benchmarks dates [--people 1000] [--documents 200] [--dates 3-8] [--years 10]

Prints a row: the share of documents whose person is of rank 1, with its interval, and the median rank. The adversary has the true dates of every person of a register and a document with all dates of one
of them, moved by *surrogate*. He knows how it moves them: he lays each person of as many dates on
the document, the first on the first and so on, and ranks by how far the differences are from one
and the same number of days (their range, or their variance: the better of the two counts). The
dates of a person are drawn evenly within the years given. The key is unknown to him.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import random
from statistics import pvariance
from typing import get_args

from benchmarks.tables import print_header
from tacenda.policy.schema import DateMoving
from tacenda.reidentify.rates import rate
from tacenda.rewrite.surrogate.dates import Moves, read_date
from tacenda.rewrite.surrogate.drawing import Draw

_START = dt.date(2000, 1, 1)
_KEY = b"benchmark key of 32 bytes ......"


def main(parser: argparse.ArgumentParser) -> None:
    """Measure and print."""
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--dates", default="3-8")
    parser.add_argument("--years", type=int, default=10)
    options = parser.parse_args()
    fewest, most = map(int, options.dates.split("-"))
    source = random.Random(13)
    register = [
        sorted(source.sample(range(365 * options.years), source.randint(fewest, most)))
        for _ in range(options.people)
    ]
    cells = [f"{options.dates} in {options.years} years"]
    for moving in sorted(get_args(DateMoving), reverse=True):
        ranks = [rank(register, person, moving) for person in range(options.documents)]
        hits = sum(each == 1 for each in ranks)
        middle = sorted(ranks)[len(ranks) // 2]
        cells.append(f"{rate(hits, len(ranks))}, median rank {middle}")
    print_header("| dates of a person | shift | jitter |")
    print(f"| {' | '.join(cells)} |")


def rank(register: list[list[int]], person: int, moving: DateMoving) -> int:
    """Return the better rank of the true person under the two scores."""
    strings = [(_START + dt.timedelta(days=day)).isoformat() for day in register[person]]
    dates = [date for string in strings if (date := read_date(string, None))]
    moves = Moves(Draw(_KEY), f"document {person}", dates, moving)
    written = [dt.date.fromisoformat(moves.date(date) or "") for date in dates]
    days = [(date - _START).days for date in written]
    best = len(register)
    for score in (lambda gaps: max(gaps) - min(gaps), pvariance):
        scores = {
            other: score([one - two for one, two in zip(days, true, strict=True)])
            for other, true in enumerate(register)
            if len(true) == len(days)
        }
        # Of equals, half are before the person.
        less = sum(each < scores[person] for each in scores.values())
        equal = sum(each == scores[person] for each in scores.values()) - 1
        best = min(best, 1 + less + math.ceil(equal / 2))
    return best
