"""The audit record: who decided what about a document, when, by which indicator, under which policy.

    Result + assessments + acts of people ─ record ─▶ JSON of the schema ─ page ─▶ a page to print and sign

Masked strings are in neither: every sentence that somebody wrote is searched for them. Nor is a
digest of the original, by which a guess of what stood under a mask could be confirmed.
"""

from .origin import Origin, model_of, origin_of, origin_with
from .record import SCHEMA_VERSION, Act, as_object, schema
from .writing import AuditWriter

__all__ = [
    "SCHEMA_VERSION",
    "Act",
    "AuditWriter",
    "Origin",
    "as_object",
    "model_of",
    "origin_of",
    "origin_with",
    "schema",
]
