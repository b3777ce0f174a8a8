"""SQLite: a database comes out with its schema, keys and order; what was masked is in none of its bytes."""

from __future__ import annotations

import io
import re
import sqlite3
from pathlib import Path

import pytest

from tacenda.documents import Failure
from tacenda.documents.inspection.sqlite import sqlite_strings, unused_ranges
from tacenda.errors import InputError
from tests.documents.building_tables import NAME, items_of, sanitized_table

SECRETS = re.compile(b"(?i)yalman|galip|4711471147")
SCHEMA = """
PRAGMA user_version = 7;
CREATE TABLE people (id INTEGER PRIMARY KEY, code TEXT UNIQUE NOT NULL, name TEXT, born DATE,
    label TEXT AS (code || '!') STORED);
CREATE TABLE visits (person INTEGER REFERENCES people(id), code TEXT REFERENCES people(code), note TEXT, weight REAL,
    photo BLOB);
CREATE TABLE "strange ""name" (a TEXT, b TEXT, PRIMARY KEY (a)) WITHOUT ROWID;
CREATE INDEX by_person ON visits(person);
CREATE INDEX by_note ON visits(note);
CREATE INDEX by_length ON visits(length(note), upper(code));
CREATE VIEW seen AS SELECT name, note FROM people JOIN visits ON person = id;
CREATE TRIGGER twice AFTER INSERT ON visits BEGIN INSERT INTO "strange ""name" VALUES (new.note, 'x'); END;
"""
KEPT = {"*": "keep"}
TREATMENTS = {
    "people.id": "identifier",
    "people.code": "identifier",
    "people.name": {"treatment": "text", "name": "person"},
    "people.born": {"treatment": "date", "to": "year"},
    "visits.person": "identifier",
    "visits.code": "identifier",
    "visits.note": "text",
    "*": "keep",
}


def _database(path: Path, extra: str = "") -> bytes:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA secure_delete = OFF")
    connection.executescript(SCHEMA + extra)
    connection.execute("DROP TRIGGER twice")
    connection.execute("CREATE TABLE gone (x TEXT)")
    connection.executemany("INSERT INTO gone VALUES (?)", [(NAME * 100,)] * 50)
    rows = [(4711471147, "K1", NAME, "1980-05-06"), (12, "K2", None, None)]
    connection.executemany("INSERT INTO people(id, code, name, born) VALUES (?, ?, ?, ?)", rows)
    note = f"{NAME} came. " + "All was well. " * 2_000
    visits = [
        (4711471147, "K1", note, 61.5, b"\x00\xff"),
        (12, "K2", None, None, None),
        (4711471147, "K1", "", 1, None),
    ]
    connection.executemany("INSERT INTO visits VALUES (?, ?, ?, ?, ?)", visits)
    connection.execute("""INSERT INTO "strange ""name" VALUES ('z', '1'), ('a', 2)""")
    connection.execute("DROP TABLE gone")  # Its pages stay in the file.
    connection.execute("ANALYZE")
    connection.commit()
    connection.close()
    return path.read_bytes()


def _opened(data: bytes) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data)
    return connection


def _schema(connection: sqlite3.Connection) -> list[tuple[str, ...]]:
    return connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name"
    ).fetchall()


def test_a_database_without_masks_comes_back(tmp_path: Path) -> None:
    """Schema, rows, order, types of cells, nulls."""
    data = _database(tmp_path / "a.db")
    output, errors = sanitized_table(data, "sqlite", KEPT)
    assert errors == []
    before, after = _opened(data), _opened(output)
    assert _schema(after) == _schema(before)
    for table in ("people", "visits", '"strange ""name"'):
        rows = [c.execute(f"SELECT *, typeof(1) FROM {table}").fetchall() for c in (before, after)]
        assert rows[0] == rows[1]
    assert after.execute("PRAGMA user_version").fetchone() == (7,)
    assert after.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_keys_point_and_no_byte_holds_what_was_masked(tmp_path: Path) -> None:
    """Not in free pages, overflow pages, indexes, computed columns or statistics."""
    data = _database(tmp_path / "a.db")
    assert len(SECRETS.findall(data)) > 50
    output, errors = sanitized_table(data, "sqlite", TREATMENTS, NAME)
    assert errors == []
    after = _opened(output)
    assert after.execute(
        "SELECT id, code, name, born, label FROM people ORDER BY rowid"
    ).fetchall() == [
        (1, "[ID 2]", None, None, "[ID 2]!"),
        (3, "[ID 4]", "[X]", 1980, "[ID 4]!"),
    ]
    seen = after.execute("SELECT name, substr(note, 1, 9) FROM seen").fetchall()
    assert sorted(map(str, seen)) == sorted(
        map(str, [("[X]", "[X] came."), (None, None), ("[X]", "")])
    )
    assert after.execute("PRAGMA foreign_key_check").fetchall() == []
    assert not SECRETS.search(output)


def test_the_independent_reader_finds_strings_wherever_they_are(tmp_path: Path) -> None:
    """In cells of tables and indexes, on overflow pages, in UTF-16; and it sees free pages."""
    with pytest.raises(InputError, match="free pages"):
        list(sqlite_strings(io.BytesIO(_database(tmp_path / "a.db"))))
    for encoding in ("UTF-8", "UTF-16"):
        path = tmp_path / f"{encoding}.db"
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA encoding = '{encoding}'")
        connection.execute("CREATE TABLE t (a TEXT, b BLOB)")
        connection.execute("CREATE INDEX i ON t(a)")
        texts = [f"{NAME} {number} " * 1_000 for number in range(9)]
        connection.executemany("INSERT INTO t VALUES (?, x'ff00')", [(text,) for text in texts])
        connection.commit()
        connection.close()
        with path.open("r+b") as file:
            for start, end in unused_ranges(file):
                file.seek(start)
                file.write(bytes(end - start))
            cells = [value for _, value, is_cell in sqlite_strings(file) if is_cell]
        assert sorted(cell for cell in cells if isinstance(cell, str)) == sorted(texts * 2)
        assert cells.count(b"\xff\x00") == 9


