"""Documents to annotate: from files or a review, marked by the recognizer, with options for each mark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...annotations.checked_json import read_json
from ...annotations.corpus import AnnotatedDocument, AnnotatedMention
from ...annotations.tab import parse_document
from ...document import (
    ConfidentialStatus,
    Decision,
    Document,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    SemanticType,
    Span,
)
from ...documents.reading import read
from ...documents.record import Failure
from ...documents.tab import annotated
from ...errors import InputError
from ...evaluate.replacement_gold import options_by_source
from ...pipeline import Sanitizer
from ...policy import Policy
from ...result import Result
from ...rewrite.generalize.options import propose_options
from ..service import Service
from ..store.documents import Status
from .annotation import SUPPRESSED, UNMARKED, MarkedMention, SpanMark, SpanMarks
from .events import replay
from .store import AnnotationSource


def occurrences(text: str, span: Span) -> Iterator[Span]:
    """Yield all places that have the string of ``span`` as whole words, in order.

    If the string starts or ends inside a word at its own place, it may do so elsewhere.
    """
    string = span.of(text)
    cuts = _cut(text, span)
    start = text.find(string)
    while start >= 0:
        place = Span(start, start + len(string))
        if place == span or all(
            here or not there for here, there in zip(cuts, _cut(text, place), strict=True)
        ):
            yield place
            start = place.end - 1
        start = text.find(string, start + 1)


def _cut(text: str, span: Span) -> tuple[bool, bool]:
    """Return whether the span cuts a word at its start, and at its end."""
    return (
        span.start > 0 and text[span.start - 1].isalnum() and text[span.start].isalnum(),
        span.end < len(text) and text[span.end - 1].isalnum() and text[span.end].isalnum(),
    )


@dataclass(frozen=True, slots=True)
class MarkOptions:
    """Which annotations to take from files.

    Attributes:
        marks: whether to mark their spans.
        decisions: whether to take identifier types, entities and options, too; otherwise a mark is
            a span with a type, and annotators decide the rest.
        by: the annotator whose annotations to take; empty for the first one.
    """

    marks: bool = False
    decisions: bool = False
    by: str = ""


def from_files(
    paths: Iterable[str], target: Sequence[str] = (), options: MarkOptions | None = None
) -> Iterator[AnnotationSource]:
    """Yield the documents of files and folders, in order.

    Args:
        paths: paths, as for ``documents.read``.
        target: names of the person to protect; if empty, those in the file.
        options: which annotations to take.

    Raises:
        InputError: if a file can't be read or has invalid annotations.
    """
    options = options or MarkOptions()
    records: dict[str, dict[str, Mapping[str, Any]]] = {}
    for path in paths:
        for item in read(path):
            if isinstance(item, Failure):
                raise item.error
            id, marks = item.document.id, UNMARKED
            record: Mapping[str, Any] = {}
            if item.origin.format == "tab":
                file = item.origin.path
                if file not in records:
                    records[file] = {entry["doc_id"]: entry for entry in read_json(file)}
                record = records[file][id]
            # Annotations that aren't used may be in any corpus's format.
            if options.marks and record.get("annotations"):
                marks = _marks(parse_document(record, id), options)
            names = tuple(target) or item.document.target or _target(record)
            yield AnnotationSource(id, item.document.text, item.split, names, marks)


def _target(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the file's names of the person to protect: ``meta.applicant``, or the end of ``task``."""
    meta = record.get("meta")
    name = meta.get("applicant") if isinstance(meta, Mapping) else None
    if isinstance(name, str) and name.strip():
        return (name.strip(),)
    task = record.get("task")
    words = task.rpartition(":")[2].strip() if isinstance(task, str) else ""
    return (words,) if words else ()


def _marks(document: AnnotatedDocument, options: MarkOptions) -> SpanMarks:
    annotations = {annotation.annotator: annotation for annotation in document.annotations}
    by = options.by or next(iter(annotations))
    if by not in annotations:
        names = ", ".join(annotations)
        raise InputError(f"annotator {by!r} not found; choose one of {names}", document.id)
    marks: dict[Span, SpanMark] = {}
    for mention in annotations[by].mentions:
        span = mention.extent
        if span in marks:
            raise InputError(
                f"{by!r} marked [{span.start}, {span.end}) twice; one mention a span can be "
                "annotated.",
                document.id,
            )
        marks[span] = _mark(mention, options, document.id)
    return SpanMarks(by, tuple(sorted(marks.values(), key=lambda mark: mark.span)))


