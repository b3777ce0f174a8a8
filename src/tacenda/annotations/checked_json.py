"""JSON from elsewhere, checked: every fault is an InputError with its place."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, NoReturn, TypeVar

from ..document import Span
from ..errors import InputError
from ..text.decoding import check_is_text, check_surrogates, decode
from .corpus import AnnotatedDocument, AnnotationFormat, Files, OffsetConverter, Reading, Unit

Choice = TypeVar("Choice", bound=StrEnum)

_KINDS: Mapping[type[Any], str] = {
    str: "a string",
    int: "an integer",
    list: "a list",
    dict: "an object",
}
_HEAD = 4096


def read_text(path: str | Path) -> str:
    """Read a UTF-8 text file, with or without a byte order mark; ``-`` is standard input.

    Raises:
        InputError: if the file can't be opened or isn't UTF-8.
    """
    name = str(path)
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror or error}", name) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start} is not UTF-8; convert the file to UTF-8", name
        ) from error


def read_json(path: str | Path, *, finite: bool = False) -> Any:
    """Read a UTF-8 JSON file, with or without a byte order mark; ``-`` is standard input.

    ``finite`` rejects NaN and Infinity.

    Raises:
        InputError: if the file can't be opened, isn't UTF-8 or JSON, or has an object with the same
            key twice.
    """
    return parse_json(read_text(path), str(path), finite=finite)


def text_of(content: bytes, name: str) -> str:
    """Decode UTF-8, dropping a byte order mark.

    Raises:
        InputError: if it isn't UTF-8; names the byte.
    """
    check_is_text(content[:_HEAD], "utf-8", name)
    return decode(content, "utf-8", name).removeprefix("\ufeff")


def bytes_of(text: str, name: str) -> bytes:
    """Encode as UTF-8.

    Raises:
        InputError: if it contains a lone surrogate.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"character {error.start} of the {name} output is a lone surrogate, half a "
            "character, which can't be written; fix it at its source."
        ) from None


