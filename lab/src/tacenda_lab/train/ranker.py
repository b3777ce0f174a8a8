"""The ranker of *generalize*, fitted to people's choices.

Conditional logistic regression (``rewrite/generalize/ranker.py``), by Newton's method with a ridge.
The choices of several people are equal parts of one choice. A choice outside our options is
ignored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.feature_extraction import DictVectorizer

from tacenda.document import Option, SemanticType
from tacenda.evaluate.replacement_gold import (
    ReplacedSpan,
    kappa_with_annotators,
    load_replacements,
    measure_annotators,
    normal,
)
from tacenda.evaluate.tables import format_coefficient
from tacenda.models.store import digest
from tacenda.models.tables import RANKER_FILE, text_digest
from tacenda.policy import Policy
from tacenda.rewrite.generalize.candidates import Ontology, strings
from tacenda.rewrite.generalize.options import rules
from tacenda.rewrite.generalize.ranker import (
    SPECIFIC_SHARE,
    SUPPRESSION_ODDS,
    Ranker,
    features,
    likeliest,
)

from ..evaluation.replacements import ChoiceAgreement, measure_choices
from .packages import Card, write_card, write_json
from .tables import read_card

RIDGE = 1.0
"""Weight of the squares of the weights, against that of one choice."""
_CLOSE = 1e-7
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class AnnotatedChoice:
    """Choices of people for one span.

    Attributes:
        group: unit of cross-validation, such as the document.
        type: semantic type of the entity.
        originals: the strings of its mentions.
        options: offered, the most specific first, with ``***`` last.
        chosen: number of people for each option.
    """

    group: str
    type: SemanticType
    originals: tuple[str, ...]
    options: tuple[Option, ...]
    chosen: tuple[int, ...]


def fit(choices: Sequence[AnnotatedChoice], ridge: float = RIDGE) -> Ranker:
    """Return the ranker of highest likelihood of the choices, less the ridge.

    Args:
        choices: at least one with a chosen option.
        ridge: positive; the weights are unique then.
    """
    cases = [choice for choice in choices if any(choice.chosen)]
    described = [features(choice.type, choice.originals, choice.options) for choice in cases]
    starts = np.cumsum([0, *map(len, described)])[:-1]
    vectorizer = DictVectorizer(sparse=False)
    rows = vectorizer.fit_transform([option for options in described for option in options])
    shares = np.concatenate([np.array(case.chosen) / sum(case.chosen) for case in cases])

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        chances = _chances(rows @ weights, starts)
        value = ridge / 2 * (weights @ weights) - shares @ np.log(chances + 1e-300)
        return float(value), ridge * weights - (shares - chances) @ rows

    fitted = minimize(
        loss, np.zeros(rows.shape[1]), jac=True, method="BFGS", options={"gtol": _CLOSE}
    )
    names = vectorizer.feature_names_
    rounded = {
        name: round(float(weight), _DIGITS) for name, weight in zip(names, fitted.x, strict=True)
    }
    return Ranker({name: weight for name, weight in rounded.items() if weight})


def _chances(scores: NDArray[np.float64], starts: NDArray[np.int_]) -> NDArray[np.float64]:
    """Return the probability of each option; the options of a choice begin at one of ``starts``."""
    sizes = np.diff([*starts, len(scores)])
    shares: NDArray[np.float64] = np.exp(
        scores - np.repeat(np.maximum.reduceat(scores, starts), sizes)
    )
    shares /= np.repeat(np.add.reduceat(shares, starts), sizes)
    return shares


def cross_validated(
    choices: Sequence[AnnotatedChoice], ridge: float = RIDGE, folds: int = 10
) -> tuple[tuple[float, ...], ...]:
    """Return the probabilities of each choice's options by a ranker fitted without its group.

    Args:
        choices: of at least two groups.
        ridge: as in ``fit``.
        folds: number of parts to hold out in turn; groups go to them in order of their names.
    """
    groups = sorted({choice.group for choice in choices})
    fold = {group: index % folds for index, group in enumerate(groups)}
    rankers = {
        held_out: fit([choice for choice in choices if fold[choice.group] != held_out], ridge)
        for held_out in sorted(set(fold.values()))
    }
    return tuple(
        rankers[fold[choice.group]].probabilities(choice.type, choice.originals, choice.options)
        for choice in choices
    )


def write_ranker(ranker: Ranker, texts: Iterable[str], card: Card, folder: Path) -> None:
    """Write ``ranker.json``, ``CARD.md`` and ``digests.json``: the folder to ship.

    Args:
        ranker: the weights.
        texts: the training documents; their digests are written.
        card: of the folder.
        folder: created if missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "weights": dict(sorted(ranker.weights.items())),
        "fitted_to": sorted(set(map(text_digest, texts))),
    }
    write_json(folder / RANKER_FILE, content)
    write_card(folder, card, (RANKER_FILE,))


