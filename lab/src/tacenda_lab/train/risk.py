"""Recipe of risk indicators: span classifier, curves of calibration, weights of combination.

cases      annotated documents -> entities with their share of masking annotators
fitting    cases -> curves and weights; the contribution of each indicator
recipe     all of it, from the corpora to the shipped folder
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score

from tacenda.decide.decide import words_of
from tacenda.deciding import Analysis
from tacenda.detect.merge import merge
from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document, Entity, Mention, MentionSource, SemanticType, Span
from tacenda.errors import InputError
from tacenda.evaluate.gold import GoldDocument
from tacenda.link.linking import link
from tacenda.models.calibration import COMBINATION_FILE, Calibration, Combining, Curve
from tacenda.models.networks import RecognizerModel
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy
from tacenda.risk.combined_risk import indicator_features, joint, stack_name
from tacenda.risk.indicators import Indicator
from tacenda.risk.recognizer_risk import PARTIAL_MATCH, RecognizerIndicator
from tacenda.risk.registry import load_indicators

from ..indicators.span import SPAN, SPAN_FILE, SpanClassifier, span_features
from .corpus import read_gold
from .examples import read_tab
from .logistic import fit_logistic
from .packages import Card, write_card, write_json
from .recognizer import calibration_pairs, fit_curve
from .tables import read_card

# Curves and weights for indicators, and their performance.
#
# All figures are of cross-validation over documents: curves and weights are fitted to four fifths of
# them and judged on the last.


FOLDS = 5
RECALL = 0.95
_LEAST = 1e-3


@dataclass(frozen=True, slots=True)
class IndicatorCase:
    """An entity with its values by indicator and its decisions by annotators.

    Attributes:
        group: its document, held out as a whole.
        entity: the entity.
        words: number of words in its mentions.
        share: of masking annotators.
        values: by indicator.
    """

    group: str
    entity: Entity
    words: int
    share: float
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Performance:
    """Agreement of probabilities with masking.

    Attributes:
        name: of the row.
        log_loss: mean negative log likelihood of the shares, in nats.
        area: under the ROC curve.
        precision: share of correctly masked words, at a recall of ``RECALL`` of the entities masked
            by annotators, masking the riskiest first.
    """

    name: str
    log_loss: float
    area: float
    precision: float


def fold_of(groups: Sequence[str], folds: int = FOLDS) -> dict[str, int]:
    """Return the fold of each document; by their names only."""
    order = sorted(set(groups))
    random.Random(20).shuffle(order)
    return {group: number % folds for number, group in enumerate(order)}


def fit_combining(cases: Sequence[IndicatorCase], every_set: bool = True) -> Combining:
    """Return curves of all indicators, and weights for all sets of them with the recognizer.

    Args:
        cases: at least one; all have values of the same indicators.
        every_set: or of all together only.
    """
    names = sorted(cases[0].values)
    shares = [case.share for case in cases]
    curves = {name: fit_curve([case.values[name] for case in cases], shares) for name in names}
    stacks = {}
    for subset in _indicator_subsets(names) if every_set else [tuple(names)]:
        rows = [
            indicator_features(case.entity, _calibrated(case, subset, curves)) for case in cases
        ]
        stacks[stack_name(subset)] = fit_logistic(rows, shares)
    return Combining(curves, stacks)


def _indicator_subsets(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    rest = [name for name in names if name != PARTIAL_MATCH]
    for size in range(len(rest) + 1):
        for subset in combinations(rest, size):
            yield (PARTIAL_MATCH, *subset)


def _calibrated(
    case: IndicatorCase, names: Sequence[str], curves: Mapping[str, Curve]
) -> dict[str, float]:
    return {name: curves[name](case.values[name]) for name in names}


def performance(
    cases: Sequence[IndicatorCase], names: Sequence[str], how: str, name: str
) -> Performance:
    """Return the performance of indicators combined.

    Args:
        cases: of at least two documents.
        names: the indicators.
        how: ``any``, ``all``, ``weighted`` (all alike) or ``learned``.
        name: of the row.
    """
    policy = Policy(combine=how)
    fold = fold_of([case.group for case in cases])
    subset = [
        IndicatorCase(c.group, c.entity, c.words, c.share, {n: c.values[n] for n in names})
        for c in cases
    ]
    chances = [0.0] * len(subset)
    for held_out in sorted(set(fold.values())):
        fitted = fit_combining([c for c in subset if fold[c.group] != held_out], every_set=False)
        for place, case in enumerate(subset):
            if fold[case.group] == held_out:
                values = _calibrated(case, names, fitted.curves)
                chances[place] = joint(case.entity, values, policy, fitted)
    return Performance(
        name, _log_loss(subset, chances), _area(subset, chances), _precision(subset, chances)
    )


def leave_one_out(cases: Sequence[IndicatorCase]) -> Iterator[Performance]:
    """Yield the performance of indicators: each alone, all by each way, all but each."""
    names = sorted(cases[0].values)
    for name in names:
        yield performance(cases, (name,), "any", f"{name} alone")
    for how in ("any", "all", "weighted", "learned"):
        yield performance(cases, names, how, f"all, {how}")
    for name in names:
        rest = [candidate for candidate in names if candidate != name]
        if rest:
            yield performance(cases, rest, "learned", f"learned without {name}")


def _against_shares(cases: Sequence[IndicatorCase]) -> tuple[list[int], list[float]]:
    """Return outcomes and their weights: each case is masked by its share and left by the rest."""
    shares = [case.share for case in cases]
    return [1] * len(shares) + [0] * len(shares), [*shares, *(1 - share for share in shares)]


def _log_loss(cases: Sequence[IndicatorCase], chances: Sequence[float]) -> float:
    outcomes, weights = _against_shares(cases)
    clipped = np.clip(chances, _LEAST, 1 - _LEAST)
    return float(log_loss(outcomes, np.tile(clipped, 2), sample_weight=weights))


def _area(cases: Sequence[IndicatorCase], chances: Sequence[float]) -> float:
    """Return the area under the ROC curve; 0 where everything or nothing is masked."""
    outcomes, weights = _against_shares(cases)
    if not 0 < sum(case.share for case in cases) < len(cases):
        return 0.0
    return float(roc_auc_score(outcomes, np.tile(chances, 2), sample_weight=weights))


def _precision(cases: Sequence[IndicatorCase], chances: Sequence[float]) -> float:
    ranked = sorted(zip(chances, cases, strict=True), key=lambda item: -item[0])
    target = RECALL * sum(case.share for case in cases)
    masked = right = hits = 0.0
    for _, case in ranked:
        masked += case.words
        right += case.words * case.share
        hits += case.share
        if hits >= target:
            break
    return right / masked if masked else 0.0


# Entities of the product, with the annotators' decisions.


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A document with its entities.

    Attributes:
        document: the text.
        entities: as detected and linked by the product.
        shares: of each entity, in [0, 1], the share of masking annotators: those masking at least
            half of one of its mentions.
    """

    document: Document
    entities: tuple[Entity, ...]
    shares: tuple[float, ...]


