"""Attributes of everybody in a text: which are revealed, which a release still reveals, and how to hide them."""

from .pipeline import AttributeGuard, names_of, parse_attributes
from .protection import ProtectionReport, ReleasePair, measure_protection
from .reading import read_profiles

__all__ = [
    "AttributeGuard",
    "ProtectionReport",
    "ReleasePair",
    "measure_protection",
    "names_of",
    "parse_attributes",
    "read_profiles",
]
