"""Releases: originals and what any system wrote in place of parts of them.

They are read from masks, from results, or from pairs of texts. In a pair, the edits are found from
the longest common subsequence of words, so any system can be measured, including a rewriting model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rapidfuzz.distance import LCSseq

from ..annotations.checked_json import JsonPart, parse_json, read_text
from ..annotations.result import result_lines
from ..annotations.tab import parse_masks
from ..document import Span
from ..documents.reading import format_of, read
from ..documents.record import Failure, SourceDocument
from ..errors import InputError
from ..result import is_result, parse_results
from ..text.tokens import words
from .matching import union_spans
from .metrics import MASK


@dataclass(frozen=True, slots=True)
class Rewriting:
    """Code points ``[start, end)`` of the original, which may be empty, and what was written there."""

    start: int
    end: int
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Release:
    """A document, before and after.

    Attributes:
        id: the document's id.
        original: its text.
        rewritings: in order, without overlaps.
        label: its true class; empty if unknown.
    """

    id: str
    original: str = field(repr=False)
    rewritings: tuple[Rewriting, ...] = field(repr=False)
    label: str = ""

    @classmethod
    def masked(cls, id: str, original: str, spans: Sequence[Span], label: str = "") -> Release:
        """Return a release with ``***`` in place of spans, which may overlap.

        Raises:
            InputError: if a span ends past the text.
        """
        return cls(id, original, _checked(_masks(spans), original, id), label)

    @classmethod
    def of_texts(cls, id: str, original: str, sanitized: str, label: str = "") -> Release:
        """Return the release for two texts, based on their common words."""
        return cls(id, original, tuple(_rewritings(original, sanitized)), label)


def _masks(spans: Iterable[Span]) -> tuple[Rewriting, ...]:
    return tuple(Rewriting(span.start, span.end, MASK) for span in union_spans(spans))


def _checked(rewritings: tuple[Rewriting, ...], text: str, id: str) -> tuple[Rewriting, ...]:
    position = 0
    for each in rewritings:
        if not position <= each.start <= each.end <= len(text):
            raise InputError(
                f"[{each.start}, {each.end}) overlaps another edit or ends past its text of "
                f"{len(text)} code points",
                id,
            )
        position = each.end
    return rewritings


def _rewritings(original: str, sanitized: str) -> Iterator[Rewriting]:
    starts, ends = words(original)
    new_starts, new_ends = words(sanitized)
    old = [original[a:b].lower() for a, b in zip(starts, ends, strict=True)]
    new = [sanitized[a:b].lower() for a, b in zip(new_starts, new_ends, strict=True)]
    # Between two runs of common words, everything deleted or inserted is one rewriting.
    first = new_first = 0
    common = [code for code in LCSseq.opcodes(old, new) if code.tag == "equal"]
    for last, new_last, after, new_after in (
        *((c.src_start, c.dest_start, c.src_end, c.dest_end) for c in common),
        (len(old), len(new), len(old), len(new)),
    ):
        if first < last or new_first < new_last:
            place = starts[first] if first < len(starts) else len(original)
            end = ends[last - 1] if first < last else place
            replacement = MASK
            if new_first < new_last:
                replacement = sanitized[new_starts[new_first] : new_ends[new_last - 1]]
            yield Rewriting(place, end, replacement)
        first, new_first = after, new_after


# Reading releases from files.


def read_releases(originals: str | Path, sanitized: str | Path) -> tuple[Release, ...]:
    """Return the documents in two files or folders, in the order of the second.

    Args:
        originals: texts in any format that ``sanitize`` reads.
        sanitized: masks, results of ``tacenda sanitize --to json``, or texts in any format. A text
            belongs to the original with the same id, or else to the one at the same position.

    Raises:
        InputError: if a file can't be read, has no text in common with the other, or has a
            different number of documents.
    """
    before = _texts(originals)
    changes = _changes(sanitized)
    if changes is not None:
        by_id = {id: document for document in before for id in document.ids}
        common = [(by_id[id], made) for id, made in changes.items() if id in by_id]
        if not common:
            raise InputError(
                f"none of its {len(changes)} documents is among the {len(before)} originals; the "
                "ids must be the same",
                str(sanitized),
            )
        return tuple(_release(document, made) for document, made in common)
    after = _texts(sanitized)
    return tuple(
        Release.of_texts(one.ids[0], one.text, other.text, one.label)
        for one, other in _paired(before, after, str(sanitized))
    )


def holds_texts(path: str | Path) -> bool:
    """Return whether a file contains texts rather than masks or results; always True for a folder.

    Raises:
        InputError: if it can't be read.
    """
    return _changes(path) is None


def read_pairs(path: str | Path) -> tuple[Release, ...]:
    """Return the pairs in a JSON Lines file: ``original`` and ``sanitized``, optionally ``id`` and ``label``.

    Raises:
        InputError: if a line is invalid; names the line and what is wrong.
    """
    releases = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            place = f"{Path(path).name}:{number}"
            record = JsonPart(parse_json(line, str(path), number), place)
            texts = record.member("original", str), record.member("sanitized", str)
            id = record.string("id") or place
            releases.append(Release.of_texts(id, *texts, record.string("label")))
    if not releases:
        raise InputError("has no line {original, sanitized}", str(path))
    return tuple(releases)


@dataclass(frozen=True, slots=True)
class _ReleaseText:
    """A text, the ids that may refer to it (the first is its name), and its label."""

    ids: tuple[str, ...]
    text: str = field(repr=False)
    label: str = ""


def _texts(path: str | Path) -> list[_ReleaseText]:
    texts = []
    for item in read(path):
        if isinstance(item, Failure):
            raise item.error
        texts.append(_text(item))
    if not texts:
        raise InputError("has no document", str(path))
    return texts


def _text(item: SourceDocument) -> _ReleaseText:
    id, fields = item.document.id, {}
    if item.origin.format == "jsonl":
        fields = json.loads(item.source)
    names = [value for key in ("id", "doc_id") if isinstance(value := fields.get(key), str | int)]
    label = fields.get("label")
    return _ReleaseText(
        (*map(str, names), id), item.document.text, label if isinstance(label, str) else ""
    )


def _paired(
    before: Sequence[_ReleaseText], after: Sequence[_ReleaseText], name: str
) -> Iterator[tuple[_ReleaseText, _ReleaseText]]:
    by_id = {document.ids[0]: document for document in before}
    if len(by_id) == len(before) and all(document.ids[0] in by_id for document in after):
        return ((by_id[document.ids[0]], document) for document in after)
    if len(before) != len(after):
        raise InputError(
            f"it has {len(after)} documents, the originals are {len(before)}; give the same ones in "
            "the same order, or with the same ids",
            name,
        )
    return zip(before, after, strict=True)


def _changes(path: str | Path) -> Mapping[str, tuple[Rewriting, ...]] | None:
    """Return the contents of masks or results, or None if the file contains texts."""
    if Path(path).is_dir() or format_of(str(path)) not in ("json", "jsonl"):
        return None
    text = read_text(path)
    lines = result_lines(text, str(path))
    if lines is None:
        if format_of(str(path)) == "jsonl":
            return None
        raw: Any = parse_json(text, str(path), finite=False)
        if isinstance(raw, dict):
            return {id: _masks(spans) for id, spans in parse_masks(raw, str(path)).items()}
        if not (isinstance(raw, list) and raw and all(map(is_result, raw))):
            return None
        lines = raw
    return {
        result.id: tuple(
            Rewriting(edit.start, edit.end, MASK if edit.text is None else edit.text)
            for edit in sorted(result.replacements, key=lambda edit: edit.start)
        )
        for result in parse_results(lines, str(path))
    }


def _release(document: _ReleaseText, rewritings: tuple[Rewriting, ...]) -> Release:
    id = document.ids[0]
    return Release(id, document.text, _checked(rewritings, document.text, id), document.label)
