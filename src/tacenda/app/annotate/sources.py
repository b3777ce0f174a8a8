"""Files to documents to annotate, with what is marked in them if that is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...document import SemanticType
from ...documents.reading import read
from ...documents.record import Failure
from ...errors import InputError
from ...evaluate.gold import GoldEntity, GoldMention, parse_gold, read_json
from .marks import SUPPRESSED, UNMARKED, Mark, Marks
from .store import Source


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is taken from annotations that files already have.

    Attributes:
        marks: whether their spans are marked.
        decisions: whether identifier types, entities and options are taken too; without them a
            mark is a span and a type, and annotators decide the rest.
        by: whose annotation; empty for the first one.
    """

    marks: bool = False
    decisions: bool = False
    by: str = ""


def from_files(
    paths: Iterable[str], target: Sequence[str] = (), wanted: Wanted | None = None
) -> Iterator[Source]:
    """Yield the documents of files and folders, in order.

    Args:
        paths: as ``corpora.read`` takes them.
        target: names of the person to protect; those of the file if empty.
        wanted: what is taken from annotations.

    Raises:
        InputError: if one can't be read, or its annotations are at fault.
    """
    chosen = wanted or Wanted()
    parsed: dict[str, dict[str, Mapping[str, Any]]] = {}
    for path in paths:
        for item in read(path):
            if isinstance(item, Failure):
                raise item.error
            raw: Mapping[str, Any] = {}
            if item.origin.format == "tab":
                place = item.origin.path
                if place not in parsed:
                    parsed[place] = {entry["doc_id"]: entry for entry in read_json(place)}
                raw = parsed[place][item.document.id]
            marks = _marks(raw, chosen) if chosen.marks and raw.get("annotations") else UNMARKED
            names = tuple(target) or item.document.target or _target(raw)
            yield Source(item.document.id, item.document.text, item.split, names, marks)


def _target(raw: Mapping[str, Any]) -> tuple[str, ...]:
    """Return whom the file says to protect: ``meta.applicant``, or the end of ``task``."""
    meta = raw.get("meta")
    name = meta.get("applicant") if isinstance(meta, Mapping) else None
    if isinstance(name, str) and name.strip():
        return (name.strip(),)
    task = raw.get("task")
    said = task.rpartition(":")[2].strip() if isinstance(task, str) else ""
    return (said,) if said else ()


def _marks(raw: Mapping[str, Any], wanted: Wanted) -> Marks:
    (document,) = parse_gold([raw])
    by = wanted.by or document.annotators[0]
    if by not in document.annotators:
        known = ", ".join(document.annotators)
        raise InputError(f"annotator {by!r} is not there; these are: {known}", document.id)
    # The mentions of a file, by span: options and ``edit_type`` are not in parsed gold.
    raws = {
        (item["start_offset"], item["end_offset"]): item
        for item in raw["annotations"][by]["entity_mentions"]
    }
    marks: dict[tuple[int, int], Mark] = {}
    for entity in document.entities:
        for mention in entity.mentions if entity.annotator == by else ():
            span = (mention.span.start, mention.span.end)
            if span in marks:
                raise InputError(
                    f"{by!r} marked [{span[0]}, {span[1]}) twice; one mention a span can be "
                    "annotated.",
                    document.id,
                )
            marks[span] = _mark(entity, mention, raws[span], wanted, document.id)
    return Marks(by, tuple(sorted(marks.values(), key=lambda mark: mark.span)))


def _mark(
    entity: GoldEntity, mention: GoldMention, raw: Mapping[str, Any], wanted: Wanted, name: str
) -> Mark:
    if mention.type not in SemanticType.__members__:
        known = ", ".join(SemanticType)
        raise InputError(f"entity_type {mention.type!r} is none of {known}", name)
    type = SemanticType(mention.type)
    if not wanted.decisions:
        return Mark(mention.span, type)
    return Mark(
        mention.span,
        type,
        mention.identifier,
        mention.status,
        entity.id,
        str(raw.get("edit_type") or "check"),
        _options(raw.get("replacement"), name, mention.span.start),
    )


def _options(replacement: Any, name: str, start: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not replacement:
        return ()
    generalizations = replacement.get("generalizations") if isinstance(replacement, dict) else None
    if not isinstance(generalizations, dict):
        raise InputError(f"mention at {start}: replacement.generalizations must be an object", name)
    options = []
    for source, value in generalizations.items():
        texts = dict.fromkeys(text for text in _texts(value) if text != SUPPRESSED)
        options.append((str(source), (*texts, SUPPRESSED)))
    return tuple(options)


def _texts(value: Any) -> Iterator[str]:
    """Yield the options of a source, however deep they are."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
