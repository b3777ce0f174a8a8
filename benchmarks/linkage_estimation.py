"""What *records* gains from m estimated without labels, from the texts that it attacks.

    python -m benchmarks linkage_estimation DATA [--sample N]

Candidates are all members of Congress, documents biographies of the tenth that nothing was learned from: as they are, and
with half of their words masked at random. m is the constants, or estimated by expectation maximisation from these documents, or
from the first 20 of them. A 95 % interval of the mean difference of log rank from the constants is bootstrapped over documents.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.reidentification_data import read_members, store_people
from benchmarks.reidentification_suite import masked
from benchmarks.tables import print_header
from tacenda.background.people import People
from tacenda.reidentify.attackers import RecordLinkage
from tacenda.reidentify.rates import rate
from tacenda.reidentify.tokens import TokenizedDocument

_FIRST = 20


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of reid/")
    parser.add_argument("--sample", type=int, default=400, help="documents to attack, at most")
    arguments = parser.parse_args()
    members = read_members(arguments.data / "reid/congress_people.jsonl.gz", arguments.sample)
    random = np.random.default_rng(1)
    half = [(n, masked(one, random.random(len(one)) < 0.5)) for n, one in members.testing]
    print_header(
        "| documents, m | rank 1 | first 10 | found anew | lost | change of log rank | m |"
    )
    for register, people in (("raw", members.raw), ("spelled", members.spelled)):
        with tempfile.TemporaryDirectory() as folder:
            store = store_people(Path(folder) / "people.db", people)
            for name, texts in (("unmasked", members.testing), ("half masked", half)):
                compare(f"{register}, {name}", store, texts)


def compare(title: str, store: People, texts: list[tuple[int, TokenizedDocument]]) -> None:
    """Print the rates by each m."""
    attacker = RecordLinkage(store)
    documents = [document for _, document in texts]
    constants = ranks_of(attacker, texts)
    report(f"{title}, constants", constants, constants)
    for name, some in (("all", documents), (f"first {_FIRST}", documents[:_FIRST])):
        m = attacker.estimate(some)
        values = ", ".join(f"{kind} {value:.2f}" for kind, value in m.items())
        ranks = ranks_of(attacker, texts)
        report(f"{title}, estimated from {name}", ranks, constants, values)


def ranks_of(
    attacker: RecordLinkage, texts: list[tuple[int, TokenizedDocument]]
) -> NDArray[np.int64]:
    """Return the rank of each document's person."""
    return np.array([attacker.rank(document).rank(number) for number, document in texts])


def report(
    title: str, ranks: NDArray[np.int64], before: NDArray[np.int64], m: str = "the constants"
) -> None:
    """Print the rates, and what changed, as a row."""
    first = rate(int((ranks == 1).sum()), len(ranks))
    gains = int(((ranks == 1) & (before > 1)).sum()), int(((ranks > 1) & (before == 1)).sum())
    change = np.log(ranks) - np.log(before)
    means = np.random.default_rng(0).choice(change, (2000, len(change))).mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    print(
        f"| {title} | {first} | {np.mean(ranks <= 10):.3f} | {gains[0]} | {gains[1]} "
        f"| {change.mean():+.3f} [{low:+.3f}, {high:+.3f}] | {m} |",
        flush=True,
    )
