"""The mapping file: the original strings and their positions, to undo the output of any operator.

It contains all masked strings, so it is written only on request, is readable only by its owner, and
never replaces another file. It has one JSON object per line:

    {"tacenda_mapping": 1, "id": "…", "key_id": "1f2e3d4c"}         key_id is empty if not encrypted
    {"edits": [[12, 15, "QW5uYSBCZXJn"], …],                        of one document
     "written": [["[PERSON 1]", "Anna Berg", "e1"], …]}
    {"file": "a.txt", "output": "<sha256>", "original": "<sha256>", "exact": true}
    {"files": 1}

The numbers are byte offsets in the output file; the string is the original's bytes in base64.
``written`` lists each placeholder's original string and entities in plain text, to find it in an
edited text (``edited``). With a key, all lines except the first are encrypted with AES-SIV, bound
to the first line and their own number, and written in base64. A file without its last line is
incomplete.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import io
import json
import math
import os
import re
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..atomic import AtomicFile
from ..document import Replacement, Risk, Span
from ..documents.compression import unpacked
from ..documents.record import Failure, Origin, SourceDocument, head_edits, source_edits
from ..documents.registry import SHIPPED, format_named
from ..documents.writing import writer
from ..errors import InputError, PolicyError
from ..result import Result
from ..rewrite.edits import Edit, apply_edits
from ..sealing import Cipher
from ..text.decoding import writable
from ..wording import TAG_WORDS

VERSION = 1
MAPPABLE = tuple(name for name, format in SHIPPED.items() if format.mappable)
"""Formats that are edited in their place, so that all else in the file stays as it is."""


class _FileDigests:
    """The digests of a file as it is written."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.output = hashlib.sha256()
        self.original = hashlib.sha256()
        self.length = 0
        encoding = "utf-8" if origin.encoding == "utf-8-sig" else origin.encoding
        self._written = codecs.getincrementalencoder(encoding)()
        self._source = codecs.getincrementalencoder(encoding)()
        self._references = format_named(origin.format).references

    def keep(self, text: str) -> None:
        data = self._source.encode(text)
        self._written.encode(text)
        self.length += len(data)
        self.output.update(data)
        self.original.update(data)

    def replace(self, original: str, text: str) -> list[Any]:
        self._written.errors = "xmlcharrefreplace" if self._references else "strict"
        data = self._written.encode(writable(text))
        self._written.errors = "strict"
        was = self._source.encode(original)
        self.output.update(data)
        self.original.update(was)
        start, self.length = self.length, self.length + len(data)
        return [start, self.length, base64.b64encode(was).decode()]

    def take(self, source: str, edits: Sequence[tuple[int, int, str]]) -> list[list[Any]]:
        """Record a part of the file and its edits, in order; return the edits for its line."""
        lines = []
        position = 0
        for start, end, text in edits:
            self.keep(source[position:start])
            lines.append(self.replace(source[start:end], text))
            position = end
        self.keep(source[position:])
        return lines

    def is_exact(self) -> bool:
        """Return whether the recorded parts give the exact bytes of the input file."""
        path = Path(self.origin.path)
        if self.origin.path == "-" or path.is_fifo():  # Neither can be read a second time.
            return True
        try:
            with path.open("rb") as stream:
                content = unpacked(stream, self.origin.name)
                digest = hashlib.file_digest(content, "sha256")  # type: ignore[arg-type]
                return digest.digest() == self.original.digest()
        except (OSError, InputError):
            return False


