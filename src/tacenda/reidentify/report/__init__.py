"""The attack as a measurement: rates with baseline and control, and what gave people away."""

from __future__ import annotations

from .clues import Clue, clues
from .measure import AttackReport, Case, Outcome, Rates, attack, rates_of
from .rate import Rate, rate

__all__ = [
    "AttackReport",
    "Case",
    "Clue",
    "Outcome",
    "Rate",
    "Rates",
    "attack",
    "clues",
    "rate",
    "rates_of",
]
