"""The tables of an annotation project: one SQLite file a project.

Texts are bytes in UTF-8 with lone surrogates let through, since any string is a document.
"""

from __future__ import annotations

from ..store.database import Schema

TABLES = """
CREATE TABLE project (
    flow TEXT NOT NULL,          -- tab or replacement
    created TEXT NOT NULL
);
CREATE TABLE annotator (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE,
    split TEXT NOT NULL,
    target TEXT NOT NULL,        -- JSON: names of the person to protect
    text BLOB NOT NULL,
    marks TEXT NOT NULL          -- JSON: what is marked before anybody begins
);
CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES document,
    annotator INTEGER NOT NULL REFERENCES annotator,  -- whose annotation it is of
    number INTEGER NOT NULL,     -- running; the last one is the annotation's revision
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    act TEXT,                    -- JSON; null for undo and redo
    undoes INTEGER REFERENCES event,
    redoes INTEGER REFERENCES event,
    UNIQUE (document, annotator, number)
);
"""

SCHEMA = Schema(TABLES, version=1, application=0x7ACF, option="--project")
