"""From gold in the format of WikiReplace to the ranker that is shipped, with its card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..document import Option, SemanticType
from ..evaluate.replacement_gold import ReplacedSpan, load_replacements, normal
from ..evaluate.replacements.choices import ChoiceAgreement, measure_choices
from ..models.store import digest
from ..policy import Policy
from ..rewrite.generalize.candidates import Ontology, strings
from ..rewrite.generalize.options import rules
from ..rewrite.generalize.ranker import RELUCTANCE, RELUCTANCE_OF, likeliest
from .ranker import RIDGE, Choice, cross_validated, fit, write_ranker

FOLDS = 10


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Spans, and what a ranker that never saw their document makes of them.

    Attributes:
        spans: the gold.
        choices: the same with our options.
        chances: probability of each option of each choice.
    """

    spans: tuple[ReplacedSpan, ...]
    choices: tuple[Choice, ...]
    chances: tuple[tuple[float, ...], ...]

    def agreement(self, bound: float = 1.0) -> ChoiceAgreement:
        """Return how far the likeliest options under a residual risk are those of people."""
        options = iter([choice.options for choice in self.choices])
        chances = iter(zip(self.choices, self.chances, strict=True))

        def choose(*_: object) -> Option:
            choice, chance = next(chances)
            return likeliest(choice.type, choice.options, chance, bound)

        return measure_choices(self.spans, lambda *_: next(options), choose)


def choices_of(spans: Sequence[ReplacedSpan], ontology: Ontology | None = None) -> Iterator[Choice]:
    """Yield what people chose of the options that we offer for each span.

    Args:
        spans: the gold.
        ontology: knows what names stand for; None for what the text says alone.
    """
    of_type = rules(ontology)
    for span in spans:
        entity = span.entity
        options = of_type[entity.type].options(span.document, entity)
        votes = span.votes()
        ours = [normal(option.text) for option in options]
        yield Choice(
            group=span.document.id,
            type=entity.type,
            originals=strings(span.document, entity),
            options=options,
            chosen=tuple(votes[text] for text in ours),
        )


def held_out(gold: Path, ontology: Ontology | None = None) -> HeldOut:
    """Return the spans of a gold file with the chances by cross-validation over documents.

    Raises:
        InputError: the file is no gold of replacements.
    """
    spans = load_replacements(gold)
    choices = tuple(choices_of(spans, ontology))
    return HeldOut(spans, choices, cross_validated(choices, RIDGE, FOLDS))


def train_ranker(gold: Path, folder: Path, ontology: Ontology | None = None) -> HeldOut:
    """Fit the ranker to all of a gold file and write the folder that is shipped.

    Returns:
        The cross-validation: what the ranker is worth is measured on documents it never saw.

    Raises:
        InputError: the file is no gold of replacements.
    """
    found = held_out(gold, ontology)
    ranker = fit(found.choices)
    texts = (span.document.text for span in found.spans)
    write_ranker(ranker, texts, _card(found, len(ranker.weights), digest(gold)), folder)
    return found


def _card(found: HeldOut, weights: int, gold: str) -> str:
    bound = Policy().residual_risk
    agreement = found.agreement(bound)
    documents = len({choice.group for choice in found.choices})
    rows = "\n".join(
        f"| {type} | {part.spans} | {part.any / part.spans:.3f} | {part.most / part.spans:.3f} "
        f"| {part.suppressed / part.spans:.3f} |"
        for type, part in [*agreement.by_type.items(), ("all", agreement.total)]
    )
    return _CARD.format(
        weights=weights,
        spans=len(found.spans),
        documents=documents,
        gold=gold[:16],
        folds=FOLDS,
        ridge=RIDGE,
        reluctance=RELUCTANCE,
        of_places=RELUCTANCE_OF[SemanticType.LOC],
        bound=bound,
        rows=rows,
    )


_CARD = """\
# ranker-en

Which of its true and less specific options a person would write instead of an entity: a conditional
logistic regression with {weights} weights, all in `ranker.json` by name. `tacenda.rewrite.generalize.choose`
computes the features and reads it; the operator *generalize* takes the likeliest option under the policy's
`residual_risk`.

**Fitted to** the choices of nine annotators for {spans} spans of {documents} Wikipedia biographies (WikiReplace,
Olstad et al. 2023; SHA-256 {gold}…), by Newton's method with a ridge of {ridge}. They chose among the options of
another system, often poor ones, and then suppressed: `***` is written only where it is more than {reluctance:g}
times as likely as all other options together, of a place more than {of_places:g} times.

**Measured** by cross-validation in {folds} folds of whole documents; no figure is of documents that it was
fitted to. Under the default `residual_risk`, {bound:g}: agreement with any annotator, with most of them, and how often
it writes `***`:

| type | spans | any | most | *** |
|---|---|---|---|---|
{rows}

**Limits.** English, biographies, nine people. It still suppresses organisations and works more often than good
options would need; `prefer: detail` in the policy takes the most specific option under the bound instead.
It knows the options, not the text around them. Kinds of options that people were never shown
(`between 10 and 50 €`, `in their forties`) count as not chosen.

**Licence.** Apache-2.0; no text of the annotated documents is in it.

**Rebuild.** `tacenda train ranker GOLD --out FOLDER`. SHA-256 of each file: `digests.json`, compared whenever
the ranker is loaded.
"""
