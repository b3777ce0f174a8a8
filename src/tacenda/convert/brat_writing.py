"""Mentions to lines of brat's .ann files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..errors import InputError
from .brat_reading import ENTITY, IDENTIFIER, SCORE, STATUS, quote
from .corpus import AnnotatedDocument, AnnotatedMention
from .offsets import Ruler

_WORD = re.compile(r"\S+")


def lines_of(document: AnnotatedDocument, text: str, ruler: Ruler) -> Iterator[str]:
    """Yield the lines of a document's .ann file: each mention, then its attributes.

    Raises:
        InputError: a type, an entity or a property can't be spelled in brat.
    """
    mentions = [m for annotation in document.annotations for m in annotation.mentions]
    attributes = 0
    for number, mention in enumerate(mentions, 1):
        at = f"mention {number - 1} at [{mention.start}, {mention.end})"
        type_ = _word(mention.type, "type", "use --rename OLD=NEW", document.id, at)
        places = ";".join("{} {}".format(*ruler.offsets(span)) for span in mention.spans)
        yield f"T{number}\t{type_} {places}\t{quote(mention.spans, text)}"
        for name, value in _attributes(mention, document.id, at):
            attributes += 1
            yield f"A{attributes}\t{name} T{number}{value}"


def _attributes(mention: AnnotatedMention, id: str, at: str) -> Iterator[tuple[str, str]]:
    if mention.identifier is not None:
        yield IDENTIFIER, f" {mention.identifier}"
    if mention.status is not None:
        yield STATUS, f" {mention.status}"
    if mention.entity:
        yield ENTITY, " " + _word(mention.entity, "entity", "use --drop entity", id, at)
    if mention.score is not None:
        yield SCORE, f" {mention.score!r}"
    remedy = "use --drop mention_properties"
    for key, value in mention.properties.items():
        if key in (IDENTIFIER, STATUS, ENTITY, SCORE):
            raise InputError(f"{at}: property {key!r} is an attribute of ours; {remedy}.", id)
        name = _word(key, "property", remedy, id, at)
        yield name, "" if value is True else " " + _word(value, f"property {key!r}", remedy, id, at)


def _word(value: Any, what: str, remedy: str, id: str, at: str) -> str:
    if not isinstance(value, str) or not _WORD.fullmatch(value):
        raise InputError(
            f"{at}: brat can't write its {what}, which is no string without white space; {remedy}.",
            id,
        )
    return value
