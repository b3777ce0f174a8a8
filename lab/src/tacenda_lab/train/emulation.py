"""The emulation of a search, learned from the answers of a local index (extra ``train``).

emulation_data      index; training judgments -> combinations, with answers by Algorithm 1
emulation_network   the network of ``indicators/emulated_search.py`` as torch
here                curves, thresholds, figures beside simple baselines, the shipped folder
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import average_precision_score, roc_auc_score

from tacenda.background.documents import LocalIndex
from tacenda.errors import InputError
from tacenda.models.networks import AttackerModel
from tacenda.pipeline import load

from ..indicators.emulated_search import (
    ARRAYS_FILE,
    EMULATION_FILE,
    FACTS,
    INFORMATION,
    TYPES,
    PhraseEncoder,
    Size,
    confidence,
    sizes_object,
)
from .emulation_data import (
    ARITY,
    TRAIN,
    IndexScope,
    SearchObservation,
    build_index,
    observe,
    read_documents,
)
from .emulation_network import EPOCHS, Arrays, fit_network
from .logistic import SHORT, fit_weights
from .packages import Card, write_card, write_json
from .recognizer import expected_calibration_error, fit_curve
from .tables import read_card

# Weights, curves and thresholds, fitted to an index's answers on combinations.


FOLDS = 5


def folds(observed: Sequence[object]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the documents to fit to and to hold out; each is held out once."""
    order = np.random.default_rng(20).permutation(len(observed))
    for number in range(FOLDS):
        held_out = sorted(order[number::FOLDS].tolist())
        if held_out:
            yield [index for index in range(len(observed)) if index not in set(held_out)], held_out


def answers(arrays: Arrays, observed: SearchObservation) -> list[NDArray[np.float64]]:
    """Return the network's confidence in each combination of a document, by size."""
    return [confidence(arrays, observed.features, answer.chosen) for answer in observed.answers]


def fit_size(confidences: NDArray[np.float64], risky: NDArray[np.bool_]) -> Size:
    """Return the calibration curve, and the threshold on its values with the highest F1.

    Args:
        confidences: of documents unseen by the network, [k].
        risky: the answers of the index, [k].
    """
    curve = fit_curve(confidences.tolist(), risky.astype(float).tolist())
    return Size(best_threshold(np.interp(confidences, curve.x, curve.y), risky), curve)


