"""Documents in the data folder: files of records, which documents are held out, annotators' views."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from tacenda.annotations.checked_json import JsonPart, read_json
from tacenda.document import Document, Entity, Mention, MentionSource, SemanticType
from tacenda.errors import InputError
from tacenda.evaluate.gold import GoldDocument, GoldEntity, GoldMention, load_gold


@dataclass(frozen=True, slots=True)
class AnnotatorView:
    """A document as one annotator sees it.

    Attributes:
        document: the document, with the target from the file's ``meta``, if any.
        entities: all entities that the annotator marked.
        masked: whether each of them must be masked.
    """

    document: Document
    entities: tuple[Entity, ...]
    masked: tuple[bool, ...]


def read_gold(*paths: Path) -> list[GoldDocument]:
    """Return the documents in gold files, to learn from or judge on.

    Raises:
        InputError: a file isn't gold annotations in TAB's standoff format or has no documents, a
            document occurs twice, or annotators marked nothing.
    """
    documents: dict[str, GoldDocument] = {}
    for path in paths:
        gold = load_gold(path)
        if not gold:
            raise InputError("has no document", str(path))
        for document in gold:
            if document.id in documents:
                raise InputError(f"document {document.id!r} occurs twice", str(path))
            documents[document.id] = document
    if not any(document.entities for document in documents.values()):
        names = ", ".join(map(str, paths))
        raise InputError("no document has a mention, so there is nothing to learn", names)
    return list(documents.values())


def check_apart(parts: Mapping[str, Iterable[GoldDocument]], places: Mapping[str, str]) -> None:
    """Check that no text occurs in two parts of a corpus.

    Args:
        parts: documents by role, those to learn from first.
        places: the file of each other role.

    Raises:
        InputError: one does; the message names the document and both roles.
    """
    roles: dict[str, str] = {}
    for role, documents in parts.items():
        for document in documents:
            if roles.setdefault(document.text, role) != role:
                raise InputError(
                    f"document {document.id!r} is also in the documents of {roles[document.text]}; "
                    "what a network is judged on it must not have seen",
                    places[role],
                )


def read_annotated(path: Path) -> Iterator[AnnotatorView]:
    """Yield each document once per annotator.

    Raises:
        InputError: the file isn't gold annotations in TAB's standoff format, or annotators marked
            nothing.
    """
    yield from annotator_views(read_gold(path), applicants(path))


def annotator_views(
    documents: Iterable[GoldDocument], targets: Mapping[str, tuple[str, ...]]
) -> Iterator[AnnotatorView]:
    """Yield each document once per annotator who marked something in it.

    Args:
        documents: gold documents.
        targets: the person each document is about, by document id.

    Raises:
        InputError: a mention has an unknown semantic type.
    """
    for document in documents:
        of_text = Document(document.id, document.text, targets.get(document.id, ()))
        for annotator in document.annotators:
            marked = [entity for entity in document.entities if entity.annotator == annotator]
            if marked:
                yield AnnotatorView(
                    of_text,
                    tuple(
                        _entity(document.id, number, item) for number, item in enumerate(marked, 1)
                    ),
                    tuple(entity.needs_masking for entity in marked),
                )


def first_annotations(path: Path) -> list[AnnotatorView]:
    """Return each document once, as its first annotator saw it."""
    documents: dict[str, AnnotatorView] = {}
    for annotated in read_annotated(path):
        documents.setdefault(annotated.document.id, annotated)
    return list(documents.values())


def applicants(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the applicant's name from each document's ``meta``, where there is one.

    Raises:
        InputError: the file is not a list of documents.
    """
    names: dict[str, tuple[str, ...]] = {}
    for id, record in _records_by_id(path):
        meta = JsonPart(record.get("meta") or {}, id, "'meta'").expect(dict)
        name = JsonPart(meta, id, "meta").string("applicant").strip()
        names[id] = (name,) if name else ()
    return names


def document_ids(*paths: Path) -> set[str]:
    """Return the names of the documents in JSON files, ignoring everything else.

    Raises:
        InputError: a file is not a list of documents.
    """
    return {id for path in paths for id, _ in _records_by_id(path)}


def named_texts(path: Path) -> list[tuple[str, str]]:
    """Return the name and text of each document in a JSON file, ignoring everything else.

    Raises:
        InputError: the file is not a list of documents.
    """
    return [(id, JsonPart(record, id).member("text", str)) for id, record in _records_by_id(path)]


def _records_by_id(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    name = str(path)
    records = JsonPart(read_json(path), name, "the file").expect(list)
    for place, record in enumerate(records):
        yield JsonPart(record, f"{name}[{place}]").member("doc_id", str), record


def standoff(
    id: str,
    text: str,
    annotator: str,
    mentions: Iterable[tuple[int, int, str, str, str]],
    split: str,
) -> dict[str, Any]:
    """Return a document in TAB's form.

    Args:
        id: of the document.
        text: of the document.
        annotator: the only annotator.
        mentions: each mention's start, end, semantic type, identifier type and entity.
        split: the part of the corpus, like train.
    """
    records = [
        {
            "entity_type": type,
            "entity_mention_id": f"m{number}",
            "entity_id": entity,
            "start_offset": start,
            "end_offset": end,
            "span_text": text[start:end],
            "identifier_type": identifier,
            "confidential_status": "NOT_CONFIDENTIAL",
        }
        for number, (start, end, type, identifier, entity) in enumerate(mentions)
    ]
    annotations = {annotator: {"entity_mentions": records}}
    return {"doc_id": id, "text": text, "dataset_type": split, "annotations": annotations}


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a gzipped JSONL file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def texts_by_name(path: Path) -> dict[str, str]:
    """Return the texts of a gzipped JSON file, ``{name: text}``."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        texts: dict[str, str] = json.load(file)
    return texts


# One in this many documents is held out of training.
_HELD_OUT = 10


def is_held_out(name: str) -> bool:
    """Tell from its name alone whether a document is held out of training, for calibration and bounds."""
    return crc32(name.encode()) % _HELD_OUT == 0


def by_annotator(document: GoldDocument) -> list[list[GoldMention]]:
    """Return each annotator's mentions, with an empty list for annotators without any."""
    mentions: dict[str, list[GoldMention]] = {name: [] for name in document.annotators}
    for entity in document.entities:
        mentions[entity.annotator] += entity.mentions
    return list(mentions.values())


def _entity(document: str, number: int, marked: GoldEntity) -> Entity:
    mentions = tuple(
        Mention(mention.span, _type(document, mention), 0.0, 0.0, MentionSource.GOLD)
        for mention in sorted(marked.mentions, key=lambda mention: mention.span)
    )
    return Entity(f"e{number}", _type(document, marked.mentions[0]), number, mentions)


def _type(document: str, mention: GoldMention) -> SemanticType:
    try:
        return SemanticType(mention.type)
    except ValueError:
        raise strange_type(document, mention) from None


def strange_type(document: str, mention: GoldMention, further: str = "") -> InputError:
    """The error for an unknown semantic type, with another way out."""
    return InputError(
        f"type {mention.type!r} of a mention at {mention.span.start} must be one of "
        f"{', '.join(SemanticType)}; rename it with `tacenda convert --rename`{further}",
        document,
    )
