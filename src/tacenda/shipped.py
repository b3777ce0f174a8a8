"""Tables that ship as text in ``data``: words and rules that can be read and changed without reading code."""

from __future__ import annotations

import gzip
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


def shipped_text(name: str) -> str:
    """Return the text of a file of ``data``."""
    return files("tacenda").joinpath("data", name).read_text("utf-8")


@cache
def shipped_words(name: str) -> frozenset[str]:
    """Return the words of a compressed list of ``data``."""
    data = files("tacenda").joinpath("data", f"{name}.txt.gz").read_bytes()
    return frozenset(gzip.decompress(data).decode("ascii").split())


@cache
def shipped_table(name: str) -> dict[str, Any]:
    """Return a table of ``data``, which is TOML."""
    return tomllib.loads(shipped_text(f"{name}.toml"))


def by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each word of a table whose values are words between bars."""
    return {word: key for key, words in table.items() for word in words.split("|")}
