"""A conversation's originals, which are encrypted whenever they aren't in use.

A vault is bytes encrypted with AES-SIV (``sealing``) and bound to its conversation, so that those
of another conversation or key can't be opened. It expires after some time without use, and is empty
for good once it is closed.
"""

from __future__ import annotations

import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any

from ...document import SemanticType
from ...errors import InputError, PolicyError
from ...sealing import KEY_ID_BYTES, Cipher
from ...text.normal_form import mention_key
from ...text.placeholders import LITERAL, Label
from ...text.surface_forms import Form, leak_forms

_VERSION = 1
_PURPOSE = "guard"
_SHORTEST_KEY = 16
_MOST_TEXTS = 20_000
"""Texts whose places are remembered; older ones are read again."""
Places = list[tuple[int, int, str, int]]
"""Start and end of what is hidden in a text, and the word and number of what it names."""


@dataclass(slots=True, repr=False)
class Original:
    """An entity in a conversation.

    Attributes:
        word: the word in its placeholders.
        number: its number among entities with that word.
        type: the semantic type.
        forms: its strings as written.
        numeric: indexes of the forms that were JSON numbers.
    """

    word: str
    number: int
    type: SemanticType
    forms: list[str]
    numeric: list[int] = field(default_factory=list)

    def label(self, string: str, is_number: bool = False) -> Label:
        """Return the label for a string, adding it as a form if it is new."""
        for place, form in enumerate(self.forms):
            if form == string and (place in self.numeric) is is_number:
                return Label(self.word, self.number, place)
        self.forms.append(string)
        if is_number:
            self.numeric.append(len(self.forms) - 1)
        return Label(self.word, self.number, len(self.forms) - 1)


class VaultContent:
    """The decrypted content of a vault.

    Attributes:
        items: the entities.
        texts: positions of what is hidden in texts already read, by digest; None for texts that
            contain our placeholders.
        context: end of what was read last, for the recognizer.
    """

    def __init__(self, content: dict[str, Any]) -> None:
        self.items = [
            Original(word, number, SemanticType(type), forms, numeric)
            for word, number, type, forms, numeric in content["items"]
        ]
        self.texts: dict[str, Places | None] = {
            digest: None if places is None else [(s, e, w, n) for s, e, w, n in places]
            for digest, places in content["texts"].items()
        }
        self.context: str = content["context"]

    @classmethod
    def none(cls) -> VaultContent:
        """Return the content for a conversation that hasn't started."""
        return cls({"items": [], "texts": {}, "context": ""})

    def content(self) -> dict[str, Any]:
        """Return the originals as a JSON object."""
        items = [[o.word, o.number, str(o.type), o.forms, o.numeric] for o in self.items]
        texts = dict(list(self.texts.items())[-_MOST_TEXTS:])
        return {"items": items, "texts": texts, "context": self.context}

    def strings(self) -> dict[Label, tuple[str, bool]]:
        """Return each label's string, and whether it was a number."""
        return {
            Label(item.word, item.number, place): (form, place in item.numeric)
            for item in self.items
            for place, form in enumerate(item.forms)
        }

    def owners(self) -> dict[str, Original]:
        """Return each folded string to search for with the entity that it names; the first one if there are several."""
        owners: dict[str, Original] = {}
        for item in self._searched():
            for surface in item.forms:
                for form in leak_forms(surface, item.type):
                    owners.setdefault(form.text, item)
        return owners

    def forms(self) -> list[Form]:
        """Return the forms for searching the originals."""
        return [
            form
            for item in self._searched()
            for surface in item.forms
            for form in leak_forms(surface, item.type)
        ]

    def _searched(self) -> Iterator[Original]:
        return (item for item in self.items if item.word != LITERAL)

    def item(self, strings: set[str], type: SemanticType, word: str) -> Original:
        """Return the entity with these strings; a new one unless they identify exactly one."""
        keys = {mention_key(string) for string in strings}
        kin = [
            item
            for item in self.items
            if item.word == word and keys & {mention_key(form) for form in item.forms}
        ]
        if not kin and type is SemanticType.PERSON:
            names = {form.text for string in strings for form in leak_forms(string, type)}
            kin = [
                item
                for item in self.items
                if item.word == word
                and any(
                    mention_key(form) in names or keys & {f.text for f in leak_forms(form, type)}
                    for form in item.forms
                )
            ]
        return kin[0] if len(kin) == 1 else self.add(type, word)

    def add(self, type: SemanticType, word: str) -> Original:
        """Return a new entity."""
        number = 1 + max((item.number for item in self.items if item.word == word), default=0)
        item = Original(word, number, type, [])
        self.items.append(item)
        return item


