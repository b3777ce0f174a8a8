"""*Hash*: the whole keyed digest of a name, to join documents by it.

HMAC-SHA256 (RFC 2104) of the semantic type and the entity's canonical form, as for a pseudonym
but uncut: 64 hexadecimal digits, which no two names of the world share.
"""

from __future__ import annotations

import hmac

from ...document import Document, Entity, Span
from .pseudonym import message


class Hash:
    """Writes ``[PERSON 5994471a…]``.

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
        digest = hmac.digest(self._key, b"hash\0" + message(document, entity), "sha256")
        return f"[{entity.type} {digest.hex()}]"
