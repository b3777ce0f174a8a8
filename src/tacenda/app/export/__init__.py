"""Reviewed documents as files: in formats of text, in the format that came in, and the audit record."""

from __future__ import annotations

from .audit import audit
from .original import export
from .results import FORMATS, Result, of_document, of_project

__all__ = ["FORMATS", "Result", "audit", "export", "of_document", "of_project"]
