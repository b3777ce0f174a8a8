"""Fitting of the indicators with a language model, to masking by annotators.

A logistic regression with a ridge, and thresholds. ``explicit_risk_measures``, appendix, chooses
those on the curve of precision and recall; here the criterion is the highest harmonic mean of both
or, where this would mask everything, the highest informedness.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tacenda.errors import InputError
from tacenda.models.store import digest

from ..indicators.automl import AUTOML_FOLDER, table, tabular
from ..indicators.language import (
    LANGUAGE_RISK_FILE,
    Context,
    LanguageModelProtocol,
    LanguageRiskWeights,
    Readings,
    Threshold,
    chance,
    read_entities,
)
from ..indicators.perturbation import Perturbation, perturbations
from ..scores import Score
from .corpus import AnnotatorView, first_annotations
from .logistic import fit_weights
from .packages import Card, write_card
from .tables import read_card

Criterion = Callable[[NDArray[np.float64], NDArray[np.float64], int, int], NDArray[np.float64]]
"""How good it is to hit h of m masked entities by taking t of n: (h, t, m, n) to a number each."""
_DIGITS = 5
_HALF = 0.5


def harmonic_mean(
    hits: NDArray[np.float64], positives: NDArray[np.float64], masked: int, _n: int
) -> NDArray[np.float64]:
    """Return the harmonic mean of precision and recall; a ``Criterion``."""
    return 2 * hits / np.maximum(1, positives + masked)


def informedness(
    hits: NDArray[np.float64], positives: NDArray[np.float64], masked: int, n: int
) -> NDArray[np.float64]:
    """Return recall minus the false positive rate (informedness, Youden 1950); a ``Criterion``."""
    return hits / max(1, masked) - (positives - hits) / max(1, n - masked)


def best_threshold(
    values: NDArray[np.float64], masked: NDArray[np.bool_], criterion: Criterion = harmonic_mean
) -> Threshold:
    """Return the threshold of risky entities: values below it are risky.

    Args:
        values: [n], low for a risky entity; NaN counts as not risky.
        masked: [n], whether people masked each.
        criterion: the function to maximise.

    Raises:
        InputError: if no entity has a value.
    """
    levels = np.sort(np.unique(values[~np.isnan(values)]))
    if not len(levels):
        raise InputError(
            "no entity has a value, so a threshold can't be chosen; give more documents"
        )
    # Between two values; the last one is above all.
    candidates = np.append((levels[:-1] + levels[1:]) / 2, levels[-1] + 1.0)
    order = np.argsort(np.where(np.isnan(values), np.inf, values))
    hits = np.concatenate([[0], np.cumsum(masked[order])])
    positives = np.searchsorted(values[order], candidates)
    scores = criterion(
        hits[positives], positives.astype(np.float64), int(masked.sum()), len(masked)
    )
    at = float(candidates[int(np.argmax(scores))])
    risky = values < at
    return Threshold(round(at, _DIGITS), _share(masked[risky]), _share(masked[~risky]))


def fit_regression(
    rows: Sequence[Mapping[str, float]], masked: NDArray[np.bool_], ridge: float = 1.0
) -> dict[str, float]:
    """Return the weights of a logistic regression by the names of its features.

    Args:
        rows: features by name; a missing one is 0.
        masked: [n], whether people masked each.
        ridge: of the weights, on features scaled to a deviation of 1; not of the constant.
    """
    names = sorted({name for row in rows for name in row})
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    mean, scale = matrix.mean(axis=0), matrix.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    weights = fit_weights((matrix - mean) / scale, masked, ridge)
    coefficients = dict(zip(names, (weights.columns / scale).tolist(), strict=True))
    coefficients["constant"] = weights.constant - float((weights.columns * mean / scale).sum())
    return {name: round(float(weight), _DIGITS) for name, weight in coefficients.items()}


def _share(masked: NDArray[np.bool_]) -> float:
    """Return the share of the masked by Laplace's rule, never 0 or 1."""
    return round(float((masked.sum() + 1) / (len(masked) + 2)), 4)


