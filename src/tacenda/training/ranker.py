"""The ranker of *generalize*, fitted to what people chose.

Conditional logistic regression (``rewrite/generalize/choose.py``), by Newton's method with a ridge.
Where several people chose, each is an equal part of one choice. What they chose and we don't offer
teaches nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..document import Option, SemanticType
from ..models.store import digest
from ..models.tables import RANKER_FILE, text_digest
from ..rewrite.generalize.ranker import Ranker, features

RIDGE = 1.0
"""Weight of the squares of the weights, against that of one choice."""
_STEPS = 100
_CLOSE = 1e-8
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """What people chose for one span.

    Attributes:
        group: what is held out together, such as the document.
        type: semantic type of the entity.
        originals: what its mentions cover.
        options: offered, the most specific first, with ``***`` last.
        chosen: how many people chose each of them.
    """

    group: str
    type: SemanticType
    originals: tuple[str, ...]
    options: tuple[Option, ...]
    chosen: tuple[int, ...]


def fit(choices: Sequence[Choice], ridge: float = RIDGE) -> Ranker:
    """Return the ranker whose weights make the choices likeliest, less the ridge.

    Args:
        choices: at least one with a chosen option.
        ridge: positive; the weights are unique then.
    """
    decided = [choice for choice in choices if any(choice.chosen)]
    described = [features(choice.type, choice.originals, choice.options) for choice in decided]
    names = sorted({name for options in described for option in options for name in option})
    column = {name: index for index, name in enumerate(names)}
    matrices = [_matrix(options, column) for options in described]
    shares = [np.array(choice.chosen) / sum(choice.chosen) for choice in decided]
    weights = np.zeros(len(names))
    # The likelihood less the ridge is concave: Newton's steps, halved where they overshoot.
    value = _objective(weights, matrices, shares, ridge)
    for _ in range(_STEPS):
        gradient = -ridge * weights
        curvature = ridge * np.eye(len(names))
        for matrix, share in zip(matrices, shares, strict=True):
            chance = _chances(matrix @ weights)
            mean = chance @ matrix
            gradient += (share - chance) @ matrix
            curvature += (matrix.T * chance) @ matrix - np.outer(mean, mean)
        step = np.linalg.solve(curvature, gradient)
        while (new := _objective(weights + step, matrices, shares, ridge)) < value:
            step /= 2
        weights += step
        if new - value < _CLOSE:
            break
        value = new
    rounded = {name: round(float(weights[column[name]]), _DIGITS) for name in names}
    return Ranker({name: weight for name, weight in rounded.items() if weight})


def _matrix(options: list[dict[str, float]], column: dict[str, int]) -> NDArray[np.float64]:
    matrix = np.zeros((len(options), len(column)))
    for row, found in enumerate(options):
        for name, value in found.items():
            matrix[row, column[name]] = value
    return matrix


def _chances(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = np.exp(scores - scores.max())
    shares /= shares.sum()
    return shares


def _objective(
    weights: NDArray[np.float64],
    matrices: Sequence[NDArray[np.float64]],
    shares: Sequence[NDArray[np.float64]],
    ridge: float,
) -> float:
    likelihood = sum(
        float(share @ np.log(_chances(matrix @ weights) + 1e-300))
        for matrix, share in zip(matrices, shares, strict=True)
    )
    return float(likelihood - ridge / 2 * (weights @ weights))


def cross_validated(
    choices: Sequence[Choice], ridge: float = RIDGE, folds: int = 10
) -> tuple[tuple[float, ...], ...]:
    """Return the probabilities of each choice's options by a ranker that never saw its group.

    Args:
        choices: of at least two groups.
        ridge: as in ``fit``.
        folds: parts that are held out in turn; groups go to them in order of their names.
    """
    groups = sorted({choice.group for choice in choices})
    fold = {group: index % folds for index, group in enumerate(groups)}
    rankers = {
        held: fit([choice for choice in choices if fold[choice.group] != held], ridge)
        for held in sorted(set(fold.values()))
    }
    return tuple(
        rankers[fold[choice.group]].probabilities(choice.type, choice.originals, choice.options)
        for choice in choices
    )


def write_ranker(ranker: Ranker, texts: Iterable[str], card: str, folder: Path) -> None:
    """Write ``ranker.json``, ``CARD.md`` and ``digests.json``: the folder that is shipped.

    Args:
        ranker: the weights.
        texts: of the documents that it was fitted to; their digests are written.
        card: Markdown.
        folder: made if it is not there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = {
        "weights": dict(sorted(ranker.weights.items())),
        "fitted_to": sorted(set(map(text_digest, texts))),
    }
    (folder / RANKER_FILE).write_text(
        json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    (folder / "CARD.md").write_text(card, encoding="utf-8")
    digests = {name: digest(folder / name) for name in ("CARD.md", RANKER_FILE)}
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
