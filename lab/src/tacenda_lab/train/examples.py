"""Training examples: annotated corpora as soft targets for every subword.

Several annotators of one text give one target distribution, not several copies: the share of them
for each label of a subword (TAB, section 3.4, treats their answers as equally valid). For a corpus
without one of the two annotations, its loss is left out.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacenda.evaluate.gold import load_gold
from tacenda.models.calibration import BIO_LABELS, DIRECT, NO_MASK, QUASI, bio_id
from tacenda.models.encoding import Encoding, SubwordEncoder, TextEncoder

from .corpus import by_annotator


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """One annotated span: offsets in code points, semantic type, and identifier class or None."""

    start: int
    end: int
    type: str
    mask: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A text with target distributions.

    Attributes:
        doc_id: name of the document.
        text: the whole text.
        encoding: its n subwords.
        types: float32 [n, 17], share of annotators for each BIO label.
        masks: float32 [n, 3], share of annotators for NO_MASK, QUASI, DIRECT.
        mask_known: float32 [n], 0 where the corpus has no masking decision.
        type_known: float32 [n], 0 where the corpus has no types.
        weight: float32 [n], weight of each subword in both losses; 0 leaves it out.
        corpus: name of its corpus.
    """

    doc_id: str
    text: str
    encoding: Encoding
    types: NDArray[np.float32]
    masks: NDArray[np.float32]
    mask_known: NDArray[np.float32]
    type_known: NDArray[np.float32]
    weight: NDArray[np.float32]
    corpus: str


# The masking label of each identifier type.
MASKS = {"NO_MASK": NO_MASK, "QUASI": QUASI, "DIRECT": DIRECT}


def read_tab(path: Path, encoder: TextEncoder) -> list[Example]:
    """Read TAB standoff JSON; every annotator counts alike.

    Raises:
        InputError: the file is not gold annotations in TAB's standoff form.
    """
    return [
        example(
            document.id,
            document.text,
            [
                [
                    MarkedSpan(
                        mention.span.start,
                        mention.span.end,
                        mention.type,
                        MASKS[mention.identifier],
                    )
                    for mention in mentions
                ]
                for mentions in by_annotator(document)
            ],
            encoder,
            "judgment",
        )
        for document in load_gold(path)
    ]


def read_mentions_only(path: Path, encoder: TextEncoder) -> list[Example]:
    """Read judgments with types of mentions but without masking decisions."""
    return [
        example(
            document["doc_id"],
            document["text"],
            [[MarkedSpan(start, end, type, None) for start, end, type in document["mentions"]]],
            encoder,
            "judgment",
        )
        for document in _load(path)
    ]


def read_biographies(path: Path, encoder: TextEncoder) -> list[Example]:
    """Read the biographies. A masked PERSON is DIRECT if it shares a name with the title."""
    examples = []
    for document in _load(path):
        names = {part for part in document["doc_id"].lower().split("-") if len(part) > 2}
        marked = []
        for span in document["spans"]:
            mask = NO_MASK if span["label"] == "NO_MASK" else QUASI
            if mask == QUASI and span["type"] == "PERSON":
                words = {word.strip(".,'’\"()") for word in span["text"].lower().split()}
                mask = DIRECT if words & names else QUASI
            marked.append(MarkedSpan(span["start"], span["end"], span["type"], mask))
        examples.append(
            example(document["doc_id"], document["text"], [marked], encoder, "biography")
        )
    return examples


def _load(path: Path) -> list[dict[str, Any]]:
    loaded = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(loaded, list):
        raise ValueError(
            f"{path}: expected a JSON list of documents, found {type(loaded).__name__}."
        )
    return loaded


