"""What a recognizer finds, spares and breaks in the corpus of our own, by language and by kind, with intervals.

    python benchmarks/corpus.py                                   # the shipped recognizer on the development part
    python benchmarks/corpus.py --model FOLDER --by genre --threshold .2 .3

*Direct* and *quasi* are the shares of marks of which every letter and digit is masked, *precision* the share of the
masked letters and digits that are marked, in documents with people; *innocent* is the share of the words of documents
without people of which anything is masked, *traps* that of the marked traps. Of the marks that were found: *pieces* is
the mean number of mentions on one, *types* the share whose type is right, *exact* that with both ends right.
Intervals: 95 %, bootstrap over documents.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document, IdentifierType, Mention
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import DEFAULT
from tacenda_lab import corpus
from tacenda_lab.corpus import CorpusDocument

_WORD = re.compile(r"[^\W_]+")
_DRAWS = 1000
SHARES = {
    "direct": ("direct found", "direct"),
    "quasi": ("quasi found", "quasi"),
    "precision": ("right", "masked"),
    "innocent": ("words masked", "words"),
    "traps": ("traps masked", "traps"),
    "pieces": ("pieces", "found"),
    "types": ("type right", "found"),
    "exact": ("exact", "found"),
}


def count(document: CorpusDocument, mentions: Iterable[Mention]) -> Counter[str]:
    """Return hits and cases of each share of one document."""
    text, counts = document.text, Counter(documents=1)
    masked, marked = bytearray(len(text)), bytearray(len(text))
    mentions = list(mentions)
    for mention in mentions:
        masked[mention.span.start : mention.span.end] = b"\1" * len(mention.span)
    for mark in document.marks:
        span = mark.span
        if mark.type is None:
            counts["traps"] += 1
            counts["traps masked"] += any(masked[span.start : span.end])
        if not mark.is_masked:
            continue
        marked[span.start : span.end] = b"\1" * len(span)
        kind = "direct" if mark.identifier is IdentifierType.DIRECT else "quasi"
        letters = [place for place in range(span.start, span.end) if text[place].isalnum()]
        counts[kind] += 1
        counts[f"{kind} found"] += all(masked[place] for place in letters)
        over = [mention for mention in mentions if mention.span.overlaps(span)]
        if over:
            longest = max(
                over,
                key=lambda mention: (
                    min(mention.span.end, span.end) - max(mention.span.start, span.start)
                ),
            )
            counts["found"] += 1
            counts["pieces"] += len(over)
            counts["type right"] += longest.type is mark.type
            counts["exact"] += any(mention.span == span for mention in over)
    if document.has_people:
        letters = [place for place, one in enumerate(masked) if one and text[place].isalnum()]
        counts["masked"] += len(letters)
        counts["right"] += sum(marked[place] for place in letters)
    else:
        words = [any(masked[word.start() : word.end()]) for word in _WORD.finditer(text)]
        counts["words"] += len(words)
        counts["words masked"] += sum(words)
    return counts


def shares(counts: Sequence[Counter[str]]) -> dict[str, tuple[float, float, float]]:
    """Return each share with the ends of its interval; without cases none."""
    random = np.random.default_rng(1)
    draws = random.integers(0, len(counts), (_DRAWS, len(counts)))
    result = {}
    for name, (hits, cases) in SHARES.items():
        pairs = np.array([(one[hits], one[cases]) for one in counts], dtype=float)
        if pairs[:, 1].sum():
            sums = pairs[draws].sum(axis=1)
            ends = np.nanpercentile(sums[:, 0] / np.maximum(sums[:, 1], 1), (2.5, 97.5))
            result[name] = float(pairs[:, 0].sum() / pairs[:, 1].sum()), *map(float, ends)
    return result


def detect(
    model: RecognizerModel, documents: Sequence[CorpusDocument]
) -> list[tuple[Mention, ...]]:
    """Return the mentions that a recognizer finds in each document."""
    detector = NeuralDetector(model, threads=2)
    return list(detector.detect([Document(document.id, document.text) for document in documents]))


def table(
    documents: Sequence[CorpusDocument],
    found: Sequence[Sequence[Mention]],
    threshold: float,
    by: str,
    *,
    intervals: bool = True,
) -> None:
    """Print the shares of each group of documents."""
    groups: dict[str, list[Counter[str]]] = defaultdict(list)
    for document, mentions in zip(documents, found, strict=True):
        masked = [mention for mention in mentions if mention.p_mask >= threshold]
        if document.genre == "judgment" or by == "genre":
            group = document.genre
        else:
            group = f"{document.language}{', real' if document.source else ''}"
        groups[group].append(count(document, masked))
    print(f"\n| threshold {threshold} | documents | " + " | ".join(SHARES) + " |")
    print("|---" * (len(SHARES) + 2) + "|")
    for name, members in sorted(groups.items()):
        values = shares(members)
        cells = [
            f"{values[key][0]:.3f}"
            + (f" ({values[key][1]:.3f}–{values[key][2]:.3f})" if intervals else "")
            if key in values
            else ""
            for key in SHARES
        ]
        print(f"| {name} | {len(members)} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Print a table a threshold."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=corpus.FOLDER)
    parser.add_argument("--split", default="dev", choices=corpus.SPLITS)
    parser.add_argument("--model", default=DEFAULT, help="Name or folder of a recognizer.")
    parser.add_argument("--threshold", type=float, nargs="+", default=[0.2])
    parser.add_argument("--by", choices=("language", "genre"), default="language")
    arguments = parser.parse_args()
    documents = list(corpus.load(arguments.corpus, arguments.split))
    found = detect(RecognizerModel.load(arguments.model), documents)
    for threshold in arguments.threshold:
        table(documents, found, threshold, arguments.by)


if __name__ == "__main__":
    main()
