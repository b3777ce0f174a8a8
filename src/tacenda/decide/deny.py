"""What the policy names itself: terms of the deny list and names of the target, as mentions.

They are mentions before entities are made, so that what no detector found is linked, propagated
and verified like everything else. Their kind is ``deny[0]``, the rule by its place in the list,
or ``target``.
"""

from __future__ import annotations

from ..document import Document, Mention, Protected, SemanticType
from ..policy import Policy
from .naming import target_mentions
from .search import find


def policy_mentions(document: Document, policy: Policy) -> tuple[Mention, ...]:
    """Return mentions of the deny list's terms and the target's names, in no certain order.

    They may overlap; ``masking`` is 1. A deny rule without a type makes mentions of type MISC.
    """
    denied = (
        Mention(
            span, policy.deny[index].type or SemanticType.MISC, 1.0, 0.0, "policy", f"deny[{index}]"
        )
        for index, span in find(policy.deny, document.text, document.id)
    )
    return (*denied, *target_mentions(document.text, (*document.target, *policy.target)))


def protected(document: Document, policy: Policy) -> Protected:
    """Return what the policy and the document name, to be looked for in places that are no text."""
    return Protected(
        names=(*document.target, *policy.target),
        terms=tuple(
            (rule.exact or rule.fuzzy or "", rule.type or SemanticType.MISC)
            for rule in policy.deny
            if rule.pattern is None
        ),
        patterns=tuple(rule.pattern for rule in policy.deny if rule.pattern is not None),
    )
