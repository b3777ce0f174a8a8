"""Figures of commands, drawn and saved: what ``--plot`` asks for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..agreement import Agreement
from ..evaluation import Report
from .error_bars import error_bars
from .heat_map import type_heat_map
from .saving import save


def save_heat_map(agreement: Agreement, path: Path) -> None:
    """Draw the types that annotators disagree on into a file."""
    save(type_heat_map(agreement), path)


def save_error_bars(reports: Mapping[str, Report], path: Path) -> None:
    """Draw the errors of systems into a file."""
    save(error_bars(reports), path)
