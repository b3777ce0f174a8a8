"""The registry of formats, one class per format, and their lookup by name, extension and media type.

To add one, write its reader, the independent reader of its output in ``inspection``, and its class here;
``CONTRIBUTING.md`` has the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO

from .. import plugins
from ..errors import AS_TEXT, NAME_FORMAT, InputError, Remedy
from ..result import Result
from .compression import inner_name
from .formats import FileFormat, Passage, PluginFormat, ReadOptions, TextFormat
from .record import PAGE_BREAK, Failure, Origin, SourceDocument

if TYPE_CHECKING:
    from .output import Output

_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument"

# Text formats, edited in place.


class PlainText(TextFormat):
    """Plain text."""

    name, label = "text", "text"
    extensions = ("", ".txt", ".text", ".log")
    media_type = "text/plain"
    reader = "text:read_text_file"
    inspector = "inspection.strings:plain_text"

    def output_text(self, data: bytes, origin: Origin, strings: Sequence[Passage]) -> str | None:
        """Return None, since there is no syntax that could lose text."""
        return None


class Markdown(TextFormat):
    """Markdown (CommonMark)."""

    name, label = "markdown", "Markdown"
    extensions: tuple[str, ...] = (".md", ".markdown")
    media_type = "text/markdown"
    reader = "markdown:read"
    inspector = "inspection.strings:markdown"
    references = True

    def output_text(self, data: bytes, origin: Origin, strings: Sequence[Passage]) -> str | None:
        """Return the text of an output, read in the same way as the input."""
        again = self.read(BytesIO(data), origin, ReadOptions())
        return "\n".join(item.document.text for item in again if isinstance(item, SourceDocument))


class Html(Markdown):
    """Web pages."""

    name, label = "html", "web page"
    extensions = (".html", ".htm", ".xhtml")
    media_type = "text/html"
    reader = "html:read"
    inspector = "inspection.strings:page"


class JsonLines(TextFormat):
    """JSON Lines: one object per line."""

    name, label = "jsonl", "records (JSON)"
    extensions = (".jsonl", ".ndjson")
    media_type = "application/x-ndjson"
    reader = "jsonl:read"
    inspector = "inspection.strings:json_values"
    single = False
    has_fields = is_table = True

    def reader_arguments(self, options: ReadOptions) -> tuple[Any, ...]:
        """Return the field with the text, and the treatments of all."""
        return options.field, options.treatments()


class Csv(TextFormat):
    """CSV and TSV: one row per line."""

    name, label = "csv", "table"
    extensions = (".csv", ".tsv", ".tab")
    media_type = "text/csv"
    reader = "csv:read"
    inspector = "inspection.strings:rows"
    single = False
    has_fields = is_table = True

    def reader_arguments(self, options: ReadOptions) -> tuple[Any, ...]:
        """Return the columns with text, and the treatments of all."""
        return options.columns, options.treatments()


class Texts(TextFormat):
    """A JSON list of strings, each of which is a document."""

    name, label = "texts", "JSON"
    media_type = "application/json"
    reader = "tab:read_texts"
    inspector = "inspection.strings:listed_values"
    mappable = single = is_attachable = False

    def emit(self, output: Output, source: SourceDocument, result: Result) -> None:
        """Write one text of the list."""
        from .json_leaves import dumps

        output.emit_item(dumps(result.text))

    def finish(self, output: Output) -> None:
        """Write the end of the list."""
        output.end_items()


class TabStandoff(Texts):
    """Documents of the Text Anonymization Benchmark: texts and standoff annotations."""

    name = "tab"
    reader = "tab:read"

    def emit(self, output: Output, source: SourceDocument, result: Result) -> None:
        """Write nothing.

        Raises:
            InputError: always.
        """
        raise InputError(
            "standoff (TAB) holds the original text and what is to be masked in it",
            source.document.id,
            Remedy("choose --to tab, or --to jsonl for the sanitized text", AS_TEXT.page),
        )


class JsonObjects(FileFormat):
    """JSON of any shape, read by a field policy."""

    name, label = "objects", "JSON"
    media_type = "application/json"
    reader = "objects:read"
    inspector = "inspection.strings:framed_values"
    assembler = "framed:FramedFile"
    single = False
    is_text = has_fields = is_table = True


class Json(JsonObjects):
    """A JSON file whose contents determine its format: ``objects``, ``tab`` or ``texts``."""

    name = "json"
    extensions = (".json",)
    is_table = False

    def read(
        self, stream: BinaryIO, origin: Origin, options: ReadOptions
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the documents of a file."""
        if options.fields is not None and options.fields.source:
            return super().read(stream, replace(origin, format="objects"), options)
        from . import tab

        items = tab.load_list(stream, origin)
        if items and all(isinstance(item, str) for item in items):
            return tab.texts_of(items, replace(origin, format="texts"))
        return tab.documents_of(items, replace(origin, format="tab"))

    def finish(self, output: Output) -> None:
        """Write an empty list if there are no documents."""
        Texts().finish(output)


