"""tacenda's own results: the output of ``tacenda sanitize --to json``, one document per line.

They contain every entity, masked or kept; a kept one is NO_MASK. Offsets are code points of the
original, which isn't in the result; ``--text`` supplies it. Results are only read, since only
sanitizing creates them.
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
    # A corpus's masks may be on one line, which is too long to parse twice.
    if '"schema_version"' not in line:
        return False
    try:
        return is_result(json.loads(line))
    except (ValueError, RecursionError):
        return False


def result_lines(text: str, name: str) -> list[Any] | None:
    """Return the results in a file as parsed JSON, one per line; None if it isn't a file of results.

    Raises:
        InputError: if a line after the first isn't JSON.
    """
    if not begins_with_result(text):
        return None
    # Only a line feed ends a line: strings may contain other Unicode separators.
    return [
        parse_json(line, name, number)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]


class ResultJson(AnnotationFormat):
    """Stores typed spans with risks, decisions and entities; the text comes from elsewhere."""

    name = "result"
    holds = frozenset[Feature]()
    needs = frozenset[Feature]()
    takes_text = True

    def read(self, files: Files, reading: Reading) -> Iterator[AnnotatedDocument]:
        """Yield one document per line."""
        name, content = only_file(files)
        results = result_lines(text_of(content, name), name)
        if results is None:
            raise InputError(
                "must contain results of `tacenda sanitize --to json`, one per line", name
            )
        for result in parse_results(results, name):
            text = reading.text_of(result.id)
            # tacenda's own results always count code points, regardless of the unit of other files.
            ruler = OffsetConverter(text, Unit.CODE_POINTS, result.id)
            mentions = tuple(
                mention for entity in result.entities for mention in _mentions(entity, ruler)
            )
            ordered = sorted(mentions, key=lambda mention: mention.extent)
            yield AnnotatedDocument(result.id, text, unnamed(tuple(ordered)))

    def write(self, documents: Sequence[AnnotatedDocument], unit: Unit) -> Files:
        """Refuse to write.

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
