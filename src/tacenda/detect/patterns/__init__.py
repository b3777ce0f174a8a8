"""Patterns: find mentions that have a form of their own; one file per family."""

from __future__ import annotations

from .detector import PatternDetector

__all__ = ["PatternDetector"]
