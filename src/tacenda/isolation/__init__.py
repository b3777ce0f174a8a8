"""Work that a stranger's input could make endless, huge or fatal, in a process that can be killed.

    isolated(function, arguments, subject=…, size=…) ─▶ its value, or an InputError

| module | what it does |
|---|---|
| ``limits`` | time, memory, parts and edits that are granted, and the variables that raise them |
| ``workers`` | this process's side: workers are started when first needed, and used again |
| ``worker`` | the other side: a loop that imports nothing until it is asked to |

A parser of Word or PDF can hang, take all memory or end in a segmentation fault, and so can a
regular expression. There this costs one file, not the run nor the server. The worker is a plain
subprocess (no fork, no ``__main__`` to be imported), takes and gives pickles over pipes, holds no
state between two calls, writes nothing to stderr, and ends with the process that started it.
"""

from __future__ import annotations

from .limits import Limits, limits
from .workers import TimeLimitError, isolated

__all__ = ["Limits", "TimeLimitError", "isolated", "limits"]
