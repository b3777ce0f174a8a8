r"""Document formats that are classes of one protocol, shipped or of other packages.

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

Shipped ones stand in the table ``SHIPPED`` and are imported when a file needs them; those whose parser
a file could crash or hang are read and written in a worker (``containers``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Protocol, runtime_checkable

from .. import plugins
from ..errors import NAME_FORMAT, InputError
from ..result import Result
from .record import Failure, Origin, SourceDocument

if TYPE_CHECKING:
    from .fields import Fields


@dataclass(frozen=True, slots=True)
class ShippedFormat:
    """Row of the table of shipped formats.

    Attributes:
        location: of its class, ``module:Class`` within this package.
        extensions: of its files, with the dot, in small letters.
        media_type: of its files.
        isolated: whether a file could crash or hang its parser, which runs in a worker then.
        single: whether a file is one document.
    """

    location: str
    extensions: tuple[str, ...]
    media_type: str
    isolated: bool = True
    single: bool = True


SHIPPED: Mapping[str, ShippedFormat] = {
    "eml": ShippedFormat("mail:Eml", (".eml",), "message/rfc822"),
    "mbox": ShippedFormat(
        "mail:Mbox", (".mbox", ".mbx"), "application/mbox", isolated=False, single=False
    ),
    "pptx": ShippedFormat(
        "pptx:Pptx",
        (".pptx", ".pptm"),
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    "odt": ShippedFormat("odt:Odt", (".odt",), "application/vnd.oasis.opendocument.text"),
    "rtf": ShippedFormat("rtf:Rtf", (".rtf",), "application/rtf"),
    "vtt": ShippedFormat("captions:WebVtt", (".vtt",), "text/vtt", isolated=False),
    "xml": ShippedFormat("xml:Xml", (".xml",), "application/xml", isolated=False),
    "objects": ShippedFormat(
        "objects:JsonObjects", (), "application/json", isolated=False, single=False
    ),
    "png": ShippedFormat("ocr.files:Png", (".png",), "image/png"),
    "jpeg": ShippedFormat("ocr.files:Jpeg", (".jpg", ".jpeg"), "image/jpeg"),
    "tiff": ShippedFormat("ocr.files:Tiff", (".tif", ".tiff"), "image/tiff"),
    "srt": ShippedFormat("captions:SubRip", (".srt",), "application/x-subrip", isolated=False),
    "parquet": ShippedFormat(
        "tables.files:ParquetFormat",
        (".parquet", ".pq"),
        "application/vnd.apache.parquet",
        isolated=False,
        single=False,
    ),
    "arrow": ShippedFormat(
        "tables.files:ArrowFormat",
        (".arrow", ".arrows", ".feather", ".ipc"),
        "application/vnd.apache.arrow.file",
        isolated=False,
        single=False,
    ),
    "sqlite": ShippedFormat(
        "tables.files:SqliteFormat",
        (".sqlite", ".sqlite3", ".db"),
        "application/vnd.sqlite3",
        isolated=False,
        single=False,
    ),
    "xlsx": ShippedFormat(
        "tables.files:XlsxFormat",
        (".xlsx", ".xlsm"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        isolated=False,
        single=False,
    ),
    "ods": ShippedFormat(
        "tables.files:OdsFormat",
        (".ods",),
        "application/vnd.oasis.opendocument.spreadsheet",
        isolated=False,
        single=False,
    ),
}
"""Shipped formats that are classes, by name."""

FORMATS = ("text", "markdown", "html", "jsonl", "csv", "tab", "texts", "docx", "pdf", *SHIPPED)
"""Names of the document formats that are built in; ``json`` is ``tab`` or ``texts``, whichever it
turns out to be. Those of other packages are told apart by their entry points."""
_BUILT_IN = (*FORMATS, "json", "result", "report")
"""Names that no plug-in can have: *result* and *report* are written."""


# A string of an output, and where it stands.


class Kind(Enum):
    """Manner of searching a string."""

    TEXT = "text"
    """What people read: by whole words, as verification does."""
    VALUE = "value"
    """Names, addresses, ids, cells: inside words, and decoded."""
    CODE = "code"
    """Scripts, styles, closed lists: as values, but not by words that mean something there."""


@dataclass(frozen=True, slots=True)
class Passage:
    """String of an output, from an independent reader.

    Attributes:
        text: the string.
        place: by kind and number, such as ``attribute 'href' of element 41``; never text.
        kind: the manner of searching it.
    """

    text: str
    place: str
    kind: Kind = Kind.VALUE


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

    def strings(self, data: bytes, encoding: str) -> Sequence[str | Passage]:
        """Return every string of an output, in any order.

        They are searched for masked strings and for lost text, so they should be read by other
        means than those of ``write``, names, comments and metadata included. A plain string is
        searched as a ``VALUE``.
        """
        ...


class Assembly(Protocol):
    """A file under construction whose documents don't stand in it one after another."""

    def add(self, part: bytes, source: SourceDocument) -> bytes:
        """Take a document's part, found free of leaks; return the bytes of the file ready by now.

        Raises:
            InputError: if it can't be in one file with those before.
        """
        ...

    def close(self) -> Iterable[bytes]:
        """Return the last bytes of the file, in parts.

        Raises:
            InputError: if what was put together can't be read again, or holds what it should not.
        """
        ...


