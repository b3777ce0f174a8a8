"""Risk indicators: their protocols, and the three used by every assessment."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Protocol, runtime_checkable

from .. import plugins
from ..document import (
    Assessment,
    Certainty,
    Combination,
    Decision,
    Document,
    Entity,
    Evidence,
    IdentifierType,
    Leak,
    Mention,
    MentionSource,
    Risk,
    SemanticType,
)
from ..errors import PolicyError
from ..memory import LruCache
from ..models.calibration import Combining, load_combining
from ..plugins import plugin_failures, plugin_fault
from ..policy import Policy
from ..text.folding import normalize_text
from ..text.names import parse_name
from ..text.surface_forms import TargetName


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding of an indicator about an entity.

    Attributes:
        evidence: the finding.
        identifier: the implied type of identifier.
        certain: ground for masking the entity whatever its risk; None where the risk decides.
    """

    evidence: Evidence
    identifier: IdentifierType
    certain: Certainty | None = None


@runtime_checkable
class Indicator(Protocol):
    """Indicator of the risk of entities, each for itself."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return the findings, one an entity, in order; None where there is none.

        The value of its evidence is a calibrated masking probability of the entity in [0, 1], its
        statement a sentence without text of the document.
        """
        ...


@runtime_checkable
class CombinationIndicator(Protocol):
    """Indicator of combinations: entities that point to the person when left together."""

    def combinations(self, document: Document, entities: Sequence[Entity]) -> Sequence[Combination]:
        """The risky combinations, no one a superset of another."""
        ...


# Indicators of plug-ins, which may judge entities, combinations or both.


