"""Table 2 of the paper on risk measures: precision, recall and F1 of each semantic type, by tokens.

    python benchmarks/recognizer_types.py DATA [--recognizer NAME_OR_FOLDER …] [--labelled-by FOLDER] [--corpus …]

A token is a run of letters and digits that shares a code point with a mention, closed-class words included (the
paper leaves none out). LOC and ORG are interchangeable: a token found as one is right where the other is meant, and
counts under its own type, found or meant. The full set of annotated mentions is meant, masked or not; each annotator
counts as one over the annotators of the document. A recognizer is asked alone, without patterns;
``--labelled-by`` takes the folder of a generic recognizer and asks what labels the silver corpus: it, the patterns and the gazetteer.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document
from tacenda.evaluate.gold import load_gold
from tacenda.models.calibration import SEMANTIC_TYPES
from tacenda.models.networks import RecognizerModel
from tacenda_lab.evaluation.typed_tokens import Typed, measure
from tacenda_lab.train.silver_labels import Labeller

ORDER = ("CODE", "ORG", "PERSON", "DATETIME", "LOC", "QUANTITY", "DEM", "MISC")
PAPER = {
    "generic NER": ".98 .79 .88 .62 .91 .74 .97 .64 .77 .90 .99 .94 .34 .92 .50 .39 .75 .51 .77 .42 .54 .03 .26 .05",
    "generic NER + gazetteer": ".97 .93 .95 .78 .95 .86 .98 .95 .96 .93 .94 .94 .72 .90 .80 .95 .72 .81 .28 .73 .40 .10 .36 .15",
    "enhanced, silver": ".98 .97 .97 .76 .96 .87 .98 .98 .98 .92 .99 .95 .53 .89 .66 .42 .84 .56 .27 .76 .40 .10 .32 .15",
}


def recognized(source: str | Path) -> Callable[[Sequence[str]], list[list[Typed]]]:
    """Return what asks a recognizer, by its name or folder."""
    detector = NeuralDetector(RecognizerModel.load(source), threads=1)

    def ask(texts: Sequence[str]) -> list[list[Typed]]:
        found = detector.detect([Document(str(n), text) for n, text in enumerate(texts)])
        return [
            [(each.span.start, each.span.end, each.type.value) for each in mentions]
            for mentions in found
        ]

    return ask


def labelled(generic: Path) -> Callable[[Sequence[str]], list[list[Typed]]]:
    """Return what labels as the silver corpus is labelled."""
    labeller = Labeller(RecognizerModel.load(generic))

    def ask(texts: Sequence[str]) -> list[list[Typed]]:
        return [
            [(span.start, span.end, type.value) for span, type in found]
            for found in labeller.label(texts)
        ]

    return ask


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--recognizer", action="append", default=[])
    parser.add_argument("--labelled-by", type=Path)
    parser.add_argument("--corpus", action="append")
    arguments = parser.parse_args()
    systems = {}
    for name in arguments.recognizer or ["recognizer-en-small"]:
        folder = Path(name)
        systems[folder.name] = recognized(folder if folder.is_dir() else name)
    if arguments.labelled_by:
        systems[f"{arguments.labelled_by.name} + patterns + gazetteer"] = labelled(
            arguments.labelled_by
        )
    assert set(ORDER) == set(SEMANTIC_TYPES)
    for corpus in arguments.corpus or ["tab/dev_real.json", "tab/dev.json"]:
        gold = load_gold(arguments.data / corpus)
        print(f"\n{corpus}: {len(gold)} documents; P, R, F1\n")
        print(f"| recognizer | {' | '.join(ORDER)} |\n|---|{'---|' * len(ORDER)}")
        for name, ask in systems.items():
            tally = measure(gold, ask([document.text for document in gold]))
            rows = [" ".join(f"{x:.2f}".lstrip("0") for x in tally.figures(t)) for t in ORDER]
            print(f"| {name} | {' | '.join(rows)} |", flush=True)
        for name, line in PAPER.items():
            figures = line.split()
            rows = [" ".join(figures[n : n + 3]) for n in range(0, len(figures), 3)]
            print(f"| *paper, test split:* {name} | {' | '.join(rows)} |")


if __name__ == "__main__":
    main()
