"""TAB's two JSON formats: standoff annotations and masks (Pilán et al. 2022, section 4).

Standoff is a list of documents ``{doc_id, text, annotations}``; under each annotator
``entity_mentions``, with any overlaps. All of it is held: keys beside those of the
annotation model (``task``, ``edit_type``, ``related_mentions`` …) are properties. Masks are the
spans covered by a system and nothing else: ``{doc_id: [[start, end], …]}``.

All reading and writing of both in this project is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError
from ..text.decoding import check_surrogates
from .checked_json import (
    bytes_of,
    check_covered,
    dump_json,
    expect,
    member,
    optional_string,
    other_keys,
    parse_json,
    read_json,
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
    unnamed,
)

Constant = TypeVar("Constant", IdentifierType, ConfidentialStatus)

_DOCUMENT: Final = frozenset({"doc_id", "text", "annotations"})
_MENTION: Final = frozenset(
    {
        "entity_type",
        "entity_mention_id",
        "start_offset",
        "end_offset",
        "span_text",
        "identifier_type",
        "entity_id",
        "confidential_status",
    }
)
_IDENTIFIERS: Final = {kind.value: kind for kind in IdentifierType}
_STATUSES: Final = {kind.value: kind for kind in ConfidentialStatus}


def load_documents(path: str | Path) -> tuple[AnnotatedDocument, ...]:
    """Return the documents of a standoff file; ``-`` is standard input.

    Raises:
        InputError: the file can't be read or is not of the format.
    """
    return tuple(parse_documents(read_json(path), str(path)))


def parse_documents(
    records: Any, name: str = "gold", unit: Unit = Unit.CODE_POINTS
) -> Iterator[AnnotatedDocument]:
    """Yield the documents of parsed standoff JSON.

    Args:
        records: list of documents as in the TAB release.
        name: name of the file, for messages.
        unit: unit of offsets.

    Raises:
        InputError: names the document, the place and the fault.
    """
    if not isinstance(records, list):
        raise InputError("must hold a JSON list of documents {doc_id, text, annotations}", name)
    ids: set[str] = set()
    for position, record in enumerate(records):
        document = parse_document(record, f"{name}[{position}]", unit)
        if document.id in ids:
            raise InputError(f"doc_id {document.id!r} at [{position}] is there twice", name)
        ids.add(document.id)
        yield document


def parse_text(record: Any, place: str) -> tuple[str, str]:
    """Id and text of one document of parsed standoff JSON.

    Raises:
        InputError: one of the two is missing or no string; ``place`` is where the document stands.
    """
    id: str = member(record, "doc_id", str, place)
    return id, member(record, "text", str, id)


def check_offsets(record: Mapping[str, Any], id: str, text: str) -> None:
    """Raise InputError for misplaced annotations, if there are any, of whatever corpus.

    Raises:
        InputError: names the document, the place and the fault.
    """
    annotations = expect(record.get("annotations") or {}, dict, id, "'annotations'")
    converter = OffsetConverter(text, Unit.CODE_POINTS, id)
    for _, at, entries in _mention_lists(annotations, id):
        for position, entry in enumerate(entries):
            _span(entry, converter, id, f"{at}[{position}]")


def parse_document(record: Any, place: str, unit: Unit = Unit.CODE_POINTS) -> AnnotatedDocument:
    """One document of parsed standoff JSON; ``place`` is where it stands, for messages.

    Raises:
        InputError: names the document, the place and what is wrong there.
    """
    id, text = parse_text(record, place)
    converter = OffsetConverter(text, unit, id)
    annotations = member(record, "annotations", dict, id)
    return AnnotatedDocument(
        id,
        text,
        tuple(
            Annotation(
                annotator,
                tuple(
                    _mention(entry, converter, id, f"{at}[{position}]")
                    for position, entry in enumerate(entries)
                ),
            )
            for annotator, at, entries in _mention_lists(annotations, id)
        ),
        other_keys(record, _DOCUMENT),
    )


def _mention_lists(annotations: Mapping[str, Any], id: str) -> Iterator[tuple[str, str, list[Any]]]:
    """Yield each annotator, where the mentions are in the file, and the mentions."""
    for annotator, value in annotations.items():
        at = f"annotations[{annotator!r}]"
        yield annotator, f"{at}.entity_mentions", member(value, "entity_mentions", list, id, at)


def _mention(entry: Any, converter: OffsetConverter, id: str, at: str) -> AnnotatedMention:
    span = _span(entry, converter, id, at)
    identifier = entry.get("identifier_type")
    status = entry.get("confidential_status") or None
    return AnnotatedMention(
        spans=(span,),
        type=member(entry, "entity_type", str, id, at),
        identifier=_constant(identifier, _IDENTIFIERS, "identifier_type", id, at),
        status=status and _constant(status, _STATUSES, "confidential_status", id, at),
        entity=member(entry, "entity_id", str, id, at),
        id=optional_string(entry, "entity_mention_id", id, at),
        properties=other_keys(entry, _MENTION),
    )


def _span(entry: Any, converter: OffsetConverter, id: str, at: str) -> Span:
    start = member(entry, "start_offset", int, id, at)
    return converter.span(start, member(entry, "end_offset", int, id, at), at)


def _constant(
    value: Any, constants: Mapping[str, Constant], key: str, id: str, at: str
) -> Constant:
    if not isinstance(value, str) or value not in constants:
        raise InputError(f"{at}: {key} {value!r} is none of {', '.join(constants)}", id)
    return constants[value]


def document_record(document: AnnotatedDocument, unit: Unit = Unit.CODE_POINTS) -> dict[str, Any]:
    """A document as standoff JSON.

    Raises:
        InputError: a property has the name of a key of the format.
    """
    text = document.text or ""
    converter = OffsetConverter(text, unit, document.id)
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


class Tab(AnnotationFormat):
    """The format of the benchmark, and of ``tacenda evaluate masks``'s gold."""

    name = "tab"
    holds = frozenset(Feature) - {Feature.SCORE, Feature.FRAGMENTS, Feature.OTHER}
    needs = frozenset(
        {
            Feature.TEXT,
            Feature.TYPE,
            Feature.IDENTIFIER_TYPE,
            Feature.ENTITY,
            Feature.ANNOTATOR,
        }
    )

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents of the list."""
        name, content = only_file(files)
        records = parse_json(text_of(content, name), name)
        for position, document in enumerate(parse_documents(records, name, reading.unit)):
            check_surrogates(document.id, f"{name}[{position}]")
            check_surrogates(document.text or "", document.id)
            _check_quotes(document, records[position]["annotations"], reading)
            yield document

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON list, a document a line."""
        lines = [dump_json(document_record(document, unit)) for document in documents]
        content = "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"
        return {"": bytes_of(content, self.name)}


