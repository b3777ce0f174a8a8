"""Gazetteer: text to terms that say something about people, by a list of terms."""

from __future__ import annotations

from .detector import GazetteerDetector
from .gazetteer import Gazetteer, Tag

__all__ = ["Gazetteer", "GazetteerDetector", "Tag"]
