"""Where sanitized documents go: one writer a format, all with the same two verbs."""

from __future__ import annotations

from typing import BinaryIO, Protocol

from ..document import Sanitized
from ..errors import InputError
from . import jsonl, masks, report, result, tab, texts
from .output import Output
from .record import Record, restore

OUTPUT_FORMATS = ("same", "text", "html", "json", "jsonl", "tab", "masks", "pdf")
"""What can be written; ``same`` is the format that came in, with its markup and other fields."""

_EXTENSIONS = {
    "text": ".txt",
    "html": ".html",
    "json": ".jsonl",
    "jsonl": ".jsonl",
    "tab": ".json",
    "masks": ".json",
    "pdf": ".pdf",
}


class Writer(Protocol):
    """Writes sanitized documents one by one; ``close`` ends the format, not the stream."""

    def write(self, record: Record, sanitized: Sanitized) -> None:
        """Write one document.

        Raises:
            InputError: if this document can't be written; the writer can go on with others.
        """

    def close(self) -> None:
        """Write what ends the format; call it once, also after errors."""


def writer(
    to: str, stream: BinaryIO, *, came_in: str | None = None, reveal: bool = False
) -> Writer:
    """Return a writer of the format ``to``.

    Args:
        to: one of ``OUTPUT_FORMATS``.
        stream: where the bytes go.
        came_in: with ``same``, the format of the input if it is known beforehand (it only
            matters for an input without documents).
        reveal: ``html`` and ``json``: add the original strings.

    Raises:
        InputError: if ``to`` is none of the formats.
        MissingExtraError: if ``to`` is ``pdf`` and the extra ``documents`` is not installed.
    """
    output = Output(stream)
    match to:
        case "same":
            return _Same(output, came_in)
        case "text":
            return _Text(output)
        case "html":
            return report.Writer(output, reveal=reveal)
        case "json":
            return result.Writer(output, reveal=reveal)
        case "jsonl":
            return jsonl.Writer(output)
        case "tab":
            return tab.Writer(output)
        case "masks":
            return masks.Writer(output)
        case "pdf":
            from .pdf.writing import Writer as PdfWriter

            return PdfWriter(output)
    known = ", ".join(OUTPUT_FORMATS)
    raise InputError(f"output format {to!r} is not known; choose one of {known}.")


def extension_of(to: str, path: str) -> str:
    """Return the extension, with its dot, of what becomes of the input ``path``."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    own = name[name.rindex(".") :] if "." in name[1:] else ".txt"
    return _EXTENSIONS.get(to, own)


class _Text:
    """``--to text``: the sanitized texts; several are parted by a line break."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._last = "\n"

    def write(self, record: Record, sanitized: Sanitized) -> None:
        if self._last != "\n":
            self._output.emit("\n")
        self._output.emit(sanitized.text)
        self._last = sanitized.text[-1:] or "\n"

    def close(self) -> None:
        pass


class _Same:
    """``--to same``: what came in, edited in its place."""

    def __init__(self, output: Output, came_in: str | None) -> None:
        self._output = output
        self._list: Writer | None = None
        self._path: str | None = None
        self._last = "\n"
        self._came_in = came_in

    def _choose(self, format: str) -> None:
        if self._list is None and format == "tab":
            self._list = tab.Writer(self._output)
        elif self._list is None and format == "texts":
            self._list = texts.Writer(self._output)

    def write(self, record: Record, sanitized: Sanitized) -> None:
        origin = record.origin
        self._choose(origin.format)
        if self._list is not None:
            self._list.write(record, sanitized)
            return
        if record.container is not None:
            if self._path is not None:
                raise InputError(
                    f"two documents can't be in one file of the format {origin.format!r}; let -o be "
                    "a folder.",
                    origin.name,
                )
            self._output.emit_bytes(record.container.write(record, sanitized))
            self._path = origin.path
            return
        references = origin.format in ("html", "markdown")
        source = restore(record, sanitized)
        if self._path not in (None, origin.path) and self._last != "\n":
            self._output.emit("\n", origin.encoding)  # two files in one stream: no glued lines
        self._output.emit(source, origin.encoding, references=references)
        self._path, self._last = origin.path, source[-1:] or self._last

    def close(self) -> None:
        if self._path is None and self._came_in in ("tab", "texts", "json"):
            self._choose("texts" if self._came_in == "texts" else "tab")
        if self._list is not None:
            self._list.close()
