"""From annotated judgments to the folder ``risk-en``.

1. *span*: the classifier is fitted to the entities of all training judgments and biographies, and, to
   have values for judgments it has not seen, without a fifth of the judgments five times.
2. *combination*: recognizers that never saw a part of the judgments (``fold-N`` of a working folder of
   ``tacenda train recognizer``) read that part; curves and weights are fitted to what all indicators
   say there. The shipped recognizer has seen them all and would be trusted too much.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ...decide.decide import words_of
from ...detect.neural import NeuralDetector
from ...document import Document
from ...errors import InputError
from ...evaluate.gold import GoldDocument
from ...models.calibration import Calibration
from ...models.combining import COMBINATION_FILE, Combining
from ...models.recognizer import RecognizerModel
from ...models.span import SPAN_FILE
from ...models.store import digest
from ...pipeline import Analysis, Sanitizer, load
from ...policy import Policy
from ...risk.assess import named
from ...risk.indicators import PARTIAL_MATCH, Indicator, MaskingHead
from ...risk.span.classifier import SPAN, SpanClassifier
from ...risk.span.features import features
from ..calibrate import fit_curve
from ..examples import read_tab
from ..logistic import fit_logistic
from ..outcomes import outcomes
from .cases import Judged, judged, read_biographies, read_documents
from .fitting import Case, Worth, fit_combining, fold_of, leave_one_out

RIDGE = 5.0
_DOCUMENTS = 4
"""A feature that fewer documents have says nothing of the next one, and may be somebody's name."""
_SMALL = 0.01
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Fitted:
    """All that was learned, and what it is worth."""

    span: dict[str, float]
    combining: Combining
    worth: tuple[Worth, ...]
    cases: int


def train_risk(data: Path, folds: Path, names: Sequence[str], threads: int) -> Fitted:
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
    gold = read_documents(path)
    sanitizer = load(threads=threads)
    documents = [Document(item.id, item.text) for item in gold.values()]
    biographies = read_biographies(data / "wiki/biographies_train.json")
    seen = list(judged(sanitizer.analyse_all(documents), gold))
    fold = fold_of(list(gold))
    blind = {
        held: SpanClassifier(
            fit_span([*biographies, *(i for i in seen if fold[i.document.id] != held)])
        )
        for held in sorted(set(fold.values()))
    }
    cases: list[Case] = []
    for analyses in _unseen(path, folds, gold, threads):
        for item in judged(analyses, gold):
            indicators: dict[str, Indicator] = {
                PARTIAL_MATCH: MaskingHead(),
                SPAN: blind[fold[item.document.id]],
                **dict(zip(names, named(names), strict=True)),
            }
            cases += cases_of(item, indicators)
    return Fitted(
        fit_span([*biographies, *seen]),
        fit_combining(cases),
        tuple(leave_one_out(cases)),
        len(cases),
    )


def fit_span(items: Sequence[Judged]) -> dict[str, float]:
    """Return the weights of the span classifier, small ones left out."""
    rows, shares = [], []
    documents: dict[str, set[str]] = defaultdict(set)
    for item in items:
        count = Counter(entity.type for entity in item.entities)
        for entity, share in zip(item.entities, item.shares, strict=True):
            rows.append(features(item.document, entity, count[entity.type]))
            shares.append(share)
            for name in rows[-1]:
                documents[name].add(item.document.id)
    frequent = {name for name, found in documents.items() if len(found) >= _DOCUMENTS}
    weights = fit_logistic(rows, shares, RIDGE, frequent)
    return {name: round(w, _DIGITS) for name, w in weights.items() if abs(w) >= _SMALL}


def cases_of(item: Judged, indicators: Mapping[str, Indicator]) -> Iterator[Case]:
    """Yield the entities of a document with what the indicators say of them."""
    said = {name: each.judge(item.document, item.entities) for name, each in indicators.items()}
    for place, (entity, share) in enumerate(zip(item.entities, item.shares, strict=True)):
        values = {
            name: finding.evidence.value
            for name, findings in said.items()
            if (finding := findings[place]) is not None
        }
        # Who has nothing to say agrees with the recognizer, as in ``risk/combine.py``.
        filled = {name: values.get(name, values[PARTIAL_MATCH]) for name in indicators}
        words = words_of(item.document, entity)
        yield Case(item.document.id, entity, words, share, filled)


def _unseen(
    path: Path, folds: Path, gold: Mapping[str, GoldDocument], threads: int
) -> Iterator[list[Analysis]]:
    found = sorted(folds.glob("fold-*/unseen.json"))
    if not found:
        raise InputError(
            "has no fold-N/unseen.json: give the working folder of `tacenda train recognizer`",
            str(folds),
        )
    for unseen in found:
        names = set(json.loads(unseen.read_text(encoding="utf-8")))
        model = RecognizerModel.load(unseen.parent)
        examples = [item for item in read_tab(path, model.encoder) if item.doc_id in names]
        by_type, direct = outcomes(model, examples)
        model.calibration = Calibration(
            {type: fit_curve(*zip(*pairs, strict=True)) for type, pairs in sorted(by_type.items())},
            fit_curve(*zip(*direct, strict=True)),
        )
        sanitizer = Sanitizer(Policy(), NeuralDetector(model, threads), model.threshold)
        documents = [Document(name, gold[name].text) for name in sorted(names)]
        yield sanitizer.analyse_all(documents)


def write_risk(fitted: Fitted, card: str, folder: Path) -> None:
    """Write the folder that is shipped; it is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    combination = {
        "curves": {name: asdict(curve) for name, curve in fitted.combining.curves.items()},
        "stacks": {
            names: {name: round(weight, _DIGITS) for name, weight in sorted(weights.items())}
            for names, weights in fitted.combining.stacks.items()
        },
    }
    for name, content in (
        (COMBINATION_FILE, combination),
        (SPAN_FILE, dict(sorted(fitted.span.items()))),
    ):
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "CARD.md").write_text(card, encoding="utf-8")
    files = ("CARD.md", COMBINATION_FILE, SPAN_FILE)
    digests = {name: digest(folder / name) for name in files}
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