class Xml(FileFormat):
    """XML of any vocabulary, read by a field policy."""

    name, label = "xml", "XML"
    extensions = (".xml",)
    media_type = "application/xml"
    reader = "xml:read"
    writer = "xml:write"
    inspector = "inspection.xml:strings"
    assembler = "framed:FramedFile"
    is_text = has_fields = True


class WebVtt(TextFormat):
    """Captions of web video."""

    name, label = "vtt", "captions"
    extensions = (".vtt",)
    media_type = "text/vtt"
    reader = "captions:WEBVTT.read"
    inspector = "captions:WEBVTT.strings"
    mappable = False


class SubRip(WebVtt):
    """Captions of films."""

    name = "srt"
    extensions = (".srt",)
    media_type = "application/x-subrip"
    reader = "captions:SUBRIP.read"
    inspector = "captions:SUBRIP.strings"


# Binary formats, read and written in a worker; extra ``documents``.


class Docx(FileFormat):
    """Word documents (ECMA-376)."""

    name, label = "docx", "Word"
    extensions: tuple[str, ...] = (".docx", ".docm")
    media_type = f"{_OFFICE}.wordprocessingml.document"
    reader = "docx:read"
    inspector = "inspection.docx:parts"
    parts = "parts.archives:changed"
    change_counter = "parts.archives:tracked_changes"
    isolated = True


class Doc(FileFormat):
    """Documents of Word versions before 2007, converted by LibreOffice."""

    name, label = "doc", "Word"
    extensions = (".doc",)
    media_type = "application/msword"
    reader = "doc:read"
    isolated = True
    written_as = "docx"


class Pptx(Docx):
    """PowerPoint presentations (ECMA-376)."""

    name, label = "pptx", "PowerPoint"
    extensions = (".pptx", ".pptm")
    media_type = f"{_OFFICE}.presentationml.presentation"
    reader = "pptx:read"


class Odt(Docx):
    """OpenDocument text documents (ISO/IEC 26300)."""

    name, label = "odt", "OpenDocument"
    extensions = (".odt",)
    media_type = f"{_OPEN_DOCUMENT}.text"
    reader = "odt:read"
    inspector = "inspection.odt:parts"


class Rtf(FileFormat):
    """Rich text."""

    name, label = "rtf", "RTF"
    extensions = (".rtf",)
    media_type = "application/rtf"
    reader = "rtf:read"
    inspector = "inspection.rtf:strings"
    isolated = True


class Pdf(FileFormat):
    """PDF, with a text layer or scanned."""

    name, label = "pdf", "PDF"
    extensions = (".pdf",)
    media_type = "application/pdf"
    reader = "pdf.text:read"
    inspector = "inspection.pdf:strings"
    parts = "parts.pdf:changed_pdf"
    isolated = True
    weight = 4
    """A PDF is packed, and drawn to be compared."""
    _CHARACTER = 30
    """Bytes that a character of its text counts as when it is written."""
    _PAGE = 33_000
    """Bytes that a page counts as besides, however little is on it: a second."""
    _MOST_PICTURES = 500

    def pictures(self, data: bytes) -> int:
        """Return the number of pictures, since each may show text."""
        # Dictionaries of streams are never compressed, so each picture can be found.
        return min(data.count(b"/Image"), self._MOST_PICTURES)

    def written_size(self, source: SourceDocument, result: Result) -> int:
        """Return the bytes that writing counts against the limits, in addition to the file's."""
        pages = 1 + source.document.text.count(PAGE_BREAK)
        return self._CHARACTER * len(result.text) + self._PAGE * pages


class PictureFormat(FileFormat):
    """Formats whose pictures may all show text."""

    isolated = True
    _weight_of_pictures = 5

    def pictures(self, data: bytes) -> int:
        """Return the number of pictures of text in a file that count toward the limits."""
        return self._weight_of_pictures


