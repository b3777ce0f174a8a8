"""deidentification: Morris et al. (2022), *Unsupervised Text Deidentification*: Tables 1 to 5, Figures 2 to 4, section 8.3, appendix B.

Any pairs and any attackers will do: attackers trained here, one for each pair of the encoders that
the user names, as the paper has four; attackers given by name; or, by default, those that compare
words: BM25, naive Bayes, and a translation of profiles into texts, learned from the training pairs.
The candidates are all people in the files; the documents are the texts of the test pairs. The
search is Algorithm 1; Table 2, Figure 2 and appendix B also show our own search. A document counts
as re-identified if any attacker other than the search's guide ranks its person first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import correlation, fmean
from time import perf_counter
from typing import Final

from tacenda.document import Document, Mention
from tacenda.pipeline import load
from tacenda.reidentify.anonymize.algorithm_1 import masks as masks_of_algorithm
from tacenda.reidentify.anonymize.anonymize import anonymize

from ..train.frequencies import Frequencies
from .ablation import ablation
from .arena import Arena, ArenaTarget, open_arena
from .examples import examples, nearly_masked
from .recognition import open_names
from .redaction import (
    CLASSES,
    Found,
    Mask,
    RedactionRow,
    baselines,
    by_class,
    by_level,
    classes_figure,
    curves_figure,
    pareto,
    ranks_figure,
)
from .tables import Cell, Experiment, NotHere, ReproducedTable, left_out, published_rows
from .workbench import Workbench

TITLE: Final = "Unsupervised Text Deidentification"

_K: Final = 8
"""K of the search in Figures 3 and 4."""
_SEARCHES: Final = (1, 2, 4, _K, 16, 32, 64, 128, 256)
"""Values of K of the sweep; those above the number of people are left out."""
_CROSSED: Final = (1, _K)
"""Values of K for the searches by each attacker in turn."""
_WIDTH: Final = 4
"""Width of the beam."""
_ALGORITHM, _OURS = "Algorithm 1", "our search"


# Each document under each method and setting.


def _measured(workbench: Workbench) -> tuple[Found, str]:
    return workbench.once("deidentification", _measure)


def _measure(workbench: Workbench) -> tuple[Found, str]:
    """Return the outcomes by method and setting, and the name of the attacker that guides the search."""
    arena = open_arena(workbench)
    guide = arena.guide
    frequencies = Frequencies.of_pairs(*arena.files)
    names = _names(workbench.means.ner)
    found: dict[tuple[str, float], list[RedactionRow]] = defaultdict(list)
    for target in arena.targets:
        mentions = names(target.document.document)
        masks = baselines(target.document, target.person, frequencies, mentions)
        ks = [k for k in _SEARCHES if k < len(arena.people)]
        by_algorithm = masks_of_algorithm(target.document, target.number, guide, ks)
        for k, mask in zip(ks, by_algorithm, strict=True):
            masks[f"{_ALGORITHM}, {guide.name}", float(k)] = mask
        for k in ks:
            result = anonymize(target.document, target.number, [guide], k)
            masks[f"{_OURS}, {guide.name}", float(k)] = result.mask
        rows = arena.rows(target, list(masks.values()))
        for method, row in zip(masks, rows, strict=True):
            found[method].append(row)
    return dict(found), guide.name


def _names(source: str | None) -> Callable[[Document], Sequence[Mention]]:
    """Return a document's named entities, found by the user's recognizer or else by the shipped policy."""
    if source is None:
        sanitizer = load()
        return lambda document: sanitizer.analyze(document).mentions
    detector = open_names(source)
    return lambda document: detector.detect([document])[0]


def _share_found(rows: Sequence[RedactionRow], attacker: str) -> float:
    return sum(row.ranks[attacker] == 1 for row in rows) / len(rows)


def _motivation(workbench: Workbench) -> ReproducedTable:
    found, _ = _measured(workbench)
    methods = {"none": "no redaction", "named entity": "named entities", "lexical": "lexical"}
    rows: dict[str, Sequence[Cell]] = {
        attacker: [_share_found(found[method, 0.0], attacker) for method in methods.values()]
        for attacker in found["no redaction", 0.0][0].ranks
    }
    rows["words masked"] = [
        sum(row.masked for row in found[method, 0.0]) / len(found[method, 0.0])
        for method in methods.values()
    ]
    return ReproducedTable(
        tuple(methods),
        rows,
        published_rows("deidentification", "Table 1"),
        (_note(found),),
    )


def _note(found: Found) -> str:
    n = len(found["no redaction", 0.0])
    return f"{n} documents. The paper's NN are neural encoders: --text-encoder and --profile-encoder train some, --attacker names trained ones."


_LEVELS: Final = published_rows("deidentification", "Table 2")


def _levels(workbench: Workbench) -> ReproducedTable:
    found, guide = _measured(workbench)
    head, *lines = by_level(pareto(found, guide))
    rows: dict[str, Sequence[Cell]] = {}
    level = ""
    for name, *cells in lines:
        if name.startswith("**"):
            level = f"{name} "
        else:
            rows[level + name.removesuffix(f", {guide}")] = tuple(cells)
    return ReproducedTable(head[1:], rows, _LEVELS, (_note(found),))


def _curves(workbench: Workbench) -> ReproducedTable:
    found, guide = _measured(workbench)
    curves = pareto(found, guide)
    rows = {
        f"{name}, {point.setting:g}": (point.masked, point.found, point.loss)
        for name, points in curves.items()
        for point in points
    }
    return ReproducedTable(
        ("words masked", "re-identified", "information lost"),
        rows,
        notes=("The paper has a picture only.",),
        figure=curves_figure(curves),
    )


def _ranks(workbench: Workbench) -> ReproducedTable:
    found, guide = _measured(workbench)
    rows_of_search = found.get((f"{_ALGORITHM}, {guide}", float(_K)))
    if rows_of_search is None:
        raise NotHere(f"the search for K = {_K} needs more than {_K} people")
    others = [name for name in rows_of_search[0].ranks if name != guide]
    return ReproducedTable(
        ("found by the other", "correlation of ranks (Spearman)"),
        {
            name: (
                _share_found(rows_of_search, name),
                _spearman([(row.ranks[guide], row.ranks[name]) for row in rows_of_search]),
            )
            for name in others
        },
        notes=(f"Masks: Algorithm 1 by {guide} at K = {_K}. The paper has a picture only.",),
        figure=ranks_figure(rows_of_search, guide, others),
    )


def _spearman(pairs: Sequence[tuple[int, int]]) -> float | None:
    """Return the correlation of two rankings, or None if either is constant."""
    guide, other = (_places([pair[side] for pair in pairs]) for side in (0, 1))
    if len(set(guide)) < 2 or len(set(other)) < 2:
        return None
    return correlation(guide, other)


def _places(values: Sequence[int]) -> list[float]:
    """Return each value's rank; ties share their mean rank."""
    ordered = sorted(values)
    return [
        (ordered.index(value) + len(ordered) - ordered[::-1].index(value) - 1) / 2
        for value in values
    ]


