"""Entities as the product finds them, beside what annotators decided."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...detect.merge import merge
from ...document import Document, Entity, Mention, SemanticType, Span
from ...evaluate.gold import GoldDocument, load_gold
from ...link.linking import link
from ...pipeline import Analysis


@dataclass(frozen=True, slots=True)
class Judged:
    """A document with its entities.

    Attributes:
        document: the text.
        entities: as found and linked by the product.
        shares: of each entity, in [0, 1], the annotators by whom it is masked: at least half of
            one of its mentions is.
    """

    document: Document
    entities: tuple[Entity, ...]
    shares: tuple[float, ...]


def read_documents(path: Path) -> dict[str, GoldDocument]:
    """Return the documents of a gold file by name."""
    return {document.id: document for document in load_gold(path)}


def judged(analyses: Sequence[Analysis], gold: dict[str, GoldDocument]) -> Iterator[Judged]:
    """Yield each analysed document with what its annotators decided."""
    for analysis in analyses:
        document = analysis.document
        masked = _masked(gold[document.id])
        entities = link(document, analysis.mentions)
        yield Judged(document, entities, tuple(_share(entity, masked) for entity in entities))


def read_biographies(path: Path) -> list[Judged]:
    """Return the biographies with their annotated spans as entities: one annotator each."""
    items = []
    for record in json.loads(path.read_text(encoding="utf-8")):
        masked = {
            Span(mark["start"], mark["end"]): mark["label"] != "NO_MASK" for mark in record["spans"]
        }
        types = {Span(mark["start"], mark["end"]): mark["type"] for mark in record["spans"]}
        document = Document(record["doc_id"], record["text"])
        mentions = merge(
            document.text,
            [
                Mention(span, SemanticType(types[span]), float(sure), 0.0, "gold")
                for span, sure in masked.items()
            ],
        )
        entities = link(document, mentions)
        shares = tuple(
            float(any(mention.masking for mention in entity.mentions)) for entity in entities
        )
        items.append(Judged(document, entities, shares))
    return items


def _masked(document: GoldDocument) -> list[list[bool]]:
    """Return for each annotator which code points are masked."""
    found = {annotator: [False] * len(document.text) for annotator in document.annotators}
    for entity in document.entities:
        for mention in entity.mentions:
            if mention.needs_masking:
                covered = found[entity.annotator]
                length = mention.span.end - mention.span.start
                covered[mention.span.start : mention.span.end] = [True] * length
    return list(found.values())


def _share(entity: Entity, masked: Sequence[list[bool]]) -> float:
    hits = sum(
        any(
            2 * sum(covered[mention.span.start : mention.span.end]) >= len(mention.span)
            for mention in entity.mentions
        )
        for covered in masked
    )
    return hits / len(masked)
