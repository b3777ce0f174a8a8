"""BIO tags (IOB2) to mentions and back: B opens a mention, I goes on with it, O is outside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..document import Span
from ..errors import InputError
from .corpus import AnnotatedDocument, AnnotatedMention

_TAG = re.compile(r"(?P<prefix>[BI])(?:-(?P<type>\S+))?")


@dataclass(frozen=True, slots=True)
class Line:
    """A token, its tag, and the line of the file where they are."""

    number: int
    token: str
    tag: str


def mentions_of(
    lines: Iterable[Line | None], places: Sequence[Span], id: str
) -> tuple[AnnotatedMention, ...]:
    """Return the mentions of a document.

    Args:
        lines: its tokens; None for the end of a sentence.
        places: where each token is in the text.
        id: name of the document, for messages.

    Raises:
        InputError: a tag is not BIO; names the line.
    """
    found: list[AnnotatedMention] = []
    open_type: str | None = None
    for line, place in zip((line for line in lines if line), places, strict=True):
        if line.tag == "O":
            open_type = None
            continue
        tag = _TAG.fullmatch(line.tag)
        if tag is None:
            raise InputError(
                f"line {line.number}: {line.tag!r} is no BIO tag (B-TYPE, I-TYPE or O); convert "
                "other schemes to BIO first.",
                id,
            )
        type_ = tag["type"] or ""
        if tag["prefix"] == "B":
            found.append(AnnotatedMention((place,), type_))
        elif type_ != open_type:
            raise InputError(
                f"line {line.number}: {line.tag!r} goes on with a mention that no B- tag opened; "
                "in BIO (IOB2) every mention begins with B-.",
                id,
            )
        else:
            found[-1] = AnnotatedMention((Span(found[-1].start, place.end),), type_)
        open_type = type_
    return tuple(found)


def tags_of(document: AnnotatedDocument, tokens: Sequence[Span]) -> list[str]:
    """Return the tag of each token; mentions are aligned to tokens and disjoint.

    Raises:
        InputError: a type has white space in it.
    """
    tags = ["O"] * len(tokens)
    index_of = {token.start: index for index, token in enumerate(tokens)}
    for annotation in document.annotations:
        for mention in annotation.mentions:
            if re.search(r"\s", mention.type):
                raise InputError(
                    f"conll can't write the type {mention.type!r}, which has white space in it; "
                    "use --rename OLD=NEW.",
                    document.id,
                )
            type_ = f"-{mention.type}" if mention.type else ""
            index = index_of[mention.start]
            tags[index] = f"B{type_}"
            while tokens[index].end < mention.end:
                index += 1
                tags[index] = f"I{type_}"
    return tags
