"""000: Pilán et al. (2022), *The Text Anonymization Benchmark*, Tables 1 to 10, Figures 5 and 6."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pstdev
from typing import Final

from tacenda.annotations.tab import load_documents
from tacenda.errors import InputError
from tacenda.evaluate.agreement import MASKING_PAIRS, Agreement, measure_agreement
from tacenda.evaluate.composition import Composition, describe
from tacenda.evaluate.curves import frequency_by_type, leaks_by_type
from tacenda.evaluate.gold import GoldDocument

from .tables import Cell, Experiment, NotHere, ReproducedTable
from .workbench import FIGURES, Workbench

TITLE: Final = "The Text Anonymization Benchmark (TAB)"

_SYSTEMS: Final = {
    "ner": "Neural NER",
    "presidio": "Presidio (default)",
    "presidio+org": "Presidio (+ORG)",
}
"""Baselines of Table 6 by their names here."""


def _all(workbench: Workbench) -> list[GoldDocument]:
    return [document for split in workbench.splits() for document in workbench.gold(split)]


def _composition(workbench: Workbench) -> Composition:
    return describe(_all(workbench))


def _agreement(workbench: Workbench) -> Agreement:
    documents = _all(workbench)
    if not any(len(document.annotators) > 1 for document in documents):
        raise NotHere("no judgment of the files has several annotators")
    return measure_agreement(documents)


# The corpus: Tables 1 to 4, sections 5.3 and 5.4.


def _splits(workbench: Workbench) -> ReproducedTable:
    rows = {
        name: (row.documents, row.annotations, row.reviewed, row.annotators_per_document)
        for split in workbench.splits()
        for name, row in describe(workbench.gold(split)).splits.items()
    }
    return ReproducedTable(
        ("documents", "annotated documents", "reviewed", "annotators a document"),
        rows,
        {
            "train": (1014, 1112, 328, 1.10),
            "dev": (127, 541, 313, 4.26),
            "test": (127, 555, 315, 4.37),
        },
    )


def _size(workbench: Workbench) -> ReproducedTable:
    found = _composition(workbench)
    total = found.all_splits
    names = (
        "court cases",
        "annotated documents",
        "documents with several annotators",
        "annotated documents reviewed",
        "entities",
        "mentions",
        "tokens",
    )
    ours = (
        total.documents,
        total.annotations,
        found.multiple,
        total.reviewed,
        found.entities,
        found.mentions,
        found.tokens,
    )
    paper = (1268, 2208, 274, 956, 108_151, 155_006, 1_828_970)
    return ReproducedTable(
        ("number",),
        {name: (n,) for name, n in zip(names, ours, strict=True)},
        {name: (n,) for name, n in zip(names, paper, strict=True)},
        ("Tokens are words and punctuation marks here; the paper names no tokenizer.",),
    )


_TYPES: Final = {
    "DATETIME": (53_668, 23, 48_086, 530),
    "ORG": (40_695, 20, 12_880, 866),
    "PERSON": (24_322, 4_182, 15_839, 413),
    "LOC": (9_982, 1, 6_908, 19),
    "DEM": (8_683, 1, 4_166, 2_278),
    "MISC": (7_044, 28, 3_437, 1_125),
    "CODE": (6_471, 2_484, 3_558, 18),
    "QUANTITY": (4_141, 0, 3_370, 87),
    "all": (155_006, 6_739, 98_244, 5_336),
}


def _types(workbench: Workbench) -> ReproducedTable:
    found = _composition(workbench)
    rows = {
        name: (row.mentions, row.direct, row.quasi, row.confidential)
        for name, row in [*found.types.items(), ("all", found.all_types)]
    }
    return ReproducedTable(("mentions", "direct", "quasi", "confidential"), rows, _TYPES)


_CONFIDENTIAL: Final = {
    "HEALTH": 2_320,
    "POLITICS": 1_039,
    "ETHNIC": 806,
    "BELIEF": 655,
    "SEX": 516,
    "NOT_CONFIDENTIAL": 149_670,
}


def _confidential(workbench: Workbench) -> ReproducedTable:
    found = _composition(workbench).confidential
    total = sum(found.values()) or 1
    paper_total = sum(_CONFIDENTIAL.values())
    return ReproducedTable(
        ("mentions", "share"),
        {status.value: (n, n / total) for status, n in found.items()},
        {name: (n, n / paper_total) for name, n in _CONFIDENTIAL.items()},
    )


def _edits(workbench: Workbench) -> ReproducedTable:
    inserted, edited = [], []
    for mentions in _edit_types(workbench):
        inserted.append(mentions.count("insert") / len(mentions))
        edited.append(sum(edit in ("insert", "correct") for edit in mentions) / len(mentions))
    if not inserted:
        raise NotHere("no mention of the files has an edit_type")
    return ReproducedTable(
        ("mean over annotators", "standard deviation"),
        {
            "inserted by hand": (fmean(inserted), pstdev(inserted)),
            "inserted or edited": (fmean(edited), pstdev(edited)),
        },
        {"inserted by hand": (0.1823, 0.0325), "inserted or edited": (0.2389, 0.0514)},
    )


def _edit_types(workbench: Workbench) -> list[list[str]]:
    """What became of each pre-annotation, by annotator."""
    by_annotator: dict[str, list[str]] = {}
    for split in workbench.splits():
        for document in load_documents(workbench.path(split)):
            for annotation in document.annotations:
                edits = [mention.properties.get("edit_type") for mention in annotation.mentions]
                by_annotator.setdefault(annotation.annotator, []).extend(filter(None, edits))
    return [edits for edits in by_annotator.values() if edits]


def _relations(workbench: Workbench) -> ReproducedTable:
    found, agreement = _composition(workbench), _agreement(workbench)
    return ReproducedTable(
        ("relations", "share of entities", "Cohen's κ"),
        {
            "all": (
                found.relations,
                found.relations / (found.entities or 1),
                agreement.relations_kappa,
            )
        },
        {"all": (5_689, 0.037, 0.944)},
        ("κ is over all pairs of mentions that two annotators marked.",),
    )


# Agreement: Table 5, Figure 6, Table 10.


_AGREEMENT: Final = {
    "entity type, span, exact": (0.75, 0.67, 0.96),
    "entity type, span, partial": (0.80, 0.74, 0.95),
    "entity type, character, exact": (0.96, 0.86, 0.94),
    "identifier type, span, exact": (0.67, 0.46, 0.68),
    "identifier type, span, partial": (0.71, 0.51, 0.67),
    "identifier type, character, exact": (0.94, 0.79, 0.69),
    "confidential status, span, exact": (0.97, 0.30, 0.30),
    "confidential status, span, partial": (0.97, 0.33, 0.32),
    "confidential status, character, exact": (0.96, 0.86, 0.44),
}


def _coefficients(workbench: Workbench) -> ReproducedTable:
    rows = {
        f"{row.layer}, {row.unit}, {row.match}": (
            row.observed,
            row.fleiss_kappa,
            row.krippendorff_alpha,
        )
        for row in _agreement(workbench).rows
    }
    columns = ("observed agreement", "Fleiss' κ", "Krippendorff's α")
    return ReproducedTable(columns, rows, _AGREEMENT)


def _type_disagreements(workbench: Workbench) -> ReproducedTable:
    from ..evaluation.plots import type_heat_map

    agreement = _agreement(workbench)
    rows = {" / ".join(pair): (n,) for pair, n in agreement.type_disagreements.items()}
    return ReproducedTable(
        ("spans",),
        rows,
        notes=("The paper has a picture only; most of its disagreements are DEM / ORG.",),
        figure=type_heat_map(agreement),
    )


_MASKING: Final = {
    "CODE": (65, 0, 70),
    "DATETIME": (16, 0, 1_000),
    "DEM": (0, 0, 497),
    "LOC": (0, 0, 416),
    "MISC": (0, 0, 158),
    "ORG": (5, 0, 1_068),
    "PERSON": (151, 0, 752),
    "QUANTITY": (0, 0, 101),
    "all": (237, 0, 4_062),
}


def _masking_disagreements(workbench: Workbench) -> ReproducedTable:
    found = _agreement(workbench).masking_disagreements
    rows: dict[str, Sequence[Cell]] = {
        type: tuple(counts.get(pair, 0) for pair in MASKING_PAIRS)
        for type, counts in sorted(found.items())
    }
    rows["all"] = tuple(
        sum(counts.get(pair, 0) for counts in found.values()) for pair in MASKING_PAIRS
    )
    return ReproducedTable(tuple(" / ".join(pair) for pair in MASKING_PAIRS), rows, _MASKING)


# Systems: Tables 6, 8 and 9, Figure 5.


_BASELINES: Final = {
    "Neural NER, dev": (0.910, 0.970, 0.874, 0.447, 0.531),
    "Neural NER, test": (0.906, 0.940, 0.874, 0.441, 0.515),
    "Presidio (default), dev": (0.696, 0.452, 0.739, 0.771, 0.795),
    "Presidio (default), test": (0.707, 0.460, 0.758, 0.761, 0.790),
    "Presidio (+ORG), dev": (0.767, 0.465, 0.779, 0.549, 0.622),
    "Presidio (+ORG), test": (0.782, 0.463, 0.802, 0.542, 0.609),
}


def _baselines(workbench: Workbench) -> ReproducedTable:
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
    (32, 1): (0.875, 0.987, 0.850, 0.612, 0.643),
    (32, 5): (0.924, 0.992, 0.915, 0.550, 0.583),
    (32, 10): (0.954, 0.994, 0.952, 0.470, 0.507),
    (512, 1): (0.847, 0.986, 0.817, 0.929, 0.932),
    (512, 5): (0.914, 0.993, 0.906, 0.858, 0.866),
    (512, 10): (0.937, 0.997, 0.930, 0.767, 0.783),
    (4096, 1): (0.860, 0.988, 0.847, 0.925, 0.929),
    (4096, 5): (0.916, 0.988, 0.913, 0.843, 0.856),
    (4096, 10): (0.935, 0.993, 0.936, 0.795, 0.811),
}


def _fine_tuned(workbench: Workbench, window: int, weight: int) -> str:
    """Folder of the encoder, fine-tuned on the training split as in section 7.2; trained once."""
    from ..train.encoders import Corpus, EncoderRecipe, EncoderTraining, train_encoders

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
    corpus = Corpus.read(
        [workbench.path("train")], workbench.path("dev") if means.seeds > 1 else None, None
    )
    out = workbench.work / f"window-{window}-weight-{weight}"
    folder, _ = train_encoders(EncoderTraining(recipe, corpus, export=False), means.seeds, out)
    return str(folder)


def _windows(workbench: Workbench) -> ReproducedTable:
    split, rows, notes = "dev", {}, list(workbench.notes())
    for window in _WINDOWS:
        try:
            for weight in _WEIGHTS:
                system = _fine_tuned(workbench, window, weight)
                masks = workbench.masks(system, split)
                rows[_setting(window, weight)] = workbench.scores(masks, split)
        except InputError as error:
            if "windows of" not in str(error):
                raise
            notes.append(f"Window {window}: {error}.")
    paper = {_setting(*key): figures for key, figures in _FINE_TUNED.items()}
    return ReproducedTable(tuple(FIGURES), rows, paper, tuple(notes))


def _setting(window: int, weight: int) -> str:
    return f"window {window:,}, weights ({weight}, 1)"


def _chosen(workbench: Workbench) -> str:
    """The fine-tuned encoder of Tables 8 and 9: the widest window that it reads, the weights (10, 1)."""
    for window in reversed(_WINDOWS):
        try:
            return _fine_tuned(workbench, window, _WEIGHTS[-1])
        except InputError as error:
            if "windows of" not in str(error) or window == _WINDOWS[0]:
                raise
    raise AssertionError("unreachable")


def _final(workbench: Workbench) -> ReproducedTable:
    system = _chosen(workbench)
    return ReproducedTable(
        tuple(FIGURES),
        {
            f"fine-tuned, {split}": workbench.scores(workbench.masks(system, split), split)
            for split in workbench.judged()
        },
        {
            "fine-tuned, dev": (0.935, 0.993, 0.936, 0.795, 0.811),
            "fine-tuned, test": (0.919, 1.000, 0.916, 0.836, 0.850),
        },
        workbench.notes(),
    )


def _shipped(workbench: Workbench) -> ReproducedTable:
    rows = {
        f"tacenda as shipped, {split}": workbench.scores(workbench.masks("tacenda", split), split)
        for split in workbench.judged()
    }
    return ReproducedTable(tuple(FIGURES), rows, notes=workbench.notes())


def _leaks(workbench: Workbench) -> ReproducedTable:
    from ..evaluation.plots import error_bars

    reports = {
        f"tacenda, {split}": workbench.report(workbench.masks("tacenda", split), split, errors=1)
        for split in workbench.judged()
    }
    shares: dict[str, Sequence[Cell]] = {}
    for name, report in reports.items():
        leaks, tokens = leaks_by_type(report.errors), frequency_by_type(report)
        total = leaks.total() or 1
        shares |= {
            f"{name}, {type}": (leaks[type] / total, tokens.get(type))
            for type in sorted(tokens, key=lambda each: -tokens[each])
        }
    return ReproducedTable(
        ("share of false negatives", "share of the tokens to mask"),
        shares,
        notes=("The paper has a picture only; MISC, DEM and ORG are the hardest there.",),
        figure=error_bars(reports),
    )


def _other_domain(workbench: Workbench) -> ReproducedTable:
    systems = {"tacenda": "tacenda as shipped"}
    if workbench.means.spacy_model is not None:
        systems["ner"] = "Neural NER"
    if workbench.means.encoder is not None:
        systems[_chosen(workbench)] = "Longformer fine-tuned on TAB"
    rows = {
        name: workbench.scores(workbench.masks(system, "biographies"), "biographies")
        for system, name in systems.items()
    }
    return ReproducedTable(
        tuple(FIGURES),
        rows,
        {
            "Neural NER": (0.845, 0.810, 0.801, 0.770, 0.836),
            "Longformer fine-tuned on TAB": (0.952, 0.999, 0.923, 0.708, 0.765),
        },
        (
            "tacenda as shipped has learned from biographies; the fine-tuned encoder is the row that is truly "
            "out of domain.",
            *workbench.notes(),
        ),
    )


EXPERIMENTS: Final = (
    Experiment("Table 1", "splits", _splits),
    Experiment("Table 2", "general statistics", _size),
    Experiment("Table 3", "mentions by semantic type", _types),
    Experiment("Table 4", "confidential attributes", _confidential),
    Experiment("Table 5", "agreement of annotators", _coefficients),
    Experiment("Section 5.3", "use of pre-annotations", _edits),
    Experiment("Section 5.4", "relations", _relations),
    Experiment("Table 6", "baselines", _baselines),
    Experiment("Table 7", "an encoder fine-tuned, by window and weight of MASK, on dev", _windows),
    Experiment("Table 8", "the fine-tuned encoder with the widest window", _final),
    Experiment("Beside Table 8", "the shipped policy", _shipped),
    Experiment("Figure 5", "false negatives by semantic type", _leaks),
    Experiment("Table 9", "out of domain: biographies", _other_domain),
    Experiment("Figure 6", "disagreement on semantic types", _type_disagreements),
    Experiment("Table 10", "disagreement on identifier types", _masking_disagreements),
)
