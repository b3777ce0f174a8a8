"""What decides which entities are masked: explicit-measures, Table 3, with the optimisation of section 3.3.

A risk measure names single entities, and combinations that must not stay visible together. A row
masks the cheapest set of entities that breaks everything its measures name. Masking an entity costs
its −log p under the language model.

| measure | entities | combinations |
|---|---|---|
| BERT-based risk (3.2.1) | ``language_threshold`` | ``language_together``, in the additional rows |
| web query risk (3.2.2) | ``search_emulated`` | the same |
| Algorithm 1 (3.2.2) | a search of the user's index | the same |
| supervised risk (3.2.3) | ``span`` | none |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from tacenda.background.documents import LocalIndex
from tacenda.decide.combinations import Choice, Problem, Variable, solve
from tacenda.document import Assessment, Document, Entity, IdentifierType, SemanticType, Span
from tacenda.link.linking import link
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.risk.assess import assess
from tacenda.risk.registry import CachedIndicator, load_indicators
from tacenda.risk.search.indicator import SearchRisk, masking_search
from tacenda.text.information import information_of

from ..indicators.language import CachedLanguageModel, Context, read_entities
from .recognition import fine_tuned, require_zero_shot
from .risk_figures import open_model
from .tables import Cell, NotHere, ReproducedTable, published_rows
from .workbench import Workbench

SPECIFIC: Final = {SemanticType(t) for t in ("CODE", "PERSON", "DATETIME", "LOC", "QUANTITY")}
"""The paper's *most specific* types."""
_COLUMNS: Final = {
    "P": "token_precision",
    "WP": "weighted_token_precision",
    "R_all": "entity_recall",
    "R_direct": "entity_recall_direct",
    "R_quasi": "entity_recall_quasi",
}
_FINE_TUNED: Final = published_rows("explicit-measures", "Table 3")
_ZERO_SHOT: Final = published_rows("explicit-measures", "Table 3, zero-shot")
_BERT, _WEB, _SUPERVISED = "BERT-based risk", "web query risk", "supervised risk"
_TOGETHER, _SEARCH = "combinations of BERT-based risk", "Algorithm 1"
_KINDS: Final = {
    _BERT: "language_threshold",
    _WEB: "search_emulated",
    _SUPERVISED: "span",
    _TOGETHER: "language_together",
}
"""Measures by the kind of their indicator."""

Indices = tuple[int, ...]


def cheapest_cover(
    entities: Sequence[Entity],
    combinations: Sequence[Sequence[int]],
    prices: Sequence[float],
    forced: Sequence[bool] = (),
) -> list[bool]:
    """Return the cheapest set of entities to mask so that each combination has a masked one (3.3).

    Args:
        entities: the entities of a document.
        combinations: indices of entities that must not all stay visible.
        prices: what masking each entity costs; not negative.
        forced: whether to mask each entity in any case; by default none.
    """
    members = tuple(
        Variable(
            entity.id,
            (Choice(0.0, breaks=False), Choice(price, breaks=True)),
            (1,) if forced and forced[place] else (0, 1),
        )
        for place, (entity, price) in enumerate(zip(entities, prices, strict=True))
    )
    problem = Problem(members, tuple(tuple(each) for each in combinations))
    return [bool(index) for index in solve(problem).chosen]


# Documents as the risk measures judge them.


@dataclass(frozen=True, slots=True)
class Judged:
    """A document's entities and what the risk measures say about them.

    Attributes:
        document: the text.
        assessments: one per entity.
        risky: for each measure, the combinations that must not stay visible together, including
            single entities.
        prices: what masking each entity costs, in nats.
        forced: whether each entity is masked in any case; none by default.
    """

    document: Document
    assessments: tuple[Assessment, ...]
    risky: Mapping[str, Sequence[Indices]]
    prices: Sequence[float]
    forced: Sequence[bool] = ()

    @property
    def direct(self) -> list[bool]:
        """Whether each entity is a direct identifier."""
        return [each.identifier is IdentifierType.DIRECT for each in self.assessments]


Rule = Callable[[Judged], Sequence[bool]]