def _check_quotes(
    document: AnnotatedDocument, annotations: Mapping[str, Any], reading: Reading
) -> None:
    """Raise InputError at a loss by the conversion, or where the text differs from a quotation."""
    for annotation, value in zip(document.annotations, annotations.values(), strict=True):
        where = f"annotations[{annotation.annotator!r}]"
        for key in other_keys(value, frozenset({"entity_mentions"})):
            reading.skip_or_raise(f"{where} has the key {key!r}", document.id)
        for position, mention in enumerate(annotation.mentions):
            check_covered(
                document.text or "",
                mention.start,
                mention.end,
                value["entity_mentions"][position].get("span_text"),
                document.id,
                f"{where}.entity_mentions[{position}]",
            )


def parse_masks(raw: Any, name: str = "masks") -> dict[str, tuple[Span, ...]]:
    """Return the spans by document of parsed JSON ``{doc_id: [[start, end], …]}``.

    Raises:
        InputError: names the document, the position in its list and the fault.
    """
    if not isinstance(raw, dict):
        raise InputError("must hold a JSON object {doc_id: [[start, end], ...]}", name)
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
    """Return the masks of one document, a line of the JSON object of their file."""
    return f"{dump_json(id)}: {dump_json([list(span) for span in spans])}"


class Masks(AnnotationFormat):
    """Spans to be masked and nothing else; the text comes from elsewhere."""

    name = "masks"
    holds = frozenset({Feature.OVERLAPS})
    needs: frozenset[Feature] = frozenset()
    takes_text = True
    masks_only = True

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each id."""
        name, content = only_file(files)
        for id, spans in parse_masks(parse_json(text_of(content, name), name), name).items():
            text = reading.text_of(id)
            converter = OffsetConverter(text, reading.unit, id)
            mentions = tuple(
                AnnotatedMention((converter.span(span.start, span.end, f"span {position}"),))
                for position, span in enumerate(spans)
            )
            yield AnnotatedDocument(id, text, unnamed(mentions))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON object, a document a line."""
        lines = []
        for document in documents:
            converter = OffsetConverter(document.text, unit, document.id)
            offsets = [
                converter.offsets(mention.extent)
                for annotation in document.annotations
                for mention in annotation.mentions
            ]
            lines.append(masks_line(document.id, offsets))
        content = "{\n" + ",\n".join(lines) + "\n}\n" if lines else "{}\n"
        return {"": bytes_of(content, self.name)}
