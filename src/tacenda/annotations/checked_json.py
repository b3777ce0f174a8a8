"""Foreign JSON, checked: every fault is an InputError with its place."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from ..errors import InputError
from ..text.decoding import check_is_text, check_surrogates, decode

Choice = TypeVar("Choice", bound=StrEnum)

_KINDS: Mapping[type[Any], str] = {
    str: "a string",
    int: "an integer",
    list: "a list",
    dict: "an object",
}
_HEAD = 4096


def read_text(path: str | Path) -> str:
    """A text file in UTF-8, with or without a byte order mark; ``-`` is standard input.

    Raises:
        InputError: the file can't be opened or is not UTF-8.
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


def read_json(path: str | Path) -> Any:
    """A JSON file in UTF-8, with or without a byte order mark; ``-`` is standard input.

    Raises:
        InputError: the file can't be opened, is not UTF-8, is not JSON, or has an object with
            the same key twice.
    """
    return parse_json(read_text(path), str(path), finite=False)


def text_of(content: bytes, name: str) -> str:
    """Decode UTF-8; a byte order mark is dropped.

    Raises:
        InputError: names the byte.
    """
    check_is_text(content[:_HEAD], "utf-8", name)
    return decode(content, "utf-8", name).removeprefix("\ufeff")


def bytes_of(text: str, name: str) -> bytes:
    """Encode as UTF-8.

    Raises:
        InputError: there is a lone surrogate in it.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"character {error.start} of the {name} output is a lone surrogate, half a "
            "character, which can't be written; repair it where it was made."
        ) from None


def parse_json(text: str, name: str, line: int = 1, *, finite: bool = True) -> Any:
    """Return parsed JSON.

    Args:
        text: the JSON.
        name: of the file, for messages.
        line: number of the text's first line in the file.
        finite: refuse NaN and Infinity: they are Python's and not JSON's.

    Raises:
        InputError: it is not JSON, is nested too deeply, or has a key twice in an object.
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
        raise InputError("is not JSON of ours: it is nested too deeply", name) from None
    except _FaultError as fault:
        raise InputError(str(fault), name) from None
    except ValueError:
        raise InputError("is not JSON of ours: a number in it is too long", name) from None


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
    raise _FaultError(f"is not JSON: {constant} is no number of it")


def dump_json(value: Any) -> str:
    """Return one line of JSON, characters as they are."""
    return json.dumps(value, ensure_ascii=False)


def expect(value: Any, kind: type[Any], document: str, at: str) -> Any:
    """Return a value if it is a string, an integer, a list or an object, as required.

    Raises:
        InputError: it is something else.
    """
    if type(value) is not kind:
        raise InputError(f"{at} must be {_KINDS[kind]}, not {_kind(value)}; mend it.", document)
    return value


def member(record: Any, key: str, kind: type[Any], document: str, at: str = "") -> Any:
    """Return a required member of a JSON object; the document itself if ``at`` is empty.

    Raises:
        InputError: there is none, or it is of another kind.
    """
    if type(record) is dict and type(value := record.get(key)) is kind:
        return value
    place = f"{at}: " if at else ""
    if not isinstance(record, dict):
        raise InputError(
            f"{place}must be a JSON object with {key!r}, not {_kind(record)}; mend it.", document
        )
    if key not in record:
        raise InputError(f"{place}key {key!r} is missing; add it.", document)
    return expect(record[key], kind, document, f"{place}{key!r}")


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "nothing" if value is None else type(value).__name__)


def choice(kind: type[Choice], value: Any, document: str, at: str) -> Choice | None:
    """Return the constant with this value; None for None.

    Raises:
        InputError: there is no such constant.
    """
    if value is None:
        return None
    for constant in kind:
        if value == constant.value:
            return constant
    names = ", ".join(constant.value for constant in kind)
    raise InputError(f"{at}: {value!r} is none of {names}.", document)


def score(value: Any, document: str, at: str) -> float | None:
    """Return a finite number; None for None.

    Raises:
        InputError: it is none.
    """
    if value is None:
        return None
    if type(value) not in (int, float) or not math.isfinite(value):
        raise InputError(f"{at}: the score must be a number.", document)
    return float(value)


def optional_string(record: Mapping[str, Any], key: str, document: str, at: str = "") -> str:
    """A string of an object; empty if it is missing or null.

    Raises:
        InputError: it is something else.
    """
    return "" if record.get(key) is None else str(member(record, key, str, document, at))


def optional_strings(
    record: Mapping[str, Any], key: str, document: str, at: str = ""
) -> tuple[str, ...]:
    """The list of strings of an object; empty if it is missing or null.

    Raises:
        InputError: it is something else.
    """
    if record.get(key) is None:
        return ()
    values = member(record, key, list, document, at)
    place = f"{at}: " if at else ""
    for position, value in enumerate(values):
        expect(value, str, document, f"{place}{key}[{position}]")
    return tuple(values)


def plain_text(record: Any, key: str, document: str, at: str) -> str:
    """Return a text of an object, without lone surrogates.

    Raises:
        InputError: it is missing, no string, or has half a character in it.
    """
    text: str = member(record, key, str, document, at)
    check_surrogates(text, document)
    return text


def check_covered(text: str, start: int, end: int, claimed: Any, document: str, at: str) -> None:
    """Raise InputError if a file quotes another string at a span than the text has there."""
    if claimed is not None and claimed != text[start:end]:
        raise InputError(
            f"{at}: the text at [{start}, {end}) is not what the file quotes there; are the "
            "offsets in another unit (see --from-offsets), or is the text another version?",
            document,
        )


def with_properties(
    record: dict[str, Any], properties: Mapping[str, Any], reserved: frozenset[str], document: str
) -> dict[str, Any]:
    """Return an object with further keys.

    Raises:
        InputError: a key has another use in the format.
    """
    for key in properties:
        if key in reserved:
            raise InputError(
                f"property {key!r} has the name of a key of the format; rename it at its source "
                "or drop the properties with --drop.",
                document,
            )
    return {**record, **properties}


def other_keys(record: Mapping[str, Any], keys: frozenset[str]) -> dict[str, Any]:
    """Return the members of an object with other keys."""
    return {key: value for key, value in record.items() if key not in keys}
