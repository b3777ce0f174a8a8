"""Rates at rank 1 as bars with their intervals, drawn as SVG without scripts or inline styles."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from ..attack import ENSEMBLE
from .measure import AttackReport, Rates

_LEFT: Final = 150
_WIDTH: Final = 560
_ROW: Final = 24
_RIGHT: Final = 150


def rate_chart(report: AttackReport) -> str:
    """Return the rates of release, originals and control, one bar an attacker."""
    groups: list[tuple[str, str, Mapping[str, Rates]]] = [("This release", "release", report.rates)]
    if report.original is not None:
        groups.append(("Originals", "original", report.original))
    groups.append(("Strangers", "control", report.control))
    parts: list[str] = []
    top = 8
    for title, kind, rates in groups:
        parts.append(f'<text class="group" x="0" y="{top + 16}">{title}</text>')
        for name, found in rates.items():
            if name == ENSEMBLE and not has_ensemble(report):
                continue
            top += _ROW
            parts.append(_bar(name, found, kind, top))
        top += _ROW + 8
    bottom = top
    chance = _LEFT + _WIDTH / report.n_people
    grid = "".join(
        f'<line class="grid" x1="{_x(share)}" x2="{_x(share)}" y1="8" y2="{bottom}"/>'
        f'<text class="soft" x="{_x(share)}" y="{bottom + 16}" text-anchor="middle">{share:.0%}</text>'
        for share in (0, 0.25, 0.5, 0.75, 1)
    )
    line = f'<line class="chance" x1="{chance:.1f}" x2="{chance:.1f}" y1="8" y2="{bottom}"/>'
    width, height = _LEFT + _WIDTH + _RIGHT, bottom + 24
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="Share of documents whose person is ranked first; the figures are below.">'
        f"{grid}{''.join(parts)}{line}</svg>"
    )


def has_ensemble(report: AttackReport) -> bool:
    """Tell whether there is more than one attacker."""
    return len(report.rates) > 2


def _x(share: float) -> int:
    return round(_LEFT + _WIDTH * share)


def _bar(name: str, found: Rates, kind: str, top: int) -> str:
    value, low, high = found.first
    middle = top + _ROW // 2
    return (
        f'<text x="12" y="{middle + 4}">{escape(name)}</text>'
        f'<rect class="{kind}" x="{_LEFT}" y="{top + 5}" width="{_x(value) - _LEFT}" height="14" '
        'rx="2"/>'
        f'<line class="whisker" x1="{_x(low)}" x2="{_x(high)}" y1="{middle}" y2="{middle}"/>'
        f'<text class="soft" x="{_LEFT + _WIDTH + 12}" y="{middle + 4}">{value:.1%} '
        f"({low:.0%}–{high:.0%})</text>"
    )
