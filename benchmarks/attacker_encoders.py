"""An attacker from an encoder of transformers against words, on people of the US Congress nothing was learned from.

    python -m benchmarks attacker_encoders DATA --encoder FOLDER

The encoder reads texts and profiles, after the same recipe as `tacenda lab train attacker --text FOLDER`. Texts of the people
judged on are attacked as they are, and without the words of the profile; candidates are everybody. Needs the extra `train`.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from benchmarks.tables import print_header
from tacenda.document import Document
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.tokens import read_words
from tacenda_lab.reproduce.arena import stored_people
from tacenda_lab.reproduce.redaction import all_ranks, lexical
from tacenda_lab.train.attacker_data import FILE
from tacenda_lab.train.attacker_encoders import train_pair
from tacenda_lab.train.corpus import records
from tacenda_lab.train.pairs import read_pairs
from tacenda_lab.train.recipes import AttackerRecipe

KINDS = ("as they are", "without the profile's words")


def main(parser: argparse.ArgumentParser) -> None:
    """Train, attack, and print rank 1 and the first 10."""
    parser.add_argument("data", type=Path)
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--judged", type=int, default=150)
    parser.add_argument("--epochs", type=int, default=10)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    members = [record for record in records(arguments.data / FILE) if record.get("text")]
    random.Random(0).shuffle(members)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train = written(folder / "train.jsonl", members[: arguments.people])
        judged = members[arguments.people : arguments.people + arguments.judged]
        dev = written(folder / "dev.jsonl", judged)
        recipe = AttackerRecipe(
            arguments.encoder,
            arguments.encoder,
            width=768,
            epochs=arguments.epochs,
            profile_epochs=4,
            patience=0,
            batch_size=16,
            rate=2e-4,
        )
        attacker = train_pair(recipe, train, dev, folder / "work")
        attack(folder, (train, dev), attacker)


def written(path: Path, members: Sequence[Mapping[str, Any]]) -> Path:
    """Write people as pairs."""
    keys = ("id", "name", "text", "profile")
    lines = (json.dumps({key: member[key] for key in keys}) + "\n" for member in members)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def attack(folder: Path, files: Sequence[Path], attacker: Path) -> None:
    """Attack the texts of the last file among everybody."""
    people = stored_people(folder / "people.db", files)
    attackers = [
        one for name in ("bm25", f"encoder:{attacker}") for one in open_attackers(name, people)
    ]
    ranks: dict[tuple[str, str], list[int]] = {}
    for pair in read_pairs(files[-1]):
        number = people.find(pair.person.id)
        document = read_words(Document(pair.person.id, pair.text or ""))
        masks = [document.unmasked(), lexical(document, people.reading(number))]
        rows = all_ranks(attackers, document, masks, number)
        for kind, row in zip(KINDS, rows, strict=True):
            for one in attackers:
                ranks.setdefault((kind, one.family), []).append(row[one.name])
    print_header(f"| attacker | {' | '.join(KINDS)} |")
    for family in dict.fromkeys(family for _, family in ranks):
        cells = []
        for kind in KINDS:
            first, ten = (fmean(rank <= most for rank in ranks[kind, family]) for most in (1, 10))
            cells.append(f"{first:.3f}, {ten:.3f}")
        print(f"| {family} | {' | '.join(cells)} |")
