"""Decide what to mask in an analyzed document and write it, until nothing masked can be read.

A round assesses the entities, applies the policy and the reviewer's decisions, breaks risky
combinations, chooses the options of *generalize*, and writes the text. If a masked string can still
be seen in it, another round masks that too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import count
from typing import TYPE_CHECKING

from .checks import Check
from .decide.combinations import break_combinations, with_candidates
from .decide.decide import decide
from .decide.instead import expected_left, mask_instead
from .detect.detector import Detector
from .detect.languages import language_warnings
from .detect.merge import merge
from .detect.terms import protected
from .document import (
    Assessment,
    Combination,
    Decision,
    Document,
    Entity,
    LanguagePart,
    Leak,
    Mention,
    MentionSource,
    Replacement,
    Span,
    united,
)
from .link.linking import link
from .models.language_profiles import ENGLISH
from .models.text_language import foreign_parts, language_of
from .policy import Policy
from .policy.schema import LANGUAGE_OF_TEXT
from .result import Result
from .rewrite.generalize.candidates import Ontology
from .rewrite.generalize.kept import as_it_stands
from .rewrite.generalize.options import OptionProposer
from .rewrite.identities import KnownIdentities
from .rewrite.polish import SentenceEditor
from .rewrite.rewrite import rewrite, warnings
from .risk.assess import assess, risk_summary
from .risk.indicators import CombinationIndicator, Indicator, PluginIndicator
from .risk.registry import load_indicators
from .text.information import WORD
from .text.offsets import to_original
from .text.spans import DisjointSpans
from .verify import find_leaks

if TYPE_CHECKING:
    from .evaluate.weights import InformationContent

OntologySource = Callable[[Policy, Sequence[str]], Ontology]
"""Function that gives the ontology of the generalisations under a policy.