def test_columns_and_tables_are_dropped(tmp_path: Path) -> None:
    """With the indexes on them; a key can't be."""
    data = _database(tmp_path / "a.db")
    treatments = {"visits.note": "drop", 'strange "name': "drop", "*": "keep"}
    output, errors = sanitized_table(data, "sqlite", treatments)
    assert errors == []
    after = _opened(output)
    names = [name for _, name, *_ in _schema(after)]
    assert "by_note" not in names
    assert 'strange "name' not in names
    assert [row[1] for row in after.execute("PRAGMA table_info(visits)")] == [
        "person",
        "code",
        "weight",
        "photo",
    ]
    assert b"All was well" not in output
    with pytest.raises(InputError, match="a column of a key"):
        items_of(data, "sqlite", {"people.id": "drop", "*": "keep"})


def test_rows_that_break_a_rule_are_named_and_the_rest_is_done(tmp_path: Path) -> None:
    """Two names that become one tag can't be in a unique column."""
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a TEXT UNIQUE, b TEXT)")
    connection.executemany(
        "INSERT INTO t VALUES (?, ?)", [("Galip", "1"), ("Yalman", "2"), ("x", "3")]
    )
    connection.execute("INSERT INTO t VALUES (CAST(x'ff' AS TEXT), '4')")
    connection.commit()
    connection.close()
    output, errors = sanitized_table(
        path.read_bytes(), "sqlite", {"t.a": "text", "*": "keep"}, "Galip", "Yalman"
    )
    assert [error.partition(";")[0] for error in errors] == [
        "table.sqlite:t:2: another row has the same value, once sanitized, where none may",
        "table.sqlite:t:4: column 1 is not Unicode text.",
    ]
    assert _opened(output).execute("SELECT b FROM t").fetchall() == [("1",), ("3",)]


def test_keys_that_would_point_nowhere_are_refused(tmp_path: Path) -> None:
    """As where only one end is an identifier."""
    treatments = {"people.id": "identifier", "*": "keep"}
    with pytest.raises(InputError, match="keys would point"):
        sanitized_table(_database(tmp_path / "a.db"), "sqlite", treatments)


def test_a_definition_that_names_somebody_is_not_written(tmp_path: Path) -> None:
    """It stands in the file for all rows."""
    data = _database(tmp_path / "a.db", f"CREATE TABLE t (x TEXT DEFAULT '{NAME}');")
    _, errors = sanitized_table(data, "sqlite", TREATMENTS, NAME)
    assert errors
    assert all("definition" in error for error in errors)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not an SQLite database"),
        (b"SQLite format 3\0" + bytes(1000), "damaged"),
        (b"encrypted bytes of nothing", "encrypted"),
    ],
)
def test_what_is_no_database_says_so(data: bytes, message: str) -> None:
    """With what to do."""
    with pytest.raises(InputError, match=message):
        items_of(data, "sqlite", KEPT)


def test_a_damaged_table_is_named_and_others_are_done(tmp_path: Path) -> None:
    """Up to the damage."""
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    for table in ("first", "second"):
        connection.execute(f"CREATE TABLE {table} (a TEXT)")
        connection.executemany(f"INSERT INTO {table} VALUES (?)", [("x" * 900,)] * 40)
    root = connection.execute("SELECT rootpage FROM sqlite_schema").fetchone()[0]
    connection.commit()
    connection.close()
    data = bytearray(path.read_bytes())
    data[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    items = items_of(bytes(data), "sqlite", KEPT)
    failures = [str(item.error) for item in items if isinstance(item, Failure)]
    assert failures == ["table.sqlite:first:1: can't be read: the rest of the table is damaged."]
    assert len(items) == 1 + 1 + 40


def test_a_database_that_is_open_elsewhere_is_refused(tmp_path: Path) -> None:
    """Part of it lies beside the file; nothing is written there."""
    from tacenda.documents import read
    from tests.documents.building_tables import fields_of

    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE t (a TEXT)")
    (failure,) = read(path, fields=fields_of(KEPT))
    assert isinstance(failure, Failure)
    assert "so that all data is in one file" in str(failure.error)
    connection.close()
    before = sorted(item.name for item in tmp_path.iterdir())
    assert not any(isinstance(item, Failure) for item in read(path, fields=fields_of(KEPT)))
    assert sorted(item.name for item in tmp_path.iterdir()) == before


def test_a_column_without_treatment_is_named_by_its_place_which_is_understood(
    tmp_path: Path,
) -> None:
    """The message has the numbers of table and column where names could be somebody's, and options take them."""
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE Visits (Id TEXT, Note TEXT)")
        connection.execute("INSERT INTO Visits VALUES ('x', ?)", (f"{NAME} came.",))
    connection.close()
    head = items_of(path.read_bytes(), "sqlite", {"Visits.Note": "text"})[0]
    assert not isinstance(head, Failure)
    assert "1 column (table 1 column 1)" in head.beside.refusal
    rules = {"table 1 column 1": "keep", "table 1 column 2": "text"}
    output, errors = sanitized_table(path.read_bytes(), "sqlite", rules, NAME)
    assert errors == []
    assert NAME.encode() not in output
