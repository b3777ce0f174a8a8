"""Predicts which option a person would choose, by conditional logistic regression over an entity's options.

McFadden, "Conditional Logit Analysis of Qualitative Choice Behavior" (1974): the probability of an
option is proportional to the exponential of its weighted features. The weights are in
``models/ranker-en``, fitted by a recipe in ``tacenda-lab``; nothing else is learned, so each choice
can be checked by hand.

| feature | value |
|---|---|
| ``suppress:TYPE`` | 1 for ``***`` |
| ``suppress·kept:TYPE`` | for ``***``: the share kept by the best other option |
| ``alone`` | for ``***``: there is no other option |
| ``source:NAME`` | 1 for the rule, or for ``ontology`` |
| ``first:TYPE`` ``level:TYPE`` | 1 for the most specific one; place among the options |
| ``general:TYPE`` | 1 for the most general one, where there are several |
| ``kept:TYPE`` ``bits:TYPE`` | information kept; log10 of the number of things that fit |
| ``named`` | it has a proper name or a number: ``city in Norway`` |
| ``words`` ``overlap`` | number of words; their share in the original |
| ``text:OPTION`` ``head:NOUN`` | 1 for an option without a name or a number; 1 for its head noun |
| ``head noun`` | 1 where the option is a noun of the original and no class of what it names |
| ``suppress:lower-case`` ``suppress:length`` | for ``***``: no capitals; log of the number of words (both by type too) |
| ``suppress:SOURCE`` | for ``***``: 1 for the source of the most specific option |
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...document import Option, SemanticType
from .candidates import SUPPRESSION, words

SUPPRESSION_ODDS = 1.5
"""How many times likelier than all other options together ``***`` must be to be written.

With this value the agreement with people beyond chance is highest (``benchmarks/RESULTS.md``).
"""
SPECIFIC_SHARE = 0.8
"""How likely the most specific option must be to be written, as a share of the likeliest one's chance.

People left out detail less often than the weights say, and a reader is told more.
"""
_OF_RULES = "bin magnitude share duration coarser age adult half-year decades".split()
NOT_SHOWN = frozenset(f"rule:{name}" for name in _OF_RULES)
"""Sources of the kinds of options that no annotator was ever shown, so that none refused them.

