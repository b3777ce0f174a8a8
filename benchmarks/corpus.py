"""What a recognizer finds, spares and breaks in the corpus of our own, by language and by kind, with intervals.

    python -m benchmarks corpus                                   # the shipped recognizer on the development part
    python -m benchmarks corpus --model FOLDER --by genre --threshold .2 .3
    python -m benchmarks corpus --second-reader                   # the second, blind marks as if they were found

*Direct* and *quasi* are the shares of marks of which every letter and digit is masked, *precision* the share of the
masked letters and digits that are marked, in documents with people; *innocent* is the share of the words of documents
without people of which anything is masked, *traps* that of the marked traps. Of the marks that were found: *pieces* is
the mean number of mentions on one, *types* the share whose type is right, *exact* that with both ends right.
Intervals: 95 %, bootstrap over documents.

``--second-reader`` measures what another reader of the same guide, who saw no marks, masks in the documents that were
marked twice. The first marks were settled later with both at hand, so that it flatters the second reader; with
``--corpus`` a folder with the corpus of commit 98aa5602 they are as they were then.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np

from benchmarks import sets
from benchmarks.everyday import cell
from benchmarks.tables import print_header
from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document, IdentifierType, Mention, MentionSource, Span
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import DEFAULT
from tacenda_lab import corpus
from tacenda_lab.corpus import CorpusDocument

_OF_MARKS = ("traps", "pieces", "types", "exact")
SHARES = ("direct", "quasi", "precision", "innocent", *_OF_MARKS)


def count(document: CorpusDocument, mentions: Sequence[Mention]) -> list[tuple[int, int]]:
    """Return hits and cases of each share of one document."""
    masked = [mark for mark in document.marks if mark.is_masked]
    spans = tuple(
        (mark.span.start, mark.span.end, mark.identifier is IdentifierType.DIRECT)
        for mark in masked
    )
    text = sets.Text("corpus", document.id, document.text, spans, complete=True)
    counts = sets.count(text, [mention.span for mention in mentions])
    hits, cases = Counter[str](), Counter[str]()
    for mark in document.marks:
        if mark.type is None:
            cases["traps"] += 1
            hits["traps"] += any(mention.span.overlaps(mark.span) for mention in mentions)
    for mark in masked:
        over = [mention for mention in mentions if mention.span.overlaps(mark.span)]
        if over:
            longest = max(over, key=lambda mention: _overlap(mention.span, mark.span))
            hits["pieces"] += len(over)
            hits["types"] += longest.type is mark.type
            hits["exact"] += any(mention.span == mark.span for mention in over)
            cases.update(("pieces", "types", "exact"))
    return [*astuple(counts), *((hits[name], cases[name]) for name in _OF_MARKS)]


def _overlap(one: Span, other: Span) -> int:
    return min(one.end, other.end) - max(one.start, other.start)


def detect(
    model: RecognizerModel, documents: Sequence[CorpusDocument]
) -> list[tuple[Mention, ...]]:
    """Return the mentions that a recognizer finds in each document."""
    detector = NeuralDetector(model, threads=2)
    return list(detector.detect([Document(document.id, document.text) for document in documents]))


def _second_marks(folder: Path) -> tuple[list[CorpusDocument], list[tuple[Mention, ...]]]:
    """Return the documents that were marked twice, and what the second reader masks in each."""
    first = {document.id: document for document in corpus.load(folder)}
    documents, masked = [], []
    for path in sorted((folder / "doubles").glob("*.jsonl")):
        for second in corpus.read(path.read_text("utf-8"), str(path)):
            if second.id not in first or first[second.id].text != second.text:
                continue  # not yet in a corpus of that time
            documents.append(first[second.id])
            masked.append(
                tuple(
                    Mention(
                        mark.span,
                        mark.type,
                        1.0,
                        float(mark.identifier is IdentifierType.DIRECT),
                        MentionSource.GOLD,
                    )
                    for mark in second.marks
                    if mark.type and mark.is_masked
                )
            )
    return documents, masked


def table(
    documents: Sequence[CorpusDocument],
    found: Sequence[Sequence[Mention]],
    threshold: float,
    by: str,
    *,
    intervals: bool = True,
) -> None:
    """Print the shares of each group of documents."""
    groups: dict[str, list[list[tuple[int, int]]]] = defaultdict(list)
    for document, mentions in zip(documents, found, strict=True):
        masked = [mention for mention in mentions if mention.p_mask >= threshold]
        if document.genre == "judgment" or by == "genre":
            group = document.genre
        else:
            group = f"{document.language}{', real' if document.source else ''}"
        groups[group].append(count(document, masked))
    print_header(f"\n| threshold {threshold} | documents | " + " | ".join(SHARES) + " |")
    for name, members in sorted(groups.items()):
        values = np.array(members, dtype=float)
        cells = [
            cell(values[:, column], np.random.default_rng(1), intervals)
            for column in range(len(SHARES))
        ]
        print(f"| {name} | {len(members)} | " + " | ".join(cells) + " |", flush=True)


def main(parser: argparse.ArgumentParser) -> None:
    """Print a table a threshold."""
    parser.add_argument("--corpus", type=Path, default=corpus.FOLDER)
    parser.add_argument("--split", default="dev", choices=corpus.SPLITS)
    parser.add_argument("--model", default=DEFAULT, help="Name or folder of a recognizer.")
    parser.add_argument("--threshold", type=float, nargs="+", default=[0.2])
    parser.add_argument("--by", choices=("language", "genre"), default="language")
    parser.add_argument("--second-reader", action="store_true", help="Measure the second marks.")
    arguments = parser.parse_args()
    if arguments.second_reader:
        documents, found = _second_marks(arguments.corpus)
    else:
        documents = list(corpus.load(arguments.corpus, arguments.split))
        found = detect(RecognizerModel.load(arguments.model), documents)
    for threshold in arguments.threshold:
        table(documents, found, threshold, arguments.by)
