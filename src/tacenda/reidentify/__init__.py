"""Re-identification: attacks with background knowledge, and masks against them.

    files ─ background ─▶ People ─ attack ─▶ rankings ─▶ report (who is found, and by which words)
                                      └──── anonymize ─▶ the smallest mask found that hides the person

In the pipeline, ``AttackIndicator`` judges entities by attacks, and ``ResidualAttack`` checks
results.

After Morris, Chiu, Zabih and Rush, *Unsupervised Text Deidentification* (2022).
"""

from __future__ import annotations

from ..background.people import People, Posting
from ..background.people_builder import PeopleBuilder
from ..background.profiles import Person
from ..background.reading import PeopleReader
from .anonymize.anonymize import Anonymized, AttackResult, anonymize
from .anonymize.units import MaskUnit, entity_units, word_units
from .attackers import open_attackers
from .attackers.base import Attacker, Ranking
from .judge import AttributeGuess, Cost, Identity, Inference, Judge, Judgment, Silence
from .pipeline import AttackIndicator, ResidualAttack
from .rates import Rate, Rates
from .report import AttackCase, AttackOutcome, AttackReport, TellingWord, attack
from .tokens import TokenizedDocument, read_words

__all__ = [
    "Anonymized",
    "AttackCase",
    "AttackIndicator",
    "AttackOutcome",
    "AttackReport",
    "AttackResult",
    "Attacker",
    "AttributeGuess",
    "Cost",
    "Identity",
    "Inference",
    "Judge",
    "Judgment",
    "MaskUnit",
    "People",
    "PeopleBuilder",
    "PeopleReader",
    "Person",
    "Posting",
    "Ranking",
    "Rate",
    "Rates",
    "ResidualAttack",
    "Silence",
    "TellingWord",
    "TokenizedDocument",
    "anonymize",
    "attack",
    "entity_units",
    "open_attackers",
    "read_words",
    "word_units",
]
