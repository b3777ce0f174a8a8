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

from tacenda.document import Option, SemanticType
from tacenda.evaluate.replacement_gold import ReplacedSpan, load_replacements, normal
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

RIDGE = 1.0
"""Weight of the squares of the weights, against that of one choice."""
_STEPS = 100
_CLOSE = 1e-8
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
    names = sorted({name for options in described for option in options for name in option})
    column = {name: index for index, name in enumerate(names)}
    matrices = [_matrix(options, column) for options in described]
    shares = [np.array(choice.chosen) / sum(choice.chosen) for choice in cases]
    weights = np.zeros(len(names))
    # The likelihood less the ridge is concave: Newton's steps, halved where they overshoot.
    value = _objective(weights, matrices, shares, ridge)
    for _ in range(_STEPS):
        gradient = -ridge * weights
        curvature = ridge * np.eye(len(names))
        for matrix, share in zip(matrices, shares, strict=True):
            chance = _chances(matrix @ weights)
            mean = chance @ matrix
            gradient += (share - chance) @ matrix
            curvature += (matrix.T * chance) @ matrix - np.outer(mean, mean)
        step = np.linalg.solve(curvature, gradient)
        while (new := _objective(weights + step, matrices, shares, ridge)) < value:
            step /= 2
        weights += step
        if new - value < _CLOSE:
            break
        value = new
    rounded = {name: round(float(weights[column[name]]), _DIGITS) for name in names}
    return Ranker({name: weight for name, weight in rounded.items() if weight})


def _matrix(options: list[dict[str, float]], column: dict[str, int]) -> NDArray[np.float64]:
    matrix = np.zeros((len(options), len(column)))
    for row, values in enumerate(options):
        for name, value in values.items():
            matrix[row, column[name]] = value
    return matrix


def _chances(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = np.exp(scores - scores.max())
    shares /= shares.sum()
    return shares


def _objective(
    weights: NDArray[np.float64],
    matrices: Sequence[NDArray[np.float64]],
    shares: Sequence[NDArray[np.float64]],
    ridge: float,
) -> float:
    likelihood = sum(
        float(share @ np.log(_chances(matrix @ weights) + 1e-300))
        for matrix, share in zip(matrices, shares, strict=True)
    )
    return float(likelihood - ridge / 2 * (weights @ weights))


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

    def reachable(self, bound: float, suppressed: float) -> float:
        """Return the agreement with any annotator that knowing all choices would give.

        Args:
            bound: highest residual risk of the options.
            suppressed: highest share of the spans that become ``***``.
        """
        told = hidden = 0
        for choice in self.choices:
            chosen = zip(choice.options[:-1], choice.chosen[:-1], strict=True)
            if any(count for option, count in chosen if option.risk <= bound):
                told += 1
            elif choice.chosen[-1]:
                hidden += 1
        return (told + min(hidden, suppressed * len(self.spans))) / len(self.spans)


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
        InputError: the file is no gold of replacements.
    """
    spans = load_replacements(gold)
    choices = tuple(choices_of(spans, ontology))
    return HeldOutChoices(spans, choices, cross_validated(choices, RIDGE, FOLDS))


def train_ranker(gold: Path, folder: Path, ontology: Ontology | None = None) -> HeldOutChoices:
    """Fit the ranker to all of a gold file and write the folder to ship.

    Returns:
        The cross-validation: choices on held-out documents.

    Raises:
        InputError: the file is no gold of replacements.
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
    text = _CARD.format(
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
        curve=_curve(evaluation, bound),
        ceiling=evaluation.reachable(bound, _MOST_SUPPRESSED),
        most=_MOST_SUPPRESSED,
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


_ODDS = (1.0, 2.0, 4.0, 8.0, 12.0, SUPPRESSION_ODDS, math.inf)
_MOST_SUPPRESSED = 0.2
_LICENCE = "Apache-2.0; no text of the annotated documents is in it."
_CARD = """\
Which of its true and less specific options a person would write instead of an entity: a conditional
logistic regression with {weights} weights, all in `ranker.json` by name. `tacenda.rewrite.generalize.ranker`
computes the features and reads it; the operator *generalize* takes the most specific option under the policy's
`residual_risk` that is at least {specific:g} times as likely as the likeliest one.

**Fitted to** the choices of nine annotators for {spans} spans of {documents} Wikipedia biographies (WikiReplace,
Olstad et al. 2023; SHA-256 {gold}…), by Newton's method with a ridge of {ridge}. They chose among the options of
another system, often poor ones, and then suppressed: `***` is written only where it is more than {reluctance:g}
times as likely as all other options together.

**Measured** by cross-validation in {folds} folds of whole documents; no figure is of documents that it was
fitted to. Under the default `residual_risk`, {bound:g}: agreement with any annotator, with most of them, and how often
it writes `***`:

| type | spans | any | most | *** |
|---|---|---|---|---|
{rows}

How many times likelier than all others `***` must be to be written trades agreement for text that can be read. Who knew
all choices would reach {ceiling:.3f} with `***` for at most {most:g} of the spans, because people took it where nothing good was shown.

| times | any | most | *** |
|---|---|---|---|
{curve}

**Limits.** English, biographies, nine people, who suppressed more than three times as often as it does; `prefer: detail`
in the policy takes the most specific option under the bound instead. It knows the options, not the text around them. Kinds
of options that people were never shown (`between 10 and 50 €`, `in their forties`) count as not chosen in the fit; the
operator takes the most specific of them under the bound before all others, because nobody refused them.
"""
