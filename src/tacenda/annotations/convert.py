"""Fit a corpus to a target format as the user's options say, or fail.

The steps, in order: choose annotators, choose mentions by identifier type, rename types, fill in
missing values, drop features, join or split discontinuous mentions, extend mentions to tokens,
resolve overlaps. If the result still has more than the target can store, or less than it needs,
that is an error.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final

from ..document import ConfidentialStatus, IdentifierType, Span
from ..errors import InputError
from .capabilities import ConversionOptions, Fragments, Overlaps, check, excess, features_of
from .corpus import (
    MENTION_FIELDS,
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    AnnotationFormat,
    Feature,
    choose_annotator,
    part_annotators,
    place_of,
)

# Properties of mentions: select, rename, fill in, leave out.


def choose_masked(
    document: AnnotatedDocument, only: frozenset[IdentifierType] | None
) -> tuple[AnnotatedDocument, int]:
    """Return a document with only the mentions of some identifier types, and the number left out.

    Args:
        document: any document.
        only: the types to keep; None for all, but then none may be NO_MASK.

    Raises:
        InputError: if ``only`` is given and a mention's identifier type is unknown; or if it isn't
            given and a mention is NO_MASK, since a list of masks would mask it.
    """
    result, left_out = [], 0
    for annotation in document.annotations:
        mentions = []
        for position, mention in enumerate(annotation.mentions):
            if only is None and mention.identifier is IdentifierType.NO_MASK:
                raise InputError(
                    f"{place_of(annotation, position)} is NO_MASK, but the target lists only "
                    "what is to be masked; use --only DIRECT,QUASI to leave it out.",
                    document.id,
                )
            if only is not None and mention.identifier is None:
                raise InputError(
                    f"{place_of(annotation, position)} has no identifier type, which --only "
                    "needs; omit --only.",
                    document.id,
                )
            if only is None or mention.identifier in only:
                mentions.append(mention)
        left_out += len(annotation.mentions) - len(mentions)
        result.append(Annotation(annotation.annotator, tuple(mentions)))
    return replace(document, annotations=tuple(result)), left_out


def rename(document: AnnotatedDocument, names: Mapping[str, str]) -> AnnotatedDocument:
    """Return a document with renamed types."""
    if not names:
        return document
    return _each(
        document, lambda mention: replace(mention, type=names.get(mention.type, mention.type))
    )


def fill(document: AnnotatedDocument, values: Mapping[Feature, str]) -> AnnotatedDocument:
    """Return a document in which mentions that lack a value have these values."""
    if not values:
        return document
    document = _each(document, lambda mention: _filled(mention, values))
    if Feature.ENTITY in values:
        document = replace(
            document,
            annotations=tuple(
                Annotation(one.annotator, _with_entities(one, document, values[Feature.ENTITY]))
                for one in document.annotations
            ),
        )
    return document


def drop(document: AnnotatedDocument, features: Iterable[Feature]) -> AnnotatedDocument:
    """Return a document without these features.

    Annotator names stay if there are several annotators, since they couldn't be told apart without
    them.
    """
    features = frozenset(features)
    if not features:
        return document
    document = _each(document, lambda mention: _without(mention, features))
    if Feature.DOCUMENT_PROPERTIES in features:
        document = replace(document, properties={})
    if Feature.ANNOTATOR in features and len(document.annotations) == 1:
        mentions = document.annotations[0].mentions
        document = replace(document, annotations=(Annotation("", mentions),) if mentions else ())
    return document


def _each(
    document: AnnotatedDocument, change: Callable[[AnnotatedMention], AnnotatedMention]
) -> AnnotatedDocument:
    return replace(
        document,
        annotations=tuple(
            Annotation(one.annotator, tuple(change(mention) for mention in one.mentions))
            for one in document.annotations
        ),
    )


_PARSERS: Final[Mapping[Feature, Callable[[str], Any]]] = {
    Feature.IDENTIFIER_TYPE: IdentifierType,
    Feature.CONFIDENTIAL_STATUS: ConfidentialStatus,
    Feature.SCORE: float,
}


def _filled(mention: AnnotatedMention, values: Mapping[Feature, str]) -> AnnotatedMention:
    features = {Feature.ENTITY, *features_of(mention)}
    missing = {
        MENTION_FIELDS[feature]: _PARSERS.get(feature, str)(value)
        for feature, value in values.items()
        if feature not in features
    }
    return replace(mention, **missing)


def _with_entities(
    annotation: Annotation, document: AnnotatedDocument, how: str
) -> tuple[AnnotatedMention, ...]:
    if how == "string" and document.text is None:
        raise InputError("--fill entity=string needs the text; give --text.", document.id)
    text = document.text or ""
    used = {mention.entity for mention in annotation.mentions}
    unused = (name for name in (f"e{number}" for number in count(1)) if name not in used)
    of_string: dict[tuple[str, ...], str] = {}
    mentions = []
    for mention in annotation.mentions:
        if not mention.entity and how == "mention":
            mention = replace(mention, entity=next(unused))
        elif not mention.entity:
            string = tuple(span.of(text) for span in mention.spans)
            if string not in of_string:
                of_string[string] = next(unused)
            mention = replace(mention, entity=of_string[string])
        mentions.append(mention)
    return tuple(mentions)


def _without(mention: AnnotatedMention, features: frozenset[Feature]) -> AnnotatedMention:
    blank = AnnotatedMention(mention.spans)
    names = (name for feature, name in MENTION_FIELDS.items() if feature in features)
    return replace(mention, **{name: getattr(blank, name) for name in names})


# Positions of mentions: join or split fragments, extend to tokens, resolve overlaps.


Mentions = tuple[AnnotatedMention, ...]

_STRICTNESS = (None, IdentifierType.NO_MASK, IdentifierType.QUASI, IdentifierType.DIRECT)


def join_fragments(mentions: Mentions, how: Fragments) -> tuple[Mentions, int]:
    """Return mentions with one span each, and how many had several."""
    result: list[AnnotatedMention] = []
    for mention in mentions:
        if len(mention.spans) == 1 or how is Fragments.COVER:
            result.append(replace(mention, spans=(mention.extent,)))
        else:
            # Several mentions can't have the same id.
            result += (replace(mention, spans=(span,), id="") for span in mention.spans)
    return tuple(result), sum(len(mention.spans) > 1 for mention in mentions)


def snap(mentions: Mentions, tokens: Sequence[Span], document: str) -> tuple[Mentions, int]:
    """Return mentions extended to exactly the tokens they touch, and the number changed.

    Args:
        mentions: one annotator's mentions.
        tokens: the text's tokens, in order and without overlaps.
        document: the document's id, for messages.

    Raises:
        InputError: if a mention touches no token.
    """
    starts, ends = [token.start for token in tokens], [token.end for token in tokens]
    result = []
    for mention in mentions:
        first = bisect_right(ends, mention.start)
        last = bisect_left(starts, mention.end) - 1
        if first > last:
            raise InputError(
                f"the mention at [{mention.start}, {mention.end}) is white space alone and "
                "touches no token; remove it at its source.",
                document,
            )
        span = Span(starts[first], ends[last])
        result.append(mention if mention.spans == (span,) else replace(mention, spans=(span,)))
    moves = sum(old is not new for old, new in zip(mentions, result, strict=True))
    return tuple(result), moves


def resolve_overlaps(mentions: Mentions, how: Overlaps) -> Mentions:
    """Return mentions without overlaps, in text order."""
    return _merged(mentions) if how is Overlaps.MERGE else _longest(mentions)


def _merged(mentions: Mentions) -> Mentions:
    groups: list[list[AnnotatedMention]] = []
    end = 0
    for mention in sorted(mentions, key=lambda mention: mention.extent):
        if groups and mention.start < end:
            groups[-1].append(mention)
        else:
            groups.append([mention])
        end = max(end, mention.end)
    return tuple(group[0] if len(group) == 1 else _one(group) for group in groups)


def _one(group: Sequence[AnnotatedMention]) -> AnnotatedMention:
    longest = max(group, key=lambda mention: len(mention.extent))
    cover = Span(min(mention.start for mention in group), max(mention.end for mention in group))
    strictest = max((mention.identifier for mention in group), key=_STRICTNESS.index)
    return replace(longest, spans=(cover,), identifier=strictest)


def _longest(mentions: Mentions) -> Mentions:
    result: list[AnnotatedMention] = []
    starts: list[int] = []
    for mention in sorted(mentions, key=lambda mention: (-len(mention.extent), mention.start)):
        at = bisect_left(starts, mention.start)
        before = at == 0 or result[at - 1].end <= mention.start
        after = at == len(result) or mention.end <= result[at].start
        if before and after:
            result.insert(at, mention)
            starts.insert(at, mention.start)
    return tuple(result)


_NAME = frozenset({Feature.ANNOTATOR})


@dataclass(frozen=True, slots=True)
class Fitted:
    """Documents fitted to a format, and how often each option had an effect."""

    documents: tuple[AnnotatedDocument, ...]
    notes: tuple[str, ...]


def convert(
    documents: Iterable[AnnotatedDocument], target: AnnotationFormat, options: ConversionOptions
) -> Fitted:
    """Return a corpus fitted to a format.

    Raises:
        InputError: if an id occurs twice, or the target can't store something or needs something
            that is missing; names document, place, features and options.
    """
    counts: Counter[str] = Counter()
    fitted = [
        _chosen(one, target, options, counts)
        for document in _unique(documents)
        for one in _annotated(document, target, options, counts)
    ]
    dropped = options.drop
    if options.drop_rest:
        rest = excess(fitted, target)
        fitted = [drop(document, rest) for document in fitted]
        dropped |= rest
    if dropped:
        counts[f"dropped, where known: {', '.join(sorted(dropped))}; documents"] = len(fitted)
    fitted = [_placed(document, target, options, counts) for document in fitted]
    check(fitted, target)
    notes = tuple(f"{label}: {number}" for label, number in counts.items() if number)
    return Fitted(tuple(_unique(fitted)), notes)


def _unique(documents: Iterable[AnnotatedDocument]) -> Iterable[AnnotatedDocument]:
    ids: set[str] = set()
    for document in documents:
        if document.id in ids:
            raise InputError("two documents have this id; rename one.", document.id)
        ids.add(document.id)
        names = Counter(annotation.annotator for annotation in document.annotations)
        for name, number in names.items():
            if number > 1:
                raise InputError(
                    f"has {number} annotations by annotator {name!r}; keep one, or give each a "
                    "unique name.",
                    document.id,
                )
        yield document


def _annotated(
    document: AnnotatedDocument,
    target: AnnotationFormat,
    options: ConversionOptions,
    counts: Counter[str],
) -> tuple[AnnotatedDocument, ...]:
    if options.annotator:
        selection = choose_annotator(document, options.annotator)
        if selection is None:
            counts["documents left out, which this annotator did not annotate"] += 1
            return ()
        # If the annotator's name is given, all mentions left are theirs.
        return (selection if Feature.ANNOTATOR in target.holds else drop(selection, _NAME),)
    return part_annotators(document) if options.each_annotator else (document,)


def _chosen(
    document: AnnotatedDocument,
    target: AnnotationFormat,
    options: ConversionOptions,
    counts: Counter[str],
) -> AnnotatedDocument:
    if options.only is not None or target.masks_only:
        document, left_out = choose_masked(document, options.only)
        counts["mentions left out by --only"] += left_out
    document = rename(document, options.rename)
    document = fill(document, options.fill)
    return drop(document, options.drop)


def _placed(
    document: AnnotatedDocument,
    target: AnnotationFormat,
    options: ConversionOptions,
    counts: Counter[str],
) -> AnnotatedDocument:
    tokens = None if document.text is None else target.tokens(document.text)
    annotations = []
    for annotation in document.annotations:
        mentions = annotation.mentions
        if options.fragments is not None:
            mentions, joins = join_fragments(mentions, options.fragments)
            counts["discontinuous mentions joined or split"] += joins
        if options.snap and tokens is not None:
            mentions, moves = snap(mentions, tokens, document.id)
            counts["mentions moved to token boundaries"] += moves
        if options.overlaps is not None:
            before = len(mentions)
            mentions = resolve_overlaps(mentions, options.overlaps)
            counts["mentions fewer by --overlaps"] += before - len(mentions)
        annotations.append(Annotation(annotation.annotator, mentions))
    return replace(document, annotations=tuple(annotations))
