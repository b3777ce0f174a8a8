"""Reviewed documents as files. Formats of office programs and the audit record have files of their own."""

from __future__ import annotations

from .results import FORMATS, Result, of_document, of_project

__all__ = ["FORMATS", "Result", "of_document", "of_project"]