class PluginIndicator:
    """Indicator of a plug-in, with its findings checked against the entities.

    Args:
        indicator: of the plug-in.
        name: its label for messages.
    """

    def __init__(self, indicator: Indicator | CombinationIndicator, name: str) -> None:
        self._indicator = indicator
        self._name = name

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return one finding an entity, in order; None from an indicator of combinations alone.

        Raises:
            InputError: if the indicator fails, or returns something else.
        """
        if not isinstance(self._indicator, Indicator):
            return [None] * len(entities)
        with plugin_failures(self._name, document.id):
            findings = list(self._indicator.judge(document, entities))
        if len(findings) != len(entities):
            fault = f"returns {len(findings)} findings for {len(entities)} entities"
            raise plugin_fault(self._name, fault, document.id)
        for finding in findings:
            if finding is not None and not _is_finding(finding):
                fault = "returns what is no finding with a value in [0, 1]"
                raise plugin_fault(self._name, fault, document.id)
        return findings

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """Return the risky combinations; none from an indicator of entities alone.

        Raises:
            InputError: if the indicator fails, or returns something else.
        """
        if not isinstance(self._indicator, CombinationIndicator):
            return ()
        with plugin_failures(self._name, document.id):
            combinations = tuple(self._indicator.combinations(document, entities))
        ids = {entity.id for entity in entities}
        for item in combinations:
            if not isinstance(item, Combination) or not ids.issuperset(item.entity_ids):
                fault = "returns what is no combination of the document's entities"
                raise plugin_fault(self._name, fault, document.id)
        return combinations


def _is_finding(finding: Finding) -> bool:
    return (
        isinstance(finding, Finding)
        and isinstance(finding.identifier, IdentifierType)
        and 0.0 <= finding.evidence.value <= 1.0
    )


# The detectors' own probability, the indicator "sequence labelling" of ``privacy_risk_indicators``,
# section 5.4: of several words by partial match, the riskiest word, or by full match, the least risky.


PARTIAL_MATCH = "masking_head"
FULL_MATCH = "masking_head_whole"


class RecognizerIndicator:
    """Highest masking probability over the mentions of an entity.

    Args:
        min_word: whether every word of a mention must be to be masked, or any.
    """

    def __init__(self, min_word: bool = False) -> None:
        self._whole = min_word

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """A finding for each entity."""
        return [
            _full_match(entity) if self._whole else _partial_match(entity) for entity in entities
        ]


def _partial_match(entity: Entity) -> Finding:
    riskiest = max(entity.mentions, key=lambda mention: (mention.p_mask, mention.p_direct))
    direct = max(mention.p_direct for mention in entity.mentions)
    statement = (
        f"{_says(riskiest)} {riskiest.p_mask:.2f} that this must be masked, {direct:.2f} that it "
        "identifies a person directly."
    )
    evidence = Evidence(PARTIAL_MATCH, riskiest.p_mask, statement)
    return Finding(evidence, _most_probable(riskiest.p_mask, direct))


def _full_match(entity: Entity) -> Finding:
    value, riskiest = max(
        (_p_mask_min_word(mention), -place) for place, mention in enumerate(entity.mentions)
    )
    says = _says(entity.mentions[-riskiest])
    statement = f"{says} {value:.2f} that every word of it must be masked."
    return Finding(Evidence(FULL_MATCH, value, statement), _most_probable(value, 0.0))


def _p_mask_min_word(mention: Mention) -> float:
    return mention.p_mask if mention.p_mask_min_word is None else mention.p_mask_min_word


def _most_probable(p_mask: float, p_direct: float) -> IdentifierType:
    """The most probable type of identifier."""
    if p_direct >= max(p_mask - p_direct, 1.0 - p_mask) or p_direct >= 0.5:
        return IdentifierType.DIRECT
    return IdentifierType.QUASI if p_mask >= 0.5 else IdentifierType.NO_MASK


def _says(mention: Mention) -> str:
    if mention.source is MentionSource.NEURAL:
        return "The recognizer gives"
    if mention.source is MentionSource.PATTERN:
        return f"Its form ({mention.kind.replace('_', ' ') or 'number'}) gives"
    if mention.source is MentionSource.GAZETTEER:
        return f"What it says of a person ({mention.kind.replace('_', ' ')}) gives"
    if mention.source is MentionSource.PROPAGATION:
        return "Another mention of the same string gives"
    if mention.source is MentionSource.PLUGIN:
        return f"A plug-in ({mention.kind.replace('_', ' ') or 'detector'}) gives"
    return "The policy gives"


class IdentityNumbers:
    """Indicator of identity numbers: risk 1 for an entity that a pattern is certain about."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """A finding for each entity with a certain pattern among its mentions."""
        return [_identity_number_finding(entity) for entity in entities]


def _identity_number_finding(entity: Entity) -> Finding | None:
    for mention in entity.mentions:
        if mention.source is MentionSource.PATTERN and mention.p_direct == 1.0:
            kind = mention.kind.replace("_", " ") or "number"
            statement = f"Its form is that of a contact or identity number ({kind}): always masked."
            return Finding(
                Evidence("identity_number", 1.0, statement),
                IdentifierType.DIRECT,
                Certainty.IDENTITY_NUMBER,
            )
    return None


# The person to protect: an entity that bears one of the target's names is a direct identifier.
#
# For the target "Mr Galip Yalman", names compared in parts, without titles, case and diacritics:
#
# | entity | says | because |
# |---|---|---|
# | ``Galip Yalman``, ``G. Yalman``, ``YALMAN Galip``, ``Galip`` | DIRECT, 1.0 | nothing contradicts |
# | ``Yalman`` | DIRECT, 1.0 | unless another mention of the entity contradicts |
# | ``Mrs Yalman``, ``Ayşe Yalman`` | QUASI, 0.9 | a namesake, often a relative: the surname tells |
# | ``Galip Yalman & Sons`` (not a PERSON) | DIRECT, 1.0 | it holds the whole name |
# | ``Yalman Ltd`` (not a PERSON) | QUASI, 0.9 | it holds the surname |
#
# What the target is and that its names are direct identifiers is TAB, section 3.1 and 3.2.


NAMESAKE_RISK = 0.9
_TARGET = Finding(
    Evidence("target", 1.0, "It is a name of the person to protect."),
    IdentifierType.DIRECT,
    Certainty.TARGET,
)
_NAMESAKE = Finding(
    Evidence("namesake", NAMESAKE_RISK, "It has the surname of the person to protect."),
    IdentifierType.QUASI,
)


class Target:
    """Indicator of the target: risk 1 for its names, 0.9 for others with the surname.

    Args:
        names: further names to protect, from the policy.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = tuple(names)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity that bears a target's name, or its surname only."""
        targets = [TargetName.parse(name) for name in (*document.target, *self._names)]
        if not targets:
            return [None] * len(entities)
        return [_target_finding(document, entity, targets) for entity in entities]


