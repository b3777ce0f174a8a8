"""Documents of the data folder: files of records, which are kept from training, annotators' views."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from tacenda.annotations.checked_json import read_json
from tacenda.document import Document, Entity, Mention, MentionSource, SemanticType
from tacenda.evaluate.gold import GoldDocument, GoldEntity, GoldMention, load_gold


@dataclass(frozen=True, slots=True)
class AnnotatorView:
    """A document in one annotator's view.

    Attributes:
        document: with the target in the file's ``meta``, if any.
        entities: all entities marked by the annotator.
        masked: whether each of them must be masked.
    """

    document: Document
    entities: tuple[Entity, ...]
    masked: tuple[bool, ...]


def read_annotated(path: Path) -> Iterator[AnnotatorView]:
    """Yield each document once for each annotator.

    Raises:
        InputError: the file is no gold in TAB's standoff form.
    """
    names = applicants(path)
    for document in load_gold(path):
        of_text = Document(document.id, document.text, names[document.id])
        for annotator in document.annotators:
            marked = [entity for entity in document.entities if entity.annotator == annotator]
            if marked:
                yield AnnotatorView(
                    of_text,
                    tuple(_entity(number, entity) for number, entity in enumerate(marked, 1)),
                    tuple(entity.needs_masking for entity in marked),
                )


def first_annotations(path: Path) -> list[AnnotatorView]:
    """Return each document once, as its first annotator saw it."""
    documents: dict[str, AnnotatorView] = {}
    for annotated in read_annotated(path):
        documents.setdefault(annotated.document.id, annotated)
    return list(documents.values())


def applicants(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the applicant's name in the ``meta`` of each document; none without one."""
    names = {
        record["doc_id"]: record.get("meta", {}).get("applicant", "").strip()
        for record in read_json(path)
    }
    return {id: (name,) if name else () for id, name in names.items()}


def document_ids(*paths: Path) -> set[str]:
    """Return the document names of JSON files, ignoring everything else."""
    return {record["doc_id"] for path in paths for record in read_json(path)}


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a gzip JSONL file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def texts_by_name(path: Path) -> dict[str, str]:
    """Return the texts of a gzip JSON file, ``{name: text}``."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        texts: dict[str, str] = json.load(file)
    return texts


# Of every this many documents one is kept from training.
_HELD_OUT = 10


def is_held_out(name: str) -> bool:
    """Tell whether a document is kept from training, to calibrate and to bound on, by its name only."""
    return crc32(name.encode()) % _HELD_OUT == 0


def by_annotator(document: GoldDocument) -> list[list[GoldMention]]:
    """Return the mentions of each annotator, with an empty list for one without mentions."""
    mentions: dict[str, list[GoldMention]] = {name: [] for name in document.annotators}
    for entity in document.entities:
        mentions[entity.annotator] += entity.mentions
    return list(mentions.values())


def _entity(number: int, marked: GoldEntity) -> Entity:
    mentions = sorted(marked.mentions, key=lambda mention: mention.span)
    type = SemanticType(marked.type)
    return Entity(
        f"e{number}",
        type,
        number,
        tuple(
            Mention(mention.span, SemanticType(mention.type), 0.0, 0.0, MentionSource.GOLD)
            for mention in mentions
        ),
    )
