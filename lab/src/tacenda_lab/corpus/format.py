"""The corpus as a format of annotations: ``tacenda evaluate stats lab/corpus --from corpus``, and as in ``convert``.

Traps are left out: in other formats they are unmarked text. The second marks of a document in
``doubles/`` come from another annotator. The format is read-only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from tacenda.annotations import (
    AnnotatedDocument,
    AnnotatedMention,
    Annotation,
    AnnotationFormat,
    Feature,
    Files,
    Reading,
    Unit,
)
from tacenda.errors import InputError
from tacenda.text.decoding import decode

from . import read
from .documents import CorpusDocument

_DOUBLES = "doubles"


class CorpusFormat(AnnotationFormat):
    """Typed spans with entities and decisions, in markup or next to the text."""

    name = "corpus"
    holds = frozenset[Feature]()
    needs = frozenset[Feature]()
    suffixes = (".txt", ".jsonl")

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents in a file, or in all files of the corpus."""
        firsts: list[CorpusDocument] = []
        seconds: dict[str, CorpusDocument] = {}
        for name, content in files.items():
            for document in read(decode(content, "utf-8", name), name):
                if PurePath(name).parent.name == _DOUBLES:
                    seconds[document.id] = document
                else:
                    firsts.append(document)
        if unknown := sorted(seconds.keys() - {document.id for document in firsts}):
            raise InputError("has a second marking, but no first; add its file.", unknown[0])
        for document in firsts:
            markings = [document, seconds[document.id]] if document.id in seconds else [document]
            yield AnnotatedDocument(
                document.id,
                document.text,
                tuple(
                    Annotation(f"reader{number}", _mentions(each))
                    for number, each in enumerate(markings, 1)
                ),
                {
                    "dataset_type": document.split,
                    "language": document.language,
                    "genre": document.genre,
                },
            )

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Raise an error: the corpus is written by hand."""
        raise InputError("the corpus is read-only; choose another format with --to.", self.name)


def _mentions(document: CorpusDocument) -> tuple[AnnotatedMention, ...]:
    return tuple(
        AnnotatedMention(
            (mark.span,), mark.type.value, mark.identifier, entity=f"{mark.type.value}{mark.entity}"
        )
        for mark in document.marks
        if mark.type is not None
    )
