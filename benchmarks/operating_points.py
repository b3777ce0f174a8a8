"""Where the shipped policies sit on the curve of precision and recall, and where others would.

    python -m benchmarks operating_points DATA                               # every shipped one on every set
    python -m benchmarks operating_points DATA --sample 10 --model FOLDER    # fewer documents, other weights
    python -m benchmarks operating_points DATA/tab/dev_real.json             # the shipped ones, and --risk
    python -m benchmarks operating_points DATA/tab/train.json --folds WORK   # a grid, to fit them anew

With ``--folds`` (a working folder of `tacenda lab train recognizer`) each judgment is read by the recognizer that
never saw it, with the calibration of the shipped one; a bound is chosen there and reported elsewhere. A
policy is a threshold with or without economy and the gazetteer, or a share of the document's risk.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.cross_validation import _calibrated
from benchmarks.sets import add_recognizer_arguments, boxed, cells, texts
from benchmarks.tables import print_header
from tacenda.deciding import Analysis, complete
from tacenda.detect.detector import Detector
from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document, Mention, Span
from tacenda.evaluate.evaluation import EvaluationSettings, evaluate
from tacenda.evaluate.gold import load_gold
from tacenda.models.networks import RecognizerModel
from tacenda.models.store import DEFAULT
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy, loading

THRESHOLDS = (0.05, 0.08, 0.1, 0.13, 0.15, 0.18, 0.2, 0.3, 0.5)
GAZETTEERS = (None, 0.3, 0.2)
ECONOMIES = (0.2, 0.3, 0.5)
RISKS = (0.05, 0.1, 0.2)
KEYS = ("token_recall", "entity_recall_direct", "entity_recall_quasi", "token_precision")


def main(parser: argparse.ArgumentParser) -> None:
    add_recognizer_arguments(parser, "gold")
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--grid", action="store_true", help="Also without --folds.")
    parser.add_argument("--sample", type=int, default=40, help="Documents of each source.")
    arguments = parser.parse_args()
    if arguments.gold.is_dir():
        print_sets(arguments.gold, arguments.sample, arguments.model)
        return
    policies = dict(grid() if arguments.folds or arguments.grid else shipped())
    masks: dict[str, dict[str, list[Span]]] = {name: {} for name in policies}
    for sanitizer, documents in judgments(arguments.gold, arguments.folds, arguments.model):
        for document in documents:
            # The mentions of one detector hold for all policies that ask the same detectors.
            analyses: dict[object, Analysis] = {}
            for name, policy in policies.items():
                detectors = policy.gazetteer
                own = sanitizer.with_policy(policy)
                if detectors not in analyses:
                    analyses[detectors] = own.analyze(document)
                result = complete(analyses[detectors], policy, own.threshold).sanitized
                masks[name][document.id] = [item.original for item in result.replacements]
    gold = load_gold(arguments.gold)
    print_header("| policy | R | ER_di | ER_qi | P |")
    for name, spans in masks.items():
        report = evaluate(gold, spans, EvaluationSettings(bootstrap=1000))
        row = [
            f"{report.scores[key]:.3f} [{low:.3f}, {high:.3f}]"
            for key, (low, high) in ((key, report.intervals[key]) for key in KEYS)
        ]
        print(f"| {name} | {' | '.join(row)} |", flush=True)


class Remembered:
    """A detector that reads each document once, for all policies."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._mentions: dict[str, tuple[Mention, ...]] = {}

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        rest = [document for document in documents if document.text not in self._mentions]
        for document, mentions in zip(rest, self._detector.detect(rest), strict=True):
            self._mentions[document.text] = tuple(mentions)
        return [self._mentions[document.text] for document in documents]


def print_sets(data: Path, sample: int, model: str | None) -> None:
    """Print a row a set, a column a shipped policy: direct / quasi / precision, or innocent words."""
    recognizer = RecognizerModel.load(model or DEFAULT)
    detector = Remembered(NeuralDetector(recognizer, len(os.sched_getaffinity(0))))
    documents = list(texts(data, sample))
    columns = {}
    for name in loading.shipped():
        sanitizer = Sanitizer(boxed(name), detector, recognizer.threshold)
        results = sanitizer.pipe(Document(text.id, text.text) for text in documents)
        masks = [[item.original for item in result.replacements] for result in results]
        columns[name] = cells(data, documents, masks)
        print(f"{name} is measured", file=sys.stderr, flush=True)
    print_header(f"| set | {' | '.join(columns)} |")
    for row in next(iter(columns.values())):
        print(f"| {row} | {' | '.join(column[row] for column in columns.values())} |")


def shipped() -> Iterator[tuple[str, Policy]]:
    for name in ("lenient", "default", "strict"):
        yield name, boxed(name)
    for risk in reversed(RISKS):
        yield f"`--risk {risk}`", boxed().with_changes(residual_share=risk)


def grid() -> Iterator[tuple[str, Policy]]:
    for gazetteer in GAZETTEERS:
        for threshold in THRESHOLDS:
            suffix = f" and gazetteer from {gazetteer}" if gazetteer is not None else ""
            yield f"threshold {threshold}{suffix}", Policy(threshold=threshold, gazetteer=gazetteer)
            for economy in ECONOMIES:
                policy = Policy(threshold=threshold, gazetteer=gazetteer, length_penalty=economy)
                yield f"threshold {threshold}, economy {economy}{suffix}", policy
    for threshold in (*THRESHOLDS, 0.25, 0.35, 0.4):
        policy = Policy(threshold=threshold, indicators=("span",), combine="all")
        yield f"recognizer and span, both from {threshold}", policy
    for risk in RISKS:
        yield f"risk {risk}", Policy(residual_share=risk)


def judgments(
    path: Path, folds: Path | None, model: str | None = None
) -> Iterator[tuple[Sanitizer, list[Document]]]:
    """Yield a sanitizer and the documents to read with it: with folds, those that it never saw."""
    contents = {item["doc_id"]: item["text"] for item in json.loads(path.read_text("utf-8"))}
    if folds is None:
        yield load(model=model, threads=1), [Document(*item) for item in contents.items()]
        return
    for fold in sorted(folds.glob("fold-*")):
        unseen = json.loads((fold / "unseen.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            sanitizer = load(model=_calibrated(fold, Path(folder)), threads=1)
            yield sanitizer, [Document(name, contents[name]) for name in unseen]
