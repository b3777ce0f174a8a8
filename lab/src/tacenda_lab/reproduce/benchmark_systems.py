"""tab: systems on the Text Anonymization Benchmark, Tables 6 to 9, Figures 4 and 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from tacenda.errors import InputError
from tacenda.evaluate.curves import frequency_by_type, leaks_by_type
from tacenda.evaluate.errors import ErrorKind
from tacenda.evaluate.evaluation import Report

from .tables import Cell, NotHere, ReproducedTable, Rows, fingerprint, published_rows
from .workbench import FIGURES, Workbench

_SYSTEMS: Final = {
    "ner": "Neural NER",
    "presidio": "Presidio (default)",
    "presidio+org": "Presidio (+ORG)",
}
"""Baselines of Table 6 by their names here."""


# Table 6.


_BASELINES: Final = published_rows("tab", "Table 6")


def baselines(workbench: Workbench) -> ReproducedTable:
    """Return Table 6: neural NER and Presidio.

    Raises:
        NotHere: the spaCy pipeline, or a split, is missing.
    """
    rows = {
        f"{name}, {split}": workbench.scores(workbench.masks(system, split), split)
        for system, name in _SYSTEMS.items()
        for split in workbench.judged()
    }
    note = "Neural NER is the spaCy pipeline that --spacy-model names; the paper's is RoBERTa on OntoNotes."
    return ReproducedTable(tuple(FIGURES), rows, _BASELINES, (note, *workbench.notes()))


# The fine-tuned encoder: Tables 7 and 8, and a row of Table 9.

_WINDOWS: Final = (32, 512, 4096)
_WEIGHTS: Final = (1, 5, 10)
_FINE_TUNED: Final = {
    (int(window), int(weight)): row
    for size, row in published_rows("tab", "Table 7").items()
    for window, weight in [size.split(" × ")]
}
"""Figures by window and weight."""


@dataclass(frozen=True, slots=True)
class FineTuned:
    """An encoder fine-tuned with several seeds: the folder of each, and of the best on dev."""

    folders: tuple[str, ...]
    best: str


def _fine_tuned(workbench: Workbench, window: int, weight: int) -> FineTuned:
    """Fine-tune the encoder on the training split as in section 7.2, once."""
    from ..train.encoders import Corpus, EncoderTraining, train_encoders
    from ..train.recipes import EncoderRecipe

    means = workbench.means
    if means.encoder is None:
        raise NotHere("--encoder names the encoder to fine-tune (hf:allenai/longformer-base-4096)")
    recipe = EncoderRecipe(
        means.encoder,
        window=window,
        labels="iob",
        annotators="duplicate",
        mask_weight=weight,
        epochs=2,
        rate=2e-5,
        device=means.device,
    )
    train = workbench.path("train")
    corpus = Corpus.read([train], workbench.path("dev") if means.seeds > 1 else None, None)
    digest = fingerprint([train], {"encoder": means.encoder, "seeds": means.seeds})[:12]
    out = workbench.work / f"window-{window}-weight-{weight}-{digest}"
    best, _ = train_encoders(EncoderTraining(recipe, corpus, export=False), means.seeds, out)
    folders = [out] if means.seeds == 1 else [out / f"seed-{n + 1}" for n in range(means.seeds)]
    return FineTuned(tuple(map(str, folders)), str(best))


def _scored(workbench: Workbench, name: str, tuned: FineTuned, split: str) -> Rows:
    """Return the best seed's figures and, with several seeds, the mean and half the 95 % interval."""
    runs = [workbench.scores(workbench.masks(each, split), split) for each in tuned.folders]
    rows: dict[str, Sequence[Cell]] = {name: runs[tuned.folders.index(tuned.best)]}
    if len(runs) > 1:
        columns = [
            [value for value in column if value is not None] for column in zip(*runs, strict=True)
        ]
        rows[f"{name}, mean of {len(runs)} seeds"] = [
            fmean(column) if column else None for column in columns
        ]
        rows[f"{name}, 95 % interval ±"] = [_half_interval(column) for column in columns]
    return rows


def _half_interval(values: Sequence[float]) -> float | None:
    from ..train.encoders import intervals

    if len(values) < 2:
        return None
    found = intervals([{"figure": value} for value in values])["figure"]
    return found["high"] - found["mean"]


def windows(workbench: Workbench) -> ReproducedTable:
    """Return Table 7: the encoder by window and weight of MASK, on dev.

    Raises:
        NotHere: the encoder, or a split, is missing.
    """
    rows: dict[str, Sequence[Cell]] = {}
    notes = list(workbench.notes())
    for window in _WINDOWS:
        try:
            for weight in _WEIGHTS:
                tuned = _fine_tuned(workbench, window, weight)
                rows |= _scored(workbench, _setting(window, weight), tuned, "dev")
        except InputError as error:
            if "windows of" not in str(error):
                raise
            notes.append(f"Window {window}: {error}.")
    paper = {_setting(*key): figures for key, figures in _FINE_TUNED.items()}
    return ReproducedTable(tuple(FIGURES), rows, paper, tuple(notes))


def _setting(window: int, weight: int) -> str:
    return f"window {window:,}, weights ({weight}, 1)"


