"""What a rule proposes, and how much it keeps and risks, estimated by counting what fits.

Both estimates are from one count. Of the ``scope`` things that an entity of the kind may be, an
option leaves ``fitting`` open (days of two centuries: a decade leaves 3,653 of 73,049):

    risk = 1 / fitting
    kept = 0.1 + 0.9 · (1 − log fitting / log scope)

The 0.1 is what the kind of thing alone tells; the rest is the share of the bits. The things are
counted at the grain at which they are written: days, cents, whole units. The counts are of things
and not of people: how many people share a date is not known to a rule.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

KIND_ALONE = 0.1
"""Share of the information that the kind of thing alone keeps."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An option before it has a place among the others.

    Attributes:
        text: the words, without brackets and article.
        source: where it is from.
        fitting: how many things fit it, at least 1.
        scope: how many things there are of the kind, more than 1.
    """

    text: str = field(repr=False)
    source: str
    fitting: float
    scope: float

    @property
    def risk(self) -> float:
        """Residual risk in [0, 1]."""
        return 1 / max(self.fitting, 1.0)

    @property
    def kept(self) -> float:
        """Share of the information kept, in [0.1, 1]."""
        fitting = min(max(self.fitting, 1.0), self.scope)
        return KIND_ALONE + (1 - KIND_ALONE) * (1 - math.log(fitting) / math.log(self.scope))
