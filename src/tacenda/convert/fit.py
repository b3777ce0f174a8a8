"""From a corpus as it was read to one that the target can hold: by the user's policy, or not at all.

In this order: annotators are chosen, mentions chosen by identifier type, types renamed, gaps
filled, features dropped, discontinuous mentions made one or several, mentions grown to tokens,
overlaps resolved. What is still more than the target holds, or less than it needs, is an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..errors import InputError
from .annotators import choose_annotator, part_annotators
from .corpus import AnnotatedDocument, Annotation, Feature
from .features import choose_masked, drop, fill, rename
from .fitting import Fitting
from .format import Format
from .holding import check, excess
from .places import join_fragments, resolve_overlaps, snap

_NAME = frozenset({Feature.ANNOTATOR})


@dataclass(frozen=True, slots=True)
class Fitted:
    """Documents that a format can hold, and how often each policy had an effect."""

    documents: tuple[AnnotatedDocument, ...]
    notes: tuple[str, ...]


def fit(documents: Iterable[AnnotatedDocument], target: Format, fitting: Fitting) -> Fitted:
    """Fit a corpus to a format.

    Raises:
        InputError: an id is there twice, or the target can't hold something, or needs something
            that is not known; names document, place, features and options.
    """
    counts: Counter[str] = Counter()
    fitted = [
        _chosen(one, target, fitting, counts)
        for document in _unique(documents)
        for one in _annotated(document, target, fitting, counts)
    ]
    dropped = fitting.drop
    if fitting.drop_rest:
        rest = excess(fitted, target)
        fitted = [drop(document, rest) for document in fitted]
        dropped |= rest
    if dropped:
        counts[f"dropped, where known: {', '.join(sorted(dropped))}; documents"] = len(fitted)
    fitted = [_placed(document, target, fitting, counts) for document in fitted]
    check(fitted, target)
    notes = tuple(f"{what}: {number}" for what, number in counts.items() if number)
    return Fitted(tuple(_unique(fitted)), notes)


def _unique(documents: Iterable[AnnotatedDocument]) -> Iterable[AnnotatedDocument]:
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise InputError("two documents have this id; rename one.", document.id)
        seen.add(document.id)
        names = Counter(annotation.annotator for annotation in document.annotations)
        for name, number in names.items():
            if number > 1:
                raise InputError(
                    f"has {number} annotations by annotator {name!r}; keep one, or give each a "
                    "name of its own.",
                    document.id,
                )
        yield document


def _annotated(
    document: AnnotatedDocument, target: Format, fitting: Fitting, counts: Counter[str]
) -> tuple[AnnotatedDocument, ...]:
    if fitting.annotator:
        chosen = choose_annotator(document, fitting.annotator)
        if chosen is None:
            counts["documents left out, which this annotator did not annotate"] += 1
            return ()
        # Who names the annotator knows whose mentions these are.
        return (chosen if Feature.ANNOTATOR in target.holds else drop(chosen, _NAME),)
    return part_annotators(document) if fitting.each_annotator else (document,)


def _chosen(
    document: AnnotatedDocument, target: Format, fitting: Fitting, counts: Counter[str]
) -> AnnotatedDocument:
    if fitting.only is not None or target.masks_only:
        document, left_out = choose_masked(document, fitting.only)
        counts["mentions left out by --only"] += left_out
    document = rename(document, fitting.rename)
    document = fill(document, fitting.fill)
    return drop(document, fitting.drop)


def _placed(
    document: AnnotatedDocument, target: Format, fitting: Fitting, counts: Counter[str]
) -> AnnotatedDocument:
    tokens = None if document.text is None else target.tokens(document.text)
    annotations = []
    for annotation in document.annotations:
        mentions = annotation.mentions
        if fitting.fragments is not None:
            mentions, joined = join_fragments(mentions, fitting.fragments)
            counts["discontinuous mentions joined or split"] += joined
        if fitting.snap and tokens is not None:
            mentions, moved = snap(mentions, tokens, document.id)
            counts["mentions moved to token boundaries"] += moved
        if fitting.overlaps is not None:
            before = len(mentions)
            mentions = resolve_overlaps(mentions, fitting.overlaps)
            counts["mentions fewer by --overlaps"] += before - len(mentions)
        annotations.append(Annotation(annotation.annotator, mentions))
    return replace(document, annotations=tuple(annotations))
