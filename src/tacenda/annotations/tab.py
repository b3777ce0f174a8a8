"""TAB's two JSON formats: standoff annotations and masks (Pilán et al. 2022, section 4).

Standoff is a list of documents ``{doc_id, text, annotations}`` with ``entity_mentions`` for each
annotator, which may overlap. Nothing is lost: keys outside the annotation model (``task``,
``edit_type``, ``related_mentions`` …) become properties. Masks are only the spans that a system
masks: ``{doc_id: [[start, end], …]}``.

All of tacenda's code that reads and writes either is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError
from ..text.decoding import check_surrogates
from .checked_json import (
    Choice,
    JsonFormat,
    JsonPart,
    check_covered,
    choice,
    dump_json,
    read_json,
    with_properties,
)
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    Feature,
    OffsetConverter,
    Reading,
    Unit,
    unnamed,
)

_DOCUMENT: Final = frozenset({"doc_id", "text", "annotations"})
_MENTION: Final = frozenset(
    "entity_type entity_mention_id start_offset end_offset span_text identifier_type entity_id "
    "confidential_status".split()
)


def load_documents(path: str | Path) -> tuple[AnnotatedDocument, ...]:
    """Return the documents in a standoff file; ``-`` is standard input.

    Raises:
        InputError: if the file can't be read or isn't in the format.
    """
    return tuple(parse_documents(read_json(path), str(path)))


def parse_documents(
    records: Any, name: str = "gold", unit: Unit = Unit.CODE_POINTS
) -> Iterator[AnnotatedDocument]:
    """Yield the documents in parsed standoff JSON.

    Args:
        records: list of documents in the form of the TAB release.
        name: the file name, for messages.
        unit: the unit of offsets.

    Raises:
        InputError: if the JSON is invalid; names the document, the place and the fault.
    """
    if not isinstance(records, list):
        raise InputError("must contain a JSON list of documents {doc_id, text, annotations}", name)
    ids: set[str] = set()
    for position, record in enumerate(records):
        document = parse_document(record, f"{name}[{position}]", unit)
        if document.id in ids:
            raise InputError(f"doc_id {document.id!r} occurs again at [{position}]", name)
        ids.add(document.id)
        yield document


def parse_text(record: Any, place: str) -> tuple[str, str]:
    """Return id and text of one document in parsed standoff JSON.

    Raises:
        InputError: if either is missing or not a string; ``place`` says where the document is.
    """
    id: str = JsonPart(record, place).member("doc_id", str)
    return id, JsonPart(record, id).member("text", str)


def check_offsets(record: Mapping[str, Any], id: str, text: str) -> None:
    """Raise an InputError for misplaced annotations in any corpus.

    Raises:
        InputError: if the JSON is invalid; names the document, the place and the fault.
    """
    annotations = JsonPart(record.get("annotations") or {}, id, "'annotations'").expect(dict)
    converter = OffsetConverter(text, Unit.CODE_POINTS, id)
    for _, entries in _mention_lists(annotations, id):
        for entry in entries.items(entries.at):
            _span(entry, converter)


def parse_document(record: Any, place: str, unit: Unit = Unit.CODE_POINTS) -> AnnotatedDocument:
    """Return one document from parsed standoff JSON; ``place`` says where it is, for messages.

    Raises:
        InputError: if the JSON is invalid; names the document, the place and what is wrong.
    """
    id, text = parse_text(record, place)
    converter = OffsetConverter(text, unit, id)
    part = JsonPart(record, id)
    annotations = [
        Annotation(name, tuple(_mention(entry, converter) for entry in entries.items(entries.at)))
        for name, entries in _mention_lists(part.member("annotations", dict), id)
    ]
    return AnnotatedDocument(id, text, tuple(annotations), part.others(_DOCUMENT))


def _mention_lists(annotations: Mapping[str, Any], id: str) -> Iterator[tuple[str, JsonPart]]:
    """Yield each annotator with the list of their mentions."""
    for annotator, value in annotations.items():
        at = f"annotations[{annotator!r}]"
        entries = JsonPart(value, id, at).member("entity_mentions", list)
        yield annotator, JsonPart(entries, id, f"{at}.entity_mentions")


def _mention(entry: JsonPart, converter: OffsetConverter) -> AnnotatedMention:
    span = _span(entry, converter)
    has_status = entry.get("confidential_status")
    return AnnotatedMention(
        spans=(span,),
        type=entry.member("entity_type", str),
        identifier=_constant(entry, IdentifierType, "identifier_type"),
        status=_constant(entry, ConfidentialStatus, "confidential_status") if has_status else None,
        entity=entry.member("entity_id", str),
        id=entry.string("entity_mention_id"),
        properties=entry.others(_MENTION),
    )


def _span(entry: JsonPart, converter: OffsetConverter) -> Span:
    start = entry.member("start_offset", int)
    return converter.span(start, entry.member("end_offset", int), entry.at)


def _constant(entry: JsonPart, kind: type[Choice], key: str) -> Choice | None:
    if entry.get(key) is None:
        raise InputError(f"{entry.at}: {key} is missing; add it.", entry.document)
    return choice(kind, entry.get(key), entry.document, f"{entry.at}: {key}")


def document_record(
    document: AnnotatedDocument, converter: OffsetConverter | None = None
) -> dict[str, Any]:
    """Return a document as standoff JSON.

    Raises:
        InputError: if a property has the name of one of the format's keys.
    """
    text = document.text or ""
    converter = converter or OffsetConverter(text, Unit.CODE_POINTS, document.id)
    head = with_properties({"doc_id": document.id}, document.properties, _DOCUMENT, document.id)
    return {
        **head,
        "text": text,
        "annotations": {
            annotation.annotator: {
                "entity_mentions": [
                    _entry(mention, text, converter, document.id) for mention in annotation.mentions
                ]
            }
            for annotation in document.annotations
        },
    }


def _entry(
    mention: AnnotatedMention, text: str, converter: OffsetConverter, id: str
) -> dict[str, Any]:
    start, end = converter.offsets(mention.extent)
    # The keys of the release, in its order.
    keys = {
        "entity_type": mention.type,
        "entity_mention_id": mention.id or None,
        "start_offset": start,
        "end_offset": end,
        "span_text": mention.extent.of(text),
        "edit_type": mention.properties.get("edit_type"),
        "identifier_type": mention.identifier,
        "entity_id": mention.entity,
        "confidential_status": mention.status,
    }
    entry = {key: value for key, value in keys.items() if value is not None}
    return with_properties(entry, mention.properties, _MENTION, id)


class Tab(JsonFormat):
    """The benchmark's format, also that of the gold annotations for ``tacenda evaluate masks``."""

    name = "tab"
    holds = frozenset(Feature) - {Feature.SCORE, Feature.FRAGMENTS, Feature.OTHER}
    needs = frozenset(map(Feature, "text type identifier_type entity annotator".split()))

    def parse(self, content: JsonPart, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents in the list."""
        records, name = content.value, content.document
        for position, document in enumerate(parse_documents(records, name, reading.unit)):
            check_surrogates(document.id, f"{name}[{position}]")
            check_surrogates(document.text or "", document.id)
            _check_quotes(document, records[position]["annotations"], reading)
            yield document

    def lines(self, document: AnnotatedDocument, converter: OffsetConverter) -> Iterator[str]:
        """Yield the document's line."""
        yield dump_json(document_record(document, converter))


def _check_quotes(
    document: AnnotatedDocument, annotations: Mapping[str, Any], reading: Reading
) -> None:
    """Raise an InputError if the conversion loses something, or the text differs from a quotation."""
    for annotation, value in zip(document.annotations, annotations.values(), strict=True):
        where = f"annotations[{annotation.annotator!r}]"
        for key in value.keys() - {"entity_mentions"}:
            reading.skip_or_raise(f"{where} has the key {key!r}", document.id)
        entries = JsonPart(value["entity_mentions"], document.id)
        quotes = zip(annotation.mentions, entries.items(f"{where}.entity_mentions"), strict=True)
        for mention, entry in quotes:
            claimed = entry.get("span_text")
            check_covered(document.text or "", mention.extent, claimed, document.id, entry.at)


def parse_masks(raw: Any, name: str = "masks") -> dict[str, tuple[Span, ...]]:
    """Return the spans by document in parsed JSON ``{doc_id: [[start, end], …]}``.

    Raises:
        InputError: if the JSON is invalid; names the document, the position in its list and the
            fault.
    """
    if not isinstance(raw, dict):
        raise InputError("must contain a JSON object {doc_id: [[start, end], ...]}", name)
    return {id: tuple(_pairs(pairs, id, name)) for id, pairs in raw.items()}


def _pairs(pairs: Any, id: str, name: str) -> Iterator[Span]:
    if not isinstance(pairs, list):
        raise InputError(f"document {id!r} must have a list of [start, end]", name)
    for position, pair in enumerate(pairs):
        if not (isinstance(pair, list) and [type(offset) for offset in pair] == [int, int]):
            raise InputError(
                f"document {id!r}, span {position}: must be [start, end], two integers", name
            )
        start, end = pair
        if not 0 <= start < end:
            raise InputError(
                f"document {id!r}, span {position}: [{start}, {end}) is not a span; "
                "0 <= start < end must hold",
                name,
            )
        yield Span(start, end)


def masks_line(id: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return one document's masks as a line of their file's JSON object."""
    return f"{dump_json(id)}: {dump_json([list(span) for span in spans])}"


class Masks(JsonFormat):
    """Stores only the spans to mask; the text comes from elsewhere."""

    name = "masks"
    holds = frozenset({Feature.OVERLAPS})
    needs: frozenset[Feature] = frozenset()
    takes_text = True
    masks_only = True
    brackets = "{}"

    def parse(self, content: JsonPart, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each id."""
        for id, spans in parse_masks(content.value, content.document).items():
            text = reading.text_of(id)
            converter = OffsetConverter(text, reading.unit, id)
            mentions = tuple(
                AnnotatedMention((converter.span(span.start, span.end, f"span {position}"),))
                for position, span in enumerate(spans)
            )
            yield AnnotatedDocument(id, text, unnamed(mentions))

    def lines(self, document: AnnotatedDocument, converter: OffsetConverter) -> Iterator[str]:
        """Yield the document's line."""
        offsets = [converter.offsets(mention.extent) for mention in document.mentions]
        yield masks_line(document.id, offsets)
