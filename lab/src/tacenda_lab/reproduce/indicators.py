"""indicators: Papadopoulou et al. (2023), *Neural Text Sanitization with Privacy Risk Indicators*, sections 4 to 6 and appendices.

Entities are each annotator's own, so that detection doesn't affect the results; an entity must be
masked if any of its mentions is DIRECT or QUASI. An indicator answers for each entity or gives no
answer, which counts as *keep*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from tacenda.document import Document, Entity, IdentifierType
from tacenda.policy import Policy
from tacenda.risk.assess import assess
from tacenda.risk.indicators import Indicator
from tacenda.risk.recognizer_risk import RecognizerIndicator
from tacenda.risk.registry import kind_of, load_indicators

from ..indicators import automl, perturbation
from ..indicators.language import Context, LanguageRisk, read_entities
from ..indicators.perturbation import perturbations
from ..scores import Score
from ..train.extra import training_extra
from .gold_entities import views
from .recognition import (
    by_type,
    identifier_shares,
    label_agreement,
    mentions_of,
    properties,
    properties_by_group,
    training_parameters,
)
from .risk_figures import curve_figure, open_model, precision_and_recall, silver_types
from .tables import Cell, Experiment, NotHere, ReproducedTable, left_out
from .workbench import Workbench

TITLE: Final = "Neural Text Sanitization with Privacy Risk Indicators"

_INDICATORS: Final = {
    "LLM probabilities (5.1)": "language",
    "LLM probabilities, AutoML (5.1)": "language_automl",
    "LLM probabilities, threshold (ours)": "language_threshold",
    "span classification (5.2)": "span",
    "perturbations (5.3)": "perturbation",
    "web search, emulated (5.5)": "search_emulated",
}
"""Rows by the kind of the indicator in a policy."""
_SEQUENCE: Final = {
    "sequence labelling, any word (5.4)": RecognizerIndicator(),
    "sequence labelling, every word (5.4)": RecognizerIndicator(min_word=True),
}
_LEARNED: Final = {
    "recognizer and span, learned": ("span",),
    "all of them, learned": ("language", "perturbation", "search_emulated", "span"),
}
"""Combinations by the shipped weights of ``combine: learned``, by the indicators beside the recognizer."""
_HALF: Final = 0.5

_NOTE: Final = "The paper's own figures are not in the text at hand."


def _figures(score: Score) -> tuple[float | None, ...]:
    """Return precision, recall and F1, or None where there is nothing to divide by."""
    return (
        score.precision if score.taken else None,
        score.recall if score.masked else None,
        score.f1 if score.hits else None,
    )


View = tuple[Document, tuple[Entity, ...], list[bool]]


def _views(workbench: Workbench, corpus: str) -> Iterator[View]:
    """Return each annotator's entities with the recognizer's probabilities, and whether each must be masked."""
    for gold, document, detections in zip(
        workbench.gold(corpus),
        workbench.documents(corpus),
        mentions_of(workbench, corpus),
        strict=True,
    ):
        for entities, masked in views(gold, detections):
            yield document, entities, masked


def _corpora(workbench: Workbench) -> tuple[str, ...]:
    return (*workbench.judged()[-1:], *(("biographies",) if workbench.has("biographies") else ()))


def _risky(indicator: Indicator, document: Document, entities: Sequence[Entity]) -> list[bool]:
    return [
        each is not None and each.identifier is not IdentifierType.NO_MASK
        for each in indicator.judge(document, entities)
    ]


# Sections 6.2 and 6.4.


def _named(workbench: Workbench) -> dict[str, Indicator]:
    """Return the indicators of section 5 by row; AutoML's only if the user gave one."""
    kinds = {kind_of(name) for name in workbench.means.indicators}
    names = {
        row: workbench.indicator(kind)
        for row, kind in _INDICATORS.items()
        if kind != "language_automl" or kind in kinds
    }
    loaded = load_indicators(list(names.values()))
    return {**dict(zip(names, loaded, strict=True)), **_SEQUENCE}


def _has_shipped_indicators(workbench: Workbench) -> bool:
    means = workbench.means
    own = means.indicators, means.lm, means.encoder
    return not any(own) and means.reading is Context.SHORT


