"""The benchmark's gold annotations as frozen values (TAB, sections 3 and 4.3).

This is a view of annotated documents for metrics. The annotators' masking choices are kept
separate, since the metrics are micro-averages over annotators. Mentions may overlap. Entity ids
belong to an annotator: the same id from two annotators means two entities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..annotations import format_named, load
from ..annotations.checked_json import JsonPart
from ..annotations.corpus import AnnotatedDocument, Annotation, Reading, place_of
from ..annotations.tab import load_documents, parse_documents
from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError


@dataclass(frozen=True, slots=True)
class GoldMention:
    """One annotated span.

    Attributes:
        span: its position in the text.
        type: the semantic type, by its name in the corpus.
        identifier: this mention's DIRECT, QUASI or NO_MASK.
        status: the confidential status; NOT_CONFIDENTIAL if the corpus doesn't say.
        id: the mention's id; empty if the corpus has none.
        related: ids of mentions linked to this one by hand.
    """

    span: Span
    type: str
    identifier: IdentifierType
    status: ConfidentialStatus = ConfidentialStatus.NOT_CONFIDENTIAL
    id: str = ""
    related: tuple[str, ...] = ()

    @property
    def needs_masking(self) -> bool:
        """Whether this mention is DIRECT or QUASI."""
        return self.identifier is not IdentifierType.NO_MASK


@dataclass(frozen=True, slots=True)
class GoldEntity:
    """One annotator's mentions with the same entity id, in file order."""

    id: str
    annotator: str
    mentions: tuple[GoldMention, ...]

    @property
    def needs_masking(self) -> bool:
        """Whether any mention is DIRECT or QUASI; only such entities count."""
        return any(mention.needs_masking for mention in self.mentions)

    @property
    def is_direct(self) -> bool:
        """Whether the first mention is DIRECT."""
        return self.mentions[0].identifier is IdentifierType.DIRECT

    @property
    def type(self) -> str:
        """Semantic type of the first mention."""
        return self.mentions[0].type


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A text with the annotations of all its annotators.

    Attributes:
        id: the document's id, unique within a corpus.
        text: the original text.
        split: the part of the corpus it belongs to (``dataset_type``); empty if the corpus isn't
            split.
        annotators: all annotators of the text, including those without mentions.
        reviewed: the annotators whose annotation was reviewed (``quality_checked``).
        entities: all annotators' entities; each one's mentions are in file order.
    """

    id: str
    text: str = field(repr=False)
    split: str
    annotators: tuple[str, ...]
    entities: tuple[GoldEntity, ...]
    reviewed: tuple[str, ...] = field(default=())


def load_gold(
    path: str | Path, split: str | None = None, format: str = "tab"
) -> tuple[GoldDocument, ...]:
    """Read a gold file; ``-`` is standard input.

    Args:
        path: a TAB standoff JSON file, or a file or folder in ``format``.
        split: keep only documents of this ``dataset_type``.
        format: one of ``annotations.format_names()`` that stores texts and identifier types.

    Raises:
        InputError: if the file can't be read, is malformed, or has no document in ``split``.
        UnknownNameError: if the format is unknown.
    """
    if format == "tab":
        annotated: Iterable[AnnotatedDocument] = load_documents(path)
    else:
        source = format_named(format)
        annotated = source.read(load(str(path), source), Reading())
    documents = tuple(map(gold_document, annotated))
    return select_split(documents, split, str(path))


def select_split(
    documents: Sequence[GoldDocument], split: str | None, name: str = "gold"
) -> tuple[GoldDocument, ...]:
    """Return the documents in a split; all documents if ``split`` is None."""
    if split is None:
        return tuple(documents)
    selection = tuple(document for document in documents if document.split == split)
    if not selection:
        splits = ", ".join(sorted({repr(document.split) for document in documents})) or "none"
        raise InputError(f"no document is of split {split!r}; splits here: {splits}", name)
    return selection


def parse_gold(records: Any, name: str = "gold") -> tuple[GoldDocument, ...]:
    """Return the gold documents in parsed standoff JSON.

    Args:
        records: list of documents in the form of the TAB release.
        name: the file name, for messages.

    Raises:
        InputError: if the JSON is malformed; names the document, the place and the fault.
    """
    return tuple(map(gold_document, parse_documents(records, name)))


def gold_document(document: AnnotatedDocument) -> GoldDocument:
    """Return an annotated document of any format as gold.

    Raises:
        InputError: if its text or a mention's identifier type is missing, or one of TAB's keys is
            malformed.
    """
    if document.text is None:
        raise InputError("gold needs the text, which is missing", document.id)
    id = document.id
    properties = JsonPart(document.properties, id)
    return GoldDocument(
        id=id,
        text=document.text,
        split=properties.string("dataset_type"),
        annotators=tuple(annotation.annotator for annotation in document.annotations),
        entities=tuple(
            entity for annotation in document.annotations for entity in _entities(annotation, id)
        ),
        reviewed=properties.strings("quality_checked"),
    )


def _entities(annotation: Annotation, id: str) -> list[GoldEntity]:
    groups: dict[str, list[GoldMention]] = {}
    for position, mention in enumerate(annotation.mentions):
        if mention.identifier is None:
            place = place_of(annotation, position)
            raise InputError(f"{place}: gold needs an identifier type, which is missing", id)
        related: tuple[str, ...] = ()
        if _RELATED in mention.properties:
            at = f"annotations[{annotation.annotator!r}].entity_mentions[{position}]"
            related = JsonPart(mention.properties, id, at).strings(_RELATED)
        groups.setdefault(mention.entity, []).append(
            GoldMention(
                mention.extent,
                mention.type,
                mention.identifier,
                mention.status or ConfidentialStatus.NOT_CONFIDENTIAL,
                mention.id,
                related,
            )
        )
    return [GoldEntity(id, annotation.annotator, tuple(group)) for id, group in groups.items()]


_RELATED = "related_mentions"


def splits_of(documents: Sequence[GoldDocument]) -> tuple[str, ...]:
    """Return the sorted names of the documents' splits."""
    return tuple(sorted({document.split or "none" for document in documents}))
