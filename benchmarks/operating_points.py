"""Where the shipped policies sit on the curve of precision and recall, and where others would.

    python benchmarks/operating_points.py DATA/tab/dev_real.json             # the shipped ones, and --risk
    python benchmarks/operating_points.py DATA/tab/train.json --folds WORK   # a grid, to fit them anew

With ``--folds`` (a working folder of `tacenda train recognizer`) each judgment is read by the recognizer that
never saw it, with the calibration of the shipped one; a bound is chosen there and reported elsewhere. A
policy is a threshold with or without economy and the gazetteer, or a share of the document's risk.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cross_validation import _calibrated

from tacenda.document import Document, Span
from tacenda.evaluate.evaluation import evaluate
from tacenda.evaluate.gold import load_gold
from tacenda.pipeline import Analysis, Sanitizer, complete, load
from tacenda.policy import Policy

THRESHOLDS = (0.05, 0.08, 0.1, 0.13, 0.15, 0.18, 0.2, 0.3, 0.5)
GAZETTEERS = (None, 0.3, 0.2)
ECONOMIES = (0.2, 0.3, 0.5)
RISKS = (0.01, 0.02, 0.05, 0.1)
KEYS = ("token_recall", "entity_recall_direct", "entity_recall_quasi", "token_precision")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gold", type=Path)
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--grid", action="store_true", help="Also without --folds.")
    arguments = parser.parse_args()
    policies = dict(grid() if arguments.folds or arguments.grid else shipped())
    texts = {
        item["doc_id"]: item["text"]
        for item in json.loads(arguments.gold.read_text(encoding="utf-8"))
    }
    masks: dict[str, dict[str, list[Span]]] = {name: {} for name in policies}
    with tempfile.TemporaryDirectory() as folder:
        for sanitizer, names in readers(arguments.folds, list(texts), Path(folder)):
            for document in (Document(name, texts[name]) for name in names):
                # The mentions of one detector hold for all policies that ask the same detectors.
                analyses: dict[object, Analysis] = {}
                for name, policy in policies.items():
                    detectors = policy.gazetteer
                    if detectors not in analyses:
                        analyses[detectors] = sanitizer.with_policy(policy).analyze(document)
                    result = complete(analyses[detectors], policy, sanitizer.threshold).sanitized
                    masks[name][document.id] = [item.original for item in result.replacements]
    gold = load_gold(arguments.gold)
    print("| policy | R | ER_di | ER_qi | P |\n|---|---|---|---|---|")
    for name, spans in masks.items():
        scores = evaluate(gold, spans).scores
        print(f"| {name} | " + " | ".join(f"{scores[key]:.3f}" for key in KEYS) + " |")


def shipped() -> Iterator[tuple[str, Policy]]:
    for name in ("lenient", "balanced", "strict"):
        yield name, Policy.load(name)
    for risk in reversed(RISKS):
        yield f"`--risk {risk}`", Policy.load("balanced").with_changes(risk=risk)


def grid() -> Iterator[tuple[str, Policy]]:
    for gazetteer in GAZETTEERS:
        for threshold in THRESHOLDS:
            beside = f" and gazetteer from {gazetteer}" if gazetteer is not None else ""
            yield f"threshold {threshold}{beside}", Policy(threshold=threshold, gazetteer=gazetteer)
            for economy in ECONOMIES:
                policy = Policy(threshold=threshold, gazetteer=gazetteer, length_penalty=economy)
                yield f"threshold {threshold}, economy {economy}{beside}", policy
    for threshold in (*THRESHOLDS, 0.25, 0.35, 0.4):
        both = Policy(threshold=threshold, indicators=("span",), combine="all")
        yield f"recognizer and span, both from {threshold}", both
    for risk in RISKS:
        yield f"risk {risk}", Policy(residual_share=risk)


def readers(
    folds: Path | None, names: list[str], folder: Path
) -> Iterator[tuple[Sanitizer, list[str]]]:
    if folds is None:
        yield load(threads=1), names
        return
    for fold in sorted(folds.glob("fold-*")):
        calibrated = folder / fold.name
        calibrated.mkdir()
        unseen = json.loads((fold / "unseen.json").read_text(encoding="utf-8"))
        yield load(model=_calibrated(fold, calibrated), threads=1), unseen


if __name__ == "__main__":
    main()