class Vault:
    """The encrypted originals of one conversation; thread-safe.

    Args:
        key: the user's key, at least 16 bytes; by default one known only to this process.
        conversation: the conversation whose originals it contains.
        lifetime: number of idle seconds after which it can't be opened.
        sealed: the vault of an earlier process.

    Raises:
        PolicyError: if the key is too short, or isn't that of ``sealed``.
        InputError: if ``sealed`` belongs to another conversation, was changed, or has expired.
        MissingExtraError: if ``cryptography`` isn't installed.
    """

    def __init__(
        self, key: bytes | None, conversation: str, lifetime: float, sealed: bytes | None = None
    ) -> None:
        if key is not None and len(key) < _SHORTEST_KEY:
            raise PolicyError(f"the key has {len(key)} bytes; at least {_SHORTEST_KEY} are needed.")
        self._key = token_bytes(32) if key is None else key
        self._cipher: Cipher | None = Cipher(self._key, _PURPOSE)
        self._conversation = conversation.encode("utf-8", "surrogatepass")
        self._lifetime = lifetime
        self._lock = threading.RLock()
        if sealed is None:
            self._sealed = b""
            self._seal(VaultContent.none())
            return
        key_id, self._sealed = sealed[:KEY_ID_BYTES], sealed[KEY_ID_BYTES:]
        if key_id != self._cipher.key_id:
            raise PolicyError("the vault was sealed with a different key; use that key.")
        self._read()

    def __repr__(self) -> str:
        """Return whether it is open, without text."""
        return f"Vault({'closed' if self._cipher is None else 'sealed'})"

    @contextmanager
    def open(self) -> Iterator[VaultContent]:
        """Give one thread at a time access to the originals; what it adds is encrypted at the end.

        Raises:
            InputError: if the vault is closed or has expired.
        """
        with self._lock:
            originals = self._read()
            yield originals
            self._seal(originals)

    @property
    def sealed(self) -> bytes:
        """The vault as bytes, for another process with the same key.

        Raises:
            InputError: if the vault is closed or has expired.
        """
        with self._lock:
            self._read()
            assert self._cipher is not None
            return self._cipher.key_id + self._sealed

    def digest(self, text: str) -> str:
        """Return the digest by which a text is remembered; it reveals nothing without the key."""
        data = self._conversation + b"\0" + text.encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, data, "sha256").hex()[:32]

    def close(self) -> None:
        """Forget the originals and the key."""
        with self._lock:
            self._sealed, self._key, self._cipher = b"", b"", None

    def _seal(self, originals: VaultContent) -> None:
        if self._cipher is None:
            return
        content = originals.content() | {
            "version": _VERSION,
            "expires": time.time() + self._lifetime,
        }
        self._sealed = self._cipher.seal(json.dumps(content).encode(), self._conversation)

    def _read(self) -> VaultContent:
        if self._cipher is None:
            raise InputError("the conversation is closed; start a new one.")
        plain = self._cipher.open(self._sealed, self._conversation)
        if plain is None:
            raise InputError(
                "the vault belongs to another conversation, or was changed; it can't be opened."
            )
        content = json.loads(plain)
        if content["version"] != _VERSION:
            raise InputError(
                "the vault is from another version of tacenda; start a new conversation."
            )
        if content["expires"] < time.time():
            self.close()
            raise InputError("the conversation has expired; start a new one.")
        return VaultContent(content)
