"""The risk of a document before and after, in expected entities that need masking."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Decision, Leak, Risk


def risk_summary(decisions: Sequence[Decision], leaks: Sequence[Leak]) -> Risk:
    """Sum the calibrated probabilities of all entities, and of those that were kept.

    An entity that leaked counts as kept.
    """
    leaked = {leak.entity_id for leak in leaks}
    kept = [
        decision.risk
        for decision in decisions
        if not decision.masked or decision.entity.id in leaked
    ]
    return Risk(
        before=sum(decision.risk for decision in decisions),
        residual=sum(kept),
        highest_kept=max(kept, default=0.0),
        leaks=len(leaks),
    )