@runtime_checkable
class RecordFormat(Protocol):
    """Further method of a ``DocumentFormat`` whose documents are records with fields."""

    def read_fields(
        self, stream: BinaryIO, origin: Origin, fields: Fields
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of a file; ``read`` is not called.

        Args:
            stream: the bytes of the file.
            origin: its name, and the user's encoding.
            fields: treatments of the fields.

        Raises:
            InputError: if it is no file of the format; nothing of it is read then.
        """
        ...


@runtime_checkable
class AssembledFormat(Protocol):
    """Further method of a ``DocumentFormat`` whose file is put together from its documents' parts."""

    def assembly(self) -> Assembly:
        """Return an empty file."""
        ...


class ContainerFormat:
    """Base of formats whose files are written by the container of their one document."""

    def write(self, source: SourceDocument, result: Result) -> bytes:
        """Return the sanitized file.

        Raises:
            InputError: if text is missing in it.
        """
        assert source.container is not None
        return source.container.write(source, result)


def format_names() -> tuple[str, ...]:
    """Names of the document formats, built in or from other packages.

    Raises:
        PluginError: if two of them have one name.
    """
    return (*FORMATS, *plugins.names(plugins.DOCUMENT_FORMATS, _BUILT_IN))


def format_named(name: str) -> DocumentFormat | None:
    """Return the class's instance of a format; None where it has none of its own.

    Raises:
        PluginError: if a plug-in can't be loaded.
        MissingExtraError: if a shipped format needs an extra that is not installed.
    """
    if name in SHIPPED:
        return _shipped(name)
    if name in _BUILT_IN or name not in plugins.names(plugins.DOCUMENT_FORMATS, _BUILT_IN):
        return None
    return _plugin(name)


@cache
def _shipped(name: str) -> DocumentFormat:
    module, _, attribute = SHIPPED[name].location.partition(":")
    format: DocumentFormat = getattr(import_module(f".{module}", __package__), attribute)()
    return format


def _plugin(name: str) -> DocumentFormat:
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
        if extension.lower() in _plugin(name).extensions
    ]
    if len(names) > 1:
        raise InputError(
            f"extension {extension!r} is that of {' and '.join(names)}", remedy=NAME_FORMAT
        )
    return names[0] if names else None


def read_by(
    format: DocumentFormat, stream: BinaryIO, origin: Origin, fields: Fields | None = None
) -> Iterator[SourceDocument | Failure]:
    """Yield the documents of a file, by the class of its format.

    Args:
        format: the instance of its class.
        stream: the file.
        origin: its name and format.
        fields: treatments of its fields, where it has some.

    Raises:
        InputError: if the format fails, or yields anything but a document.
    """
    if fields is not None and isinstance(format, RecordFormat):
        items = iter(format.read_fields(stream, origin, fields))
    else:
        items = iter(format.read(stream, origin))
    while True:
        with _failures(origin.format, origin.name):
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
    """Bytes of a sanitized document, by the class of its format.

    Raises:
        InputError: if the format fails, or returns something else.
    """
    name = source.origin.format
    with _failures(name, source.document.id):
        data = format.write(source, result)
    if not isinstance(data, bytes):
        raise plugins.plugin_fault(
            _part(name), f"writes {type(data).__name__}, not bytes", source.document.id
        )
    return data


def strings_by(name: str, data: bytes, encoding: str) -> list[Passage]:
    """Return the strings of an output, by the class of its format.

    Raises:
        InputError: if the format fails, or returns something else.
    """
    format = format_named(name)
    assert format is not None
    with _failures(name, "the sanitized document"):
        strings = tuple(format.strings(data, encoding))
    if not all(isinstance(string, str | Passage) for string in strings):
        raise plugins.plugin_fault(
            _part(name), "reads what are no strings", "the sanitized document"
        )
    return [
        Passage(string, f"string {number}") if isinstance(string, str) else string
        for number, string in enumerate(strings, start=1)
    ]


def _failures(name: str, document: str) -> AbstractContextManager[None]:
    """Context that names a plug-in in its unexpected errors; ours say their place themselves."""
    if name in SHIPPED:
        return nullcontext()
    return plugins.plugin_failures(_part(name), document)


def _part(name: str) -> str:
    return f"document format {name!r}"