def members_below(sums: NDArray[np.float64], bound: float) -> NDArray[np.bool_]:
    """Return whether each entity is below a bound, alone or with one other above it, bool [n].

    Args:
        sums: log-probabilities; NaN for entities without one.
        bound: in nats.
    """
    singles = sums < bound
    rest = np.where(singles | np.isnan(sums), np.inf, sums)
    # The best partner is the lowest of the others: for the lowest itself, the second.
    order = np.argsort(rest)
    partner = np.full(len(sums), rest[order[0]]) if len(sums) else rest
    if len(sums):
        partner[order[0]] = rest[order[1]] if len(sums) > 1 else np.inf
    members: NDArray[np.bool_] = singles | (rest + partner < bound)
    return members


def joint_threshold(
    documents: Sequence[NDArray[np.float64]], masked: Sequence[NDArray[np.bool_]]
) -> Threshold:
    """Return the threshold of risky pairs: joint log-probabilities below it are risky.

    Chosen by the informedness of the members of risky pairs; neighbours count as independent.

    Args:
        documents: log-probabilities of the entities of each.
        masked: whether people masked each of them.
    """
    pool = np.concatenate(documents)
    candidates = np.quantile(pool[~np.isnan(pool)], np.linspace(0.02, 0.98, 49)) * 2
    truth = np.concatenate(list(masked))
    members = [
        np.concatenate([members_below(sums, bound) for sums in documents]) for bound in candidates
    ]
    hits = np.array([(flags & truth).sum() for flags in members], dtype=np.float64)
    positives = np.array([flags.sum() for flags in members], dtype=np.float64)
    scores = informedness(hits, positives, int(truth.sum()), len(truth))
    at = float(candidates[int(np.argmax(scores))])
    flags = np.concatenate([members_below(sums, at) for sums in documents])
    return Threshold(round(at, _DIGITS), _share(truth[flags]), _share(truth[~flags]))


# Log-probabilities for annotated documents: computed once, used for fitting and measuring.


NO_LIMIT = Threshold(0.0, 0.5, 0.5)
"""Threshold of an indicator without a choice."""


@dataclass(frozen=True, slots=True, eq=False)
class LanguageObservation:
    """Answers of a language model on the n entities of one document.

    Attributes:
        annotated: the document, with people's masking decisions.
        readings: features of the entities.
        rises: float64 [n, 2]; see ``indicators.perturbation``.
        context: what the model was shown.
    """

    annotated: AnnotatorView
    readings: Readings
    rises: NDArray[np.float64]
    context: Context = Context.SHORT

    @property
    def masked(self) -> NDArray[np.bool_]:
        """Masking by people, bool [n]."""
        return np.array(self.annotated.masked, dtype=bool)

    @property
    def row_masks(self) -> NDArray[np.bool_]:
        """Masking by people of the entity of each row, bool [rows]."""
        return self.masked[self.readings.owners]

    def rows(self) -> list[dict[str, float]]:
        """Return the features of the regression by name; those the model lacks are 0."""
        known = replace(self.readings, features=np.nan_to_num(self.readings.features))
        return known.rows(self.annotated.entities, self.context)


def observe(
    annotated: AnnotatorView, model: LanguageModelProtocol, context: Context = Context.SHORT
) -> LanguageObservation:
    """Ask a model about the entities of a document."""
    document, entities = annotated.document, annotated.entities
    direct = Perturbation(model, NO_LIMIT, NO_LIMIT).direct(document, entities)
    return LanguageObservation(
        annotated,
        read_entities(document, entities, model, context),
        perturbations(document, entities, direct, model),
        context,
    )


# The indicators that ask a language model, fitted to what annotators masked, and what they are worth.


FOLDS = 5
METHODS = (
    "everything",
    "type alone",
    "language_threshold",
    "language",
    "perturbation",
    "language_together",
)
"""Two to compare with, and the indicators by their names."""