def _target_finding(
    document: Document, entity: Entity, targets: Sequence[TargetName]
) -> Finding | None:
    strings = {mention.span.of(document.text) for mention in entity.mentions}
    folded = [normalize_text(string).strip() for string in sorted(strings)]
    if any(target.is_whole_in(string) for string in folded for target in targets):
        return _TARGET
    if entity.type is not SemanticType.PERSON:
        surnames = {target.name.surname for target in targets if target.name} - {""}
        namesake = any(surnames & set(string.split()) for string in folded)
        return _NAMESAKE if namesake else None
    names = [name for name in map(parse_name, folded) if name is not None]
    if any(target.is_namesake(name) for name in names for target in targets):
        return _NAMESAKE
    return _TARGET if any(target.can_be(name) for name in names for target in targets) else None


# Assessments: the findings of all indicators about an entity, combined into one risk.


# Indicators by name: the built-in ones, and those of other packages by an entry point of
# ``tacenda.indicators``, called without arguments, or with the folder that stands behind its name and a colon. The name is that of its evidence,
# whose value is a calibrated probability. A ``CombinationIndicator`` is asked for combinations too.


def _whole_match() -> Indicator:

    return RecognizerIndicator(min_word=True)


REGISTRY: dict[str, Callable[[], Indicator]] = {"masking_head_whole": _whole_match}
"""The built-in ones."""


def indicator_names() -> tuple[str, ...]:
    """The names of all indicators, built in or from other packages, sorted.

    Raises:
        PluginError: if two of them have one name.
    """
    return tuple(sorted((*REGISTRY, *plugins.names(plugins.INDICATORS, REGISTRY))))


class CachedIndicator:
    """An indicator that is asked by one thread at a time, and once about the same entities.

    Args:
        indicator: of entities, of combinations, or of both.
        size: number of documents whose answers are kept; one is enough for the rounds in which a
            document is decided.
    """

    def __init__(self, indicator: Indicator | CombinationIndicator, size: int = 1) -> None:
        self._indicator = indicator
        self._lock = Lock()
        self._findings: LruCache[_Subject, tuple[Finding | None, ...]] = LruCache(size)
        self._combinations: LruCache[_Subject, tuple[Combination, ...]] = LruCache(size)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """The findings, one an entity, in order; None where the indicator judges no entities."""
        indicator = self._indicator
        if not isinstance(indicator, Indicator):
            return [None] * len(entities)

        def judge() -> tuple[Finding | None, ...]:
            with self._lock:
                return tuple(indicator.judge(document, entities))

        return list(self._findings.get_or_compute((document, tuple(entities)), judge))

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """The risky combinations; none where the indicator finds none."""
        indicator = self._indicator
        if not isinstance(indicator, CombinationIndicator):
            return ()

        def find() -> tuple[Combination, ...]:
            with self._lock:
                return tuple(indicator.combinations(document, entities))

        return self._combinations.get_or_compute((document, tuple(entities)), find)


_Subject = tuple[Document, tuple[Entity, ...]]


def kind_of(indicator: str) -> str:
    """Return the kind of an indicator, before the colon: ``language`` of ``language:FOLDER``."""
    return indicator.partition(":")[0]


@cache
def _load_indicator(name: str) -> CachedIndicator:
    kind, _, folder = name.partition(":")
    factory = REGISTRY.get(kind)
    part = f"indicator {kind!r}"
    if factory is not None:
        if folder:
            raise PolicyError(f"{part} is built in, and has no folder; remove {folder!r}")
        return CachedIndicator(factory())
    arguments = (folder,) if folder else ()
    made = plugins.create(plugins.INDICATORS, kind, part, *arguments)
    return CachedIndicator(PluginIndicator(made, part))


