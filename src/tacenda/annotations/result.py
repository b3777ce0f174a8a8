"""Results of this project: the output of ``tacenda sanitize --to json``, a document a line.

Every entity is there, masked or kept: a kept one is NO_MASK. Offsets are code points of the
original; a result does not hold it, ``--text`` gives it. Results are only read: they are made by
sanitizing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ..document import IdentifierType
from ..errors import InputError
from ..result import ParsedEntity, is_result, parse_results
from .checked_json import parse_json, text_of
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


def begins_with_result(text: str) -> bool:
    """Return whether the first line of a file is a result."""
    line = text.lstrip().partition("\n")[0]
    # Masks of a corpus may be one line, too long to be parsed twice.
    if '"schema_version"' not in line:
        return False
    try:
        return is_result(json.loads(line))
    except (ValueError, RecursionError):
        return False


def result_lines(text: str, name: str) -> list[Any] | None:
    """The results of a file as parsed JSON, one a line; None if it is not a file of results.

    Raises:
        InputError: a line after the first is not JSON.
    """
    if not begins_with_result(text):
        return None
    # Only a line feed ends a line of ours: strings may hold other separators of Unicode.
    return [
        parse_json(line, name, number)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]


class ResultJson(AnnotationFormat):
    """Typed spans with risks, decisions and entities; the text comes from elsewhere."""

    name = "result"
    holds = frozenset[Feature]()
    needs = frozenset[Feature]()
    takes_text = True

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield a document for each line."""
        name, content = only_file(files)
        results = result_lines(text_of(content, name), name)
        if results is None:
            raise InputError(
                "must contain results of `tacenda sanitize --to json`, one per line", name
            )
        for result in parse_results(results, name):
            text = reading.text_of(result.id)
            # Results are the project's own and count code points, regardless of the unit of other files.
            ruler = OffsetConverter(text, Unit.CODE_POINTS, result.id)
            mentions = tuple(
                mention for entity in result.entities for mention in _mentions(entity, ruler)
            )
            ordered = sorted(mentions, key=lambda mention: mention.extent)
            yield AnnotatedDocument(result.id, text, unnamed(tuple(ordered)))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Refuse.

        Raises:
            InputError: always.
        """
        raise InputError(
            "annotations can't be converted to results, which contain decisions and reasons; use "
            "tacenda sanitize --to json."
        )


def _mentions(entity: ParsedEntity, ruler: OffsetConverter) -> Iterator[AnnotatedMention]:
    for mention in entity.mentions:
        yield AnnotatedMention(
            spans=(ruler.span(mention.start, mention.end, f"entity {entity.id}"),),
            type=str(mention.type),
            identifier=entity.identifier if entity.masked else IdentifierType.NO_MASK,
            entity=entity.id,
            score=entity.risk,
        )
