"""Estimates the risk left by each generalization of an entity, without deciding again.

An identifier that singles out a person by itself does so only if a reader guesses it among all
things that fit, so its risk is divided by their number. Other identifiers point to the person
together, so they keep as much of their risk as they keep of their information (Sánchez and Batet,
"C-sanitized: a privacy model for document redaction and sanitization", 2016, also measure
disclosure this way). Both figures come with the option (``rewrite.generalize.candidates``) and are
estimates; leaks that a change adds or removes are not foreseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ...document import Decision, Entity, IdentifierType, Option, Risk
from ...result import Result
from ...rewrite.edits import Edit
from ...rewrite.tags import is_tag, number_tags


@dataclass(frozen=True, slots=True)
class ForeseenRisk:
    """The risk with one of the options.

    Attributes:
        option: the generalisation.
        own: risk of the entity, in [0, 1].
        document: expected number of things in the document that need masking and can still be read.
    """

    option: Option
    own: float
    document: float


def foreseen_risks(
    decision: Decision, options: Sequence[Option], risk: Risk, danger: float
) -> tuple[ForeseenRisk, ...]:
    """Return the risk with each option, in order; a more general option never has a higher risk.

    Args:
        decision: the decision about the entity.
        options: its options, from the most specific to the most general.
        risk: current risk of the document.
        danger: current risk of the entity, alone or in unbroken combinations, in [0, 1].
    """
    shares = accumulate((_share(option, decision.identifier) for option in options), min)
    is_kept = decision.is_kept_by_person or decision.is_kept_by_policy
    is_counted = not (decision.masked or is_kept)
    others = max(0.0, risk.undecided - decision.risk * is_counted)
    return tuple(
        ForeseenRisk(option, danger * share, others + decision.risk * share)
        for option, share in zip(options, shares, strict=True)
    )


def written_text(option: Option, entity: Entity, sanitized: Result) -> str:
    """Return the text of an option with the number it would have in the result: people are numbered as they appear."""
    if not is_tag(f"[{option.text}]"):
        return option.text
    own = f"[{option.text.split()[0]} 0]"
    edits = [Edit(mention.span, own, (entity.id,)) for mention in entity.mentions]
    edits += [
        Edit(item.original, item.text.removesuffix(","), item.entity_ids)
        for item in sanitized.replacements
        if entity.id not in item.entity_ids
    ]
    edits.sort(key=lambda edit: edit.span)
    numbered = number_tags(sanitized.document.text, edits)
    return next(edit.text for edit in numbered if edit.entities == (entity.id,))[1:-1]


def _share(option: Option, identifier: IdentifierType) -> float:
    """Return the share of the entity's risk that an option leaves."""
    return option.risk if identifier is IdentifierType.DIRECT else max(option.risk, option.kept)
