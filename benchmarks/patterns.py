"""Measure the pattern families against annotated texts: how much they find, and how often rightly.

    python -m benchmarks patterns DATA        # DATA holds tab/train.json, wiki/biographies_train.json

Two tables. *Kinds*: hits, the share of them that lies on a mention of any type, on a mention of
the kind's own semantic type, and on a mention that annotators masked (QUASI or DIRECT; MASK in
the biographies) or called DIRECT; a hit lies on a mention where at least half of its tokens do,
and each annotator counts as one over the annotators of the document. *Types*: recall of the
tokens of the annotated mentions of each type by the hits of that type. Last, the speed.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tacenda.detect.patterns.detector import PatternDetector
from tacenda.document import Mention, SemanticType

_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class AnnotatorText:
    """A text as one annotator saw it: spans with type, masked or not, direct or not."""

    text: str
    weight: float
    spans: tuple[tuple[int, int, str, bool, bool], ...]


def read_judgments(path: Path) -> list[AnnotatorText]:
    texts = []
    for document in json.loads(path.read_text("utf-8")):
        annotators = document["annotations"].values()
        for annotator in annotators:
            spans = tuple(
                (
                    mention["start_offset"],
                    mention["end_offset"],
                    mention["entity_type"],
                    mention["identifier_type"] != "NO_MASK",
                    mention["identifier_type"] == "DIRECT",
                )
                for mention in annotator["entity_mentions"]
            )
            texts.append(AnnotatorText(document["text"], 1 / len(annotators), spans))
    return texts


def read_biographies(path: Path) -> list[AnnotatorText]:
    return [
        AnnotatorText(
            document["text"],
            1.0,
            tuple(
                (span["start"], span["end"], span["type"], span["label"] == "MASK", False)
                for span in document["spans"]
            ),
        )
        for document in json.loads(path.read_text("utf-8"))
    ]


def shares(annotated: list[AnnotatorText], found: dict[str, tuple[Mention, ...]]) -> None:
    totals: dict[str, Counter[str]] = {}
    wanted: Counter[str] = Counter()
    reached: Counter[str] = Counter()
    for item in annotated:
        types = [""] * len(item.text)
        masked, direct = bytearray(len(item.text)), bytearray(len(item.text))
        for start, end, kind, is_masked, is_direct in item.spans:
            for position in range(start, end):
                types[position] = kind
                masked[position] |= is_masked
                direct[position] |= is_direct
        covered = [""] * len(item.text)
        for mention in found[item.text]:
            start, end = mention.span.start, mention.span.end
            covered[start:end] = [mention.type.value] * (end - start)
            tokens = [token.start() for token in _TOKEN.finditer(item.text, start, end)]
            total = totals.setdefault(mention.kind, Counter())
            total["hits"] += item.weight
            half = len(tokens) / 2
            total["any"] += item.weight * (sum(types[t] != "" for t in tokens) >= half)
            total["own"] += item.weight * (
                sum(types[t] == mention.type.value for t in tokens) >= half
            )
            total["masked"] += item.weight * (sum(masked[t] for t in tokens) >= half)
            total["direct"] += item.weight * (sum(direct[t] for t in tokens) >= half)
        for start, end, kind, _, _ in item.spans:
            for token in _TOKEN.finditer(item.text, start, end):
                wanted[kind] += item.weight
                reached[kind] += item.weight * (covered[token.start()] == kind)
    print(f"{'kind':20}{'hits':>8}{'on any':>9}{'on own':>9}{'masked':>9}{'direct':>9}")
    for kind, total in sorted(totals.items()):
        rates = "".join(
            f"{total[name] / total['hits']:9.3f}" for name in ("any", "own", "masked", "direct")
        )
        print(f"{kind:20}{total['hits']:8.0f}{rates}")
    print(f"{'type':20}{'tokens':>8}{'recall':>9}")
    for kind in (SemanticType.CODE, SemanticType.DATETIME, SemanticType.QUANTITY, SemanticType.LOC):
        if wanted[kind]:
            print(f"{kind:20}{wanted[kind]:8.0f}{reached[kind] / wanted[kind]:9.3f}")


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of tab/ and wiki/")
    data = parser.parse_args().data
    detector = PatternDetector()
    for name, annotated in (
        ("tab/train.json", read_judgments(data / "tab/train.json")),
        ("wiki/biographies_train.json", read_biographies(data / "wiki/biographies_train.json")),
    ):
        texts = list(dict.fromkeys(item.text for item in annotated))
        begun = time.perf_counter()
        found = {text: detector.detect(text) for text in texts}
        seconds = time.perf_counter() - begun
        size = sum(map(len, texts))
        print(f"\n## {name}: {len(texts)} texts")
        shares(annotated, found)
        print(
            f"{size:,} characters in {seconds:.2f} s: {size / seconds / 1e6:.1f} million a second"
        )