Its second argument has the names of a document's target, which must not leave the machine.
"""


def ontology_of(policy: Policy, names: Sequence[str] = ()) -> Ontology:
    """Return the ontology that a policy names; it never sends names anywhere.

    Raises:
        ModelError: if it is missing, damaged or of another version.
    """
    del names
    from .rewrite.ontology import open_ontology

    return open_ontology(policy.ontology)


@dataclass(frozen=True, slots=True)
class AdditionalParts:
    """Parts of the stages in addition to those that a policy names.

    Attributes:
        detectors: detectors of mentions.
        indicators: indicators of the risk of entities.
        combination_indicators: indicators of entities that must not all be left.
        checks: checks of each result, after those of the policy.
        editor: polishes sanitized sentences, as long as that adds nothing (``rewrite.polish``).
        ontology: returns the ontology for generalizations, instead of the policy's.
    """

    detectors: tuple[Detector, ...] = ()
    indicators: tuple[Indicator, ...] = ()
    combination_indicators: tuple[CombinationIndicator, ...] = ()
    checks: tuple[Check, ...] = ()
    editor: SentenceEditor | None = None
    ontology: OntologySource = ontology_of


NO_PARTS = AdditionalParts()


@dataclass(frozen=True, slots=True)
class Analysis:
    """A document with its mentions, in order and without overlaps, and its parts in other languages.

    It depends on a policy's detectors (recognizer, patterns, deny list, target); ``complete``
    applies the threshold, the operators and a reviewer's decisions. ``languages`` are the ISO 639-1
    codes of the languages that the recognizer reads; ``foreign`` are the parts in other languages.
    """

    document: Document
    mentions: tuple[Mention, ...]
    foreign: tuple[LanguagePart, ...] = ()
    languages: frozenset[str] = frozenset({ENGLISH})


@dataclass(frozen=True, slots=True)
class AssessedResult:
    """A sanitized document and the assessments behind it, one per entity."""

    sanitized: Result
    assessments: tuple[Assessment, ...]


class Reviewer:
    """A person's changes to a document, applied as it is completed. This base class makes no changes: the policy decides."""

    def entities(self, document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
        """Return the entities of the mentions."""
        return link(document, mentions)

    def decisions(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions, one per entity, in order, with the person's in place of the policy's."""
        return tuple(decisions)

    def apply_choices(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions with the options that the person chose."""
        return tuple(decisions)

    def known(self, document: Document, decisions: Sequence[Decision]) -> KnownIdentities:
        """What is written for the entities in other documents of the project."""
        return KnownIdentities()

    def should_mask_leak(self, span: Span, decision: Decision) -> bool:
        """Return whether to mask ``span`` too, a leak of the entity of ``decision``."""
        return True


# Masking a leak can join text into another leak, and a hostile text can continue that forever. So
# after this many rounds every mention is masked.
_MAX_GROWING_ROUNDS = 8


def complete(
    analysis: Analysis,
    policy: Policy,
    threshold: float,
    reviewer: Reviewer | None = None,
    parts: AdditionalParts = NO_PARTS,
) -> AssessedResult:
    """Return the sanitized document for an analysis; no model runs.

    A masked character stays masked: each round forces the masks of earlier rounds, the places where
    a masked string could still be seen, and every entity that overlaps them. So the set of masked
    characters only grows, and the rounds end at the latest when all are masked.

    Args:
        analysis: the document and its mentions.
        policy: thresholds, operators, allow and deny lists.
        threshold: used if the policy sets none.
        reviewer: a person's decisions; by default none.
        parts: indicators and an ontology in addition to the policy's; its other parts aren't used.

    Raises:
        PolicyError, MissingExtraError, InputError: if an operator can't write; see ``rewrite``.
    """
    if policy.tag_language == LANGUAGE_OF_TEXT:
        policy = policy.model_copy(update={"tag_language": language_of(analysis.document)})
    deciding = Deciding(analysis.document, policy, threshold, reviewer or Reviewer(), parts)
    state = deciding.last_round(analysis.mentions)
    return AssessedResult(_result(analysis, policy, state), state.assessments)


@dataclass(frozen=True, slots=True)
class _Round:
    """The result of one round."""

    entities: tuple[Entity, ...]
    assessments: tuple[Assessment, ...]
    decisions: tuple[Decision, ...]
    combinations: tuple[Combination, ...]
    text: str
    replacements: tuple[Replacement, ...]
    leaks: tuple[Leak, ...]


class Deciding:
    """The rounds of deciding on one document; see ``complete`` for the arguments."""

    def __init__(
        self,
        document: Document,
        policy: Policy,
        threshold: float,
        reviewer: Reviewer,
        parts: AdditionalParts,
    ) -> None:
        self._document, self._policy, self._threshold = document, policy, threshold
        self._reviewer = reviewer
        self._indicators = list(map(PluginIndicator, parts.indicators))
        together = (*load_indicators(policy.indicators), *parts.combination_indicators)
        self._combination_indicators = list(map(PluginIndicator, together))
        self._options = OptionProposer(
            document, policy, lambda: parts.ontology(policy, document.target)
        )
        self._foreign = foreign_parts(document.text, stated=document.language)
        self._budget: float | None = None  # what kept attributes may leave, set in the first round

    def last_round(self, mentions: tuple[Mention, ...]) -> _Round:
        """Return the round after which there is nothing more to mask.

        Raises:
            PolicyError, MissingExtraError, InputError: if an operator can't write; see ``rewrite``.
        """
        forced: tuple[Span, ...] = ()
        for number in count():
            state = self._round(mentions, forced)
            pursued = self._pursued(state)
            holders = _holders(mentions, pursued)
            more = (mention.span for mention in (*pursued, *holders))
            spans = united((*forced, *_masked_spans(state.decisions), *more))
            if not pursued or spans == forced:
                break
            if number >= _MAX_GROWING_ROUNDS:
                spans = united((*spans, *(mention.span for mention in mentions)))
            forced = spans
            # A mention that contains all of it is masked as a whole and stays one mention.
            places = DisjointSpans(mention.span for mention in holders)
            additions = [item for item in pursued if places.around(item.span) is None]
            mentions = merge(self._document.text, [*mentions, *additions])
        return state

    def _round(self, mentions: tuple[Mention, ...], forced: tuple[Span, ...]) -> _Round:
        """Decide with ``forced`` masked, and write the text."""
        document, policy = self._document, self._policy
        entities = self._reviewer.entities(document, mentions)
        assessments = assess(document, entities, policy, self._indicators)
        proposals = decide(document, assessments, policy, self._threshold, forced)
        combinations = tuple(
            combination
            for indicator in self._combination_indicators
            for combination in indicator.combinations(
                document, entities, partial(self._kept_anyway, assessments)
            )
        )
        decisions = self._reviewer.apply_choices(self._offers(proposals, combinations))
        known = self._reviewer.known(document, decisions)
        text, replacements = rewrite(document, decisions, policy, self._foreign, known)
        leaks = find_leaks(document, decisions, text, replacements)
        return _Round(entities, assessments, decisions, combinations, text, replacements, leaks)

    def _kept_anyway(self, assessments: Sequence[Assessment]) -> frozenset[str]:
        """Return the ids of the entities that would be left if no combination mattered.

        This ignores what earlier rounds masked, so that the combinations are the same in every
        round.
        """
        proposals = decide(self._document, assessments, self._policy, self._threshold)
        offers = self._options.propose(self._reviewer.decisions(proposals))
        return frozenset(item.entity.id for item in map(as_it_stands, offers) if not item.masked)

    def _offers(
        self, proposals: Sequence[Decision], combinations: Sequence[Combination]
    ) -> tuple[Decision, ...]:
        """Return the reviewed decisions with what is written for each.

        What readers need is left, and other entities are masked instead.
        """
        reviewed = self._reviewer.decisions(proposals)
        offers = self._options_of(proposals, reviewed, combinations)
        if self._policy.keep:
            if self._budget is None:
                self._budget = expected_left(reviewed)
            more = mask_instead(self._document, reviewed, offers, self._policy, self._budget)
            if more != tuple(reviewed):
                offers = self._options_of(proposals, more, combinations)
        return offers

    def _options_of(
        self,
        proposals: Sequence[Decision],
        reviewed: Sequence[Decision],
        combinations: Sequence[Combination],
    ) -> tuple[Decision, ...]:
        """Return the decisions with options; at least one member of every combination is changed.

        Combinations that the reviewer left and in which nothing else can change are skipped.
        """
        if not combinations:
            return tuple(map(as_it_stands, self._options.propose(reviewed)))
        by_policy = {decision.entity.id: decision for decision in proposals}
        fixed = {item.entity.id for item in reviewed if item != by_policy.get(item.entity.id)}
        candidates = with_candidates(self._document, reviewed, combinations, self._policy, fixed)
        masked = {item.entity.id for item in candidates if item.masked}
        open_combinations = [
            combination
            for combination in combinations
            if fixed.isdisjoint(combination.entity_ids)
            or not masked.isdisjoint(combination.entity_ids)
        ]
        candidates = self._options.propose(candidates)
        nats = self._information(candidates, open_combinations)
        broken = break_combinations(
            reviewed, candidates, open_combinations, self._policy, nats.__getitem__
        )
        return tuple(map(as_it_stands, broken))

    def _information(
        self, candidates: Sequence[Decision], combinations: Sequence[Combination]
    ) -> dict[Span, float]:
        """Return the information of the words in each mention that may be masked, in nats.

        It is computed without knowing the words of the other mentions.
        """
        text = self._document.text
        involved = {id for combination in combinations for id in combination.entity_ids}
        words = {
            mention.span: [
                Span(mention.span.start + word.start(), mention.span.start + word.end())
                for word in WORD.finditer(mention.span.of(text))
            ]
            for candidate in candidates
            if candidate.masked and candidate.entity.id in involved
            for mention in candidate.entity.mentions
        }
        tokens = sorted({word for each in words.values() for word in each})
        weights = _weighting(self._policy.information).weights(text, tokens)
        nats = dict(zip(tokens, weights, strict=True))
        return {span: sum(nats[word] for word in each) for span, each in words.items()}

    def _pursued(self, state: _Round) -> list[Mention]:
        """Return the places where masked strings can still be seen and must be masked too."""
        by_id = {decision.entity.id: decision for decision in state.decisions}
        leaked = (
            (_leaked(by_id[leak.entity_id], leak, state.replacements), by_id[leak.entity_id])
            for leak in state.leaks
        )
        return [
            mention
            for mention, owner in leaked
            if self._reviewer.should_mask_leak(mention.span, owner)
        ]


def _masked_spans(decisions: Iterable[Decision]) -> tuple[Span, ...]:
    return united(
        mention.span
        for decision in decisions
        if decision.masked
        for mention in decision.entity.mentions
    )


def _result(analysis: Analysis, policy: Policy, state: _Round) -> Result:
    document = analysis.document
    return Result(
        document=document,
        text=state.text,
        entities=state.entities,
        decisions=state.decisions,
        replacements=state.replacements,
        leaks=state.leaks,
        risk=risk_summary(state.decisions, state.leaks),
        warnings=(
            *language_warnings(
                document.text,
                analysis.foreign,
                analysis.languages,
                patterns_only=policy.reads_patterns_only,
            ),
            *warnings(state.text, state.decisions, state.replacements, policy),
        ),
        combinations=state.combinations,
        protected=protected(document, policy),
    )


def _holders(mentions: Sequence[Mention], pursued: Sequence[Mention]) -> list[Mention]:
    """Return the mentions that overlap ``pursued``; both are in order, without overlaps."""
    starts = [mention.span.start for mention in mentions]
    holders: dict[int, Mention] = {}
    for goal in pursued:
        place = max(0, bisect_right(starts, goal.span.start) - 1)
        while place < len(mentions) and mentions[place].span.start < goal.span.end:
            if mentions[place].span.overlaps(goal.span):
                holders[place] = mentions[place]
            place += 1
    return list(holders.values())


@cache
def _weighting(name: str) -> InformationContent:
    from .evaluate.weights import weighting

    return weighting(name)


def _leaked(decision: Decision, leak: Leak, replacements: Sequence[Replacement]) -> Mention:
    """Return the mention at a leak, which is as risky as its entity."""
    certain = max(decision.entity.mentions, key=lambda mention: mention.p_mask)
    return Mention(
        span=to_original(leak.output_start, leak.output_end, replacements),
        type=decision.entity.type,
        p_mask=max(certain.p_mask, decision.risk),
        p_direct=certain.p_direct,
        source=MentionSource.PROPAGATION,
        kind="leak",
    )
