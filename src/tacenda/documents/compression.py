"""Compressed files of any format: ``letter.txt.gz``, ``rows.jsonl.zst``.

For inputs and outputs, the name says whether a file is compressed. Input is unpacked as it is read,
and refused if it expands more than text could.
"""

from __future__ import annotations

import gzip
import io
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO

from ..errors import InputError, require_extra

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

COMPRESSIONS = (".gz", ".zst")
"""Extensions of compressed files."""
_MAGIC = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
_HARMLESS = 100_000_000
"""Number of bytes that even a tiny file may expand to."""
_GROWTH = 200
"""Maximum growth factor beyond that; logs grow up to a hundredfold."""
_WINDOW = 1 << 27
_GZIP = 31
"""zlib's window, with a gzip header that has no name or time."""
_CHUNK = 1 << 16
_STEP = 1 << 11
"""Bytes of a ``.zst`` that are unpacked at once, which become at most 64 MB."""


def compression_of(name: str) -> str:
    """Return the extension of a file's compression; empty if it isn't compressed."""
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    return ending if ending in COMPRESSIONS else ""


def inner_name(name: str) -> str:
    """Return a file's name without its compression extension: ``a.csv`` for ``a.csv.gz``."""
    return name[: len(name) - len(compression_of(name))]


def unpacked(stream: BinaryIO, name: str) -> BinaryIO:
    """Return the content of a file whose name may say that it is compressed.

    A file with such a name that doesn't start like compressed data is read unchanged. Errors in the
    content are ``InputError``, raised while reading.

    Raises:
        MissingExtraError: for ``.zst`` without the extra ``zstd``.
    """
    compression = compression_of(name)
    if not compression:
        return stream
    raw = _Raw(stream)
    buffered = io.BufferedReader(raw)
    if not buffered.peek(4).startswith(_MAGIC[compression]):
        return buffered
    return io.BufferedReader(_Unpacked(buffered, raw, compression, name), _CHUNK)


class Packer:
    """A stream that compresses into another stream; equal content gives equal bytes.

    Args:
        stream: receives the compressed bytes; it stays open.
        compression: one of ``COMPRESSIONS``.

    Raises:
        MissingExtraError: for ``.zst`` without the extra ``zstd``.
    """

    def __init__(self, stream: BinaryIO, compression: str) -> None:
        self._stream = stream
        self._compressor: Any = (
            zlib.compressobj(wbits=_GZIP)
            if compression == ".gz"
            else _zstandard().ZstdCompressor().compressobj()
        )

    def write(self, data: bytes) -> None:
        """Compress bytes of the content."""
        self._stream.write(self._compressor.compress(data))

    def close(self) -> None:
        """Write the end of the file."""
        self._stream.write(self._compressor.flush())


def packed(data: bytes, name: str) -> bytes:
    """Return the bytes of a file, decompressed according to its name."""
    if not compression_of(name):
        return data
    stream = io.BytesIO()
    packer = Packer(stream, compression_of(name))
    packer.write(data)
    packer.close()
    return stream.getvalue()


class _Raw(io.RawIOBase):
    """A stream that counts the bytes read.

    Attributes:
        count: number of bytes read.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        data = self._stream.read(len(view))
        view[: len(data)] = data
        self.count += len(data)
        return len(data)


class _Unpacked(io.RawIOBase):
    """The content of a compressed stream, with errors for the user."""

    def __init__(
        self, stream: io.BufferedReader[_Raw], raw: _Raw, compression: str, name: str
    ) -> None:
        self._raw = raw
        self._name = name
        self._count = 0
        self._faults: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error)
        self._content: Any
        if compression == ".gz":
            self._content = gzip.GzipFile(fileobj=stream)
        else:
            library = _zstandard()
            self._faults = (library.ZstdError, EOFError)
            self._content = _Frames(stream, library.ZstdDecompressor(max_window_size=_WINDOW))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        try:
            data = self._content.read(len(view))
        except self._faults as error:
            raise InputError(
                f"the compressed file is damaged or cut off ({type(error).__name__}); compress it again.",
                self._name,
            ) from None
        self._count += len(data)
        if self._count > _HARMLESS and self._count > _GROWTH * self._raw.count:
            raise InputError(
                f"grows to more than {_GROWTH} times its size when unpacked; unpack it first if it is "
                "to be trusted.",
                self._name,
            )
        view[: len(data)] = data
        return len(data)


class _Frames:
    """The content of the frames in a ``.zst`` file, which must be complete."""

    def __init__(self, stream: BinaryIO, unpacker: Any) -> None:
        self._stream = stream
        self._unpacker = unpacker
        self._frame: Any = None
        self._ahead = b""
        self._content = io.BytesIO()

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes; empty at the end.

        Raises:
            EOFError: if the last frame is truncated.
        """
        while not (content := self._content.read(size)):
            data = self._ahead or self._stream.read(_STEP)
            self._ahead = b""
            if not data:
                if self._frame is not None:
                    raise EOFError
                return b""
            if self._frame is None:
                self._frame = self._unpacker.decompressobj()
            self._content = io.BytesIO(self._frame.decompress(data))
            if self._frame.eof:
                self._ahead = self._frame.unused_data
                self._frame = None
        return content


def _zstandard() -> Any:
    require_extra("zstd", "reading and writing .zst", "zstandard")
    import zstandard

    return zstandard
