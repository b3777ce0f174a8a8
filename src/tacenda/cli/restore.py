"""``tacenda restore``: a sanitized file back to its original, byte for byte or not at all.

With ``--edited``, a text rewritten around its placeholders, as by a language model: unambiguous
placeholders are restored, the rest stay and are counted on stderr.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..wording import counted
from .options import AsJson, Column, Encoding, Field, argument, grouped, option
from .printing import print_json, write_output

if TYPE_CHECKING:
    from ..documents.record import Failure, SourceDocument
    from ..restore.mapping import Restored

_File = Annotated[Path, argument("restore.file", metavar="FILE")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreSettings:
    """Options of ``tacenda restore``."""

    key_file: Path | None = option(None)
    key_env: str | None = option(None)
    mapping: Path | None = option(None)
    original: str | None = option(None)
    edited: bool = option(False, "--edited")
    input_format: str | None = option(None, "--from")
    output: Path | None = option(None, "-o", "--output")


@grouped
def restore(
    file: _File,
    encoding: Encoding = "utf-8",
    field: Field = "text",
    column: Column = None,
    as_json: AsJson = False,
    *,
    settings: RestoreSettings,
) -> None:
    """Restore originals with a key or a mapping.

    The key restores what the operator encrypt wrote, a mapping what any operator wrote.

    With --edited, the file may have been rewritten: placeholders, pseudonyms and surrogates become
    the string that they stand for, in its fullest form if there are several. Anything that stands
    for several entities, such as ***, stays. Surrogates are matched as words, wherever they occur.

    Examples:
      tacenda restore clean.txt --key-file key -o original.txt
      tacenda restore clean.txt --mapping secret/clean.mapping --key-file key -o original.txt
      tacenda restore answer.txt --edited --mapping secret/clean.mapping --key-file key -o answer-named.txt
    """
    from ..documents.compression import packed
    from ..documents.fields import Fields
    from ..documents.reading import read
    from ..policy.loading import read_key
    from ..restore import by_key

    _check_usage(file, settings, as_json=as_json)
    output, key_env, key_file = settings.output, settings.key_env, settings.key_file
    key = read_key(key_env, key_file) if key_file or key_env else None

    def items() -> Iterator[SourceDocument | Failure]:
        return read(
            file,
            settings.input_format,
            field=field,
            columns=column or (),
            fields=Fields.of_options(keep=("*",)),
            encoding=encoding,
        )

    if settings.mapping is not None:
        restored = _by_mapping(file, items, settings.mapping, key, settings)
    elif key is not None:
        restored = by_key(items(), key, str(file), edited=settings.edited)
    else:
        raise typer.BadParameter("give --key-file or --key-env for encrypt, else --mapping")
    data = restored if isinstance(restored, bytes) else restored.data
    write_output(data if output is None else packed(data, output.name), output, private=True)
    if as_json:
        print_json(_summary(restored, output))
    if settings.edited and not isinstance(restored, bytes):
        _say(restored)


def _check_usage(file: Path, settings: RestoreSettings, *, as_json: bool) -> None:
    """Refuse options that contradict each other.

    Raises:
        typer.BadParameter: naming them.
    """
    output = settings.output
    if settings.key_file is not None and settings.key_env is not None:
        raise typer.BadParameter("--key-file and --key-env can't be used together")
    if as_json and (output is None or str(output) == "-"):
        raise typer.BadParameter(
            "the text and the summary can't both go to stdout; name a file with -o",
            param_hint="--json",
        )
    if output is not None and output.exists() and file.exists() and output.samefile(file):
        raise typer.BadParameter("the output is the input; choose another file", param_hint="-o")


def _by_mapping(
    file: Path,
    items: Callable[[], Iterator[SourceDocument | Failure]],
    mapping: Path,
    key: bytes | None,
    settings: RestoreSettings,
) -> bytes | Restored:
    """The original; of an edited text, what can be restored.

    Raises:
        InputError: if the file can't be read, or isn't the output that the mapping describes.
    """
    from ..documents.compression import unpacked
    from ..errors import InputError
    from ..restore import by_mapping
    from ..restore.mapping import by_placeholders, read_mapping

    try:
        with file.open("rb") as stream:
            data = unpacked(stream, file.name).read()
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror}); check the path", str(file)) from None
    files = read_mapping(mapping, key)
    try:
        return by_mapping(data, files, str(file), settings.original)
    except InputError:
        if not settings.edited:
            raise
        return by_placeholders(items(), files, str(file), settings.original)


def _summary(restored: bytes | Restored, output: Path | None) -> dict[str, str | int | None]:
    """Summary of a run; a mapping that gives the original back whole counts no placeholders."""
    if isinstance(restored, bytes):
        return {"output": str(output), "restored": None, "ambiguous": 0, "unknown": 0}
    return {
        "output": str(output),
        "restored": restored.replaced,
        "ambiguous": restored.ambiguous,
        "unknown": restored.unknown,
    }


def _say(restored: Restored) -> None:
    """Print the number of restored placeholders.

    Raises:
        typer.Exit: with code 1 if any stayed.
    """
    remainder = restored.ambiguous + restored.unknown
    sentence = f"{counted(restored.replaced, 'placeholder')} restored, {remainder} left"
    if remainder:
        sentence += (
            f": {restored.ambiguous} that are ambiguous, {restored.unknown} that can't be read "
            "or belong to no document here"
        )
    typer.echo(f"{sentence}.", err=True)
    if remainder:
        raise typer.Exit(1)
