"""A language model as attacker: members of Congress, with candidates by words.

python -m benchmarks reidentification_llm DATA --llm http://localhost:8000/v1 --sample 8 --candidates 10
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from benchmarks.reidentification_data import read_members, store_people
from tacenda.reidentify import AttackCase, open_attackers
from tacenda.reidentify.judge import Identity, cost_line, judge_release, judge_rows
from tacenda_lab.llm import open_model


def main(parser: argparse.ArgumentParser) -> None:
    """Print the model's rates, with what it cost, and those of the attackers that chose for it."""
    parser.add_argument("data", type=Path, help="folder of reid/")
    parser.add_argument("--llm", required=True, help="address of the model")
    parser.add_argument("--sample", type=int, default=25, help="documents to attack")
    parser.add_argument("--candidates", type=int, default=20, help="people it chooses among")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for an answer")
    parser.add_argument("--requests", type=int, help="number after which no more is asked")
    parser.add_argument("--allow-network", action="store_true", help="it is on another machine")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        members = read_members(arguments.data / "reid/congress_people.jsonl.gz", arguments.sample)
        people = store_people(Path(folder) / "people.db", members.people)
        attackers = (*open_attackers("bm25", people), *open_attackers("bayes", people))
        judge = open_model(
            arguments.llm,
            people,
            attackers,
            allow_network=arguments.allow_network,
            requests=arguments.requests,
            timeout=arguments.timeout,
            candidates=arguments.candidates,
        )
        cases = [AttackCase(words, person) for person, words in members.testing]
        done = iter(range(1, len(cases) + 1))
        report = judge_release(
            cases, judge, people, 10, lambda: print(next(done), end=" ", flush=True)
        )
    print(f"\n{len(cases)} documents, {len(people):,} people, {os.cpu_count()} cores")
    for row in judge_rows(report):
        print(" | ".join(row))
    first = [
        [one.judgment.identity.candidates.index(n) for n in one.judgment.identity.ranking[:1]]
        for one in report.cases
        if isinstance(one.judgment.identity, Identity)
    ]
    print("place of the first choice among the candidates as shown:", first)
    for attacker in attackers:
        ranks = [attacker.rank(case.document).rank(case.person) for case in cases]
        print(f"{attacker.name}: {sum(rank == 1 for rank in ranks) / len(ranks):.2f} at rank 1")
    guesses = [
        guess.attribute
        for one in report.cases
        for guess in getattr(one.judgment.inference, "attributes", ())
        if guess.evidence
    ]
    print("guesses with a quote in the text:", {name: guesses.count(name) for name in set(guesses)})
    print(cost_line(judge.name, report.cost))