For amounts they had ``X`` alone, for spans of time and ages often nothing.
"""
SAYS_NOTHING = frozenset(("person", "position", "occupation", "religious adherent"))
"""Options that are offered and never written: "she works as a person" tells a reader that something is missing."""
_RULE = "rule:"
_TAG = "type:"
_HEAD_NOUN = "ontology:head"
_LEAST_RISK = 1e-10


@dataclass(frozen=True, slots=True)
class Ranker:
    """A model of a person's choice among options.

    Attributes:
        weights: feature weights by name; absent ones are 0.
    """

    weights: Mapping[str, float]

    def probabilities(
        self, type: SemanticType, originals: Sequence[str], options: Sequence[Option]
    ) -> tuple[float, ...]:
        """Return the probability of each option; they sum to 1.

        Args:
            type: semantic type of the entity.
            originals: the strings of its mentions.
            options: at least one, the most specific first, with ``***`` last.
        """
        scores = [
            sum(self.weights.get(name, 0.0) * value for name, value in vector.items())
            for vector in features(type, originals, options)
        ]
        highest = max(scores)
        shares = [math.exp(score - highest) for score in scores]
        return tuple(share / sum(shares) for share in shares)

    def choose(
        self,
        type: SemanticType,
        originals: Sequence[str],
        options: Sequence[Option],
        bound: float = 1.0,
    ) -> Option:
        """Return the likeliest choice below ``bound``.

        A type without a weight has no observed choices, so the most specific option is taken.

        Args:
            type: semantic type of the entity.
            originals: the strings of its mentions.
            options: the most specific first, with ``***``, which is always below the bound, last.
            bound: the highest residual risk.
        """
        if not any(name.endswith(f":{type}") for name in self.weights):
            return most_specific_below(options, bound)
        return likeliest(options, self.probabilities(type, originals, options), bound)


def most_specific_below(options: Sequence[Option], bound: float) -> Option:
    """Return the most specific option with a residual risk of at most ``bound``.

    Args:
        options: options of one entity, with ``***`` last.
        bound: the highest residual risk.
    """
    return next((option for option in options[:-1] if option.risk <= bound), options[-1])


def likeliest(
    options: Sequence[Option],
    chances: Sequence[float],
    bound: float = 1.0,
    odds: float = SUPPRESSION_ODDS,
) -> Option:
    """Return the most specific of the likely options below ``bound`` (``SPECIFIC_SHARE``).

    ``***`` is returned only if it is far likelier.

    For a kind that people were never shown, the most specific option is taken first.

    Args:
        options: the most specific first, with ``***``, which is always below the bound, last.
        chances: the probability of each option.
        bound: the highest residual risk.
        odds: how many times likelier ``***`` must be than all other options together.
    """
    under = [index for index, option in enumerate(options[:-1]) if option.risk <= bound]
    not_shown = [index for index in under if options[index].source in NOT_SHOWN]
    if not_shown:
        return options[not_shown[0]]
    under = [index for index in under if options[index].text not in SAYS_NOTHING]
    # The tag of a type says nothing, so it is written only if there is nothing else.
    under = [index for index in under if not options[index].source.startswith(_TAG)] or under
    if not under or chances[-1] > odds * sum(chances[index] for index in under):
        return options[-1]
    likely = SPECIFIC_SHARE * max(chances[index] for index in under)
    return next(options[index] for index in under if chances[index] >= likely)


def features(
    type: SemanticType, originals: Sequence[str], options: Sequence[Option]
) -> list[dict[str, float]]:
    """Return the features of each option by name, without zeros."""
    rows = (
        _suppression_features(type, originals, options)
        if option.source == SUPPRESSION
        else _option_features(type, originals, option, len(options))
        for option in options
    )
    return [{name: value for name, value in row.items() if value} for row in rows]


def _suppression_features(
    type: SemanticType, originals: Sequence[str], options: Sequence[Option]
) -> dict[str, float]:
    """Return the features of ``***``: what the original is, and how good the other options are."""
    longest = max(originals, key=len, default="")
    lower_case = float(longest == longest.lower())
    length = math.log(max(len(longest.split()), 1))
    others = [option for option in options if option.source != SUPPRESSION]
    row = {
        f"suppress:{type}": 1.0,
        f"suppress·kept:{type}": max((option.kept for option in others), default=0.0),
        "alone": float(not others),
        "suppress:lower-case": lower_case,
        f"suppress:lower-case:{type}": lower_case,
        "suppress:length": length,
        f"suppress:length:{type}": length,
    }
    if others:
        row[f"suppress:{_source(others[0])}"] = 1.0
    return row


def _source(option: Option) -> str:
    if option.source == _HEAD_NOUN:
        return "head noun"
    return "rule" if option.source.startswith(_RULE) else "ontology"


def _option_features(
    type: SemanticType, originals: Sequence[str], option: Option, count: int
) -> dict[str, float]:
    """Return the features of an option other than ``***``."""
    original_words = {word for original in originals for word in words(original)}
    option_words = words(option.text)
    rule = option.source.startswith(_RULE)
    row = {
        f"source:{option.source.removeprefix(_RULE) if rule else 'ontology'}": 1.0,
        f"first:{type}": float(option.level == 0),
        f"level:{type}": float(option.level),
        f"general:{type}": float(0 < option.level == count - 2),
        f"kept:{type}": option.kept,
        f"bits:{type}": -math.log10(max(option.risk, _LEAST_RISK)),
        "named": float(_is_named(option.text)),
        "words": float(len(option_words)),
        "overlap": len(original_words.intersection(option_words)) / max(len(option_words), 1),
        "head noun": float(option.source == _HEAD_NOUN),
        f"text:{option.text}": float(not _is_named(option.text)),
    }
    if head := _head_noun(option.text):
        row[f"head:{head}"] = 1.0
    return row


def _head_noun(text: str) -> str:
    """Return the last word before a preposition: "place" of "birth place in Oslo"."""
    head = text.partition(" in ")[0].partition(" of ")[0].split()
    return head[-1] if head and not _is_named(head[-1]) else ""


@lru_cache(maxsize=4096)
def _is_named(text: str) -> bool:
    return any(character.isupper() or character.isdigit() for character in text)
