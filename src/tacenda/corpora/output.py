"""Characters to bytes: where all writers write."""

from __future__ import annotations

import codecs
from typing import BinaryIO

from ..errors import InputError
from .decoding import writable


class Output:
    """A binary stream that takes text.

    Lone surrogates are written as U+FFFD. A byte order mark that a codec makes (UTF-16) is
    written once.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._encoding = ""
        self._encoder: codecs.IncrementalEncoder | None = None

    def emit(self, text: str, encoding: str = "utf-8", *, references: bool = False) -> None:
        """Write ``text``; ``references`` allows ``&#8230;`` for what the codec can't write.

        Raises:
            InputError: if the codec can't write a character.
        """
        if encoding == "utf-8-sig":
            encoding = "utf-8"
        if self._encoder is None or encoding != self._encoding:
            self._encoder = codecs.getincrementalencoder(encoding)()
            self._encoding = encoding
        self._encoder.errors = "xmlcharrefreplace" if references else "strict"
        try:
            data = self._encoder.encode(writable(text))
        except UnicodeEncodeError as error:
            raise InputError(
                f"code point {error.start} of the output can't be written in {encoding!r}; choose "
                "--to json or --to jsonl, which are written in UTF-8."
            ) from None
        self._stream.write(data)

    def emit_bytes(self, data: bytes) -> None:
        """Write what is no text."""
        self._stream.write(data)
