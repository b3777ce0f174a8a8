"""Tables that ship as text in ``data``: words and rules that can be read and changed without reading code."""

from __future__ import annotations

import gzip
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


def shipped_text(name: str) -> str:
    """Return the text of a file in ``data``."""
    return files("tacenda").joinpath("data", name).read_text("utf-8")


@cache
def shipped_words(name: str) -> frozenset[str]:
    """Return the words in a compressed list in ``data``."""
    data = files("tacenda").joinpath("data", f"{name}.txt.gz").read_bytes()
    return frozenset(gzip.decompress(data).decode("ascii").split())


@cache
def shipped_table(name: str) -> dict[str, Any]:
    """Return a TOML table from ``data``."""
    return tomllib.loads(shipped_text(f"{name}.toml"))


_PIECE = re.compile(r"\{([a-z_]+)\}")


def shipped_patterns(name: str, section: str, **pieces: str) -> dict[str, re.Pattern[str]]:
    """Return the regular expressions in a section of a table, by name.

    Line breaks are only for readability. ``{piece}`` is replaced by another expression of the
    section, or by one of ``pieces``.
    """
    rows: dict[str, str] = shipped_table(name)[section]

    def filled(text: str) -> str:
        return _PIECE.sub(lambda match: filled((pieces | rows)[match[1]]), text)

    return {key: re.compile(filled(text).replace("\n", "")) for key, text in rows.items()}


def by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Return each word's key in a table whose values are words separated by bars."""
    return {word: key for key, words in table.items() for word in words.split("|")}
