"""How much an entity reveals about the direct identifiers.

Each direct identifier is hidden, and the language model gives its probability: once with an entity
shown, once with it hidden. The rise of the log-probability is the information that the entity gives
(``privacy_risk_indicators``, section 5). All other entities are hidden (*alone*) to measure the
entity by itself, or shown (*among*) to measure what it adds to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacenda.document import Document, Entity, Evidence, IdentifierType, SemanticType, Span
from tacenda.models.networks import Question
from tacenda.risk.indicators import Finding
from tacenda.risk.target_risk import Target

from .language import LanguageModelProtocol, Subwords, Threshold

PERTURBATION = "perturbation"
SLOTS = 2
"""Places of direct identifiers that are asked about: the first ones."""
_DIRECT = 0.5


class Perturbation:
    """Indicator of entities by the rise of the probability of direct identifiers.

    Direct identifiers are the mentions with a name of the target or, without a target, the people
    that the recognizer calls direct. If there are none, there are no findings.

    Args:
        model: the language model.
        sole_limit: threshold for the rise, in nats, with all other entities hidden. An entity above
            it is risky.
        context_limit: the same with all other entities shown.
        names: further names to protect, from the policy.
    """

    def __init__(
        self,
        model: LanguageModelProtocol,
        sole_limit: Threshold,
        context_limit: Threshold,
        names: Sequence[str] = (),
    ) -> None:
        self._model = model
        self._alone = sole_limit
        self._among = context_limit
        self._target = Target(names)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity except for the direct identifiers themselves."""
        direct = self.direct(document, entities)
        rises = perturbations(document, entities, direct, self._model)
        return [None if np.isnan(row).any() else self._finding(*map(float, row)) for row in rises]

    def direct(self, document: Document, entities: Sequence[Entity]) -> list[int]:
        """Return the indices of the direct identifiers among the entities."""
        findings = self._target.judge(document, entities)
        indices = [
            index
            for index, finding in enumerate(findings)
            if finding is not None and finding.identifier is IdentifierType.DIRECT
        ]
        return indices or [
            index
            for index, entity in enumerate(entities)
            if entity.type is SemanticType.PERSON
            and max(mention.p_direct for mention in entity.mentions) >= _DIRECT
        ]

    def _finding(self, sole_rise: float, context_rise: float) -> Finding:
        value = max(
            limit.risky if rise > limit.at else limit.other
            for rise, limit in ((sole_rise, self._alone), (context_rise, self._among))
        )
        risky = sole_rise > self._alone.at or context_rise > self._among.at
        statement = (
            f"Showing it changes the log-probability of the direct identifiers by {sole_rise:+.2f} with "
            f"everything else hidden and by {context_rise:+.2f} with everything else shown."
        )
        identifier = IdentifierType.QUASI if risky else IdentifierType.NO_MASK
        return Finding(Evidence(PERTURBATION, value, statement), identifier)


def perturbations(
    document: Document,
    entities: Sequence[Entity],
    direct: Sequence[int],
    model: LanguageModelProtocol,
) -> NDArray[np.float64]:
    """Return the rise of the log-probability of direct identifiers by each entity, in nats.

    Args:
        document: the document.
        entities: the entities to measure.
        direct: indices of the direct identifiers.
        model: the language model.

    Returns:
        float64 [n, 2], *alone* and *among*; NaN for the direct identifiers, for entities without a
            subword, and for all without a direct identifier.
    """
    subwords = Subwords(model, document.text)
    spans = [[mention.span for mention in entity.mentions] for entity in entities]
    identifiers = sorted(span for index in direct for span in spans[index])
    slots = [place for place in map(subwords.of, identifiers) if place][:SLOTS]
    mask = subwords.within(identifiers)
    context = _PerturbedContext(
        subwords,
        slots=[slot[: max(1, subwords.window // 2)] for slot in slots],
        direct=mask,
        all_hidden=subwords.hiding([span for group in spans for span in group]),
        all_shown=np.where(mask, subwords.mask_id, subwords.ids),
    )
    by_entity = {
        index: list(context.questions(spans[index]))
        for index in range(len(entities))
        if index not in set(direct)
    }
    answers = iter(model.answer([question for group in by_entity.values() for question in group]))
    rises = np.full((len(entities), 2), np.nan)
    for index, questions in by_entity.items():
        if questions:
            sums = [float(next(answers).sum()) for _ in questions]
            sole_sum, empty_sum, full_sum, rest_sum = np.reshape(sums, (-1, 4)).mean(axis=0)
            rises[index] = sole_sum - empty_sum, full_sum - rest_sum
    return rises


@dataclass(frozen=True, slots=True, eq=False)
class _PerturbedContext:
    """A text with its direct identifiers hidden.

    Attributes:
        subwords: the text.
        slots: places of the direct identifiers to predict.
        direct: bool [n], whether each subword belongs to one of them.
        all_hidden: ids [n] with all entities hidden.
        all_shown: ids [n] with all others shown.
    """

    subwords: Subwords
    slots: Sequence[range]
    direct: NDArray[np.bool_]
    all_hidden: NDArray[np.int64]
    all_shown: NDArray[np.int64]

    def questions(self, spans: Sequence[Span]) -> Iterator[Question]:
        """Yield four questions per slot: with the entity shown and hidden while all else is hidden, then while all else is shown."""
        places = [place for place in map(self.subwords.of, spans) if place]
        if not places:
            return
        # Words that a direct identifier also has stay hidden.
        mask = self.subwords.within(spans) & ~self.direct
        variants = (
            np.where(mask, self.subwords.ids, self.all_hidden),
            self.all_hidden,
            self.all_shown,
            np.where(mask, self.subwords.mask_id, self.all_shown),
        )
        for slot in self.slots:
            nearest = min(places, key=lambda place: abs(place.start - slot.start))
            view = _window(slot, nearest, len(self.subwords), self.subwords.window)
            first = int(np.searchsorted(view, slot.start))
            for ids in variants:
                yield Question(
                    ids=tuple(ids[view].tolist()),
                    places=tuple(range(first, first + len(slot))),
                    targets=tuple(self.subwords.ids[slot.start : slot.stop].tolist()),
                )


def _window(slot: range, place: range, n: int, size: int) -> NDArray[np.int64]:
    """Return the subwords around a slot and around a mention, in text order."""
    half = size // 2
    mask = np.zeros(n, dtype=bool)
    for part in (slot, place):
        start = max(0, min((part.start + part.stop - half) // 2, n - half))
        mask[start : start + half] = True
    return np.flatnonzero(mask)