def _classes(workbench: Workbench) -> ReproducedTable:
    found, guide = _measured(workbench)
    curves = pareto(found, guide)
    search = f"{_ALGORITHM}, {guide}"
    if (search, float(_K)) not in found:
        raise NotHere(f"the search for K = {_K} needs more than {_K} people")
    classes = open_arena(workbench).classes
    rows = dict(by_class(curves, found, search, classes))
    return ReproducedTable(
        classes,
        rows,
        notes=(
            "% of the words of a class. The paper has a picture only.",
            *(
                ["Classes are by lists and spelling; --spacy-model names a pipeline with a tagger."]
                if classes == CLASSES
                else []
            ),
        ),
        figure=classes_figure(rows, classes),
    )


def _crossed(workbench: Workbench) -> ReproducedTable:
    """Let each attacker guide in turn, and return the share of people the others still find."""
    arena = open_arena(workbench)
    names = [attacker.name for attacker in arena.attackers]
    rows: dict[str, Sequence[Cell]] = {}
    ks = [k for k in _CROSSED if k < len(arena.people)]
    for guide in arena.attackers:
        masks = [
            masks_of_algorithm(each.document, each.number, guide, ks) for each in arena.targets
        ]
        for place, k in enumerate(ks):
            outcomes = [
                arena.row(target, by_k[place])
                for target, by_k in zip(arena.targets, masks, strict=True)
            ]
            shares = [_share_found(outcomes, name) for name in names]
            masked = fmean(row.masked for row in outcomes)
            rows[f"{guide.name}, K = {k}"] = (*shares, masked)
    return ReproducedTable(
        (*names, "words masked"),
        rows,
        notes=(
            f"{len(arena.targets)} documents; rows are by the attacker that guides, columns by who finds. In the paper RR finds "
            "60.5 % of what PT hides at K = 1.",
        ),
    )