def _judge(
    workbench: Workbench, split: str, policy: Policy, measures: Sequence[str]
) -> list[Judged]:
    """Detect the entities in a split, and ask the measures about them."""
    kinds = [measure for measure in measures if measure in _KINDS]
    names = [workbench.indicator(_KINDS[measure]) for measure in kinds]
    indicators: dict[str, CachedIndicator | SearchRisk] = dict(
        zip(kinds, load_indicators(names), strict=True)
    )
    if workbench.means.index is not None:
        indicators[_SEARCH] = masking_search(LocalIndex(workbench.means.index), ())
    sanitizer = load(policy)
    model = open_model(workbench)
    judged = []
    for document in workbench.documents(split):
        entities = link(document, sanitizer.analyze(document).mentions)
        place = {entity.id: index for index, entity in enumerate(entities)}
        risky: dict[str, Sequence[Indices]] = {}
        for name, indicator in indicators.items():
            singles = {
                (index,)
                for index, finding in enumerate(indicator.judge(document, entities))
                if finding is not None and finding.identifier is not IdentifierType.NO_MASK
            }
            groups = {
                tuple(sorted(place[id] for id in each.entity_ids))
                for each in indicator.combinations(document, entities)
            }
            risky[name] = sorted(singles | groups)
        prices = _prices(document, entities, model, workbench.means.reading)
        judged.append(Judged(document, assess(document, entities, Policy()), risky, prices))
    return judged


def _prices(
    document: Document, entities: Sequence[Entity], model: CachedLanguageModel, context: Context
) -> list[float]:
    """Return −log p of each entity in its context, or, without a subword, from how rare its words are."""
    sums = read_entities(document, entities, model, context).sums
    return [
        information_of(document.text, entity) if np.isnan(total) else max(0.0, -float(total))
        for entity, total in zip(entities, sums, strict=True)
    ]


# Rules, one per row.


def _everything(judged: Judged) -> list[bool]:
    return [True] * len(judged.assessments)


def _most_specific(judged: Judged) -> list[bool]:
    return [each.entity.type in SPECIFIC for each in judged.assessments]


def optimized(judged: Judged, measures: Sequence[str]) -> list[bool]:
    """Mask the cheapest set of entities that breaks all combinations of the given measures."""
    entities = [each.entity for each in judged.assessments]
    combinations = sorted({each for measure in measures for each in judged.risky[measure]})
    return cheapest_cover(entities, combinations, judged.prices, judged.forced)


def _rows(measures: Mapping[str, Sequence[str]]) -> dict[str, Rule]:
    return {name: partial(optimized, measures=each) for name, each in measures.items()}


def with_direct(rule: Rule) -> Rule:
    """Apply the same rule, but always mask direct identifiers."""

    def masks(judged: Judged) -> Sequence[bool]:
        return rule(replace(judged, forced=judged.direct))

    return masks


def fine_tuned_half(workbench: Workbench) -> ReproducedTable:
    """Return the rows of the recognizer trained on annotations: the user's encoder, or the shipped one.

    Raises:
        NotHere: there are no judgments to measure on, or none to fit the encoder to.
    """
    strategies = {
        "BERT-based risk": (_BERT,),
        "web query risk": (_WEB,),
        "supervised risk": (_SUPERVISED,),
        "supervised + web query risk": (_SUPERVISED, _WEB),
        "all three": (_BERT, _SUPERVISED, _WEB),
        "BERT-based risk, combinations too": (_BERT, _TOGETHER),
    }
    if workbench.means.index is not None:
        strategies |= {
            "web query risk by Algorithm 1": (_SEARCH,),
            "supervised + web query risk by Algorithm 1": (_SUPERVISED, _SEARCH),
        }
    rules: dict[str, Rule] = {"mask all": _everything, "mask most specific": _most_specific}
    rules |= _rows(strategies)
    split = workbench.judged()[-1]
    model = fine_tuned(workbench)
    policy = Policy.load("default") if model is None else Policy(model=model)
    judged = _judge(workbench, split, policy, tuple(_KINDS))
    rows = {
        name: (
            *_row(workbench, split, judged, rule),
            *_row(workbench, split, judged, with_direct(rule)),
        )
        for name, rule in rules.items()
    }
    notes = (
        "As in the paper, a measure alone decides about direct identifiers, too; in the columns *direct masked*, those that the recognizer "
        "calls direct are masked in any case but by the first two rows, which ask no measure.",
        "The recognizer is the encoder, fitted to the types of train, after silver.json where it is in --data."
        if model
        else "The recognizer is the shipped one; --encoder names one to fit to the types of train.",
    )
    table = _table(workbench, split, rows, _FINE_TUNED, notes)
    columns = (*table.columns, *(f"{name}, direct masked" for name in table.columns))
    nothing = (None,) * len(table.columns)
    paper = {name: (*row, *nothing) for name, row in table.paper.items()}
    return replace(table, columns=columns, paper=paper)


