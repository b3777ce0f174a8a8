"""Words that point to nobody: attackers don't read them, the search does not try them.

Morris et al. (2022), section 6, leave them out of the search. To an attacker they would be rare words,
since profiles hardly have them and texts are full of them.

Pronouns that tell a gender are not among them: the paper's system masks those.
"""

from __future__ import annotations

from typing import Final

STOP_WORDS: Final = frozenset(
    """a about above after again against all also although am among an and any are as at be became
    because been before being below between both but by can could did do does doing down during
    each either else few for from further had has have having here how if in into is it its itself
    just may might more most must neither no nor not now of off on once only or other our out over
    own per s same shall should since so some such t than that the their theirs them then there
    these they this those through till to too under until up upon us very was we were what when
    where whether which while who whom whose why will with within without would you your""".split()
)
