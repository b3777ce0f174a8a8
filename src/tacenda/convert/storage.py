"""Files in, files out: the only module here that touches the disk."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from ..atomic import unwritten, write_atomically
from ..documents.decoding import decode
from ..errors import InputError
from .format import Files, Format, Reading
from .tab import Tab

STDIN = "-"
_PAIR = (".txt", ".ann")


def load(path: str) -> Files:
    """Read a file, ``-`` (stdin), a folder of .txt and .ann files, or one such pair.

    Raises:
        InputError: it can't be read, or the folder has no such files.
    """
    if path == STDIN:
        return {"stdin": sys.stdin.buffer.read()}
    file = Path(path)
    try:
        if file.is_dir():
            return _folder(file)
        if file.suffix in _PAIR:
            pair = (file.with_suffix(suffix) for suffix in _PAIR)
            return {one.name: one.read_bytes() for one in pair if one == file or one.exists()}
        return {file.name: file.read_bytes()}
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror or error}; check it.", path) from error


def _folder(folder: Path) -> Files:
    files = {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.suffix in _PAIR
        and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    }
    if not files:
        raise InputError("the folder has no .txt file; name another.", str(folder))
    return files


def load_texts(path: str) -> Mapping[str, str]:
    """Read the texts of documents by id: from TAB standoff JSON, or a folder of .txt files.

    Raises:
        InputError: it is neither.
    """
    if Path(path).is_dir():
        files = load(path)
        return {
            name[:-4]: decode(content, "utf-8", name)
            for name, content in files.items()
            if name.endswith(".txt")
        }
    documents = Tab().read(load(path), Reading())
    return {document.id: document.text or "" for document in documents}


def save(files: Files, format: Format, output: str) -> None:
    """Write files: to a folder, to one file, or to stdout (``-``).

    Raises:
        InputError: a folder is asked to be stdout.
        OutputError: something can't be written.
    """
    if output == STDIN:
        if format.folder:
            raise InputError(f"{format.name} is a folder of files; name one with -o.")
        sys.stdout.buffer.write(files[""])
        sys.stdout.buffer.flush()
        return
    for name, content in files.items():
        write_atomically(Path(output, name) if format.folder else Path(output), content)
    if format.folder:
        try:
            Path(output).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritten(error, Path(output)) from None
