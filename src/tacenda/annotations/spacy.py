"""spaCy's DocBin (``.spacy``), for training and evaluating spaCy components (extra ``[spacy]``).

Mentions become ``doc.ents``, without overlaps, or with ``--spans-key KEY`` the span group
``doc.spans[KEY]``, in which they may overlap. The entity is the span's id; the document's id is
``doc.user_data["doc_id"]``. Texts are tokenized by a language's blank pipeline, and mentions must
be aligned with its tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from ..document import Span
from ..errors import InputError, require_extra
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    AnnotationFormat,
    Feature,
    Files,
    Reading,
    Unit,
    only_file,
    unnamed,
)

_ID: Final = "doc_id"


class SpacyDocBin(AnnotationFormat):
    """spaCy's DocBin; stores types and entities of mentions that are aligned with tokens.

    Args:
        language: code of the blank pipeline that tokenizes.
        spans_key: name of the span group; empty for ``doc.ents``.
    """

    name = "spacy"
    needs = frozenset({Feature.TEXT, Feature.TYPE})

    def __init__(self, language: str = "en", spans_key: str = "") -> None:
        self._language = language
        self._key = spans_key
        overlaps = {Feature.OVERLAPS} if spans_key else set()
        self.holds = frozenset({Feature.TEXT, Feature.TYPE, Feature.ENTITY, *overlaps})

    @cached_property
    def _pipeline(self) -> Any:
        require_extra("spacy", "the format 'spacy'", "spacy")
        import spacy

        try:
            return spacy.blank(self._language)
        except ImportError as error:
            raise InputError(
                f"spaCy has no language {self._language!r}; choose another with --language, such "
                "as en, or xx for any."
            ) from error

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield the documents in a DocBin; documents without an id are numbered."""
        pipeline = self._pipeline
        from spacy.tokens import DocBin

        name, content = only_file(files)
        try:
            docs = list(DocBin().from_bytes(content).get_docs(pipeline.vocab))
        except Exception as error:
            # zlib, msgpack and spaCy each have their own errors for damaged bytes.
            raise InputError(
                f"is not a DocBin that this version of spaCy can read ({type(error).__name__}); save it again "
                "with DocBin.to_disk.",
                name,
            ) from None
        for position, doc in enumerate(docs, 1):
            id = str(doc.user_data.get(_ID, position))
            for key in doc.user_data:
                if key != _ID:
                    reading.skip_or_raise(f"document {position} has user data {key!r}", id)
            mentions = tuple(
                AnnotatedMention(
                    spans=(Span(span.start_char, span.end_char),),
                    type=span.label_,
                    entity=span.id_ or span.kb_id_,
                )
                for span in self._spans(doc, id, reading)
            )
            yield AnnotatedDocument(id, doc.text, unnamed(mentions))

    def _spans(self, doc: Any, id: str, reading: Reading) -> Sequence[Any]:
        groups = [key for key in doc.spans if key != self._key and len(doc.spans[key])]
        if groups:
            reading.skip_or_raise(f"has span groups {groups!r} (--spans-key KEY reads one)", id)
        if not self._key:
            return list(doc.ents)
        if doc.ents:
            reading.skip_or_raise("has doc.ents beside the span group", id)
        return list(doc.spans[self._key]) if self._key in doc.spans else []

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return a DocBin; ``unit`` is ignored, since it stores tokens."""
        tokenize = self._pipeline.make_doc
        from spacy.tokens import DocBin

        docs = DocBin(store_user_data=True)
        for document in documents:
            doc = tokenize(document.text or "")
            doc.user_data[_ID] = document.id
            spans = [
                doc.char_span(each.start, each.end, label=each.type, span_id=each.entity)
                for each in document.mentions
            ]
            if self._key:
                doc.spans[self._key] = spans
            else:
                doc.ents = spans
            docs.add(doc)
        content: bytes = docs.to_bytes()
        return {"": content}

    def tokens(self, text: str) -> Sequence[Span]:
        """Return the blank tokenizer's tokens; white space may be a token."""
        doc = self._pipeline.make_doc(text)
        return tuple(Span(token.idx, token.idx + len(token)) for token in doc)
