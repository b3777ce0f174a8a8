"""Processes with limits for work on hostile input, which could be endless, huge or fatal.

    isolated(function, arguments, subject=…, size=…) ─▶ its value, or an InputError

| module | what it does |
|---|---|
| ``limits`` | limits of time, memory, parts and edits, and the variables to raise them |
| ``workers`` | this process's side: workers are started when first needed, and used again |
| ``worker`` | the other side: a loop with lazy imports |

A parser of Word or PDF can hang, take all memory or end in a segmentation fault, and so can a
regular expression. In a worker this costs one file, not the run nor the server. The worker is a
plain subprocess (no fork, no ``__main__`` to be imported) at the head of a group, so that a program that
it runs ends with it; it takes and gives pickles over pipes, holds no state between two calls, writes nothing to stderr, and ends with its parent process.
"""

from __future__ import annotations

from .workers import TimeLimitError

__all__ = ["TimeLimitError"]
