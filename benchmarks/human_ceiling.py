"""How well one annotator's masks do by another's decisions: what a system can be measured against.

    python -m benchmarks human_ceiling DATA

Documents of `tab/train.json` with several annotators. *One against one*: the masks of each annotator, by the decisions of each
other one. *Others against one*: the masks of all others together. Intervals: 95 %, bootstrap over documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.tables import print_header
from tacenda.document import Span
from tacenda.evaluate.evaluation import EvaluationSettings, evaluate
from tacenda.evaluate.gold import GoldDocument, load_gold

KEYS = ("entity_recall_direct", "entity_recall_quasi", "token_precision")
Case = tuple[GoldDocument, list[Span]]


def masks_of(document: GoldDocument, annotators: set[str]) -> list[Span]:
    return [
        mention.span
        for entity in document.entities
        if entity.annotator in annotators
        for mention in entity.mentions
        if mention.needs_masking
    ]


def by_decisions_of(document: GoldDocument, judge: str, masker: str) -> GoldDocument:
    entities = tuple(entity for entity in document.entities if entity.annotator == judge)
    return replace(
        document,
        id=f"{document.id}/{judge}/{masker}",
        annotators=(judge,),
        entities=entities,
        reviewed=(),
    )


def one_against_one(document: GoldDocument) -> Iterator[Case]:
    for judge in document.annotators:
        for masker in document.annotators:
            if masker != judge:
                yield by_decisions_of(document, judge, masker), masks_of(document, {masker})


def others_against_one(document: GoldDocument) -> Iterator[Case]:
    for judge in document.annotators:
        others = set(document.annotators) - {judge}
        yield by_decisions_of(document, judge, "others"), masks_of(document, others)


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    documents = load_gold(parser.parse_args().data / "tab/train.json")
    several = [document for document in documents if len(document.annotators) > 1]
    print_header("| masks of, by the decisions of | cases | ER_di | ER_qi | P |")
    for name, pair in (("one, one", one_against_one), ("others, one", others_against_one)):
        cases = [case for document in several for case in pair(document)]
        gold = [document for document, _ in cases]
        masks = {document.id: spans for document, spans in cases}
        report = evaluate(gold, masks, EvaluationSettings(bootstrap=1000))
        cells = [
            f"{report.scores[key]:.3f} ({low:.3f}–{high:.3f})"
            for key in KEYS
            for low, high in [report.intervals[key]]
        ]
        print(f"| {name} | {len(cases)} | {' | '.join(cells)} |", flush=True)
