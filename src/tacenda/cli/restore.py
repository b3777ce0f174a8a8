"""``tacenda restore``: a sanitized file back to its original, byte for byte or not at all.

With ``--edited``, a text rewritten around its placeholders, as by a language model: unambiguous
placeholders are restored, the rest stay and are counted on stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import INPUT, OUTPUT, AsJson, Column, Encoding, Field
from .printing import print_json

if TYPE_CHECKING:
    from ..documents.record import Failure, SourceDocument
    from ..restore.mapping import Restored

_File = Annotated[Path, typer.Argument(metavar="FILE", help="A file that sanitize wrote.")]
_From = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="text, markdown, html, jsonl or csv; else by extension.",
        rich_help_panel=INPUT,
    ),
]
_Mapping = Annotated[
    Path | None,
    typer.Option(help="The file that sanitize --mapping wrote.", rich_help_panel=INPUT),
]
_Original = Annotated[
    str | None,
    typer.Option(
        help="Mapping: name of the original, if several have this output.", rich_help_panel=INPUT
    ),
]
_KeyFile = Annotated[Path | None, typer.Option(help="File with the key.", rich_help_panel=INPUT)]
_KeyEnv = Annotated[
    str | None,
    typer.Option(help="Environment variable with the key.", rich_help_panel=INPUT),
]
_Edited = Annotated[
    bool,
    typer.Option(
        "--edited",
        help="Take a text that was rewritten: what can be told comes back, the rest stays and is "
        "counted; exit code 1 if any stays.",
        rich_help_panel=INPUT,
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="Where to; readable by you alone.", rich_help_panel=OUTPUT),
]


def restore(
    file: _File,
    key_file: _KeyFile = None,
    key_env: _KeyEnv = None,
    mapping: _Mapping = None,
    original: _Original = None,
    edited: _Edited = False,
    input_format: _From = None,
    encoding: Encoding = "utf-8",
    field: Field = "text",
    column: Column = None,
    output: _Output = None,
    as_json: AsJson = False,
) -> None:
    """Restore originals with a key or a mapping.

    The key restores what the operator encrypt wrote, a mapping what any operator wrote.

    With --edited, [PERSON 2], a pseudonym, a surrogate and the like become the string that they stand
    for, the fullest where it is several of one entity. *** and whatever else stands for several
    entities stays. A surrogate is found by its words alone: where the text has them for another
    reason, they are replaced too.

    Examples:
      tacenda restore clean.txt --key-file key -o original.txt

      tacenda restore clean.txt --mapping secret/clean.mapping --key-file key -o original.txt

      tacenda restore answer.txt --edited --mapping secret/clean.mapping --key-file key -o answer-named.txt
    """
    from ..documents.compression import packed, unpacked
    from ..documents.fields import Fields
    from ..documents.reading import read
    from ..errors import InputError
    from ..policy.loading import read_key
    from ..restore import by_key, by_mapping
    from ..restore.mapping import by_placeholders, read_mapping

    if key_file is not None and key_env is not None:
        raise typer.BadParameter("--key-file and --key-env are both given; one of them must go")
    if as_json and (output is None or str(output) == "-"):
        raise typer.BadParameter(
            "stdout can't take both the text and the summary; name a file with -o",
            param_hint="--json",
        )
    if output is not None and output.exists() and file.exists() and output.samefile(file):
        raise typer.BadParameter("the output is the input; choose another place", param_hint="-o")
    key = read_key(key_env, key_file) if key_file or key_env else None
    if mapping is None and key is None:
        raise typer.BadParameter("give --key-file or --key-env for encrypt, else --mapping")

    def items() -> Iterator[SourceDocument | Failure]:
        selection = Fields.of_options(keep=("*",))
        return read(
            file,
            input_format,
            field=field,
            columns=column or (),
            fields=selection,
            encoding=encoding,
        )

    restored: Restored | None = None
    if mapping is not None:
        try:
            with file.open("rb") as stream:
                data = unpacked(stream, file.name).read()
        except OSError as error:
            raise InputError(
                f"can't be read ({error.strerror}); check the path", str(file)
            ) from None
        files = read_mapping(mapping, key)
        try:
            data = by_mapping(data, files, str(file), original)
        except InputError:
            if not edited:
                raise
            restored = by_placeholders(items(), files, str(file), original)
    elif key is not None:
        restored = by_key(items(), key, str(file), edited=edited)
    data = data if restored is None else restored.data
    _write(data if output is None else packed(data, output.name), output)
    if as_json:
        print_json(_summary(restored, output))
    if edited and restored is not None:
        _say(restored)


def _summary(restored: Restored | None, output: Path | None) -> dict[str, str | int | None]:
    """Summary of a run; a mapping that gives the original back whole counts no placeholders."""
    return {
        "output": str(output),
        "restored": None if restored is None else restored.replaced,
        "ambiguous": 0 if restored is None else restored.ambiguous,
        "unknown": 0 if restored is None else restored.unknown,
    }


def _say(restored: Restored) -> None:
    """Print the number of restored placeholders.

    Raises:
        typer.Exit: with code 1 if any stayed.
    """
    remainder = restored.ambiguous + restored.unknown
    things = "placeholder" if restored.replaced == 1 else "placeholders"
    sentence = f"{restored.replaced} {things} restored, {remainder} left"
    if remainder:
        sentence += (
            f": {restored.ambiguous} that stand for several things, {restored.unknown} that can't be "
            "read or are of no document here"
        )
    typer.echo(f"{sentence}.", err=True)
    if remainder:
        raise typer.Exit(1)


def _write(data: bytes, output: Path | None) -> None:
    """Write the whole of it, or nothing."""
    from ..atomic import write_atomically

    if output is None or str(output) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    write_atomically(output, data, private=True)
