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
    begin = depth = 0
    for kind, token, path in _events(source) if fields.policy.records else ():
        is_in = depth or len(path) == 1
        if (
            kind == "start"
            and not is_in
            and fields.is_of_records(path)
            and is_outside(fields, path)
        ):
            depth, begin = len(path), token.start()
        elif kind == "end" and depth == len(path):
            records.append((begin, token.end(), tuple(path[:-1])))
            depth = 0
    return records


def paths_of(source: str) -> Iterator[tuple[str, ...]]:
    """Yield the path of each element and attribute, in order."""
    for kind, token, path in _events(source):
        if kind == "start":
            yield tuple(path)
            for match in ATTRIBUTE.finditer(token[0]):
                yield (*path, f"@{local(match[2])}")


def values_of(source: str) -> dict[int, dict[str, str]]:
    """Return the ``value`` attributes of the elements inside each element, by the number of the outer one.

    They include an element's own ``url``, as in JSON.
    """
    stack = [0]
    values: dict[int, dict[str, str]] = {}
    count = 0
    for kind, token, path in _events(source):
        if kind == "end":
            stack.pop()
        elif kind == "start":
            count += 1
            for match in ATTRIBUTE.finditer(token[0]):
                value = value_of(match[4] if match[3] is None else match[3])
                if match[2] == "url":
                    values.setdefault(count, {})["url"] = value
                elif match[2] == "value":
                    values.setdefault(stack[-1], {}).setdefault(path[-1], value)
            stack.append(count)
    return values


def mixed_elements(source: str) -> frozenset[int]:
    """Return the numbers of the elements with mixed content."""
    texts, elements = set[int](), set[int]()
    stack: list[int] = []
    count = 0
    for kind, token, _ in _events(source):
        if kind == "end":
            stack.pop()
        elif kind == "start":
            elements.update(stack[-1:])
            count += 1
            stack.append(count)
        elif token[0].strip():
            texts.update(stack[-1:])
    return frozenset(texts & elements)


def _events(source: str) -> Iterator[tuple[str, re.Match[str], list[str]]]:
    """Yield each ``start``, ``end`` and ``text``, its token, and the path there; an empty element has both ends."""
    path: list[str] = []
    for token in TOKEN.finditer(source):
        kind = token.lastgroup
        if kind in ("text", "cdata"):
            yield "text", token, path
        if kind == "start":
            name = TAG_NAME.match(token[0])
            assert name is not None
            path.append(local(name[1]))
            yield kind, token, path
        if kind == "end" or (kind == "start" and token[0].endswith("/>")):
            yield "end", token, path
            path.pop()


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