def _chosen(workbench: Workbench) -> FineTuned:
    """Return the fine-tuned encoder of Tables 8 and 9, with the widest window it can read and the weights (10, 1)."""
    for window in reversed(_WINDOWS[1:]):
        try:
            return _fine_tuned(workbench, window, _WEIGHTS[-1])
        except InputError as error:
            if "windows of" not in str(error):
                raise
    return _fine_tuned(workbench, _WINDOWS[0], _WEIGHTS[-1])


def final(workbench: Workbench) -> ReproducedTable:
    """Return Table 8: the encoder with the widest window.

    Raises:
        NotHere: the encoder, or a split, is missing.
    """
    tuned = _chosen(workbench)
    rows: dict[str, Sequence[Cell]] = {}
    for split in workbench.judged():
        rows |= _scored(workbench, f"fine-tuned, {split}", tuned, split)
    paper = published_rows("tab", "Table 8")
    return ReproducedTable(tuple(FIGURES), rows, paper, workbench.notes())


def shipped(workbench: Workbench) -> ReproducedTable:
    """Return the shipped policy's figures, to compare with Table 8.

    Raises:
        NotHere: neither split is there.
    """
    rows = {
        f"tacenda as shipped, {split}": workbench.scores(workbench.masks("tacenda", split), split)
        for split in workbench.judged()
    }
    return ReproducedTable(tuple(FIGURES), rows, notes=workbench.notes())


# Figures 4 and 5: the errors of the fine-tuned encoder, if there is one, and of the shipped policy.


def _reports(workbench: Workbench) -> dict[str, Report]:
    systems = {"tacenda as shipped": "tacenda"}
    if workbench.means.encoder is not None:
        systems = {"fine-tuned": _chosen(workbench).best, **systems}
    return {
        f"{name}, {split}": workbench.report(workbench.masks(system, split), split, errors=1)
        for name, system in systems.items()
        for split in workbench.judged()
    }


def kinds_of_errors(workbench: Workbench) -> ReproducedTable:
    """Return the number of errors of each kind in Figure 4.

    Raises:
        NotHere: neither split is there.
    """
    rows: dict[str, Sequence[Cell]] = {}
    for name, report in _reports(workbench).items():
        counts = report.errors.counts if report.errors else {}
        rows[name] = [
            sum(n for (each, _), n in counts.items() if each is kind) for kind in ErrorKind
        ]
    return ReproducedTable(
        tuple(kind.value for kind in ErrorKind),
        rows,
        notes=(
            "The paper has examples only, of four kinds; `tacenda evaluate masks --errors` shows ours in their texts.",
            *workbench.about_splits(),
        ),
    )


def leaks(workbench: Workbench) -> ReproducedTable:
    """Return Figure 5: false negatives by semantic type.

    Raises:
        NotHere: neither split is there.
    """
    from ..evaluation.plots import error_bars

    reports = _reports(workbench)
    shares: dict[str, Sequence[Cell]] = {}
    for name, report in reports.items():
        missed, tokens = leaks_by_type(report.errors), frequency_by_type(report)
        total = missed.total() or 1
        shares |= {
            f"{name}, {type}": (missed[type] / total, tokens.get(type))
            for type in sorted(tokens, key=lambda each: -tokens[each])
        }
    return ReproducedTable(
        ("share of false negatives", "share of the tokens to mask"),
        shares,
        notes=(
            "The paper has a picture only, of its fine-tuned encoder; MISC, DEM and ORG are the hardest there.",
            *(() if workbench.means.encoder else ("--encoder names an encoder to fine-tune.",)),
            *workbench.about_splits(),
        ),
        figure=error_bars(reports),
    )


# Table 9: biographies.


def other_domain(workbench: Workbench) -> ReproducedTable:
    """Return Table 9: systems that never saw a biography, measured on biographies.

    Raises:
        NotHere: there are no biographies, or neither a spaCy pipeline nor an encoder.
    """
    rows: dict[str, Sequence[Cell]] = {}
    notes = []
    means, split = workbench.means, "biographies"
    workbench.path(split)
    if means.spacy_model is not None:
        rows["Neural NER"] = workbench.scores(workbench.masks("ner", split), split)
    else:
        notes.append("Neural NER: --spacy-model names a pipeline.")
    if means.encoder is not None:
        rows |= _scored(workbench, "encoder fine-tuned on TAB", _chosen(workbench), split)
    else:
        notes.append(
            "Encoder: --encoder names one, which learns from the judgments of train alone."
        )
    if not rows:
        raise NotHere("--encoder names the encoder to fine-tune, --spacy-model a pipeline")
    paper = published_rows("tab", "Table 9")
    return ReproducedTable(tuple(FIGURES), rows, paper, (*notes, *workbench.notes()))


def own_domain(workbench: Workbench) -> ReproducedTable:
    """Return the shipped policy's figures on biographies, which its recognizer was trained on.

    Raises:
        NotHere: there are no biographies.
    """
    split = "biographies"
    return ReproducedTable(
        tuple(FIGURES),
        {"tacenda as shipped": workbench.scores(workbench.masks("tacenda", split), split)},
        notes=(
            "In domain: the shipped recognizer has learned from these biographies; no figure of Table 9 compares with it.",
            *workbench.notes(),
        ),
    )
