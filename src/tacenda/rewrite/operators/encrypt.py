"""*Encrypt*: the string itself, sealed, so that whoever has the key gets the document back.

AES-SIV binds each string to the document that it stands in; ``sealing`` says how.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...document import Document, Entity, Replacement, Span
from ...errors import InputError
from ...sealing.cipher import Cipher
from ...sealing.token import document_seal, find_tokens, write_token


class Clear:
    """Writes the string itself: what opening the tokens of *encrypt* will give."""

    joins = False
    by_string = True
    divides = True

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the string that stands there."""
        return span.of(document.text)


class Encrypt:
    """Writes ``[PERSON e1.MFRGG…]``.

    Args:
        key: the secret, at least 16 bytes (the policy checks that).
        opened: what the document reads like once all its tokens are opened.

    Raises:
        MissingExtraError: if ``cryptography`` is not installed.
    """

    joins = False
    by_string = True
    divides = True

    def __init__(self, key: bytes, opened: str) -> None:
        self._cipher = Cipher(key, "encrypt")
        self._seal = document_seal(key, opened)

    def write(self, document: Document, entity: Entity, span: Span) -> str:
        """Return the token of the string that stands there."""
        return write_token(self._cipher, self._seal, entity.type, span.of(document.text))


def refuse_foreign_tokens(
    document: Document, text: str, replacements: Sequence[Replacement]
) -> None:
    """Refuse a document with what looks like a token: it would be taken for one of ours.

    Raises:
        InputError: naming the offset in the output.
    """
    ours = {(edit.output_start, edit.output_end) for edit in replacements}
    for token in find_tokens(text):
        if (token.start, token.end) not in ours:
            raise InputError(
                f"offset {token.start} of the output has what looks like a token of encrypt "
                "already; restore the document first, or choose another operator",
                document.id,
            )
