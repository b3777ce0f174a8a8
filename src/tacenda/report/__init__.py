"""A run as one HTML page that stands alone: figures, curves, errors and texts side by side.

    systems (masks, results) ─ run ─▶ Run ─ page ─▶ HTML

``run.py`` measures everything that the page shows, with what ``evaluate`` offers; the other
files draw it. The page asks nothing of any network, and its figures ask for no script.
"""

from .page import page
from .run import Run, measure
from .systems import Source, System, load_systems

__all__ = ["Run", "Source", "System", "load_systems", "measure", "page"]
