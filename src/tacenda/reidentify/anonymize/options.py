"""True but less specific options for what is masked: ``date in the 1810s`` in place of a day.

What the search masks may be more than it takes: of a date the decade, of a town its country may stand. An entity with
all its words masked is an *offer*, its options are further units of the search: words after the text that are hidden
until they are written.

    mask ─▶ offers ─ with_options ─▶ document and units of options ─ search.specify ─▶ choices ─ write ─▶ text
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...document import (
    Assessment,
    Decision,
    Document,
    Effect,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    Option,
    Reason,
    Replacement,
    RuleKind,
    SemanticType,
    Span,
)
from ...policy import Policy
from ...rewrite.generalize.options import propose_options
from ...rewrite.rewrite import rewrite
from ...text.information import UnigramSurprisal
from ..tokens import STOP_WORDS, TokenizedDocument, read_words
from .objective import MaskingObjective
from .search import Offered, show
from .units import MaskUnit, mask_of, masked_spans

_GENERALIZE = "generalize"
_SUPPRESS = "suppress"
_MASKS = "masks"
"""Id of the group of all masked words that belong to no offer."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An entity and what may be written in its place.

    Attributes:
        decision: the decision about the entity, with its options, most specific first; ``***`` is
            last.
        words: indexes of the words in its mentions, at least one.
        telling: those of them that aren't stop words, at least one.
    """

    decision: Decision
    words: tuple[int, ...]
    telling: frozenset[int]

    @property
    def options(self) -> tuple[Option, ...]:
        """All options except ``***``."""
        return self.decision.options[:-1]


Choice: TypeAlias = tuple[Offer, Option]
"""An offer, and the option of it that is written."""


def offers_of(
    document: TokenizedDocument,
    mask: NDArray[np.bool_],
    assessments: Sequence[Assessment],
    barred: Sequence[int],
    policy: Policy,
    k: int,
) -> tuple[Offer, ...]:
    """Return the entities that have options and all of whose words, except stop words, are masked, [words].

    No option repeats a masked word.

    Args:
        document: the document.
        mask: whether each word is masked, [words].
        assessments: one per entity; an entity that shares a word with an earlier one has no
            options.
        barred: words that have no options.
        policy: says how options are written.
        k: the person must not be among the first K.
    """
    from ...rewrite.ontology import shipped

    keys = document.keys
    masked = frozenset(map(int, np.flatnonzero(mask)))
    cover = document.unmasked()
    words: list[NDArray[np.intp]] = []
    decisions = []
    reasons = (Reason(RuleKind.ATTACK, Effect.EDIT, k=k),)
    for each in assessments:
        inside = document.masked([mention.span for mention in each.entity.mentions])
        content = {int(n) for n in np.flatnonzero(inside) if keys[n] not in STOP_WORDS}
        if content and content <= masked.difference(barred) and not (inside & cover).any():
            words.append(np.flatnonzero(inside))
            decisions.append(
                Decision(each.entity, True, _GENERALIZE, each.identifier, each.risk, reasons)
            )
        cover |= inside
    if not decisions:
        return ()
    hidden = {keys[place] for place in masked} - STOP_WORDS
    offers = []
    specific = policy.with_changes(prefer="detail")  # Not chosen by the ranker; see ``show``.
    proposed = propose_options(document.document, decisions, specific, shipped())
    for decision, places in zip(proposed, words, strict=True):
        *options, suppression = decision.options
        options = [option for option in options if hidden.isdisjoint(_keys(option.text))]
        if options:
            decision = replace(decision, options=(*options, suppression))
            telling = frozenset(int(n) for n in places if keys[n] not in STOP_WORDS)
            offers.append(Offer(decision, tuple(map(int, places)), telling))
    return tuple(offers)


def write(
    document: TokenizedDocument,
    mask: NDArray[np.bool_],
    policy: Policy,
    choices: Sequence[Choice] = (),
) -> tuple[str, tuple[Replacement, ...]]:
    """Return the text with ``***`` for masked words, [words], and options for some offers."""
    rest = mask.copy()
    decisions = []
    for offer, option in choices:
        rest[list(offer.words)] = False
        decisions.append(replace(offer.decision, operator=_GENERALIZE, choice=option))
    mentions = tuple(
        Mention(span, SemanticType.MISC, 1.0, 0.0, MentionSource.PROPAGATION)
        for span in masked_spans(document, rest)
    )
    if mentions:
        masks = Entity(_MASKS, SemanticType.MISC, 0, mentions)
        decisions.append(Decision(masks, True, _SUPPRESS, IdentifierType.QUASI, 1.0, ()))
    return rewrite(document.document, decisions, policy)


def choose_options(
    document: TokenizedDocument,
    masked: Sequence[MaskUnit],
    n_required: int,
    offers: Sequence[Offer],
    objective_of: Callable[[TokenizedDocument, Sequence[MaskUnit]], MaskingObjective],
    k: int,
) -> tuple[NDArray[np.bool_], list[Choice]]:
    """Return the words that stay masked, [words], and the options that are written.

    Args:
        document: the document.
        masked: its masked units.
        n_required: how many of these, from the start, must stay masked or replaced.
        offers: what may be written.
        objective_of: returns the objective for a document and its units, with nothing masked yet.
        k: the person must not be among the first K.
    """
    extended, further = with_options(document, offers)
    units = [*masked, *(unit for options in further for unit in options if unit is not None)]
    objective = objective_of(extended, units)
    for number in range(len(units)):
        objective.mask(number)
    numbers = iter(range(len(masked), len(units)))
    offered = [
        Offered(
            frozenset(
                n for n, unit in enumerate(masked) if not offer.telling.isdisjoint(unit.words)
            ),
            tuple(None if unit is None else next(numbers) for unit in options),
            information_of_words(document, offer.words),
        )
        for offer, options in zip(offers, further, strict=True)
    ]
    lost = [information_of_words(document, unit.words) for unit in masked]
    free, required = range(n_required, len(masked)), range(n_required)
    shown = show(objective, free, k, lost, offered, required)
    mask = mask_of(masked, (*required, *shown.masked), len(document))
    return mask, [(offers[n], offers[n].options[level]) for n, level in shown.written.items()]


def with_options(
    document: TokenizedDocument, offers: Sequence[Offer]
) -> tuple[TokenizedDocument, list[list[MaskUnit | None]]]:
    """Return a document with all options after its text, as words that may be written, and their units.

    An option occurs as often as it would be written; one without words, such as ``PERSON 1``, has
    no unit.

    Returns:
        The document, and one unit per option of each offer.
    """
    text = document.document.text
    spans, keys = list(document.spans), list(document.keys)
    units: list[list[MaskUnit | None]] = []
    for offer in offers:
        of_offer: list[MaskUnit | None] = []
        for option in offer.options:
            words = read_words(Document("option", f"[{option.text}]"))
            first = len(keys)
            for _ in offer.decision.entity.mentions:
                shift = len(text) + 1
                spans += [Span(span.start + shift, span.end + shift) for span in words.spans]
                keys += words.keys
                text = f"{text}\n{words.document.text}"
            of_offer.append(MaskUnit(tuple(range(first, len(keys)))) if len(words) else None)
        units.append(of_offer)
    extended = TokenizedDocument(
        replace(document.document, text=text), tuple(spans), tuple(keys), len(keys) - len(document)
    )
    return extended, units


def information_of_words(
    document: TokenizedDocument, words: Iterable[int] | NDArray[np.intp]
) -> float:
    """Return the information of words in a document, in nats."""
    surprisal = UnigramSurprisal.shipped().surprisal
    return sum(surprisal(document.keys[place]) for place in words)


def information_kept(
    document: TokenizedDocument,
    units: Sequence[MaskUnit],
    mask: NDArray[np.bool_],
    choices: Sequence[Choice] = (),
) -> float:
    """Return the share of all units' information that a mask leaves, [words], in [0, 1]."""
    total = sum(information_of_words(document, unit.words) for unit in units)
    loss = information_of_words(document, np.flatnonzero(mask))
    written = sum(
        information_of_words(document, offer.telling) * option.kept for offer, option in choices
    )
    return 1 - (loss - written) / total if total else 1.0


def _keys(text: str) -> frozenset[str]:
    return frozenset(read_words(Document("option", text)).keys)