def fit(observed: Sequence[LanguageObservation], model: str) -> LanguageRiskWeights:
    """Return thresholds and weights fitted to people's masking decisions.

    Args:
        observed: documents.
        model: name of the language model.
    """
    masked = np.concatenate([item.masked for item in observed])
    rises = np.concatenate([item.rises for item in observed])
    validity = ~np.isnan(rises).any(axis=1)
    sole_limit, context_limit = (
        _rise_threshold(rises[validity, column], masked[validity]) for column in (0, 1)
    )
    rows = [row for item in observed for row in item.rows()]
    row_masks = np.concatenate([item.row_masks for item in observed])
    types = [{name: row[name] for name in row if name.startswith("type")} for row in rows]
    return LanguageRiskWeights(
        model=model,
        surprise=best_threshold(np.concatenate([item.readings.sums for item in observed]), masked),
        together=joint_threshold(
            [item.readings.sums for item in observed], [item.masked for item in observed]
        ),
        alone=sole_limit,
        among=context_limit,
        weights=fit_regression(rows, row_masks),
        types=fit_regression(types, row_masks),
        context=observed[0].context,
    )


def _rise_threshold(rises: NDArray[np.float64], masked: NDArray[np.bool_]) -> Threshold:
    if not len(rises):
        return NO_LIMIT
    threshold = best_threshold(-rises, masked, informedness)
    return Threshold(-threshold.at, threshold.risky, threshold.other)


def masked_by_method(
    observed: LanguageObservation, weights: LanguageRiskWeights
) -> dict[str, NDArray[np.bool_]]:
    """Return whether each method of ``METHODS`` would mask each entity, bool [n] each."""
    rows, sums = observed.rows(), observed.readings.sums

    def by_regression(weights: Mapping[str, float]) -> NDArray[np.bool_]:
        risky = np.zeros(len(sums), dtype=bool)
        risky[observed.readings.owners[[chance(weights, row) >= _HALF for row in rows]]] = True
        return risky

    with np.errstate(invalid="ignore"):
        risen = (observed.rises[:, 0] > weights.alone.at) | (
            observed.rises[:, 1] > weights.among.at
        )
        surprising = sums < weights.surprise.at
    return {
        "everything": np.ones(len(sums), dtype=bool),
        "type alone": by_regression(weights.types),
        "language_threshold": surprising,
        "language": by_regression(weights.weights),
        "perturbation": risen,
        "language_together": members_below(sums, weights.together.at),
    }


def cross_validated(observed: Sequence[LanguageObservation], model: str) -> dict[str, Score]:
    """Return the score of each method on held-out documents."""
    pairs: list[tuple[LanguageObservation, LanguageRiskWeights]] = []
    for fold in range(FOLDS):
        weights = fit([item for i, item in enumerate(observed) if i % FOLDS != fold], model)
        pairs += [(item, weights) for item in observed[fold::FOLDS]]
    return scores(pairs)


def scores(pairs: Iterable[tuple[LanguageObservation, LanguageRiskWeights]]) -> dict[str, Score]:
    """Return the score of each method over documents, each with the weights to use."""
    totals = dict.fromkeys(METHODS, Score())
    for observed, weights in pairs:
        for method, positives in masked_by_method(observed, weights).items():
            totals[method] += Score.of(positives.tolist(), observed.masked.tolist())
    return totals


# The folder with what was fitted to a language model's answers, and its card.


