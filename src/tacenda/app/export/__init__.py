"""Reviewed documents as files: in formats of text, in the format that came in, and the audit record."""

from __future__ import annotations

from .audit import AUDIT_FORMATS, Audited, audit
from .formats import FORMATS, ONE_DOCUMENT, SAME
from .original import as_it_came
from .results import Download, of_document, of_files, of_project

__all__ = [
    "AUDIT_FORMATS",
    "FORMATS",
    "ONE_DOCUMENT",
    "SAME",
    "Audited",
    "Download",
    "as_it_came",
    "audit",
    "of_document",
    "of_files",
    "of_project",
]
