"""What may be written instead of an entity, whether or not it is generalised now."""

from __future__ import annotations

from dataclasses import replace

from ...document import Option
from ...policy import Policy
from ...rewrite.generalize.options import offer
from ...rewrite.ontology import shipped
from .redecide import Reviewed


def options_of(reviewed: Reviewed, policy: Policy, entity: str) -> tuple[Option, ...]:
    """Return the options of one entity, from the most specific to ``***``; none if it is unknown."""
    sanitized = reviewed.sanitized
    decisions = tuple(
        replace(item, masked=True, operator="generalize")
        if item.entity.id == entity
        else replace(item, operator="suppress" if item.masked else "")
        for item in sanitized.decisions
    )
    for decision in offer(sanitized.document, decisions, policy, shipped()):
        if decision.entity.id == entity:
            return decision.options
    return ()
