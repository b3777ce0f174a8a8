"""What is found and what is spared in everyday text, by domain, with intervals.

    python -m benchmarks everyday DATA                        # the default policy
    python -m benchmarks everyday DATA --policy lenient
    python -m benchmarks everyday DATA --presidio             # Presidio with and without organisations beside it

Reads ``everyday/dev_everyday.jsonl.gz``, on which nothing is trained. *Direct* and *quasi* are the shares of
mentions of which every letter and digit is masked; *precision* is the share of the masked letters and digits that
are personal, in documents where everything personal is marked; *innocent* is the share of the words of documents
without personal data of which anything is masked. Intervals: 95 %, bootstrap over documents.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from benchmarks import sets
from benchmarks.sets import EVERYDAY, Counts, add_recognizer_arguments, boxed, text_of
from benchmarks.tables import print_header
from tacenda import load
from tacenda.document import Document, Span
from tacenda_lab.baselines import create
from tacenda_lab.train.corpus import records

Spans = list[tuple[int, int]]
_DRAWS = 1000


def count(document: Mapping[str, Any], masks: Iterable[tuple[int, int]]) -> Counts:
    """Count one document of the file."""
    return sets.count(text_of("dev_everyday", document), [Span(start, end) for start, end in masks])


def table(
    documents: Sequence[Mapping[str, Any]], masks: Sequence[Spans], by_domain: bool, system: str
) -> None:
    """Print all documents, and each domain, as a system masks them."""
    every = f"all, {system}"
    groups: dict[str, list[Counts]] = defaultdict(list)
    for document, spans in zip(documents, masks, strict=True):
        counts = count(document, spans)
        groups[every].append(counts)
        if by_domain:
            groups[document["domain"]].append(counts)
    print_header("| domain | documents | direct | quasi | precision | innocent words masked |")
    random = np.random.default_rng(1)
    for name, members in groups.items():
        values = np.array([astuple(counts) for counts in members], dtype=float)
        cells = [cell(values[:, column], random, name == every) for column in range(4)]
        print(f"| {name} | {len(members)} | " + " | ".join(cells) + " |", flush=True)


def cell(pairs: np.ndarray, random: np.random.Generator, interval: bool) -> str:
    hits, cases = pairs.sum(axis=0)
    if not cases:
        return ""
    if not interval:
        return f"{hits / cases:.3f}"
    draws = random.integers(0, len(pairs), (_DRAWS, len(pairs)))
    sums = pairs[draws].sum(axis=1)
    low, high = np.nanpercentile(sums[:, 0] / np.maximum(sums[:, 1], 1), (2.5, 97.5))
    return f"{hits / cases:.3f} ({low:.3f}–{high:.3f})"


def main(parser: argparse.ArgumentParser) -> None:
    add_recognizer_arguments(parser)
    parser.add_argument("--policy", default="default")
    parser.add_argument("--presidio", action="store_true")
    parser.add_argument("--spacy", default="en_core_web_md", help="model of Presidio")
    parser.add_argument("--no-domains", action="store_true")
    arguments = parser.parse_args()
    documents = list(records(arguments.data / EVERYDAY))
    sanitizer = load(boxed(arguments.policy), model=arguments.model)
    masks = [
        [(item.original.start, item.original.end) for item in result.replacements]
        for result in sanitizer.pipe(document["text"] for document in documents)
    ]
    table(documents, masks, not arguments.no_domains, f"tacenda, {arguments.policy}")
    if arguments.presidio:
        for name, kind in (("presidio", "without"), ("presidio+org", "with")):
            baseline = create(name, model=arguments.spacy)
            spans = [baseline.mask(Document("d", document["text"])) for document in documents]
            masks = [[(span.start, span.end) for span in found] for found in spans]
            print()
            table(documents, masks, not arguments.no_domains, f"Presidio {kind} organisations")
