"""Systems on a corpus, measured for a page: figures, curves, errors and texts side by side.

systems (masks, results) ─ run ─▶ Run ─ pages.evaluation ─▶ HTML
"""

from .run import Run, measure, run_of
from .systems import Source, System, load_systems

__all__ = ["Run", "Source", "System", "load_systems", "measure", "run_of"]
