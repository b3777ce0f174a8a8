"""Placeholders in a text that was rewritten around them, by a mapping: as many as can be told.

A language model quotes ``[PERSON 2]`` in other words, a colleague deletes a paragraph. What is looked
for are the very strings that the operators wrote, as whole words; of those in brackets with a type
(*tag*, *pseudonym*, *hash*, *encrypt*) case, white space and backslashes don't matter.

| a placeholder stands for | becomes |
|---|---|
| one string | that string |
| several strings of one entity, and is there as often as it was | each its own, in order |
| several strings of one entity | the longest of them |
| several entities, as ``***`` mostly does | left, and counted as ambiguous |
| nothing in the mapping, but has the form of a tag, pseudonym, hash or token | left, and counted as unknown |

Where several documents may be meant, what differs between them is ambiguous, and so is every tag:
its number belongs to one document.
"""

from __future__ import annotations

import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..document import Replacement, Risk, SemanticType, Span
from ..documents.record import Failure, SourceDocument
from ..documents.writing import writer
from ..errors import InputError
from ..result import Result
from .mapping import MAPPABLE, FileMapping, Written

_BRACKETED = re.compile(
    rf"(?i:\\?\[\s*({'|'.join(SemanticType)})[\s_-]+"
    r"([0-9]+|[a-z2-7]{8}|[0-9a-f]{64}|e1\.[a-z2-7]+)\s*\\?\])"
)


@dataclass(frozen=True, slots=True)
class Restored:
    """A text, or a file's bytes, with placeholders restored; how many were, and were not.

    Attributes:
        data: the whole of it.
        replaced: placeholders that were restored.
        ambiguous: placeholders left that stand for several things.
        unknown: what has the form of a placeholder and is none of the mapping.
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
    """Return a file in which the placeholders of a mapping are restored where they can be told.

    Args:
        items: the documents of the file, as ``corpora.read`` yields them.
        files: what the mapping holds.
        name: what errors call the file.
        original: name of the original, if it is known; else any of the mapping.

    Raises:
        InputError: if a document can't be read or the format is not edited in place; if the
            mapping has no such original or does not say what was written.
    """
    group = [file for file in files if original in (None, file.name)]
    if not group:
        raise InputError(f"the mapping has no original of the name {original!r}", name)
    if any(document is None for file in group for document in file.documents):
        raise InputError(
            "the mapping does not say what was written, only where: it is of an older tacenda; "
            "restore the file as sanitize wrote it, without --edited",
            name,
        )
    documents = [document for file in group for document in file.documents if document is not None]
    records = list(items)
    if len(documents) == len(records):
        keys = [_Key([document]) for document in documents]
    else:
        keys = [_Key(documents)] * len(records)
    stream = io.BytesIO()
    out = writer(
        "same", stream, allow_leaks=True, inspect=False
    )  # the originals are what is asked for
    counts: Counter[str] = Counter()
    for item, key in zip(records, keys, strict=True):
        if isinstance(item, Failure):
            raise item.error
        if item.origin.format not in MAPPABLE:
            raise InputError(
                f"the format {item.origin.format!r} can't be restored; these can: "
                f"{', '.join(MAPPABLE)}",
                name,
            )
        text, replacements = key.restore(item.document.text, counts)
        out.write(item, opened_record(item, text, replacements))
    out.close()
    return Restored(stream.getvalue(), counts["replaced"], counts["ambiguous"], counts["unknown"])


def opened_record(
    record: SourceDocument, text: str, replacements: tuple[Replacement, ...]
) -> Result:
    """Return a restored document as the writers take it."""
    return Result(record.document, text, (), (), replacements, (), Risk(0.0, 0.0, 0.0, 0))


class _Key:
    """What the placeholders of some documents stand for.

    Args:
        documents: what was written in each, in order.
    """

    def __init__(self, documents: Sequence[Sequence[Written]]) -> None:
        self._strings: dict[str, list[str]] = defaultdict(list)
        entities: dict[str, set[tuple[int, str]]] = defaultdict(set)
        plain: set[str] = set()
        for number, document in enumerate(documents):
            for placeholder, string, ids in document:
                if not placeholder.strip():
                    continue
                key, bracketed = _normal(placeholder)
                self._strings[key].append(string)
                # A pseudonym, a digest and a token are of one name wherever they stand.
                is_name = bracketed and not _is_tag(key)
                entities[key].add((0, key) if is_name else (number, ids))
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
        """Return a text with what can be told restored, and the edits; ``counts`` grows."""
        places = [(match, _normal(match[0])[0]) for match in self._pattern.finditer(text)]
        often = Counter(key for _, key in places)
        numbers: Counter[str] = Counter()
        parts: list[str] = []
        replacements: list[Replacement] = []
        position = length = 0
        for match, key in places:
            strings = self._strings.get(key)
            if strings is None or key in self._ambiguous:
                counts["unknown" if strings is None else "ambiguous"] += 1
                continue
            if self._single and often[key] == len(strings):
                string = strings[numbers[key]]
            else:
                string = max(strings, key=len)
            numbers[key] += 1
            counts["replaced"] += 1
            gap = text[position : match.start()]
            parts += [gap, string]
            start = length + len(gap)
            length = start + len(string)
            position = match.end()
            replacements.append(Replacement(Span(*match.span()), start, length, string, ()))
        return "".join([*parts, text[position:]]), tuple(replacements)


def _normal(placeholder: str) -> tuple[str, bool]:
    """Return a placeholder as it is compared, and whether it has brackets and a type."""
    match = _BRACKETED.fullmatch(placeholder)
    return (f"[{match[1]} {match[2]}]".casefold(), True) if match else (placeholder, False)


def _is_tag(key: str) -> bool:
    return key.endswith("]") and key[:-1].rpartition(" ")[2].isdigit()


def _whole(placeholder: str) -> str:
    """Return the pattern of a placeholder that is no part of a longer word or row of stars."""
    before = (
        r"\w" if placeholder[0].isalnum() or placeholder[0] == "_" else re.escape(placeholder[0])
    )
    after = (
        r"\w" if placeholder[-1].isalnum() or placeholder[-1] == "_" else re.escape(placeholder[-1])
    )
    return f"(?<!{before}){re.escape(placeholder)}(?!{after})"
