"""How many masked mentions of judgments have an option, and one that says more than its type.

    python -m benchmarks replacement DATA

Over the mentions that the first annotator of `tab/train.json` masks, without their entities and
without the kinds that the pattern detector would tell: what the string and the words before it say.
Then the time that a judgment of 1,500 words takes to be offered its options and written.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import tacenda
from benchmarks.tables import print_header
from tacenda.document import Document, Entity, Mention, MentionSource, SemanticType
from tacenda.evaluate.gold import load_gold
from tacenda.policy import Policy
from tacenda.rewrite.generalize.options import propose_options, rules
from tacenda.rewrite.rewrite import rewrite

_OF_THE_TYPE = {"DATE", "X", "number"}
_WORDS = range(1_400, 1_700)
_DOCUMENTS = 5
_ROUNDS = 5


def coverage(path: Path) -> None:
    of_type = rules()
    spans, offered, telling = Counter[str](), Counter[str](), Counter[str]()
    for gold in load_gold(path):
        document = Document(gold.id, gold.text)
        for entity in gold.entities:
            if entity.annotator != gold.annotators[0]:
                continue
            for mention in entity.mentions:
                if not mention.needs_masking:
                    continue
                type = SemanticType(mention.type)
                item = Entity(
                    "e1", type, 1, (Mention(mention.span, type, 1.0, 0.0, MentionSource.GOLD),)
                )
                options = of_type[type].options(document, item)[:-1]
                spans[type] += 1
                offered[type] += bool(options)
                telling[type] += any(option.text not in _OF_THE_TYPE for option in options)
    print_header("| type | mentions | with an option | with one that says more than the type |")
    for type in sorted(spans):
        shares = f"{offered[type] / spans[type]:.3f} | {telling[type] / spans[type]:.3f}"
        print(f"| {type} | {spans[type]} | {shares} |")


def speed(path: Path) -> None:
    sanitizer = tacenda.load(Policy(operator="generalize"), threads=1)
    texts = [gold.text for gold in load_gold(path) if len(gold.text.split()) in _WORDS]
    times = []
    for text in texts[:_DOCUMENTS]:
        result = sanitizer.sanitize(text)
        decisions = [
            replace(item, operator="generalize" if item.masked else "") for item in result.decisions
        ]
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            offered = propose_options(result.document, decisions, sanitizer.policy)
            rewrite(result.document, offered, sanitizer.policy)
            times.append(time.perf_counter() - start)
    print(f"\n{len(times)} runs: median {1_000 * statistics.median(times):.0f} ms, ", end="")
    print(f"slowest {1_000 * max(times):.0f} ms")


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    judgments = parser.parse_args().data / "tab/train.json"
    coverage(judgments)
    speed(judgments)
