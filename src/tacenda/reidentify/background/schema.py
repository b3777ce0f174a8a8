"""The file of a store of people: an SQLite database, and how it is told from any other.

    people      number from 0, id, name, how many words the profile has
    profiles    number, the fields as JSON: read for a few people at a time
    terms       word, in how many profiles, which (32-bit numbers, in order), how often (16-bit)
    facts       of the store as a whole

A word's people are one blob, so that an attack reads the words of its document and nothing else.
Encoders' vectors, when there are some, are an array file of their own beside the store.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ...errors import InputError

APPLICATION_ID = 0x7ACE1D1
VERSION = 1

TABLES = f"""
    PRAGMA application_id = {APPLICATION_ID};
    PRAGMA user_version = {VERSION};
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE people (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
        words INTEGER NOT NULL
    );
    CREATE TABLE profiles (number INTEGER PRIMARY KEY, fields TEXT NOT NULL);
    CREATE TABLE terms (
        term TEXT PRIMARY KEY, occurrences INTEGER NOT NULL, people BLOB NOT NULL,
        counts BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
"""


def is_store(path: Path) -> bool:
    """Tell whether a file is a store of people, of whatever version."""
    try:
        with path.open("rb") as stream:
            head = stream.read(72)
    except OSError:
        return False
    return head[:15] == b"SQLite format 3" and head[68:72] == APPLICATION_ID.to_bytes(4, "big")


def open_store(path: Path) -> sqlite3.Connection:
    """Open a store for reading.

    Raises:
        InputError: if there is none, or it is of another version.
    """
    if not path.is_file():
        raise InputError("there is no store; make one with tacenda index people.", str(path))
    if not is_store(path):
        raise InputError("is no store of people; make one with tacenda index people.", str(path))
    database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        (version,) = database.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        version = 0
    if version != VERSION:
        database.close()
        raise InputError(
            f"is a store of version {version}, this is version {VERSION}; build it anew.",
            str(path),
        )
    return database
