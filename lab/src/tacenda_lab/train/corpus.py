"""Entities as annotators saw them, with what they masked: what risk indicators are fitted to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tacenda.annotations.checked_json import read_json
from tacenda.document import Document, Entity, Mention, MentionSource, SemanticType
from tacenda.evaluate.gold import GoldDocument, GoldEntity, GoldMention, load_gold


@dataclass(frozen=True, slots=True)
class AnnotatorView:
    """A document as one annotator saw it.

    Attributes:
        document: with the target that the file's ``meta`` names, if any.
        entities: all that the annotator marked.
        masked: which of them must be masked, by index.
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
    """Return the name that ``meta`` gives the applicant of each document; none where it does not."""
    names = {
        record["doc_id"]: record.get("meta", {}).get("applicant", "").strip()
        for record in read_json(path)
    }
    return {id: (name,) if name else () for id, name in names.items()}


def document_ids(*paths: Path) -> set[str]:
    """Return the names of the documents of JSON files, of which nothing else is read."""
    return {record["doc_id"] for path in paths for record in read_json(path)}


def by_annotator(document: GoldDocument) -> list[list[GoldMention]]:
    """Return the mentions of each annotator, also of who marked nothing."""
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
