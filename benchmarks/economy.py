"""Is a threshold that minds the price better than a plain one? Precision at equal recall of entities.

    python -m benchmarks economy DATA/tab/dev_real.json
    python -m benchmarks economy DATA/tab/train.json --folds WORK     # to choose it: judgments unseen by their recognizer
    python -m benchmarks economy DATA                # every economy and threshold on every group of sets
    python -m benchmarks economy DATA --folds WORK   # with the cross-validated judgments beside them

For each economy (0 is the plain threshold), the largest threshold that reaches an ER_qi; paired approximate
randomisation over documents, against the plain one. Verification plays no part. WORK is a working folder of
`tacenda lab train recognizer`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.operating_points import judgments
from benchmarks.sets import add_recognizer_arguments, cells, texts
from tacenda.decide.decide import threshold_for, words_of
from tacenda.document import Assessment, Document, IdentifierType, Span
from tacenda.evaluate.evaluation import compare, evaluate_prepared, prepare_predicted
from tacenda.evaluate.gold import load_gold
from tacenda.link.linking import link
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy
from tacenda.risk.assess import assess

ECONOMIES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
GRID_ECONOMIES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7)
GRID_THRESHOLDS = (0.1, 0.15, 0.2, 0.3, 0.5)
GOALS = (0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98)

Reading = tuple[Document, Sequence[Assessment], Sequence[int]]
"""A document, the assessments of its entities, and how many words each has."""


def main(parser: argparse.ArgumentParser) -> None:
    add_recognizer_arguments(parser, "gold")
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--sample", type=int, default=40, help="Documents of each source.")
    arguments = parser.parse_args()
    if arguments.gold.is_dir():
        print_grid(arguments.gold, arguments.folds, arguments.sample, arguments.model)
        return
    readings = [
        reading
        for sanitizer, documents in judgments(arguments.gold, arguments.folds, arguments.model)
        for reading in assessed(sanitizer, documents)
    ]
    gold = load_gold(arguments.gold)
    prepared = prepare_predicted(gold, masks(readings, 0.0, 0.0))
    print(
        "| ER_qi at least | economy | threshold | ER_qi | R | P | difference of P | p |\n|"
        + "---|" * 8
    )
    for goal in GOALS:
        systems, thresholds = {}, {}
        for economy in ECONOMIES:
            low, high = 0, 500
            while high - low > 1:
                middle = (low + high) // 2
                scores = evaluate_prepared(prepared, masks(readings, middle / 1000, economy)).scores
                if scores["entity_recall_quasi"] >= goal:
                    low = middle
                else:
                    high = middle
            thresholds[str(economy)] = low / 1000
            systems[str(economy)] = masks(readings, low / 1000, economy)
        comparison = compare(gold, systems)
        tests = {test.system: test for test in comparison.tests if test.metric == "token_precision"}
        for name, report in comparison.reports.items():
            keys = ("entity_recall_quasi", "token_recall", "token_precision")
            row = [f"{report.scores[key]:.3f}" for key in keys]
            test = tests.get(name)
            row += [f"{test.difference:+.3f}", f"{test.p_value:.3f}"] if test else ["", ""]
            print(f"| {goal} | {name} | {thresholds[name]} | {' | '.join(row)} |", flush=True)


def print_grid(data: Path, folds: Path | None, sample: int, model: str | None) -> None:
    """Print direct / quasi / precision, or innocent words, by economy and threshold."""
    sanitizer = load(model=model)
    documents = [replace(text, set=text.set.partition(":")[0]) for text in texts(data, sample)]
    everyday = assessed(
        sanitizer, [Document(str(n), text.text) for n, text in enumerate(documents)]
    )
    unseen: list[Reading] = []
    if folds is not None:
        path = data / "tab/train.json"
        for reader, members in judgments(path, folds):
            unseen += assessed(reader, members)
        prepared = prepare_predicted(load_gold(path), masks(unseen, 0.0, 0.0))
    head = ""
    for economy in GRID_ECONOMIES:
        for threshold in GRID_THRESHOLDS:
            spans = masks(everyday, threshold, economy)
            row = cells(data, documents, [spans[str(n)] for n in range(len(documents))])
            if folds is not None:
                scores = evaluate_prepared(prepared, masks(unseen, threshold, economy)).scores
                keys = ("entity_recall_direct", "entity_recall_quasi", "token_precision")
                figures = " / ".join(f"{scores[key]:.3f}" for key in keys)
                row = {"train, cross-validated": figures} | row
            if not head:
                head = f"| economy | threshold | {' | '.join(row)} |\n|{'---|' * (len(row) + 2)}"
                print(head)
            print(f"| {economy} | {threshold} | {' | '.join(row.values())} |", flush=True)


def assessed(sanitizer: Sanitizer, documents: Sequence[Document]) -> list[Reading]:
    readings = []
    for document in documents:
        entities = link(document, sanitizer.analyze(document).mentions)
        words = [words_of(document, entity) for entity in entities]
        readings.append((document, assess(document, entities, Policy()), words))
    return readings


def masks(readings: Sequence[Reading], threshold: float, economy: float) -> dict[str, list[Span]]:
    return {
        document.id: sorted(
            mention.span
            for assessment, count in zip(assessments, words, strict=True)
            if direct(assessment) or assessment.risk >= threshold_for(threshold, count, economy)
            for mention in assessment.entity.mentions
        )
        for document, assessments, words in readings
    }


def direct(assessment: Assessment) -> bool:
    numbers = any(e.indicator == "identity_number" for e in assessment.evidence)
    return numbers or assessment.identifier is IdentifierType.DIRECT
