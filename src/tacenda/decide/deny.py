"""What the policy names itself: terms of the deny list and names of the target, as mentions.

They are mentions before entities are made, so that what no detector found is linked, propagated
and verified like everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..document import Document, Mention, SemanticType, Span
from ..policy import Policy
from .rules import find

_WORD = re.compile(r"[^\W_]+")
_SHORTEST_PART = 3


def policy_mentions(document: Document, policy: Policy) -> tuple[Mention, ...]:
    """Return mentions of the deny list's terms and the target's names, in no certain order."""
    denied = (
        Mention(span, rule.type or SemanticType.MISC, 1.0, 0.0, "policy", "deny")
        for rule in policy.deny
        for span in find(rule, document.text)
    )
    names = (*document.target, *policy.target)
    return (*denied, *_target_mentions(document.text, names))


def _target_mentions(text: str, names: tuple[str, ...]) -> Iterator[Mention]:
    """Yield the places of each full name and of its surname, in any case but all-lower words."""
    forms = set()
    for name in names:
        parts = _WORD.findall(name)
        if parts:
            forms.add(name.strip())
            if len(parts[-1]) >= _SHORTEST_PART:
                forms.add(parts[-1])
    for form in sorted(forms, key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.IGNORECASE):
            # "rose" is no mention of Mrs Rose, unless she was named in lower case.
            if match.group().islower() and not form.islower() and " " not in form:
                continue
            yield Mention(Span(*match.span()), SemanticType.PERSON, 1.0, 1.0, "pattern", "target")
