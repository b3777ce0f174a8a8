"""A running count on stderr, where a person is watching; of a document of many pages the page as well."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_counter(unit: str) -> Iterator[Callable[[], None]]:
    """Show a counter of ``unit``; yield the function to call after each."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    from ..isolation import workers

    page = TextColumn("{task.description}")
    columns = (SpinnerColumn(), MofNCompleteColumn(), unit, page, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        workers.on_progress = lambda each: progress.update(
            task, description=f"page {each.done} of {each.total}"
        )
        yield lambda: progress.update(task, advance=1, description="")
