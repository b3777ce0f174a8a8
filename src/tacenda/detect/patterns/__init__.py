"""Patterns: text to mentions of things with a form of their own, one family a file."""

from __future__ import annotations

from .detector import PatternDetector

__all__ = ["PatternDetector"]
