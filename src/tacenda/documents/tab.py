"""JSON lists: TAB standoff, whose documents have mentions as annotations, and plain texts.

A file's list is read document by document, so an invalid document fails alone. Annotations in the
input are checked but not used: ``sanitize`` makes its own decisions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, BinaryIO

from ..annotations.checked_json import dump_json, parse_json
from ..annotations.corpus import AnnotatedDocument, AnnotatedMention, Annotation
from ..annotations.tab import check_offsets, document_record, parse_text
from ..document import ConfidentialStatus, Document, IdentifierType
from ..errors import GIVE_FIELDS, InputError, Remedy
from ..result import Result
from ..text.decoding import BYTE_ORDER_MARK, check_surrogates, read_text, writable
from .output import OutputWriter
from .record import Failure, Origin, SourceDocument
from .shapes import ways

ANNOTATOR = "tacenda"


def load_list(stream: BinaryIO, origin: Origin) -> list[Any]:
    """Return the JSON list in a file.

    Raises:
        InputError: if it isn't one list.
    """
    text = read_text(stream, origin.encoding, origin.name).removeprefix(BYTE_ORDER_MARK)
    if not text.strip():
        return []
    items = parse_json(text, origin.name, finite=False)
    if not isinstance(items, list):
        kind = "object" if isinstance(items, dict) else "value"
        remedy = _fields_of(items) or Remedy("put it in [ ]", "put it in [ ]")
        raise InputError(f"holds one JSON {kind}, not a list of documents", origin.name, remedy)
    return items


def read(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument | Failure]:
    """Yield the documents in a TAB file; see ``documents_of``."""
    return documents_of(load_list(stream, origin), origin)


def read_texts(stream: BinaryIO, origin: Origin) -> Iterator[SourceDocument | Failure]:
    """Yield the documents in a list of texts; see ``texts_of``."""
    return texts_of(load_list(stream, origin), origin)


def texts_of(items: Sequence[Any], origin: Origin) -> Iterator[SourceDocument | Failure]:
    """Yield a record or a failure for each string in a parsed list."""
    for index, text in enumerate(items):
        place = f"[{index}]"
        name = origin.name + place
        try:
            if not isinstance(text, str):
                raise InputError("must be a string like the rest of its list; correct it.", name)
            check_surrogates(text, name)
        except InputError as error:
            yield Failure(error)
            continue
        yield SourceDocument(Document(name, text), origin, text, (), place=place)


def documents_of(items: Sequence[Any], origin: Origin) -> Iterator[SourceDocument | Failure]:
    """Yield a record or a failure for each document in a parsed TAB file."""
    ids: set[str] = set()
    for index, item in enumerate(items):
        try:
            document = _document(item, f"{origin.name}[{index}]")
            if document.id in ids:
                raise InputError(
                    f"doc_id occurs again at [{index}] of {origin.name}; document ids must be "
                    "unique.",
                    document.id,
                )
            ids.add(document.id)
        except InputError as error:
            yield Failure(error)
            continue
        split = item.get("dataset_type")
        yield SourceDocument(
            document,
            origin,
            document.text,
            (),
            declared=True,
            split=split if isinstance(split, str) else "",
        )


def _fields_of(item: Any) -> Remedy | None:
    """Return how to read an object that isn't a document; None if it may be one."""
    if (
        not isinstance(item, dict)
        or item.keys() & {"doc_id", "annotations"}
        or item.keys() <= {"text"}
    ):
        return None
    return GIVE_FIELDS._replace(command=f"set a treatment for its fields with {ways(item)}")


def _document(item: Any, place: str) -> Document:
    if remedy := _fields_of(item):
        raise InputError("is not a document with 'doc_id' and 'text'", place, remedy)
    id, text = parse_text(item, place)
    if not id:
        raise InputError("key 'doc_id' is empty; name the document.", place)
    check_surrogates(id, place)
    check_surrogates(text, id)
    check_offsets(item, id, text)
    return Document(id, text)


def annotated(sanitized: Result) -> AnnotatedDocument:
    """Return the original document with all mentions, masked or kept, by the annotator tacenda.

    A kept entity is NO_MASK whatever the recognizer's probability, since the decision counts.
    """
    prefix = f"{sanitized.document.id}_{ANNOTATOR}"
    rows = []
    for decision in sanitized.decisions:
        identifier = decision.identifier
        if not decision.masked:
            identifier = IdentifierType.NO_MASK
        elif identifier is IdentifierType.NO_MASK:
            identifier = IdentifierType.QUASI
        entity = f"{prefix}_{decision.entity.id}"
        rows += [(mention, entity, identifier) for mention in decision.entity.mentions]
    rows.sort(key=lambda row: row[0].span)
    mentions = tuple(
        AnnotatedMention(
            spans=(mention.span,),
            type=mention.type,
            identifier=identifier,
            status=ConfidentialStatus.NOT_CONFIDENTIAL,
            entity=entity,
            id=f"{prefix}_em{number}",
            properties={"edit_type": "check"},
        )
        for number, (mention, entity, identifier) in enumerate(rows, 1)
    )
    annotations = (Annotation(ANNOTATOR, mentions),)
    return AnnotatedDocument(sanitized.document.id, sanitized.document.text, annotations)


class TabWriter(OutputWriter):
    """``--to tab``: the *original* texts, with tacenda as the only annotator."""

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Write one document of the list."""
        document = replace(
            annotated(sanitized),
            id=self._numbering.public_id(record, sanitized, joins=True),
            properties={"dataset_type": record.split},
        )
        self._output.emit_item(writable(dump_json(document_record(document))))

    def close(self) -> None:
        """End the list."""
        self._output.end_items()
