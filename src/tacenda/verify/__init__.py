"""The sanitized text looked through once more: is anything left that should be gone?

No surface form of a masked entity may stand anywhere in the output outside the replacements that
were written. What counts as a form, and what never does, is the table of ``forms.surface``.
"""

from .leaks import find_leaks

__all__ = ["find_leaks"]
