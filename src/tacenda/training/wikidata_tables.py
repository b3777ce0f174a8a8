"""KGTK's tables of a Wikidata slice: gzip TSV with the columns ``node1`` and ``node2``."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError


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


def unquoted(value: str) -> str:
    """Return the text of a KGTK string such as ``'surgeon'@en``."""
    text, _, _ = value.rpartition("@")
    return (text or value).strip("'").replace("\\'", "'").replace("\u00ad", "")
