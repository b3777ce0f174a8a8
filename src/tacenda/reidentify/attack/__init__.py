"""Attackers: a document to people with probabilities, one a file."""

from __future__ import annotations

from .additive import AdditiveAttacker, Contributions, Row
from .attacker import Attacker
from .bayes import NaiveBayes
from .bm25 import Bm25
from .encoder import BiEncoder
from .joint import Joint
from .ranking import Ranking, rank_of
from .registry import ENSEMBLE, NAMES, open_attackers

__all__ = [
    "ENSEMBLE",
    "NAMES",
    "AdditiveAttacker",
    "Attacker",
    "BiEncoder",
    "Bm25",
    "Contributions",
    "Joint",
    "NaiveBayes",
    "Ranking",
    "Row",
    "open_attackers",
    "rank_of",
]
