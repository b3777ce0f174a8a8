"""Decide: assessments to decisions. The first line that applies, wins.

| | the entity | decision | unless |
|---|---|---|---|
| 1 | is the target, or a mention bears a name of the target | masked | |
| 2 | matches the deny list with a mention | masked | |
| 3 | is a contact or identity number | masked | each mention is on the allow list by an ``exact`` rule |
| 4 | is a direct identifier | masked | the same |
| 5 | has a risk at or above the threshold of its type, raised by ``length_penalty`` with the words lost by masking; or, where the policy bounds the risk of the document, is among the cheapest to mask | masked | each mention matches the allow list |
| 6 | anything else | kept | |

Safety first: ``regex`` and ``fuzzy`` rules may match more than their author intended, so they stand
above the threshold only. An ``exact`` rule is a person's word about this very string, and stands
above patterns and models; nothing stands above the person to protect and the deny list. The reasons
are typed, a ``Reason`` each; they name a rule by its place in the policy, never by its text, and an
overruled allow rule is one of them.
"""
