r"""Document formats of other packages: their declaration, lookup and calls.

An input file is *source*; its parts that are text are *slots* (``record``). A format whose text
stands in its source as it is needs no writer of its own: ``edited_source`` makes the edits.

    class Note:
        extensions = (".note",)

        def read(self, stream, origin):
            source = stream.read().decode(origin.encoding)
            extraction = Extraction(source)
            extraction.verbatim(source.index("\n\n") + 2, len(source), str)
            document = Document(origin.name, extraction.text)
            yield Record(document, origin, source, tuple(extraction.slots))

        def write(self, source, result):
            return edited_source(source, result).encode(source.origin.encoding)

        def strings(self, data, encoding):
            return [data.decode(encoding)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, Protocol

from .. import plugins
from ..errors import InputError
from ..result import Result
from .record import Failure, Origin, SourceDocument

FORMATS = ("text", "markdown", "html", "jsonl", "csv", "tab", "texts", "docx", "pdf")
"""Names of the document formats that are built in; ``json`` is ``tab`` or ``texts``, whichever it
turns out to be. Those of other packages are told apart by their entry points."""
_BUILT_IN = (*FORMATS, "json", "result", "report")
"""Names that no plug-in can have: *result* and *report* are written."""


class DocumentFormat(Protocol):
    """A format of documents: how files of it are read, written, and read again to be checked.

    Attributes:
        extensions: of its files, with the dot, in small letters.
    """

    extensions: Sequence[str]

    def read(self, stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of a file.

        Args:
            stream: the bytes of the file.
            origin: its name, and the user's encoding.

        Raises:
            InputError: if it is no file of the format; nothing of it is read then.
        """
        ...

    def write(self, source: SourceDocument, result: Result) -> bytes:
        """Return the document's part of the file, sanitized.

        Args:
            source: the document, as ``read`` yielded it.
            result: its text, edited; the strings of ``result.replacements`` must not be anywhere
                in the output.

        Raises:
            InputError: if it can't be written.
        """
        ...

    def strings(self, data: bytes, encoding: str) -> Sequence[str]:
        """Return every string of an output, in any order.

        They are searched for masked strings and for lost text, so they should be read by other
        means than those of ``write``, names, comments and metadata included.
        """
        ...


def format_names() -> tuple[str, ...]:
    """Names of the document formats, built in or from other packages.

    Raises:
        PluginError: if two of them have one name.
    """
    return (*FORMATS, *plugins.names(plugins.DOCUMENT_FORMATS, _BUILT_IN))


def plugin_format(name: str) -> DocumentFormat | None:
    """Return the format of another package; None where none has one of this name.

    Raises:
        PluginError: if it can't be loaded.
    """
    if name in _BUILT_IN or name not in plugins.names(plugins.DOCUMENT_FORMATS, _BUILT_IN):
        return None
    return _loaded(name)


def _loaded(name: str) -> DocumentFormat:
    format: DocumentFormat = plugins.shared(plugins.DOCUMENT_FORMATS, name, _part(name))
    return format


def plugin_format_of(extension: str) -> str | None:
    """Return the name of the plug-in format with an extension.

    Raises:
        InputError: if several have it.
        PluginError: if one of them can't be loaded.
    """
    names = [
        name
        for name in plugins.names(plugins.DOCUMENT_FORMATS, _BUILT_IN)
        if extension.lower() in _loaded(name).extensions
    ]
    if len(names) > 1:
        raise InputError(
            f"extension {extension!r} is that of {' and '.join(names)}; name the format with --from."
        )
    return names[0] if names else None


def read_by(
    format: DocumentFormat, stream: BinaryIO, origin: Origin
) -> Iterator[SourceDocument | Failure]:
    """Yield the documents of a file of a plug-in's format.

    Raises:
        InputError: if the format fails, or yields anything but a document.
    """
    items = iter(format.read(stream, origin))
    while True:
        with plugins.plugin_failures(_part(origin.format), origin.name):
            item = next(items, None)
        if item is None:
            return
        if not isinstance(item, SourceDocument | Failure):
            raise plugins.plugin_fault(
                _part(origin.format),
                f"yields {type(item).__name__}, which is no document",
                origin.name,
            )
        yield item


def written_by(format: DocumentFormat, source: SourceDocument, result: Result) -> bytes:
    """Bytes of a sanitized document in a plug-in's format.

    Raises:
        InputError: if the format fails, or returns something else.
    """
    part = _part(source.origin.format)
    with plugins.plugin_failures(part, source.document.id):
        data = format.write(source, result)
    if not isinstance(data, bytes):
        raise plugins.plugin_fault(
            part, f"writes {type(data).__name__}, not bytes", source.document.id
        )
    return data


def strings_by(name: str, format: DocumentFormat, data: bytes, encoding: str) -> tuple[str, ...]:
    """Return the strings of an output in a plug-in's format.

    Raises:
        InputError: if the format fails, or returns something else.
    """
    part = _part(name)
    with plugins.plugin_failures(part, "the sanitized document"):
        strings = tuple(format.strings(data, encoding))
    if not all(isinstance(string, str) for string in strings):
        raise plugins.plugin_fault(part, "reads what are no strings", "the sanitized document")
    return strings


def _part(name: str) -> str:
    return f"document format {name!r}"
