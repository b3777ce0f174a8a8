"""A person's changes to a document and their effect on it, as pure functions.

    events ─ replay ─▶ ReviewState          analysis + policy + ReviewState ─ redecide ─▶ Reviewed

Changes refer to mentions by span, never to entities by number: entities are relinked whenever a
mention is added or removed, and a decision must find its entity again.
"""

from __future__ import annotations

from .events import ReviewState

__all__ = ["ReviewState"]
