"""Restore the originals of sanitized files, with a key or a mapping file.

Either everything is restored or nothing, unless the text has been edited since: then all
unambiguous placeholders are.

    mapping   the mapping file: written during sanitizing, read and checked; restoring its
              placeholders in an edited text

Without a mapping, only tokens of *encrypt* can be restored; ``sealing`` opens them. A mapping file
restores the output of any operator.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from ..document import Replacement
from ..documents.record import Failure, SourceDocument
from ..errors import InputError
from ..sealing import open_text
from ..text.spans import edited_text
from .mapping import (
    FileMapping,
    MappingWriter,
    Restored,
    by_placeholders,
    read_mapping,
    written_as_opened,
)

__all__ = [
    "FileMapping",
    "MappingWriter",
    "Restored",
    "by_key",
    "by_mapping",
    "by_placeholders",
    "read_mapping",
]


def by_mapping(
    data: bytes, files: Sequence[FileMapping], name: str, original: str | None = None
) -> bytes:
    """Return the original of a sanitized file.

    Args:
        data: the sanitized file, unchanged.
        files: the content of the mapping file.
        name: name of the file in errors.
        original: name of the original, if several originals have the same output.

    Raises:
        InputError: if the mapping belongs to other files, or the original is ambiguous.
    """
    digest = hashlib.sha256(data).hexdigest()
    candidates = [file for file in files if file.output == digest]
    if not candidates:
        raise InputError(
            "the mapping belongs to another document, or the file has changed; nothing was "
            "restored",
            name,
        )
    selection = [file for file in candidates if original in (None, file.name)]
    if len({file.original for file in selection}) != 1:
        raise InputError(
            f"{len(candidates)} originals have this output; choose one with --original NAME "
            "(the mapping's documents have the names of the files that came in)",
            name,
        )
    restored = edited_text(data, selection[0].edits)
    if not selection[0].exact or hashlib.sha256(restored).hexdigest() != selection[0].original:
        raise InputError(
            "the mapping does not give the original byte for byte; nothing was restored", name
        )
    return restored


def by_key(
    items: Iterable[SourceDocument | Failure], key: bytes, name: str, *, edited: bool = False
) -> Restored:
    """Return a sanitized file with all tokens of *encrypt* decrypted.

    Args:
        items: the documents of the file, as ``documents.read`` yields them.
        key: the user's secret key.
        name: name of the file in errors.
        edited: accept documents that were changed around their tokens; unreadable tokens are left
            and counted.

    Raises:
        InputError: if a document can't be read, or its format isn't edited in place; also, unless
            ``edited``, if a document has an unreadable or changed token, or none has a token.
        PolicyError: if a token was encrypted with another key.
    """
    tokens = damaged = 0

    def opened(item: SourceDocument) -> tuple[str, tuple[Replacement, ...]]:
        nonlocal tokens, damaged
        result = open_text(item.document.text, key, item.document.id, edited=edited)
        tokens += len(result.replacements)
        damaged += result.damaged
        return result.text, result.replacements

    data = written_as_opened(items, name, opened)
    if not tokens and not edited:
        raise InputError(
            "has no tokens of encrypt; use --mapping to restore the output of other operators",
            name,
        )
    return Restored(data, tokens, 0, damaged)
