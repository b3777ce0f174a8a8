"""Output paths and formats of ``tacenda sanitize``, and the checks on them.

Everything is checked before a document is read. The extension of ``-o`` determines the format:

| extension of -o | default of --to | other values of --to |
|---|---|---|
| the input's | the input, edited in place | |
| .txt | the text | |
| .html | the page with its reasons | |
| .jsonl | one object per line | json |
| .pdf of another input | the text on pages | |
| .json | refused, since it is ambiguous | json, tab, masks |
| .md, .csv, .docx of another input | refused, since nothing writes it | |
| unknown, or none | the input, edited in place | all |
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from ..documents.reading import files_of
from ..documents.record import Failure, Origin, Skipped
from ..documents.remote import is_remote, is_remote_folder

_HINT: Final = "-o"
_FOLDERS: Final = ("same", "text", "html", "pdf")
"""Formats of one document a file: several inputs make a folder."""

_HOLDS: Final = {
    "text": ("text",),
    "html": ("html",),
    "jsonl": ("jsonl", "json"),
    "json": ("json", "tab", "masks"),
    "pdf": ("pdf",),
}
"""Contents of an extension's format, by the names of ``--to``; the first one is the default."""

_FAMILIES: Final = {"tab": "json", "texts": "json"}
_ALSO: Final = {"markdown": ("text",)}
"""Formats whose files are also of the extension's format as they stand: all text is Markdown."""


def is_folder(output: str, sources: Sequence[str] = (), to: str = "") -> bool:
    """Return whether results go to a folder with one file per input."""
    if output.endswith(("/", os.sep)) or _is_dir(output):
        return True
    return (
        bool(sources) and has_several_files(sources) and to in _FOLDERS and not Path(output).suffix
    )


def has_several_files(sources: Sequence[str]) -> bool:
    """Return whether there may be several files to read."""
    if len(sources) > 1 or _is_dir(sources[0]):
        return True
    return is_remote(sources[0]) and is_remote_folder(sources[0])


def existing_paths(sources: Sequence[str]) -> list[Path]:
    """Return the existing files and folders among the inputs."""
    return [Path(source) for source in sources if source != "-" and _exists(source)]


def check_places(
    sources: Sequence[str], output: str | None, side_files: Iterable[Path | None]
) -> None:
    """Refuse to overwrite an input, or to write twice to one path.

    Args:
        sources: files and folders to read; ``-`` is stdin.
        output: the path for results; None or ``-`` is stdout.
        side_files: additional files to write.

    Raises:
        typer.BadParameter: if that would happen; names the path.
    """
    if is_remote(output) and any(_is_below(str(output), source) for source in sources):
        raise typer.BadParameter(
            f"{output} is one of the inputs; choose another place", param_hint=_HINT
        )
    inputs = existing_paths(sources)
    places = [place for place in side_files if place is not None]
    if output is not None and output != "-":
        places.append(Path(output))
    for n, place in enumerate(places):
        if any(place.absolute() == twin.absolute() for twin in places[:n]):
            raise typer.BadParameter(
                f"{place} is to be written twice; choose another place", param_hint=_HINT
            )
        if not _exists(place):
            continue
        if any(_is_read(place, source) for source in inputs):
            raise typer.BadParameter(
                f"{place} is one of the inputs; choose another place", param_hint=_HINT
            )


def _is_below(url: str, source: str) -> bool:
    """Return whether a location in a store is an input, or inside one."""
    return is_remote(source) and f"{url.rstrip('/')}/".startswith(f"{source.rstrip('/')}/")


def _is_read(place: Path, source: Path) -> bool:
    if place.samefile(source):
        return True
    # A folder inside the input folder is left out when reading; a file could be an original.
    return (
        source.is_dir() and not place.is_dir() and place.resolve().is_relative_to(source.resolve())
    )


def _exists(path: str | Path) -> bool:
    """Return whether a path exists; unlike ``Path.exists``, doesn't raise for names that are too long."""
    return os.path.exists(path)  # noqa: PTH110


def _is_dir(path: str | Path) -> bool:
    """Return whether a folder exists, in the same way."""
    return os.path.isdir(path)  # noqa: PTH112


def check_mapping(
    mapping: Path, sources: Sequence[str], output: str | None, to: str, *, beside_output: bool
) -> None:
    """Refuse a mapping that is next to the output, or for an output that it can't restore.

    Raises:
        typer.BadParameter: if so; says why, and what to do.
    """
    hint = "--mapping"
    if to != "same":
        raise typer.BadParameter(
            f"a mapping leads back to the format that came in; --to {to} is another",
            param_hint=hint,
        )
    many = has_several_files(sources)
    to_file = output is not None and output != "-"
    folder = output is not None and to_file and is_folder(output, sources, to)
    if many and not folder:
        raise typer.BadParameter(
            "several inputs can't be separated again in one output; -o must be a folder",
            param_hint=hint,
        )
    if output is None or not to_file or beside_output:
        return
    place = mapping.resolve().parent
    root = Path(output).resolve() if folder else Path(output).resolve().parent
    if place == root or (folder and place.is_relative_to(root)):
        raise typer.BadParameter(
            "it would be in the output's folder and be given away with it; choose another "
            "folder, or use --mapping-beside-output",
            param_hint=hint,
        )


def format_for(output: str, to: str | None, formats: Iterable[str]) -> str:
    """Return the format to write one file in.

    Args:
        output: the file's name.
        to: the requested format; None to decide by extension.
        formats: the inputs' formats, as far as known.

    Raises:
        typer.BadParameter: if format and extension contradict each other.
    """
    from ..documents.reading import format_of
    from ..documents.registry import written_format
    from ..documents.writing import extension_of
    from ..errors import InputError

    suffix = Path(output).suffix.lower()
    try:
        says = format_of(output) if suffix else None
    except InputError:
        says = None
    if says is None:
        return to or "same"
    if to not in (None, "same"):
        if to not in _HOLDS.get(says, ()):
            raise typer.BadParameter(
                f"a {suffix} file can't contain --to {to}; use the extension "
                f"{extension_of(str(to), '')}, or omit --to",
                param_hint=_HINT,
            )
        return str(to)
    mismatches = {
        format
        for format in (written_format(name).name for name in formats)
        if _FAMILIES.get(format, format) != says and format not in _ALSO.get(says, ())
    }
    if not mismatches:
        return "same"
    if to == "same" or says not in _HOLDS or says == "json":
        came = " and ".join(sorted(mismatches))
        ways = ".txt, .html, .pdf or .jsonl"
        more = " (.json needs --to tab, masks or json)" if says == "json" else ""
        raise typer.BadParameter(
            f"{came} can't become a file that ends in {suffix}; let it end as {came} does, or in "
            f"{ways}{more}",
            param_hint=_HINT,
        )
    return _HOLDS[says][0]


# The files of a ``tacenda sanitize`` run, in order and numbered.


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file in the listing, or the reason why it is left out.

    Attributes:
        number: its number in the run, from 1.
        entry: its entry in the listing.
        key: digest of everything its output depends on, taken before it is read; None if unknown.
        kept: name of its finished output; empty if there is none.
    """

    number: int
    entry: Origin | Skipped | Failure
    key: str | None = None
    kept: str = ""


def listing(
    sources: Sequence[str], input_format: str | None, encoding: str, output: Path | None
) -> Iterator[InputFile]:
    """Yield the files in all sources; an output folder inside one of them is skipped."""
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
