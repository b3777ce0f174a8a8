"""Memory and time of learning who a text is about among as many people as wikibio has; figures of time mean nothing elsewhere.

    python -m benchmarks attacker_scale --people 728000 --width 3072

Made-up pairs are put on disk as `tacenda lab train attacker --text` puts them; then, in a process of its own, the loss of
a batch and its gradient are computed over random vectors of everybody, and ranks. Memory is what a process holds besides pages
of files, which the system takes back whenever it wants.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tacenda_lab.train.pair_file import PairFile
from tacenda_lab.train.sharded import SHARD_BYTES, VectorFile, ranks, softmax_loss

TEXT = "Person {0} is a footballer born in {1} who played for the team of {2} and retired in {3}."


def main(parser: argparse.ArgumentParser) -> None:
    """Print a line for each part."""
    parser.add_argument("--people", type=int, default=728_000)
    parser.add_argument("--width", type=int, default=3072)
    parser.add_argument("--batch", type=int, default=64)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for part in (pairs, softmax):
            context = multiprocessing.get_context("spawn")
            process = context.Process(target=part, args=(Path(folder), arguments))
            process.start()
            process.join()


def pairs(folder: Path, arguments: argparse.Namespace) -> None:
    """Write made-up pairs as JSON lines, and measure putting them on disk."""
    source = folder / "pairs.jsonl"
    with source.open("w", encoding="utf-8") as lines:
        for number in range(arguments.people):
            words = (number, 1900 + number % 90, number % 1000, 1950 + number % 70)
            fields = {"birth_year": words[1], "team": f"team {words[2]}", "retired": words[3]}
            fields |= {f"field_{place}": f"value {number % (place + 7)}" for place in range(12)}
            record = {"id": f"p{number}", "name": f"Person {number}", "text": TEXT.format(*words)}
            lines.write(json.dumps(record | fields) + "\n")
    file = PairFile.write(folder / "pairs", source, None)
    report(f"{len(file):,} pairs on disk, {file.path.stat().st_size / 1e9:.2f} GB", lambda: None)
    report("64 pairs read", lambda: file.read(file.learned[:: len(file.learned) // 64][:64]))


def softmax(folder: Path, arguments: argparse.Namespace) -> None:
    """Measure loss, gradient and ranks of a batch over everybody."""
    torch.set_num_threads(1)
    path = folder / "vectors.f16"
    file = VectorFile(path, arguments.people, arguments.width)
    for first in range(0, arguments.people, 4096):
        some = min(4096, arguments.people - first)
        file.write(first, torch.randn(some, arguments.width) / 10)
    print(f"vectors, {path.stat().st_size / 1e9:.2f} GB; shards of {SHARD_BYTES / 1e6:.0f} MB")
    x = torch.randn(arguments.batch, arguments.width).requires_grad_()
    right = torch.randint(arguments.people, (arguments.batch,))
    report("loss and gradient of a batch", lambda: softmax_loss(x, file, right, 0.1).backward())
    report("ranks of a batch", lambda: ranks(x.detach(), file, right))


def report(name: str, step: Callable[[], Any]) -> None:
    """Print how long a step takes, and what the process holds and held at most."""
    start = time.perf_counter()
    step()
    seconds = time.perf_counter() - start
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    sizes = {
        line.split(":")[0]: int(line.split()[1]) / 1e6 for line in lines if line.endswith("kB")
    }
    own, most = sizes["RssAnon"], sizes["VmHWM"]
    print(f"{name}: {seconds:.2f} s; {own:.2f} GB, with pages of files {most:.2f} GB at most")
