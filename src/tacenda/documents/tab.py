"""TAB standoff JSON: a list of documents with their text and, maybe, annotations.

The format of the Text Anonymization Benchmark (Pilán et al. 2022, section 4). Annotations that
come in are checked, not used: ``sanitize`` decides by itself. Overlapping mentions are legal (the
benchmark has them); reversed ones, empty ones and those past the end of the text are not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from ..document import Document, IdentifierType, Mention
from ..errors import InputError
from ..result import Result
from .decoding import BYTE_ORDER_MARK, check_surrogates, read_text, writable
from .record import Failure, Numbering, Origin, Output, SourceDocument

ANNOTATOR = "tacenda"


def load_list(stream: BinaryIO, origin: Origin) -> list[Any]:
    """Read a file that is one JSON list.

    Raises:
        InputError: if it isn't.
    """
    text = read_text(stream, origin.encoding, origin.name).removeprefix(BYTE_ORDER_MARK)
    if not text.strip():
        return []
    try:
        items = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"line {error.lineno}, column {error.colno}: not JSON; mend the file.", origin.name
        ) from None
    except (ValueError, RecursionError):
        raise InputError(
            "not JSON that can be read: nested too deep or a number too long; mend the file.",
            origin.name,
        ) from None
    if not isinstance(items, list):
        raise InputError(
            f"holds one JSON {type(items).__name__}, not a list of documents; put it in [ ].",
            origin.name,
        )
    return items


def read(items: Sequence[Any], origin: Origin) -> Iterator[SourceDocument | Failure]:
    """Yield one record for each document of a parsed TAB file, or what is wrong with it."""
    ids: set[str] = set()
    for index, item in enumerate(items):
        try:
            document = _document(item, f"{origin.name}[{index}]")
            if document.id in ids:
                raise InputError(
                    f"doc_id occurs again at [{index}] of {origin.name}; give each document its "
                    "own.",
                    document.id,
                )
            ids.add(document.id)
        except InputError as error:
            yield Failure(error)
            continue
        split = item.get("dataset_type")
        yield SourceDocument(
            document,
            origin,
            document.text,
            (),
            declared=True,
            split=split if isinstance(split, str) else "",
        )


def _document(item: Any, place: str) -> Document:
    if not isinstance(item, Mapping):
        raise InputError("is not a JSON object with doc_id and text; mend the entry.", place)
    name = item.get("doc_id")
    if not isinstance(name, str) or not name:
        raise InputError("key 'doc_id' is missing or not a string; add it.", place)
    check_surrogates(name, place)
    text = item.get("text")
    if not isinstance(text, str):
        raise InputError("key 'text' is missing or not a string; add it.", name)
    check_surrogates(text, name)
    annotations = item.get("annotations") or {}
    if not isinstance(annotations, Mapping):
        raise InputError("annotations is not an object by annotator; mend it.", name)
    for number, annotation in enumerate(annotations.values(), 1):
        at = f"annotations[{number}].entity_mentions"
        mentions = annotation.get("entity_mentions") if isinstance(annotation, Mapping) else None
        if not isinstance(mentions, list):
            raise InputError(f"{at} is missing or not a list; add it.", name)
        for index, mention in enumerate(mentions):
            _check_mention(mention, len(text), name, f"{at}[{index}]")
    return Document(name, text)


def _check_mention(mention: Any, length: int, document: str, at: str) -> None:
    if not isinstance(mention, Mapping):
        raise InputError(f"{at} is not an object; mend it.", document)
    start, end = mention.get("start_offset"), mention.get("end_offset")
    if not isinstance(start, int) or not isinstance(end, int):
        raise InputError(
            f"{at}: start_offset or end_offset is missing or no integer; add it.", document
        )
    if not 0 <= start < end <= length:
        raise InputError(
            f"{at}: [{start}, {end}) is no span of a text of {length} code points; "
            "0 <= start < end <= length must hold.",
            document,
        )


def mentions_of(sanitized: Result) -> list[dict[str, object]]:
    """Return all mentions of a document, masked or kept, as TAB writes them.

    A kept entity is NO_MASK whatever the recognizer thought of it: what counts is the decision.
    """
    text, name = sanitized.document.text, sanitized.document.id
    rows: list[tuple[Mention, str, IdentifierType]] = []
    for decision in sanitized.decisions:
        identifier = decision.identifier
        if not decision.masked:
            identifier = IdentifierType.NO_MASK
        elif identifier is IdentifierType.NO_MASK:
            identifier = IdentifierType.QUASI
        rows += [(mention, decision.entity.id, identifier) for mention in decision.entity.mentions]
    rows.sort(key=lambda item: item[0].span)
    return [
        {
            "entity_type": str(mention.type),
            "entity_mention_id": f"{name}_{ANNOTATOR}_em{number}",
            "start_offset": mention.span.start,
            "end_offset": mention.span.end,
            "span_text": mention.span.of(text),
            "edit_type": "check",
            "identifier_type": str(identifier),
            "entity_id": f"{name}_{ANNOTATOR}_{entity}",
            "confidential_status": "NOT_CONFIDENTIAL",
        }
        for number, (mention, entity, identifier) in enumerate(rows, 1)
    ]


class TabWriter:
    """``--to tab``: the *original* texts, with tacenda as the one annotator."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._numbering = Numbering()

    def write(self, record: SourceDocument, sanitized: Result) -> None:
        """Write one document of the list."""
        item = {
            "doc_id": self._numbering.public_id(record, sanitized, joins=True),
            "dataset_type": record.split,
            "text": sanitized.document.text,
            "annotations": {ANNOTATOR: {"entity_mentions": mentions_of(sanitized)}},
        }
        opening = "[\n" if self._output.path is None else ",\n"
        self._output.emit(opening + writable(json.dumps(item, ensure_ascii=False)))

    def close(self) -> None:
        """End the list."""
        self._output.emit("[]\n" if self._output.path is None else "\n]\n")
