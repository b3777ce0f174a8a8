"""Masks: ``{doc_id: [[start, end], …]}``, a system's output as TAB's evaluation takes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .corpus import AnnotatedDocument, AnnotatedMention, Feature, unnamed
from .format import Files, Format, Reading, only_file
from .offsets import Ruler, Unit
from .parsing import bytes_of, dump_json, expect, parse_json, text_of


class Masks(Format):
    """Spans to be masked and nothing else; the text comes from elsewhere."""

    name = "masks"
    holds = frozenset({Feature.OVERLAPS})
    needs: frozenset[Feature] = frozenset()
    takes_text = True
    masks_only = True

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each id."""
        name, content = only_file(files)
        corpus = expect(parse_json(text_of(content, name), name), dict, name, "the file")
        for id, pairs in corpus.items():
            text = reading.text_of(id)
            ruler = Ruler(text, reading.unit, id)
            mentions = []
            for position, pair in enumerate(expect(pairs, list, id, "the value")):
                at = f"span {position}"
                start, end = (*expect(pair, list, id, at), None, None)[:2]
                if len(pair) != 2:
                    start = None
                mentions.append(AnnotatedMention((ruler.span(start, end, at),)))
            yield AnnotatedDocument(id, text, unnamed(tuple(mentions)))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Return one JSON object, a document a line."""
        lines = []
        for document in documents:
            ruler = Ruler(document.text, unit, document.id)
            pairs = [
                list(ruler.offsets(mention.extent))
                for annotation in document.annotations
                for mention in annotation.mentions
            ]
            lines.append(f"{dump_json(document.id)}: {dump_json(pairs)}")
        content = "{\n" + ",\n".join(lines) + "\n}\n" if lines else "{}\n"
        return {"": bytes_of(content, self.name)}