def _counted(workbench: Workbench) -> Mapping[str, Mapping[str, Score]]:
    """Count by corpus and row, for indicators and their combinations."""
    indicators = _named(workbench)
    learned = _LEARNED if _has_shipped_indicators(workbench) else {}
    rows = [*indicators, "any of them", "at least two", "most of them", *learned]
    counts = {corpus: dict.fromkeys(rows, Score()) for corpus in _corpora(workbench)}
    for corpus, by_row in counts.items():
        for document, entities, masked in _views(workbench, corpus):
            votes = [0] * len(entities)
            for name, indicator in indicators.items():
                risky = _risky(indicator, document, entities)
                by_row[name] += Score.of(risky, masked)
                votes = [n + one for n, one in zip(votes, risky, strict=True)]
            for name, least in (
                ("any of them", 1),
                ("at least two", 2),
                ("most of them", len(indicators) // 2 + 1),
            ):
                by_row[name] += Score.of([n >= least for n in votes], masked)
            for name, kinds in learned.items():
                policy = Policy(indicators=kinds, combine="learned")
                risks = [each.risk for each in assess(document, entities, policy)]
                by_row[name] += Score.of([risk >= _HALF for risk in risks], masked)
    return counts


_COLUMNS: Final = ("precision", "recall", "F1")


def _alone(workbench: Workbench) -> ReproducedTable:
    counts = workbench.once("indicators", _counted)
    rows: dict[str, Sequence[Cell]] = {
        f"{name}, {corpus}": _figures(by_row[name])
        for corpus, by_row in counts.items()
        for name in by_row
        if name in _INDICATORS or name in _SEQUENCE
    }
    notes = [
        _NOTE,
        "5.4 is the shipped recognizer, which has learned from biographies; 5.3 needs a person to protect, by the file or by the recognizer.",
    ]
    if not any(name.startswith("LLM probabilities, AutoML") for name in rows):
        notes.append(
            "AutoML: --indicator language_automl:FOLDER names what `tacenda lab train language-risk --automl` fitted."
        )
    if workbench.means.lm is None:
        notes.append("The language model is the shipped one; --lm names another.")
    if workbench.means.reading is Context.SHORT:
        notes.append("5.1 has features of ours; --context entire has the paper's.")
    return ReproducedTable(_COLUMNS, rows, notes=(*notes, *workbench.about_splits()))


def _together(workbench: Workbench) -> ReproducedTable:
    counts = workbench.once("indicators", _counted)
    rows: dict[str, Sequence[Cell]] = {
        f"{name}, {corpus}": _figures(by_row[name])
        for corpus, by_row in counts.items()
        for name in by_row
        if name not in _INDICATORS and name not in _SEQUENCE
    }
    notes = [_NOTE]
    if not _has_shipped_indicators(workbench):
        notes.append(
            "Learned: the shipped weights belong to the shipped indicators; `tacenda lab train risk` fits others, for `combine: learned:FOLDER`."
        )
    return ReproducedTable(_COLUMNS, rows, notes=(*notes, *workbench.about_splits()))


# Appendices D to F.


def _base_models(workbench: Workbench) -> ReproducedTable:
    """Models of AutoGluon's stack, with their scores."""
    name = workbench.indicator("language_automl")
    _, _, folder = name.partition(":")
    if not folder:
        raise NotHere(
            "--indicator language_automl:FOLDER names what `tacenda lab train language-risk --automl` fitted"
        )
    predictor = automl.tabular().TabularPredictor.load(str(Path(folder) / automl.AUTOML_FOLDER))
    board = predictor.leaderboard(silent=True)
    rows = {
        str(model): (float(score),)
        for model, score in zip(board["model"], board["score_val"], strict=True)
    }
    return ReproducedTable(("score on what was kept back",), rows, notes=(_NOTE,))


_SHARES: Final = (0.125, 0.25, 0.5, 1.0)


def _training_size(workbench: Workbench) -> ReproducedTable:
    """The logistic regression of 5.1, fitted to growing parts of the training split."""
    with training_extra():
        from ..train.language_risk import fit_regression
    model, corpus = open_model(workbench), workbench.judged()[-1]
    context = workbench.means.reading
    learned = []
    for gold, document in zip(workbench.gold("train"), workbench.documents("train"), strict=True):
        entities, masked = next(views(gold), ((), []))
        readings = read_entities(document, entities, model, context)
        truths = [masked[number] for number in readings.owners]
        learned.append(list(zip(readings.rows(entities, context), truths, strict=True)))
    judged = list(_views(workbench, corpus))
    rows: dict[str, Sequence[Cell]] = {}
    for share in _SHARES:
        part = learned[: max(1, round(share * len(learned)))]
        examples = [each for group in part for each in group if each[0]["sum"] == each[0]["sum"]]
        weights = fit_regression(
            [row for row, _ in examples], np.array([truth for _, truth in examples])
        )
        score, indicator = Score(), LanguageRisk(model, weights, context)
        for document, entities, masked in judged:
            score += Score.of(_risky(indicator, document, entities), masked)
        rows[f"{len(part)} documents"] = (len(examples), *_figures(score))
    return ReproducedTable(
        ("entities", *_COLUMNS),
        rows,
        notes=(
            f"Fitted to the first annotator of each document of train, judged on {corpus}. {_NOTE}",
        ),
    )


_POINTS: Final = 12


def _perturbation_thresholds(workbench: Workbench) -> ReproducedTable:
    """Risky entities for each threshold on the rise of the direct identifiers' log-probability."""
    _, _, folder = workbench.indicator("perturbation").partition(":")
    indicator, model = perturbation(folder), open_model(workbench)
    corpus = workbench.judged()[-1]
    answers: list[tuple[float, bool]] = []
    for document, entities, masked in _views(workbench, corpus):
        direct = indicator.direct(document, entities)
        rises = perturbations(document, entities, direct, model)[:, 0]
        answers += [
            (-float(rise), truth) for rise, truth in zip(rises, masked, strict=True) if rise == rise
        ]
    if not any(truth for _, truth in answers):
        raise NotHere(f"no entity beside a direct identifier is masked in the split {corpus}")
    curve = precision_and_recall(answers)
    step = max(1, len(curve) // _POINTS)
    rows: dict[str, Sequence[Cell]] = {
        f"above {-at:.2f}": (-at, p, r, 2 * p * r / (p + r) if p + r else None)
        for at, p, r in curve[::step]
    }
    return ReproducedTable(
        ("rise, nats", *_COLUMNS),
        rows,
        notes=(
            f"Split: {corpus}. The rise when an entity is shown and all others are hidden; direct identifiers themselves are left out. {_NOTE}",
        ),
        figure=curve_figure(curve),
    )


EXPERIMENTS: Final = (
    Experiment("Section 4.1", "properties of people in the gazetteer", properties),
    Experiment("Section 4.2", "semantic types of the silver corpus", silver_types),
    Experiment("Section 4.3", "the privacy-oriented recognizer, by semantic type", by_type),
    Experiment("Section 4.4, appendix C", "types by recognizer and annotators", label_agreement),
    left_out(
        "Section 4.5",
        "the type MISC",
        "a discussion that the text at hand lacks; Sections 4.3 and 4.4 have the figures of MISC",
    ),
    Experiment("Section 5", "what annotators mask", identifier_shares),
    left_out(
        "Section 6.1",
        "metrics",
        "definitions that the text at hand lacks; ours are precision, recall and F1 of entities, those of each annotator",
    ),
    Experiment("Section 6.2", "each indicator alone", _alone),
    left_out("Section 6.3", "discussion", "prose that the text at hand lacks"),
    Experiment("Section 6.4", "indicators together", _together),
    Experiment("Appendix A", "properties by group", properties_by_group),
    Experiment("Appendix B", "training parameters of the recognizer", training_parameters),
    Experiment("Appendix D", "base models of AutoML", _base_models),
    Experiment("Appendix E", "size of the training", _training_size),
    Experiment("Appendix F", "thresholds of the perturbations", _perturbation_thresholds),
)
