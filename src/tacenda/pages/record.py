"""The record of a release as a page to print and sign; it runs and loads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import page as whole_page

if TYPE_CHECKING:
    from ..audit.record import AuditRecord


def page(record: AuditRecord) -> str:
    """Return the page of a record."""
    return whole_page("record.html", record=record)
