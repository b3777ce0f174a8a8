"""The tokens of a text opened: all of them, or an error and none; of an edited text those that can be."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field

from ..document import Replacement, Span
from ..errors import InputError, PolicyError
from .cipher import Cipher
from .token import Token, document_seal, find_tokens, open_token


@dataclass(frozen=True, slots=True)
class Opened:
    """A text whose tokens were opened.

    Attributes:
        text: the text as it was before *encrypt*.
        replacements: where each token was (``original``) and what it became, in order.
        damaged: how many tokens were left, as they are cut off or were changed.
    """

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...]
    damaged: int = 0


def open_text(text: str, key: bytes, name: str = "", *, edited: bool = False) -> Opened:
    """Return ``text`` with the strings that its tokens hold.

    Args:
        text: a sanitized document; one without tokens comes back as it is.
        key: the user's secret.
        name: what errors call the document.
        edited: take a text that was changed since around its tokens, that lost some of them or has
            some of another document; those that can't be opened are left.

    Raises:
        PolicyError: if a token (of an edited text: every token) was sealed under another key.
        InputError: unless it is ``edited``, if a token is damaged, cut off or from another document,
            or the text was changed since.
        MissingExtraError: if ``cryptography`` is not installed.
    """
    tokens = list(find_tokens(text))
    if not tokens:
        return Opened(text, ())
    cipher = Cipher(key, "encrypt")
    parts: list[str] = []
    replacements: list[Replacement] = []
    position = length = damaged = 0
    refusal: InputError | PolicyError | None = None
    for number, token in enumerate(tokens, start=1):
        place = f"token {number} at offset {token.start}"
        try:
            string = _string(cipher, token, token if edited else tokens[0], place, name)
        except (InputError, PolicyError) as error:
            if not edited:
                raise
            damaged += 1
            refusal = refusal or error
            continue
        kept = text[position : token.start]
        parts += [kept, string]
        start = length + len(kept)
        length = start + len(string)
        position = token.end
        replacements.append(Replacement(Span(token.start, token.end), start, length, string, ()))
    if isinstance(refusal, PolicyError) and not replacements:
        raise refusal
    parts.append(text[position:])
    opened = "".join(parts)
    if not edited and not hmac.compare_digest(document_seal(key, opened), tokens[0].seal):
        raise InputError(
            "the text was changed after its tokens were written, or some of them are missing; "
            "take the file as tacenda wrote it, or allow the changes with --edited",
            name,
        )
    return Opened(opened, tuple(replacements), damaged)


def _string(cipher: Cipher, token: Token, first: Token, place: str, name: str) -> str:
    if not token.sealed:
        raise InputError(f"{place} is cut off or damaged; nothing was restored", name)
    if token.key_id != cipher.key_id:
        raise PolicyError(
            f"{name + ': ' if name else ''}{place} was made with the key of id "
            f"{token.key_id.hex()}, the key given has {cipher.key_id.hex()}; give the other key"
        )
    if token.seal != first.seal:
        raise InputError(
            f"{place} is from another document than token 1; nothing was restored", name
        )
    string = open_token(cipher, token)
    if string is None:
        raise InputError(f"{place} was tampered with; nothing was restored", name)
    return string
