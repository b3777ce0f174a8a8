"""Gold annotations in TAB's standoff JSON, as frozen values (TAB, sections 3 and 4.3).

A file is a list of documents, each with the annotations of one or several annotators. Masking
choices of annotators are kept apart, as the metrics are micro-averages over annotators.
Overlapping mentions are fine. Entity ids belong to their annotator: the same id under two
annotators names two entities.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError

# Reading JSON that somebody else wrote: every fault becomes an InputError that says where.


def read_json(path: str | Path) -> Any:
    """Read a JSON file in UTF-8, with or without a byte order mark; ``-`` is standard input.

    Raises:
        InputError: the file can't be opened, is not UTF-8, is not JSON, or has an object with
            the same key twice.
    """
    return parse_json(read_text(path), str(path))


def read_text(path: str | Path) -> str:
    """Read a text file in UTF-8, with or without a byte order mark; ``-`` is standard input.

    Raises:
        InputError: the file can't be opened or is not UTF-8.
    """
    name = str(path)
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror or error}", name) from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start} is not UTF-8; convert the file to UTF-8", name
        ) from error


def parse_json(text: str, name: str) -> Any:
    """Parse JSON; ``name`` says in messages where it is from.

    Raises:
        InputError: it is not JSON, or has an object with the same key twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise InputError(
            f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}", name
        ) from error
    except RecursionError as error:
        raise InputError("is not JSON of ours: it is nested too deeply", name) from error
    except _DuplicateKeyError as error:
        raise InputError(f"has the key {error.args[0]!r} twice in one object", name) from None
    except ValueError as error:
        raise InputError("is not JSON of ours: a number in it is too long", name) from error


class _DuplicateKeyError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise _DuplicateKeyError(key)
            keys.add(key)
    return result


