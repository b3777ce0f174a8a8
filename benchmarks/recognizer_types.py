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
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.evaluate.matching import WordIndex
from tacenda.models.calibration import SEMANTIC_TYPES
from tacenda.models.networks import RecognizerModel
from tacenda_lab.train.silver_labels import Labeller

ORDER = ("CODE", "ORG", "PERSON", "DATETIME", "LOC", "QUANTITY", "DEM", "MISC")
PAPER = {
    "generic NER": ".98 .79 .88 .62 .91 .74 .97 .64 .77 .90 .99 .94 .34 .92 .50 .39 .75 .51 .77 .42 .54 .03 .26 .05",
    "generic NER + gazetteer": ".97 .93 .95 .78 .95 .86 .98 .95 .96 .93 .94 .94 .72 .90 .80 .95 .72 .81 .28 .73 .40 .10 .36 .15",
    "enhanced, silver": ".98 .97 .97 .76 .96 .87 .98 .98 .98 .92 .99 .95 .53 .89 .66 .42 .84 .56 .27 .76 .40 .10 .32 .15",
}

Typed = tuple[int, int, str]
"""Code points ``[start, end)`` and a semantic type."""


@dataclass(slots=True)
class Tally:
    """Tokens by semantic type, weighted by annotators."""

    found: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    meant: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, gold: Iterable[Typed], system: Iterable[Typed], weight: float) -> None:
        """Count one annotator's view of a text."""
        words = WordIndex(text)
        truth, answer = types_by_word(words, gold), types_by_word(words, system)
        for word, types in answer.items():
            for type in types:
                self.found[type] += weight
                self.right[type] += weight * same(type, truth.get(word, frozenset()))
        for word, types in truth.items():
            for type in types:
                self.meant[type] += weight
                self.reached[type] += weight * same(type, answer.get(word, frozenset()))

    def figures(self, type: str) -> tuple[float, float, float]:
        """Return precision, recall and F1 of a type; 0 where there is nothing to divide by."""
        p = self.right[type] / self.found[type] if self.found[type] else 0.0
        r = self.reached[type] / self.meant[type] if self.meant[type] else 0.0
        return p, r, 2 * p * r / (p + r) if p + r else 0.0


def types_by_word(words: WordIndex, mentions: Iterable[Typed]) -> dict[int, set[str]]:
    """Return the types of each word that a mention touches, by the word's number."""
    found: dict[int, set[str]] = {}
    for start, end, type in mentions:
        for word in range(bisect_right(words.ends, start), bisect_left(words.starts, end)):
            found.setdefault(word, set()).add(type)
    return found


def same(type: str, others: Iterable[str]) -> bool:
    """Tell whether a type is among others, LOC and ORG taken for one another."""
    places = {"LOC", "ORG"}
    return any(type == other or {type, other} == places for other in others)


def measure(gold: Sequence[GoldDocument], systems: Sequence[list[Typed]]) -> Tally:
    """Count the mentions that a system finds in each document."""
    tally = Tally()
    for document, system in zip(gold, systems, strict=True):
        annotations: dict[str, list[Typed]] = {}
        for entity in document.entities:
            annotations.setdefault(entity.annotator, []).extend(
                (mention.span.start, mention.span.end, mention.type) for mention in entity.mentions
            )
        for mentions in annotations.values():
            tally.add(document.text, mentions, system, 1 / len(annotations))
    return tally


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
