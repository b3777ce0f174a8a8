"""Is a threshold that minds the price better than a plain one? Precision at equal recall of entities.

    python benchmarks/economy.py DATA/tab/dev_real.json
    python benchmarks/economy.py DATA/tab/train.json --folds WORK     # to choose it: judgments unseen by their recognizer

For each economy (0 is the plain threshold), the largest threshold that reaches an ER_qi; paired approximate
randomisation over documents, against the plain one. Verification plays no part. WORK is a working folder of
`tacenda train recognizer`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from operating_points import readers

from tacenda.decide.decide import threshold_for, words_of
from tacenda.document import Assessment, Document, IdentifierType, Span
from tacenda.evaluate.evaluation import compare, evaluate_prepared, prepare_predicted
from tacenda.evaluate.gold import load_gold
from tacenda.link.linking import link
from tacenda.policy import Policy
from tacenda.risk.assess import assess

ECONOMIES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
GOALS = (0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98)

Read = Sequence[tuple[Document, Sequence[Assessment], Sequence[int]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gold", type=Path)
    parser.add_argument("--folds", type=Path)
    arguments = parser.parse_args()
    loaded = json.loads(arguments.gold.read_text(encoding="utf-8"))
    texts = {item["doc_id"]: item["text"] for item in loaded}
    read = []
    with tempfile.TemporaryDirectory() as folder:
        for sanitizer, names in readers(arguments.folds, list(texts), Path(folder)):
            for document in (Document(name, texts[name]) for name in names):
                entities = link(document, sanitizer.analyze(document).mentions)
                words = [words_of(document, entity) for entity in entities]
                read.append((document, assess(document, entities, Policy()), words))
    gold = load_gold(arguments.gold)
    prepared = prepare_predicted(gold, masks(read, 0.0, 0.0))
    print("| ER_qi | economy | threshold | ER_qi | R | P | difference of P | p |\n|" + "---|" * 8)
    for goal in GOALS:
        systems, thresholds = {}, {}
        for economy in ECONOMIES:
            low, high = 0, 500
            while high - low > 1:
                middle = (low + high) // 2
                scores = evaluate_prepared(prepared, masks(read, middle / 1000, economy)).scores
                if scores["entity_recall_quasi"] >= goal:
                    low = middle
                else:
                    high = middle
            thresholds[str(economy)] = low / 1000
            systems[str(economy)] = masks(read, low / 1000, economy)
        found = compare(gold, systems)
        tests = {test.system: test for test in found.tests if test.metric == "token_precision"}
        for name, report in found.reports.items():
            keys = ("entity_recall_quasi", "token_recall", "token_precision")
            cells = [f"{report.scores[key]:.3f}" for key in keys]
            test = tests.get(name)
            cells += [f"{test.difference:+.3f}", f"{test.p_value:.3f}"] if test else ["", ""]
            print(f"| {goal} | {name} | {thresholds[name]} | {' | '.join(cells)} |", flush=True)


def masks(read: Read, threshold: float, economy: float) -> dict[str, list[Span]]:
    return {
        document.id: sorted(
            mention.span
            for each, count in zip(found, words, strict=True)
            if direct(each) or each.risk >= threshold_for(threshold, count, economy)
            for mention in each.entity.mentions
        )
        for document, found, words in read
    }


def direct(assessment: Assessment) -> bool:
    numbers = any(e.indicator == "identity_number" for e in assessment.evidence)
    return numbers or assessment.identifier is IdentifierType.DIRECT


if __name__ == "__main__":
    main()