@dataclass(frozen=True, slots=True)
class GoldMention:
    """One annotated span.

    Attributes:
        span: where it is.
        type: semantic type, as the corpus names it.
        identifier: DIRECT, QUASI or NO_MASK, of this mention.
        status: confidential status; NOT_CONFIDENTIAL where the corpus does not say.
        id: name of the mention; empty if the corpus has none.
        related: ids of mentions that the annotator linked to this one by hand.
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
    """All mentions that one annotator grouped under one entity id, in order of the file."""

    id: str
    annotator: str
    mentions: tuple[GoldMention, ...]

    @property
    def needs_masking(self) -> bool:
        """Whether any mention is DIRECT or QUASI: only such entities are counted."""
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
    """A text with the annotations of everyone who annotated it.

    Attributes:
        id: name of the document, unique in a corpus.
        text: the original.
        split: part of the corpus (``dataset_type``); empty if the corpus has none.
        annotators: everybody who annotated the text, also who marked nothing.
        reviewed: annotators whose annotation another one has reviewed (``quality_checked``).
        entities: of all annotators, the mentions of each in order of the file.
    """

    id: str
    text: str = field(repr=False)
    split: str
    annotators: tuple[str, ...]
    entities: tuple[GoldEntity, ...]
    reviewed: tuple[str, ...] = field(default=())


def load_gold(path: str | Path, split: str | None = None) -> tuple[GoldDocument, ...]:
    """Read a gold file; ``-`` is standard input.

    Args:
        path: a TAB standoff JSON file.
        split: keep only documents of this ``dataset_type``.

    Raises:
        InputError: the file can't be read, is not what it should be, or has no document of
            ``split``.
    """
    return select_split(parse_gold(read_json(path), str(path)), split, str(path))


def select_split(
    documents: Sequence[GoldDocument], split: str | None, name: str = "gold"
) -> tuple[GoldDocument, ...]:
    """Return the documents of a split; all if ``split`` is None."""
    if split is None:
        return tuple(documents)
    selection = tuple(document for document in documents if document.split == split)
    if not selection:
        splits = ", ".join(sorted({repr(document.split) for document in documents})) or "none"
        raise InputError(f"no document is of split {split!r}; splits here: {splits}", name)
    return selection


def parse_gold(records: Any, name: str = "gold") -> tuple[GoldDocument, ...]:
    """Turn parsed standoff JSON into gold documents.

    Args:
        records: list of documents as in the TAB release.
        name: name of the file, for messages.

    Raises:
        InputError: names the document, the place and what is wrong there.
    """
    if not isinstance(records, list):
        raise InputError("must hold a JSON list of documents {doc_id, text, annotations}", name)
    documents: dict[str, GoldDocument] = {}
    for position, record in enumerate(records):
        document = _parse_document(record, f"{name}[{position}]")
        if document.id in documents:
            raise InputError(f"doc_id {document.id!r} at [{position}] is there twice", name)
        documents[document.id] = document
    return tuple(documents.values())


def _parse_document(record: Any, place: str) -> GoldDocument:
    doc_id = _field(record, "doc_id", str, place)
    text = _field(record, "text", str, doc_id)
    annotations = _field(record, "annotations", dict, doc_id)
    entities: list[GoldEntity] = []
    for annotator, annotation in annotations.items():
        where = f"annotations[{annotator!r}]"
        mentions = _field(annotation, "entity_mentions", list, doc_id, where)
        grouped: dict[str, list[GoldMention]] = {}
        for position, raw in enumerate(mentions):
            at = f"{where}.entity_mentions[{position}]"
            mention = _parse_mention(raw, len(text), doc_id, at)
            grouped.setdefault(_field(raw, "entity_id", str, doc_id, at), []).append(mention)
        entities += (GoldEntity(id, annotator, tuple(group)) for id, group in grouped.items())
    return GoldDocument(
        id=doc_id,
        text=text,
        split=_optional(record, "dataset_type", str, doc_id) or "",
        annotators=tuple(annotations),
        entities=tuple(entities),
        reviewed=_strings(record, "quality_checked", doc_id),
    )


def _parse_mention(raw: Any, length: int, doc_id: str, at: str) -> GoldMention:
    start = _field(raw, "start_offset", int, doc_id, at)
    end = _field(raw, "end_offset", int, doc_id, at)
    if not 0 <= start < end <= length:
        raise InputError(
            f"{at}: offsets [{start!r}, {end!r}) are not in the text of {length} code points; "
            f"0 <= start_offset < end_offset <= {length} must hold",
            doc_id,
        )
    status = raw.get("confidential_status") or ConfidentialStatus.NOT_CONFIDENTIAL
    return GoldMention(
        span=Span(start, end),
        type=_field(raw, "entity_type", str, doc_id, at),
        identifier=_IDENTIFIERS[
            _choice(raw.get("identifier_type"), _IDENTIFIERS, "identifier_type", doc_id, at)
        ],
        status=_STATUSES[_choice(status, _STATUSES, "confidential_status", doc_id, at)],
        id=_optional(raw, "entity_mention_id", str, doc_id, at) or "",
        related=_strings(raw, "related_mentions", doc_id, at),
    )


_IDENTIFIERS = {kind.value: kind for kind in IdentifierType}
_STATUSES = {kind.value: kind for kind in ConfidentialStatus}


def _choice(value: Any, choices: Mapping[str, Any], key: str, doc_id: str, at: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"{at}: {key} {value!r} is none of {', '.join(choices)}", doc_id)
    return value


def _strings(record: Any, key: str, document: str, at: str = "") -> tuple[str, ...]:
    values = _optional(record, key, list, document, at) or []
    for position, value in enumerate(values):
        if not isinstance(value, str):
            place = f"{at}: " if at else ""
            raise InputError(
                f"{place}{key}[{position}] must be a string, not {_name(value)}", document
            )
    return tuple(values)


def _optional(record: Any, key: str, kind: type[Any], document: str, at: str = "") -> Any:
    """Return the value of a key that may be absent or null; None then."""
    return None if record.get(key) is None else _field(record, key, kind, document, at)


def _field(record: Any, key: str, kind: type[Any], document: str, at: str = "") -> Any:
    place = f"{at}: " if at else ""
    if not isinstance(record, dict):
        raise InputError(
            f"{place}must be a JSON object with {key!r}, not {_name(record)}", document
        )
    if key not in record:
        raise InputError(f"{place}key {key!r} is missing", document)
    value = record[key]
    if type(value) is not kind:
        raise InputError(
            f"{place}{key!r} must be {_NAMES[kind]}, not {_name(value)}",
            document,
        )
    return value


_NAMES: Mapping[type[Any], str] = {
    str: "a string",
    int: "an integer",
    list: "a list",
    dict: "an object",
}


def _name(value: Any) -> str:
    return _NAMES.get(type(value), type(value).__name__)


def splits_of(documents: Sequence[GoldDocument]) -> tuple[str, ...]:
    """Return the names of the splits that the documents come from, sorted."""
    return tuple(sorted({document.split or "none" for document in documents}))


# The output of a system to evaluate: ``{doc_id: [[start, end], ...]}`` (TAB's own format).


Masks = Mapping[str, Sequence[Span]]
"""Spans masked in each document, by id; they may overlap and be in any order."""


def load_masks(path: str | Path) -> dict[str, tuple[Span, ...]]:
    """Read a prediction file; ``-`` is standard input.

    Raises:
        InputError: the file can't be read or is not what it should be.
    """
    return parse_masks(read_json(path), str(path))


def parse_masks(raw: Any, name: str = "masks") -> dict[str, tuple[Span, ...]]:
    """Turn parsed JSON ``{doc_id: [[start, end], ...]}`` into spans.

    Raises:
        InputError: names the document, the position in its list and what is wrong there.
    """
    if not isinstance(raw, dict):
        raise InputError("must hold a JSON object {doc_id: [[start, end], ...]}", name)
    return {doc_id: _spans(spans, doc_id, name) for doc_id, spans in raw.items()}


def _spans(raw: Any, doc_id: str, name: str) -> tuple[Span, ...]:
    if not isinstance(raw, list):
        raise InputError(f"document {doc_id!r} must have a list of [start, end]", name)
    spans = []
    for position, pair in enumerate(raw):
        if not (isinstance(pair, list) and [type(offset) for offset in pair] == [int, int]):
            raise InputError(
                f"document {doc_id!r}, span {position}: must be [start, end], two integers", name
            )
        start, end = pair
        if not 0 <= start < end:
            raise InputError(
                f"document {doc_id!r}, span {position}: [{start}, {end}) is not a span; "
                "0 <= start < end must hold",
                name,
            )
        spans.append(Span(start, end))
    return tuple(spans)


def check_masks(spans: Sequence[Span], length: int, doc_id: str) -> None:
    """Raise InputError if a span ends past the text of ``length`` code points."""
    for position, span in enumerate(spans):
        if span.end > length:
            raise InputError(
                f"masked span {position}, [{span.start}, {span.end}), ends past the text of "
                f"{length} code points; offsets must be code points of the gold text",
                doc_id,
            )
