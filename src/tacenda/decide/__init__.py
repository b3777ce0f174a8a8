"""Decide: assessments to decisions. The first line that applies, wins.

| | the entity | decision | unless |
|---|---|---|---|
| 1 | is the target, or a mention bears a name of the target | masked | |
| 2 | matches the deny list with a mention | masked | |
| 3 | is a contact or identity number | masked | each mention is on the allow list by an ``exact`` rule |
| 4 | is a direct identifier | masked | the same |
| 5 | has a risk at or above the threshold of its type, which ``economy`` raises with the words that masking takes; or, where the policy bounds the ``risk`` of the document, is among the cheapest to mask | masked | each mention matches the allow list |
| 6 | anything else | kept | |

Safety first: ``regex`` and ``fuzzy`` rules say more than their author may have thought of, so they
stand above the threshold only. An ``exact`` rule is a person's word about this very string, and
stands above what patterns and models believe; nothing stands above the person to protect and the
deny list. The reasons are typed, a ``Reason`` each; they name a rule by its place in the
policy, never by its text, and an allow rule that had to yield is one of them.
"""

from __future__ import annotations

from .decide import decide

__all__ = ["decide"]
