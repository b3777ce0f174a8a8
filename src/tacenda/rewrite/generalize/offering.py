"""The options of every entity that is generalised, and the one that is written.

Until something better chooses, it is the first, most specific option whose residual risk is at
most the policy's ``residual_risk`` and which does not have the name of another masked entity in
it ("1994" is not written for a day of 1994 where the year is masked elsewhere).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...document import Decision, Document, IdentifierType, Option, SemanticType
from ...policy import Policy
from .finishing import SUPPRESSION, strings, words
from .ontology import Ontology
from .rules import rules

_SHORTEST = 3
"""Letters and digits of a name that no option may have; shorter ones are in everything."""


def offer(
    document: Document,
    decisions: Sequence[Decision],
    policy: Policy,
    ontology: Ontology | None = None,
) -> tuple[Decision, ...]:
    """Return the decisions with the options and the choice of those that are generalised.

    Where the choice is ``***`` the operator becomes *suppress*, so that neighbours are joined.

    Args:
        document: where the mentions are.
        decisions: one an entity.
        policy: has the bound on the residual risk.
        ontology: knows what names stand for; None for what the text says alone.
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
    result = []
    for decision in decisions:
        if decision.operator == "generalize":
            options = of_type[_read_as(decision)].options(document, decision.entity)
            decision = _decided(decision, options, policy.residual_risk, names)
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
    decision: Decision,
    options: tuple[Option, ...],
    bound: float,
    names: set[tuple[str, ...]],
) -> Decision:
    choice = first_under(options, bound, names)
    operator = "suppress" if choice.source == SUPPRESSION else decision.operator
    return replace(decision, options=options, choice=choice, operator=operator)


def first_under(
    options: Sequence[Option], bound: float, names: Iterable[tuple[str, ...]] = ()
) -> Option:
    """Return the most specific option of a residual risk of at most ``bound``.

    Args:
        options: of one entity, with ``***`` last.
        bound: highest residual risk.
        names: words that no option may have one after another.
    """
    forbidden = set(names)
    longest = max(map(len, forbidden), default=0)
    for option in options[:-1]:
        if option.risk <= bound and not _names(words(option.text), forbidden, longest):
            return option
    return options[-1]


def _names(text: tuple[str, ...], forbidden: set[tuple[str, ...]], longest: int) -> bool:
    return any(
        text[start:end] in forbidden
        for start in range(len(text))
        for end in range(start + 1, min(len(text), start + longest) + 1)
    )