def _beams(workbench: Workbench) -> ReproducedTable:
    """Compare greedy search with a beam at K = 1, for Algorithm 1 and for our search."""
    arena = open_arena(workbench)
    beam = f"beam, width {_WIDTH}"
    rows = {
        f"{method}{name}": _searched(arena, search, width)
        for method, search in (("", _algorithm_at_one), (f"{_OURS}, ", _ours_at_one))
        for name, width in (("greedy", 1), (beam, _WIDTH))
    }
    return ReproducedTable(
        ("words masked", "re-identified", "seconds a document"),
        rows,
        published_rows("deidentification", "Appendix B"),
        (
            f"{len(arena.targets)} documents; greedy is Algorithm 1. In the paper greedy search is 3.39 times faster.",
        ),
    )


def _algorithm_at_one(arena: Arena, target: ArenaTarget, width: int) -> Mask:
    (mask,) = masks_of_algorithm(target.document, target.number, arena.guide, [1], width=width)
    return mask


def _ours_at_one(arena: Arena, target: ArenaTarget, width: int) -> Mask:
    return anonymize(target.document, target.number, [arena.guide], 1, width=width).mask


def _searched(
    arena: Arena, search: Callable[[Arena, ArenaTarget, int], Mask], width: int
) -> tuple[float, float, float]:
    """Return a beam search's share of words masked, share of documents the judges re-identify, and seconds per document."""
    start = perf_counter()
    masks = [search(arena, target, width) for target in arena.targets]
    seconds = (perf_counter() - start) / len(masks)
    outcomes = [arena.row(target, mask) for target, mask in zip(arena.targets, masks, strict=True)]
    judged = sum(any(row.ranks[each] == 1 for each in arena.judges) for row in outcomes)
    return fmean(row.masked for row in outcomes), judged / len(outcomes), seconds


EXPERIMENTS: Final = (
    left_out("Figure 1", "data and system", "a drawing; ARCHITECTURE.md has ours"),
    Experiment(
        "Table 1", "who is found without names and without words of the profile", _motivation
    ),
    Experiment("Table 2", "privacy and utility of methods", _levels),
    Experiment("Figure 2", "re-identification against words masked", _curves),
    Experiment("Table 3", "ablation of the attacker", ablation),
    Experiment("Figure 3", "ranks by the guide and by others", _ranks),
    Experiment("Figure 4", "masked words by class", _classes),
    Experiment("Table 4", "examples of redactions", examples),
    Experiment("Section 8.3", "who finds what each attacker hides", _crossed),
    Experiment("Table 5", "people found with nearly all words masked", nearly_masked),
    left_out(
        "Section 6",
        "people who try to re-identify",
        "a preliminary study with human subjects, of which the paper has no figures",
    ),
    Experiment("Appendix B", "greedy search against a beam", _beams),
)
