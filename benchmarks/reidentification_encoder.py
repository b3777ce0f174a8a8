"""The attacker with two encoders beside those that live from words: who is found, hidden, and how fast.

    python -m benchmarks reidentification_encoder DATA [--sample N] [--entities N] [--searched N]

Candidates are all 12,976 members of Congress; documents are biographies of people whose texts nothing was learned
from. *given* masks the words of the profile as the file has it, *written* also those that it becomes
when states, congresses and terms are written out for the encoder; *entities* all that the recognizer finds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tacenda
from benchmarks.reidentification_data import Members, read_members, store_people
from benchmarks.tables import print_header
from tacenda.background.profiles import terms
from tacenda.models.networks import AttackerModel
from tacenda.reidentify.anonymize.anonymize import anonymize, make_objective
from tacenda.reidentify.anonymize.objective import BlackBoxObjective
from tacenda.reidentify.anonymize.search import greedy
from tacenda.reidentify.anonymize.units import word_units
from tacenda.reidentify.attackers.base import Attacker, rank_of
from tacenda.reidentify.attackers.encoder import BiEncoder, JointAttacker
from tacenda.reidentify.attackers.lexical import Bm25, NaiveBayes
from tacenda.reidentify.rates import rate, rates
from tacenda.reidentify.tokens import STOP_WORDS, TokenizedDocument
from tacenda_lab.attackers import TranslatingBayes, learn

SEARCHES = (
    (("translation",), (512, 4096)),
    (("encoder", "bm25"), (64, 512)),
    (("encoder", "translation"), (64,)),
)
"""The attackers that guide a search together, and the values of K."""
PARTS = {"encoder": {"encoder", "joint"}, "joint": {"encoder", "joint", "bayes"}}
"""Who does not judge what one has guided, where it is more than oneself."""
Ranks = dict[str, list[dict[str, int]]]


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="folder of reid/")
    parser.add_argument("--sample", type=int, default=2000, help="documents to attack, at most")
    parser.add_argument("--entities", type=int, default=100, help="of them, to mask entities in")
    parser.add_argument("--searched", type=int, default=100, help="of them, to search masks for")
    parser.add_argument("--model", type=Path, help="folder of the encoders; else those shipped")
    arguments = parser.parse_args()
    members = read_members(arguments.data / "reid/congress_people.jsonl.gz", arguments.sample)
    with tempfile.TemporaryDirectory() as folder:
        people = store_people(Path(folder) / "people.db", members.spelled)
        begun = time.perf_counter(), time.process_time()
        model = None if arguments.model is None else AttackerModel.load(arguments.model)
        encoder = BiEncoder(people, model)
        print(f"vectors of {len(people)} profiles: {_since(begun)}")
        attackers = (Bm25(people), NaiveBayes(people), encoder, JointAttacker(people, encoder))
        report_ranks(found(members, attackers, arguments.entities))
        speed(members, encoder)
        translations = learn([(words.keys, terms(person)) for person, words in members.learning])
        attackers = (*attackers, TranslatingBayes(people, translations))
        report_searches(members, attackers, arguments.searched)


def found(members: Members, attackers: Sequence[Attacker], n_entities: int) -> Ranks:
    """Return ranks by attacker, of each document, by what is masked."""
    sanitizer = tacenda.load(threads=1)
    ranks: Ranks = defaultdict(list)
    for place, (number, document) in enumerate(members.testing):
        masks = {
            "unmasked": document.unmasked(),
            "given": _of_profile(document, set(terms(members.given[number]))),
            "written": _of_profile(document, set(terms(members.spelled[number]))),
        }
        if place < n_entities:
            mentions = sanitizer.analyze(document.document).mentions
            masks["entities"] = document.masked([mention.span for mention in mentions])
        rows: list[dict[str, int]] = [{} for _ in masks]
        for attacker in attackers:
            scores = attacker.scores(document, np.array(list(masks.values())))
            for row, of_mask in zip(rows, scores, strict=True):
                row[attacker.name] = rank_of(of_mask, number)
        for name, row in zip(masks, rows, strict=True):
            ranks[name].append(row)
    return ranks


def _of_profile(document: TokenizedDocument, words: set[str]) -> NDArray[np.bool_]:
    return np.array([key in words and key not in STOP_WORDS for key in document.keys])


def report_ranks(ranks: Ranks) -> None:
    """Print shares at rank 1, with intervals by Wilson, and among the first 10."""
    names = [f"{masked} ({len(rows)})" for masked, rows in ranks.items()]
    print_header(f"\n| attacker | {' | '.join(names)} |")
    for name in (*ranks["unmasked"][0], "any of them"):
        cells = []
        for rows in ranks.values():
            own = rates(
                [min(row.values()) if name == "any of them" else row[name] for row in rows], 10
            )
            cells.append(f"{own.first}, {own.among_k.value:.3f}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def speed(members: Members, encoder: BiEncoder) -> None:
    """Print how long masks take by the game of the encoder, and one candidate a call."""
    length = [abs(len(words) - 100) for _, words in members.testing]
    near = [members.testing[place] for place in np.argsort(length)[:3]]
    print("\na document of about 100 words, K = 8")
    for number, document in near:
        units = word_units(document)
        encoder.rank(document)
        begun = time.perf_counter(), time.process_time()
        chosen = greedy(make_objective(encoder, document, number, units), [1.0] * len(units), 8)
        fast = _since(begun)
        begun = time.perf_counter(), time.process_time()
        plain = BlackBoxObjective(encoder, document, number, units, batch=1)
        same = greedy(plain, [1.0] * len(units), 8, lazy=False)
        print(f"  {len(document)} words, {len(chosen)} masks: {fast}; ", end="")
        print(f"one candidate a call {len(same)} masks: {_since(begun)}; ", end="")
        print("the same masks" if set(chosen) == set(same) else "other masks")


def report_searches(members: Members, attackers: Sequence[Attacker], count: int) -> None:
    """Print what searches mask, and who is found by attackers that have no part in the guide."""
    print_header("\n| search | documents | words masked | found by any of them |")
    by_name = {attacker.name: attacker for attacker in attackers}
    for names, values in SEARCHES:
        guides = [by_name[name] for name in names]
        own = set().union(*(PARTS.get(name, {name}) for name in names))
        judges = [attacker for attacker in attackers if attacker.name not in own]
        for k in values:
            shares, hits = [], 0
            some = members.testing[:count]
            for number, document in some:
                result = anonymize(document, number, guides, k, hold_out=False)
                shares.append(float(result.mask.mean()))
                scores = [judge.scores(document, result.mask[None, :])[0] for judge in judges]
                hits += min(rank_of(of_judge, number) for of_judge in scores) == 1
            print(
                f"| {' and '.join(names)}, K = {k:,} | {len(some)} | {np.mean(shares):.3f} "
                f"| {rate(hits, len(some))} |",
                flush=True,
            )


def _since(begun: tuple[float, float]) -> str:
    return (
        f"{time.perf_counter() - begun[0]:.2f} s ({time.process_time() - begun[1]:.2f} s of a core)"
    )
