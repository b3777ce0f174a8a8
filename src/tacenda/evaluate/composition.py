"""Composition of a corpus: Tables 1 to 4 of the benchmark paper (TAB, sections 4.3 and 5.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from statistics import fmean, pstdev
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType
from .gold import GoldDocument, GoldMention

TOKEN: Final = re.compile(r"\w+|[^\w\s]")
"""A word or a punctuation mark: tokens as a corpus is measured in."""


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A row of Table 1.

    Attributes:
        documents: number of documents.
        annotations: number of documents, each counted once per annotator.
        reviewed: number of annotations reviewed by another annotator.
    """

    documents: int
    annotations: int
    reviewed: int

    @property
    def annotators_per_document(self) -> float:
        """The average number of annotators per document."""
        return self.annotations / self.documents


@dataclass(frozen=True, slots=True)
class TypeRow:
    """A row of Table 3: how many mentions of a semantic type there are, in total and by kind."""

    mentions: int
    direct: int
    quasi: int
    confidential: int


@dataclass(frozen=True, slots=True)
class Composition:
    """The composition of a corpus.

    Attributes:
        splits: Table 1, by name of the split.
        multiple: number of documents with several annotators (Table 2, like all that follow).
        entities: number of distinct entities, per annotator.
        mentions: number of annotated mentions.
        tokens: number of words and punctuation marks in all documents.
        relations: number of pairs of mentions that an annotator linked by hand (section 5.4).
        types: Table 3, the most frequent first.
        confidential: Table 4, mentions by confidential status, the most frequent first.
        masked_share: each annotator's share of masked entities, averaged over annotators.
        masked_deviation: the standard deviation of that share.
    """

    splits: Mapping[str, SplitRow]
    multiple: int
    entities: int
    mentions: int
    tokens: int
    relations: int
    types: Mapping[str, TypeRow]
    confidential: Mapping[ConfidentialStatus, int]
    masked_share: float | None
    masked_deviation: float | None

    @property
    def all_splits(self) -> SplitRow:
        """The sum of Table 1."""
        return SplitRow(*_sums(self.splits.values(), 3))

    @property
    def all_types(self) -> TypeRow:
        """The sum of Table 3."""
        return TypeRow(*_sums(self.types.values(), 4))

    def as_json(self) -> dict[str, Any]:
        """Return the JSON of ``tacenda evaluate stats --json``; its form is stable."""
        total = self.all_splits
        return {
            "splits": {
                name: {**asdict(row), "annotators_per_document": row.annotators_per_document}
                for name, row in self.splits.items()
            },
            "documents": total.documents,
            "annotations": total.annotations,
            "documents_with_multiple_annotators": self.multiple,
            "reviewed": total.reviewed,
            "entities": self.entities,
            "mentions": self.mentions,
            "tokens": self.tokens,
            "relations": self.relations,
            "types": {name: asdict(row) for name, row in self.types.items()},
            "confidential": {status.value: n for status, n in self.confidential.items()},
            "masked_share_of_entities": self.masked_share,
            "masked_share_deviation": self.masked_deviation,
        }


def _sums(rows: Iterable[SplitRow | TypeRow], columns: int) -> list[int]:
    """Return the sum of each column."""
    table = [astuple(row) for row in rows]
    return [sum(row[column] for row in table) for column in range(columns)]


def describe(documents: Sequence[GoldDocument]) -> Composition:
    """Describe the composition of a corpus."""
    entities = [entity for document in documents for entity in document.entities]
    mentions = [mention for entity in entities for mention in entity.mentions]
    shares = _masked_shares(documents)
    return Composition(
        splits=_splits(documents),
        multiple=sum(len(document.annotators) > 1 for document in documents),
        entities=len(entities),
        mentions=len(mentions),
        tokens=sum(sum(1 for _ in TOKEN.finditer(document.text)) for document in documents),
        relations=relations_by_type(mentions).total(),
        types=_types(mentions),
        confidential=_confidential(mentions),
        masked_share=fmean(shares) if shares else None,
        masked_deviation=pstdev(shares) if shares else None,
    )


def _splits(documents: Iterable[GoldDocument]) -> dict[str, SplitRow]:
    by_split: dict[str, list[GoldDocument]] = {}
    for document in documents:
        by_split.setdefault(document.split or "none", []).append(document)
    return {
        name: SplitRow(
            documents=len(group),
            annotations=sum(len(document.annotators) for document in group),
            reviewed=sum(len(document.reviewed) for document in group),
        )
        for name, group in by_split.items()
    }


def _types(mentions: Iterable[GoldMention]) -> dict[str, TypeRow]:
    by_type: dict[str, list[GoldMention]] = {}
    for mention in mentions:
        by_type.setdefault(mention.type, []).append(mention)
    ordered = sorted(by_type.items(), key=lambda item: (-len(item[1]), item[0]))
    return {
        name: TypeRow(
            mentions=len(group),
            direct=sum(mention.identifier is IdentifierType.DIRECT for mention in group),
            quasi=sum(mention.identifier is IdentifierType.QUASI for mention in group),
            confidential=sum(_is_confidential(mention) for mention in group),
        )
        for name, group in ordered
    }


def _confidential(mentions: Iterable[GoldMention]) -> dict[ConfidentialStatus, int]:
    counts = Counter(mention.status for mention in mentions)
    statuses = [status for status in ConfidentialStatus if status is not _NOT_CONFIDENTIAL]
    statuses.sort(key=lambda status: -counts[status])
    return {status: counts[status] for status in (*statuses, _NOT_CONFIDENTIAL)}


def _masked_shares(documents: Iterable[GoldDocument]) -> list[float]:
    by_annotator: dict[str, list[bool]] = {}
    for document in documents:
        for entity in document.entities:
            by_annotator.setdefault(entity.annotator, []).append(entity.needs_masking)
    return [fmean(masked) for masked in by_annotator.values()]


def relations_by_type(mentions: Iterable[GoldMention]) -> Counter[str]:
    """Count the pairs of mentions linked by hand, by the type of the mention that has the link."""
    # Either mention may have the link, so pairs are counted by their unordered ids.
    pairs: dict[frozenset[str], str] = {}
    for mention in mentions:
        for related_id in mention.related:
            if mention.id:
                pairs.setdefault(frozenset((mention.id, related_id)), mention.type)
    return Counter(pairs.values())


_NOT_CONFIDENTIAL: Final = ConfidentialStatus.NOT_CONFIDENTIAL


def _is_confidential(mention: GoldMention) -> bool:
    return mention.status is not _NOT_CONFIDENTIAL
