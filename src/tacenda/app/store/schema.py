"""The tables, and the version that says which they are.

Texts are bytes in UTF-8 with lone surrogates let through, since any string is a document.
"""

from __future__ import annotations

VERSION = 1

TABLES = """
CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    created TEXT NOT NULL,
    purpose TEXT NOT NULL,       -- review, or job of the REST API
    policy TEXT NOT NULL,        -- JSON; never a key
    threshold REAL NOT NULL,     -- where the policy has none
    digest BLOB NOT NULL         -- of all documents: the same files open the same project
);
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    declared INTEGER NOT NULL,   -- whether the data itself names the document
    target TEXT NOT NULL,        -- JSON: names of the person to protect
    text BLOB NOT NULL,
    status TEXT NOT NULL,        -- waiting, ready, failed
    error TEXT NOT NULL DEFAULT '',
    analysis TEXT,               -- JSON: the mentions that were found
    summary TEXT,                -- JSON: what lists show of it
    revision INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX document_of_project ON document (project, id);
CREATE INDEX document_by_status ON document (status, id);
CREATE TABLE log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    batch TEXT NOT NULL DEFAULT '',
    change TEXT,                 -- JSON; null for undo and redo
    undoes INTEGER REFERENCES log,
    redoes INTEGER REFERENCES log
);
CREATE INDEX log_of_document ON log (document, id);
"""