def example(
    doc_id: str,
    text: str,
    annotations: Sequence[Iterable[MarkedSpan]],
    encoder: TextEncoder | SubwordEncoder,
    corpus: str,
) -> Example:
    """Return a text with the answers of its annotators, each a list of spans, as shares."""
    encoding = encoder.encode(text)
    n = len(encoding)
    types = np.zeros((n, len(BIO_LABELS)), dtype=np.float32)
    masks = np.zeros((n, 3), dtype=np.float32)
    mask_known = np.ones(n, dtype=np.float32)
    for annotation in annotations:
        type_ids = np.zeros(n, dtype=np.int64)
        mask_ids = np.full(n, NO_MASK, dtype=np.int64)
        # Longer spans first, so that of two overlapping ones the inner, more precise one shows.
        for span in sorted(annotation, key=lambda span: span.start - span.end):
            inside = (encoding.starts < span.end) & (encoding.ends > span.start)
            (positions,) = np.nonzero(inside)
            if not len(positions):
                continue
            type_ids[positions] = bio_id("I", span.type)
            type_ids[positions[0]] = bio_id("B", span.type)
            if span.mask is None:
                mask_known[positions] = 0.0
            else:
                mask_ids[positions] = np.maximum(mask_ids[positions], span.mask)
        types[np.arange(n), type_ids] += 1.0
        masks[np.arange(n), mask_ids] += 1.0
    share = np.float32(1.0 / len(annotations))
    ones = np.ones(n, dtype=np.float32)
    return Example(
        doc_id, text, encoding, types * share, masks * share, mask_known, ones, ones, corpus
    )


# Edits of an annotated text, and where its mentions are afterwards.


# Offsets [start, end) in code points, semantic type, identifier type.
Mention = tuple[int, int, str, str]
AnnotatedText = tuple[str, tuple[Mention, ...]]
# Code points [start, end) become this text.
Edit = tuple[int, int, str]


def apply_edits(text: str, mentions: Sequence[Mention], edits: Iterable[Edit]) -> AnnotatedText:
    """Carry out edits and move the mentions with them.

    A mention covers the replacement of its characters. White space at its edges after an edit is
    cut off, and an empty mention is dropped.

    Args:
        text: the document.
        mentions: its annotation; overlaps are fine.
        edits: without overlaps, in any order. An edit across an edge of a mention counts as inside
            of it.

    Raises:
        ValueError: if edits overlap or leave the text.
    """
    ordered = sorted(edits)
    position = 0
    pieces = []
    for start, end, new in ordered:
        if not position <= start <= end <= len(text):
            raise ValueError(
                f"Edit [{start}, {end}) overlaps the one before, which ends at {position}, or "
                f"leaves the text of {len(text)} code points; give each place one edit."
            )
        pieces += [text[position:start], new]
        position = end
    pieces.append(text[position:])
    edited = "".join(pieces)

    starts = [start for start, _, _ in ordered]
    ends = [end for _, end, _ in ordered]
    shifts = [0, *accumulate(len(new) - (end - start) for start, end, new in ordered)]

    def moved(offset: int, *, closing: bool) -> int:
        # Edits that end at or before an opening offset have moved it; text that is inserted at
        # a closing offset stays outside.
        index = bisect_left(ends, offset) if closing else bisect_right(ends, offset)
        if closing:
            while index < len(ordered) and ends[index] == offset and starts[index] < offset:
                index += 1
        if index < len(ordered) and starts[index] < offset < ends[index]:
            begin = starts[index] + shifts[index]
            return begin + len(ordered[index][2]) if closing else begin
        return offset + shifts[index]

    survivors = []
    for start, end, type, identifier in mentions:
        new_start, new_end = moved(start, closing=False), moved(end, closing=True)
        while new_start < new_end and edited[new_start].isspace():
            new_start += 1
        while new_end > new_start and edited[new_end - 1].isspace():
            new_end -= 1
        if new_start < new_end:
            survivors.append((new_start, new_end, type, identifier))
    return edited, tuple(survivors)


# Which subwords a masked language model must guess: runs of whole words, as spans are.
#
# The model later estimates the probability of a whole span with all of it hidden
# (``explicit_risk_measures``, section 3.2.1), so that is what it learns (SpanBERT, section 3.1).


_MEAN_WORDS = 2.5
_MOST_WORDS = 8


def masked_places(
    words: NDArray[np.int64], share: float, random: np.random.Generator
) -> NDArray[np.bool_]:
    """Return the subwords to mask, bool [n].

    Args:
        words: int64 [n], running number of the word of each subword.
        share: about how many of the subwords to mask, in (0, 1).
        random: source of the choice.
    """
    n = len(words)
    masked = np.zeros(n, dtype=bool)
    if n == 0:
        return masked
    first, last = int(words[0]), int(words[-1])
    quota = max(1, round(share * n))
    while masked.sum() < quota:
        length = min(_MOST_WORDS, int(random.geometric(1 / _MEAN_WORDS)))
        begin = int(random.integers(first, last + 1))
        masked |= (words >= begin) & (words < begin + length)
    return masked
