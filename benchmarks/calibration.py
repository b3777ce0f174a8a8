"""Expected calibration error of the final risk of entities, by domain.

    python -m benchmarks calibration DATA                   # the shipped recognizer
    python -m benchmarks calibration DATA --model FOLDER

An entity of the result (after patterns, linking and propagation) is right with the share of annotators who mask a
letter or digit of it. The error is the mean distance of risk and that share over ten bins of equal width. Judgments:
`tab/dev_real.json`; biographies: `wiki/wikireplace_dev.json`; everyday: the complete documents with identifiers
of `everyday/dev_everyday.jsonl.gz`, innocent: those without, where every risk is an error. Intervals: 95 %,
bootstrap over documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.sets import add_recognizer_arguments, complete
from benchmarks.tables import print_header
from tacenda.document import Document, Entity
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.pipeline import Sanitizer, load
from tacenda_lab.train.recognizer import expected_calibration_error

Pairs = tuple[list[float], list[float]]
_DRAWS = 500


def main(parser: argparse.ArgumentParser) -> None:
    add_recognizer_arguments(parser)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    sanitizer = load(model=arguments.model, threads=arguments.threads)
    print_header("| domain | documents | entities | expected | masked | ECE |")
    for name, documents in domains(arguments.data).items():
        pairs = [document_pairs(sanitizer, gold) for gold in documents]
        risks, shares = joined(pairs)
        random = np.random.default_rng(1)
        errors = [
            expected_calibration_error(*joined(pairs[place] for place in draw))
            for draw in random.integers(0, len(pairs), (_DRAWS, len(pairs)))
        ]
        low, high = np.percentile(errors, (2.5, 97.5))
        print(
            f"| {name} | {len(pairs)} | {len(risks)} | {sum(risks):.0f} | {sum(shares):.0f} "
            f"| {expected_calibration_error(risks, shares):.3f} ({low:.3f}–{high:.3f}) |",
            flush=True,
        )


def domains(data: Path) -> dict[str, Iterable[GoldDocument]]:
    return {
        "judgments": load_gold(data / "tab/dev_real.json"),
        "biographies": load_gold(data / "wiki/wikireplace_dev.json"),
        "everyday": complete(data, innocent=False),
        "innocent": complete(data, innocent=True),
    }


def document_pairs(sanitizer: Sanitizer, gold: GoldDocument) -> Pairs:
    """Return the risk of each entity, and the share of annotators who mask some of it."""
    (result,) = sanitizer.pipe([Document(gold.id, gold.text)])
    counted = np.array([char.isalnum() for char in gold.text], dtype=bool)
    masked = {name: np.zeros(len(gold.text), dtype=bool) for name in gold.annotators}
    for entity in gold.entities:
        for mention in entity.mentions:
            if mention.needs_masking:
                masked[entity.annotator][mention.span.start : mention.span.end] = True
    risks, shares = [], []
    for decision in result.decisions:
        risks.append(decision.risk)
        shares.append(
            float(np.mean([_touches(decision.entity, counted & row) for row in masked.values()]))
        )
    return risks, shares


def _touches(entity: Entity, personal: np.ndarray) -> bool:
    return any(personal[item.span.start : item.span.end].any() for item in entity.mentions)


def joined(pairs: Iterable[Pairs]) -> Pairs:
    members = list(pairs)
    return [risk for risks, _ in members for risk in risks], [
        share for _, shares in members for share in shares
    ]
