"""A JSON list of strings: each is a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..document import Document
from ..errors import InputError
from ..result import Result
from .decoding import check_surrogates
from .jsonl import dumps
from .output import Output
from .record import Failure, Origin, Record


def read(items: Sequence[Any], origin: Origin) -> Iterator[Record | Failure]:
    """Yield one record for each string of a parsed list, or what is wrong with it."""
    for index, text in enumerate(items):
        place = f"[{index}]"
        name = origin.name + place
        try:
            if not isinstance(text, str):
                raise InputError("is not a string as the others of its list; mend it.", name)
            check_surrogates(text, name)
        except InputError as error:
            yield Failure(error)
            continue
        yield Record(Document(name, text), origin, text, (), place=place)


class Writer:
    """A JSON list of the sanitized texts; a text that failed leaves no entry."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def write(self, record: Record, sanitized: Result) -> None:
        """Write one text of the list."""
        opening = "[\n" if self._output.path is None else ",\n"
        self._output.emit(opening + dumps(sanitized.text))

    def close(self) -> None:
        """End the list."""
        self._output.emit("[]\n" if self._output.path is None else "\n]\n")
