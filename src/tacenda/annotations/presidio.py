"""Presidio's analyzer results: ``{doc_id: [{entity_type, start, end, score}, …]}``.

There is one list per document, as returned by ``AnalyzerEngine.analyze`` or the ``/analyze``
service. Presidio runs in Python, so offsets count code points. A bare list, which is the answer for
one document, is read if ``--text`` has exactly one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InputError
from .checked_json import JsonFormat, JsonPart, dump_json, with_properties
from .corpus import AnnotatedDocument, AnnotatedMention, Feature, OffsetConverter, Reading, unnamed

_KEYS = frozenset({"entity_type", "start", "end", "score"})


class Presidio(JsonFormat):
    """Stores typed spans with scores; the text comes from elsewhere."""

    name = "presidio"
    holds = frozenset({Feature.TYPE, Feature.SCORE, Feature.OVERLAPS, Feature.MENTION_PROPERTIES})
    needs = frozenset({Feature.TYPE, Feature.SCORE})
    takes_text = True
    brackets = "{}"

    def parse(self, content: JsonPart, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield one document per id."""
        if isinstance(content.value, list):
            ids = {_single_id(reading, content.document): content.value}
            content = JsonPart(ids, content.document)
        for id, results in content.expect(dict).items():
            text = reading.text_of(id)
            converter = OffsetConverter(text, reading.unit, id)
            JsonPart(results, id, "the value").expect(list)
            mentions = tuple(
                _mention(JsonPart(result, id, f"result {position}"), converter)
                for position, result in enumerate(results)
            )
            yield AnnotatedDocument(id, text, unnamed(mentions))

    def lines(self, document: AnnotatedDocument, converter: OffsetConverter) -> Iterator[str]:
        """Yield the document's line."""
        results = []
        for mention in document.mentions:
            start, end = converter.offsets(mention.extent)
            record = {"entity_type": mention.type, "start": start, "end": end}
            record["score"] = mention.score
            results.append(with_properties(record, mention.properties, _KEYS, document.id))
        yield f"{dump_json(document.id)}: {dump_json(results)}"


def _single_id(reading: Reading, name: str) -> str:
    texts = reading.texts or {}
    if len(texts) != 1:
        raise InputError(
            "holds one list without a document id; give only its text with --text, or write "
            "{doc_id: [...]}.",
            name,
        )
    return next(iter(texts))


def _mention(result: JsonPart, converter: OffsetConverter) -> AnnotatedMention:
    type_ = result.member("entity_type", str)
    return AnnotatedMention(
        spans=(result.span(converter),),
        type=type_,
        score=result.score(),
        properties=result.others(_KEYS),
    )
