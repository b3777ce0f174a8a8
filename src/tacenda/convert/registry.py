"""All formats by name, and which one a file is where its name or content leaves no doubt."""

from __future__ import annotations

import json
from pathlib import PurePath

from .. import plugins
from ..errors import InputError
from .brat import Brat
from .conll import Conll
from .format import Files, Format
from .jsonl import Jsonl
from .label_studio import LabelStudio
from .masks import Masks
from .presidio import Presidio
from .result import ResultJson
from .spacy import SpacyDocBin
from .tab import Tab

FORMATS = ("tab", "masks", "jsonl", "spacy", "brat", "label-studio", "presidio", "conll", "result")
"""What is built in; all but ``result`` can be written too."""

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


def format_named(name: str, *, language: str = "en", spans_key: str = "") -> Format:
    """Return a format by its name.

    Args:
        name: one of ``format_names()``.
        language: spaCy: code of the blank pipeline that cuts texts into tokens.
        spans_key: spaCy: the span group to read and write instead of ``doc.ents``.

    Raises:
        InputError: there is no such format.
        PluginError: that of another package can't be loaded.
    """
    if name == "spacy":
        return SpacyDocBin(language, spans_key)
    formats: tuple[Format, ...] = (
        Tab(),
        Masks(),
        Jsonl(),
        Brat(),
        LabelStudio(),
        Presidio(),
        Conll(),
        ResultJson(),
    )
    for format in formats:
        if format.name == name:
            return format
    if name in format_names():
        further: Format = plugins.load(plugins.ANNOTATION_FORMATS, name, f"format {name!r}")()
        return further
    raise InputError(f"format {name!r} is not known; choose one of {', '.join(format_names())}.")


def guess_output(path: str) -> str:
    """Return the name of the format that a file of this name must be of.

    Raises:
        InputError: its extension says nothing.
    """
    extension = PurePath(path).suffix.lower()
    if extension not in _BY_EXTENSION:
        raise InputError(
            f"can't tell the output format from the name; name it by --to: {', '.join(FORMATS)}.",
            path,
        )
    return _BY_EXTENSION[extension]


def guess_input(files: Files, path: str) -> str:
    """Return the name of the format of files that were read.

    Raises:
        InputError: neither name nor content tells.
    """
    if len(files) != 1 or any(name.endswith((".txt", ".ann")) for name in files):
        return "brat"
    ((name, content),) = files.items()
    if _is_result(content):
        return "result"
    extension = PurePath(name).suffix.lower()
    found = _BY_EXTENSION.get(extension) or _by_content(content)
    if found is None:
        raise InputError(f"can't tell its format; name it by --from: {', '.join(FORMATS)}.", path)
    return found


def _is_result(content: bytes) -> bool:
    """Tell whether the first line is one of ``tacenda sanitize --to json``."""
    head, _, _ = content.partition(b"\n")
    try:
        first = json.loads(head)
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and {"schema_version", "replacements"} <= first.keys()


def _by_content(content: bytes) -> str | None:
    """Tell the four formats that are JSON by their outermost shape."""
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
