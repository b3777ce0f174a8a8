"""The originals of a conversation: sealed whenever no one works on them.

A vault is bytes under AES-SIV (``sealing``), bound to its conversation: those of another one, or under another
key, can't be opened. It expires when it was not used for a time, and is empty forever once it is closed.
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
    """An entity of a conversation.

    Attributes:
        word: of its placeholders.
        number: among the entities of the word.
        type: semantic type.
        forms: its strings, each as it was written.
        numeric: numbers of the forms that were numbers of JSON.
    """

    word: str
    number: int
    type: SemanticType
    forms: list[str]
    numeric: list[int] = field(default_factory=list)

    def label(self, string: str, is_number: bool = False) -> Label:
        """Return the label of one of its strings, which it takes up."""
        for place, form in enumerate(self.forms):
            if form == string and (place in self.numeric) is is_number:
                return Label(self.word, self.number, place)
        self.forms.append(string)
        if is_number:
            self.numeric.append(len(self.forms) - 1)
        return Label(self.word, self.number, len(self.forms) - 1)


class VaultContent:
    """The open content of a vault.

    Attributes:
        items: the entities.
        texts: places of what is hidden in texts that were read, by their digests; None for texts that have
            placeholders of ours.
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
        """The originals of a conversation that has not begun."""
        return cls({"items": [], "texts": {}, "context": ""})

    def content(self) -> dict[str, Any]:
        """The originals as an object of JSON."""
        items = [[o.word, o.number, str(o.type), o.forms, o.numeric] for o in self.items]
        texts = dict(list(self.texts.items())[-_MOST_TEXTS:])
        return {"items": items, "texts": texts, "context": self.context}

    def strings(self) -> dict[Label, tuple[str, bool]]:
        """The string of each label, and whether it was a number."""
        return {
            Label(item.word, item.number, place): (form, place in item.numeric)
            for item in self.items
            for place, form in enumerate(item.forms)
        }

    def owners(self) -> dict[str, Original]:
        """Each string to search for, folded, with the entity that it names; the first of several."""
        owners: dict[str, Original] = {}
        for item in self._searched():
            for surface in item.forms:
                for form in leak_forms(surface, item.type):
                    owners.setdefault(form.text, item)
        return owners

    def forms(self) -> list[Form]:
        """The forms by which the originals are searched for."""
        return [
            form
            for item in self._searched()
            for surface in item.forms
            for form in leak_forms(surface, item.type)
        ]

    def _searched(self) -> Iterator[Original]:
        return (item for item in self.items if item.word != LITERAL)

    def item(self, strings: set[str], type: SemanticType, word: str) -> Original:
        """Return the entity with these strings; a new one unless they lead to exactly one."""
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
    """The sealed originals of one conversation; safe for threads.

    Args:
        key: of the user, at least 16 bytes; one of its own, in this process alone, by default.
        conversation: the only one whose originals it holds.
        lifetime: seconds without use after which it can't be opened.
        sealed: the vault of an earlier process.

    Raises:
        PolicyError: if the key is too short, or not that of ``sealed``.
        InputError: if ``sealed`` is of another conversation, was changed, or expired.
        MissingExtraError: if ``cryptography`` is not installed.
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
        """Whether it is open, without text."""
        return f"Vault({'closed' if self._cipher is None else 'sealed'})"

    @contextmanager
    def open(self) -> Iterator[VaultContent]:
        """Give the originals to one thread at a time; what it adds is sealed at the end.

        Raises:
            InputError: if the vault is closed or expired.
        """
        with self._lock:
            originals = self._read()
            yield originals
            self._seal(originals)

    @property
    def sealed(self) -> bytes:
        """The vault as bytes, for another process with the same key.

        Raises:
            InputError: if the vault is closed or expired.
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
