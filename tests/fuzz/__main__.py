"""``python -m tests.fuzz``: a campaign as long as one likes, and what it found."""

from __future__ import annotations

import argparse
import os
import sys

from .campaign import BATCH, Outcome, run_apart


def main() -> int:
    """Run the campaign; 1 if anything survived or went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("-n", type=int, default=2000, help="documents to try")
    parser.add_argument("--seed", type=int, default=0, help="first batch")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    batches = range(asked.seed, asked.seed + -(-asked.n // BATCH))
    total = Outcome()
    for number, outcome in enumerate(run_apart(batches, asked.workers), start=1):
        total.add(outcome)
        for line in (*outcome.survivors, *outcome.faults):
            print(line, flush=True)
        if number % 50 == 0:
            print(_line(total), file=sys.stderr, flush=True)
    print(_line(total))
    print("formats:", dict(total.formats.most_common()))
    print(f"places and spellings: {len(total.kinds)}, rarest {total.kinds.most_common()[-1:]}")
    return int(bool(total.survivors or total.faults))


def _line(total: Outcome) -> str:
    return (
        f"{total.tried} documents: {total.written} written, {total.refused} refused; "
        f"{len(total.survivors)} survivors, {len(total.faults)} faults; slowest batch of {BATCH} "
        f"{total.seconds:.1f} s, {total.megabytes:.0f} MB"
    )


if __name__ == "__main__":
    sys.exit(main())
