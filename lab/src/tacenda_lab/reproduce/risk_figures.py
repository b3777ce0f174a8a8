"""Figures 2 and 3 of Papadopoulou et al. (2022): types in the silver corpus, and the language model's threshold."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tacenda.document import Document
from tacenda.errors import InputError
from tacenda.evaluate.gold import GoldDocument

from ..indicators import open_language_model
from ..indicators.language import CachedLanguageModel, load_language_risk, read_entities
from ..train.silver_labels import Labeller, without_boilerplate
from .gold_entities import views
from .recognition import TYPES, recognizer
from .tables import Cell, NotHere, ReproducedTable
from .workbench import SPLITS, Workbench, language_model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS: Final = ("#b4552d", "#2f6f8f", "#d9a441")
_THRESHOLD: Final = -3.5
"""The paper's, in nats."""
_POINTS: Final = 60
"""Maximum number of points of the curve."""


def silver_types(workbench: Workbench) -> ReproducedTable:
    """Return the share of each semantic type in the silver labels of each split.

    Raises:
        NotHere: there are neither silver labels nor texts to label.
        InputError: the silver labels can't be read.
    """
    notes = [
        "The paper has a picture only, of splits of 90, 10 and 10 %; here they are of 80, 10 and 10 %."
    ]
    if workbench.has("silver"):
        corpus = _read_silver(workbench)
    else:
        corpus = _labelled(workbench)
        notes.append(
            "Labelled here; its names are by the shipped recognizer, which has learned from annotations. silver.json in the data "
            "folder, which `tacenda lab train zero-shot` writes, is taken instead."
        )
    counts: dict[str, Counter[str]] = {split: Counter() for split in SPLITS}
    for id, types in corpus:
        counts[_split(id)].update(types)
    rows: dict[str, Sequence[Cell]] = {
        split: [found[type] / found.total() for type in TYPES]
        for split, found in counts.items()
        if found
    }
    notes.append(
        "; ".join(f"{split}: {found.total():,} mentions" for split, found in counts.items())
    )
    return ReproducedTable(TYPES, rows, notes=tuple(notes), figure=_bars(rows))


def _split(id: str) -> str:
    tenth = int(hashlib.sha256(id.encode()).hexdigest(), 16) % 10
    return {0: "dev", 1: "test"}.get(tenth, "train")


def _read_silver(workbench: Workbench) -> Iterator[tuple[str, list[str]]]:
    path = workbench.path("silver")
    try:
        for record in json.loads(path.read_text("utf-8")):
            yield str(record["doc_id"]), [type for _, _, type in record["mentions"]]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            "has no silver labels of `tacenda lab train zero-shot`", str(path)
        ) from error


def _labelled(workbench: Workbench) -> Iterator[tuple[str, list[str]]]:
    documents: list[GoldDocument] = []
    for name in ("train", "biographies"):
        if workbench.has(name):
            documents += workbench.gold(name)
    if not documents:
        workbench.path("train")
    texts = [document.text for document in documents]
    labels = without_boilerplate(texts, Labeller(recognizer()).label(texts))
    for document, mentions in zip(documents, labels, strict=True):
        yield document.id, [type.value for _, type in mentions]


def _bars(rows: Mapping[str, Sequence[Cell]]) -> Figure:
    from ..evaluation.plots import FONT_SIZE, INK, blank

    figure, (axes,) = blank(4.5, 3.0)
    height = 0.8 / max(len(rows), 1)
    for number, (split, shares) in enumerate(rows.items()):
        places = [place - 0.4 + (number + 0.5) * height for place in range(len(TYPES))]
        widths = [100 * float(share or 0) for share in shares]
        axes.barh(places, widths, 0.9 * height, color=_COLOURS[number], label=split)
    axes.set_yticks(range(len(TYPES)), TYPES)
    axes.invert_yaxis()
    axes.set_xlabel("% of the mentions of a split", fontsize=FONT_SIZE, color=INK)
    axes.legend(fontsize=6, frameon=False, labelcolor=INK)
    return figure


