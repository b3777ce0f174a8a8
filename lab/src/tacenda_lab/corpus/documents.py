"""A document of the corpus and its marks, following the corpus's guide (``lab/corpus/GUIDE.md``)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tacenda.document import IdentifierType, SemanticType, Span
from tacenda.errors import InputError

LETTERS = {
    "p": SemanticType.PERSON,
    "c": SemanticType.CODE,
    "l": SemanticType.LOC,
    "o": SemanticType.ORG,
    "t": SemanticType.DATETIME,
    "d": SemanticType.DEM,
    "q": SemanticType.QUANTITY,
    "m": SemanticType.MISC,
}
_KEY = re.compile(r"(-?)([pclotdqm])(\d{1,4})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked span.

    Attributes:
        span: its place in the text, in code points.
        entity: the key of its entity, a number within the document; empty for a trap.
        type: semantic type, or None for a trap: words that must stay visible although a tool may
            want to mask them.
        identifier: DIRECT, QUASI or NO_MASK.
    """

    span: Span
    entity: str = ""
    type: SemanticType | None = None
    identifier: IdentifierType = IdentifierType.NO_MASK

    @property
    def is_masked(self) -> bool:
        """Whether the mark must be masked."""
        return self.identifier is not IdentifierType.NO_MASK


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A text with its marks.

    Attributes:
        id: unique in the corpus.
        text: the text.
        marks: its marks in order, without overlaps.
        split: train, dev or test.
        language: ISO 639-1 code.
        genre: kind of text, like ``letter-to-landlord``.
        has_people: whether anything in it must be masked.
        source: where an existing text comes from; empty for a written one.
        licence: the text's licence.
    """

    id: str
    text: str = field(repr=False)
    marks: tuple[Mark, ...] = field(repr=False)
    split: str
    language: str
    genre: str
    has_people: bool
    source: str = ""
    licence: str = "CC BY 4.0"


def read_key(key: str, span: Span, place: str) -> Mark:
    """Return the mark for a key like ``P1``, ``d4``, ``-l2`` or ``=``.

    A capital letter stands for a direct identifier, a small one for a quasi-identifier, ``-`` for
    something that may stay visible, and ``=`` for a trap.

    Raises:
        InputError: the key is unknown; the message says where.
    """
    if key == "=":
        return Mark(span)
    match = _KEY.fullmatch(key)
    if match is None:
        raise InputError(
            f"{key!r} is not a key; write a letter of pclotdqm (capital if direct) and a number, or =.",
            place,
        )
    minus, letter, number = match.groups()
    if minus:
        identifier = IdentifierType.NO_MASK
    else:
        identifier = IdentifierType.DIRECT if letter.isupper() else IdentifierType.QUASI
    return Mark(span, number, LETTERS[letter.lower()], identifier)


def write_key(mark: Mark) -> str:
    """Return the key of a mark."""
    if mark.type is None:
        return "="
    letter = next(letter for letter, type in LETTERS.items() if type is mark.type)
    if mark.identifier is IdentifierType.DIRECT:
        letter = letter.upper()
    prefix = "-" if mark.identifier is IdentifierType.NO_MASK else ""
    return f"{prefix}{letter}{mark.entity}"
