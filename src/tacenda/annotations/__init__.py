"""Annotation formats and their conversion.

    read(files) ─▶ AnnotatedDocument ─ convert(target, options) ─▶ AnnotatedDocument ─▶ write ─▶ files

One file a format, each behind ``AnnotationFormat`` with the features it can hold. A feature beyond
the target is an error, or treated by the user's ``ConversionOptions``; nothing is lost in silence.

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
    """Return the names of all formats, those of other packages last.

    Raises:
        PluginError: if two formats have one name.
    """
    return (*FORMATS, *plugins.names(plugins.ANNOTATION_FORMATS, FORMATS))


def format_named(name: str, *, language: str = "en", spans_key: str = "") -> AnnotationFormat:
    """Return a format by its name.

    Args:
        name: one of ``format_names()``.
        language: spaCy: code of the blank pipeline for tokens.
        spans_key: spaCy: the span group to read and write instead of ``doc.ents``.

    Raises:
        UnknownNameError: if the format is unknown.
        PluginError: a format of another package can't be loaded.
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
    """Return the name of the format of an output by its file name.

    Raises:
        InputError: its extension is not known.
    """
    extension = PurePath(path).suffix.lower()
    if extension not in _BY_EXTENSION:
        raise InputError(
            f"can't tell the output format from the name; give it with --to: {', '.join(FORMATS)}.",
            path,
        )
    return _BY_EXTENSION[extension]


def guess_input(files: Files, path: str) -> str:
    """Return the name of the format of input files.

    Raises:
        InputError: neither name nor content is of a known one.
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
    """Return one of the four JSON formats by its outermost shape; None if it is none of them."""
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


# Files in, files out: no format touches the disk itself.


STDIN = "-"
_PAIR = (".txt", ".ann")


def load(path: str, format: AnnotationFormat | None = None) -> Files:
    """Read a file, ``-`` (stdin), a pair of a .txt and an .ann file, or a folder's files of a format's suffixes.

    Raises:
        InputError: it can't be read, or the folder has no such files.
    """
    if path == STDIN:
        return {"stdin": sys.stdin.buffer.read()}
    file = Path(path)
    # The format of a plug-in may be older than its suffixes.
    suffixes: tuple[str, ...] = getattr(format, "suffixes", _PAIR)
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
    from .tab import Tab

    documents = Tab().read(load(path), Reading())
    return {document.id: document.text or "" for document in documents}


def save(files: Files, format: AnnotationFormat, output: str) -> None:
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