def zero_shot_half(workbench: Workbench) -> ReproducedTable:
    """Return the rows of the systems that use no annotations.

    Raises:
        NotHere: there are no judgments, or neither a spaCy pipeline nor a recognizer trained
            without annotations.
    """
    split = workbench.judged()[-1]
    rows: dict[str, Sequence[Cell]] = {}
    notes = []
    if workbench.means.spacy_model:
        rows["generic NER, mask all"] = _figures(workbench, split, workbench.masks("ner", split))
    else:
        notes.append("Generic NER: --spacy-model names a pipeline.")
    try:
        model = require_zero_shot(workbench)
    except NotHere as error:
        if not rows:
            raise
        notes.append(f"All other rows: {error}.")
        return _table(workbench, split, rows, _ZERO_SHOT, notes)
    strategies = {
        "BERT-based risk": (_BERT,),
        "web query risk": (_WEB,),
        "BERT-based + web query risk": (_BERT, _WEB),
    }
    if workbench.means.index is not None:
        strategies |= {
            "web query risk by Algorithm 1": (_SEARCH,),
            "BERT-based + web query risk by Algorithm 1": (_BERT, _SEARCH),
        }
    rules: dict[str, Rule] = {"mask all": _everything, "mask most specific": _most_specific}
    rules |= _rows(strategies)
    judged = _judge(workbench, split, Policy(model=model), (_BERT, _WEB))
    rows |= {name: _row(workbench, split, judged, rule) for name, rule in rules.items()}
    notes.append(
        "No masking decision but the thresholds of the indicators was learned. Nothing is masked for being called direct."
    )
    return _table(workbench, split, rows, _ZERO_SHOT, notes)


def _row(
    workbench: Workbench, split: str, judged: Sequence[Judged], rule: Rule
) -> tuple[float | None, ...]:
    masks = {each.document.id: _masks(each, rule(each)) for each in judged}
    return _figures(workbench, split, masks)


def _masks(judged: Judged, masked: Sequence[bool]) -> list[Span]:
    return sorted(
        mention.span
        for each, is_masked in zip(judged.assessments, masked, strict=True)
        if is_masked
        for mention in each.entity.mentions
    )


def _figures(
    workbench: Workbench, split: str, masks: Mapping[str, Sequence[Span]]
) -> tuple[float | None, ...]:
    scores = workbench.report(masks, split).scores
    p, r = scores["token_precision"] or 0.0, scores["entity_recall"] or 0.0
    figures = [scores.get(metric) for metric in _COLUMNS.values()]
    return (*figures, 2 * p * r / (p + r) if p + r else 0.0)


def _table(
    workbench: Workbench,
    split: str,
    rows: Mapping[str, Sequence[Cell]],
    paper: Mapping[str, Sequence[Cell]],
    notes: Sequence[str],
) -> ReproducedTable:
    search = (
        "Algorithm 1 searches the index of --index for whole entities and pairs."
        if workbench.means.index is not None
        else "Algorithm 1 itself: --index names an index to search in the place of the web, whose answers of June 2022 are gone."
    )
    return ReproducedTable(
        (*_COLUMNS, "F1"),
        rows,
        paper,
        (
            f"Split: {split}; the paper's is test. BERT-based risk: language_threshold. Web query risk: search_emulated, a network that tells "
            "what a search would find. Supervised risk: the span classifier. What is masked is the cheapest choice that breaks all risky "
            "combinations (3.3).",
            search,
            *notes,
            *workbench.notes(),
        ),
    )
