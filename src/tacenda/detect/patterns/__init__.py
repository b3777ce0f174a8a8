"""Patterns: text to mentions of what has a form of its own, one family a file."""

from __future__ import annotations

from .detector import PatternDetector

__all__ = ["PatternDetector"]
