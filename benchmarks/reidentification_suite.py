"""The adversary suite: every attacker on a register as people have it and on one spelled out by hand.

    python -m benchmarks reidentification_suite DATA [--sample N] [--entities N] [--pairs N]

Candidates are all 12,976 members of Congress, documents the biographies of the tenth that nothing was learned from. *profile* masks the
words of the profile as attackers read it, *entities* all that the recognizer finds. *adaptive* has learned from as many
biographies of other people, masked the same way.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tacenda
from benchmarks.reidentification_data import read_members, store_people
from benchmarks.tables import print_header
from tacenda.background.people import People
from tacenda.background.profiles import terms
from tacenda.document import Document
from tacenda.reidentify.attackers import AdaptiveAttacker, Attacker, open_attackers
from tacenda.reidentify.attackers.base import rank_of
from tacenda.reidentify.rates import rates
from tacenda.reidentify.tokens import STOP_WORDS, TokenizedDocument, read_words

Texts = Sequence[tuple[int, TokenizedDocument]]
ANY = "any of them"
Mask = Callable[[int, TokenizedDocument], NDArray[np.bool_]]


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of reid/")
    parser.add_argument("--sample", type=int, default=2000, help="documents to attack, at most")
    parser.add_argument("--entities", type=int, default=100, help="of them, to mask entities in")
    parser.add_argument("--pairs", type=int, default=300, help="texts that adaptive learns from")
    parser.add_argument("--attackers", default="ensemble", help="names, with commas between")
    arguments = parser.parse_args()
    members = read_members(arguments.data / "reid/congress_people.jsonl.gz", arguments.sample)
    sanitizer = tacenda.load(threads=1)
    numbers = {person.id: number for number, person in enumerate(members.raw)}
    learning = [(numbers[person.id], words) for person, words in members.learning]
    chosen = np.random.default_rng(0).choice(len(learning), arguments.pairs, replace=False)
    others = [learning[n] for n in chosen]

    def entities(_: int, document: TokenizedDocument) -> NDArray[np.bool_]:
        mentions = sanitizer.analyze(document.document).mentions
        return document.masked([mention.span for mention in mentions])

    table: dict[str, dict[str, str]] = {}
    for register, people in (("raw", members.raw), ("spelled", members.spelled)):
        with tempfile.TemporaryDirectory() as folder:
            store = store_people(Path(folder) / "people.db", people)
            attackers = [
                attacker
                for name in arguments.attackers.split(",")
                for attacker in open_attackers(name, store)
            ]

            def profile(
                number: int, document: TokenizedDocument, store: People = store
            ) -> NDArray[np.bool_]:
                words = terms(store.reading(number)).keys() - STOP_WORDS
                return np.array([key in words for key in document.keys])

            masks: tuple[tuple[str, Mask, int], ...] = (
                ("unmasked", lambda _, document: document.unmasked(), arguments.sample),
                ("profile", profile, arguments.sample),
                ("entities", entities, arguments.entities),
            )
            for name, mask, count in masks:
                pairs = [(masked(document, mask(n, document)), n) for n, document in others]
                judges = attackers
                # Learning from original texts is no adversary of a release.
                if name != "unmasked":
                    judges = [*attackers, AdaptiveAttacker(store, pairs)]
                column = f"{name}: {register}"
                for row, cell in cells_of(column, judges, members.testing[:count], mask):
                    table.setdefault(row, {})[column] = cell
    columns = [f"{name}: {register}" for name, _, _ in masks for register in ("raw", "spelled")]
    print_header(f"\n| attacker (family) | {' | '.join(columns)} |")
    last = table.pop(ANY)
    for row, cells in {**table, ANY: last}.items():
        print(f"| {row} | {' | '.join(cells.get(column, '') for column in columns)} |")


def masked(document: TokenizedDocument, mask: NDArray[np.bool_]) -> TokenizedDocument:
    """Return a document with masks written in."""
    return read_words(Document(document.document.id, "".join(_pieces(document, mask))))


def _pieces(document: TokenizedDocument, mask: NDArray[np.bool_]) -> Iterator[str]:
    text, place = document.document.text, 0
    for span, is_masked in zip(document.spans, mask, strict=True):
        if is_masked:
            yield text[place : span.start] + "***"
            place = span.end
    yield text[place:]


def cells_of(
    title: str, attackers: Sequence[Attacker], texts: Texts, mask: Mask
) -> Iterator[tuple[str, str]]:
    """Yield each attacker, and any of them, with the shares at rank 1 and among the first ten."""
    ranks = np.empty((len(texts), len(attackers)), dtype=np.int64)
    shares = []
    for row, (number, document) in zip(ranks, texts, strict=True):
        flags = mask(number, document)
        shares.append(flags.mean())
        row[:] = [rank_of(a.scores(document, flags[None, :])[0], number) for a in attackers]
    print(f"{title}: {len(texts)} documents, {np.mean(shares):.3f} of the words masked", flush=True)
    columns = [(f"{a.name} ({a.family})", ranks[:, n]) for n, a in enumerate(attackers)]
    for name, ranks_of_one in (*columns, (ANY, ranks.min(axis=1))):
        own = rates(ranks_of_one.tolist(), 10)
        yield name, f"{own.first}, {own.among_k.value:.3f}"
