"""Generated variety: annotated posts, letters, notes and forms in which no judgment is found.

Frames (``frames/``, plain text) are filled with people, places and numbers of 40 countries. The
annotation follows TAB's guidelines (section 4.2); most sentences hold no mention at all, so that
the recognizer learns to leave ordinary words alone.
"""

from .generate import generate
from .sample import Mention, Sample

__all__ = ["Mention", "Sample", "generate"]
