"""From several annotators of a document to one."""

from __future__ import annotations

from dataclasses import replace

from ..errors import InputError
from .corpus import AnnotatedDocument, Annotation


def choose_annotator(document: AnnotatedDocument, name: str) -> AnnotatedDocument | None:
    """Return a document with the mentions of one annotator.

    An annotation without a name gets this one, and so does a document that nobody annotated, as
    sources that do not name annotators do not say who found nothing.

    Returns:
        None if others annotated the document, but not this one.
    """
    if not document.annotations:
        return replace(document, annotations=(Annotation(name, ()),))
    for annotation in document.annotations:
        if annotation.annotator in (name, ""):
            return replace(document, annotations=(Annotation(name, annotation.mentions),))
    return None


def part_annotators(document: AnnotatedDocument) -> tuple[AnnotatedDocument, ...]:
    """Return a document ``ID@ANNOTATOR`` for each named annotator, who is not named further.

    A document of which nobody is named stays as it is.
    """
    names = [annotation.annotator for annotation in document.annotations]
    if not any(names):
        return (document,)
    if not all(names):
        raise InputError(
            "has annotations with and without a name; choose one by --annotator.", document.id
        )
    return tuple(
        replace(
            document,
            id=f"{document.id}@{annotation.annotator}",
            annotations=(Annotation("", annotation.mentions),),
        )
        for annotation in document.annotations
    )
