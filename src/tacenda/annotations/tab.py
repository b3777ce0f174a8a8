"""TAB standoff JSON (Pilán et al. 2022, section 4): a list of annotated documents.

All of TAB is held; keys beside those of the annotation model (``task``, ``edit_type``,
``related_mentions`` …) are kept as properties.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..document import ConfidentialStatus, IdentifierType
from ..documents.decoding import check_surrogates
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    Feature,
    Files,
    Format,
    OffsetConverter,
    Reading,
    Unit,
    only_file,
    unnamed,
)
from .parsing import (
    bytes_of,
    check_covered,
    choice,
    dump_json,
    expect,
    member,
    optional_string,
    other_keys,
    parse_json,
    plain_text,
    text_of,
    with_properties,
)

_DOCUMENT = frozenset({"doc_id", "text", "annotations"})
_MENTION = frozenset(
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


class Tab(Format):
    """The format of the benchmark, and of ``tacenda evaluate``'s gold."""

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
        corpus = expect(parse_json(text_of(content, name), name), list, name, "the file")
        for position, record in enumerate(corpus):
            id = member(record, "doc_id", str, name, f"[{position}]")
            check_surrogates(id, f"{name}[{position}]")
            text = plain_text(record, "text", id, f"[{position}]")
            ruler = OffsetConverter(text, reading.unit, id)
            annotations = member(record, "annotations", dict, id, f"[{position}]")
            yield AnnotatedDocument(
                id,
                text,
                tuple(
                    _annotation(annotator, value, text, ruler, id, reading)
                    for annotator, value in annotations.items()
                ),
                other_keys(record, _DOCUMENT),
            )

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON list, a document a line."""
        lines = []
        for document in documents:
            text = document.text or ""
            ruler = OffsetConverter(text, unit, document.id)
            annotations = {
                annotation.annotator: {
                    "entity_mentions": [
                        _entry(mention, text, ruler, document.id) for mention in annotation.mentions
                    ]
                }
                for annotation in document.annotations
            }
            record = with_properties(
                {"doc_id": document.id}, document.properties, _DOCUMENT, document.id
            )
            lines.append(dump_json({**record, "text": text, "annotations": annotations}))
        content = "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"
        return {"": bytes_of(content, self.name)}


def _annotation(
    annotator: str, value: Any, text: str, ruler: OffsetConverter, id: str, reading: Reading
) -> Annotation:
    where = f"annotations[{annotator!r}]"
    entries = member(value, "entity_mentions", list, id, where)
    for key in other_keys(value, frozenset({"entity_mentions"})):
        reading.skip_or_raise(f"{where} has the key {key!r}", id)
    return Annotation(
        annotator,
        tuple(
            _mention(entry, text, ruler, id, f"{where}.entity_mentions[{position}]")
            for position, entry in enumerate(entries)
        ),
    )


def _mention(entry: Any, text: str, ruler: OffsetConverter, id: str, at: str) -> AnnotatedMention:
    type_ = member(entry, "entity_type", str, id, at)
    span = ruler.span(entry.get("start_offset"), entry.get("end_offset"), at)
    check_covered(text, span.start, span.end, entry.get("span_text"), id, at)
    identifier = member(entry, "identifier_type", str, id, at)
    return AnnotatedMention(
        spans=(span,),
        type=type_,
        identifier=choice(IdentifierType, identifier, id, f"{at}: identifier_type"),
        status=choice(
            ConfidentialStatus,
            entry.get("confidential_status"),
            id,
            f"{at}: confidential_status",
        ),
        entity=member(entry, "entity_id", str, id, at),
        id=optional_string(entry, "entity_mention_id", id, at),
        properties=other_keys(entry, _MENTION),
    )


def _entry(mention: AnnotatedMention, text: str, ruler: OffsetConverter, id: str) -> dict[str, Any]:
    start, end = ruler.offsets(mention.extent)
    entry: dict[str, Any] = {
        "entity_type": mention.type,
        "start_offset": start,
        "end_offset": end,
        "span_text": mention.extent.of(text),
        "identifier_type": mention.identifier,
        "entity_id": mention.entity,
    }
    if mention.id:
        entry["entity_mention_id"] = mention.id
    if mention.status is not None:
        entry["confidential_status"] = mention.status
    return with_properties(entry, mention.properties, _MENTION, id)


# Masks: ``{doc_id: [[start, end], …]}``, a system's output as TAB's evaluation takes it.


class Masks(Format):
    """Spans to be masked and nothing else; the text comes from elsewhere."""

    name = "masks"
    holds = frozenset({Feature.OVERLAPS})
    needs: frozenset[Feature] = frozenset()
    takes_text = True
    masks_only = True

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each id."""
        name, content = only_file(files)
        corpus = expect(parse_json(text_of(content, name), name), dict, name, "the file")
        for id, pairs in corpus.items():
            text = reading.text_of(id)
            ruler = OffsetConverter(text, reading.unit, id)
            mentions = []
            for position, pair in enumerate(expect(pairs, list, id, "the value")):
                at = f"span {position}"
                start, end = (*expect(pair, list, id, at), None, None)[:2]
                if len(pair) != 2:
                    start = None
                mentions.append(AnnotatedMention((ruler.span(start, end, at),)))
            yield AnnotatedDocument(id, text, unnamed(tuple(mentions)))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON object, a document a line."""
        lines = []
        for document in documents:
            ruler = OffsetConverter(document.text, unit, document.id)
            pairs = [
                list(ruler.offsets(mention.extent))
                for annotation in document.annotations
                for mention in annotation.mentions
            ]
            lines.append(f"{dump_json(document.id)}: {dump_json(pairs)}")
        content = "{\n" + ",\n".join(lines) + "\n}\n" if lines else "{}\n"
        return {"": bytes_of(content, self.name)}
