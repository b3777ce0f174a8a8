"""A document whose entities are generalised, or suppressed, until nobody is sure of whom it speaks.

assessments ─ rewrite.offer ─▶ offers ─ search ─▶ levels ─ rewrite ─▶ text, and what it is taken for
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...document import Assessment, Decision, Document, Replacement
from ...policy import Policy
from ...rewrite.generalize.options import offer
from ...rewrite.rewrite import rewrite
from ...text.information import information_of
from ..attack.attacker import Attacker
from ..words import WordedDocument, read_words
from .anonymize import Belief, believe, check_k
from .edit_game import EditGame
from .edit_search import greedy_edits, take_back
from .offers import KEPT, Offer
from .units import entity_units

_GENERALIZE = "generalize"
_SUPPRESS = "suppress"
_REASON = "Changed: attackers would have the person among the first {k}."


@dataclass(frozen=True, slots=True)
class Edited:
    """What was written, and what it does.

    Attributes:
        reached: whether no attacker has the person among its first K.
        text: the document with the edits made.
        replacements: the edits, in order of the text.
        decisions: one an entity.
        words_changed: how many words of the original they replace.
        kept: share of the information of all entities that is left, in [0, 1].
        beliefs: one an attacker, of the text.
    """

    reached: bool
    text: str = field(repr=False)
    replacements: tuple[Replacement, ...]
    decisions: tuple[Decision, ...]
    words_changed: int
    kept: float
    beliefs: tuple[Belief, ...]


class Options:
    """The entities of a document with what may be written of them.

    Args:
        document: the document.
        assessments: one an entity.
        policy: says how options are written.
    """

    def __init__(
        self, document: WordedDocument, assessments: Sequence[Assessment], policy: Policy
    ) -> None:
        from ...rewrite.ontology import shipped

        self._document = document.document
        self._policy = policy
        # As if all were masked, so that no option names another entity.
        exposed = [
            Decision(each.entity, True, _GENERALIZE, each.identifier, each.risk, ())
            for each in assessments
        ]
        self._decisions = offer(self._document, exposed, policy, shipped())
        units = entity_units(document, [each.entity for each in assessments])
        places = {decision.entity.id: n for n, decision in enumerate(self._decisions)}
        self._places = [places[unit.entity] for unit in units]
        self.offers = tuple(
            self._offer(self._decisions[place], unit.words)
            for place, unit in zip(self._places, units, strict=True)
        )

    def decisions(self, levels: Sequence[int], reason: str = "") -> tuple[Decision, ...]:
        """Return the decisions, one an entity, that levels, one an offer, stand for."""
        found = [replace(each, masked=False, operator="", choice=None) for each in self._decisions]
        for place, level in zip(self._places, levels, strict=True):
            if level != KEPT:
                each = self._decisions[place]
                last = level == len(each.options) - 1
                found[place] = replace(
                    each,
                    operator=_SUPPRESS if last else _GENERALIZE,
                    choice=each.options[level],
                    reasons=(reason,),
                )
        return tuple(found)

    def write(self, levels: Sequence[int]) -> str:
        """Return the text of levels, one an offer."""
        return rewrite(self._document, self.decisions(levels), self._policy)[0]

    def _offer(self, decision: Decision, words: tuple[int, ...]) -> Offer:
        text = self._document.text
        opening, closing = "[]" if self._policy.brackets else ("", "")
        return Offer(
            words=words,
            mentions=len(decision.entity.mentions),
            texts=tuple(f"{opening}{option.text}{closing}" for option in decision.options),
            kept=tuple(option.kept for option in decision.options),
            information=information_of(text, decision.entity),
        )


def edit(
    document: WordedDocument,
    person: int,
    attackers: Sequence[Attacker],
    k: int,
    assessments: Sequence[Assessment],
    policy: Policy,
) -> Edited:
    """Return the document with the edits that lose least of those found to hide the person.

    Args:
        document: the document.
        person: number of the person to hide.
        attackers: at least one.
        k: at least 1, below the number of people.
        assessments: one an entity; their risks do not count, attackers decide.
        policy: says how options are written.

    Raises:
        InputError: if nobody can hide among so few people.
    """
    check_k(k, attackers[0].n_people)
    options = Options(document, assessments, policy)
    game = EditGame(attackers, document, person, options.offers, options.write, k)
    greedy_edits(game)
    take_back(game)
    decisions = options.decisions(game.levels, _REASON.format(k=k))
    text, replacements = rewrite(document.document, decisions, policy)
    words = read_words(Document(document.document.id, text))
    told = sum(each.information for each in options.offers)
    lost = sum(each.lost(level) for each, level in zip(options.offers, game.levels, strict=True))
    return Edited(
        reached=game.hidden,
        text=text,
        replacements=replacements,
        decisions=decisions,
        words_changed=int(document.masked([edit.original for edit in replacements]).sum()),
        kept=1 - lost / told if told else 1.0,
        beliefs=tuple(believe(each, words, words.unmasked(), person) for each in attackers),
    )