def judged_documents(
    analyses: Sequence[Analysis], gold: dict[str, GoldDocument]
) -> Iterator[JudgedDocument]:
    """Yield each analysed document with its annotators' decisions."""
    for analysis in analyses:
        document = analysis.document
        masked = _masked(gold[document.id])
        entities = link(document, analysis.mentions)
        yield JudgedDocument(
            document, entities, tuple(_share(entity, masked) for entity in entities)
        )


def read_biographies(path: Path) -> list[JudgedDocument]:
    """Return the biographies with their annotated spans as entities: one annotator each."""
    items = []
    for record in json.loads(path.read_text(encoding="utf-8")):
        masked = {
            Span(mark["start"], mark["end"]): mark["label"] != "NO_MASK" for mark in record["spans"]
        }
        types = {Span(mark["start"], mark["end"]): mark["type"] for mark in record["spans"]}
        document = Document(record["doc_id"], record["text"])
        mentions = merge(
            document.text,
            [
                Mention(span, SemanticType(types[span]), float(flag), 0.0, MentionSource.GOLD)
                for span, flag in masked.items()
            ],
        )
        entities = link(document, mentions)
        shares = tuple(
            float(any(mention.p_mask for mention in entity.mentions)) for entity in entities
        )
        items.append(JudgedDocument(document, entities, shares))
    return items


