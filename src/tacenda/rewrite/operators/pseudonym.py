"""*Pseudonym*: the same replacement for the same name in every document under one key.

HMAC-SHA256 of the semantic type and the entity's canonical form, cut to 40 bits and written in
base32: among 10,000 different entities the odds that any two share a pseudonym are about
1 in 20,000. Without the key nothing can be told from it; with the key a guess can be tested.

The canonical form of a person is the fullest of the names in the document, without titles:
"Mr Yalman" and "Galip Yalman" of one document get one pseudonym. A document that knows him only
as "Mr Yalman" gives another one: a surname alone may be anybody's.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import unicodedata

from ...document import Document, Entity, SemanticType

_BYTES = 5
_TITLES = frozenset("mr mrs ms miss dr prof professor sir dame lord lady judge justice".split())
_WORD = re.compile(r"[^\W_]+")


class Pseudonym:
    """Writes ``[PERSON 7K2QF4XA]``.

    Args:
        key: the secret, at least 16 bytes (the policy checks that).
    """

    joins = False

    def __init__(self, key: bytes) -> None:
        self._key = key

    def write(self, document: Document, entity: Entity) -> str:
        """Return the entity's type and the keyed digest of its canonical form."""
        message = f"{entity.type}\0{canonical(document, entity)}".encode("utf-8", "surrogatepass")
        digest = hmac.new(self._key, message, hashlib.sha256).digest()[:_BYTES]
        return f"[{entity.type} {base64.b32encode(digest).decode()}]"


def canonical(document: Document, entity: Entity) -> str:
    """Return the form of the entity's name that is the same wherever the name is the same."""
    forms = {_folded(mention.span.of(document.text), entity.type) for mention in entity.mentions}
    # The most words, then the longest, then by the alphabet: never by the order of the text.
    return max(forms, key=lambda form: (form.count(" "), len(form), form))


def _folded(string: str, type: SemanticType) -> str:
    flat = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", string.casefold())
        if not unicodedata.combining(letter)
    )
    words = _WORD.findall(flat)
    if type is SemanticType.PERSON:
        words = [word for word in words if word not in _TITLES] or words
    return ("" if type is SemanticType.CODE else " ").join(words)