def _mark(mention: AnnotatedMention, options: MarkOptions, document: str) -> SpanMark:
    if mention.type not in SemanticType.__members__:
        names = ", ".join(SemanticType)
        raise InputError(f"entity_type {mention.type!r} must be one of {names}", document)
    type = SemanticType(mention.type)
    if not options.decisions:
        return SpanMark(mention.extent, type)
    return SpanMark(
        mention.extent,
        type,
        mention.identifier,
        mention.status or ConfidentialStatus.NOT_CONFIDENTIAL,
        mention.entity,
        str(mention.properties.get("edit_type") or "check"),
        _options(mention, document),
    )


def _options(mention: AnnotatedMention, document: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not mention.properties.get("replacement"):
        return ()
    return tuple(
        (source, (*dict.fromkeys(text for text in texts if text != SUPPRESSED), SUPPRESSED))
        for source, texts in options_by_source(mention, document).items()
    )


RECOGNIZER = "recognizer"


def recognized(
    sources: Iterable[AnnotationSource], sanitizer: Sanitizer, decisions: bool
) -> Iterator[AnnotationSource]:
    """Yield the sources; those without marks get the sanitizer's mentions as marks.

    Args:
        sources: the documents.
        sanitizer: finds, links and decides on mentions.
        decisions: whether marks get its decisions and entities, or only a span and a type.
    """
    for source in sources:
        if source.marks.items:
            yield source
            continue
        document = Document(source.name, source.text, source.target)
        (sanitized,) = sanitizer.pipe([document], batch_size=1)
        yield replace(source, marks=marks_in(sanitized, decisions))


def marks_in(sanitized: Result, decisions: bool) -> SpanMarks:
    """Return the marks in a sanitizer's result, with its decisions, or only as spans with types."""
    marks = _marks(annotated(sanitized), MarkOptions(decisions=decisions))
    return replace(marks, by=RECOGNIZER)


OWN = "tacenda"
"""The source of our options, where WikiReplace names rules and properties of Wikidata."""


def with_options(source: AnnotationSource, policy: Policy) -> AnnotationSource:
    """Return the source with options for each masked mark; existing options stay.

    Args:
        source: the document; all marks of an entity get the same options.
        policy: the policy for the operator *generalize*.
    """
    annotation = replay(source.text, source.marks, ())
    entities = [
        masked
        for mentions in annotation.entities().values()
        if (masked := [mention for mention in mentions if mention.masked])
    ]
    if not entities:
        return source
    decisions = _decisions(entities)
    document = Document(source.name, source.text, source.target)
    texts = {
        mention.span: tuple(option.text for option in decision.options)
        for decision in propose_options(document, decisions, policy)
        for mention in decision.entity.mentions
    }
    items = tuple(
        mark if mark.options or mark.span not in texts else _offered(mark, texts[mark.span])
        for mark in source.marks.items
    )
    return replace(source, marks=SpanMarks(source.marks.by, items))


def _offered(mark: SpanMark, texts: tuple[str, ...]) -> SpanMark:
    return replace(mark, options=((OWN, texts),))


def _decisions(entities: Sequence[Sequence[MarkedMention]]) -> list[Decision]:
    numbers: dict[str, int] = {}
    decisions = []
    for mentions in entities:
        first = mentions[0]
        numbers[first.type] = numbers.get(first.type, 0) + 1
        members = tuple(
            Mention(item.span, first.type, 1.0, 0.0, MentionSource.GOLD) for item in mentions
        )
        entity = Entity(f"e{first.entity}", first.type, numbers[first.type], members)
        direct = any(item.identifier is IdentifierType.DIRECT for item in mentions)
        identifier = IdentifierType.DIRECT if direct else IdentifierType.QUASI
        decisions.append(Decision(entity, True, "generalize", identifier, 1.0, ()))
    return decisions


def sources_of(service: Service, project: int, marked: bool) -> list[AnnotationSource]:
    """Return the analyzed documents of a review.

    Args:
        service: the service of their store.
        project: number of the review.
        marked: whether detected mentions become initial marks.
    """
    sources: dict[str, AnnotationSource] = {}
    for row in service.store.documents.of(project):
        if row.status is not Status.READY:
            continue
        sanitized = service.open(row.id).reviewed.sanitized
        document = sanitized.document
        # An annotation project identifies documents by name.
        name = f"{row.name} ({row.place})" if row.name in sources else row.name
        marks = marks_in(sanitized, False) if marked else UNMARKED
        sources[name] = AnnotationSource(name, document.text, target=document.target, marks=marks)
    return list(sources.values())
