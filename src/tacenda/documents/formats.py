r"""Document formats: the base class of the shipped ones, and the protocol for formats from other packages.

The characters of an input file are its *source*; the parts of it that are text are *slots*
(``record``). If a format's text is in its source as it is, the format doesn't need a writer:
``edited_source`` makes the edits.

    class Note:
        extensions = (".note",)

        def read(self, stream, origin):
            source = stream.read().decode(origin.encoding)
            extraction = Extraction(source)
            extraction.verbatim(source.index("\n\n") + 2, len(source), str)
            document = Document(origin.name, extraction.text)
            yield SourceDocument(document, origin, source, tuple(extraction.slots))

        def write(self, source, result):
            return edited_source(source, result).encode(source.origin.encoding)

        def strings(self, data, encoding):
            return [data.decode(encoding)]

Such a class from another package is wrapped in a ``PluginFormat``; the shipped formats are
subclasses of ``FileFormat`` in ``registry``, where all formats are looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, runtime_checkable

from .. import plugins
from ..errors import InputError, MissingExtraError
from ..result import Result
from .record import Failure, Origin, SourceDocument, edited_source

if TYPE_CHECKING:
    from .fields import Fields
    from .mail.attachments import AttachedFields
    from .output import Output
    from .parts import BesidePart, PartDecision

# The strings of an output, and where they are.


class Kind(Enum):
    """How a string is searched."""

    TEXT = "text"
    """Text that people read: matched by whole words, as verification does."""
    VALUE = "value"
    """Names, addresses, ids, cells: inside words, and decoded."""
    CODE = "code"
    """Scripts, styles, closed lists: as values, but not by words that mean something there."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A string of an output, from an independent reader.

    Attributes:
        text: the string.
        place: its kind and number, such as ``attribute 'href' of element 41``; never text.
        kind: how to search it.
    """

    text: str
    place: str
    kind: Kind = Kind.VALUE


# Formats from other packages.


class DocumentFormat(Protocol):
    """A format from another package: how to read its files, write them, and read them again for the check.

    Attributes:
        extensions: its file extensions, with the dot, in lower case.

    A class may also have ``label``, ``media_type``, ``isolated`` and ``single``; see ``FileFormat``.
    """

    extensions: Sequence[str]

    def read(self, stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of a file.

        Args:
            stream: the file's bytes.
            origin: the file's name and the user's encoding.

        Raises:
            InputError: if the file doesn't have this format.
        """
        ...

    def write(self, source: SourceDocument, result: Result) -> bytes:
        """Return the document's part of the file, sanitized.

        Args:
            source: the document as ``read`` yielded it.
            result: its text, edited; the strings of ``result.replacements`` must not be anywhere
                in the output.

        Raises:
            InputError: if it can't be written.
        """
        ...

    def strings(self, data: bytes, encoding: str) -> Sequence[str | Passage]:
        """Return every string of an output, in any order.

        They are searched for masked strings and for lost text, so they should be read by other
        means than ``write`` uses, and should include names, comments and metadata. A plain string
        is searched as a ``VALUE``.
        """
        ...


class Assembly(Protocol):
    """A file under construction in which documents don't follow one another."""

    def add(self, part: bytes, source: SourceDocument) -> bytes:
        """Take a document's part, which was found free of leaks, and return the bytes of the file that are ready.

        Raises:
            InputError: if it can't be in one file with the parts before.
        """
        ...

    def close(self) -> Iterable[bytes]:
        """Return the last bytes of the file, in parts.

        Raises:
            InputError: if the assembled file can't be read again, or contains what it shouldn't.
        """
        ...


