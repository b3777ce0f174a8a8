"""Table 3 of Morris et al. (2022): how much each part of the training contributes to re-identification.

Each row adds one part to the baseline; the last adds all of them except drawing words by IDF. The
first text encoder and the last profile encoder learn from a tenth of the pairs (from all, if there
are few) and search among the people of that tenth and of an equal share of the test pairs. The
texts come from those test pairs, whole and with 30 % of their words masked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from tacenda.atomic import write_atomically
from tacenda.reidentify.attackers.base import Attacker, rank_of

from ..train.pairs import ProfiledText, read_pairs
from .arena import ArenaTarget, attacker_recipe, open_targets, stored_people, train_attacker
from .redaction import Mask
from .tables import Cell, NotHere, ReproducedTable, fingerprint, published_rows
from .workbench import Workbench

_BASELINE: Final[Mapping[str, Any]] = {
    "prior": "none",
    "smoothing": 0.0,
    "width": 768,
    "profile_epochs": 0,
}
_PARTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "baseline": {},
    "+ word dropout": {"prior": "uniform"},
    "+ word dropout by IDF": {"prior": "idf"},
    "+ label smoothing": {"smoothing": 0.1},
    "+ bigger vectors (768 → 3072)": {"width": 3072},
    "+ encoder of profiles learns": {"profile_epochs": 5},
    "combined": {"prior": "uniform", "smoothing": 0.1, "width": 3072, "profile_epochs": 5},
}
"""Differences from the baseline's settings, by row."""
_MASKED: Final = 0.3
_MIN_SAMPLED_PAIRS: Final = 1000
"""Pairs of a file, below which all are taken."""


def ablation(workbench: Workbench) -> ReproducedTable:
    """Return the share of people that each row's attacker ranks first.

    Raises:
        NotHere: no encoders are named, or pairs are missing.
    """
    means = workbench.means
    if not means.trains_attackers:
        raise NotHere(
            "--text-encoder and --profile-encoder name the encoders to train (the paper's: hf:FacebookAI/roberta-base and "
            "hf:google/tapas-base)"
        )
    files = [
        _tenth(workbench.path(name), workbench.work / f"{name}-tenth")
        for name in ("pairs_train", "pairs_test")
    ]
    people = stored_people(workbench.work / f"tenth-{fingerprint(files, {})[:12]}.db", files)
    targets = open_targets(people, files[1], means.documents)
    basis = replace(
        attacker_recipe(workbench, means.text_encoders[0], means.profile_encoders[-1]), **_BASELINE
    )
    masks = _masks(targets)
    rows: dict[str, Sequence[Cell]] = {}
    for name, changes in _PARTS.items():
        attacker = train_attacker(workbench, replace(basis, **changes), files[0], people)
        rows[name] = [_accuracy(attacker, targets, each) for each in masks]
    return ReproducedTable(
        ("0 % masked", "30 % masked"),
        rows,
        published_rows("deidentification", "Table 3"),
        (
            f"{len(targets)} documents, {len(people)} people; {basis.epochs} epochs at most. Masked words are drawn at random; the "
            "paper doesn't say how its are.",
        ),
    )


def _tenth(pairs: Path, stem: Path) -> Path:
    """Write every tenth pair to a file of its own; return the original file if it has few pairs."""
    total = sum(1 for _ in read_pairs(pairs))
    if total < _MIN_SAMPLED_PAIRS:
        return pairs
    path = stem.with_name(f"{stem.name}-{fingerprint([pairs], {})[:12]}.jsonl")
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = map(_line, islice(read_pairs(pairs), 0, None, 10))
        write_atomically(path, "".join(lines).encode("utf-8", "replace"))
    return path


def _line(pair: ProfiledText) -> str:
    profile: dict[str, list[str]] = {}
    for key, value in pair.person.profile:
        profile.setdefault(key, []).append(value)
    person = {"id": pair.person.id, "name": pair.person.name, "profile": profile}
    return json.dumps(person | {"text": pair.text}) + "\n"


def _masks(targets: Sequence[ArenaTarget]) -> tuple[list[Mask], list[Mask]]:
    """Return two masks per text: an empty one and one of 30 % of its words."""
    random = np.random.default_rng(0)
    nothing = [target.document.unmasked() for target in targets]
    some = []
    for mask in nothing:
        drawn = mask.copy()
        drawn[random.choice(len(mask), round(_MASKED * len(mask)), replace=False)] = True
        some.append(drawn)
    return nothing, some


def _accuracy(attacker: Attacker, targets: Sequence[ArenaTarget], masks: Sequence[Mask]) -> float:
    hits = [
        rank_of(attacker.scores(target.document, mask[None, :])[0], target.number) == 1
        for target, mask in zip(targets, masks, strict=True)
    ]
    return sum(hits) / len(hits)
