"""Turn assessments into decisions. The first row that applies wins.

| | the entity | decision | unless |
|---|---|---|---|
| 1 | is the target, or one of its mentions has a name of the target | masked | |
| 2 | has a mention that matches the deny list | masked | |
| 3 | is a contact or identity number | masked | an ``exact`` rule allows each mention |
| 4 | is a direct identifier | masked | the same |
| 5 | has a risk at or above its type's threshold, which ``length_penalty`` raises with the number of words that masking would lose; or, if the policy bounds the document's risk, is among the cheapest to mask | masked | each mention matches the allow list |
| 6 | anything else | kept | |

Safety comes first. ``regex`` and ``fuzzy`` rules may match more than their author intended, so they
override only the threshold. An ``exact`` rule is a person's decision about this very string, so it
also overrides patterns and models. Nothing overrides the person to protect and the deny list. Each
reason is a typed ``Reason``. Reasons name a rule by its place in the policy, never by its text, and
include overruled allow rules.
"""
