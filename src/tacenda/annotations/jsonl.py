"""JSONL with ``text`` and ``spans``, as in Prodigy and nearly in doccano.

There is one line per document, or per document and annotator; a line without ``spans`` is an
unannotated text:

    {"id": "d1", "text": "Anna Berg spoke.", "_annotator_id": "ann1", "spans": [
        {"start": 0, "end": 9, "label": "PERSON", "identifier_type": "DIRECT",
         "confidential_status": "NOT_CONFIDENTIAL", "entity": "e1", "id": "m1", "score": 0.9}]}

All keys except ``text``, ``start`` and ``end`` are optional; a line without ``id`` is named by its
number. Other keys of lines and spans are kept. Some forms are read but not written: spans as lists
(``[start, end, label]`` or ``[start, end, label, identifier_type]``, null if unknown), and
doccano's ``label`` or ``labels`` (such lists) and ``entities`` (``[{id, label, start_offset,
end_offset}]``) instead of ``spans``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType
from ..errors import InputError
from ..text.decoding import check_surrogates
from .checked_json import JsonFormat, JsonPart, check_covered, choice, dump_json, with_properties
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    Feature,
    OffsetConverter,
    Reading,
)

ANNOTATOR: Final = "_annotator_id"
SPAN_KEYS: Final = ("spans", "entities", "label", "labels")
LINE: Final = frozenset({"id", "text", ANNOTATOR, *SPAN_KEYS})
SPAN: Final = frozenset(
    "start end label text identifier_type confidential_status entity id score".split()
)
_ROWS: Final = frozenset({"label", "labels"})
_DOCCANO: Final = frozenset({"id", "label", "start_offset", "end_offset"})


def mentions_of(
    line: JsonPart, text: str, converter: OffsetConverter
) -> tuple[AnnotatedMention, ...]:
    """Return the mentions in a line; empty if it has no key for them.

    Raises:
        InputError: if a span is invalid, or there are two keys for spans; names line and span.
    """
    keys = [key for key in SPAN_KEYS if line.get(key) is not None]
    if len(keys) > 1:
        raise InputError(
            f"{line.at}: has both {keys[0]!r} and {keys[1]!r}; keep one.", line.document
        )
    mentions = []
    for key in keys:
        spans = JsonPart(line.get(key), line.document, f"{line.at}: {key!r}")
        for span in spans.items(f"{line.at}, {key}"):
            if isinstance(span.value, list) or key in _ROWS:
                mentions.append(_row(span, converter))
            elif key == "spans":
                mentions.append(_prodigy(span, text, converter))
            else:
                mentions.append(_doccano(span, converter))
    return tuple(mentions)


def _prodigy(span: JsonPart, text: str, converter: OffsetConverter) -> AnnotatedMention:
    span.expect(dict)
    place = span.span(converter)
    check_covered(text, place, span.get("text"), span.document, span.at)
    return AnnotatedMention(
        spans=(place,),
        type=span.string("label"),
        identifier=span.choice(IdentifierType, "identifier_type"),
        status=span.choice(ConfidentialStatus, "confidential_status"),
        entity=span.string("entity"),
        id=_name(span),
        score=span.score(),
        properties=span.others(SPAN),
    )


def _doccano(span: JsonPart, converter: OffsetConverter) -> AnnotatedMention:
    span.expect(dict)
    return AnnotatedMention(
        spans=(span.span(converter, "start_offset", "end_offset"),),
        type=span.string("label"),
        id=_name(span),
        properties=span.others(_DOCCANO),
    )


def _row(span: JsonPart, converter: OffsetConverter) -> AnnotatedMention:
    id, at = span.document, span.at
    if len(span.expect(list)) not in (3, 4):
        raise InputError(
            f"{at} must be [start, end, type] or [start, end, type, identifier type]; fix it.", id
        )
    start, end, type_, *identifier = span.value
    return AnnotatedMention(
        spans=(converter.span(start, end, at),),
        type=JsonPart(type_, id, f"{at}: the type").expect(str),
        identifier=choice(IdentifierType, identifier[0], id, f"{at}:") if identifier else None,
    )


def _name(span: JsonPart) -> str:
    name = span.get("id")
    return "" if name is None else str(name)


class Jsonl(JsonFormat):
    """JSONL; stores everything except discontinuous spans."""

    name = "jsonl"
    holds = frozenset(Feature) - {Feature.FRAGMENTS, Feature.OTHER}
    needs = frozenset({Feature.TEXT})
    brackets = ""

    def parse(self, content: JsonPart, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents in order of their first lines."""
        documents: dict[str, AnnotatedDocument] = {}
        for line in content.value:
            document = _document(line, reading)
            if document is not None:
                predecessor = documents.get(document.id)
                documents[document.id] = (
                    _joined(predecessor, document, line.at) if predecessor else document
                )
        yield from documents.values()

    def lines(self, document: AnnotatedDocument, converter: OffsetConverter) -> Iterator[str]:
        """Yield one line per annotator, or one for only the text."""
        head = with_properties({"id": document.id}, document.properties, LINE, document.id)
        head["text"] = document.text or ""
        for annotation in document.annotations:
            name = {ANNOTATOR: annotation.annotator} if annotation.annotator else {}
            spans = [_span(mention, converter, document.id) for mention in annotation.mentions]
            yield dump_json({**head, **name, "spans": spans})
        if not document.annotations:
            yield dump_json(head)


def _document(line: JsonPart, reading: Reading) -> AnnotatedDocument | None:
    record, at = line.expect(dict), line.at
    id = str(record.get("id", at.removeprefix("line ")))
    check_surrogates(id, f"{line.document}, {at}")
    line = JsonPart(record, id, at)
    text = line.text("text")
    if record.get("answer", "accept") != "accept":
        # In Prodigy, the annotator rejected or skipped the spans.
        reading.skip_or_raise(f"{at}: 'answer' is not 'accept'", id)
        return None
    mentions = mentions_of(line, text, OffsetConverter(text, reading.unit, id))
    annotator = line.string(ANNOTATOR)
    annotated = mentions or (annotator and any(key in record for key in SPAN_KEYS))
    return AnnotatedDocument(
        id,
        text,
        (Annotation(annotator, mentions),) if annotated else (),
        {} if Feature.DOCUMENT_PROPERTIES in reading.drop else line.others(LINE),
    )


def _joined(document: AnnotatedDocument, more: AnnotatedDocument, at: str) -> AnnotatedDocument:
    names = {annotation.annotator for annotation in document.annotations}
    if not more.annotations or any(new.annotator in names for new in more.annotations):
        raise InputError(
            f"{at}: the id occurs twice; give each document a unique id, or each annotator's "
            f"line its {ANNOTATOR!r}.",
            document.id,
        )
    if document.text != more.text:
        raise InputError(f"{at}: the same id has a different text; rename it.", document.id)
    for key in {**document.properties, **more.properties}:
        if document.properties.get(key) != more.properties.get(key):
            raise InputError(
                f"{at}: key {key!r} differs between the lines of one document; make them equal "
                "or drop them with --drop document_properties.",
                document.id,
            )
    return AnnotatedDocument(
        document.id, document.text, document.annotations + more.annotations, document.properties
    )


def _span(mention: AnnotatedMention, converter: OffsetConverter, id: str) -> dict[str, Any]:
    start, end = converter.offsets(mention.extent)
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
