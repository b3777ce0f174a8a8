"""Tokens of well-formed XML, and facts derived in one pass over them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .fields import Fields
from .framed import is_outside

_QUOTED = r"\"[^\"]*\"|'[^']*'"
_ASIDE = r"<!--.*?-->|<\?.*?\?>"
_DOCTYPE = (
    rf"<!DOCTYPE(?P<head>(?:[^\[>\"']|{_QUOTED})*+)"
    rf"(?:\[(?P<subset>(?:{_ASIDE}|{_QUOTED}|[^\]\"'])*+)\]\s*)?>"
)
PROLOG = re.compile(rf"\ufeff?(?:\s+|{_ASIDE})*+{_DOCTYPE}", re.DOTALL)
TOKEN = re.compile(
    r"(?P<comment><!--.*?-->)|(?P<cdata><!\[CDATA\[.*?\]\]>)|(?P<instruction><\?.*?\?>)|(?P<doctype>"
    rf"{_DOCTYPE})|(?P<end></[^>]*>)|(?P<start><(?:[^<>\"']|{_QUOTED})*>)|(?P<text>[^<]+)",
    re.DOTALL,
)
DOCTYPE_PART = re.compile(
    rf"(?P<comment><!--.*?-->)|(?P<instruction><\?.*?\?>)|(?P<quoted>{_QUOTED})|<![A-Z]+|#[A-Z]+"
    r"|(?:SYSTEM|PUBLIC|CDATA|ID|IDREFS?|ENTIT(?:Y|IES)|NMTOKENS?|NOTATION|EMPTY|ANY)(?![^\s>(])"
    r"|(?P<name>[^\s<>!\[\](),|?*+\"'#]+)",
    re.DOTALL,
)
TAG_NAME = re.compile(r"<([^\s/>]+)")
ATTRIBUTE = re.compile(r"(\s+)([^\s=/>]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_REFERENCE = re.compile(r"&(?:#x([0-9A-Fa-f]+)|#([0-9]+)|(amp|lt|gt|quot|apos));")
PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def records_of(source: str, fields: Fields) -> list[tuple[int, int, tuple[str, ...]]]:
    """Return ``[start, end)`` of each record that isn't inside another or dropped, and the path around it."""
    records: list[tuple[int, int, tuple[str, ...]]] = []
    path: list[str] = []
    begin: tuple[int, int] | None = None
    for token in TOKEN.finditer(source) if fields.policy.records else ():
        if token.lastgroup == "start":
            name = TAG_NAME.match(token[0])
            assert name is not None
            path.append(local(name[1]))
            if (
                begin is None
                and len(path) > 1
                and fields.is_of_records(path)
                and is_outside(fields, path)
            ):
                begin = (len(path), token.start())
        if token.lastgroup == "end" or (token.lastgroup == "start" and token[0].endswith("/>")):
            if begin is not None and begin[0] == len(path):
                records.append((begin[1], token.end(), tuple(path[:-1])))
                begin = None
            path.pop()
    return records


def paths_of(source: str) -> Iterator[tuple[str, ...]]:
    """Yield the path of each element and attribute, in order."""
    path: list[str] = []
    for token in TOKEN.finditer(source):
        if token.lastgroup == "start":
            name = TAG_NAME.match(token[0])
            assert name is not None
            path.append(local(name[1]))
            yield tuple(path)
            for match in ATTRIBUTE.finditer(token[0], name.end()):
                yield (*path, f"@{local(match[2])}")
        if token.lastgroup == "end" or (token.lastgroup == "start" and token[0].endswith("/>")):
            path.pop()


def values_of(source: str) -> dict[int, dict[str, str]]:
    """Return the ``value`` attributes of the elements inside each element, by the number of the outer one.

    They include an element's own ``url``, as in JSON.
    """
    stack = [0]
    values: dict[int, dict[str, str]] = {}
    count = 0
    for token in TOKEN.finditer(source):
        if token.lastgroup == "start":
            count += 1
            name = TAG_NAME.match(token[0])
            assert name is not None
            for match in ATTRIBUTE.finditer(token[0], name.end()):
                if match[2] not in ("value", "url"):
                    continue
                value = value_of(match[4] if match[3] is None else match[3])
                if match[2] == "url":
                    values.setdefault(count, {})["url"] = value
                else:
                    values.setdefault(stack[-1], {}).setdefault(local(name[1]), value)
            if not token[0].endswith("/>"):
                stack.append(count)
        elif token.lastgroup == "end":
            stack.pop()
    return values


def mixed_elements(source: str) -> frozenset[int]:
    """Return the numbers of the elements with mixed content."""
    stack: list[tuple[int, list[bool]]] = []
    mixed: set[int] = set()
    count = 0
    for token in TOKEN.finditer(source):
        if token.lastgroup == "start":
            count += 1
            if stack:
                stack[-1][1][0] = True
            if not token[0].endswith("/>"):
                stack.append((count, [False, False]))
        elif token.lastgroup == "end":
            number, (has_elements, has_text) = stack.pop()
            if has_elements and has_text:
                mixed.add(number)
        elif stack and token.lastgroup in ("text", "cdata") and token[0].strip():
            stack[-1][1][1] = True
    return frozenset(mixed)


def local(name: str) -> str:
    """Return a name without its prefix."""
    return name.rpartition(":")[2]


def value_of(raw: str) -> str:
    """Return the content of a text or a value, with references decoded."""
    return _REFERENCE.sub(_character, raw)


def _character(match: re.Match[str]) -> str:
    if match[3]:
        return PREDEFINED[match[3]]
    return chr(int(match[1], 16) if match[1] else int(match[2]))
