"""Tables 4 and 5 of Morris et al. (2022): redacted texts, and the guesses of attackers.

They show texts and names from the pairs, so use public corpora only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tacenda.evaluate.metrics import redacted
from tacenda.reidentify.anonymize.algorithm_1 import masks
from tacenda.reidentify.anonymize.units import masked_spans

from .arena import Arena, ArenaTarget, open_arena
from .redaction import Mask
from .tables import Cell, ReproducedTable
from .workbench import Workbench

_EXAMPLES: Final = 9
"""Rows of each table, at most; the paper has nine in Table 4."""
_MASKED: Final = 0.95
"""Share of the words that are masked in Table 5, at least."""
_DRAWS: Final = 20
"""Masks of a document in Table 5, drawn at random."""


def examples(workbench: Workbench) -> ReproducedTable:
    """Return Table 4: texts, the masks of Algorithm 1, and the guide's guesses before and after masking.

    Texts whose person the guide names come first, since only these need masks.

    Raises:
        NotHere: pairs are missing.
    """
    arena = open_arena(workbench)
    before = [(each, *_prediction(arena, each, each.document.unmasked())) for each in arena.targets]
    before.sort(key=lambda item: item[1] != item[0].number)
    rows: dict[str, Sequence[Cell]] = {}
    for number, (target, _, name) in enumerate(before[:_EXAMPLES], 1):
        (mask,) = masks(target.document, target.number, arena.guide, [1])
        rows[f"{number}"] = (name, _prediction(arena, target, mask)[1], _shown(target, mask))
    return ReproducedTable(
        ("prediction, unmasked", "prediction, masked", "text as masked"),
        rows,
        notes=(
            f"By {arena.guide.name}, until it ranks another one first. The paper's examples, of PMLM + TAPAS, are texts of wikibio.",
        ),
    )


def nearly_masked(workbench: Workbench) -> ReproducedTable:
    """Return Table 5: texts with nearly all words masked at random, and the people found anyway.

    Raises:
        NotHere: pairs are missing.
    """
    arena = open_arena(workbench)
    random = np.random.default_rng(0)
    rows: dict[str, Sequence[Cell]] = {}
    hits = 0
    for target in arena.targets:
        drawn = [_drawn(target, random) for _ in range(_DRAWS)]
        finds = [
            (mask, name)
            for mask, row in zip(drawn, arena.rows(target, drawn), strict=True)
            for name in arena.judges
            if row.ranks[name] == 1
        ]
        hits += bool(finds)
        if finds and len(rows) < _EXAMPLES:
            mask, name = finds[0]
            rows[f"{len(rows) + 1}"] = (name, f"{mask.mean():.0%}", _shown(target, mask))
    summary = f"{hits / len(arena.targets):.0%} of {len(arena.targets)} documents"
    rows["found by any judge, by one of the masks"] = (summary, None, None)
    return ReproducedTable(
        ("found by", "words masked", "text as masked"),
        rows,
        notes=(
            f"{_DRAWS} masks of each document, drawn at random, of at least {_MASKED:.0%} of its words; judges are all attackers but the "
            "guide. The paper shows pictures of a few that were found.",
        ),
    )


def _drawn(target: ArenaTarget, random: np.random.Generator) -> Mask:
    mask = target.document.unmasked()
    left = int((1 - _MASKED) * len(mask))
    mask[:] = True
    mask[random.choice(len(mask), left, replace=False)] = False
    return mask


def _prediction(arena: Arena, target: ArenaTarget, mask: Mask) -> tuple[int, str]:
    """Return the person that the guide ranks first, and the name with its probability."""
    scores = arena.guide.scores(target.document, mask[None, :])[0]
    powers = np.exp(scores - scores.max())
    first = int(scores.argmax())
    return first, f"{arena.people.person(first).name} ({powers[first] / powers.sum():.0%})"


def _shown(target: ArenaTarget, mask: Mask) -> str:
    return redacted(target.document.document.text, masked_spans(target.document, mask))