class Png(PictureFormat):
    """Pictures of text."""

    name, label = "png", "picture"
    extensions: tuple[str, ...] = (".png",)
    media_type = "image/png"
    reader = "ocr.files:read_png"
    inspector = "inspection.pictures:strings"
    parts = "parts.pictures:changed_file"
    is_attachable = False


class Jpeg(Png):
    """Photographs of text; only the first picture in a file is read."""

    name = "jpeg"
    extensions = (".jpg", ".jpeg")
    media_type = "image/jpeg"
    reader = "ocr.files:read_jpeg"


class Tiff(Png):
    """Pages from a scanner or fax."""

    name, label = "tiff", "scan"
    extensions = (".tif", ".tiff")
    media_type = "image/tiff"
    reader = "ocr.files:read_tiff"
    parts = ""
    _weight_of_pictures = 20


class Dicom(PictureFormat):
    """Medical images (DICOM)."""

    name, label = "dicom", "DICOM"
    extensions = (".dcm", ".dicom")
    media_type = "application/dicom"
    reader = "dicom:read"
    inspector = "inspection.dicom:strings"
    _weight_of_pictures = 20

    def for_worker(self, options: ReadOptions) -> ReadOptions:
        """Return the options with the key of the run."""
        return ReadOptions(key=options.treatments().key)

    def reader_arguments(self, options: ReadOptions) -> tuple[Any, ...]:
        """Return the key of the run."""
        return (options.key,)


class Eml(FileFormat):
    """E-mail messages (RFC 5322)."""

    name, label = "eml", "mail"
    extensions: tuple[str, ...] = (".eml",)
    media_type = "message/rfc822"
    reader = "mail:read_message"
    writer = "mail:written_message"
    inspector = "inspection.mail:strings"
    isolated = True

    def for_worker(self, options: ReadOptions) -> ReadOptions:
        """Return the options with treatments for the fields of attachments."""
        from .mail.attachments import AttachedFields

        return ReadOptions(attached=AttachedFields.carried(options.fields))

    def reader_arguments(self, options: ReadOptions) -> tuple[Any, ...]:
        """Return the treatments for the fields of attachments."""
        return (options.attached,)


class Msg(Eml):
    """Outlook messages ([MS-OXMSG])."""

    name = "msg"
    extensions = (".msg",)
    media_type = "application/vnd.ms-outlook"
    written_as = "eml"

    def read(
        self, stream: BinaryIO, origin: Origin, options: ReadOptions
    ) -> Iterator[SourceDocument | Failure]:
        """Yield the one document of a message, converted to mail."""
        from .mail.outlook import as_mail

        message = BytesIO(as_mail(stream.read(), origin.name))
        return super().read(message, replace(origin, format=self.written_as), options)


class Mbox(FileFormat):
    """Mailboxes, whose messages are read one by one, each in a separate worker."""

    name, label = "mbox", "mails"
    extensions = (".mbox", ".mbx")
    media_type = "application/mbox"
    reader = "mail:read_mailbox"
    writer = "mail:written_in_mailbox"
    inspector = "mail:strings_in_mailbox"
    single = is_attachable = False

    def reader_arguments(self, options: ReadOptions) -> tuple[Any, ...]:
        """Return the treatments for the fields of attachments."""
        return (options.treatments(),)


# Tables of typed cells: each row is a document, and the file is assembled from rows.


class _TableFile(FileFormat):
    """Base class of table formats."""

    inspector = "tables.rows:strings_of_part"
    assembler = "tables.rows:RowsAssembly"
    single = False
    has_fields = is_table = True


class Parquet(_TableFile):
    """Parquet."""

    name, label = "parquet", "Parquet"
    extensions: tuple[str, ...] = (".parquet", ".pq")
    media_type = "application/vnd.apache.parquet"
    reader = "tables.arrow:read"
    extra = "tables"
    file_inspector = "inspection.parquet:file_strings"
    is_data_set = True


class Arrow(Parquet):
    """Arrow IPC: files, Feather, streams."""

    name, label = "arrow", "Arrow"
    extensions = (".arrow", ".arrows", ".feather", ".ipc")
    media_type = "application/vnd.apache.arrow.file"
    file_inspector = "inspection.arrow:file_strings"


