"""Replacing detections: the operators of presidio-anonymizer 2.2, and how it resolves overlaps.

| operator | writes |
|---|---|
| replace | ``new_value``; ``<ENTITY>`` if there is none |
| redact | nothing |
| mask | ``masking_char`` for the first ``chars_to_mask`` characters, or the last (``from_end``) |
| hash | SHA-256 or SHA-512 (``hash_type``) in hexadecimal, of the string and ``salt``; random salt if there is none |
| encrypt, decrypt | AES-CBC under ``key``, padded by PKCS #7; base64url of vector and ciphertext |
| keep, deanonymize_keep | the string itself |

Overlaps are resolved in three steps, as Presidio documents: detections of the same type that share
a character are merged; a detection inside another is dropped, and of two at the same position the
one with the lower score; two of the same type with only spaces between them are merged. What still
overlaps is written one after the other, and no character of either stays.
"""

from __future__ import annotations

import base64
import binascii
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256, sha512
from typing import Any

from ...errors import InputError, TacendaError

Parameters = Mapping[str, Any]
DEFAULT = "DEFAULT"
"""Name of the operator for entities without one of their own."""


class UndecryptableError(TacendaError, ValueError):
    """A string can't be decrypted; the error doesn't say whether key, padding or text is wrong."""


@dataclass(frozen=True, slots=True)
class Detection:
    """Code points ``[start, end)`` of a text with the name of an entity.

    Attributes:
        start: first code point.
        end: the code point after the last one; may equal ``start``.
        entity_type: the entity's name.
        score: in [0, 1]; None if unknown.
    """

    start: int
    end: int
    entity_type: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class OperatorCall:
    """An operator with its parameters from a request."""

    name: str
    parameters: Parameters


@dataclass(frozen=True, slots=True)
class PresidioOperator:
    """One of Presidio's operators.

    Attributes:
        write: returns the new string, given the string, the parameters and the entity's name.
        parameters: names of its parameters.
    """

    write: Callable[[str, Parameters, str], str]
    parameters: frozenset[str] = frozenset()


def anonymize(
    text: str, detections: Iterable[Detection], calls: Mapping[str, OperatorCall]
) -> dict[str, Any]:
    """Return Presidio's answer to ``/anonymize``: the new text, and what was written where.

    Raises:
        InputError: if a detection isn't in the text, or a parameter is wrong.
    """
    results = join_spaced(text, settle(detections))
    order = sorted(results, key=lambda item: (item.start, item.end), reverse=True)
    return _written(text, order, {DEFAULT: OperatorCall("replace", {}), **calls}, ANONYMIZERS)


def deanonymize(
    text: str, detections: Iterable[Detection], calls: Mapping[str, OperatorCall]
) -> dict[str, Any]:
    """Return Presidio's answer to ``/deanonymize``.

    Raises:
        InputError: if a position isn't in the text or has no operator, or a parameter is wrong.
        UndecryptableError: if a string can't be decrypted.
    """
    order = sorted(detections, key=lambda item: item.start, reverse=True)
    return _written(text, order, calls, DEANONYMIZERS)


def settle(detections: Iterable[Detection]) -> list[Detection]:
    """Return detections of which none is inside another or overlaps one of its own type."""
    of_type: dict[str, list[tuple[int, Detection]]] = {}
    ordered = sorted(detections, key=lambda item: (item.start, item.end))
    for position, item in enumerate(ordered):
        union = of_type.setdefault(item.entity_type, [])
        if union and _share(union[-1][1], item):
            union[-1] = position, _united(union[-1][1], item)
        else:
            union.append((position, item))
    unions = [
        item
        for _, item in sorted((pair for pairs in of_type.values() for pair in pairs), key=_place)
    ]
    indices: list[int] = []
    reach = -1
    # Of those that start at the same position, the longest comes first; of equal ones, the best,
    # then the last.
    for index in sorted(
        range(len(unions)),
        key=lambda index: (unions[index].start, -unions[index].end, -_score(unions[index]), -index),
    ):
        if unions[index].end > reach:
            reach = unions[index].end
            indices.append(index)
    return [unions[index] for index in sorted(indices)]


