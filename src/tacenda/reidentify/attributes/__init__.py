"""Attributes of everybody in a text: what is told of each person, how much of it a release still tells, how to hide it."""

from .pipeline import AttributeGuard, names_of, parse_attributes
from .protection import ProtectionReport, ReleasedDocument, measure_protection
from .reading import Profile, read_profiles

__all__ = [
    "AttributeGuard",
    "Profile",
    "ProtectionReport",
    "ReleasedDocument",
    "measure_protection",
    "names_of",
    "parse_attributes",
    "read_profiles",
]
