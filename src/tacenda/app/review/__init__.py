"""A person's changes to a document, and their effect on it; pure functions.

    events ─ replay ─▶ ReviewState          analysis + policy + ReviewState ─ redecide ─▶ Reviewed

Changes name mentions by their spans, never entities by number: entities are relinked whenever a
mention comes or goes, and a decision must find its entity again.
"""

from __future__ import annotations

from ..events import Event, EventError, EventKind
from .curve import Point, curve
from .events import ReviewState, Verdict, replay
from .indicators import IndicatorSet
from .redecide import Reviewed, redecide

__all__ = [
    "Event",
    "EventError",
    "EventKind",
    "IndicatorSet",
    "Point",
    "ReviewState",
    "Reviewed",
    "Verdict",
    "curve",
    "redecide",
    "replay",
]
