"""Annotation formats and their conversion.

    read(files) ─▶ AnnotatedDocument ─ convert(target, options) ─▶ AnnotatedDocument ─▶ write ─▶ files

Each format has one module and implements ``AnnotationFormat``, which lists the features it can
store. A feature that the target can't store is an error unless the user's ``ConversionOptions`` say
what to do; nothing is lost silently.

    from tacenda.annotations import (
        ConversionOptions, Reading, Unit, convert, format_named, load, save
    )

    tab, conll = format_named("tab"), format_named("conll")
    documents = tab.read(load("gold.json"), Reading())
    fitted = convert(documents, conll, ConversionOptions(drop_rest=True))
    save(conll.write(fitted.documents, Unit.CODE_POINTS), conll, "gold.conll")
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path, PurePath

from .. import plugins
from ..atomic import unwritten, write_atomically
from ..errors import InputError, UnknownNameError
from ..text.decoding import decode
from .capabilities import ConversionOptions, Fragments, Overlaps
from .convert import Fitted, convert
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    AnnotationFormat,
    Feature,
    Files,
    Reading,
    Unit,
)

__all__ = [
    "FORMATS",
    "AnnotatedDocument",
    "AnnotatedMention",
    "Annotation",
    "AnnotationFormat",
    "ConversionOptions",
    "Feature",
    "Files",
    "Fitted",
    "Fragments",
    "Overlaps",
    "Reading",
    "Unit",
    "convert",
    "format_named",
    "format_names",
    "guess_input",
    "guess_output",
    "load",
    "load_texts",
    "save",
]


_CLASSES = {
    "tab": "tab:Tab",
    "masks": "tab:Masks",
    "jsonl": "jsonl:Jsonl",
    "spacy": "spacy:SpacyDocBin",
    "brat": "brat:Brat",
    "label-studio": "label_studio:LabelStudio",
    "presidio": "presidio:Presidio",
    "conll": "conll:Conll",
    "result": "result:ResultJson",
}
FORMATS = tuple(_CLASSES)
"""Built-in formats; all except ``result`` can be written too."""

_BY_EXTENSION = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".spacy": "spacy",
    ".ann": "brat",
    ".conll": "conll",
    ".bio": "conll",
    ".iob2": "conll",
}


def format_names() -> tuple[str, ...]:
    """Return the names of all formats; those from other packages come last.

    Raises:
        PluginError: if two formats have the same name.
    """
    return (*FORMATS, *plugins.names(plugins.ANNOTATION_FORMATS, FORMATS))


def format_named(name: str, *, language: str = "en", spans_key: str = "") -> AnnotationFormat:
    """Return the format with this name.

    Args:
        name: one of ``format_names()``.
        language: for spaCy, the code of the blank pipeline that tokenizes.
        spans_key: for spaCy, the span group to read and write instead of ``doc.ents``.

    Raises:
        UnknownNameError: if the format is unknown.
        PluginError: if a format from another package can't be loaded.
    """
    if name in _CLASSES:
        # One format is loaded without the others.
        module, _, kind = _CLASSES[name].partition(":")
        options = (language, spans_key) if name == "spacy" else ()
        built_in: AnnotationFormat = getattr(import_module(f".{module}", __name__), kind)(*options)
        return built_in
    if name in format_names():
        plugin: AnnotationFormat = plugins.load(
            plugins.ANNOTATION_FORMATS, name, f"format {name!r}"
        )()
        return plugin
    raise UnknownNameError(f"unknown format {name!r}; choose one of {', '.join(format_names())}.")


def guess_output(path: str) -> str:
    """Return the name of an output's format, judging by its file name.

    Raises:
        InputError: if the extension is unknown.
    """
    extension = PurePath(path).suffix.lower()
    if extension not in _BY_EXTENSION:
        raise InputError(
            f"can't tell the output format from the name; give it with --to: {', '.join(FORMATS)}.",
            path,
        )
    return _BY_EXTENSION[extension]


def guess_input(files: Files, path: str) -> str:
    """Return the name of the input files' format.

    Raises:
        InputError: if neither name nor content shows a known format.
    """
    from .result import begins_with_result

    if len(files) != 1 or any(name.endswith((".txt", ".ann")) for name in files):
        return "brat"
    ((name, content),) = files.items()
    if begins_with_result(content.decode("utf-8-sig", "replace")):
        return "result"
    extension = PurePath(name).suffix.lower()
    guess = _BY_EXTENSION.get(extension) or _by_content(content)
    if guess is None:
        raise InputError(f"can't tell its format; give it with --from: {', '.join(FORMATS)}.", path)
    return guess


def _by_content(content: bytes) -> str | None:
    """Return which of the four JSON formats content has, judging by its outermost structure; None if none of them."""
    try:
        corpus = json.loads(content)
    except (ValueError, RecursionError):
        return None
    first = next(iter(corpus), None) if isinstance(corpus, list) else None
    if isinstance(first, dict):
        for key, name in (("doc_id", "tab"), ("data", "label-studio"), ("entity_type", "presidio")):
            if key in first:
                return name
    if isinstance(corpus, dict) and all(isinstance(value, list) for value in corpus.values()):
        item = next((item for value in corpus.values() for item in value), None)
        if isinstance(item, list):
            return "masks"
        if isinstance(item, dict) and "entity_type" in item:
            return "presidio"
    return None


# Reading and writing files; formats never touch the disk themselves.


STDIN = "-"
_PAIR = (".txt", ".ann")


def load(path: str, format: AnnotationFormat | None = None) -> Files:
    """Read a file, ``-`` (stdin), a pair of .txt and .ann files, or the files in a folder that have a format's suffixes.

    Raises:
        InputError: if it can't be read, or the folder has no such files.
    """
    if path == STDIN:
        return {"stdin": sys.stdin.buffer.read()}
    file = Path(path)
    suffixes = _PAIR if format is None else format.suffixes
    try:
        if file.is_dir():
            return _folder(file, suffixes)
        if file.suffix in _PAIR and suffixes == _PAIR:
            pair = (file.with_suffix(suffix) for suffix in _PAIR)
            return {one.name: one.read_bytes() for one in pair if one == file or one.exists()}
        return {file.name: file.read_bytes()}
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror or error}; check it.", path) from error


def _folder(folder: Path, suffixes: tuple[str, ...]) -> Files:
    files = {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.suffix in suffixes
        and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    }
    if not files:
        raise InputError(f"the folder has no {suffixes[0]} file; choose another.", str(folder))
    return files


def load_texts(path: str) -> Mapping[str, str]:
    """Read documents' texts by id, from TAB standoff JSON or a folder of .txt files.

    Raises:
        InputError: if it is neither.
    """
    if Path(path).is_dir():
        files = load(path)
        return {
            name[:-4]: decode(content, "utf-8", name)
            for name, content in files.items()
            if name.endswith(".txt")
        }
    from .tab import Tab

    documents = Tab().read(load(path), Reading())
    return {document.id: document.text or "" for document in documents}


def save(files: Files, format: AnnotationFormat, output: str) -> None:
    """Write files: to a folder, to one file, or to stdout (``-``).

    Raises:
        InputError: if a folder format is to be written to stdout.
        OutputError: if something can't be written.
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
