"""What is found and what is spared in everyday text, by domain, with intervals.

    python benchmarks/everyday.py DATA                        # the default policy
    python benchmarks/everyday.py DATA --policy lenient
    python benchmarks/everyday.py DATA --presidio             # Presidio with and without organisations beside it

Reads ``everyday/dev_everyday.jsonl.gz``, on which nothing is trained. *Direct* and *quasi* are the shares of
mentions of which every letter and digit is masked; *precision* is the share of the masked letters and digits that
are personal, in documents where everything personal is marked; *innocent* is the share of the words of documents
without personal data of which anything is masked. Intervals: 95 %, bootstrap over documents.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacenda import load

Spans = list[tuple[int, int]]
_WORD = re.compile(r"[^\W_]+")
_DRAWS = 1000


@dataclass(frozen=True)
class Counts:
    """Counts of one document, or of several; each a pair of hits and cases."""

    direct: tuple[int, int] = (0, 0)
    quasi: tuple[int, int] = (0, 0)
    precision: tuple[int, int] = (0, 0)
    innocent: tuple[int, int] = (0, 0)

    def rows(self) -> list[tuple[int, int]]:
        return [self.direct, self.quasi, self.precision, self.innocent]


def count(document: Mapping[str, Any], masks: Iterable[tuple[int, int]]) -> Counts:
    """Count one document of the file."""
    text = document["text"]
    masked = np.zeros(len(text), dtype=bool)
    for start, end in masks:
        masked[start:end] = True
    counted = np.array([char.isalnum() for char in text], dtype=bool)
    personal = np.zeros(len(text), dtype=bool)
    hits = {"DIRECT": [0, 0], "QUASI": [0, 0]}
    for start, end, _, mask in document["spans"]:
        # A source that decides nothing names what must be found all the same.
        if mask == "NO_MASK":
            continue
        personal[start:end] = True
        cell = hits["DIRECT" if mask == "DIRECT" else "QUASI"]
        cell[0] += bool(masked[start:end][counted[start:end]].all())
        cell[1] += 1
    direct, quasi = (tuple(hits[name]) for name in ("DIRECT", "QUASI"))
    if not document["complete"]:
        return Counts(direct, quasi)
    if document["spans"]:
        part = masked & counted
        return Counts(direct, quasi, (int((part & personal).sum()), int(part.sum())))
    words = [masked[match.start() : match.end()].any() for match in _WORD.finditer(text)]
    return Counts(innocent=(int(sum(words)), len(words)))


def table(documents: Sequence[Mapping[str, Any]], masks: Sequence[Spans], by_domain: bool) -> None:
    """Print all documents, and each domain."""
    groups: dict[str, list[Counts]] = defaultdict(list)
    for document, spans in zip(documents, masks, strict=True):
        counts = count(document, spans)
        groups["all"].append(counts)
        if by_domain:
            groups[document["domain"]].append(counts)
    print("| domain | documents | direct | quasi | precision | innocent words masked |")
    print("|---|---|---|---|---|---|")
    random = np.random.default_rng(1)
    for name, members in groups.items():
        values = np.array([counts.rows() for counts in members], dtype=float)
        cells = [_cell(values[:, column], random, name == "all") for column in range(4)]
        print(f"| {name} | {len(members)} | " + " | ".join(cells) + " |", flush=True)


def _cell(pairs: np.ndarray, random: np.random.Generator, interval: bool) -> str:
    hits, cases = pairs.sum(axis=0)
    if not cases:
        return ""
    if not interval:
        return f"{hits / cases:.3f}"
    draws = random.integers(0, len(pairs), (_DRAWS, len(pairs)))
    sums = pairs[draws].sum(axis=1)
    low, high = np.nanpercentile(sums[:, 0] / np.maximum(sums[:, 1], 1), (2.5, 97.5))
    return f"{hits / cases:.3f} ({low:.3f}–{high:.3f})"


def presidio(organisations: bool, model: str) -> Callable[[str], Spans]:
    """Return Presidio's analyzer with its defaults, with or without organisations."""
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    configuration: dict[str, Any] = {
        "nlp_engine_name": "spacy",
        "models": [{"lang_code": "en", "model_name": model}],
    }
    if organisations:
        configuration["ner_model_configuration"] = {"labels_to_ignore": ["CARDINAL", "ORDINAL"]}
    engine = AnalyzerEngine(
        nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine()
    )

    def masks(text: str) -> Spans:
        return [(item.start, item.end) for item in engine.analyze(text, language="en")]

    return masks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--policy", default="default")
    parser.add_argument(
        "--model", type=Path, help="a folder of weights instead of the shipped ones"
    )
    parser.add_argument("--presidio", action="store_true")
    parser.add_argument("--spacy", default="en_core_web_md", help="model of Presidio")
    parser.add_argument("--no-domains", action="store_true")
    arguments = parser.parse_args()
    path = arguments.data / "everyday" / "dev_everyday.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    sanitizer = load(arguments.policy, model=arguments.model)
    masks = [
        [(item.original.start, item.original.end) for item in result.replacements]
        for result in sanitizer.pipe(document["text"] for document in documents)
    ]
    print(f"tacenda, policy {arguments.policy}\n")
    table(documents, masks, not arguments.no_domains)
    if arguments.presidio:
        for organisations in (False, True):
            find = presidio(organisations, arguments.spacy)
            print(f"\nPresidio, {'with' if organisations else 'without'} organisations\n")
            table(
                documents,
                [find(document["text"]) for document in documents],
                not arguments.no_domains,
            )


if __name__ == "__main__":
    main()
