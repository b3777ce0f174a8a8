"""Conversion of annotations: check a target's capabilities, and options to fit them.

Options have no effect unless set: by default any loss is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ..document import ConfidentialStatus, IdentifierType
from ..errors import InputError, PolicyError
from .corpus import (
    MENTION_FIELDS,
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    AnnotationFormat,
    Feature,
    place_of,
)


class Overlaps(StrEnum):
    """What to do with overlapping mentions if the target can't store them."""

    MERGE = "merge"
    """One mention covers them, with the features of the longest and the strictest identifier."""
    LONGEST = "longest"
    """The longest stays (the first of equals), those that overlap it go."""


class Fragments(StrEnum):
    """What to do with a discontinuous mention if the target can't store it."""

    COVER = "cover"
    """One span from the first to the last character."""
    SPLIT = "split"
    """A mention for each fragment."""


DROPPABLE: Final = frozenset(Feature) - {
    Feature.TEXT,
    Feature.SEVERAL_ANNOTATORS,
    Feature.OVERLAPS,
    Feature.FRAGMENTS,
}
FILLABLE: Final = frozenset(
    {
        Feature.TYPE,
        Feature.IDENTIFIER_TYPE,
        Feature.CONFIDENTIAL_STATUS,
        Feature.ENTITY,
        Feature.SCORE,
    }
)
ENTITY_FILLINGS: Final = ("mention", "string")
"""Every mention an entity of its own; or equal strings of one annotator are one entity."""


@dataclass(frozen=True, slots=True)
class ConversionOptions:
    """Settings of a conversion.

    Attributes:
        annotator: keep only this annotator's mentions; if the source names no annotator, use this
            name. Documents annotated only by others are left out and counted.
        each_annotator: turn each annotator's version into a document ``ID@ANNOTATOR``.
        only: keep only mentions with these identifier types; None for all.
        rename: new names for semantic types.
        fill: values for mentions' missing features, by feature.
        drop: features to leave out.
        drop_rest: leave out all features that the target can't store.
        fragments: what to do with discontinuous mentions.
        snap: extend mentions to whole tokens if the target annotates tokens.
        overlaps: what to do with overlapping mentions.
    """

    annotator: str = ""
    each_annotator: bool = False
    only: frozenset[IdentifierType] | None = None
    rename: Mapping[str, str] = field(default_factory=dict)
    fill: Mapping[Feature, str] = field(default_factory=dict)
    drop: frozenset[Feature] = field(default_factory=frozenset)
    drop_rest: bool = False
    fragments: Fragments | None = None
    snap: bool = False
    overlaps: Overlaps | None = None

    def __post_init__(self) -> None:
        _among(self.drop, DROPPABLE, "drop")
        _among(self.fill, FILLABLE, "fill")
        for feature, value in self.fill.items():
            _check_filling(feature, value)


def _among(features: Iterable[Feature], allowed: frozenset[Feature], option: str) -> None:
    for feature in features:
        if feature not in allowed:
            names = ", ".join(sorted(allowed))
            raise PolicyError(f"--{option} {feature} is not possible; choose among {names}.")


def _check_filling(feature: Feature, value: str) -> None:
    allowed: Mapping[Feature, Iterable[str]] = {
        Feature.IDENTIFIER_TYPE: [one.value for one in IdentifierType],
        Feature.CONFIDENTIAL_STATUS: [one.value for one in ConfidentialStatus],
        Feature.ENTITY: ENTITY_FILLINGS,
    }
    if feature in allowed and value not in allowed[feature]:
        choices = ", ".join(allowed[feature])
        raise PolicyError(f"--fill {feature}={value} is not possible; choose one of {choices}.")
    if feature is Feature.SCORE and not value.replace(".", "", 1).isdecimal():
        raise PolicyError(f"--fill score={value} is not possible; give a number such as 1.0.")
    if not value:
        raise PolicyError(f"--fill {feature} needs a value: --fill {feature}=VALUE.")


# All features that a format can't store or lacks, in one message.


Found = tuple[Feature, str, str]
"""A feature, the document and the place where it is."""


def excess(documents: Sequence[AnnotatedDocument], target: AnnotationFormat) -> frozenset[Feature]:
    """Return a corpus's droppable features that a format can't store."""
    features = {feature for document in documents for feature, _, _ in _features(document)}
    return frozenset(features & DROPPABLE - target.holds)


def check(documents: Sequence[AnnotatedDocument], target: AnnotationFormat) -> None:
    """Check that a format can store a corpus and has everything it needs.

    Raises:
        InputError: if it can't; names the first document and place, all problematic features in the
            corpus, and the options that help.
    """
    _check_excess(documents, target)
    _check_need(documents, target)
    for document in documents:
        _check_tokens(document, target)


