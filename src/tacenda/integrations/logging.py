"""A filter for Python's ``logging``: what reaches the handlers is sanitized or withheld.

    handler.addFilter(SanitizingFilter("logs"))

A handler's filters see the records of every logger; a logger's filters see only its own.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..document import Document
from ..errors import InputError
from .loading import LazySanitizer, PolicySource

WITHHELD: Final = "[withheld: it could not be sanitized]"
"""Written instead of a string that can't be sanitized."""
_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class ValueSanitizer:
    """Sanitizes the strings in a value, such as a mapping of attributes; never raises.

    Args:
        policy: name of a shipped policy, path of a YAML file, fields of a policy, or a loaded sanitizer.
        threads: number of cores.

    Raises:
        PolicyError: if the policy can't be used.
    """

    def __init__(self, policy: PolicySource, threads: int | None = 1) -> None:
        self._lazy = LazySanitizer(policy, threads)
        self._busy = threading.local()

    def sanitized(self, value: Any) -> Any:
        """Return a value with sanitized strings, read in one batch; keys and numbers stay.

        Other objects are replaced by their sanitized strings. What can't be sanitized is withheld.
        """
        try:
            texts = list(_strings(value))
            return _rebuilt(value, iter(self._texts(texts)))
        except Exception:
            # Logging must neither end the program nor reveal the original.
            return _rebuilt(value, iter(lambda: WITHHELD, None), trusts=False)

    def _texts(self, texts: list[str]) -> list[str]:
        if getattr(self._busy, "now", False):
            return [WITHHELD] * len(texts)  # logged while a record is read
        self._busy.now = True
        try:
            results = self._lazy.results([Document("record", text) for text in texts])
        finally:
            self._busy.now = False
        return [WITHHELD if isinstance(item, InputError) else item.text for item in results]


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in a value, in the order that ``_rebuilt`` expects."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _strings(item)
    elif value is not None and not isinstance(value, bool | int | float):
        yield _text(value)


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _rebuilt(value: Any, texts: Iterator[str], *, trusts: bool = True) -> Any:
    """Return a value with other strings; sets become lists and tuples stay tuples.

    Args:
        value: any value.
        texts: the new strings.
        trusts: whether containers can be walked; otherwise one string replaces them.
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if trusts and isinstance(value, Mapping):
        return {key: _rebuilt(item, texts) for key, item in value.items()}
    if trusts and isinstance(value, list | tuple | set | frozenset):
        items = [_rebuilt(item, texts) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    return next(texts)


class SanitizingFilter(logging.Filter):
    """A filter that sanitizes a record's message, arguments, exception, stack and extra fields.

    The record itself is changed, for all later handlers. What can't be sanitized is withheld; the
    record is never dropped.

    Args:
        policy: name of a shipped policy, path of a YAML file, fields of a policy, or a loaded sanitizer.
        threads: number of cores.

    Raises:
        PolicyError: if the policy can't be used.
    """

    def __init__(self, policy: PolicySource = "logs", threads: int | None = 1) -> None:
        super().__init__()
        self._values = ValueSanitizer(policy, threads)

    def filter(self, record: logging.LogRecord) -> bool:
        """Sanitize a record."""
        try:
            texts = {"msg": record.getMessage()}
        except Exception:
            texts = {}  # Arguments that don't match the message, or can't be formatted.
        try:
            if record.exc_info and record.exc_info[0] is not None:
                texts["exc_text"] = logging.Formatter().formatException(record.exc_info)
            elif record.exc_text:
                texts["exc_text"] = record.exc_text
        except Exception:
            texts["exc_text"] = ""
        if record.stack_info:
            texts["stack_info"] = str(record.stack_info)
        extras = {name: vars(record)[name] for name in vars(record).keys() - _STANDARD}
        # One invalid value doesn't affect the others.
        clean = self._values.sanitized(texts)
        clean = clean if isinstance(clean, dict) else {}
        for name, value in extras.items():
            vars(record)[name] = self._values.sanitized(value)
        record.msg, record.args = clean.get("msg", WITHHELD), None
        record.exc_info = None  # Handlers would format it again.
        record.exc_text = clean.get("exc_text", WITHHELD) if "exc_text" in texts else None
        record.stack_info = clean.get("stack_info", WITHHELD) if "stack_info" in texts else None
        vars(record).pop("message", None)  # As written by an earlier handler.
        return True
