"""Attributes of everybody in a text: what is told of each person, how much of it a release still tells, how to hide it."""

from .pipeline import AttributeGuard, names_of, parse_attributes
from .protection import ProtectionReport, ReleasePair, measure_protection
from .reading import AttributeProfile, read_profiles

__all__ = [
    "AttributeGuard",
    "AttributeProfile",
    "ProtectionReport",
    "ReleasePair",
    "measure_protection",
    "names_of",
    "parse_attributes",
    "read_profiles",
]
