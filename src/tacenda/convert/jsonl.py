"""JSONL with ``text`` and ``spans``, as Prodigy has it and doccano nearly does.

One line a document, or one a document and annotator; a line without ``spans`` is a text that
nobody annotated:

    {"id": "d1", "text": "Anna Berg spoke.", "_annotator_id": "ann1", "spans": [
        {"start": 0, "end": 9, "label": "PERSON", "identifier_type": "DIRECT",
         "confidential_status": "NOT_CONFIDENTIAL", "entity": "e1", "id": "m1", "score": 0.9}]}

All but ``text``, ``start`` and ``end`` may be missing; a line without ``id`` is named by its number.
Other keys of the line and of its spans are kept. In place of ``spans``, doccano's ``label`` or
``labels`` (``[[start, end, type], …]``) and ``entities`` (``[{id, label, start_offset, end_offset}]``)
are read, not written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..documents.decoding import check_surrogates
from ..errors import InputError
from .corpus import AnnotatedDocument, AnnotatedMention, Annotation, Feature
from .format import Files, Format, Reading, only_file
from .jsonl_spans import ANNOTATOR, LINE, SPAN, SPAN_KEYS, mentions_of
from .offsets import Ruler, Unit
from .parsing import (
    bytes_of,
    dump_json,
    expect,
    optional_string,
    other_keys,
    parse_json,
    plain_text,
    text_of,
    with_properties,
)


class Jsonl(Format):
    """Everything but discontinuous spans."""

    name = "jsonl"
    holds = frozenset(Feature) - {Feature.FRAGMENTS, Feature.OTHER}
    needs = frozenset({Feature.TEXT})

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents in order of their first lines."""
        name, content = only_file(files)
        documents: dict[str, AnnotatedDocument] = {}
        for number, line in enumerate(text_of(content, name).split("\n"), 1):
            if line.strip():
                record = parse_json(line, name, number)
                expect(record, dict, name, f"line {number}")
                document = _document(record, number, name, reading)
                if document is None:
                    continue
                known = documents.get(document.id)
                documents[document.id] = (
                    _joined(known, document, f"line {number}") if known else document
                )
        yield from documents.values()

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON object a line."""
        lines = []
        for document in documents:
            head = with_properties({"id": document.id}, document.properties, LINE, document.id)
            head["text"] = document.text or ""
            ruler = Ruler(document.text, unit, document.id)
            for annotation in document.annotations:
                name = {ANNOTATOR: annotation.annotator} if annotation.annotator else {}
                spans = [_span(mention, ruler, document.id) for mention in annotation.mentions]
                lines.append(dump_json({**head, **name, "spans": spans}))
            if not document.annotations:
                lines.append(dump_json(head))
        return {"": bytes_of("".join(f"{line}\n" for line in lines), self.name)}


def _document(
    record: dict[str, Any], number: int, name: str, reading: Reading
) -> AnnotatedDocument | None:
    at = f"line {number}"
    id = str(record.get("id", number))
    check_surrogates(id, f"{name}, {at}")
    text = plain_text(record, "text", id, at)
    if record.get("answer", "accept") != "accept":
        # Prodigy: the annotator says that the spans are wrong, or nothing of them.
        reading.pass_over(f"{at}: 'answer' is not 'accept'", id)
        return None
    mentions = mentions_of(record, text, Ruler(text, reading.unit, id), id, at)
    annotator = optional_string(record, ANNOTATOR, id, at)
    annotated = mentions or (annotator and any(key in record for key in SPAN_KEYS))
    return AnnotatedDocument(
        id,
        text,
        (Annotation(annotator, mentions),) if annotated else (),
        {} if Feature.DOCUMENT_PROPERTIES in reading.drop else other_keys(record, LINE),
    )


def _joined(known: AnnotatedDocument, more: AnnotatedDocument, at: str) -> AnnotatedDocument:
    names = {annotation.annotator for annotation in known.annotations}
    if not more.annotations or any(new.annotator in names for new in more.annotations):
        raise InputError(
            f"{at}: the id is there twice; give each document its own, or each annotator's line "
            f"its {ANNOTATOR!r}.",
            known.id,
        )
    if known.text != more.text:
        raise InputError(f"{at}: another text under the same id; give it another.", known.id)
    for key in {**known.properties, **more.properties}:
        if known.properties.get(key) != more.properties.get(key):
            raise InputError(
                f"{at}: key {key!r} differs between the lines of one document; make them equal "
                "or leave such keys out by --drop document_properties.",
                known.id,
            )
    return AnnotatedDocument(
        known.id, known.text, known.annotations + more.annotations, known.properties
    )


def _span(mention: AnnotatedMention, ruler: Ruler, id: str) -> dict[str, Any]:
    start, end = ruler.offsets(mention.extent)
    known = {
        "label": mention.type or None,
        "identifier_type": mention.identifier,
        "confidential_status": mention.status,
        "entity": mention.entity or None,
        "id": mention.id or None,
        "score": mention.score,
    }
    record: dict[str, Any] = {"start": start, "end": end}
    record.update({key: value for key, value in known.items() if value is not None})
    return with_properties(record, mention.properties, SPAN, id)