def train_language_risk(
    gold: Sequence[Path],
    model: LanguageModelProtocol,
    folder: Path,
    source: str = "",
    automl_seconds: int = 0,
    context: Context = Context.SHORT,
) -> dict[str, Score]:
    """Fit the indicators to gold files, write the folder to ship, and return its scores.

    Args:
        gold: documents in TAB's standoff form; of each, the first annotator's view is taken.
        model: the language model.
        folder: created if missing.
        source: where the language model is; see ``LanguageRiskWeights``.
        automl_seconds: how long AutoGluon may take; without it there is no predictor of its.
        context: what the language model is shown.

    Returns:
        The score of each method by cross-validation over documents.

    Raises:
        InputError: a file is not gold annotations, they have too little to fit to, or the folder has a predictor already.
        MissingExtraError: AutoGluon is asked for, and not installed.
    """
    observed = []
    start = time.perf_counter()
    if automl_seconds:
        tabular()  # Missing, it is said before anything is asked.
        if (folder / AUTOML_FOLDER).exists():
            raise InputError("already contains a predictor; choose another folder", str(folder))
    documents = [annotated for path in gold for annotated in first_annotations(path)]
    if len(documents) < 2:
        raise InputError(
            "needs two documents with mentions, one to judge the other on", str(gold[-1])
        )
    for number, annotated in enumerate(documents, 1):
        observed.append(observe(annotated, model, context))
        if number % 20 == 0 or number == len(documents):
            seconds = time.perf_counter() - start
            print(f"{number}/{len(documents)} {seconds:.0f}s", file=sys.stderr, flush=True)
    scores = cross_validated(observed, model.name)
    weights = replace(fit(observed, model.name), source=source)
    entities = sum(len(item.masked) for item in observed)
    write_language_risk(
        weights, scores, (len(documents), entities, list(map(digest, gold))), folder
    )
    if automl_seconds:
        fit_automl(observed, folder / AUTOML_FOLDER, automl_seconds)
    return scores


def write_language_risk(
    weights: LanguageRiskWeights,
    scores: Mapping[str, Score],
    gold: tuple[int, int, Sequence[str]],
    folder: Path,
) -> None:
    """Write the weights, ``CARD.md`` and ``digests.json``.

    Args:
        weights: the fitted weights.
        scores: scores for the card.
        gold: documents, entities and digests of the training data.
        folder: created if missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LANGUAGE_RISK_FILE).write_text(weights.as_json(), encoding="utf-8")
    rows = "\n".join(
        f"| {name} | {score.precision:.3f} | {score.recall:.3f} | {score.f1:.3f} |"
        for name, score in scores.items()
    )
    documents, entities, digests = gold
    text = read_card("language-risk").format(
        model=weights.model,
        documents=documents,
        entities=entities,
        digests=", ".join(f"{each[:16]}…" for each in digests),
        context=_CONTEXTS[weights.context],
        folds=FOLDS,
        rows=rows,
    )
    card = Card(text, _LICENCE, "`tacenda lab train language-risk GOLD --out FOLDER`.")
    write_card(folder, card, (LANGUAGE_RISK_FILE,))


_CONTEXTS = {
    Context.SHORT: "shown 62 subwords around an entity, all of its mentions hidden",
    Context.ENTIRE: "shown a window of its own length around each mention by itself, which alone is hidden",
}
_LICENCE = "Apache-2.0; no text of the annotated documents is in it."


# AutoGluon's predictor of masking, fitted to features of a language model (extra ``automl``).


AUTOML_LABEL = "masked"
AUTOML_SECONDS = 600


def fit_automl(
    observed: Sequence[LanguageObservation], folder: Path, seconds: int = AUTOML_SECONDS
) -> None:
    """Fit models to people's masking decisions and write them to ``folder``.

    Args:
        observed: documents.
        folder: must not be there yet.
        seconds: how long AutoGluon may take.

    Raises:
        MissingExtraError: AutoGluon is not installed.
    """
    rows = [row for item in observed for row in item.rows()]
    data = table(rows)
    data[AUTOML_LABEL] = [int(masked) for item in observed for masked in item.row_masks]
    predictor = tabular().TabularPredictor(
        label=AUTOML_LABEL,
        problem_type="binary",
        eval_metric="log_loss",
        path=str(folder),
        verbosity=0,
    )
    predictor.fit(data, presets="medium_quality", time_limit=seconds)
