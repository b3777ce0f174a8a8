"""The composition of the stages: text in, sanitized text with its record out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, count, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, overload

from . import plugins
from .decide.decide import decide
from .decide.instead import expected_left, mask_instead
from .detect.detector import (
    Detector,
    PluginDetector,
    detections,
    load_detectors,
    mentions_of_reading,
)
from .detect.languages import (
    check_languages,
    drop_unreliable_in_foreign_parts,
    language_warnings,
)
from .detect.logs import judge_log_fields
from .detect.merge import merge
from .detect.patterns.detector import PatternDetector, in_context
from .detect.technical import without_technical_names
from .detect.terms import policy_mentions, protected
from .detect.values import without_values
from .document import (
    Assessment,
    Combination,
    Decision,
    Document,
    Entity,
    LanguagePart,
    Leak,
    LossBound,
    Mention,
    MentionSource,
    Replacement,
    Span,
    united,
)
from .errors import InputError, PolicyError
from .link.linking import link, propagate
from .models.language_profiles import ENGLISH
from .models.text_language import foreign_parts, language_of
from .plugins import part_name, plugin_failures, plugin_fault
from .policy import Policy
from .policy.schema import LANGUAGE_OF_TEXT
from .result import Result
from .rewrite.generalize.candidates import Ontology
from .rewrite.generalize.kept import as_it_stands, attributes_of
from .rewrite.generalize.options import OptionCache, propose_options
from .rewrite.polish import PolishCounts, SentenceEditor, polish
from .rewrite.rewrite import rewrite, warnings
from .risk.assess import assess, risk_summary
from .risk.indicators import CombinationIndicator, Indicator, PluginIndicator
from .risk.registry import load_indicators
from .text.information import WORD
from .text.offsets import to_original
from .text.readings import TextReading, plain_reading
from .text.spans import DisjointSpans
from .text.target_names import check_target
from .verify import find_leaks
from .wording import missed_promise

if TYPE_CHECKING:
    from .detect.gazetteer import GazetteerDetector
    from .evaluate.weights import InformationContent


@dataclass(frozen=True, slots=True)
class Analysis:
    """A document with its mentions, in order, without overlaps, and its parts in other languages.

    It holds for the detectors of one policy (recognizer, patterns, deny list, target); threshold,
    operators and decisions of a reviewer come in with ``complete``. ``languages`` are those that
    the recognizer reads, by ISO 639-1 codes; ``foreign`` are the parts in others.
    """

    document: Document
    mentions: tuple[Mention, ...]
    foreign: tuple[LanguagePart, ...] = ()
    languages: frozenset[str] = frozenset({ENGLISH})


@dataclass(frozen=True, slots=True)
class AssessedResult:
    """A sanitized document and the assessments behind it, one an entity."""

    sanitized: Result
    assessments: tuple[Assessment, ...]


class Reviewer(Protocol):
    """A person's changes to a document, applied while it is finished."""

    def entities(self, document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
        """The entities of the mentions."""
        ...

    def decisions(self, document: Document, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the reviewed decisions, one an entity, in order.

        Args:
            document: the document of the entities.
            decisions: by the policy.
        """
        ...

    def apply_choices(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Return the decisions with the person's choice of options."""
        ...

    def should_mask_leak(self, span: Span, decision: Decision) -> bool:
        """Return whether ``span``, a leak of the entity of ``decision``, is masked too."""
        ...


class Check(Protocol):
    """Examination of a finished result, whoever decided on it."""

    def __call__(self, result: Result) -> Result:
        """The result with more warnings, leaks or identifications.

        With leaks, the document is not written. Text, decisions and replacements stay.
        """
        ...


class NoReviewer:
    """Reviewer without changes: the policy alone decides."""

    def entities(self, document: Document, mentions: Sequence[Mention]) -> tuple[Entity, ...]:
        """The entities as linked."""
        return link(document, mentions)

    def decisions(self, document: Document, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """The same decisions."""
        return tuple(decisions)

    def apply_choices(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """The same decisions."""
        return tuple(decisions)

    def should_mask_leak(self, span: Span, decision: Decision) -> bool:
        """Every leak is masked."""
        return True


# The mask of a leak can join text into another one; a hostile text goes on as long as it likes, so
# after this many rounds every mention is masked.
_MAX_GROWING_ROUNDS = 8


class Sanitizer:
    """Sanitizer of documents under one policy.

    Args:
        policy: the user's policy.
        recognizer: detector of mentions and their risk; None where the policy does without it.
        threshold: the recognizer's default masking threshold, used where the policy has none.
        detectors: of mentions, besides the recognizer, the patterns and those of the policy.
        indicators: of entities, besides the built-in ones and those of the policy.
        combination_indicators: of entities that must not all be left, besides those of the policy.
        checks: of each result, after those of the policy.
        bounds: promise of the recognizer about a share of identifiers left and a domain (None for the
            worst); needed where the policy bounds that share.
        editor: finishes sanitized sentences, as far as that adds nothing (``rewrite.polish``).
        ontology: of the generalisations; that of the policy if None.

    Attributes:
        promise: about the identifiers left; None where the policy has no ``residual_share``.
        languages: ISO 639-1 codes of those that the recognizer reads.
        polished: counts of sentences by what became of them with the editor.

    Raises:
        PolicyError: if the policy names an absent part, or bounds what can't be bounded; or there is
            an editor, and *encrypt*, whose tokens carry the seal of the text as it was.
        PluginError: if a part of the policy can't be loaded.
    """

    def __init__(
        self,
        policy: Policy,
        recognizer: Detector | None,
        threshold: float,
        *,
        detectors: Sequence[Detector] = (),
        indicators: Sequence[Indicator] = (),
        combination_indicators: Sequence[CombinationIndicator] = (),
        checks: Sequence[Check] = (),
        bounds: Callable[[float, str | None], LossBound] | None = None,
        editor: SentenceEditor | None = None,
        ontology: Ontology | None = None,
    ) -> None:
        # Unknown names are a fault of the policy, not of a document.
        load_indicators(policy.indicators)
        load_checks(policy.checks)
        if policy.ontology:
            _open_ontology(policy)
        if policy.keep:
            attributes_of(policy.keep, _open_ontology(policy))
        self.policy = policy
        self.detectors = tuple(detectors)
        self.indicators = tuple(indicators)
        self.combination_indicators = tuple(combination_indicators)
        self.checks = tuple(checks)
        self._plugins = (
            *load_detectors(policy.detectors),
            *(PluginDetector(item, part_name("detector", item)) for item in self.detectors),
        )
        self._recognizer = recognizer
        self._threshold = threshold
        self._bounds = bounds
        if editor is not None and "encrypt" in policy.operator_names:
            raise PolicyError(
                "an editor would break the tokens of encrypt; remove --polish or encrypt."
            )
        self._editor = editor
        self.ontology = ontology
        self.polished = PolishCounts()
        self.promise = _promise(policy, bounds)
        self._patterns = PatternDetector(off=policy.patterns_off) if policy.patterns else None
        self._gazetteer = _gazetteer(policy)
        self.languages: frozenset[str] = getattr(recognizer, "languages", frozenset({ENGLISH}))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made of; weights are loaded again where it is unpickled."""
        return partial(Sanitizer, self.policy, self._recognizer, self._threshold, **self._parts), ()

    @property
    def _parts(self) -> dict[str, Any]:
        """Components besides policy, recognizer and threshold."""
        return {
            "detectors": self.detectors,
            "indicators": self.indicators,
            "combination_indicators": self.combination_indicators,
            "checks": self.checks,
            "bounds": self._bounds,
            "editor": self._editor,
            "ontology": self.ontology,
        }

    @overload
    def sanitize(
        self, text: str, target: str | Sequence[str] = (), id: str = "text", subject: str = ""
    ) -> Result: ...

    @overload
    def sanitize(
        self, text: None, target: str | Sequence[str] = (), id: str = "text", subject: str = ""
    ) -> None: ...

    def sanitize(
        self,
        text: str | None,
        target: str | Sequence[str] = (),
        id: str = "text",
        subject: str = "",
    ) -> Result | None:
        """Return the sanitized text with the record of every edit; None for None, as columns have it.

        Args:
            text: the original.
            target: names of the person to protect; those names are direct identifiers.
            id: name of the document in the record.
            subject: the person it is about, for attacks; see ``Document``.

        Raises:
            InputError: if it is not a string, a name to protect has no letter, or a plug-in fails.
        """
        if text is None:
            return None
        names = (target,) if isinstance(target, str) else tuple(target)
        return self._all([Document(id, text, names, subject)])[0]

    @overload
    def pipe(self, texts: Iterable[str | Document], batch_size: int = 32) -> Iterator[Result]: ...

    @overload
    def pipe(
        self, texts: Iterable[str | Document | None], batch_size: int = 32
    ) -> Iterator[Result | None]: ...

    def pipe(
        self, texts: Iterable[str | Document | None], batch_size: int = 32
    ) -> Iterator[Result | None]:
        """Yield a result for each text, in order, reading ``batch_size`` of them at a time; None for None.

        Args:
            texts: strings, called ``text-1``, ``text-2``, … in their results, or documents.
            batch_size: more fill the recognizer's batches better; results never depend on it.

        Raises:
            ValueError: if ``batch_size`` is below 1.
            InputError: at the first document at fault; none of its batch is yielded.
        """
        if batch_size < 1:
            raise ValueError(f"batch_size is {batch_size!r}; it must be at least 1.")
        documents = (
            text if text is None or isinstance(text, Document) else Document(f"text-{number}", text)
            for number, text in enumerate(texts, start=1)
        )
        while batch := list(islice(documents, batch_size)):
            results = iter(self._all([item for item in batch if item is not None]))
            yield from (None if item is None else next(results) for item in batch)

    def analyze(self, document: Document) -> Analysis:
        """The analysis of a document; see ``complete``."""
        return self.analyze_all([document])[0]

    def analyze_all(self, documents: Sequence[Document]) -> list[Analysis]:
        """Return the analysis of each document; the recognizer runs once for all.

        Raises:
            InputError: if a name to protect has no letter, a plug-in fails, or a document has text
                in another language that the policy refuses.
        """
        return list(self._analyses(documents))

    def _analyses(self, documents: Sequence[Document]) -> Iterator[Analysis]:
        """Yield the analysis of each document; what is wrong with any of them is said before the first."""
        for document in documents:
            _check_text(document)
            check_target(document.target, document.id)
        foreign = [
            foreign_parts(document.text, self.languages, document.language)
            for document in documents
        ]
        if self.policy.languages == "refuse":
            for document, parts in zip(documents, foreign, strict=True):
                check_languages(document, parts)
        columns = [map(tuple, detector.detect(documents)) for detector in self._plugins]
        readings = [plain_reading(document.text) for document in documents]
        recognized = self._recognized(documents, readings)
        for document, parts, reading, *mentions in zip(
            documents, foreign, readings, *columns, strict=True
        ):
            candidates = [*chain(*mentions), *self._candidates(document.text, next(recognized))]
            if reading is not None:
                plain = self._candidates(reading.text, next(recognized))
                candidates += mentions_of_reading(document.text, reading, plain)
            yield self._analysis(document, candidates, parts)

    def _recognized(
        self, documents: Sequence[Document], readings: Sequence[TextReading | None]
    ) -> Iterator[Sequence[Mention]]:
        """Yield what the recognizer finds in each document and, behind it, in its plain reading if it has one."""
        if self._recognizer is None:
            return repeat(())
        pairs = zip(documents, readings, strict=True)
        texts = [
            text
            for document, reading in pairs
            for text in (document, reading and replace(document, text=reading.text))
            if text
        ]
        return detections(self._recognizer, texts)

    def _candidates(self, text: str, recognized: Sequence[Mention]) -> Iterator[Mention]:
        """Yield the mentions of the recognizer, and those of patterns and the gazetteer in the same text."""
        yield from recognized
        if self._patterns is not None:
            patterns = self._patterns.detect(text)
            yield from patterns if self._recognizer is None else in_context(patterns, recognized)
        if self._gazetteer is not None:
            yield from self._gazetteer.detect(text)

    @property
    def threshold(self) -> float:
        """The masking threshold of types without one in the policy."""
        if self.promise is not None:
            return self.promise.threshold
        return self._threshold if self.policy.threshold is None else self.policy.threshold

    def with_policy(self, policy: Policy) -> Sanitizer:
        """A sanitizer with this one's recognizer and parts under another policy.

        Raises:
            PolicyError: if the policy needs a recognizer, and this sanitizer has none.
        """
        recognizer = self._recognizer if policy.recognizer else None
        if policy.recognizer and recognizer is None:
            raise PolicyError(
                "the policy needs the recognizer, which was not loaded; load a sanitizer whose "
                "policy does not say `recognizer: false`."
            )
        return Sanitizer(policy, recognizer, self._threshold, **self._parts)

    def _all(self, documents: Sequence[Document]) -> list[Result]:
        results = (
            complete(
                analysis,
                self.policy,
                self.threshold,
                indicators=self.indicators,
                combination_indicators=self.combination_indicators,
                ontology=self.ontology,
            ).sanitized
            for analysis in self._analyses(documents)
        )
        return [
            check_result(
                with_promise(self._finished(result), self.promise), self.policy, self.checks
            )
            for result in results
        ]

    def _finished(self, result: Result) -> Result:
        """Return a result after the editor; as it was, where masked strings would be seen."""
        if self._editor is None:
            return result
        counts = PolishCounts()
        text, replacements = polish(
            result.document, result.text, result.replacements, self._editor, counts
        )
        leaks = find_leaks(result.document, result.decisions, text, replacements)
        if len(leaks) > len(result.leaks):
            counts = replace(counts, smoothed=0, refused=counts.refused + counts.smoothed)
            text, replacements, leaks = result.text, result.replacements, result.leaks
        self.polished += counts
        return replace(result, text=text, replacements=replacements, leaks=leaks)

    def _analysis(
        self,
        document: Document,
        detected: Iterable[Mention],
        foreign: tuple[LanguagePart, ...],
    ) -> Analysis:
        candidates = [*detected, *policy_mentions(document, self.policy)]
        candidates = judge_log_fields(
            document.text, list(without_technical_names(document.text, candidates))
        )
        candidates = drop_unreliable_in_foreign_parts(
            without_values(document.text, candidates),
            foreign,
            patterns_only=_reads_patterns_only(self.policy),
        )
        mentions = merge(document.text, candidates)
        if self.policy.propagate:
            elsewhere = without_technical_names(
                document.text, without_values(document.text, propagate(document, mentions))
            )
            mentions = merge(document.text, [*mentions, *elsewhere])
        return Analysis(document, mentions, foreign, self.languages)


def _check_text(document: Document) -> None:
    """Raise ``InputError``, which names its type, for what is not a string."""
    text: object = document.text
    if not isinstance(text, str):
        raise InputError(
            f"{type(text).__name__}, not text; give a string, bytes decoded first.", document.id
        )


def complete(
    analysis: Analysis,
    policy: Policy,
    threshold: float,
    reviewer: Reviewer | None = None,
    indicators: Sequence[Indicator] = (),
    combination_indicators: Sequence[CombinationIndicator] = (),
    ontology: Ontology | None = None,
) -> AssessedResult:
    """Return the sanitized document of an analysis; no model runs.

    A masked character stays masked to the end: each round forces the masks of the rounds before and
    the places where a masked string was still seen, and every entity with one of these. So the
    masked characters only grow, and the rounds end at the latest when all are masked.

    Args:
        analysis: the document and its mentions.
        policy: thresholds, operators, allow and deny lists.
        threshold: used where the policy sets none.
        reviewer: a person's decisions; none by default.
        indicators: of entities, besides the built-in ones and those of the policy.
        combination_indicators: of entities that must not all be left, besides those of the policy.
        ontology: of the generalisations; that of the policy if None.

    Raises:
        PolicyError, MissingExtraError, InputError: if an operator can't write; see ``rewrite``.
    """
    document, mentions = analysis.document, analysis.mentions
    if policy.tag_language == LANGUAGE_OF_TEXT:
        policy = policy.model_copy(update={"tag_language": language_of(document)})
    person = NoReviewer() if reviewer is None else reviewer
    judges = [PluginIndicator(item, part_name("indicator", item)) for item in indicators]
    deciding = _Deciding(
        document, policy, threshold, person, judges, combination_indicators, ontology
    )
    forced: tuple[Span, ...] = ()
    for number in count():
        state = deciding.round(mentions, forced)
        pursued = deciding.pursued(state)
        if not pursued:
            break
        holders = _holders(mentions, pursued)
        spans = united(
            (
                *forced,
                *_masked_spans(state.decisions),
                *(mention.span for mention in (*pursued, *holders)),
            )
        )
        if spans == forced:
            break
        if number >= _MAX_GROWING_ROUNDS:
            spans = united((*spans, *(mention.span for mention in mentions)))
        forced = spans
        # A mention that has all of it is masked whole, and stays one.
        places = DisjointSpans(mention.span for mention in holders)
        additions = [mention for mention in pursued if places.around(mention.span) is None]
        mentions = merge(document.text, [*mentions, *additions])
    return AssessedResult(_result(analysis, policy, state), state.assessments)


@dataclass(frozen=True, slots=True)
class _RoundState:
    """Result of one round of deciding."""

    entities: tuple[Entity, ...]
    assessments: tuple[Assessment, ...]
    decisions: tuple[Decision, ...]
    combinations: tuple[Combination, ...]
    text: str
    replacements: tuple[Replacement, ...]
    leaks: tuple[Leak, ...]


class _Deciding:
    """Rounds of deciding about one document.

    Args:
        document: the document.
        policy: thresholds, operators, allow and deny lists.
        threshold: used where the policy sets none.
        person: a person's decisions.
        judges: indicators of entities, besides those of the policy.
        combination_indicators: of entities that must not all be left, likewise.
        ontology: of the generalisations; that of the policy if None.
    """

    def __init__(
        self,
        document: Document,
        policy: Policy,
        threshold: float,
        person: Reviewer,
        judges: Sequence[Indicator],
        combination_indicators: Sequence[CombinationIndicator],
        ontology: Ontology | None,
    ) -> None:
        self._ontology = ontology
        self._document, self._policy, self._threshold = document, policy, threshold
        self._person, self._judges = person, judges
        self._combination_indicators = combination_indicators
        self._foreign = foreign_parts(document.text)
        self._memory = OptionCache()
        self._budget: float | None = None  # what kept attributes may leave: that of the first round

    def round(self, mentions: tuple[Mention, ...], forced: tuple[Span, ...]) -> _RoundState:
        """Decide, with ``forced`` masked, and write the text.

        Raises:
            PolicyError, MissingExtraError, InputError: if an operator can't write; see ``rewrite``.
        """
        document, policy, person = self._document, self._policy, self._person
        entities = person.entities(document, mentions)
        assessments = assess(document, entities, policy, self._judges)
        proposals = decide(document, assessments, policy, self._threshold, forced)
        reviewed = person.decisions(document, proposals)
        combinations = _combinations(document, entities, policy, self._combination_indicators)
        offer = partial(
            _offers, document, proposals, combinations, policy, self._memory, self._ontology
        )
        offers = offer(reviewed)
        if policy.keep:
            if self._budget is None:
                self._budget = expected_left(reviewed)
            more = mask_instead(document, reviewed, offers, policy, self._budget)
            offers = offers if more == tuple(reviewed) else offer(more)
        decisions = person.apply_choices(offers)
        text, replacements = rewrite(document, decisions, policy, self._foreign)
        leaks = find_leaks(document, decisions, text, replacements)
        return _RoundState(
            entities, assessments, decisions, combinations, text, replacements, leaks
        )

    def pursued(self, state: _RoundState) -> list[Mention]:
        """Return the places of masked strings that are still seen and must be masked, too."""
        by_id = {decision.entity.id: decision for decision in state.decisions}
        leaked = (
            (_leaked(by_id[leak.entity_id], leak, state.replacements), by_id[leak.entity_id])
            for leak in state.leaks
        )
        return [
            mention
            for mention, owner in leaked
            if self._person.should_mask_leak(mention.span, owner)
        ]


def _masked_spans(decisions: Iterable[Decision]) -> tuple[Span, ...]:
    return united(
        mention.span
        for decision in decisions
        if decision.masked
        for mention in decision.entity.mentions
    )


def _result(analysis: Analysis, policy: Policy, state: _RoundState) -> Result:
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
                patterns_only=_reads_patterns_only(policy),
            ),
            *warnings(state.text, state.decisions, state.replacements, policy),
        ),
        combinations=state.combinations,
        protected=protected(document, policy),
    )


def _holders(mentions: Sequence[Mention], pursued: Sequence[Mention]) -> list[Mention]:
    """Return the mentions with a code point of ``pursued``; all are in order, without overlaps."""
    starts = [mention.span.start for mention in mentions]
    holders: dict[int, Mention] = {}
    for goal in pursued:
        place = max(0, bisect_right(starts, goal.span.start) - 1)
        while place < len(mentions) and mentions[place].span.start < goal.span.end:
            if mentions[place].span.overlaps(goal.span):
                holders[place] = mentions[place]
            place += 1
    return list(holders.values())


def _combinations(
    document: Document,
    entities: Sequence[Entity],
    policy: Policy,
    additional: Sequence[CombinationIndicator],
) -> tuple[Combination, ...]:
    """The risky combinations by the policy's indicators, and by additional ones."""
    indicators: tuple[CombinationIndicator, ...] = (
        *load_indicators(policy.indicators),
        *(PluginIndicator(item, part_name("indicator", item)) for item in additional),
    )
    return tuple(
        combination
        for indicator in indicators
        for combination in indicator.combinations(document, entities)
    )


def _ontology(
    decisions: Sequence[Decision], policy: Policy, ontology: Ontology | None
) -> Ontology | None:
    """The ontology of the generalisations; None where nothing is generalised."""
    if not policy.keep and not any(item.operator == "generalize" for item in decisions):
        return None
    return ontology or _open_ontology(policy)


def _open_ontology(policy: Policy) -> Ontology:
    from .rewrite.ontology import open_ontology

    return open_ontology(policy.ontology)


def _offers(
    document: Document,
    proposals: Sequence[Decision],
    combinations: Sequence[Combination],
    policy: Policy,
    memory: OptionCache,
    ontology: Ontology | None,
    reviewed: Sequence[Decision],
) -> tuple[Decision, ...]:
    """The decisions with what is written for each, at least one member of every combination changed."""
    if combinations:
        offers = _break_combinations(
            document, proposals, reviewed, combinations, policy, memory, ontology
        )
    else:
        offers = propose_options(
            document, reviewed, policy, _ontology(reviewed, policy, ontology), memory=memory
        )
    return tuple(map(as_it_stands, offers))


def _break_combinations(
    document: Document,
    proposals: Sequence[Decision],
    reviewed: Sequence[Decision],
    combinations: Sequence[Combination],
    policy: Policy,
    memory: OptionCache,
    ontology: Ontology | None,
) -> tuple[Decision, ...]:
    """Return the decisions that change at least one member of every risky combination.

    Combinations that the reviewer left, and of which nothing else can change, are skipped.
    """
    from .decide.combinations import break_combinations, with_candidates

    by_policy = {decision.entity.id: decision for decision in proposals}
    fixed = {item.entity.id for item in reviewed if item != by_policy.get(item.entity.id)}
    candidates = with_candidates(document, reviewed, combinations, policy, fixed)
    masked = {item.entity.id for item in candidates if item.masked}
    combinations = [
        combination
        for combination in combinations
        if fixed.isdisjoint(combination.entity_ids) or not masked.isdisjoint(combination.entity_ids)
    ]
    candidates = propose_options(
        document, candidates, policy, _ontology(candidates, policy, ontology), memory=memory
    )
    involved = {id for combination in combinations for id in combination.entity_ids}
    spans = [
        mention.span
        for candidate in candidates
        if candidate.masked and candidate.entity.id in involved
        for mention in candidate.entity.mentions
    ]
    nats = _information(document.text, spans, policy.information)
    return break_combinations(reviewed, candidates, combinations, policy, nats.__getitem__)


def _information(text: str, spans: Sequence[Span], name: str) -> dict[Span, float]:
    """Return the information of the words of each span, in nats, given none of the other spans' words."""
    words = {
        span: [
            Span(span.start + word.start(), span.start + word.end())
            for word in WORD.finditer(span.of(text))
        ]
        for span in spans
    }
    tokens = sorted({word for each in words.values() for word in each})
    nats = dict(zip(tokens, _weighting(name).weights(text, tokens), strict=True))
    return {span: sum(nats[word] for word in each) for span, each in words.items()}


@cache
def _weighting(name: str) -> InformationContent:
    from .evaluate.weights import weighting

    return weighting(name)


def _leaked(decision: Decision, leak: Leak, replacements: Sequence[Replacement]) -> Mention:
    """The mention at a leak, as risky as its entity."""
    certain = max(decision.entity.mentions, key=lambda mention: mention.p_mask)
    return Mention(
        span=to_original(leak.output_start, leak.output_end, replacements),
        type=decision.entity.type,
        p_mask=max(certain.p_mask, decision.risk),
        p_direct=certain.p_direct,
        source=MentionSource.PROPAGATION,
        kind="leak",
    )


def load(
    policy: Policy | str | Path = "default",
    *,
    model: str | Path | None = None,
    threads: int | None = None,
    detectors: Sequence[Detector] = (),
    indicators: Sequence[Indicator] = (),
    combination_indicators: Sequence[CombinationIndicator] = (),
    checks: Sequence[Check] = (),
    editor: SentenceEditor | None = None,
    ontology: Ontology | None = None,
) -> Sanitizer:
    """Return a sanitizer with the embedded recognizer; no network, no torch.

    Args:
        policy: a ``Policy``, the name of a shipped one, or the path of a YAML file.
        model: name of a shipped recognizer, or a folder with one; the policy's if None.
        threads: number of cores; all cores of this process if None.
        detectors: of mentions, besides the recognizer and the patterns.
        indicators: of entities, such as ``reidentify.AttackIndicator``.
        combination_indicators: of entities that must not all be left, such as
            ``risk.search.SearchRisk``.
        checks: of each result, such as ``reidentify.ResidualAttack``.
        editor: finishes sanitized sentences, such as ``tacenda_lab.llm.open_editor``.
        ontology: of the generalisations, such as one that asks Wikidata; the policy's if None.

    The ``detectors``, ``indicators``, operators and ``checks`` of a policy may be of a plug-in: a
    package with entry points (``tacenda.plugins``).

    Raises:
        PolicyError: if the policy can't be used.
        ModelError: if the weights are missing or damaged.
        PluginError: if a plug-in of the policy can't be loaded.
    """
    settings = policy if isinstance(policy, Policy) else Policy.load(policy)
    recognizer, threshold, bounds = _recognizer(settings, model, threads)
    return Sanitizer(
        settings,
        recognizer,
        threshold,
        detectors=detectors,
        indicators=indicators,
        combination_indicators=combination_indicators,
        checks=checks,
        bounds=bounds,
        editor=editor,
        ontology=ontology,
    )


def _recognizer(
    policy: Policy, model: str | Path | None, threads: int | None
) -> tuple[Detector | None, float, Callable[[float, str | None], LossBound] | None]:
    """Return the policy's recognizer, its default threshold and its bounds."""
    if not policy.recognizer:
        if policy.threshold is None:
            raise PolicyError("recognizer: false leaves no default threshold; set `threshold:`.")
        return None, policy.threshold, None
    from .detect.neural import NeuralDetector
    from .models.session import cores
    from .models.store import DEFAULT, locate
    from .models.token_classifier import TokenClassifier, open_recognizer

    weights = open_recognizer(locate(policy.model or DEFAULT if model is None else model))
    # A library of tensors takes all cores for one batch.
    is_joint = isinstance(weights, TokenClassifier)
    count = 1 if is_joint else cores() if threads is None else threads
    detector = NeuralDetector(weights, count)
    return detector, weights.threshold, None if weights.bounds is None else weights.bounds.promise


def _promise(
    policy: Policy, bounds: Callable[[float, str | None], LossBound] | None
) -> LossBound | None:
    """Return the promise of a policy about the identifiers left.

    Raises:
        PolicyError: if the policy bounds their share, and it was not measured for its parts.
    """
    if policy.residual_share is None:
        if policy.domain is not None and bounds is not None:
            bounds(1.0, policy.domain)  # An unknown domain is a fault of the policy.
        return None
    if bounds is None:
        raise PolicyError(
            "residual_share needs a recognizer with bounds, which `tacenda lab train bound` measures; "
            "set a threshold instead."
        )
    if not (policy.patterns is True and policy.propagate and policy.combine == "any"):
        raise PolicyError(
            "residual_share was measured with patterns, propagation and `combine: any`; leave them "
            "on, or set a threshold instead."
        )
    return bounds(policy.residual_share, policy.domain)


def with_promise(result: Result, promise: LossBound | None) -> Result:
    """Return a result with the promise of its policy, and a warning where it can't be kept."""
    if promise is None:
        return result
    warning = () if promise.is_met else (missed_promise(promise),)
    return replace(
        result,
        risk=replace(result.risk, promise=promise),
        warnings=(*result.warnings, *warning),
    )


def load_checks(names: Sequence[str]) -> tuple[tuple[str, Check], ...]:
    """Return the checks of plug-ins by their names, each with its label for messages.

    Raises:
        PolicyError: if there is none of a name; the message lists the names.
        PluginError: if one can't be loaded.
    """
    return tuple(plugins.named_parts(plugins.CHECKS, "check", names))


def check_result(result: Result, policy: Policy, checks: Sequence[Check]) -> Result:
    """Return a result after all checks, those of the policy first.

    Raises:
        InputError: if a check fails, or changes a verified part.
    """
    named_checks = ((part_name("check", check), check) for check in checks)
    for name, check in (*load_checks(policy.checks), *named_checks):
        with plugin_failures(name, result.document.id):
            outcome = check(result)
        if not isinstance(outcome, Result) or _verified(outcome) != _verified(result):
            raise plugin_fault(name, "changes what was verified", result.document.id)
        result = outcome
    return result


def _verified(result: Result) -> tuple[object, ...]:
    return result.document, result.text, result.decisions, result.replacements, result.protected


def _reads_patterns_only(policy: Policy) -> bool:
    """Whether nothing by the recognizer is masked in other languages."""
    return not policy.recognizer or policy.languages == "patterns"


def _gazetteer(policy: Policy) -> GazetteerDetector | None:
    """The detector of terms about people, if the policy enables it."""
    if policy.gazetteer is None:
        return None
    from .detect.gazetteer import GazetteerDetector

    return GazetteerDetector(minimum=policy.gazetteer)