def load_indicators(names: Sequence[str]) -> tuple[CachedIndicator, ...]:
    """The indicators with these names, each loaded once in a process.

    Args:
        names: of a kind, or a kind, a colon and the folder of one that was trained.

    Raises:
        PolicyError: if there is none of a name (the message lists those there are), or two of a kind.
        MissingLabError: if only ``tacenda-lab`` has it, and is not installed.
        PluginError: if it can't be loaded.
    """
    kinds = [kind_of(name) for name in names]
    for kind in kinds:
        if kind not in REGISTRY and kind not in (
            *indicator_names(),
            *plugins.LAB[plugins.INDICATORS],
        ):
            raise PolicyError(
                f"no indicator is called {kind!r}; there are: {', '.join(indicator_names())}"
            )
        if kinds.count(kind) > 1 and len(set(names)) == len(names):
            raise PolicyError(f"indicators: {kind} is there with two folders; remove one")
    return tuple(map(_load_indicator, names))


# Several indicators combined into one probability that the entity must be masked:
#
# | ``combine:`` | the probability |
# |---|---|
# | any | the largest: one indicator suffices (``explicit_risk_measures``, 3.3) |
# | all | the smallest: all must agree |
# | weighted | the mean of the log odds, by the policy's weights |
# | learned | a logistic regression over the log odds, the type and the number of mentions |
#
# Combined are the recognizer and the policy's ``indicators``, each by its curve, which was fitted with
# the weights of *learned* (``tacenda lab train risk``). Certain findings (an identity number, a name of
# the target) and those of a search or an attacker only ever raise the probability. An indicator
# without a finding is taken to agree with the recognizer.


COMBINED = "combined"
_LEAST = 1e-4


def combined_evidence(
    entity: Entity, evidence: Sequence[Evidence], policy: Policy
) -> Evidence | None:
    """Return the combined probability as evidence; None where the largest value stands.

    Args:
        entity: the entity.
        evidence: one value an indicator.
        policy: names the indicators and their combination.

    Raises:
        PolicyError: if *learned* was fitted to no such set of indicators.
        ModelError: if the fitted weights are missing or damaged.
    """
    if policy.combine == "any" and not policy.indicators:
        return None
    names = (PARTIAL_MATCH, *policy.indicators)
    folder = policy.combine.partition(":")[2]
    fitted = load_combining(folder) if folder else load_combining()
    # A curve belongs to the shipped indicator of its name.
    probabilities = {
        name: fitted.calibrated(name, item.value)
        for item in evidence
        for name in names
        if item.indicator == kind_of(name)
    }
    values = {name: probabilities.get(name, probabilities[PARTIAL_MATCH]) for name in names}
    value = joint(entity, values, policy, fitted)
    listed = ", ".join(f"{name} {values[name]:.2f}" for name in names)
    statement = f"Together ({policy.combine}) the indicators give {value:.2f}: {listed}."
    return Evidence(COMBINED, value, statement)


def joint(entity: Entity, values: Mapping[str, float], policy: Policy, fitted: Combining) -> float:
    """Return the probability by all indicators together.

    Args:
        entity: the entity.
        values: calibrated, by indicator.
        policy: names their combination.
        fitted: the weights of *learned*.

    Raises:
        PolicyError: if *learned* was fitted to no such set of indicators, or all weights are 0.
    """
    if policy.combine == "any":
        return max(values.values())
    if policy.combine == "all":
        return min(values.values())
    if policy.combine == "weighted":
        weights = {name: policy.weights.get(name, 1.0) for name in values}
        total = sum(weights.values())
        if not total:
            raise PolicyError("weights: all are 0; one indicator must count")
        return probability(sum(weights[name] * log_odds(values[name]) for name in values) / total)
    learned = fitted.stacks.get(stack_name(values))
    if learned is None:
        raise PolicyError(
            f"combine: learned was not fitted to {stack_name(values)}; to these it was: "
            f"{', '.join(sorted(fitted.stacks))}"
        )
    described = indicator_features(entity, values)
    return probability(sum(learned.get(name, 0.0) * value for name, value in described.items()))


