"""Which person a document is about: a field of its record, or a table of documents and people.

The table is CSV with the columns ``document`` and ``person``; a document is named as it is in messages
and results (``letters.jsonl:12``, a TAB ``doc_id``, the path of a text file), a person by id, or by a
name that nobody else has.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..background.people import People
from ..document import Document
from ..documents.record import SourceDocument
from ..errors import InputError


@dataclass(frozen=True, slots=True)
class SubjectResolver:
    """Names the person of a record.

    Attributes:
        field: JSON Lines: the field that holds the person.
        table: the person of each document that is named otherwise.
        hint: what else could say it, for the message where nothing does.
    """

    field: str
    table: Mapping[str, str]
    hint: str = ""

    def of(self, record: SourceDocument) -> str:
        """Return the id or name of the person a record is about.

        Raises:
            InputError: if nothing says it.
        """
        id = record.document.id
        if id in self.table:
            return self.table[id]
        if record.origin.format == "jsonl":
            value = json.loads(record.source).get(self.field)
            if isinstance(value, str | int) and not isinstance(value, bool):
                return str(value)
        raise InputError(
            f"nothing says whom it is about; give its line the field {self.field!r} (another with "
            f"--person-field), or the table of --people a row for {id!r}{self.hint}.",
            id,
        )


def person_index(people: People, document: Document) -> int:
    """Return the number of the person a document is about.

    Raises:
        InputError: if it says nobody, somebody who is not among the people, or a name that several
            of them have.
    """
    if not document.subject:
        raise InputError(
            "nothing says whom it is about; set the document's `person` to an id of the store.",
            document.id,
        )
    try:
        return people.find(document.subject)
    except InputError as error:
        raise InputError(str(error), document.id) from None


def read_table(path: Path) -> dict[str, str]:
    """Return the person of each document in a CSV table.

    Raises:
        InputError: if it can't be read, lacks a column or a cell, or has a document twice.
    """
    subjects: dict[str, str] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = csv.DictReader(stream)
            if not {"document", "person"} <= set(rows.fieldnames or ()):
                raise InputError("needs the columns 'document' and 'person'.", str(path))
            for row in rows:
                document, person = row["document"], row["person"]
                place = f"{path}:{rows.line_num}"
                if not document or not person:
                    raise InputError("the row lacks a document or a person; mend it.", place)
                if document in subjects:
                    raise InputError(f"document {document!r} is there twice; keep one.", place)
                subjects[document] = person
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8; convert it.", str(path)) from None
    except (OSError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"can't be read: {reason}; check the path.", str(path)) from None
    return subjects
