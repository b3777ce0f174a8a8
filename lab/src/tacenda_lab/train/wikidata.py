"""A full Wikidata JSON dump: one entity a line, its statements and their values."""

from __future__ import annotations

import bz2
import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from tacenda.errors import InputError

_LANGUAGE = re.compile(r"'@([a-z-]+)\Z")
"""End of a KGTK string."""


@contextmanager
def open_dump(dump: str) -> Iterator[Iterable[str]]:
    """Open the lines of a dump, plain or .gz or .bz2; ``-`` is stdin.

    Raises:
        InputError: if it can't be read.
    """
    if dump == "-":
        yield sys.stdin
        return
    try:
        with _open(dump) as file:
            yield file
    except (OSError, EOFError) as error:
        raise InputError(f"can't be read ({error}); give a JSON dump.", dump) from error


def _open(dump: str) -> TextIO:
    if dump.endswith(".gz"):
        return gzip.open(dump, "rt", encoding="utf-8")
    if dump.endswith(".bz2"):
        return bz2.open(dump, "rt", encoding="utf-8")
    return Path(dump).open(encoding="utf-8")


def entities(lines: Iterable[str], name: str) -> Iterator[dict[str, Any]]:
    """Yield the entities of a dump.

    Raises:
        InputError: if a line is not an entity; the message has its number and ``name``.
    """
    for number, line in enumerate(lines, start=1):
        line = line.strip().rstrip(",")
        if line in ("[", "]", ""):
            continue
        try:
            entity = json.loads(line)
        except ValueError as error:
            raise InputError(f"line {number} is not JSON ({error}).", name) from error
        if not isinstance(entity, dict) or "id" not in entity:
            raise InputError(f"line {number} is not an entity: it has no id.", name)
        yield entity


def snaks(entity: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield property and value of every statement and qualifier, except for deprecated ones."""
    # Wikidata writes an entity without statements as [] instead of {}.
    for id, statements in (entity.get("claims") or {}).items():
        for statement in statements:
            if statement.get("rank") == "deprecated":
                continue
            yield id, statement["mainsnak"]
            for qualifier, values in (statement.get("qualifiers") or {}).items():
                for snak in values:
                    yield qualifier, snak


def item_of(snak: dict[str, Any]) -> str | None:
    """Return the item of a snak; None for other or unknown values."""
    value = snak.get("datavalue", {}).get("value")
    return value.get("id") if isinstance(value, dict) else None


def english_names(entity: dict[str, Any]) -> list[str]:
    """Return the English label and aliases of an entity; none if it has no label."""
    # Wikidata writes an entity without names as [] instead of {}.
    label = (entity.get("labels") or {}).get("en")
    if label is None:
        return []
    aliases = (entity.get("aliases") or {}).get("en", ())
    return [label["value"], *(alias["value"] for alias in aliases)]


# KGTK's tables of a Wikidata slice: gzip TSV with the columns ``node1`` and ``node2``.


def read_rows(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the two nodes of each row.

    Raises:
        InputError: if the table is missing or has other columns.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            header = file.readline().rstrip("\n").split("\t")
            if "node1" not in header or "node2" not in header:
                raise InputError(f"the header {header!r} has no node1 and node2.", str(path))
            first, second = header.index("node1"), header.index("node2")
            for number, line in enumerate(file, start=2):
                row = line.rstrip("\n").split("\t")
                if len(row) != len(header):
                    raise InputError(
                        f"line {number} has {len(row)} columns, the header {len(header)}.",
                        str(path),
                    )
                yield row[first], row[second]
    except OSError as error:
        raise InputError(
            f"can't be read ({error.strerror or error}); a slice has labels.en, aliases.en, "
            "derived.P31 and derived.P279, each .tsv.gz.",
            str(path),
        ) from error


def property_table(folder: Path, property: str) -> Path:
    """Return the path of the statements of a property in a slice."""
    return folder / f"derived.{property}.tsv.gz"


def english_texts(folder: Path, table: str) -> Iterator[tuple[str, str]]:
    """Yield items and their English ``labels``, ``aliases`` or ``descriptions`` in a slice.

    Raises:
        InputError: if the table is missing or has other columns.
    """
    return read_texts(folder / f"{table}.en.tsv.gz")


def read_texts(path: Path) -> Iterator[tuple[str, str]]:
    """Yield items and their English texts in a table; texts marked as of other languages are left out.

    Raises:
        InputError: if the table is missing or has other columns.
    """
    for item, value in read_rows(path):
        if not (language := _LANGUAGE.search(value)) or language[1].startswith("en"):
            yield item, _unquoted(value)


def _unquoted(value: str) -> str:
    """Return the text of a KGTK string such as ``'surgeon'@en``."""
    text, _, _ = value.rpartition("@")
    return (text or value).strip("'").replace("\\'", "'").replace("\u00ad", "")