def _masked(document: GoldDocument) -> list[list[bool]]:
    """Return the masked code points of each annotator, as flags."""
    flags = {annotator: [False] * len(document.text) for annotator in document.annotators}
    for entity in document.entities:
        for mention in entity.mentions:
            if mention.needs_masking:
                covered = flags[entity.annotator]
                length = mention.span.end - mention.span.start
                covered[mention.span.start : mention.span.end] = [True] * length
    return list(flags.values())


def _share(entity: Entity, masked: Sequence[list[bool]]) -> float:
    hits = sum(
        any(
            2 * sum(covered[mention.span.start : mention.span.end]) >= len(mention.span)
            for mention in entity.mentions
        )
        for covered in masked
    )
    return hits / len(masked)


# From annotated judgments to the folder ``risk-en``.
#
# 1. *span*: the classifier is fitted to the entities of all training judgments and biographies, and, to
#    have values for judgments it has not seen, without a fifth of the judgments five times.
# 2. *combination*: recognizers that never saw a part of the judgments (``fold-N`` of a working folder of
#    ``tacenda lab train recognizer``) read that part; curves and weights are fitted to what all indicators
#    say there. The shipped recognizer has seen them all and would be trusted too much.


RIDGE = 5.0
_DOCUMENTS = 4
"""A feature that fewer documents have says nothing of the next one, and may be a person's name."""
_SMALL = 0.01
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class FittedRisk:
    """All fitted values, and their performance."""

    span: dict[str, float]
    combining: Combining
    worth: tuple[Performance, ...]
    cases: int


def train_risk(data: Path, folds: Path, names: Sequence[str], threads: int) -> FittedRisk:
    """Fit the span classifier and the combination.

    Args:
        data: the data folder.
        folds: working folder with ``fold-N``, each a recognizer with ``unseen.json``.
        names: further indicators to combine, besides the recognizer and *span*.
        threads: cores to use.

    Raises:
        InputError: if no fold is in ``folds``.
    """
    path = data / "tab/train.json"
    gold = {document.id: document for document in read_gold(path)}
    sanitizer = load(threads=threads)
    documents = [Document(item.id, item.text) for item in gold.values()]
    biographies = read_biographies(data / "wiki/biographies_train.json")
    training_set = list(judged_documents(sanitizer.analyze_all(documents), gold))
    fold = fold_of(list(gold))
    blind = {
        held_out: SpanClassifier(
            fit_span([*biographies, *(i for i in training_set if fold[i.document.id] != held_out)])
        )
        for held_out in sorted(set(fold.values()))
    }
    cases: list[IndicatorCase] = []
    for analyses in _unseen(path, folds, gold, threads):
        for item in judged_documents(analyses, gold):
            indicators: dict[str, Indicator] = {
                PARTIAL_MATCH: RecognizerIndicator(),
                SPAN: blind[fold[item.document.id]],
                **dict(zip(names, load_indicators(names), strict=True)),
            }
            cases += cases_of(item, indicators)
    return FittedRisk(
        fit_span([*biographies, *training_set]),
        fit_combining(cases),
        tuple(leave_one_out(cases)),
        len(cases),
    )


