"""JSONL with ``text`` and ``spans``, as in Prodigy and nearly in doccano.

One line a document, or one a document and annotator; a line without ``spans`` is an unannotated
text:

    {"id": "d1", "text": "Anna Berg spoke.", "_annotator_id": "ann1", "spans": [
        {"start": 0, "end": 9, "label": "PERSON", "identifier_type": "DIRECT",
         "confidential_status": "NOT_CONFIDENTIAL", "entity": "e1", "id": "m1", "score": 0.9}]}

All but ``text``, ``start`` and ``end`` may be missing; a line without ``id`` is named by its number.
Other keys of the line and of its spans are kept. Read, not written, are spans as lists
(``[start, end, label]`` or ``[start, end, label, identifier_type]``, null where it is not known), and in
place of ``spans`` doccano's ``label`` or ``labels``, of such lists, and ``entities``
(``[{id, label, start_offset, end_offset}]``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType
from ..errors import InputError
from ..text.decoding import check_surrogates
from .checked_json import (
    bytes_of,
    check_covered,
    choice,
    dump_json,
    expect,
    optional_string,
    other_keys,
    parse_json,
    plain_text,
    score,
    text_of,
    with_properties,
)
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    AnnotationFormat,
    Feature,
    Files,
    OffsetConverter,
    Reading,
    Unit,
    only_file,
)

ANNOTATOR: Final = "_annotator_id"
SPAN_KEYS: Final = ("spans", "entities", "label", "labels")
LINE: Final = frozenset({"id", "text", ANNOTATOR, *SPAN_KEYS})
SPAN: Final = frozenset(
    {
        "start",
        "end",
        "label",
        "text",
        "identifier_type",
        "confidential_status",
        "entity",
        "id",
        "score",
    }
)
_ROWS: Final = frozenset({"label", "labels"})
_DOCCANO: Final = frozenset({"id", "label", "start_offset", "end_offset"})


def mentions_of(
    record: dict[str, Any], text: str, ruler: OffsetConverter, id: str, at: str
) -> tuple[AnnotatedMention, ...]:
    """Return the mentions of a line; none if it has no key for them.

    Raises:
        InputError: names line and span; also if there are two keys for spans.
    """
    keys = [key for key in SPAN_KEYS if record.get(key) is not None]
    if len(keys) > 1:
        raise InputError(f"{at}: has both {keys[0]!r} and {keys[1]!r}; keep one.", id)
    mentions = []
    for key in keys:
        for position, span in enumerate(expect(record[key], list, id, f"{at}: {key!r}")):
            place = f"{at}, {key}[{position}]"
            if isinstance(span, list) or key in _ROWS:
                mentions.append(_row(span, ruler, id, place))
            elif key == "spans":
                mentions.append(_prodigy(span, text, ruler, id, place))
            else:
                mentions.append(_doccano(span, ruler, id, place))
    return tuple(mentions)


def _prodigy(span: Any, text: str, ruler: OffsetConverter, id: str, at: str) -> AnnotatedMention:
    expect(span, dict, id, at)
    place = ruler.span(span.get("start"), span.get("end"), at)
    check_covered(text, place.start, place.end, span.get("text"), id, at)
    return AnnotatedMention(
        spans=(place,),
        type=optional_string(span, "label", id, at),
        identifier=choice(IdentifierType, span.get("identifier_type"), id, at),
        status=choice(ConfidentialStatus, span.get("confidential_status"), id, at),
        entity=optional_string(span, "entity", id, at),
        id=_name(span),
        score=score(span.get("score"), id, at),
        properties=other_keys(span, SPAN),
    )


def _doccano(span: Any, ruler: OffsetConverter, id: str, at: str) -> AnnotatedMention:
    expect(span, dict, id, at)
    return AnnotatedMention(
        spans=(ruler.span(span.get("start_offset"), span.get("end_offset"), at),),
        type=optional_string(span, "label", id, at),
        id=_name(span),
        properties=other_keys(span, _DOCCANO),
    )


def _row(span: Any, ruler: OffsetConverter, id: str, at: str) -> AnnotatedMention:
    if len(expect(span, list, id, at)) not in (3, 4):
        raise InputError(
            f"{at} must be [start, end, type] or [start, end, type, identifier type]; mend it.", id
        )
    start, end, type_, *identifier = span
    return AnnotatedMention(
        spans=(ruler.span(start, end, at),),
        type=expect(type_, str, id, f"{at}: the type"),
        identifier=choice(IdentifierType, identifier[0], id, at) if identifier else None,
    )


def _name(span: dict[str, Any]) -> str:
    name = span.get("id")
    return "" if name is None else str(name)


class Jsonl(AnnotationFormat):
    """JSONL; holds everything but discontinuous spans."""

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
                predecessor = documents.get(document.id)
                documents[document.id] = (
                    _joined(predecessor, document, f"line {number}") if predecessor else document
                )
        yield from documents.values()

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON object a line."""
        lines = []
        for document in documents:
            head = with_properties({"id": document.id}, document.properties, LINE, document.id)
            head["text"] = document.text or ""
            ruler = OffsetConverter(document.text, unit, document.id)
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
        # Prodigy: the annotator rejected or skipped the spans.
        reading.skip_or_raise(f"{at}: 'answer' is not 'accept'", id)
        return None
    mentions = mentions_of(record, text, OffsetConverter(text, reading.unit, id), id, at)
    annotator = optional_string(record, ANNOTATOR, id, at)
    annotated = mentions or (annotator and any(key in record for key in SPAN_KEYS))
    return AnnotatedDocument(
        id,
        text,
        (Annotation(annotator, mentions),) if annotated else (),
        {} if Feature.DOCUMENT_PROPERTIES in reading.drop else other_keys(record, LINE),
    )


def _joined(document: AnnotatedDocument, more: AnnotatedDocument, at: str) -> AnnotatedDocument:
    names = {annotation.annotator for annotation in document.annotations}
    if not more.annotations or any(new.annotator in names for new in more.annotations):
        raise InputError(
            f"{at}: the id is there twice; give each document its own, or each annotator's line "
            f"its {ANNOTATOR!r}.",
            document.id,
        )
    if document.text != more.text:
        raise InputError(f"{at}: another text under the same id; give it another.", document.id)
    for key in {**document.properties, **more.properties}:
        if document.properties.get(key) != more.properties.get(key):
            raise InputError(
                f"{at}: key {key!r} differs between the lines of one document; make them equal "
                "or leave such keys out by --drop document_properties.",
                document.id,
            )
    return AnnotatedDocument(
        document.id, document.text, document.annotations + more.annotations, document.properties
    )


def _span(mention: AnnotatedMention, ruler: OffsetConverter, id: str) -> dict[str, Any]:
    start, end = ruler.offsets(mention.extent)
    fields = {
        "label": mention.type or None,
        "identifier_type": mention.identifier,
        "confidential_status": mention.status,
        "entity": mention.entity or None,
        "id": mention.id or None,
        "score": mention.score,
    }
    record: dict[str, Any] = {"start": start, "end": end}
    record.update({key: value for key, value in fields.items() if value is not None})
    return with_properties(record, mention.properties, SPAN, id)