class Sqlite(_TableFile):
    """SQLite databases."""

    name, label = "sqlite", "SQLite"
    extensions = (".sqlite", ".sqlite3", ".db")
    media_type = "application/vnd.sqlite3"
    reader = "tables.sqlite:read"
    file_inspector = "inspection.sqlite:file_strings"
    is_data_set = True


class Xlsx(_TableFile):
    """Excel workbooks (ECMA-376)."""

    name, label = "xlsx", "Excel"
    extensions = (".xlsx", ".xlsm")
    media_type = f"{_OFFICE}.spreadsheetml.sheet"
    reader = "tables.sheets:read"
    file_inspector = "inspection.sheets:file_strings"


class Ods(_TableFile):
    """OpenDocument workbooks (ISO/IEC 26300)."""

    name, label = "ods", "table"
    extensions = (".ods",)
    media_type = f"{_OPEN_DOCUMENT}.spreadsheet"
    reader = "tables.sheets:read"
    file_inspector = "inspection.odt:parts"


SHIPPED: Mapping[str, FileFormat] = {
    format.name: format
    for format in (
        PlainText(), Markdown(), Html(), JsonLines(), Csv(), TabStandoff(), Texts(), Docx(), Pdf(), Eml(), Mbox(),
        Pptx(), Odt(), Rtf(), WebVtt(), Xml(), JsonObjects(), Png(), Jpeg(), Tiff(), SubRip(),
        Parquet(), Arrow(), Sqlite(), Xlsx(), Ods(), Doc(), Msg(), Dicom(),
        Json(),
    )
}  # fmt: skip
"""Shipped formats by name, in the order of messages."""
FORMATS = tuple(name for name in SHIPPED if name != Json.name)
"""Names of the shipped formats that a document can have; a ``json`` file has one of several.
Formats from other packages are found by their entry points."""
_RESERVED = (*SHIPPED, "result", "report")
"""Names that no plug-in can have, since *result* and *report* are output formats."""
_BY_EXTENSION = {
    extension: format for format in SHIPPED.values() for extension in format.extensions
}


def format_names() -> tuple[str, ...]:
    """Return the names of the formats that can be read, including those from other packages.

    Raises:
        PluginError: if two of them have the same name.
    """
    return (*SHIPPED, *plugins.names(plugins.DOCUMENT_FORMATS, _RESERVED))


def format_named(name: str) -> FileFormat:
    """Return the format with a name; see ``format_names``.

    Raises:
        PluginError: if a plug-in can't be loaded.
        MissingLabError: if no installed package has the format.
    """
    return SHIPPED.get(name) or _plugin(name)


def written_format(name: str) -> FileFormat:
    """Return the format in which files of a format are written."""
    format = format_named(name)
    return format_named(format.written_as) if format.written_as else format


def format_by_extension(extension: str) -> FileFormat | None:
    """Return the shipped format with an extension."""
    return _BY_EXTENSION.get(extension.lower())


def format_of_name(name: str) -> FileFormat | None:
    """Return the shipped format of a file, judging by its name without a compression extension."""
    return format_by_extension(suffix_of(name))


def suffix_of(name: str) -> str:
    """Return a file's extension, without the extension of its compression."""
    return PurePosixPath(inner_name(name.replace("\\", "/"))).suffix


def format_by_media_type(media_type: str) -> FileFormat | None:
    """Return the shipped format of attachments with a media type."""
    candidates = (f for f in SHIPPED.values() if f.is_attachable and f.name != Json.name)
    return next((f for f in candidates if f.media_type == media_type), None)


def known_extensions() -> tuple[str, ...]:
    """Return the extensions of shipped formats, including the dot."""
    return tuple(filter(None, _BY_EXTENSION))


def plugin_format_of(extension: str) -> str | None:
    """Return the name of the plug-in format with an extension, or None.

    Raises:
        InputError: if several have it.
        PluginError: if one of them can't be loaded.
    """
    names = [
        name
        for name in plugins.names(plugins.DOCUMENT_FORMATS, _RESERVED)
        if extension.lower() in _plugin(name).extensions
    ]
    if len(names) > 1:
        raise InputError(
            f"extension {extension!r} is that of {' and '.join(names)}", remedy=NAME_FORMAT
        )
    return names[0] if names else None


def _plugin(name: str) -> FileFormat:
    feature = f"document format {name!r}"
    return PluginFormat(name, plugins.shared(plugins.DOCUMENT_FORMATS, name, feature))