def _place(pair: tuple[int, Detection]) -> int:
    return pair[0]


def _share(first: Detection, second: Detection) -> bool:
    """Return whether two detections share a character; empty ones never do."""
    return min(first.end, second.end) > max(first.start, second.start)


def _united(first: Detection, second: Detection) -> Detection:
    return replace(
        first,
        start=min(first.start, second.start),
        end=max(first.end, second.end),
        score=max(_score(first), _score(second)),
    )


def _score(detection: Detection) -> float:
    return detection.score or 0.0


_SPACES = re.compile(r" +\n?\Z")


def join_spaced(text: str, detections: Sequence[Detection]) -> list[Detection]:
    """Return detections; neighbors of the same type with only spaces between them are merged."""
    runs: list[Detection] = []
    for item in detections:
        last = runs[-1] if runs else None
        if (
            last is not None
            and last.entity_type == item.entity_type
            and _SPACES.match(text[last.end : item.start])
        ):
            runs[-1] = replace(item, start=last.start)
        else:
            runs.append(item)
    return runs


def _written(
    text: str,
    detections: Sequence[Detection],
    calls: Mapping[str, OperatorCall],
    operators: Mapping[str, PresidioOperator],
) -> dict[str, Any]:
    """Write from the end of the text to its start, so that earlier positions stay valid."""
    output = text
    cursor = len(text)
    items: list[dict[str, Any]] = []
    from_end: list[int] = []
    for item in detections:
        if item.start > len(text) or item.end > len(text):
            raise InputError(
                f"Invalid analyzer result, start: {item.start} and end: {item.end}, while text "
                f"length is only {len(text)}."
            )
        call = calls.get(item.entity_type) or calls.get(DEFAULT)
        if call is None:
            raise InputError(f"Invalid input, no operator is given for {item.entity_type}")
        operator = operators.get(call.name)
        if operator is None:
            raise InputError(f"Invalid operator class '{call.name}'.")
        string = operator.write(text[item.start : item.end], call.parameters, item.entity_type)
        rest = output[min(item.end, cursor) :]
        output = output[: item.start] + string + rest
        cursor = item.start
        from_end.append(len(rest) + len(string))
        items.append(
            {
                "start": 0,
                "end": len(string),
                "entity_type": item.entity_type,
                "text": string,
                "operator": call.name,
                "score": item.score,
            }
        )
    for record, distance in zip(items, from_end, strict=True):
        record["start"] = len(output) - distance
        record["end"] += record["start"]
    return {"text": output, "items": items}


# The operators. Each checks its parameters with Presidio's messages.

_JSON_TYPES = {str: "string", bool: "boolean", int: "number", list: "array"}


def _typed(parameters: Parameters, name: str, kind: type) -> Any:
    """Return a required parameter.

    Raises:
        InputError: if it is missing or has the wrong type.
    """
    value = parameters.get(name)
    if value is None:
        raise InputError(f"Expected parameter {name}")
    if not isinstance(value, kind):
        wanted, given = _JSON_TYPES.get(kind), _JSON_TYPES.get(type(value))
        if wanted and given:
            raise InputError(
                f"Invalid parameter value for {name}. Expecting '{wanted}', but got '{given}'."
            )
        raise InputError(f"Invalid parameter value for '{name}'.")
    return value


def _replace(_string: str, parameters: Parameters, entity: str) -> str:
    value = parameters.get("new_value")
    return str(_typed(parameters, "new_value", str)) if value else f"<{entity}>"


def _redact(_string: str, _parameters: Parameters, _entity: str) -> str:
    return ""


def _keep(string: str, _parameters: Parameters, _entity: str) -> str:
    return string


