"""Presidio's analyzer results: ``{doc_id: [{entity_type, start, end, score}, …]}``.

A list as ``AnalyzerEngine.analyze`` or the ``/analyze`` service gives it, one for each document.
Presidio runs in Python: offsets count code points. A bare list, the answer for one document, is
read if ``--text`` has exactly one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import InputError
from .checked_json import (
    bytes_of,
    dump_json,
    expect,
    member,
    other_keys,
    parse_json,
    score,
    text_of,
    with_properties,
)
from .corpus import (
    AnnotatedDocument,
    AnnotatedMention,
    AnnotationFormat,
    Feature,
    Files,
    OffsetConverter,
    Reading,
    Unit,
    only_file,
    unnamed,
)

_KEYS = frozenset({"entity_type", "start", "end", "score"})


class Presidio(AnnotationFormat):
    """Typed spans with scores; the text comes from elsewhere."""

    name = "presidio"
    holds = frozenset({Feature.TYPE, Feature.SCORE, Feature.OVERLAPS, Feature.MENTION_PROPERTIES})
    needs = frozenset({Feature.TYPE, Feature.SCORE})
    takes_text = True

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each id."""
        name, content = only_file(files)
        corpus = parse_json(text_of(content, name), name)
        if isinstance(corpus, list):
            corpus = {_single_id(reading, name): corpus}
        for id, results in expect(corpus, dict, name, "the file").items():
            text = reading.text_of(id)
            ruler = OffsetConverter(text, reading.unit, id)
            mentions = [
                _mention(result, ruler, id, f"result {position}")
                for position, result in enumerate(expect(results, list, id, "the value"))
            ]
            yield AnnotatedDocument(id, text, unnamed(tuple(mentions)))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON object, a document a line."""
        lines = []
        for document in documents:
            ruler = OffsetConverter(document.text, unit, document.id)
            results = [
                _result(mention, ruler, document.id)
                for annotation in document.annotations
                for mention in annotation.mentions
            ]
            lines.append(f"{dump_json(document.id)}: {dump_json(results)}")
        content = "{\n" + ",\n".join(lines) + "\n}\n" if lines else "{}\n"
        return {"": bytes_of(content, self.name)}


def _single_id(reading: Reading, name: str) -> str:
    texts = reading.texts or {}
    if len(texts) != 1:
        raise InputError(
            "holds one list, of a document that is not named; give its text alone by --text, or "
            "write {doc_id: [...]}.",
            name,
        )
    return next(iter(texts))


def _mention(result: Any, ruler: OffsetConverter, id: str, at: str) -> AnnotatedMention:
    type_ = member(result, "entity_type", str, id, at)
    return AnnotatedMention(
        spans=(ruler.span(result.get("start"), result.get("end"), at),),
        type=type_,
        score=score(result.get("score"), id, at),
        properties=other_keys(result, _KEYS),
    )


def _result(mention: AnnotatedMention, ruler: OffsetConverter, id: str) -> dict[str, Any]:
    start, end = ruler.offsets(mention.extent)
    record = {"entity_type": mention.type, "start": start, "end": end, "score": mention.score}
    return with_properties(record, mention.properties, _KEYS, id)
