"""Annotation projects of earlier versions, each in its own file next to the review store.

A file of ``tacenda annotate`` contained one project and is converted to a store with that project.
``tacenda review`` wrote a file for each annotated project next to its store; these are copied into
the store and removed.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from ...errors import InputError
from .schema import tables

APPLICATION = 0x7ACF
"""PRAGMA application_id of the earlier files."""
_OWNER = "adjudicator"


def is_earlier(connection: sqlite3.Connection) -> bool:
    """Return whether a file is an annotation project of an earlier version."""
    names = ("application_id", "user_version")
    numbers = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]
    return numbers == [APPLICATION, 1]


def convert(connection: sqlite3.Connection, name: str) -> None:
    """Convert an earlier file to a store, inside a transaction.

    Args:
        connection: connection to the file.
        name: name of the project.
    """
    content = _read(connection)
    for table in ("event", "annotator", "document", "project"):
        connection.execute(f"DROP TABLE {table}")
    for statement in tables():
        connection.execute(statement)
    _write(connection, content, name, _OWNER, None)


def take_in(connection: sqlite3.Connection, store: Path) -> list[Path]:
    """Copy the annotation projects next to a store into it, inside a transaction.

    Args:
        connection: connection to the store.
        store: path of the store.

    Returns:
        The copied files, which can now be removed.
    """
    copies = []
    for id, name, owner, path in beside(connection, store):
        there = connection.execute("SELECT 1 FROM project WHERE review = ?", (id,)).fetchone()
        if there is None:
            content = _content(path)
            if content is None:
                continue
            _write(connection, content, name, owner, id)
        copies.append(path)
    return copies


def remove(path: Path) -> None:
    """Remove a file and SQLite's own files next to it."""
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _content(path: Path) -> dict[str, list[tuple[Any, ...]]] | None:
    """Return the rows of an earlier file by table, or None if it is a different kind of file.

    Raises:
        InputError: if it can't be read.
    """
    try:
        with closing(sqlite3.connect(path)) as file:
            return _read(file) if is_earlier(file) else None
    except sqlite3.DatabaseError as error:
        raise InputError(
            f"the annotations beside the store can't be read ({type(error).__name__}); move the "
            "file away to go on without them.",
            str(path),
        ) from None


def beside(connection: sqlite3.Connection, store: Path) -> list[tuple[int, str, str, Path]]:
    """Return number, name, owner and path of each review with an annotation file next to the store."""
    rows = connection.execute("SELECT id, name, owner FROM project WHERE purpose = 'review'")
    places = [(*row, store.with_name(f"{store.stem}-annotations-{row[0]}.db")) for row in rows]
    return [place for place in places if place[-1].exists()]


def _read(connection: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
    queries = {
        "project": "SELECT flow, created FROM project",
        "annotator": "SELECT id, name FROM annotator ORDER BY id",
        # Names were bytes; those that are valid Unicode are text now, see ``to_column``.
        "document": "SELECT id, name, split, target, text, marks FROM document ORDER BY id",
        "event": "SELECT id, document, annotator, person, at, act, undoes, redoes FROM event ORDER BY id",
    }
    return {table: connection.execute(query).fetchall() for table, query in queries.items()}


def _write(
    connection: sqlite3.Connection,
    content: dict[str, list[tuple[Any, ...]]],
    name: str,
    owner: str,
    review: int | None,
) -> None:
    ((flow, created),) = content["project"]
    run = connection.execute
    project = run(
        "INSERT INTO project (name, created, purpose, policy, threshold, digest, owner, flow, review, "
        "handle) VALUES (?, ?, 'annotation', '{}', 0, x'', ?, ?, ?, new_handle())",
        (name, created, owner, flow, review),
    ).lastrowid
    people = dict(content["annotator"])
    for place, person in enumerate(people.values(), start=1):
        run("INSERT INTO member (project, name, place) VALUES (?, ?, ?)", (project, person, place))
    documents: dict[int, int | None] = {}
    for id, title, split, target, text, marks in content["document"]:
        documents[id] = run(
            "INSERT INTO document (project, name, format, declared, target, text, status, split, marks, "
            "handle) VALUES (?, ?, 'text', 1, ?, ?, 'ready', ?, ?, new_handle())",
            (project, _column(title), target, text, split, marks),
        ).lastrowid
    entries: dict[int | None, int | None] = {None: None}
    for id, document, annotator, person, at, event, undoes, redoes in content["event"]:
        entries[id] = run(
            "INSERT INTO log (document, annotator, person, at, event, undoes, redoes) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                documents[document],
                people[annotator],
                person,
                at,
                event,
                entries[undoes],
                entries[redoes],
            ),
        ).lastrowid


def _column(name: bytes) -> str | bytes:
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name
