"""Released documents, and the units that a person reads: whole documents, or passages of long ones.

A unit's risk is the chance that something is left in it: the calibrated probability that each kept
entity is an identifier, plus a little for every word, since entities can be missed entirely.
"""

from __future__ import annotations

import hashlib
import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from ..annotations.checked_json import read_json, read_text
from ..annotations.result import result_lines
from ..documents.reading import read
from ..documents.record import Failure
from ..errors import InputError
from ..result import ParsedRelease
from ..text.decoding import writable

_MISSED_PER_WORD: Final = 0.0005
"""Identifiers never detected, about; it only orders units of which nothing else is known."""
_WORD: Final = re.compile(r"\S+")
_END: Final = re.compile(r"""[.!?]["'”’)\]]*\Z""")


def digest_of(text: str) -> str:
    """Return the hexadecimal SHA-256 of a text as written to a file."""
    return hashlib.sha256(writable(text).encode()).hexdigest()


def file_digest(path: str | Path) -> str:
    """Return the SHA-256 of a file.

    Raises:
        InputError: if it can't be read.
    """
    try:
        with Path(path).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"can't be read: {error.strerror or error}", str(path)) from None


@dataclass(frozen=True, slots=True)
class ReleasedDocument:
    """A document as released.

    Attributes:
        id: its id, unique within the release.
        text: the sanitized text.
        kept: the entities left in it: the probability of being an identifier, and the starts of its
            mentions, which are empty if it may be anywhere.
    """

    id: str
    text: str = field(repr=False)
    kept: tuple[tuple[float, tuple[int, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class AuditUnit:
    """A unit that a person reads.

    Attributes:
        id: the document's id, with the number of the passage if there are several.
        document: id of its document.
        start, end: its position in the released text, in code points.
        text: the text to read.
        risk: the chance that something is left in it, in [0, 1).
    """

    id: str
    document: str
    start: int
    end: int
    text: str = field(repr=False)
    risk: float


def read_release(
    paths: Iterable[str], decisions: Mapping[str, Sequence[float]] | None = None
) -> tuple[ReleasedDocument, ...]:
    """Return the documents of a release, in order.

    Args:
        paths: results of ``tacenda sanitize --to json``, or released files of any format.
        decisions: the risks of kept entities by digest of the text; see ``kept_risks``.

    Raises:
        InputError: if a file or document can't be read, or a document occurs twice.
    """
    documents: dict[str, ReleasedDocument] = {}
    for path in paths:
        for document in _documents(path, decisions or {}):
            if document.id in documents:
                raise InputError(
                    "occurs twice in the release; document ids must be unique", document.id
                )
            documents[document.id] = document
    if not documents:
        raise InputError("the release contains no documents; name its files or folders.")
    return tuple(documents.values())


def _documents(path: str, decisions: Mapping[str, Sequence[float]]) -> Iterator[ReleasedDocument]:
    if Path(path).suffix.lower() in (".json", ".jsonl") and Path(path).is_file():
        lines = result_lines(read_text(path), path)
        if lines is not None:
            yield from (_of_result(raw, path, n) for n, raw in enumerate(lines, start=1))
            return
    for item in read(path):
        if isinstance(item, Failure):
            raise item.error
        text = item.document.text
        risks = decisions.get(digest_of(text), ())
        yield ReleasedDocument(item.document.id, text, tuple((risk, ()) for risk in risks))


def _of_result(raw: Any, name: str, line: int) -> ReleasedDocument:
    try:
        result = ParsedRelease.model_validate(raw)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, fault["loc"])) or "it"
        raise InputError(f"line {line}: {place}: {fault['msg']}", name) from None
    place_of = released_places((edit.end, edit.output_end) for edit in result.replacements)
    risks = (
        (entity.risk, tuple(place_of(mention.start) for mention in entity.mentions))
        for entity in result.entities
        if not entity.masked
    )
    return ReleasedDocument(result.id, result.text, tuple(risks))


def released_places(ends: Iterable[tuple[int, int]]) -> Callable[[int], int]:
    """Return where positions in an original, outside its edits, are in the released text.

    Args:
        ends: the ends of the edits, in the original and in the released text.
    """
    ordered = sorted(ends)
    originals = [original for original, _ in ordered]

    def place_of(place: int) -> int:
        number = bisect_right(originals, place)
        return place if not number else place - originals[number - 1] + ordered[number - 1][1]

    return place_of


def kept_risks(records: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """Return the risks of kept entities by digest of the document's text, from records of ``sanitize --audit``.

    Raises:
        InputError: if a file isn't such a record.
    """
    risks: dict[str, tuple[float, ...]] = {}
    for path in records:
        record = read_json(path, finite=True)
        try:
            for item in record["documents"]:
                risks[item["sha256"]] = tuple(
                    min(1.0, max(0.0, float(entity["risk"])))
                    for entity in item["entities"]
                    if entity["decision"] == "keep"
                )
        except (TypeError, KeyError, ValueError):
            raise InputError(
                "is not a record of `tacenda sanitize --audit FILE.json`", path
            ) from None
    return risks


def units_of(document: ReleasedDocument, passage_words: int) -> list[AuditUnit]:
    """Return the units of a document, in order; together they cover all of it.

    Args:
        document: the released document.
        passage_words: maximum number of words in a passage; 0 for whole documents.
    """
    cuts = [0, *_cuts(document.text, passage_words), len(document.text)]
    spans = list(pairwise(cuts))
    left = [_MISSED_PER_WORD * len(_WORD.findall(document.text, *span)) for span in spans]
    words = sum(left)
    for risk, starts in document.kept:
        places = {bisect_right(cuts, min(start, len(document.text) - 1)) - 1 for start in starts}
        for place in range(len(spans)):
            if place in places:
                left[place] += risk
            elif not starts and words:
                left[place] += risk * left[place] / words
    several = len(spans) > 1
    return [
        AuditUnit(
            f"{document.id}#{number}" if several else document.id,
            document.id,
            *span,
            document.text[slice(*span)],
            -math.expm1(-expected),
        )
        for number, (span, expected) in enumerate(zip(spans, left, strict=True), start=1)
    ]


def _cuts(text: str, most: int) -> Iterator[int]:
    """Return where to cut a text: at the last line or sentence that ends within ``most`` words, or else after ``most`` words."""
    words = list(_WORD.finditer(text))
    first = 0
    while most and len(words) - first > most:
        # No passage is shorter than half the maximum length.
        candidates = range(first + most, first + (most + 1) // 2, -1)
        cut = next(
            (n for n in candidates if "\n" in text[words[n - 1].end() : words[n].start()]),
            next((n for n in candidates if _END.search(words[n - 1].group())), first + most),
        )
        yield words[cut].start()
        first = cut


def digest_of_release(texts: Iterable[str]) -> str:
    """Return one digest for the texts of a release, regardless of their order and names."""
    return hashlib.sha256("\n".join(sorted(map(digest_of, texts))).encode()).hexdigest()
