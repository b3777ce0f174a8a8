"""Audits of a release: the record of decisions, a sample for a person to read, what is left, and a signed record.

    Result + assessments + acts ─ decisions ─▶ record of decisions
    release ─ sample ─▶ units to read ─ marks ─▶ counts a stratum ─ bound ─▶ upper confidence bounds
    bound + attacks + decisions ─ record ─▶ signed record ─ verify

All probability theory is in ``confidence``.
"""

from ..result import SCHEMA_VERSION
from .decisions import (
    Act,
    AuditWriter,
    Provenance,
    as_object,
    provenance_of,
    schema,
)

__all__ = [
    "SCHEMA_VERSION",
    "Act",
    "AuditWriter",
    "Provenance",
    "as_object",
    "provenance_of",
    "schema",
]
