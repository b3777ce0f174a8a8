"""What the default policy still gets wrong, by semantic type, on judgments unseen by their recognizer.

    python -m benchmarks recognizer_errors DATA WORK [--show N]

WORK is a working folder of `tacenda lab train recognizer`. Missed: quasi identifiers of an annotator of which a
mention is left; not found: no detector saw it at all. Needless: words of masked entities that no annotator
masks, by the type that the product gives them. Verification plays no part.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from benchmarks.economy import direct
from benchmarks.operating_points import judgments
from benchmarks.tables import print_header
from tacenda.decide.decide import threshold_for, words_in, words_of
from tacenda.document import Document, Span
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.evaluate.matching import built_in_ignored_tokens
from tacenda.link.linking import link
from tacenda.policy import Policy
from tacenda.risk.assess import assess


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--show", type=int, default=0, help="Strings of each type to print.")
    arguments = parser.parse_args()
    path = arguments.data / "tab/train.json"
    gold = {document.id: document for document in load_gold(path)}
    policy = Policy.load("default")
    cases, missed, unseen, needless, needed = (Counter[str]() for _ in range(5))
    examples: dict[str, list[str]] = defaultdict(list)
    for sanitizer, documents in judgments(path, arguments.work):
        threshold = policy.threshold or sanitizer.threshold
        for document in documents:
            judgment = gold[document.id]
            assessments = assess(
                document, link(document, sanitizer.analyze(document).mentions), policy
            )
            personal = [entity for entity in judgment.entities if entity.needs_masking]
            masked = [
                assessment
                for assessment in assessments
                if direct(assessment)
                or assessment.risk
                >= threshold_for(
                    threshold, words_of(document, assessment.entity), policy.length_penalty
                )
            ]
            seen = covered(document, (m.span for a in assessments for m in a.entity.mentions))
            hidden = covered(document, (m.span for a in masked for m in a.entity.mentions))
            marks = covered(document, (m.span for e in personal for m in e.mentions))
            for assessment in masked:
                spans = [mention.span for mention in assessment.entity.mentions]
                useful = any(any(marks[span.start : span.end]) for span in spans)
                words = sum(words_in(span.of(document.text)) for span in spans)
                (needed if useful else needless)[str(assessment.entity.type)] += words
            for entity in personal:
                if entity.is_direct:
                    continue
                kind = entity.type
                cases[kind] += 1
                leaks = [m.span for m in entity.mentions if bare(judgment, m.span, hidden)]
                if leaks:
                    missed[kind] += 1
                    unseen[kind] += any(bare(judgment, span, seen) for span in leaks)
                    examples[kind].append(leaks[0].of(document.text))
    print_header("| type | quasi identifiers | missed | not found | words masked | needless |")
    for kind, count in cases.most_common():
        words = needed[kind] + needless[kind]
        print(
            f"| {kind} | {count} | {missed[kind]} | {unseen[kind]} | {words} | {needless[kind]} |"
        )
        for string in random.Random(1).sample(
            examples[kind], min(arguments.show, len(examples[kind]))
        ):
            print(f"    {string!r}")


def covered(document: Document, spans: Iterable[Span]) -> bytearray:
    marks = bytearray(len(document.text))
    for span in spans:
        marks[span.start : span.end] = b"\1" * (span.end - span.start)
    return marks


def bare(document: GoldDocument, span: Span, marks: bytearray) -> bool:
    """Tell whether a letter or digit of an open-class word is without a mark."""
    free = set(range(span.start, span.end))
    for start, end in built_in_ignored_tokens(document, span):
        free -= set(range(start, end))
    return any(document.text[i].isalnum() and not marks[i] for i in free)
