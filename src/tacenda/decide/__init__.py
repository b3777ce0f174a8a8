"""Decide: assessments to decisions. The first line that applies, wins.

| | the entity | decision |
|---|---|---|
| 1 | bears a name of the target | masked |
| 2 | matches the deny list | masked |
| 3 | matches the allow list with every one of its mentions | kept |
| 4 | is a contact or identity number | masked |
| 5 | is a direct identifier | masked |
| 6 | has a risk at or above the threshold of its type | masked |
| 7 | anything else | kept |

The allow list is what a person wrote about these very strings, so it stands above what patterns
and models believe; it does not stand above the person to protect.
"""

from __future__ import annotations

from .decide import decide
from .deny import policy_mentions

__all__ = ["decide", "policy_mentions"]
