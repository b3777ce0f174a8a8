"""Annotated documents for tests: by hand, and by Hypothesis within what a format can hold."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import strategies as st

from tacenda.annotations.capabilities import ConversionOptions
from tacenda.annotations.convert import convert
from tacenda.annotations.corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    AnnotationFormat,
    Feature,
    Files,
    Reading,
    Unit,
)
from tacenda.document import ConfidentialStatus, IdentifierType, Span

needs_spacy = pytest.mark.skipif(
    importlib.util.find_spec("spacy") is None, reason="needs spaCy: pip install 'tacenda[spacy]'"
)

PIECES = ["Anna", " ", "Berg", "\n", "\r\n", "\t", "😀", "e\u0301", "漢", ".", "-", "’", "\ufeff"]
"""Words, all kinds of line end, a character of two UTF-16 units, one of two code points."""

texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def at(text: str, string: str, **features: object) -> AnnotatedMention:
    """Return a mention of the first occurrence of a string."""
    start = text.index(string)
    return AnnotatedMention((Span(start, start + len(string)),), **features)  # type: ignore[arg-type]


def document(
    text: str, *mentions: AnnotatedMention, id: str = "d1", annotator: str = ""
) -> AnnotatedDocument:
    """Return a document with the mentions of one annotator."""
    return AnnotatedDocument(id, text, (Annotation(annotator, mentions),) if mentions else ())


def written(
    format: AnnotationFormat, *documents: AnnotatedDocument, unit: Unit = Unit.CODE_POINTS
) -> Files:
    """Return the files of documents that a format holds as they are."""
    return format.write(convert(documents, format, ConversionOptions()).documents, unit)


def round_trip(
    format: AnnotationFormat, documents: Sequence[AnnotatedDocument], unit: Unit = Unit.CODE_POINTS
) -> list[AnnotatedDocument]:
    """Write documents, which the format must hold as they are, and read them again."""
    given = {document.id: document.text or "" for document in documents}
    reading = Reading(unit, given if format.takes_text else None)
    return list(format.read(written(format, *documents, unit=unit), reading))


_WORDS = st.sampled_from(["PERSON", "ORG", "e1", "e2", "É😀"])
_VALUES = st.one_of(st.integers(0, 9), st.text("aé😀 \n", max_size=3), st.lists(st.none()))


@st.composite
def corpora(draw: st.DrawFn, format: AnnotationFormat) -> list[AnnotatedDocument]:
    """Draw documents with everything that a format holds, and nothing else."""
    documents = []
    for number in range(draw(st.integers(0, 3))):
        text = draw(texts)
        names = [""]
        if Feature.ANNOTATOR in format.holds:
            names = draw(st.lists(st.sampled_from(["ann 1", "7", "ö@x.org"]), unique=True))
        annotations = tuple(Annotation(name, draw(_mentions(text, format))) for name in names)
        documents.append(
            AnnotatedDocument(
                id=f"d{number}" + ("" if format.folder else draw(st.sampled_from(["", " 😀/ö"]))),
                text=text,
                annotations=tuple(one for one in annotations if one.annotator or one.mentions),
                properties=draw(_properties(format, Feature.DOCUMENT_PROPERTIES)),
            )
        )
    return documents


@st.composite
def _mentions(draw: st.DrawFn, text: str, format: AnnotationFormat) -> tuple[AnnotatedMention, ...]:
    edges = draw(_places(text, format))
    holds = format.holds
    return tuple(
        AnnotatedMention(
            spans=spans,
            type=draw(_WORDS) if Feature.TYPE in holds else "",
            identifier=_maybe(draw, IdentifierType, Feature.IDENTIFIER_TYPE, format),
            status=_maybe(draw, ConfidentialStatus, Feature.CONFIDENTIAL_STATUS, format),
            entity=draw(_WORDS) if Feature.ENTITY in holds else "",
            id=f"m{number}" if Feature.ID in holds else "",
            score=draw(st.floats(0, 1)) if Feature.SCORE in holds else None,
            properties=draw(_properties(format, Feature.MENTION_PROPERTIES)),
        )
        for number, spans in enumerate(edges)
    )


@st.composite
def _places(draw: st.DrawFn, text: str, format: AnnotationFormat) -> list[tuple[Span, ...]]:
    """Draw where mentions are: adjacent, nested, equal, discontinuous, as the format allows."""
    tokens = format.tokens(text)
    starts = [token.start for token in tokens] if tokens is not None else range(len(text))
    ends = [token.end for token in tokens] if tokens is not None else range(1, len(text) + 1)
    if not starts:
        return []
    whole = st.tuples(*2 * [st.integers(0, len(starts) - 1)]).map(sorted)
    drawn = draw(st.lists(whole, max_size=4))
    spans = [Span(starts[first], ends[last]) for first, last in drawn]
    if Feature.OVERLAPS not in format.holds:
        spans = sorted(set(spans))
        kept = spans[:1]
        for span in spans[1:]:
            if span.start >= kept[-1].end:
                kept.append(span)
        spans = kept
    if Feature.FRAGMENTS in format.holds and draw(st.booleans()):
        ordered = sorted(set(spans))
        if ordered and all(one.end <= other.start for one, other in pairwise(ordered)):
            return [tuple(ordered)]
    return [(span,) for span in spans]


def _maybe(draw: st.DrawFn, kind: type, feature: Feature, format: AnnotationFormat) -> object:
    if feature not in format.holds:
        return None
    constants = st.sampled_from(list(kind))
    return draw(constants if feature in format.needs else st.one_of(st.none(), constants))


def _properties(format: AnnotationFormat, feature: Feature) -> st.SearchStrategy[dict[str, object]]:
    if feature not in format.holds:
        return st.just({})
    if format.folder:  # brat: words or flags
        return st.dictionaries(st.sampled_from(["Seen", "x"]), st.one_of(_WORDS, st.just(True)))
    return st.dictionaries(st.sampled_from(["task", "x y", "é"]), _VALUES, max_size=2)
