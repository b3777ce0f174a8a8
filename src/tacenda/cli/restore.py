"""``tacenda restore``: a sanitized file back to its original, byte for byte or not at all."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

_File = Annotated[Path, typer.Argument(metavar="FILE", help="A file that sanitize wrote.")]
_KeyFile = Annotated[Path | None, typer.Option(help="File with the key.")]
_KeyEnv = Annotated[str | None, typer.Option(help="Environment variable with the key.")]
_Mapping = Annotated[Path | None, typer.Option(help="The file that sanitize --mapping wrote.")]
_Out = Annotated[
    Path | None, typer.Option("-o", "--output", help="Where to; readable by you alone.")
]
_Original = Annotated[
    str | None, typer.Option(help="Mapping: name of the original, if several have this output.")
]
_Edited = Annotated[
    bool, typer.Option("--edited", help="Key: take a text that was changed around its tokens.")
]
_From = Annotated[
    str | None,
    typer.Option("--from", help="text, markdown, html, jsonl or csv; else by extension."),
]
_Field = Annotated[str, typer.Option(help="JSONL: the field that holds the text.")]
_Column = Annotated[
    list[str] | None, typer.Option(help="CSV: a column that holds text; may be repeated.")
]
_Encoding = Annotated[str, typer.Option(help="Encoding of the file.")]


def restore(
    file: _File,
    key_file: _KeyFile = None,
    key_env: _KeyEnv = None,
    mapping: _Mapping = None,
    output: _Out = None,
    original: _Original = None,
    edited: _Edited = False,
    came_in: _From = None,
    field: _Field = "text",
    column: _Column = None,
    encoding: _Encoding = "utf-8",
) -> None:
    """Give back what encrypt wrote, by its key, or what any operator wrote, by a mapping.

    Examples:
      tacenda restore clean.txt --key-file key -o original.txt

      tacenda restore clean.txt --mapping secret/clean.mapping --key-file key -o original.txt
    """
    from ..corpora import read
    from ..errors import InputError
    from ..policies.key import read_key
    from ..restore.files import by_key, by_mapping
    from ..restore.reading import read_mapping

    if key_file is not None and key_env is not None:
        raise typer.BadParameter("--key-file and --key-env are both given; one of them must go")
    if output is not None and output.exists() and file.exists() and output.samefile(file):
        raise typer.BadParameter("the output is the input; choose another place", param_hint="-o")
    key = read_key(key_env, key_file) if key_file or key_env else None
    if mapping is not None:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise InputError(
                f"can't be read ({error.strerror}); check the path", str(file)
            ) from None
        restored = by_mapping(data, read_mapping(mapping, key), str(file), original)
    elif key is None:
        raise typer.BadParameter("give --key-file or --key-env for encrypt, else --mapping")
    else:
        items = read(file, came_in, field=field, columns=column or (), encoding=encoding)
        restored = by_key(items, key, str(file), edited=edited)
    _write(restored, output)


def _write(data: bytes, output: Path | None) -> None:
    """Write the whole of it, or nothing."""
    from ..atomic import write_atomically

    if output is None or str(output) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    write_atomically(output, data, private=True)
