"""Mentions of the policy's own terms: the deny list, and the target's names.

They become mentions before entities are formed, so that strings missed by all detectors are linked,
propagated and verified like everything else. Their kind is ``target``, or ``deny[0]`` with the
index of the rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..document import Document, Mention, MentionSource, Protected, SemanticType
from ..policy import Policy
from ..text.matching import Searcher
from ..text.surface_forms import leak_forms
from .deny_list import find
from .target_mentions import target_mentions


def policy_mentions(document: Document, policy: Policy) -> tuple[Mention, ...]:
    """Return mentions of the deny list's terms, known codes and the target's names, in no particular order.

    They may overlap; ``p_mask`` is 1. A deny rule without a type creates mentions of type MISC.
    """
    mentions = (
        Mention(
            span,
            policy.deny[index].type or SemanticType.MISC,
            1.0,
            0.0,
            MentionSource.POLICY,
            f"deny[{index}]",
            deny=index,
        )
        for index, span in find(policy.deny, document.text, document.id)
    )
    return (
        *mentions,
        *_code_mentions(document),
        *target_mentions(document.text, (*document.target, *policy.target)),
    )


def _code_mentions(document: Document) -> Iterator[Mention]:
    """Yield a mention for each occurrence of a code in the document's record."""
    type = SemanticType.CODE
    forms = [form for code in document.codes for form in leak_forms(code, type)]
    for occurrence in Searcher(forms).find(document.text) if forms else ():
        yield Mention(occurrence.span, type, 1.0, 1.0, MentionSource.PATTERN, "code_of_a_field")


def protected(document: Document, policy: Policy) -> Protected:
    """Return the names and terms of policy and document, to search for outside the text."""
    return Protected(
        names=(*document.target, *policy.target),
        terms=(
            *((code, SemanticType.CODE) for code in document.codes),
            *(
                (rule.exact or rule.fuzzy or "", rule.type or SemanticType.MISC)
                for rule in policy.deny
                if rule.pattern is None
            ),
        ),
        # A form isn't a name: a date outside the text isn't the document's.
        patterns=tuple(
            rule.pattern for rule in policy.deny if rule.pattern is not None and rule.form is None
        ),
    )
