"""Whether the promise of `--risk R` holds on documents that calibrated nothing.

    python -m benchmarks bound DATA                   # the shipped recognizer and its table
    python -m benchmarks bound DATA --model FOLDER

For R of .01, .02, .05, .1 and .2: the threshold of the table, whether R can be promised at all, and on judgments
with real annotators (`tab/dev_real.json`), biographies (`wiki/wikireplace_dev.json`), everyday documents
(`everyday/dev_everyday.jsonl.gz`, the complete ones, and those in English alone) and generated documents of kinds
kept from the table: the mean share of identifiers left, the share of all identifiers left, and the share of
documents with more than R of them left. *Innocent* is the share of the documents without identifiers that were
left as they are. Intervals: 95 %, bootstrap over documents. The first rows of a set take the bound of its domain, the
others the worst of all.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.sets import add_recognizer_arguments, boxed, complete
from benchmarks.tables import print_header
from tacenda.document import LossBound
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.models.text_language import foreign_parts
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy
from tacenda_lab.train.bound import domain_of, generated_documents, is_kept_kind, losses

SHARES = (0.01, 0.02, 0.05, 0.1, 0.2)
GENERATED = 1_500
SEED = 31
_DRAWS = 2_000


def main(parser: argparse.ArgumentParser) -> None:
    add_recognizer_arguments(parser)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    sanitizer = load(Policy(residual_share=0.05), model=arguments.model, threads=arguments.threads)
    print_header(
        "| documents | domain | R | promised | threshold | mean left | of all left | > R |"
    )
    for name, domain, documents in sets(arguments.data):
        golds = list(documents)
        for scope in [domain, None] if domain else [None]:
            promises = [
                promise
                for share in SHARES
                if (promise := sanitizer.with_policy(bounded(share, scope)).promise) is not None
            ]
            rows(name, scope, golds, promises, sanitizer)
    innocents(sanitizer, arguments.data)


def bounded(share: float, domain: str | None = None) -> Policy:
    return Policy(residual_share=share, domain=domain)


def sets(data: Path) -> Iterator[tuple[str, str | None, Iterator[GoldDocument]]]:
    yield "judgments", "court", iter(load_gold(data / "tab/dev_real.json"))
    yield "biographies", "biography", iter(load_gold(data / "wiki/wikireplace_dev.json"))
    everyday = complete(data, innocent=False)
    yield "everyday", None, iter(everyday)
    english = [gold for gold in everyday if not foreign_parts(gold.text)]
    yield "everyday, English alone", None, iter(english)
    for domain in ("chat", "letters"):
        stream = generated_documents(SEED, GENERATED, data)
        golds = (gold for gold, kind in stream if is_kept_kind(kind) and domain_of(kind) == domain)
        yield f"generated {domain}", domain, golds


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
        shares = table[:, thresholds.index(promise.threshold)]
        draws = np.random.default_rng(1).integers(0, len(shares), (_DRAWS, len(shares)))
        low, high = np.percentile(shares[draws].mean(axis=1), (2.5, 97.5))
        print(
            f"| {name} ({len(shares)}) | {domain or 'worst'} | {promise.share:g} "
            f"| {'yes' if promise.is_met else f'no, {promise.bound:.3f}'} | {promise.threshold:g} "
            f"| {shares.mean():.3f} ({low:.3f}–{high:.3f}) | {(shares * sizes).sum() / sizes.sum():.3f} "
            f"| {(shares > promise.share + 1e-9).mean():.2f} |",
            flush=True,
        )


def innocents(sanitizer: Sanitizer, data: Path) -> None:
    """Print how many documents without identifiers are left as they are."""
    texts = [gold.text for gold in complete(data, innocent=True)]
    print_header("\n| policy | innocent documents left as they are | words masked |")
    policies = {f"`--risk {share:g}`": bounded(share) for share in reversed(SHARES)}
    for name, policy in {"default": boxed(), **policies}.items():
        results = list(sanitizer.with_policy(policy).pipe(texts))
        spared = np.mean([not result.replacements for result in results])
        masked = sum(
            len(item.original.of(result.document.text).split())
            for result in results
            for item in result.replacements
        )
        print(
            f"| {name} | {spared:.2f} | {masked / sum(len(text.split()) for text in texts):.3f} |"
        )
