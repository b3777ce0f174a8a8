"""*Pseudonym*: the same replacement for the same name in every document under one key.

HMAC-SHA256 of the semantic type and the entity's canonical form, cut to 40 bits and written in
base32: among 10,000 different entities the odds that any two share a pseudonym are about
1 in 20,000. Without the key nothing can be told from it; with the key a guess can be tested.

The canonical form of a person is the fullest of the names in the document, folded and without
titles: "Mr Yalman" and "Galip Yalman" of one document get one pseudonym. A document that knows
him only as "Mr Yalman" gives another one: a surname alone may be anybody's, and two people under
one pseudonym are worse than one person under two.
"""

from __future__ import annotations

import base64
import hmac
import re

from ...document import Document, Entity, SemanticType, Span
from ...text.folding import fold_text
from ...text.names import is_initial, parse_name, without_possessive

_BYTES = 5
_WORD = re.compile(r"[^\W_]+")


class Pseudonym:
    """Writes ``[PERSON 7K2QF4XA]``.

    Args:
        key: the secret, at least 16 bytes (the policy checks that).
    """

    joins = False
    by_string = False
    divides = False

    def __init__(self, key: bytes) -> None:
        self._key = key

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the entity's type and the keyed digest of its canonical form."""
        return f"[{entity.type} {digest(self._key, message(document, entity))}]"


def digest(key: bytes, message: bytes) -> str:
    """Return the eight characters of a keyed digest."""
    return base64.b32encode(hmac.digest(key, message, "sha256")[:_BYTES]).decode()


def message(document: Document, entity: Entity) -> bytes:
    """Return what is hashed: the same for the same name of the same type, in every document."""
    return f"{entity.type}\0{canonical(document, entity)}".encode("utf-8", "surrogatepass")


def canonical(document: Document, entity: Entity) -> str:
    """Return the form of the entity's name that is the same wherever the name is the same."""
    strings = {mention.span.of(document.text) for mention in entity.mentions}
    forms = {_words(string, entity.type) for string in strings}
    # The most names written out, then the longest, then by the alphabet: never by the order of
    # the text.
    words = max(
        forms, key=lambda form: (sum(len(word) > 1 for word in form), len("".join(form)), form)
    )
    joined = ("" if entity.type is SemanticType.CODE else " ").join(words)
    # Of signs only: themselves.
    return joined or max(strings)


def _words(string: str, type: SemanticType) -> tuple[str, ...]:
    folded = without_possessive(fold_text(string).strip())
    if type is SemanticType.PERSON and (name := parse_name(folded)) is not None:
        return tuple(word.rstrip(".") if is_initial(word) else word for word in name.tokens)
    words = _WORD.findall(folded)
    return tuple(words[1:] if words[:1] == ["the"] and len(words) > 1 else words)
