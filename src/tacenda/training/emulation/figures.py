"""How well the emulation tells what the index says, on documents held out, beside simple baselines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score

from ...models.emulation import Size
from ...risk.search.emulated.facts import INFORMATION, TYPES
from ..calibrate import expected_calibration_error
from .cases import Observed
from .fitting import EPOCHS, Arrays, answers, best_threshold, fit_network, fit_size, folds

EMULATION = "emulation"
METHODS = ("types", "information", "types and information", EMULATION)
"""A regression on the types of the entities; their unigram information, summed; a regression on both."""

Values = NDArray[np.float64]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Figures:
    """How well values tell which combinations the index finds risky.

    Attributes:
        method: one of ``METHODS``.
        size: how many entities a combination has.
        count: combinations.
        share: of them, in [0, 1], that are risky.
        area: under the ROC curve.
        average_precision: of the risky ones.
        precision: from a threshold chosen on other documents.
        recall: from the same.
        f1: harmonic mean of the two.
        error: expected calibration error; None where the values are no probabilities.
    """

    method: str
    size: int
    count: int
    share: float
    area: float
    average_precision: float
    precision: float
    recall: float
    f1: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was learned: weights of all documents; curves and thresholds from documents held out."""

    arrays: Arrays
    sizes: tuple[Size, ...]
    figures: tuple[Figures, ...]


def fit(observed: Sequence[Observed], epochs: int = EPOCHS) -> Fitted:
    """Fit to all documents, and measure by cross-validation over documents.

    Args:
        observed: at least two documents.
        epochs: how often each network sees all it is fitted to.

    Raises:
        ValueError: if there are fewer than two documents.
    """
    if len(observed) < 2:
        raise ValueError(f"{len(observed)} documents: one must be left when one is held out.")
    fold = np.zeros(len(observed), dtype=int)
    confidences: list[list[Values]] = [[] for _ in observed]
    baselines: list[dict[str, list[Values]]] = [{} for _ in observed]
    for number, (used, out) in enumerate(folds(observed)):
        arrays = fit_network([observed[index] for index in used], epochs)
        known = [observed[index] for index in used]
        for index in out:
            fold[index] = number
            confidences[index] = answers(arrays, observed[index])
        for size in range(len(observed[0].answers)):
            told = _baselines(known, [observed[index] for index in out], size)
            for place, index in enumerate(out):
                for name, each in told[place].items():
                    baselines[index].setdefault(name, []).append(each)
    figures, sizes = [], []
    for size in range(len(observed[0].answers)):
        truth = [item.answers[size].risky for item in observed]
        values = [item[size] for item in confidences]
        sizes.append(fit_size(np.concatenate(values), np.concatenate(truth)))
        for name in METHODS:
            said = values if name == EMULATION else [item[name][size] for item in baselines]
            figures.append(_figures(name, size + 1, said, truth, fold))
    return Fitted(fit_network(observed, epochs), tuple(sizes), tuple(figures))


def _figures(
    method: str, size: int, values: Sequence[Values], truth: Sequence[Truth], fold: NDArray[np.int_]
) -> Figures:
    """Return the figures; curve and threshold of each fold are fitted to the values of the others."""
    chances, risky, taken = [], [], []
    for number in sorted(set(fold.tolist())):
        inside = [i for i in range(len(fold)) if fold[i] == number]
        others = [i for i in range(len(fold)) if fold[i] != number]
        said, known = _joined(values, others), _joined(truth, others).astype(bool)
        here = _joined(values, inside)
        at = best_threshold(said, known)
        if method == EMULATION:
            fitted = fit_size(said, known)
            at, here = fitted.threshold, np.interp(here, fitted.curve.x, fitted.curve.y)
        chances.append(here)
        risky.append(_joined(truth, inside).astype(bool))
        taken.append(here >= at)
    said, known, found = np.concatenate(chances), np.concatenate(risky), np.concatenate(taken)
    hits = int((found & known).sum())
    both = bool(known.any() and not known.all())
    return Figures(
        method,
        size,
        len(known),
        float(known.mean()) if len(known) else 0.0,
        float(roc_auc_score(known, said)) if both else 0.5,
        float(average_precision_score(known, said)) if known.any() else 0.0,
        hits / max(1, int(found.sum())),
        hits / max(1, int(known.sum())),
        2 * hits / max(1, int(found.sum() + known.sum())),
        None
        if method == "information"
        else expected_calibration_error(said.tolist(), known.astype(float).tolist()),
    )


def _joined(parts: Sequence[NDArray[np.generic]], chosen: Sequence[int]) -> Values:
    found: Values = np.concatenate([parts[index] for index in chosen]).astype(np.float64)
    return found


def _baselines(
    known: Sequence[Observed], out: Sequence[Observed], size: int
) -> list[dict[str, Values]]:
    """Return what each baseline says of the combinations of one size of each document held out."""
    rows = np.concatenate([_summed(each, size) for each in known])
    risky = np.concatenate([each.answers[size].risky for each in known])
    found = []
    types = _regression(rows[:, :TYPES], risky)
    both = _regression(rows, risky)
    for each in out:
        own = _summed(each, size)
        found.append(
            {
                "types": types(own[:, :TYPES]),
                "information": own[:, TYPES],
                "types and information": both(own),
            }
        )
    return found


def _summed(observed: Observed, size: int) -> Values:
    """Return how many entities of each type a combination has, and their information, [k, 9]."""
    told = observed.asked.facts[:, [*range(TYPES), INFORMATION]].astype(np.float64)
    found: Values = told[observed.answers[size].chosen].sum(axis=1)
    return found


def _regression(rows: Values, risky: Truth) -> Callable[[Values], Values]:
    """Return a logistic regression; the share of risky ones where all answers are the same."""
    if risky.all() or not risky.any():
        share = float(risky.mean()) if len(risky) else 0.5
        return lambda asked: np.full(len(asked), share)
    model = LogisticRegression(max_iter=1_000).fit(rows, risky)

    def chances(asked: Values) -> Values:
        if not len(asked):
            return np.zeros(0)
        found: Values = model.predict_proba(asked)[:, 1]
        return found

    return chances


def table(figures: Sequence[Figures]) -> str:
    """Return the figures as a Markdown table."""
    lines = [
        "| entities | combinations | risky | judged by | AUC | average precision | P | R | F1 | "
        "calibration error |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for each in figures:
        shown = (each.area, each.average_precision, each.precision, each.recall, each.f1)
        error = "" if each.error is None else f"{each.error:.3f}"
        lines.append(
            f"| {each.size} | {each.count} | {each.share:.3f} | {each.method} | "
            f"{' | '.join(f'{value:.3f}' for value in shown)} | {error} |"
        )
    return "\n".join(lines)
