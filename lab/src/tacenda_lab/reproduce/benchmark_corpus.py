"""tab: the corpus of the Text Anonymization Benchmark and how far its annotators agree (Tables 1 to 5 and 10, Figure 6, section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev
from typing import Final

from tacenda.annotations.tab import load_documents
from tacenda.evaluate.agreement import MASKING_PAIRS, Agreement, measure_agreement
from tacenda.evaluate.composition import Composition, describe, relations_by_type
from tacenda.evaluate.gold import GoldDocument

from .tables import Cell, NotHere, ReproducedTable, Rows, published_rows
from .workbench import Workbench


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


def splits(workbench: Workbench) -> ReproducedTable:
    """Return Table 1.

    Raises:
        NotHere: what it counts is not in the files.
    """
    rows = {
        name: (row.documents, row.annotations, row.reviewed, row.annotators_per_document)
        for split in workbench.splits()
        for name, row in describe(workbench.gold(split)).splits.items()
    }
    return ReproducedTable(
        ("documents", "annotated documents", "reviewed", "annotators a document"),
        rows,
        published_rows("tab", "Table 1"),
    )


def size(workbench: Workbench) -> ReproducedTable:
    """Return Table 2.

    Raises:
        NotHere: what it counts is not in the files.
    """
    found = _composition(workbench)
    total = found.all_splits
    paper = published_rows("tab", "Table 2")
    ours = (
        total.documents,
        total.annotations,
        found.multiple,
        total.reviewed,
        found.entities,
        found.mentions,
        found.tokens,
    )
    return ReproducedTable(
        ("number",),
        {name: (n,) for name, n in zip(paper, ours, strict=True)},
        paper,
        ("Tokens are words and punctuation marks here; the paper names no tokenizer.",),
    )


_TYPES: Final = published_rows("tab", "Table 3")


def types(workbench: Workbench) -> ReproducedTable:
    """Return Table 3: mentions by semantic type.

    Raises:
        NotHere: what it counts is not in the files.
    """
    found = _composition(workbench)
    rows = {
        name: (row.mentions, row.direct, row.quasi, row.confidential)
        for name, row in [*found.types.items(), ("all", found.all_types)]
    }
    return ReproducedTable(("mentions", "direct", "quasi", "confidential"), rows, _TYPES)


_CONFIDENTIAL: Final = published_rows("tab", "Table 4")


def confidential(workbench: Workbench) -> ReproducedTable:
    """Return Table 4: mentions by confidential status.

    Raises:
        NotHere: what it counts is not in the files.
    """
    found = _composition(workbench).confidential
    total = sum(found.values()) or 1
    paper_total = sum(_CONFIDENTIAL.values())
    return ReproducedTable(
        ("mentions", "share"),
        {status.value: (n, n / total) for status, n in found.items()},
        {name: (n, n / paper_total) for name, n in _CONFIDENTIAL.items()},
    )


def edits(workbench: Workbench) -> ReproducedTable:
    """Return section 5.3: what annotators did with pre-annotations.

    Raises:
        NotHere: what it counts is not in the files.
    """
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
        published_rows("tab", "Section 5.3"),
    )


def _edit_types(workbench: Workbench) -> list[list[str]]:
    """Return what became of each pre-annotation, by annotator."""
    by_annotator: dict[str, list[str]] = {}
    for split in workbench.splits():
        for document in load_documents(workbench.path(split)):
            for annotation in document.annotations:
                edits = [mention.properties.get("edit_type") for mention in annotation.mentions]
                by_annotator.setdefault(annotation.annotator, []).extend(filter(None, edits))
    return [edits for edits in by_annotator.values() if edits]


def relations(workbench: Workbench) -> ReproducedTable:
    """Return section 5.4: pairs of mentions that annotators linked by hand, by semantic type.

    Raises:
        NotHere: what it counts is not in the files.
    """
    found, agreement = _composition(workbench), _agreement(workbench)
    mentions = (
        mention
        for document in _all(workbench)
        for entity in document.entities
        for mention in entity.mentions
    )
    by_type = relations_by_type(mentions)
    rows: dict[str, Sequence[Cell]] = {
        "all": (
            found.relations,
            found.relations / (found.entities or 1),
            agreement.relations_kappa,
        )
    }
    rows |= {type: (n, n / (found.relations or 1), None) for type, n in by_type.most_common()}
    return ReproducedTable(
        ("relations", "share of entities; of a type, of relations", "Cohen's κ"),
        rows,
        {
            "all": (5_689, 0.037, 0.944),
            "ORG": (3_360, 3_360 / 5_689, None),
            "PERSON": (1_741, 1_741 / 5_689, None),
            "MISC": (402, 402 / 5_689, None),
        },
        (
            "κ is over all pairs of mentions that two annotators marked. A relation has the type of the mention that carries it.",
        ),
    )


def masked_shares(workbench: Workbench) -> ReproducedTable:
    """Return section 5.1: the share of entities that annotators mask, and how much they differ.

    Raises:
        NotHere: no split is there.
    """
    found = _composition(workbench)
    return ReproducedTable(
        ("mean over annotators", "standard deviation"),
        {"entities masked": (found.masked_share, found.masked_deviation)},
        published_rows("tab", "Section 5.1"),
    )


# Agreement: Table 5, Figure 6, Table 10.


_AGREEMENT: Final = published_rows("tab", "Table 5")


def coefficients(workbench: Workbench) -> ReproducedTable:
    """Return Table 5: agreement of annotators.

    Raises:
        NotHere: what it counts is not in the files.
    """
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


def type_disagreements(workbench: Workbench) -> ReproducedTable:
    """Return Figure 6: spans given two semantic types.

    Raises:
        NotHere: what it counts is not in the files.
    """
    from ..evaluation.plots import type_heat_map

    agreement = _agreement(workbench)
    rows = {" / ".join(pair): (n,) for pair, n in agreement.type_disagreements.items()}
    return ReproducedTable(
        ("spans",),
        rows,
        notes=("The paper has a picture only; most of its disagreements are DEM / ORG.",),
        figure=type_heat_map(agreement),
    )


_MASKING: Final = published_rows("tab", "Table 10")


def masking_disagreements(workbench: Workbench) -> ReproducedTable:
    """Return Table 10: spans given two identifier types, and their share of all such spans.

    Raises:
        NotHere: what it counts is not in the files.
    """
    found = _agreement(workbench).masking_disagreements
    counts = {
        type: [pairs.get(pair, 0) for pair in MASKING_PAIRS]
        for type, pairs in sorted(found.items())
    }
    counts["all"] = [sum(column) for column in zip(*counts.values(), strict=True)] or [0, 0, 0]
    columns = [" / ".join(pair) for pair in MASKING_PAIRS]
    return ReproducedTable(
        (*columns, *(f"{column}, %" for column in columns)),
        _with_percentages(counts),
        _with_percentages(_MASKING),
        ("The percentages are of all disagreements.",),
    )


def _with_percentages(counts: Mapping[str, Sequence[int]]) -> Rows:
    total = sum(counts["all"]) or 1
    return {type: (*row, *(f"{100 * n / total:.1f}" for n in row)) for type, row in counts.items()}
