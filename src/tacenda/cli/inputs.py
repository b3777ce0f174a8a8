"""The files of a run of ``tacenda sanitize``, in order and numbered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..documents.reading import files_of
from ..documents.record import Failure, Origin, Skipped


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of the listing, or the reason for its absence.

    Attributes:
        number: its place in the run, from 1.
        entry: of the listing.
        key: digest of everything its output depends on, from before it was read; None if unknown.
        kept: the name of its finished output; empty without one.
    """

    number: int
    entry: Origin | Skipped | Failure
    key: str | None = None
    kept: str = ""


def listing(
    sources: Sequence[str], input_format: str | None, encoding: str, output: Path | None
) -> Iterator[InputFile]:
    """Yield the files of all sources; an output folder in one of them is skipped."""
    number = 0
    for source in sources:
        for entry in _entries(source, input_format, encoding, output):
            number += 1
            yield InputFile(number, entry)


def _entries(
    source: str, input_format: str | None, encoding: str, output: Path | None
) -> Iterator[Origin | Skipped | Failure]:
    entries = files_of(source, input_format, encoding=encoding)
    if source == "-" or output is None or not output.is_dir():
        yield from entries
        return
    root, folder = output.resolve(), Path(source).resolve()
    if not root.is_relative_to(folder):
        yield from entries
        return
    outputs = 0
    for entry in entries:
        if isinstance(entry, Failure) or not (folder / entry.name).is_relative_to(root):
            yield entry
            continue
        outputs += 1
        if outputs == 1:
            yield Skipped(root.relative_to(folder).as_posix(), "it is the output folder")
