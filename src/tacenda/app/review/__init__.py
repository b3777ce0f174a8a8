"""A person's changes to a document, and their effect on it; pure functions.

    events ─ replay ─▶ ReviewState          analysis + policy + ReviewState ─ redecide ─▶ Reviewed

Changes name mentions by their spans, never entities by number: entities are relinked whenever a
mention comes or goes, and a decision must find its entity again.
"""

from __future__ import annotations

from .events import ReviewState

__all__ = ["ReviewState"]
