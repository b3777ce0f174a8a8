"""The tables and their version number.

Texts are UTF-8 bytes that may include lone surrogates, since any string can be a document.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib.resources import files

VERSION = 14
APPLICATION = 0x7ACE
"""PRAGMA application_id: whose file this is."""


def tables() -> Iterator[str]:
    """Yield the statements that create the tables."""
    statement = ""
    for line in files(__package__).joinpath("schema.sql").read_text("utf-8").splitlines(True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
