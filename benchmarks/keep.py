"""What readers need, told to a policy: occupations in sanitized biographies, and who is still found in them.

    python -m benchmarks keep DATA [--sample N] [--cache FILE] [--attackers NAMES]

Documents are Wikipedia biographies, of 24 occupations by DBpedia (``reid/db_bio.jsonl.gz``). A linear classifier
(TF-IDF of words, logistic regression) is trained on four fifths of them and reads the class of the others: once trained on
texts sanitized alike, once on originals. Attackers get the first half of a sanitized biography and know everybody in
the sample by the second half of the original. FILE keeps what the recognizer found for another run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pickle
import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

import tacenda
from benchmarks.reidentification_data import store_people
from benchmarks.tables import print_header
from tacenda.background.profiles import Person
from tacenda.deciding import Analysis, complete
from tacenda.document import Document
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.base import rank_of
from tacenda.reidentify.rates import rates
from tacenda.reidentify.tokens import read_words
from tacenda.result import Result

BATCH = 8
FOLDS = 5
RESAMPLES = 2000
SYSTEMS = {
    "tag": {},
    "tag, keep occupation": {"keep": "occupation"},
}


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--sample", type=int, default=2420, help="biographies, at most")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--attackers", default="bm25,bayes", help="names, with commas between")
    arguments = parser.parse_args()
    path = arguments.data / "reid/db_bio.jsonl.gz"
    biographies = read(path, arguments.sample, arguments.cache, tacenda.load(threads=1))
    labels = np.array([label for label, _ in biographies])
    originals = [analysis.document.text for _, analysis in biographies]
    base = Policy.load("default")
    threshold = base.threshold or 0.0
    releases = {"original": originals}
    left = {"original": ""}
    cuts = [middle(text) for text in originals]
    halves = {"original": [text[:cut] for text, cut in zip(originals, cuts, strict=True)]}
    for name, changes in SYSTEMS.items():
        policy = base.with_changes(**changes)
        results = [complete(item, policy, threshold).sanitized for _, item in biographies]
        releases[name] = [result.text for result in results]
        halves[name] = [half(result, cut) for result, cut in zip(results, cuts, strict=True)]
        left[name] = f"{np.mean([result.risk.residual for result in results]):.2f}"
        print(f"{name}: done", flush=True)
    print(f"\n{len(labels)} biographies, {len(set(labels))} occupations; 95 % intervals\n")
    print_header(
        "| text | occupation read | of the original's | trained on originals | of the original's |"
    )
    whole = reads(originals, originals, labels)
    for name, texts in releases.items():
        alike, unlike = reads(texts, texts, labels), reads(originals, texts, labels)
        cells = [
            f"{mean(alike)} | {share(alike, whole)}",
            f"{mean(unlike)} | {share(unlike, whole)}",
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print_header("\n| text | expected left | attacker | found first | among the first 10 |")
    with tempfile.TemporaryDirectory() as folder:
        known = [text[cut:] for text, cut in zip(originals, cuts, strict=True)]
        people = store_people(
            Path(folder) / "people.db",
            (Person(str(n), "", (("biography", text),)) for n, text in enumerate(known)),
        )
        for attacker_name in arguments.attackers.split(","):
            for attacker in open_attackers(attacker_name, people):
                for name, texts in halves.items():
                    ranks = []
                    for number, text in enumerate(texts):
                        document = read_words(Document(str(number), text))
                        mask = document.unmasked()[None, :]
                        ranks.append(rank_of(attacker.scores(document, mask)[0], number))
                    own = rates(ranks, 10)
                    print(
                        f"| {name} | {left[name]} | {attacker.name} | {own.first} | {own.among_k} |"
                    )


def read(
    path: Path, sample: int, cache: Path | None, sanitizer: Sanitizer
) -> list[tuple[str, Analysis]]:
    """Return biographies with their class, in an order of chance."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    random.Random(0).shuffle(rows)
    rows = rows[:sample]
    items = [] if cache is None or not cache.exists() else list(cached(cache))[: len(rows)]
    for start in range(len(items), len(rows), BATCH):
        batch = rows[start : start + BATCH]
        documents = [Document(row["id"], row["text"].replace('\\"', '"')) for row in batch]
        pairs = list(zip(batch, sanitizer.analyze_all(documents), strict=True))
        items += pairs
        if cache is not None:
            with cache.open("ab") as file:
                pickle.dump(pairs, file)
    return [(row["profile"]["dbpedia_l3"], analysis) for row, analysis in items]


def cached(path: Path) -> Iterator[tuple[dict[str, dict[str, str]], Analysis]]:
    """Yield what the recognizer found so far."""
    with path.open("rb") as file:
        while True:
            try:
                yield from pickle.load(file)
            except EOFError:
                return


def middle(text: str) -> int:
    """Return where the sentence ends that is nearest to the middle."""
    ends = [match.end() for match in re.finditer(r"\w{3,}\. ", text)] or [len(text) // 2]
    return min(ends, key=lambda end: abs(end - len(text) / 2))


def half(result: Result, cut: int) -> str:
    """Return what was written for the original up to a place."""
    position = cut
    for edit in result.replacements:
        if edit.original.end <= cut:
            position = edit.output_end + cut - edit.original.end
        elif edit.original.start < cut:
            position = edit.output_end
    return result.text[:position]


def reads(train: Sequence[str], test: Sequence[str], labels: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Return of which texts the class is read, by classifiers that never saw the person."""
    right = np.zeros(len(labels), dtype=bool)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for known, unknown in folds.split(labels, labels):
        words = TfidfVectorizer(sublinear_tf=True, min_df=2)
        model = LogisticRegression(C=10, max_iter=300)
        model.fit(words.fit_transform([train[n] for n in known]), labels[known])
        guesses = model.predict(words.transform([test[n] for n in unknown]))
        right[unknown] = guesses == labels[unknown]
    return right


def mean(right: NDArray[np.bool_]) -> str:
    """Return the share with its interval, by bootstrap over documents."""
    draws = resampled(len(right))
    return interval(right.mean(), right[draws].mean(axis=1))


def share(right: NDArray[np.bool_], whole: NDArray[np.bool_]) -> str:
    """Return the ratio of two shares of the same documents with its interval."""
    draws = resampled(len(right))
    return interval(
        right.mean() / whole.mean(), right[draws].mean(axis=1) / whole[draws].mean(axis=1)
    )


def resampled(count: int) -> NDArray[np.int64]:
    """Return the documents of each resample."""
    return np.random.default_rng(0).integers(count, size=(RESAMPLES, count))


def interval(value: float, draws: NDArray[np.float64]) -> str:
    """Return a value with the middle 95 % of its resamples."""
    low, high = np.quantile(draws, (0.025, 0.975))
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"
