"""Table 2 of the paper on risk measures: precision, recall and F1 of each semantic type, by tokens.

    python -m benchmarks recognizer_types DATA [--recognizer NAME_OR_FOLDER …] [--labelled-by FOLDER] [--corpus …]

A token is a run of letters and digits that shares a code point with a mention, closed-class words included (the
paper leaves none out). LOC and ORG are interchangeable: a token found as one is right where the other is meant, and
counts under its own type, found or meant. The full set of annotated mentions is meant, masked or not; each annotator
counts as one over the annotators of the document. A recognizer is asked alone, without patterns;
``--labelled-by`` takes the folder of a generic recognizer and asks what labels the silver corpus: it, the patterns and the gazetteer.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.tables import print_header
from tacenda.evaluate.gold import load_gold
from tacenda_lab.evaluation.typed_tokens import measure
from tacenda_lab.reproduce.recognition import (
    RECOGNIZERS,
    TYPES,
    labelled,
    recognized,
    recognizer,
)


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--recognizer", action="append", default=[])
    parser.add_argument("--labelled-by", type=Path)
    parser.add_argument("--corpus", action="append")
    arguments = parser.parse_args()
    systems = {}
    for name in arguments.recognizer or ["recognizer-small"]:
        folder = Path(name)
        systems[folder.name] = recognized(recognizer(name))
    if arguments.labelled_by:
        systems[f"{arguments.labelled_by.name} + patterns + gazetteer"] = labelled(
            recognizer(str(arguments.labelled_by))
        )
    for corpus in arguments.corpus or ["tab/dev_real.json", "tab/dev.json"]:
        gold = load_gold(arguments.data / corpus)
        print(f"\n{corpus}: {len(gold)} documents; P, R, F1\n")
        print_header(f"| recognizer | {' | '.join(TYPES)} |")
        for name, ask in systems.items():
            tally = measure(gold, ask([document.text for document in gold]))
            rows = [" ".join(f"{x:.2f}".lstrip("0") for x in tally.figures(t)) for t in TYPES]
            print(f"| {name} | {' | '.join(rows)} |", flush=True)
        for name, line in RECOGNIZERS.items():
            figures = line.split()
            rows = [" ".join(figures[n : n + 3]) for n in range(0, len(figures), 3)]
            print(f"| *paper, test split:* {name} | {' | '.join(rows)} |")