# Figure 3: entities of dev as annotators marked them, risky below a threshold of their log-probability.


def threshold_curve(workbench: Workbench) -> ReproducedTable:
    """Return precision and recall by threshold of masking what a language model finds improbable.

    Raises:
        NotHere: the split is missing, or annotators mask nothing in it.
    """
    model, context = open_model(workbench), workbench.means.reading
    answers: list[tuple[float, bool]] = []
    for document in workbench.gold("dev"):
        for entities, masked in views(document):
            of_text = Document(document.id, document.text)
            sums = read_entities(of_text, entities, model, context).sums
            answers += [
                (float(each), truth)
                for each, truth in zip(sums, masked, strict=True)
                if each == each
            ]
    if not any(truth for _, truth in answers):
        raise NotHere("nothing is masked in the split dev")
    curve = precision_and_recall(answers)
    ours = _threshold(workbench)
    rows: dict[str, Sequence[Cell]] = {
        name: _below(curve, threshold)
        for name, threshold in (("our threshold", ours), ("the paper's", _THRESHOLD))
    }
    step = max(1, len(curve) // _POINTS)
    rows |= {f"below {at:.2f}": (at, p, r) for at, p, r in curve[::step]}
    return ReproducedTable(
        ("log-probability, nats", "precision", "recall"),
        rows,
        notes=(
            f"The paper has a picture only, of its RoBERTa; -3.5 is its threshold. Here it is {model.name}, and the entities are those "
            "of the annotators. --lm names another model.",
        ),
        figure=curve_figure(curve, ours),
    )


def open_model(workbench: Workbench) -> CachedLanguageModel:
    """Open the language model of the risk measures once: the user's, or the shipped one.

    Raises:
        ModelError: there is none.
    """
    return workbench.once(
        "language model",
        lambda bench: CachedLanguageModel(open_language_model(language_model(bench.means.lm))),
    )


def _threshold(workbench: Workbench) -> float:
    folder = workbench.indicator("language_threshold").partition(":")[2]
    return load_language_risk(*([Path(folder)] if folder else [])).surprise.at


Curve = Sequence[tuple[float, float, float]]


def precision_and_recall(answers: Sequence[tuple[float, bool]]) -> Curve:
    """Return (threshold, precision, recall) for each distinct value in rising order; everything up to the threshold is masked.

    Args:
        answers: each entity's value, and whether it must be masked; at least one must.
    """
    total = sum(truth for _, truth in answers)
    curve, risky, right = [], 0, 0
    for value, group in groupby(sorted(answers), key=lambda each: each[0]):
        truths = [truth for _, truth in group]
        risky += len(truths)
        right += sum(truths)
        curve.append((value, right / risky, right / total))
    return curve


def _below(curve: Curve, threshold: float) -> tuple[float, float | None, float | None]:
    """Return precision and recall of masking what is below a threshold."""
    found = [(p, r) for at, p, r in curve if at < threshold]
    return (threshold, *(found[-1] if found else (None, None)))


def curve_figure(curve: Curve, ours: float | None = None) -> Figure:
    """Draw precision against recall, with a dot at the threshold."""
    from ..evaluation.plots import FONT_SIZE, INK, blank

    figure, (axes,) = blank(3.5, 3.0)
    axes.plot([r for _, _, r in curve], [p for _, p, _ in curve], "-", color=_COLOURS[1])
    _, precision, recall = (None, None, None) if ours is None else _below(curve, ours)
    if precision is not None and recall is not None:
        axes.plot([recall], [precision], "o", color=_COLOURS[0], markersize=4)
        axes.annotate(
            f"{ours:.1f}",
            (recall, precision),
            (4, 4),
            textcoords="offset points",
            fontsize=6,
            color=INK,
        )
    axes.set_xlabel("recall", fontsize=FONT_SIZE, color=INK)
    axes.set_ylabel("precision", fontsize=FONT_SIZE, color=INK)
    axes.grid(color="#e4e7ea", linewidth=0.6)
    return figure