def stack_name(indicators: Iterable[str]) -> str:
    """The name of a set of indicators in the weights of *learned*."""
    return "+".join(sorted(indicators))


def indicator_features(entity: Entity, values: Mapping[str, float]) -> dict[str, float]:
    """Return the features of *learned*, by name.

    Args:
        entity: the entity.
        values: calibrated, by indicator.
    """
    described = {name: log_odds(value) for name, value in values.items()}
    described[f"type {entity.type}"] = 1.0
    described["log mentions"] = math.log(len(entity.mentions))
    return described


def log_odds(value: float) -> float:
    """log(p / (1 - p)), p kept off 0 and 1."""
    chance = min(1 - _LEAST, max(_LEAST, value))
    return math.log(chance / (1 - chance))


def probability(odds: float) -> float:
    """The probability with these log odds."""
    return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))


_CERTAINTIES = {None: 0, Certainty.IDENTITY_NUMBER: 1, Certainty.TARGET: 2}
_SEVERITY = {IdentifierType.NO_MASK: 0, IdentifierType.QUASI: 1, IdentifierType.DIRECT: 2}


def assess(
    document: Document,
    entities: Sequence[Entity],
    policy: Policy,
    indicators: Sequence[Indicator] = (),
) -> tuple[Assessment, ...]:
    """Return the assessments, one an entity, in order; the package describes their combination.

    Args:
        document: the document of the mentions.
        entities: the entities.
        policy: names the persons to protect besides the document's own target, and indicators
            besides the built-in ones, with their combination.
        indicators: indicators without a name, such as those with an index.

    Raises:
        PolicyError: if the policy's indicators are unknown or can't be combined.
    """
    always: tuple[Indicator, ...] = (
        RecognizerIndicator(),
        IdentityNumbers(),
        Target(policy.target),
    )
    all_indicators = (*always, *load_indicators(policy.indicators), *indicators)
    columns = [indicator.judge(document, entities) for indicator in all_indicators]
    return tuple(
        _combine(entity, [finding for finding in findings if finding is not None], policy)
        for entity, *findings in zip(entities, *columns, strict=True)
    )


def _combine(entity: Entity, findings: list[Finding], policy: Policy) -> Assessment:
    findings.sort(key=lambda finding: (-finding.evidence.value, -_SEVERITY[finding.identifier]))
    evidence = tuple(finding.evidence for finding in findings)
    risk = evidence[0].value
    combination = combined_evidence(entity, evidence, policy)
    if combination is not None:
        graded = (PARTIAL_MATCH, *map(kind_of, policy.indicators))
        values = [item.value for item in evidence if item.indicator not in graded]
        evidence = (combination, *evidence)
        risk = max((combination.value, *values))
    return Assessment(
        entity=entity,
        risk=risk,
        identifier=max((finding.identifier for finding in findings), key=_SEVERITY.__getitem__),
        evidence=evidence,
        certain=max((finding.certain for finding in findings), key=_CERTAINTIES.__getitem__),
    )


def risk_summary(decisions: Sequence[Decision], leaks: Sequence[Leak]) -> Risk:
    """Return the sums of the calibrated probabilities of all entities, and of the kept ones.

    An entity that leaked counts as kept. One that is generalized as little as possible counts by how
    far it still singles out.
    """
    leaked = {leak.entity_id for leak in leaks}
    kept = [item for item in decisions if not item.masked or item.entity.id in leaked]
    by_people = [item.risk for item in kept if item.is_kept_by_person]
    left = {
        item.entity.id: item.risk if item.entity.id in leaked else item.risk_left
        for item in decisions
        if not item.is_kept_by_person
    }
    by_attribute: dict[str, float] = {}
    for item in decisions:
        if item.attribute:
            risk = by_attribute.get(item.attribute, 0.0) + left[item.entity.id]
            by_attribute[item.attribute] = risk
    return Risk(
        before=sum(decision.risk for decision in decisions),
        residual=sum(left.values()),
        highest_kept=max((item.risk for item in kept), default=0.0),
        leaks=len(leaks),
        kept_by_people=sum(by_people) if by_people else None,
        kept_attributes=by_attribute or None,
    )
