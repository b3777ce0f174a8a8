"""*Surrogate*: a made-up value of the same kind, so that nobody sees what was replaced.

The same entity has the same surrogate throughout a document and, under one key, in all documents
and runs, unless its surrogate stands in one of them already. No surrogate is or holds the string
that it replaces, a word of a name masked in the document, or (for names) any word of it. What
can't be made up is written as a tag.

Replacing by values of the same kind follows Carrell et al., "Hiding in plain sight" (2012): a
reader can't tell a name that was overlooked from a surrogate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ....document import Decision, Document, Entity, SemanticType, Span
from ....folding import fold_text
from ..tag import Tag
from . import contacts, shapes
from .cultures import DEFAULT, names
from .dates import Dates
from .draw import Draw
from .named import Named
from .numbers import jitter
from .people import People
from .phones import phone
from .taken import Taken, gives_away

_EMAIL = re.compile(r"(?:mailto:)?[^\s@]+@[^\s@]+\.[^\s@]+", re.IGNORECASE)
_URL = re.compile(r"(?:[a-z]+://|www\.)\S+", re.IGNORECASE)
_MAC = re.compile(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}", re.IGNORECASE)
_PAIRS = re.compile(r"\d\d[ -]\d\d[ -]\d\d")
"""In no amount: thousands are in threes."""
_BY_KIND: dict[str, Callable[..., str]] = {
    "email": contacts.email,
    "url": contacts.url,
    "phone": phone,
    "iban": shapes.iban,
    "card": shapes.card,
    "mac": shapes.mac,
    "ip": shapes.ip,
}
_TRIES = 8
_LONGEST = 512  # Code points; nothing longer has a kind that could be made up.


class Surrogate:
    """Writes made-up values.

    Args:
        key: the secret, at least 16 bytes (the policy checks that).
        document: where they will stand; its dates move by a number of days of its own.
        decisions: of the document, for what is masked in it.

    Raises:
        MissingExtraError: if Faker is not installed.
    """

    joins = False
    by_string = True
    divides = False

    def __init__(self, key: bytes, document: Document, decisions: Sequence[Decision]) -> None:
        names(DEFAULT, latin=True)  # A missing extra is told before anything is written.
        self._draw = Draw(key)
        taken = Taken(document, decisions)
        self._people = People(self._draw, document, taken)
        self._dates = Dates(self._draw, document.text)
        self._named = Named(self._draw, taken, self._dates)
        self._taken = taken
        self._kinds = {
            mention.span: mention.kind
            for decision in decisions
            if decision.operator == "surrogate"
            for mention in decision.entity.mentions
            if mention.kind in _BY_KIND
        }

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return a made-up value in the form of the string at ``span``."""
        string = span.of(document.text)
        written = self._written(entity, string, self._kinds.get(span) or _kind(string))
        if not written or gives_away(written, string) or self._taken.names_somebody(written):
            return Tag().write(document, entity, span)
        return written

    def _written(self, entity: Entity, string: str, kind: str) -> str | None:
        if len(string) > _LONGEST:
            return None
        if kind:
            return self._coded(_BY_KIND[kind], string)
        match entity.type:
            case SemanticType.PERSON:
                return self._people.write(entity, string)
            case SemanticType.DATETIME:
                return self._dates.write(string)
            case SemanticType.QUANTITY if _PAIRS.search(string) is None:
                return jitter(string, self._draw)
            case SemanticType.CODE | SemanticType.QUANTITY:
                return self._coded(shapes.like, string)
        return self._named.write(entity, string)

    def _coded(self, make: Callable[..., str], string: str) -> str | None:
        """Return a code made of the characters of ``string``; equal codes stay equal."""
        plain = "".join(filter(str.isalnum, fold_text(string)))
        if not plain:
            return None
        for number in range(_TRIES):
            made = make(string, self._draw.source("code", plain, str(number)))
            if not gives_away(made, string) and not self._taken.names_somebody(made):
                return made
        return None


def _kind(string: str) -> str:
    """Return what a string is by its looks, where no detector said so."""
    if _EMAIL.fullmatch(string):
        return "email"
    if _URL.fullmatch(string):
        return "url"
    return "mac" if _MAC.fullmatch(string) else ""
