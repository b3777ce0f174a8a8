"""Limited processes for hostile input, which may take forever, exhaust memory or crash.

    isolated(function, arguments, subject=…, size=…) ─▶ its value, or an InputError

| module | what it does |
|---|---|
| ``limits`` | limits of time, memory, parts and edits, and the variables to raise them |
| ``workers`` | this process's side: workers are started on demand and reused |
| ``worker`` | the other side: a loop with lazy imports |

A Word or PDF parser can hang, use up all memory or crash with a segmentation fault, and so can a
regular expression. In a worker, this costs one file, not the run or the server. A worker is a plain
subprocess (no fork, no import of ``__main__``) and leads a process group, so that any program it
runs ends with it. It exchanges pickles over pipes, keeps no state between calls, writes nothing to
stderr, and ends with its parent process.
"""

from __future__ import annotations

from .workers import TimeLimitError

__all__ = ["TimeLimitError"]
