"""The options of every entity that is generalised, and the one that is written.

No option has the name of another masked entity in it ("1994" is not offered for a day of 1994
where the year is masked elsewhere). Of those whose residual risk is at most the policy's
``residual_risk``, the one that a person would choose is written (``choose``), or with
``prefer: detail`` the most specific one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from ...document import Decision, Document, Entity, IdentifierType, Option, SemanticType
from ...models.ranker import load_weights
from ...policy import Policy
from .choose import Ranker, first_under
from .finishing import SUPPRESSION, strings, words
from .ontology import Ontology
from .rules import rules

Known: TypeAlias = dict[tuple[Entity, SemanticType], tuple[Option, ...]]
"""Options by entity and the type that it is read as."""

_SHORTEST = 3
"""Letters and digits of a name that no option may have; shorter ones are in everything."""


def offer(
    document: Document,
    decisions: Sequence[Decision],
    policy: Policy,
    ontology: Ontology | None = None,
    ranker: Ranker | None = None,
    known: Known | None = None,
) -> tuple[Decision, ...]:
    """Return the decisions with the options and the choice of those that are generalised.

    Where the choice is ``***`` the operator becomes *suppress*, so that neighbours are joined.

    Args:
        document: where the mentions are.
        decisions: one an entity.
        policy: has the bound on the residual risk, and what is preferred under it.
        ontology: knows what names stand for; None for what the text says alone.
        ranker: knows what people choose; None for the one that is shipped.
        known: options found for entities of this document before; what is found is added.

    Raises:
        ModelError: if the shipped ranker is needed and is missing or damaged.
    """
    if not any(decision.operator == "generalize" for decision in decisions):
        return tuple(decisions)
    of_type = rules(ontology)
    masked = [decision for decision in decisions if decision.masked]
    names = {
        form
        for decision in masked
        for string in strings(document, decision.entity)
        if sum(map(len, form := words(string))) >= _SHORTEST
    }
    known = {} if known is None else known
    result = []
    for decision in decisions:
        if decision.operator == "generalize":
            key = decision.entity, _read_as(decision)
            if key not in known:
                known[key] = of_type[key[1]].options(document, decision.entity)
            decision = _decided(document, decision, known[key], policy, names, ranker)
        result.append(decision)
    return tuple(result)


def _read_as(decision: Decision) -> SemanticType:
    """Return the type whose rules apply.

    What identifies directly and is no name is a code, whatever the recognizer took it for: read
    as an amount, "between QQ 10 and QQ 50" would tell the digits of an insurance number.
    """
    type = decision.entity.type
    named = type in (SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC)
    direct = decision.identifier is IdentifierType.DIRECT
    return SemanticType.CODE if direct and not named else type


def _decided(
    document: Document,
    decision: Decision,
    found: tuple[Option, ...],
    policy: Policy,
    names: set[tuple[str, ...]],
    ranker: Ranker | None,
) -> Decision:
    options = _unnamed(found, names)
    if policy.prefer == "detail":
        choice = first_under(options, policy.residual_risk)
    else:
        originals = strings(document, decision.entity)
        choice = (ranker or shipped_ranker()).choose(
            _read_as(decision), originals, options, policy.residual_risk
        )
    operator = "suppress" if choice.source == SUPPRESSION else decision.operator
    return replace(decision, options=options, choice=choice, operator=operator)


@cache
def shipped_ranker() -> Ranker:
    """Return the ranker that is shipped, read once.

    Raises:
        ModelError: if it is missing or damaged.
    """
    return Ranker(load_weights().weights)


def _unnamed(options: Sequence[Option], names: set[tuple[str, ...]]) -> tuple[Option, ...]:
    """Return the options that have none of some names in them, at their new levels."""
    longest = max(map(len, names), default=0)
    kept = [option for option in options[:-1] if not _names(words(option.text), names, longest)]
    if len(kept) == len(options) - 1:
        return tuple(options)
    return tuple(replace(option, level=level) for level, option in enumerate([*kept, options[-1]]))


def _names(text: tuple[str, ...], names: set[tuple[str, ...]], longest: int) -> bool:
    return any(
        text[start:end] in names
        for start in range(len(text))
        for end in range(start + 1, min(len(text), start + longest) + 1)
    )