def best_threshold(chances: NDArray[np.float64], risky: NDArray[np.bool_]) -> float:
    """Return the threshold of the highest F1; 1 if nothing is risky."""
    if not risky.any():
        return 1.0
    order = np.argsort(-chances, kind="stable")
    hits = np.cumsum(risky[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + risky.sum())
    # Equal values are taken together.
    last = np.append(np.diff(chances[order]) != 0, True)
    best = int(np.argmax(np.where(last, f1, -1.0)))
    return float(chances[order][best])


# Agreement of the emulation with the index on held-out documents, beside simple baselines.


EMULATION = "emulation"
METHODS = ("types", "information", "types and information", EMULATION)
"""A regression on the types of the entities; their unigram information, summed; a regression on both."""

Values = NDArray[np.float64]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MethodFigures:
    """Agreement of values with the answers of the index.

    Attributes:
        method: one of ``METHODS``.
        size: number of entities in a combination.
        count: combinations.
        share: share of risky ones, in [0, 1].
        area: under the ROC curve.
        average_precision: of the risky ones.
        precision: from a threshold chosen on other documents.
        recall: from the same.
        f1: harmonic mean of the two.
        error: expected calibration error; None if the values are not probabilities.
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
class FittedEmulation:
    """Weights from all documents; curves and thresholds from documents held out."""

    arrays: Arrays
    sizes: tuple[Size, ...]
    figures: tuple[MethodFigures, ...]


def fit(observed: Sequence[SearchObservation], epochs: int = EPOCHS) -> FittedEmulation:
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
        examples = [observed[index] for index in used]
        for index in out:
            fold[index] = number
            confidences[index] = answers(arrays, observed[index])
        for size in range(len(observed[0].answers)):
            by_document = _baselines(examples, [observed[index] for index in out], size)
            for place, index in enumerate(out):
                for name, prediction in by_document[place].items():
                    baselines[index].setdefault(name, []).append(prediction)
    figures, sizes = [], []
    for size in range(len(observed[0].answers)):
        truth = [item.answers[size].risky for item in observed]
        values = [item[size] for item in confidences]
        sizes.append(fit_size(np.concatenate(values), np.concatenate(truth)))
        for name in METHODS:
            predictions = values if name == EMULATION else [item[name][size] for item in baselines]
            figures.append(figures_of(name, size + 1, predictions, truth, fold))
    return FittedEmulation(fit_network(observed, epochs), tuple(sizes), tuple(figures))


def figures_of(
    method: str, size: int, values: Sequence[Values], truth: Sequence[Truth], fold: NDArray[np.int_]
) -> MethodFigures:
    """Return the figures; curve and threshold of each fold are fitted to the values of the others."""
    chances, risky, selections = [], [], []
    for number in sorted(set(fold.tolist())):
        inside = [i for i in range(len(fold)) if fold[i] == number]
        rest = [i for i in range(len(fold)) if fold[i] != number]
        scores, labels = _concatenated(values, rest), _concatenated(truth, rest).astype(bool)
        here = _concatenated(values, inside)
        at = best_threshold(scores, labels)
        if method == EMULATION:
            fitted = fit_size(scores, labels)
            at, here = fitted.threshold, np.interp(here, fitted.curve.x, fitted.curve.y)
        chances.append(here)
        risky.append(_concatenated(truth, inside).astype(bool))
        selections.append(here >= at)
    scores, labels, positives = (
        np.concatenate(chances),
        np.concatenate(risky),
        np.concatenate(selections),
    )
    hits = int((positives & labels).sum())
    both = bool(labels.any() and not labels.all())
    return MethodFigures(
        method,
        size,
        len(labels),
        float(labels.mean()) if len(labels) else 0.0,
        float(roc_auc_score(labels, scores)) if both else 0.5,
        float(average_precision_score(labels, scores)) if labels.any() else 0.0,
        hits / max(1, int(positives.sum())),
        hits / max(1, int(labels.sum())),
        2 * hits / max(1, int(positives.sum() + labels.sum())),
        None
        if method == "information"
        else expected_calibration_error(scores.tolist(), labels.astype(float).tolist()),
    )


def _concatenated(parts: Sequence[NDArray[np.generic]], indices: Sequence[int]) -> Values:
    values: Values = np.concatenate([parts[index] for index in indices]).astype(np.float64)
    return values


def _baselines(
    examples: Sequence[SearchObservation], out: Sequence[SearchObservation], size: int
) -> list[dict[str, Values]]:
    """Return the values of each baseline for the combinations of one size, by held-out document."""
    rows = np.concatenate([_summed(item, size) for item in examples])
    risky = np.concatenate([item.answers[size].risky for item in examples])
    results = []
    types = _regression(rows[:, :TYPES], risky)
    both = _regression(rows, risky)
    for item in out:
        sums = _summed(item, size)
        results.append(
            {
                "types": types(sums[:, :TYPES]),
                "information": sums[:, TYPES],
                "types and information": both(sums),
            }
        )
    return results


def _summed(observed: SearchObservation, size: int) -> Values:
    """Return counts of types and the information of combinations, [k, 9]."""
    facts = observed.features.facts[:, [*range(TYPES), INFORMATION]].astype(np.float64)
    sums: Values = facts[observed.answers[size].chosen].sum(axis=1)
    return sums


def _regression(rows: Values, risky: Truth) -> Callable[[Values], Values]:
    """Return a logistic regression; the share of risky ones where all answers are the same."""
    if risky.all() or not risky.any():
        share = float(risky.mean()) if len(risky) else 0.5
        return lambda inputs: np.full(len(inputs), share)
    # The figures of the card are of this solver.
    return fit_weights(rows, risky, solver=SHORT).chances


def table(figures: Sequence[MethodFigures]) -> str:
    """Return the figures as a Markdown table."""
    lines = [
        "| entities | combinations | risky | judged by | AUC | average precision | P | R | F1 | "
        "calibration error |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in figures:
        values = (row.area, row.average_precision, row.precision, row.recall, row.f1)
        error = "" if row.error is None else f"{row.error:.3f}"
        lines.append(
            f"| {row.size} | {row.count} | {row.share:.3f} | {row.method} | "
            f"{' | '.join(f'{value:.3f}' for value in values)} | {error} |"
        )
    return "\n".join(lines)


# The card of ``emulation-en``.


_LICENCE = """Apache-2.0 for these weights. They derive from judgments under MIT (Text Anonymization Benchmark;
BenetManzanaresSalor/TextRe-Identification) and Apache-2.0 (trusthlt/mining-legal-arguments); no text of them is in it."""
_KNOWN = {
    IndexScope.WHOLE: "the judgments themselves, whole, and the first tenths of their public versions",
    IndexScope.OPENING: "the first tenths of the public versions of the judgments",
}


def card_of(trained: TrainedEmulation, encoder: str) -> Card:
    """Return the model card.

    Args:
        trained: the fitted emulation.
        encoder: name of the encoder of phrases.
    """
    text = read_card("emulation").format(
        weights=sum(array.size for array in trained.fitted.arrays.values()),
        encoder=encoder,
        entities=trained.entities,
        documents=trained.documents,
        indexed=trained.indexed,
        known=_KNOWN[trained.knows],
        table=table(trained.fitted.figures),
    )
    rebuild = (
        "`tacenda lab train emulation --data DATA --out FOLDER`, one core, about three minutes."
    )
    return Card(text, _LICENCE, rebuild)


# From public judgments to the folder ``emulation-en``.


_NEEDED = 10
"""Documents that a curve and a threshold can be fitted to."""


@dataclass(frozen=True, slots=True)
class TrainedEmulation:
    """Result of a training run, and the size of its data."""

    fitted: FittedEmulation
    knows: IndexScope
    documents: int
    entities: int
    indexed: int


def train_emulation(data: Path, folder: Path, knows: IndexScope, threads: int) -> TrainedEmulation:
    """Build the index, query it, fit the network and write the folder to ship.

    Args:
        data: the data folder.
        folder: its path; created if missing.
        knows: public part of the judgments about the people to protect.
        threads: number of cores for the detection of entities.

    Raises:
        InputError: if too few documents name a person to protect.
    """
    documents = read_documents(data / TRAIN)
    _require(len(documents), str(data / TRAIN))
    encoder = AttackerModel.load()
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "index.db"
        build_index(data, path, knows)
        index = LocalIndex(path)
        # Who knows openings only finds hardly anything: nearly all triples would be there, for nothing.
        arity = ARITY if knows is IndexScope.WHOLE else 2
        sanitizer = load(threads=threads)
        observed = [*observe(documents, sanitizer, index, encoder, arity)]
        indexed = index.size().documents
        index.close()
    trained = train_on(observed, knows, indexed, str(data / TRAIN))
    write_emulation(trained, encoder, folder)
    return trained


def train_on(
    observed: Sequence[SearchObservation], knows: IndexScope, indexed: int, source: str
) -> TrainedEmulation:
    """Return the emulation fitted to documents.

    Raises:
        InputError: if they are too few.
    """
    _require(len(observed), source)
    entities = sum(len(item.entities) for item in observed)
    return TrainedEmulation(fit(observed), knows, len(observed), entities, indexed)


def _require(documents: int, source: str) -> None:
    if documents < _NEEDED:
        raise InputError(
            f"{documents} documents name a person to protect; {_NEEDED} are needed", source
        )


def write_emulation(trained: TrainedEmulation, encoder: PhraseEncoder, folder: Path) -> None:
    """Write the network, its card and the digests; the folder is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "encoder": encoder.name,
        "knows": str(trained.knows),
        "facts": FACTS,
        "sizes": sizes_object(trained.fitted.sizes),
    }
    write_json(folder / EMULATION_FILE, content)
    with (folder / ARRAYS_FILE).open("wb") as file:
        np.savez(file, **trained.fitted.arrays)  # type: ignore[arg-type]
    write_card(folder, card_of(trained, encoder.name), (EMULATION_FILE, ARRAYS_FILE))