def parse_json(text: str, name: str, line: int = 1, *, finite: bool = True) -> Any:
    """Return parsed JSON.

    Args:
        text: the JSON.
        name: the file name, for messages.
        line: line number of the text's first line in the file.
        finite: reject NaN and Infinity, which Python accepts but JSON doesn't.

    Raises:
        InputError: if it isn't JSON, is nested too deeply, or has an object with the same key
            twice.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_refuse_constant if finite else None,
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not JSON: {error.msg} at line {line + error.lineno - 1}, column {error.colno}",
            name,
        ) from None
    except RecursionError:
        raise InputError("can't be read: its JSON is nested too deeply", name) from None
    except _FaultError as fault:
        raise InputError(str(fault), name) from None
    except ValueError:
        raise InputError("can't be read: a number in its JSON is too long", name) from None


class _FaultError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise _FaultError(f"has the key {key!r} twice in one object")
            keys.add(key)
    return result


def _refuse_constant(constant: str) -> NoReturn:
    raise _FaultError(f"is not JSON: {constant} is not a JSON number")


def dump_json(value: Any) -> str:
    """Return one line of JSON without escaping non-ASCII characters."""
    return json.dumps(value, ensure_ascii=False)


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "nothing" if value is None else type(value).__name__)


def choice(kind: type[Choice], value: Any, document: str, place: str) -> Choice | None:
    """Return the constant with this value; None for None.

    Raises:
        InputError: if there is no such constant.
    """
    if value is None:
        return None
    for constant in kind:
        if value == constant.value:
            return constant
    names = ", ".join(constant.value for constant in kind)
    raise InputError(f"{place} {value!r} must be one of {names}.", document)


@dataclass(frozen=True, slots=True)
class JsonPart:
    """A part of JSON from elsewhere, checked as it is read; every fault is an InputError.

    Attributes:
        value: the parsed JSON.
        document: name of its document or file, for messages.
        at: where it is in the document; empty for the whole.
    """

    value: Any = field(repr=False)
    document: str
    at: str = ""

    def expect(self, kind: type[Any]) -> Any:
        """Return the value, which must be a string, an integer, a list or an object."""
        if type(self.value) is not kind:
            raise InputError(
                f"{self.at} must be {_KINDS[kind]}, not {_kind(self.value)}; fix it.", self.document
            )
        return self.value

    def items(self, place: str) -> Iterator[JsonPart]:
        """Yield the items of a list; ``place`` says where they are."""
        for position, item in enumerate(self.expect(list)):
            yield JsonPart(item, self.document, f"{place}[{position}]")

    def get(self, key: str) -> Any:
        """Return an optional member of an object unchecked; None if it is missing."""
        return self.value.get(key)

    def member(self, key: str, kind: type[Any]) -> Any:
        """Return a required member of an object."""
        record = self.value
        if type(record) is dict and type(value := record.get(key)) is kind:
            return value
        place = f"{self.at}: " if self.at else ""
        if not isinstance(record, dict):
            raise InputError(
                f"{place}must be a JSON object with {key!r}, not {_kind(record)}; fix it.",
                self.document,
            )
        if key not in record:
            raise InputError(f"{place}key {key!r} is missing; add it.", self.document)
        return JsonPart(record[key], self.document, f"{place}{key!r}").expect(kind)

    def string(self, key: str) -> str:
        """Return an optional string of an object; empty if it is missing or null."""
        return "" if self.get(key) is None else str(self.member(key, str))

    def strings(self, key: str) -> tuple[str, ...]:
        """Return an optional list of strings of an object; empty if it is missing or null."""
        if self.get(key) is None:
            return ()
        place = f"{self.at}: " if self.at else ""
        values = JsonPart(self.member(key, list), self.document)
        return tuple(item.expect(str) for item in values.items(f"{place}{key}"))

    def text(self, key: str) -> str:
        """Return a required text of an object, without lone surrogates."""
        text: str = self.member(key, str)
        check_surrogates(text, self.document)
        return text

    def choice(self, kind: type[Choice], key: str) -> Choice | None:
        """Return an optional constant of an object."""
        return choice(kind, self.get(key), self.document, f"{self.at}: {key}")

    def score(self) -> float | None:
        """Return the optional ``score`` of an object, a finite number."""
        value = self.get("score")
        if value is None:
            return None
        if type(value) not in (int, float) or not math.isfinite(value):
            raise InputError(f"{self.at}: the score must be a number.", self.document)
        return float(value)

    def span(self, converter: OffsetConverter, start: str = "start", end: str = "end") -> Span:
        """Return the span of an object, in code points."""
        return converter.span(self.get(start), self.get(end), self.at)

    def others(self, keys: frozenset[str]) -> dict[str, Any]:
        """Return the members of an object that have other keys."""
        return {key: value for key, value in self.value.items() if key not in keys}


def check_covered(text: str, span: Span, claimed: Any, document: str, at: str) -> None:
    """Raise an InputError if the string that a file quotes for a span differs from the text there."""
    if claimed is not None and claimed != span.of(text):
        raise InputError(
            f"{at}: the text at [{span.start}, {span.end}) differs from the file's quote; are "
            "the offsets in another unit (see --from-offsets), or is it another version of the "
            "text?",
            document,
        )


def with_properties(
    record: dict[str, Any], properties: Mapping[str, Any], reserved: frozenset[str], document: str
) -> dict[str, Any]:
    """Return an object with additional keys.

    Raises:
        InputError: if the format uses a key for something else.
    """
    for key in properties:
        if key in reserved:
            raise InputError(
                f"property {key!r} has the name of a key of the format; rename it at its source "
                "or drop the properties with --drop.",
                document,
            )
    return {**record, **properties}


class JsonFormat(AnnotationFormat):
    """A format that consists of one JSON file, written with one document per line.

    Attributes:
        brackets: the brackets around all documents; empty if each line is JSON on its own.
    """

    brackets: ClassVar[str] = "[]"

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents in file order."""
        ((name, content),) = files.items()
        text = text_of(content, name)
        if self.brackets:
            yield from self.parse(JsonPart(parse_json(text, name), name, "the file"), reading)
            return
        lines = (
            JsonPart(parse_json(line, name, number), name, f"line {number}")
            for number, line in enumerate(text.split("\n"), 1)
            if line.strip()
        )
        yield from self.parse(JsonPart(lines, name), reading)

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return the file."""
        lines = [
            line
            for document in documents
            for line in self.lines(document, OffsetConverter(document.text, unit, document.id))
        ]
        content = "".join(f"{line}\n" for line in lines)
        if self.brackets:
            begin, end = self.brackets[0], self.brackets[1]
            content = (
                f"{begin}\n" + ",\n".join(lines) + f"\n{end}\n" if lines else f"{begin}{end}\n"
            )
        return {"": bytes_of(content, self.name)}

    def parse(self, content: JsonPart, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents in parsed JSON, or in a list of parsed lines."""
        raise NotImplementedError

    def lines(self, document: AnnotatedDocument, converter: OffsetConverter) -> Iterable[str]:
        """Return the lines of a document."""
        raise NotImplementedError