def _check_excess(documents: Sequence[AnnotatedDocument], target: AnnotationFormat) -> None:
    at_fault: dict[Feature, tuple[str, str]] = {}
    for document in documents:
        for feature, id, place in _features(document):
            if feature not in target.holds and feature is not Feature.TEXT:
                at_fault.setdefault(feature, (id, place))
    if not at_fault:
        return
    id, place = next(iter(at_fault.values()))
    droppable = ",".join(
        feature
        for feature in at_fault
        if feature in DROPPABLE
        # The names of several annotators can't be dropped; one must be chosen.
        and not (feature is Feature.ANNOTATOR and Feature.SEVERAL_ANNOTATORS in at_fault)
    )
    remedies = [_REMEDIES[feature] for feature in at_fault if feature in _REMEDIES]
    if droppable:
        remedies.append(f"--drop {droppable} (or --drop all)")
    raise InputError(
        f"{place}: {target.name} can't hold {', '.join(at_fault)}; use {', '.join(remedies)}.", id
    )


_REMEDIES = {
    Feature.SEVERAL_ANNOTATORS: "--annotator NAME or --each-annotator",
    Feature.OVERLAPS: "--overlaps merge|longest",
    Feature.FRAGMENTS: "--fragments cover|split",
}


def _check_need(documents: Sequence[AnnotatedDocument], target: AnnotationFormat) -> None:
    lacking: dict[Feature, tuple[str, str]] = {}
    for document in documents:
        if Feature.TEXT in target.needs and document.text is None:
            raise InputError(f"{target.name} needs the text; give it with --text.", document.id)
        for annotation in document.annotations:
            if not annotation.annotator:
                lacking.setdefault(Feature.ANNOTATOR, (document.id, "the annotator"))
            for position, mention in enumerate(annotation.mentions):
                features = set(features_of(mention))
                for feature in FILLABLE - features:
                    lacking.setdefault(feature, (document.id, place_of(annotation, position)))
    needed = [feature for feature in Feature if feature in lacking and feature in target.needs]
    if not needed:
        return
    id, place = lacking[needed[0]]
    values = {Feature.ENTITY: "mention|string"}
    remedies = [
        f"--fill {feature}={values.get(feature, 'VALUE')}"
        for feature in needed
        if feature in FILLABLE
    ]
    remedies += ["--annotator NAME"] if Feature.ANNOTATOR in needed else []
    raise InputError(
        f"{place}: {target.name} needs {', '.join(needed)}, which is missing; give "
        f"{' '.join(remedies)}.",
        id,
    )


def _check_tokens(document: AnnotatedDocument, target: AnnotationFormat) -> None:
    tokens = target.tokens(document.text or "")
    if tokens is None:
        return
    starts, ends = {token.start for token in tokens}, {token.end for token in tokens}
    for annotation in document.annotations:
        for position, mention in enumerate(annotation.mentions):
            if mention.start not in starts or mention.end not in ends:
                raise InputError(
                    f"{place_of(annotation, position)} does not begin and end with tokens of "
                    f"{target.name}; --snap expand moves mentions to whole tokens.",
                    document.id,
                )


def _features(document: AnnotatedDocument) -> Iterator[Found]:
    if document.properties:
        names = ", ".join(repr(key) for key in document.properties)
        yield Feature.DOCUMENT_PROPERTIES, document.id, f"keys {names}"
    if len(document.annotations) > 1:
        yield Feature.SEVERAL_ANNOTATORS, document.id, f"{len(document.annotations)} annotators"
    for annotation in document.annotations:
        if annotation.annotator:
            yield Feature.ANNOTATOR, document.id, f"annotator {annotation.annotator!r}"
        for position, mention in enumerate(annotation.mentions):
            for feature in features_of(mention):
                yield feature, document.id, place_of(annotation, position)
        for position in _overlapping(annotation):
            yield Feature.OVERLAPS, document.id, place_of(annotation, position)


def features_of(mention: AnnotatedMention) -> Iterator[Feature]:
    """Yield the features known for a mention."""
    for feature, name in MENTION_FIELDS.items():
        if getattr(mention, name) not in ("", None, {}):
            yield feature
    if len(mention.spans) > 1:
        yield Feature.FRAGMENTS


def _overlapping(annotation: Annotation) -> Iterator[int]:
    """Yield the indexes of mentions that start before the end of an earlier one."""
    order = sorted(
        range(len(annotation.mentions)), key=lambda position: annotation.mentions[position].extent
    )
    end = 0
    for position in order:
        mention = annotation.mentions[position]
        if mention.start < end:
            yield position
        end = max(end, mention.end)
