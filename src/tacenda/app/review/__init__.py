"""A person's changes to a document, and what becomes of the document by them; pure functions.

    changes ─ fold ─▶ State          analysis + policy + State ─ redecide ─▶ Reviewed

Changes name mentions by their spans, never entities by number: entities are linked anew whenever
a mention comes or goes, and a decision must find its entity again.
"""

from __future__ import annotations

from .advisers import NOBODY, Advisers
from .change import Change, ChangeError, Kind
from .curve import Point, curve
from .fold import fold
from .redecide import Reviewed, redecide
from .state import State, Verdict

__all__ = [
    "NOBODY",
    "Advisers",
    "Change",
    "ChangeError",
    "Kind",
    "Point",
    "Reviewed",
    "State",
    "Verdict",
    "curve",
    "fold",
    "redecide",
]
