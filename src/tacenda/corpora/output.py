"""Characters to bytes: where all writers write."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, replace
from io import BytesIO
from typing import BinaryIO

from ..errors import InputError
from .decoding import writable


@dataclass(frozen=True, slots=True)
class _State:
    """How far an output is.

    Attributes:
        path: of the file whose document was written last; None before the first one.
        last: the last character that was written.
        encoding, encoder: the codec, and the state it is in.
    """

    path: str | None = None
    last: str = ""
    encoding: str = ""
    encoder: int | str = 0


class Output:
    """A binary stream that takes text, document by document: all of one or nothing.

    What is emitted is held back until ``commit``. Lone surrogates are written as U+FFFD. A byte
    order mark that a codec makes (UTF-16) is written once.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._pending = BytesIO()
        self._committed = self._state = _State()
        self._encoder: codecs.IncrementalEncoder | None = None

    @property
    def path(self) -> str | None:
        """Path of the file whose document was committed last; None before the first one."""
        return self._state.path

    @property
    def last(self) -> str:
        """The last character that was written; empty before the first one."""
        return self._state.last

    @property
    def encoding(self) -> str:
        """Codec of the text that was emitted last."""
        return self._state.encoding or "utf-8"

    @property
    def pending(self) -> bytes:
        """What was emitted since the last commit."""
        return self._pending.getvalue()

    def emit(self, text: str, encoding: str = "utf-8", *, references: bool = False) -> None:
        """Write ``text``; ``references`` allows ``&#8230;`` for what the codec can't write.

        Raises:
            InputError: if the codec can't write a character.
        """
        if encoding == "utf-8-sig":
            encoding = "utf-8"
        if self._encoder is None or encoding != self._state.encoding:
            self._encoder = codecs.getincrementalencoder(encoding)()
        self._encoder.errors = "xmlcharrefreplace" if references else "strict"
        try:
            data = self._encoder.encode(writable(text))
        except UnicodeEncodeError as error:
            raise InputError(
                f"code point {error.start} of the output can't be written in {encoding!r}; choose "
                "--to json or --to jsonl, which are written in UTF-8."
            ) from None
        self._pending.write(data)
        self._state = replace(
            self._state,
            last=text[-1:] or self._state.last,
            encoding=encoding,
            encoder=self._encoder.getstate(),
        )

    def emit_bytes(self, data: bytes) -> None:
        """Write what is no text."""
        self._pending.write(data)

    def commit(self, path: str | None = None) -> None:
        """Hand on what was emitted; ``path`` is of the file whose document it was."""
        self._stream.write(self._pending.getvalue())
        self._pending = BytesIO()
        if path is not None:
            self._state = replace(self._state, path=path)
        self._committed = self._state

    def discard(self) -> None:
        """Forget what was emitted since the last commit."""
        self._pending = BytesIO()
        self._state = self._committed
        if self._encoder is not None and self._state.encoding:
            self._encoder = codecs.getincrementalencoder(self._state.encoding)()
            self._encoder.setstate(self._state.encoder)
        else:
            self._encoder = None