def fit_span(items: Sequence[JudgedDocument]) -> dict[str, float]:
    """Return the weights of the span classifier, small ones left out."""
    rows, shares = [], []
    documents: dict[str, set[str]] = defaultdict(set)
    for item in items:
        count = Counter(entity.type for entity in item.entities)
        for entity, share in zip(item.entities, item.shares, strict=True):
            rows.append(span_features(item.document, entity, count[entity.type]))
            shares.append(share)
            for name in rows[-1]:
                documents[name].add(item.document.id)
    frequent = {name for name, ids in documents.items() if len(ids) >= _DOCUMENTS}
    weights = fit_logistic(rows, shares, RIDGE, frequent)
    return {name: round(w, _DIGITS) for name, w in weights.items() if abs(w) >= _SMALL}


def cases_of(item: JudgedDocument, indicators: Mapping[str, Indicator]) -> Iterator[IndicatorCase]:
    """Yield the entities of a document with their values by indicator."""
    judgments = {
        name: indicator.judge(item.document, item.entities)
        for name, indicator in indicators.items()
    }
    for place, (entity, share) in enumerate(zip(item.entities, item.shares, strict=True)):
        values = {
            name: finding.evidence.value
            for name, findings in judgments.items()
            if (finding := findings[place]) is not None
        }
        # Who has nothing to say agrees with the recognizer, as in ``risk/combine.py``.
        filled = {name: values.get(name, values[PARTIAL_MATCH]) for name in indicators}
        words = words_of(item.document, entity)
        yield IndicatorCase(item.document.id, entity, words, share, filled)


def _unseen(
    path: Path, folds: Path, gold: Mapping[str, GoldDocument], threads: int
) -> Iterator[list[Analysis]]:
    paths = sorted(folds.glob("fold-*/unseen.json"))
    if not paths:
        raise InputError(
            "has no fold-N/unseen.json: give the working folder of `tacenda lab train recognizer`",
            str(folds),
        )
    for unseen in paths:
        names = set(json.loads(unseen.read_text(encoding="utf-8")))
        model = RecognizerModel.load(unseen.parent)
        examples = [item for item in read_tab(path, model.encoder) if item.doc_id in names]
        by_type, direct = calibration_pairs(model, examples)
        model.calibration = Calibration(
            {type: fit_curve(*zip(*pairs, strict=True)) for type, pairs in sorted(by_type.items())},
            fit_curve(*zip(*direct, strict=True)),
        )
        sanitizer = Sanitizer(Policy(), NeuralDetector(model, threads), model.threshold)
        documents = [Document(name, gold[name].text) for name in sorted(names)]
        yield sanitizer.analyze_all(documents)


def write_risk(fitted: FittedRisk, card: Card, folder: Path) -> None:
    """Write the folder to ship, created if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    combination = {
        "curves": {name: asdict(curve) for name, curve in fitted.combining.curves.items()},
        "stacks": {
            names: {name: round(weight, _DIGITS) for name, weight in sorted(weights.items())}
            for names, weights in fitted.combining.stacks.items()
        },
    }
    write_json(folder / COMBINATION_FILE, combination)
    write_json(folder / SPAN_FILE, dict(sorted(fitted.span.items())))
    write_card(folder, card, (COMBINATION_FILE, SPAN_FILE))


# The card of ``risk-en``, and the table of what indicators are worth.


def table(worth: Sequence[Performance]) -> str:
    """Return the figures as a Markdown table."""
    rows = [
        f"| {row.name} | {row.log_loss:.3f} | {row.area:.3f} | {row.precision:.3f} |"
        for row in worth
    ]
    return "\n".join(
        ("| indicators | log loss | area | P of words at recall .95 |", "|---|---|---|---|", *rows)
    )


def card_of(fitted: FittedRisk) -> Card:
    """Return the model card."""
    text = read_card("risk").format(
        weights=len(fitted.span), cases=fitted.cases, table=table(fitted.worth)
    )
    return Card(
        text,
        "Apache-2.0 for these weights; the data's licences are above.",
        "`tacenda lab train risk --data DATA --folds WORK --out FOLDER`, where WORK is the folder of\n"
        "`tacenda lab train recognizer`.",
    )
