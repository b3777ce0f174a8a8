"""The file of a local index: an SQLite database, and how it is told from any other.

Texts are held as folded words (case, diacritics and punctuation gone, one word a character in
scripts without spaces), so that phrases are found however they were typeset. Other tables may stand
beside these; their reader brings them along.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ....errors import InputError

APPLICATION_ID = 0x7ACE1D0
VERSION = 1

_TABLES = f"""
    PRAGMA application_id = {APPLICATION_ID};
    PRAGMA user_version = {VERSION};
    CREATE TABLE IF NOT EXISTS sources (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, complete INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS documents (
        id INTEGER PRIMARY KEY,
        address TEXT NOT NULL UNIQUE,
        source INTEGER NOT NULL REFERENCES sources,
        digest BLOB NOT NULL,
        run INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS documents_by_source ON documents (source, run);
    CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (
        words, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
    );
"""


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open an index.

    Raises:
        InputError: if there is no file, or it is no index of this version.
    """
    if not path.is_file():
        raise InputError("there is no index; make one with tacenda index build.", str(path))
    # Whoever asks from several threads asks one after the other; see ``app.review.advisers``.
    address = f"{path.absolute().as_uri()}?mode=ro"
    return _checked(sqlite3.connect(address, uri=True, check_same_thread=False), path)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open an index, making it where there is none.

    Raises:
        InputError: if it can't be made, or the file is something else.
    """
    is_new = not path.exists() or path.stat().st_size == 0
    try:
        database = sqlite3.connect(path)
        if is_new:
            database.executescript(_TABLES)
    except sqlite3.Error as error:
        raise InputError(f"can't be written: {error}; choose another place.", str(path)) from None
    return _checked(database, path)


def _checked(database: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    try:
        (application,) = database.execute("PRAGMA application_id").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error:
        application, version = 0, 0
    if application != APPLICATION_ID:
        database.close()
        raise InputError("is no index of tacenda; make one with tacenda index build.", str(path))
    if version != VERSION:
        database.close()
        raise InputError(
            f"is an index of version {version}, this is version {VERSION}; build it anew.",
            str(path),
        )
    return database
