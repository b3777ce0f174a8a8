"""Whether the promise of `--risk R` holds on documents that calibrated nothing.

    python benchmarks/bound.py DATA                   # the shipped recognizer and its table
    python benchmarks/bound.py DATA --model FOLDER

For R of .01, .02, .05 and .1: the threshold of the table, whether R can be promised at all, and on judgments with
real annotators (`tab/dev_real.json`), biographies (`wiki/wikireplace_dev.json`), everyday documents
(`everyday/dev_everyday.jsonl.gz`, the complete ones) and generated documents of kinds kept from the table: the mean
share of identifiers left, the share of all identifiers left, and the share of documents with more than R of them
left. *Innocent* is the share of the documents without identifiers that were left as they are. Intervals: 95 %,
bootstrap over documents. The first rows of a set take the bound of its domain, the others the worst of all.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from tacenda.document import LossBound
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy
from tacenda_lab.train.bound import (
    domain_of,
    generated_documents,
    gold_of,
    is_kept_kind,
    losses,
)

SHARES = (0.01, 0.02, 0.05, 0.1)
GENERATED = 1_500
SEED = 31
_DRAWS = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument(
        "--model", type=Path, help="a folder of weights instead of the shipped ones"
    )
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    sanitizer = load(Policy(residual_share=0.05), model=arguments.model, threads=arguments.threads)
    print("| documents | domain | R | promised | threshold | mean left | of all left | > R |")
    print("|---|---|---|---|---|---|---|---|")
    for name, domain, documents in sets(arguments.data):
        golds = list(documents)
        for of in [domain, None] if domain else [None]:
            promises = [
                promise
                for share in SHARES
                if (promise := sanitizer.with_policy(bounded(share, of)).promise) is not None
            ]
            rows(name, of, golds, promises, sanitizer)
    innocents(sanitizer, arguments.data)


def bounded(share: float, domain: str | None = None) -> Policy:
    return Policy(residual_share=share, domain=domain)


def sets(data: Path) -> Iterator[tuple[str, str | None, Iterator[GoldDocument]]]:
    yield "judgments", "court", iter(load_gold(data / "tab/dev_real.json"))
    yield "biographies", "biography", iter(load_gold(data / "wiki/wikireplace_dev.json"))
    yield "everyday", None, complete(data)
    for domain in ("chat", "letters"):
        stream = generated_documents(SEED, GENERATED, data)
        kept = (gold for gold, kind in stream if is_kept_kind(kind) and domain_of(kind) == domain)
        yield f"generated {domain}", domain, kept


def complete(data: Path) -> Iterator[GoldDocument]:
    """Yield the documents in which everything personal is marked."""
    with gzip.open(data / "everyday/dev_everyday.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["complete"] and record["spans"]:
                yield gold_of(record["id"], record["text"], record["spans"])


def rows(
    name: str,
    domain: str | None,
    golds: Sequence[GoldDocument],
    promises: Sequence[LossBound],
    sanitizer: Sanitizer,
) -> None:
    golds = [gold for gold in golds if any(entity.needs_masking for entity in gold.entities)]
    sizes = np.array([sum(entity.needs_masking for entity in gold.entities) for gold in golds])
    thresholds = sorted({promise.threshold for promise in promises})
    table = np.array([losses(sanitizer, gold, thresholds) for gold in golds])
    for promise in promises:
        left = table[:, thresholds.index(promise.threshold)]
        draws = np.random.default_rng(1).integers(0, len(left), (_DRAWS, len(left)))
        low, high = np.percentile(left[draws].mean(axis=1), (2.5, 97.5))
        print(
            f"| {name} ({len(left)}) | {domain or 'worst'} | {promise.share:g} "
            f"| {'yes' if promise.is_met else f'no, {promise.bound:.3f}'} | {promise.threshold:g} "
            f"| {left.mean():.3f} ({low:.3f}–{high:.3f}) | {(left * sizes).sum() / sizes.sum():.3f} "
            f"| {(left > promise.share + 1e-9).mean():.2f} |",
            flush=True,
        )


def innocents(sanitizer: Sanitizer, data: Path) -> None:
    """Print how many documents without identifiers are left as they are."""
    path = data / "everyday/dev_everyday.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [
            record["text"]
            for record in map(json.loads, lines)
            if record["complete"] and not record["spans"]
        ]
    print("\n| policy | innocent documents left as they are | words masked |\n|---|---|---|")
    policies = {f"`--risk {share:g}`": bounded(share) for share in reversed(SHARES)}
    for name, policy in {"default": Policy.load("default"), **policies}.items():
        results = list(sanitizer.with_policy(policy).pipe(texts))
        same = np.mean([not result.replacements for result in results])
        masked = sum(
            len(item.original.of(result.document.text).split())
            for result in results
            for item in result.replacements
        )
        print(f"| {name} | {same:.2f} | {masked / sum(len(text.split()) for text in texts):.3f} |")


if __name__ == "__main__":
    main()
