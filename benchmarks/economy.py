"""Is a threshold that minds the price better than a plain one? Precision at equal recall of entities.

    python benchmarks/economy.py DATA/tab/dev_real.json
    python benchmarks/economy.py DATA/tab/train.json --folds WORK     # to choose it: judgments unseen by their recognizer
    python benchmarks/economy.py DATA                # every economy and threshold on every group of sets
    python benchmarks/economy.py DATA --folds WORK   # with the cross-validated judgments beside them

For each economy (0 is the plain threshold), the largest threshold that reaches an ER_qi; paired approximate
randomisation over documents, against the plain one. Verification plays no part. WORK is a working folder of
`tacenda train recognizer`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from operating_points import readers
from sets import cells, texts

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

Read = Sequence[tuple[Document, Sequence[Assessment], Sequence[int]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gold", type=Path)
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--sample", type=int, default=40, help="Documents of each source.")
    parser.add_argument("--model", help="Name or folder of a recognizer.")
    arguments = parser.parse_args()
    if arguments.gold.is_dir():
        print_grid(arguments.gold, arguments.folds, arguments.sample, arguments.model)
        return
    loaded = json.loads(arguments.gold.read_text(encoding="utf-8"))
    contents = {item["doc_id"]: item["text"] for item in loaded}
    read: list[tuple[Document, Sequence[Assessment], Sequence[int]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for sanitizer, names in readers(arguments.folds, list(contents), Path(folder)):
            read += assessed(sanitizer, [Document(name, contents[name]) for name in names])
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


def print_grid(data: Path, folds: Path | None, sample: int, model: str | None) -> None:
    """Print direct / quasi / precision, or innocent words, by economy and threshold."""
    sanitizer = load(model=model)
    documents = [replace(text, set=text.set.partition(":")[0]) for text in texts(data, sample)]
    everyday = assessed(
        sanitizer, [Document(str(n), text.text) for n, text in enumerate(documents)]
    )
    unseen: list[tuple[Document, Sequence[Assessment], Sequence[int]]] = []
    if folds is not None:
        judgments = json.loads((data / "tab/train.json").read_text(encoding="utf-8"))
        contents = {item["doc_id"]: item["text"] for item in judgments}
        with tempfile.TemporaryDirectory() as folder:
            for reader, names in readers(folds, list(contents), Path(folder)):
                unseen += assessed(reader, [Document(name, contents[name]) for name in names])
        gold = load_gold(data / "tab/train.json")
        prepared = prepare_predicted(gold, masks(unseen, 0.0, 0.0))
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


def assessed(
    sanitizer: Sanitizer, documents: Sequence[Document]
) -> list[tuple[Document, Sequence[Assessment], Sequence[int]]]:
    read = []
    for document in documents:
        entities = link(document, sanitizer.analyze(document).mentions)
        words = [words_of(document, entity) for entity in entities]
        read.append((document, assess(document, entities, Policy()), words))
    return read


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