def _mask(string: str, parameters: Parameters, _entity: str) -> str:
    character: str = _typed(parameters, "masking_char", str)
    if len(character) > 1:
        raise InputError("Invalid input, masking_char must be a character")
    wanted: int = _typed(parameters, "chars_to_mask", int)
    count = min(len(string), max(0, wanted))
    if _typed(parameters, "from_end", bool):
        return string[: len(string) - count] + character * count
    return character * count + string[count:]


_HASHES = {"sha256": sha256, "sha512": sha512}


def _hash(string: str, parameters: Parameters, _entity: str) -> str:
    name = parameters.get("hash_type", "sha256")
    if name is None:
        raise InputError("Expected parameter hash_type")
    if not isinstance(name, str) or name not in _HASHES:
        raise InputError(
            f"Parameter hash_type value {name} is not in range of values {list(_HASHES)}"
        )
    if "salt" not in parameters:
        salt = secrets.token_bytes(32)
    else:
        salt = _typed(parameters, "salt", str).encode()
        if not salt:
            raise InputError(
                "Salt parameter cannot be empty. Either omit the salt parameter to auto-generate a "
                "random salt, or provide a salt of at least 16 bytes (128 bits)."
            )
        if len(salt) < 16:
            raise InputError(
                f"Salt must be at least 16 bytes (128 bits). Provided salt is {len(salt)} bytes."
            )
    return _HASHES[name](string.encode() + salt).hexdigest()


_BLOCK = 16


def _key(parameters: Parameters) -> bytes:
    key: bytes = _typed(parameters, "key", str).encode()
    if len(key) not in (16, 24, 32):
        raise InputError("Invalid input, key must be of length 128, 192 or 256 bits")
    return key


def _cipher(key: bytes, vector: bytes) -> tuple[Any, Any]:
    """Return AES-CBC and its padding."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.padding import PKCS7

    return Cipher(algorithms.AES(key), modes.CBC(vector)), PKCS7(8 * _BLOCK)


def _encrypt(string: str, parameters: Parameters, _entity: str) -> str:
    vector = secrets.token_bytes(_BLOCK)
    cipher, padding = _cipher(_key(parameters), vector)
    encryptor, padder = cipher.encryptor(), padding.padder()
    padded = padder.update(string.encode()) + padder.finalize()
    sealed = encryptor.update(padded) + encryptor.finalize()
    return base64.urlsafe_b64encode(vector + sealed).decode()


def _decrypt(string: str, parameters: Parameters, _entity: str) -> str:
    key = _key(parameters)
    try:
        sealed = base64.urlsafe_b64decode(string)
        cipher, padding = _cipher(key, sealed[:_BLOCK])
        decryptor, unpadder = cipher.decryptor(), padding.unpadder()
        padded = decryptor.update(sealed[_BLOCK:]) + decryptor.finalize()
        return str((unpadder.update(padded) + unpadder.finalize()).decode())
    except (binascii.Error, ValueError):
        raise UndecryptableError("the string can't be decrypted.") from None


_ENCRYPTION = frozenset({"key"})

ANONYMIZERS: dict[str, PresidioOperator] = {
    "encrypt": PresidioOperator(_encrypt, _ENCRYPTION),
    "hash": PresidioOperator(_hash, frozenset({"hash_type", "salt"})),
    "keep": PresidioOperator(_keep),
    "mask": PresidioOperator(_mask, frozenset({"masking_char", "chars_to_mask", "from_end"})),
    "redact": PresidioOperator(_redact),
    "replace": PresidioOperator(_replace, frozenset({"new_value"})),
}
"""Operators of ``/anonymize`` by name. Presidio's *custom* is a function of Python, and no request can have it."""

DEANONYMIZERS: dict[str, PresidioOperator] = {
    "decrypt": PresidioOperator(_decrypt, _ENCRYPTION),
    "deanonymize_keep": PresidioOperator(_keep),
}
"""Operators of ``/deanonymize`` by name."""
