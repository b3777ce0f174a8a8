"""What each part of learning the attacker's encoders is worth: Table 3 of Morris et al. (2022), as far as it goes here.

    python -m benchmarks attacker_ablation DATA [--only NAME]

The same encoders, each with one part left out, for the same number of epochs; judged on the texts that settings are
chosen on, which none of them learns from, among all profiles. Needs the extra `train`.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from tokenizers import Tokenizer

from benchmarks.tables import print_header
from tacenda_lab.train.attacker import (
    AttackerSchedule,
    PieceList,
    Training,
    retrieval_rates,
    start_table,
)
from tacenda_lab.train.attacker_data import FILE, examples_of, read_members
from tacenda_lab.train.attacker_network import BiEncoderNetwork, Sizes
from tacenda_lab.train.recognizer import student_encoder

TURNS = "BBBPDDPD"


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to learn: a schedule, and sizes that differ from the shipped ones."""

    schedule: AttackerSchedule = field(default_factory=lambda: AttackerSchedule(turns=TURNS))
    output: int = Sizes(0).output


_ALL = Variant()
VARIANTS = {
    "all": _ALL,
    "no masks while learning": replace(_ALL, schedule=replace(_ALL.schedule, prior="none")),
    "no label smoothing": replace(_ALL, schedule=replace(_ALL.schedule, smoothing=0.0)),
    "vectors of 96 numbers": replace(_ALL, output=96),
    "both sides at once, no turns": replace(
        _ALL, schedule=replace(_ALL.schedule, turns="B" * len(TURNS))
    ),
}


def main(parser: argparse.ArgumentParser) -> None:
    """Train each variant and print a row."""
    parser.add_argument("data", type=Path, help="folder of reid/")
    parser.add_argument("--only", choices=sorted(VARIANTS), help="this variant alone")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    folder = student_encoder()
    examples = examples_of(read_members(arguments.data / FILE))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    all_pieces = examples.pieces(tokenizer)
    pieces = PieceList.of(all_pieces)
    table = start_table(folder, examples, all_pieces, Sizes(0).embedding)[pieces.used]
    chosen = VARIANTS if arguments.only is None else {arguments.only: VARIANTS[arguments.only]}
    print_header("| network | unmasked | given | written | seconds |")
    for name, variant in chosen.items():
        begun = time.perf_counter()
        sizes = Sizes(len(pieces.used), output=variant.output)
        training = Training(
            BiEncoderNetwork(sizes, table.clone()),
            examples,
            torch.from_numpy(pieces.of_words),
            variant.schedule,
        )
        training.fit()
        rates = retrieval_rates(training, examples).shares.values()
        shares = " | ".join(f"{first:.3f}, {ten:.3f}" for first, ten in rates)
        print(f"| {name} | {shares} | {time.perf_counter() - begun:.0f} |", flush=True)
