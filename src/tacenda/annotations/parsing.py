"""JSON that somebody else wrote, checked: every fault is an InputError that says where."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from ..documents.decoding import check_is_text, check_surrogates, decode
from ..errors import InputError

Choice = TypeVar("Choice", bound=StrEnum)

_KINDS: Mapping[type[Any], str] = {
    str: "a string",
    int: "an integer",
    list: "a list",
    dict: "an object",
}
_HEAD = 4096


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


def parse_json(text: str, name: str, line: int = 1) -> Any:
    """Parse JSON whose first line is line ``line`` of the file ``name``.

    Raises:
        InputError: it is not JSON, is nested too deeply, or has a key twice in an object.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InputError(
            f"line {line + error.lineno - 1}, column {error.colno}: not JSON; mend the file.", name
        ) from None
    except (ValueError, RecursionError) as error:
        reason = (
            str(error) if type(error) is _FaultError else "nested too deep or a number too long"
        )
        raise InputError(f"from line {line}: not JSON to be read: {reason}.", name) from None


class _FaultError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _FaultError(f"key {key!r} is twice in one object")
        result[key] = value
    return result


def _no_number(constant: str) -> NoReturn:
    raise _FaultError(f"{constant} is no number of JSON")


def dump_json(value: Any) -> str:
    """Return one line of JSON, characters as they are."""
    return json.dumps(value, ensure_ascii=False)


def expect(value: Any, kind: type[Any], document: str, at: str) -> Any:
    """Return a value that must be a string, an integer, a list or an object.

    Raises:
        InputError: it is something else.
    """
    if type(value) is not kind:
        actual_kind = _KINDS.get(type(value), "nothing" if value is None else type(value).__name__)
        raise InputError(f"{at} must be {_KINDS[kind]}, not {actual_kind}; mend it.", document)
    return value


def member(record: Any, key: str, kind: type[Any], document: str, at: str) -> Any:
    """Return a member of a JSON object that must be there.

    Raises:
        InputError: there is none, or it is of another kind.
    """
    expect(record, dict, document, at)
    if key not in record:
        raise InputError(f"{at}: key {key!r} is missing; add it.", document)
    return expect(record[key], kind, document, f"{at}: {key!r}")


def choice(kind: type[Choice], value: Any, document: str, at: str) -> Choice | None:
    """Return the constant of that name; None for None.

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


def optional_string(record: Mapping[str, Any], key: str, document: str, at: str) -> str:
    """Return a string of an object; empty if it is missing or null.

    Raises:
        InputError: it is something else.
    """
    value = record.get(key)
    return "" if value is None else str(expect(value, str, document, f"{at}: {key!r}"))


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
        InputError: a key is one that the format uses for something else.
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
    """Return the members of an object that are not among the known."""
    return {key: value for key, value in record.items() if key not in keys}
