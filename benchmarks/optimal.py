"""How good the choice of what to mask is, and how fast it is made: 300 entities, 2,000 risky pairs.

    python -m benchmarks optimal

*random*: any two entities may be risky together, the hardest there is; *telling*: each pair has one of eight
telling entities, as searches find them. Processor time, so that other work does not count.
"""

from __future__ import annotations

import argparse
import random
import time

from benchmarks.tables import print_header
from tacenda.decide.combinations import Choice, Problem, Variable, solve, solve_greedily
from tacenda.decide.cp_sat import solve_exactly


def main(parser: argparse.ArgumentParser) -> None:
    parser.parse_args()
    rng = random.Random(7)
    keep = Choice(0.0, breaks=False)
    members = tuple(
        Variable(f"e{n}", (keep, Choice(rng.uniform(1, 20), breaks=True)), (0, 1))
        for n in range(300)
    )
    anybody = tuple(tuple(rng.sample(range(300), 2)) for _ in range(2000))
    telling = rng.sample(range(300), 8)
    told = {(rng.choice(telling), rng.randrange(300)) for _ in range(2000)}
    solve(Problem(members[:2], ((0, 1),)))  # Loads the solver.
    print_header("| pairs | way | nats lost | gap | seconds |")
    for name, pairs in (("random", anybody), ("telling", tuple(p for p in told if p[0] != p[1]))):
        problem = Problem(members, pairs)
        for way, run in (("greedy, improved", solve_greedily), ("CP-SAT", solve_exactly)):
            began = time.process_time()
            found = run(problem)
            seconds = time.process_time() - began
            gap = "unknown" if found.gap is None else f"{found.gap:.3f}"
            print(f"| {name} | {way} | {found.cost:.1f} | {gap} | {seconds:.2f} |")