# From gold in the format of WikiReplace to the ranker that is shipped, with its card.


FOLDS = 10


@dataclass(frozen=True, slots=True)
class HeldOutChoices:
    """Spans, with predictions of a ranker fitted without their document.

    Attributes:
        spans: the gold.
        choices: the same with our options.
        chances: probability of each option of each choice.
    """

    spans: tuple[ReplacedSpan, ...]
    choices: tuple[AnnotatedChoice, ...]
    chances: tuple[tuple[float, ...], ...]

    def agreement(self, bound: float = 1.0, odds: float = SUPPRESSION_ODDS) -> ChoiceAgreement:
        """Return the agreement of likely options under a residual risk with choices.

        Args:
            bound: highest residual risk.
            odds: how many times likelier than all other options ``***`` must be to be chosen.
        """
        options = iter([choice.options for choice in self.choices])
        chances = iter(zip(self.choices, self.chances, strict=True))

        def choose(*_: object) -> Option:
            choice, chance = next(chances)
            return likeliest(choice.options, chance, bound, odds)

        return measure_choices(self.spans, lambda *_: next(options), choose)

    def kappa(self, bound: float) -> float | None:
        """Return the mean of Cohen's κ of the likely options with each annotator's choices.

        Args:
            bound: highest residual risk of the options.
        """
        texts = [
            likeliest(choice.options, chance, bound).text
            for choice, chance in zip(self.choices, self.chances, strict=True)
        ]
        return kappa_with_annotators(self.spans, texts)


def choices_of(
    spans: Sequence[ReplacedSpan], ontology: Ontology | None = None
) -> Iterator[AnnotatedChoice]:
    """Yield people's choices among our options for each span.

    Args:
        spans: the gold.
        ontology: classes of names; None to use the text alone.
    """
    of_type = rules(ontology)
    for span in spans:
        entity = span.entity
        options = of_type[entity.type].options(span.document, entity)
        votes = span.votes()
        texts = [normal(option.text) for option in options]
        yield AnnotatedChoice(
            group=span.document.id,
            type=entity.type,
            originals=strings(span.document, entity),
            options=options,
            chosen=tuple(votes[text] for text in texts),
        )


def held_out_choices(gold: Path, ontology: Ontology | None = None) -> HeldOutChoices:
    """Return the spans of a gold file with the chances by cross-validation over documents.

    Raises:
        InputError: the file is not gold annotations of replacements.
    """
    spans = load_replacements(gold)
    choices = tuple(choices_of(spans, ontology))
    return HeldOutChoices(spans, choices, cross_validated(choices, RIDGE, FOLDS))


def train_ranker(gold: Path, folder: Path, ontology: Ontology | None = None) -> HeldOutChoices:
    """Fit the ranker to all of a gold file and write the folder to ship.

    Returns:
        The cross-validation: choices on held-out documents.

    Raises:
        InputError: the file is not gold annotations of replacements.
    """
    evaluation = held_out_choices(gold, ontology)
    ranker = fit(evaluation.choices)
    texts = (span.document.text for span in evaluation.spans)
    write_ranker(ranker, texts, _card(evaluation, len(ranker.weights), digest(gold)), folder)
    return evaluation


def _card(evaluation: HeldOutChoices, weights: int, gold: str) -> Card:
    bound = Policy().residual_risk
    agreement = evaluation.agreement(bound)
    documents = len({choice.group for choice in evaluation.choices})
    rows = "\n".join(
        f"| {type} | {part.spans} | {part.any / part.spans:.3f} | {part.most / part.spans:.3f} "
        f"| {part.suppressed / part.spans:.3f} |"
        for type, part in [*agreement.by_type.items(), ("all", agreement.total)]
    )
    text = read_card("ranker").format(
        weights=weights,
        spans=len(evaluation.spans),
        documents=documents,
        gold=gold[:16],
        folds=FOLDS,
        ridge=RIDGE,
        reluctance=SUPPRESSION_ODDS,
        specific=SPECIFIC_SHARE,
        bound=bound,
        rows=rows,
        kappa=format_coefficient(evaluation.kappa(bound)),
        light_kappa=format_coefficient(measure_annotators(evaluation.spans).light_kappa),
        curve=_curve(evaluation, bound),
    )
    return Card(text, _LICENCE, "`tacenda lab train ranker GOLD --out FOLDER`.")


def _curve(evaluation: HeldOutChoices, bound: float) -> str:
    rows = []
    for odds in _ODDS:
        total = evaluation.agreement(bound, odds).total
        any, most, suppressed = (
            count / total.spans for count in (total.any, total.most, total.suppressed)
        )
        rows.append(f"| {odds:g} | {any:.3f} | {most:.3f} | {suppressed:.3f} |")
    return "\n".join(rows)


_ODDS = (1.0, 2.0, SUPPRESSION_ODDS, 4.0, 8.0, math.inf)
_LICENCE = "Apache-2.0; no text of the annotated documents is in it."
