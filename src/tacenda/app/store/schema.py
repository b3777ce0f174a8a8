"""The tables, their version number, and the migrations from older versions.

Texts are UTF-8 bytes that may include lone surrogates, since any string can be a document.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib.resources import files

VERSION = 13
APPLICATION = 0x7ACE
"""PRAGMA application_id: whose file this is."""

_HERE = files(__package__)


def tables() -> Iterator[str]:
    """Yield the statements that create the tables of the newest version."""
    return _statements(_HERE.joinpath("schema.sql").read_text("utf-8"))


def upgrades(version: int) -> Iterator[str]:
    """Yield the statements that upgrade from a version to the newest one.

    Documents of version 1 have no file: it comes with the next ``tacenda review`` of the same files.
    Projects of before version 3 are of the local user. Annotation projects had files of their own before
    version 4; see ``earlier``. Documents of before version 7 are weighed when their project's decisions are
    next opened, files of before version 9 are looked at when its release page is. Documents of before version 10 are weighed again, since fewer things
    need a decision, and decisions are counted by name. Releases of before version 12 have their record among the files. Projects of before version 13
    go on to number people in each document.
    """
    for number in range(version + 1, VERSION + 1):
        yield from _statements(_HERE.joinpath("upgrades", f"to_{number}.sql").read_text("utf-8"))


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
