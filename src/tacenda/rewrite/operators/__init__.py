"""What is written instead of a masked entity, one operator a file."""

from __future__ import annotations

from .operator import Operator
from .pseudonym import Pseudonym
from .suppress import Suppress
from .tag import Tag

__all__ = ["Operator", "Pseudonym", "Suppress", "Tag"]
