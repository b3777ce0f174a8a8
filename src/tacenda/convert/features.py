"""What mentions say of themselves: chosen, renamed, filled in, left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import count

from ..document import ConfidentialStatus, IdentifierType
from ..errors import InputError
from .corpus import AnnotatedDocument, AnnotatedMention, Annotation, Feature, place_of


def choose_masked(
    document: AnnotatedDocument, only: frozenset[IdentifierType] | None
) -> tuple[AnnotatedDocument, int]:
    """Return a document with mentions of some identifier types, and how many were left out.

    Args:
        document: any.
        only: the types to keep; None for all, of which none may then be NO_MASK.

    Raises:
        InputError: a mention's identifier type is not known though ``only`` is given; or it is
            NO_MASK though it isn't, as a list of masks would then mask it.
    """
    kept, left_out = [], 0
    for annotation in document.annotations:
        mentions = []
        for position, mention in enumerate(annotation.mentions):
            if only is None and mention.identifier is IdentifierType.NO_MASK:
                raise InputError(
                    f"{place_of(annotation, position)} is NO_MASK, but the target lists only what "
                    "is to be masked; --only DIRECT,QUASI leaves such out.",
                    document.id,
                )
            if only is not None and mention.identifier is None:
                raise InputError(
                    f"{place_of(annotation, position)} has no identifier type, by which --only "
                    "chooses; leave --only out.",
                    document.id,
                )
            if only is None or mention.identifier in only:
                mentions.append(mention)
        left_out += len(annotation.mentions) - len(mentions)
        kept.append(Annotation(annotation.annotator, tuple(mentions)))
    return replace(document, annotations=tuple(kept)), left_out


def rename(document: AnnotatedDocument, names: Mapping[str, str]) -> AnnotatedDocument:
    """Return a document with other names of types."""
    if not names:
        return document
    return _each(
        document, lambda mention: replace(mention, type=names.get(mention.type, mention.type))
    )


def fill(document: AnnotatedDocument, values: Mapping[Feature, str]) -> AnnotatedDocument:
    """Return a document whose mentions have these values where they had none."""
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

    The name of an annotator stays where there are several: without it they can't be told apart.
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


def _filled(mention: AnnotatedMention, values: Mapping[Feature, str]) -> AnnotatedMention:
    if Feature.TYPE in values and not mention.type:
        mention = replace(mention, type=values[Feature.TYPE])
    if Feature.IDENTIFIER_TYPE in values and mention.identifier is None:
        mention = replace(mention, identifier=IdentifierType(values[Feature.IDENTIFIER_TYPE]))
    if Feature.CONFIDENTIAL_STATUS in values and mention.status is None:
        mention = replace(mention, status=ConfidentialStatus(values[Feature.CONFIDENTIAL_STATUS]))
    if Feature.SCORE in values and mention.score is None:
        mention = replace(mention, score=float(values[Feature.SCORE]))
    return mention


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
    return AnnotatedMention(
        spans=mention.spans,
        type="" if Feature.TYPE in features else mention.type,
        identifier=None if Feature.IDENTIFIER_TYPE in features else mention.identifier,
        status=None if Feature.CONFIDENTIAL_STATUS in features else mention.status,
        entity="" if Feature.ENTITY in features else mention.entity,
        id="" if Feature.ID in features else mention.id,
        score=None if Feature.SCORE in features else mention.score,
        properties={} if Feature.MENTION_PROPERTIES in features else mention.properties,
    )
