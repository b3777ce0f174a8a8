"""Names of typefaces that ship with operating systems and office programs; they stay even if a masked name equals one."""

from __future__ import annotations

import re

from ..shipped import shipped_text

_FAMILIES = frozenset(
    re.sub(r"\W", "", name).lower() for name in shipped_text("typefaces.txt").splitlines()
)
_CUTS = (
    re.compile(r"(?:[,\- ]|PS|MT|Regular|Normal|Standard|Bold|Italic|Oblique)+$"),
    re.compile(r"[,\-]?Roman$"),
)
_SUBSET = re.compile(r"^[A-Z]{6}\+")


def is_shipped(name: str) -> bool:
    """Return whether a name is that of a shipped typeface in any style: ``ABCDEF+Georgia-BoldItalic``."""
    family = _SUBSET.sub("", name)
    families = [family]
    for cut in _CUTS:
        families.append(cut.sub("", families[-1]))
    return any(re.sub(r"\W", "", each).lower() in _FAMILIES for each in families)