def _written(replacements: Iterable[Replacement], text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each replacement, its original string, and the ids of its entities.

    A string that wraps over several lines has one edit per line, of which only the last one has
    text. Neutral wording (*they*) isn't a placeholder.
    """
    before: list[str] = []
    last: tuple[str, ...] = ()
    for edit in replacements:
        if not edit.entity_ids:
            continue
        if edit.entity_ids != last:
            before = []
        before.append(edit.original.of(text))
        last = edit.entity_ids
        if edit.text:
            # A comma between two tags isn't part of the first tag.
            placeholder = edit.text[:-1] if edit.text.endswith("],") else edit.text
            yield placeholder, " ".join(before), " ".join(last)
            before = []


def require_mappable(record: SourceDocument) -> None:
    """Check that a mapping can restore a document's format.

    Raises:
        InputError: if its format isn't edited in place.
    """
    if record.origin.format not in MAPPABLE:
        raise InputError(
            f"a mapping can't undo the format {record.origin.format!r}, which is "
            f"rebuilt; it can undo {', '.join(MAPPABLE)}",
            record.origin.name,
        )


class MappingWriter:
    """Writes a mapping during sanitizing, file by file, in bounded memory.

    Args:
        path: where to write it; must not exist.
        key: encrypts it; None to write plain text.

    Raises:
        PolicyError: if the path already exists.
        OutputError: if the path can't be written.
        MissingExtraError: if a key is given and ``cryptography`` isn't installed.
    """

    def __init__(self, path: Path, key: bytes | None = None) -> None:
        self._cipher = None if key is None else Cipher(key, "mapping")
        self._path = path
        if os.path.lexists(path):
            raise _there_already(path)
        self._file_on_disk = AtomicFile(path, private=True)
        key_id = "" if self._cipher is None else self._cipher.key_id.hex()
        header = {"tacenda_mapping": VERSION, "id": secrets.token_hex(8), "key_id": key_id}
        self._header = json.dumps(header).encode()
        self._file_on_disk.stream.write(self._header + b"\n")
        self._number = 0
        self._files = 0
        self._file: _FileDigests | None = None

    def add(self, record: SourceDocument, sanitized: Result) -> None:
        """Record the edits of one document, in order.

        Raises:
            InputError: if its format isn't edited in place, or the previous file can't be restored.
        """
        require_mappable(record)
        before = self._file
        if before is not None and before.origin.path == record.origin.path:
            file = before
        else:
            self._file = file = _FileDigests(record.origin)
        edits = []
        if file is not before and record.head is not None:
            edits += file.take(record.head.source, head_edits(record.head, sanitized))
        edits += file.take(record.source, source_edits(record, sanitized))
        try:
            if before is not None and before is not file:
                self._close(before)
        finally:
            outputs = list(_written(sanitized.replacements, record.document.text))
            self._line({"edits": edits, "written": outputs})

    def finish(self) -> None:
        """Write the last line of the mapping.

        Raises:
            InputError: if the last file can't be restored byte for byte; the mapping is still
                complete.
        """
        try:
            if self._file is not None:
                self._close(self._file)
        finally:
            self._line({"files": self._files})
            try:
                self._file_on_disk.commit(new=True)
            except FileExistsError:
                self._file_on_disk.abort()
                raise _there_already(self._path) from None

    def abort(self) -> None:
        """Leave nothing behind."""
        self._file_on_disk.abort()

    def _close(self, file: _FileDigests) -> None:
        exact = file.is_exact()
        self._files += 1
        self._line(
            {
                "file": file.origin.name,
                "output": file.output.hexdigest(),
                "original": file.original.hexdigest(),
                "exact": exact,
            }
        )
        if not exact:
            raise InputError(
                "the mapping can't restore it byte for byte: part of it could not be read, or it "
                "is not canonical {file.origin.encoding}",
                file.origin.name,
            )

    def _line(self, item: dict[str, Any]) -> None:
        self._number += 1
        data = json.dumps(item).encode()
        if self._cipher is not None:
            place = str(self._number).encode()
            data = base64.b64encode(self._cipher.seal(data, self._header, place))
        self._file_on_disk.stream.write(data + b"\n")


def _there_already(path: Path) -> PolicyError:
    return PolicyError(f"the mapping {path} already exists; choose another path")


# Reading mapping files; every line is checked.


Written = tuple[str, str, str]
"""A placeholder, the string that it stands for, and the entities, with blanks between."""


@dataclass(frozen=True, slots=True)
class FileMapping:
    """The edits that restore one output file.

    Attributes:
        name: name of the original.
        output: SHA-256 of the output file, in hexadecimal digits.
        original: SHA-256 of the original.
        exact: whether the edits give exactly the original's bytes.
        edits: byte ranges ``[start, end)`` of the output with their original bytes, in order.
        documents: the replacements in each of its documents, in order.
    """

    name: str
    output: str
    original: str = field(repr=False)
    exact: bool
    edits: tuple[tuple[int, int, bytes], ...] = field(repr=False)
    documents: tuple[tuple[Written, ...], ...] = field(repr=False)


def read_mapping(path: Path, key: bytes | None) -> list[FileMapping]:
    """Return the content of a mapping file.

    Raises:
        InputError: if it can't be read, isn't a mapping, is incomplete, or was changed.
        PolicyError: if it is encrypted and the key is missing or wrong.
        MissingExtraError: if it is encrypted and ``cryptography`` isn't installed.
    """
    try:
        header, *lines = path.read_bytes().splitlines() or [b""]
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror}); check the path", str(path)) from None
    cipher = _cipher(_header(header, path), path, key)
    files: list[FileMapping] = []
    edits: list[tuple[int, int, bytes]] = []
    documents: list[tuple[Written, ...]] = []
    is_complete = False
    for number, line in enumerate(lines, start=1):
        data: bytes | None = line
        if cipher is not None:
            data = cipher.open(_unwrapped(line), header, str(number).encode())
        try:
            item = json.loads(data or b"")
            if "edits" in item:
                edits += [(int(s), int(e), base64.b64decode(b)) for s, e, b in item["edits"]]
                documents.append(_read_written(item))
            elif "file" in item:
                files.append(_file(item, edits, documents))
                edits, documents = [], []
            else:
                is_complete = item["files"] == len(files) and number == len(lines)
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"line {number + 1} of the mapping was changed or cut off; nothing was restored",
                str(path),
            ) from None
    if not is_complete:
        raise InputError("the mapping is cut off; nothing was restored", str(path))
    return files


def _header(line: bytes, path: Path) -> dict[str, Any]:
    try:
        header = json.loads(line)
        if header["tacenda_mapping"] == VERSION and isinstance(header["key_id"], str):
            return dict(header)
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(
        f"is not a mapping of version {VERSION}; pass the file that sanitize --mapping wrote",
        str(path),
    )


def _cipher(header: dict[str, Any], path: Path, key: bytes | None) -> Cipher | None:
    key_id = header["key_id"]
    if not key_id:
        return None
    if key is None:
        raise PolicyError(f"{path} is encrypted; pass its key with --key-file or --key-env")
    cipher = Cipher(key, "mapping")
    if cipher.key_id.hex() != key_id:
        raise PolicyError(
            f"{path} was encrypted with key {key_id}, but the given key is "
            f"{cipher.key_id.hex()}; use the other key"
        )
    return cipher


def _unwrapped(line: bytes) -> bytes:
    try:
        return base64.b64decode(line, validate=True)
    except binascii.Error:
        return b""


def _read_written(item: dict[str, Any]) -> tuple[Written, ...]:
    return tuple((str(text), str(string), str(ids)) for text, string, ids in item["written"])


def _file(
    item: dict[str, Any],
    edits: list[tuple[int, int, bytes]],
    documents: list[tuple[Written, ...]],
) -> FileMapping:
    return FileMapping(
        str(item["file"]),
        item["output"],
        item["original"],
        item["exact"],
        tuple(edits),
        tuple(documents),
    )


# Restoring the unambiguous placeholders in an edited text with a mapping.
#
# A language model may quote ``[PERSON 2]`` in a new sentence; a colleague may delete a paragraph.
# The operators' exact strings are searched for as whole words. In bracketed strings with a type
# (*tag*, *pseudonym*, *hash*, *encrypt*), case, white space and backslashes are ignored.
#
# | a placeholder stands for | becomes |
# |---|---|
# | one string | that string |
# | several strings of one entity, and occurs as often as it did | each original string, in order |
# | several strings of one entity | the longest of them; preferably one that stands for no other entity |
# | several entities, as ``***`` usually does | left, and counted as ambiguous |
# | nothing in the mapping, but looks like a tag, pseudonym, hash or token | left, and counted as unknown |
#
# With several candidate documents, differences between them are ambiguous, and so is every tag,
# since its number belongs to one document.


_BRACKETED = re.compile(
    rf"(?i:\\?\[\s*({'|'.join(TAG_WORDS)})[\s_-]+"
    r"([0-9]+|[a-z2-7]{8}|[0-9a-f]{64}|e1\.[a-z2-7]+)\s*\\?\])"
)


@dataclass(frozen=True, slots=True)
class Restored:
    """A text or a file with placeholders restored, and the counts.

    Attributes:
        data: the bytes.
        replaced: number of restored placeholders.
        ambiguous: number of placeholders left because they stand for several strings.
        unknown: number of strings that look like a placeholder but aren't in the mapping.
    """

    data: bytes = field(repr=False)
    replaced: int
    ambiguous: int
    unknown: int


def by_placeholders(
    items: Iterable[SourceDocument | Failure],
    files: Sequence[FileMapping],
    name: str,
    original: str | None = None,
) -> Restored:
    """Return a file with the unambiguous placeholders of a mapping restored.

    Args:
        items: the documents of the file, as ``documents.read`` yields them.
        files: the content of the mapping.
        name: name of the file in errors.
        original: name of the original, if known; otherwise any original in the mapping.

    Raises:
        InputError: if a document can't be read or its format isn't edited in place; if the mapping
            has no such original.
    """
    group = [file for file in files if original in (None, file.name)]
    if not group:
        raise InputError(f"the mapping has no original of the name {original!r}", name)
    documents = [document for file in group for document in file.documents]
    records = list(items)
    if len(documents) == len(records):
        keys = [_Key([document]) for document in documents]
    else:
        keys = [_Key(documents)] * len(records)
    counts: Counter[str] = Counter()
    remaining = iter(keys)
    data = written_as_opened(
        records, name, lambda item: next(remaining).restore(item.document.text, counts)
    )
    return Restored(data, counts["replaced"], counts["ambiguous"], counts["unknown"])


def written_as_opened(
    items: Iterable[SourceDocument | Failure],
    name: str,
    opened: Callable[[SourceDocument], tuple[str, tuple[Replacement, ...]]],
) -> bytes:
    """Return a file with each document replaced by what ``opened`` returns for it.

    Args:
        items: the documents of the file.
        name: name of the file in errors.
        opened: called for each document in turn; returns its text and the replacements.

    Raises:
        InputError: if a document can't be read or its format isn't edited in place.
    """
    stream = io.BytesIO()
    # The originals are what the user wants.
    out = writer("same", stream, allow_leaks=True, inspect=False)
    for item in items:
        if isinstance(item, Failure):
            raise item.error
        if item.origin.format not in MAPPABLE:
            raise InputError(
                f"the format {item.origin.format!r} can't be restored; these can: "
                f"{', '.join(MAPPABLE)}",
                name,
            )
        text, replacements = opened(item)
        risk = Risk(0.0, 0.0, 0.0, 0)
        out.write(item, Result(item.document, text, (), (), replacements, (), risk))
    out.close()
    return stream.getvalue()


class _Key:
    """The original strings of the placeholders of some documents.

    Args:
        documents: the replacements in each document, in order.
    """

    def __init__(self, documents: Sequence[Sequence[Written]]) -> None:
        self._strings: dict[str, list[str]] = defaultdict(list)
        self._fullest: dict[str, str] = {}
        entities: dict[str, set[tuple[int, str]]] = defaultdict(set)
        fullest: dict[str, tuple[float, int]] = {}
        plain: set[str] = set()
        for number, document in enumerate(documents):
            for placeholder, string, ids in document:
                if not placeholder.strip():
                    continue
                key, bracketed = _normal(placeholder)
                self._strings[key].append(string)
                # A pseudonym, a hash or a token stands for one name everywhere, a tag only within
                # its document. It may include what was next to the name.
                of = number if _is_tag(key) else 0
                entities[key].add((of, key) if bracketed else (number, ids))
                rank = -len(ids.split()), len(string)
                if rank > fullest.get(key, (-math.inf, 0)):
                    fullest[key] = rank
                    self._fullest[key] = string
                if not bracketed:
                    plain.add(placeholder)
        self._single = len(documents) == 1
        self._ambiguous = {
            key
            for key, strings in self._strings.items()
            if (len(set(strings)) > 1 and len(entities[key]) > 1)
            or (len(documents) > 1 and _is_tag(key))
        }
        longest_first = sorted(plain, key=lambda item: (-len(item), item))
        self._pattern = re.compile("|".join([_BRACKETED.pattern, *map(_whole, longest_first)]))

    def restore(self, text: str, counts: Counter[str]) -> tuple[str, tuple[Replacement, ...]]:
        """Return a text with unambiguous placeholders restored, and the edits; adds to ``counts``."""
        places = [(match, _normal(match[0])[0]) for match in self._pattern.finditer(text)]
        often = Counter(key for _, key in places)
        numbers: Counter[str] = Counter()
        edits: list[Edit] = []
        for match, key in places:
            strings = self._strings.get(key)
            if strings is None or key in self._ambiguous:
                counts["unknown" if strings is None else "ambiguous"] += 1
                continue
            if self._single and often[key] == len(strings):
                string = strings[numbers[key]]
            else:
                string = self._fullest[key]
            numbers[key] += 1
            counts["replaced"] += 1
            edits.append(Edit(Span(*match.span()), string, ()))
        return apply_edits(text, edits)


def _normal(placeholder: str) -> tuple[str, bool]:
    """Return a placeholder in the form used for comparison, and whether it has brackets and a type."""
    match = _BRACKETED.fullmatch(placeholder)
    return (f"[{match[1]} {match[2]}]".casefold(), True) if match else (placeholder, False)


def _is_tag(key: str) -> bool:
    return key.endswith("]") and key[:-1].rpartition(" ")[2].isdigit()


def _whole(placeholder: str) -> str:
    """Return the pattern of a placeholder, which doesn't match inside longer words or rows of stars."""
    before = (
        r"\w" if placeholder[0].isalnum() or placeholder[0] == "_" else re.escape(placeholder[0])
    )
    after = (
        r"\w" if placeholder[-1].isalnum() or placeholder[-1] == "_" else re.escape(placeholder[-1])
    )
    return f"(?<!{before}){re.escape(placeholder)}(?!{after})"
