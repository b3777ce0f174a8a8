"""``tacenda sanitize`` from one database into another, with SQLAlchemy."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacenda.cli import app

SCHEMA = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, born DATE);
CREATE TABLE visits (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people(id), note TEXT, photo BLOB);
CREATE INDEX by_person ON visits(person);
"""
OPTIONS = [
    "--column",
    "people.name",
    "--column",
    "visits.note",
    "--pseudonym-columns",
    "people.id,visits.person",
]


def _source(path: Path) -> str:
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA)
    connection.execute(
        "INSERT INTO people VALUES (4711, 'Anna Berg', '1980-05-06'), (12, 'Karl Meyer', NULL)"
    )
    connection.execute(
        "INSERT INTO visits VALUES (1, 4711, 'Anna Berg came.', x'00ff'), (2, 12, NULL, NULL)"
    )
    connection.commit()
    connection.close()
    return f"sqlite:///{path}"


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["sanitize", *arguments])
    return result.exit_code, result.output


def test_tables_go_into_another_database_and_keys_still_point(tmp_path: Path) -> None:
    """With types, indexes and nulls; the first one is as it was, and nothing lies beside it."""
    source = _source(tmp_path / "in.db")
    before = (tmp_path / "in.db").read_bytes()
    code, output = _run(
        source, *OPTIONS, "--keep-columns", "*", "-o", f"sqlite:///{tmp_path / 'out.db'}"
    )
    assert code == 0, output
    assert (tmp_path / "in.db").read_bytes() == before
    assert sorted(item.name for item in tmp_path.iterdir()) == ["in.db", "out.db"]
    connection = sqlite3.connect(tmp_path / "out.db")
    people = connection.execute("SELECT id, name, born FROM people ORDER BY id").fetchall()
    assert people == [(1, "[PERSON 1]", None), (2, "[PERSON 1]", "1980-05-06")]
    visits = connection.execute("SELECT person, note, photo FROM visits ORDER BY id").fetchall()
    assert visits == [(2, "[PERSON 1] came.", b"\x00\xff"), (1, None, None)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index'").fetchall() == [
        ("by_person",)
    ]
    connection.close()
    assert b"Berg" not in (tmp_path / "out.db").read_bytes()


def test_what_would_overwrite_or_pass_silently_is_refused(tmp_path: Path) -> None:
    """The database that is read, tables that are there, columns without a treatment."""
    source = _source(tmp_path / "in.db")
    target = f"sqlite:///{tmp_path / 'out.db'}"
    kept = ("--keep-columns", "*")
    assert _run(source, *OPTIONS, *kept, "-o", source)[0] == 2
    assert _run(source, *OPTIONS, *kept)[0] == 2
    code, output = _run(source, *OPTIONS, "-o", target)
    assert code == 1
    assert "people.born" in output
    code, _ = _run(source, "--column", "people.name", *kept, "--table", "people", "-o", target)
    assert code == 0
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE people (x)")
    other.close()
    code, output = _run(source, *OPTIONS, *kept, "-o", f"sqlite:///{tmp_path / 'other.db'}")
    assert code != 0


def test_a_row_that_breaks_a_rule_is_named_and_the_rest_is_done(tmp_path: Path) -> None:
    """As two names that become one tag where each must be another."""
    connection = sqlite3.connect(tmp_path / "in.db")
    connection.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
    connection.execute("INSERT INTO people VALUES (1, 'Anna Berg'), (2, 'Karl Meyer'), (3, NULL)")
    connection.commit()
    connection.close()
    code, output = _run(
        f"sqlite:///{tmp_path / 'in.db'}",
        "--column",
        "people.name",
        "--keep-columns",
        "*",
        "-o",
        f"sqlite:///{tmp_path / 'out.db'}",
    )
    assert code == 1
    assert "in.db:people:2: the sanitized row breaks a rule of its table" in output
    rows = sqlite3.connect(tmp_path / "out.db")
    assert rows.execute("SELECT id, name FROM people").fetchall() == [(1, "[PERSON 1]"), (3, None)]
    rows.close()


@pytest.mark.parametrize("source", ["sqlite:////nowhere/at/all.db", "oracle+none://x/y"])
def test_a_database_that_is_not_there_says_so(source: str, tmp_path: Path) -> None:
    """And is not made."""
    code, _ = _run(source, "--keep-columns", "*", "-o", f"sqlite:///{tmp_path / 'out.db'}")
    assert code == 1 or code == 2
    assert not list(tmp_path.iterdir())
