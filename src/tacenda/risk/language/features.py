"""How likely an entity is where it stands, reduced to numbers that a classifier can read.

Each mention's log-probabilities, with all of it and all other mentions of its entity hidden, become
their minimum, maximum, median, mean and sum (``privacy_risk_indicators``, section 5.1); an entity has
the means of its mentions', the first few of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...document import Document, Entity, SemanticType
from .subwords import LanguageModel, Subwords

REDUCTIONS: Final = ("min", "max", "median", "mean", "sum")
MENTIONS: Final = 3
"""Mentions of an entity that are asked about: the first ones."""


def log_probabilities(
    document: Document, entities: Sequence[Entity], model: LanguageModel, mentions: int = MENTIONS
) -> list[list[NDArray[np.floating]]]:
    """Return log p of each subword of each entity's first mentions, in nats.

    The other mentions of the entity are hidden as well, all of them; other entities are shown.

    Args:
        document: has the text.
        entities: what is asked about.
        model: is asked.
        mentions: of an entity, at most.
    """
    subwords = Subwords(model, document.text)
    questions, asked_by = [], []
    for number, entity in enumerate(entities):
        spans = [mention.span for mention in entity.mentions]
        hidden = subwords.hiding(spans)
        for wanted in map(subwords.of, spans[:mentions]):
            # The model may have no subword for a mention: a lone control character, say.
            if wanted:
                questions.append(subwords.question(hidden, wanted))
                asked_by.append(number)
    found: list[list[NDArray[np.floating]]] = [[] for _ in entities]
    for number, answer in zip(asked_by, model.answer(questions), strict=True):
        found[number].append(answer)
    return found


def features(
    document: Document, entities: Sequence[Entity], model: LanguageModel, mentions: int = MENTIONS
) -> NDArray[np.float64]:
    """Return what ``REDUCTIONS`` names for each entity, float64 [n, 5], in nats.

    Rows of entities without a subword of the model are NaN. See ``log_probabilities``.
    """
    return np.array(
        [_reduced(found) for found in log_probabilities(document, entities, model, mentions)]
    ).reshape(-1, len(REDUCTIONS))


def _reduced(mentions: Sequence[NDArray[np.floating]]) -> NDArray[np.float64]:
    if not mentions:
        return np.full(len(REDUCTIONS), np.nan)
    rows = [
        (each.min(), each.max(), np.median(each), each.mean(), each.sum())
        for each in (mention.astype(np.float64) for mention in mentions)
    ]
    mean: NDArray[np.float64] = np.mean(rows, axis=0)
    return mean


def described(found: NDArray[np.float64], types: Sequence[SemanticType]) -> list[dict[str, float]]:
    """Return features and type of each entity by name, as the logistic regression reads them.

    Mean and sum are there once more under the type's name: what is surprising in a date is
    nothing unusual in an organisation.
    """
    rows = []
    for row, type in zip(found, types, strict=True):
        named = dict(zip(REDUCTIONS, map(float, row), strict=True))
        of_type = {f"{name} of {type}": named[name] for name in ("mean", "sum")}
        rows.append({**named, **of_type, f"type {type}": 1.0})
    return rows