@runtime_checkable
class RecordFormat(Protocol):
    """An additional method for a ``DocumentFormat`` whose documents are records with fields."""

    def read_fields(
        self, stream: BinaryIO, origin: Origin, fields: Fields
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of a file; called instead of ``read``.

        Args:
            stream: the file's bytes.
            origin: the file's name and the user's encoding.
            fields: how to treat the fields.

        Raises:
            InputError: if the file doesn't have this format.
        """
        ...


@runtime_checkable
class AssembledFormat(Protocol):
    """An additional method for a ``DocumentFormat`` whose file is assembled from its documents' parts."""

    def assembly(self) -> Assembly:
        """Return an empty file."""
        ...


# All formats, as readers and writers see them.


@dataclass(frozen=True, slots=True, repr=False)
class ReadOptions:
    """Options for reading files, which are passed to workers.

    Attributes:
        field: the field with the text in JSONL; empty if a field policy says what is text.
        columns: the columns with text in tables; none if a field policy says what is text.
        fields: how to treat columns and fields; None if nothing is specified.
        attached: how to treat fields in a message's attachments, for its worker.
        key: key for pseudonyms, for a worker.
    """

    field: str = "text"
    columns: tuple[str, ...] = ("text",)
    fields: Fields | None = None
    attached: AttachedFields | None = None
    key: bytes = b""

    def treatments(self, texts: Sequence[str] = ()) -> Fields:
        """Return the treatments, with ``texts`` as text fields."""
        from .fields import UNSAID

        return (self.fields or UNSAID).with_texts(texts)


class FileFormat:
    """A document format: what its files are, and how they are read, written, and read again for the check.

    Functions are named ``module:function`` within this package and imported when first needed.

    Attributes:
        name: its name in ``--from``.
        label: its name for people, such as *Word*.
        extensions: its file extensions, with the dot, in lower case.
        media_type: its files' media type.
        reader: called with a file, its ``Origin`` and ``reader_arguments``: treatments of fields if it ``has_fields``.
        writer: called with a document and its result, returns its part of the file; empty where the document's
            container does that.
        inspector: called with an output (its characters if it ``is_text``); yields a ``Passage``
            for each string.
        file_inspector: the same for a whole file, if ``inspector`` takes a document's part of it.
        assembler: makes the ``Assembly`` of a file in which documents don't follow one another.
        parts: finds and changes pictures, comments and hidden text of an output (``parts``).
        change_counter: counts the tracked changes of an original.
        is_text: whether files are characters, whose encoding may vary.
        isolated: whether a file could crash or hang its parser, which then runs in a worker.
        single: whether a file is a single document.
        mappable: whether files are edited in place, so that a mapping can undo the edits.
        references: whether ``&#8230;`` may represent a character outside the encoding.
        has_fields: whether a field policy applies to its fields.
        is_table: whether its documents are rows or records with columns to choose from.
        is_data_set: whether some of its fields aren't strings.
        is_attachable: whether it is read as an attachment in a message.
        written_as: name of the format its documents are written in; empty for its own.
        weight: how many times a file's bytes count against the limits.
        extra: the extra with the reader's packages, unless its module says so itself.
    """

    name: str
    label: str
    extensions: Sequence[str] = ()
    media_type: str = "application/octet-stream"
    reader: str = ""
    writer: str = ""
    inspector: str = ""
    file_inspector: str = ""
    assembler: str = ""
    parts: str = ""
    change_counter: str = ""
    is_text: bool = False
    isolated: bool = False
    single: bool = True
    mappable: bool = False
    references: bool = False
    has_fields: bool = False
    is_table: bool = False
    is_data_set: bool = False
    is_attachable: bool = True
    written_as: str = ""
    weight: int = 1
    extra: str = ""

    def read(
        self, stream: BinaryIO, origin: Origin, options: ReadOptions
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of a file.

        Raises:
            InputError: if the file can't be read at all.
            MissingExtraError: if the format's extra isn't installed.
        """
        try:
            reader = _loaded(self.reader)
        except ImportError as error:
            if not self.extra:
                raise
            raise MissingExtraError(f"reading and writing {self.name}", self.extra) from error
        return iter(reader(stream, origin, *self.reader_arguments(options)))

    def reader_arguments(self, options: ReadOptions) -> tuple[Any, ...]:
        """Return what the reader takes in addition to the file and its origin."""
        return (options.treatments(options.columns),) if self.has_fields else ()

    def for_worker(self, options: ReadOptions) -> ReadOptions:
        """Return the options for reading an isolated file."""
        return ReadOptions()

    def pictures(self, data: bytes) -> int:
        """Return the number of pictures of text in a file that count toward the limits."""
        return 0

    def written_size(self, source: SourceDocument, result: Result) -> int:
        """Return the bytes that writing counts against the limits, in addition to the file's."""
        return len(result.text)

    def write(self, source: SourceDocument, result: Result) -> bytes:
        """Return the document's part of the file, sanitized.

        Raises:
            InputError: if it can't be written, or text is missing in it.
        """
        if self.writer:
            data: bytes = _loaded(self.writer)(source, result)
            return data
        assert source.container is not None
        return source.container.write(source, result)

    def emit(self, output: Output, source: SourceDocument, result: Result) -> None:
        """Write a document's part of the file, sanitized, to an output of this format.

        Raises:
            InputError: if it can't be written.
        """
        if not self.isolated:
            output.emit_bytes(self.write(source, result))
            return
        if self.single and output.path is not None:
            raise InputError(
                f"two documents can't be in one file of the format {self.name!r}; -o must be a "
                "folder.",
                source.origin.name,
            )
        assert source.container is not None  # which calls ``write`` in a worker
        output.emit_bytes(source.container.write(source, result))

    def finish(self, output: Output) -> None:
        """Write the end of an output of this format."""

    def assembly(self) -> Assembly | None:
        """Return an empty file, or None if documents follow one another in a file."""
        assembly: Assembly | None = _loaded(self.assembler)() if self.assembler else None
        return assembly

    def strings(self, data: bytes, encoding: str) -> Iterable[Passage]:
        """Return every string of a document's part of an output."""
        content = data.decode(encoding, "replace") if self.is_text else data
        strings: Iterable[Passage] = _loaded(self.inspector)(content)
        return strings

    def file_strings(self, data: bytes) -> Iterable[Passage]:
        """Return every string of a whole file."""
        if not self.file_inspector:
            return self.strings(data, "utf-8")
        strings: Iterable[Passage] = _loaded(self.file_inspector)(data)
        return strings

    def output_text(self, data: bytes, origin: Origin, strings: Sequence[Passage]) -> str | None:
        """Return the text of an output for comparison, or None if ``write`` compares it itself.

        Args:
            data: the output.
            origin: its name and encoding.
            strings: all its strings.
        """
        return None if self.isolated else "\n".join(passage.text for passage in strings)

    def changed_parts(
        self, content: bytes, decisions: Mapping[str, PartDecision]
    ) -> tuple[bytes, list[BesidePart]]:
        """Return a sanitized file, with the parts besides its text as decided, and these parts."""
        result: tuple[bytes, list[BesidePart]] = _loaded(self.parts)(content, decisions)
        return result

    def tracked_changes(self, original: bytes) -> int:
        """Return the number of tracked changes in an original, which are accepted when it is read."""
        number: int = _loaded(self.change_counter)(original)
        return number


class TextFormat(FileFormat):
    """A text format, edited in place."""

    is_text = mappable = True

    def emit(self, output: Output, source: SourceDocument, result: Result) -> None:
        """Write a document's part of the file, sanitized, to an output of this format.

        Raises:
            InputError: if it can't be written.
        """
        origin, is_first = source.origin, output.path != source.origin.path
        text = edited_source(source, result, first=is_first)
        if is_first and output.last not in ("", "\n"):
            output.emit("\n", origin.encoding)  # Two files in one stream: don't join lines.
        output.emit(text, origin.encoding, references=self.references)


class PluginFormat(FileFormat):
    """A format from another package, whose faults are reported by name.

    Args:
        name: name of its entry point.
        inner: the ``DocumentFormat`` itself.
    """

    is_attachable = False

    def __init__(self, name: str, inner: DocumentFormat) -> None:
        self.name = name
        self.extensions = inner.extensions
        for attribute, default in (
            ("label", name),
            ("media_type", FileFormat.media_type),
            ("isolated", False),
            ("single", False),
        ):
            setattr(self, attribute, getattr(inner, attribute, default))
        self._inner = inner
        self._part = f"document format {name!r}"

    def read(
        self, stream: BinaryIO, origin: Origin, options: ReadOptions
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of a file.

        Raises:
            InputError: if the format fails, or yields anything but a document.
        """
        with plugins.plugin_failures(self._part, origin.name):
            if isinstance(self._inner, RecordFormat):
                fields = options.treatments(options.columns)
                items = iter(self._inner.read_fields(stream, origin, fields))
            else:
                items = iter(self._inner.read(stream, origin))
        while True:
            with plugins.plugin_failures(self._part, origin.name):
                item = next(items, None)
            if item is None:
                return
            if not isinstance(item, SourceDocument | Failure):
                fault = f"yields {type(item).__name__}, which is not a document"
                raise plugins.plugin_fault(self._part, fault, origin.name)
            yield item

    def write(self, source: SourceDocument, result: Result) -> bytes:
        """Return the document's part of the file, sanitized.

        Raises:
            InputError: if the format fails, or returns something else.
        """
        with plugins.plugin_failures(self._part, source.document.id):
            data = self._inner.write(source, result)
        if not isinstance(data, bytes):
            fault = f"writes {type(data).__name__}, not bytes"
            raise plugins.plugin_fault(self._part, fault, source.document.id)
        return data

    def assembly(self) -> Assembly | None:
        """Return an empty file, or None if documents follow one another in a file."""
        return self._inner.assembly() if isinstance(self._inner, AssembledFormat) else None

    def strings(self, data: bytes, encoding: str) -> Iterable[Passage]:
        """Return every string of a document's part of an output.

        Raises:
            InputError: if the format fails, or returns something else.
        """
        subject = "the sanitized document"
        with plugins.plugin_failures(self._part, subject):
            strings = tuple(self._inner.strings(data, encoding))
        if not all(isinstance(string, str | Passage) for string in strings):
            fault = "returns something other than strings"
            raise plugins.plugin_fault(self._part, fault, subject)
        return [
            Passage(string, f"string {number}") if isinstance(string, str) else string
            for number, string in enumerate(strings, start=1)
        ]


def _loaded(location: str) -> Any:
    """Import and return a function of this package."""
    return resolve_name(f"{__package__}.{location}")
