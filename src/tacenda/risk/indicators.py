"""Risk indicators: their protocols, and the three that every assessment uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..document import (
    Certainty,
    Combination,
    Document,
    Entity,
    Evidence,
    IdentifierType,
    Mention,
    MentionSource,
    SemanticType,
)
from ..plugins import plugin_failures, plugin_fault
from ..text.folding import normalize_text
from ..text.names import parse_name
from ..text.target import TargetName


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding of an indicator about an entity.

    Attributes:
        evidence: the finding.
        identifier: the type of identifier that it implies.
        certain: what makes the entity masked whatever its risk; None where the risk decides.
    """

    evidence: Evidence
    identifier: IdentifierType
    certain: Certainty | None = None


@runtime_checkable
class Indicator(Protocol):
    """Judges the entities of a document, each for itself."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """The findings, one an entity, in order; None where there is nothing to say.

        The value of its evidence is a calibrated probability in [0, 1] that the entity must be
        masked, its statement a sentence without text of the document.
        """
        ...


@runtime_checkable
class CombinationIndicator(Protocol):
    """Finds the entities that point to the person when they are left together."""

    def combinations(self, document: Document, entities: Sequence[Entity]) -> Sequence[Combination]:
        """The risky combinations, no one a superset of another."""
        ...


# Indicators of plug-ins, which may judge entities, combinations or both.


class PluginIndicator:
    """Says what the indicator of a plug-in says, if it is about the entities that it was asked of.

    Args:
        indicator: of the plug-in.
        name: what messages call it.
    """

    def __init__(self, indicator: Indicator | CombinationIndicator, name: str) -> None:
        self._indicator = indicator
        self._name = name

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return one finding an entity, in order; None from one that judges combinations alone.

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
        """Return the risky combinations; none from one that judges entities alone.

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
        every_word: whether every word of a mention must be to be masked, or any.
    """

    def __init__(self, every_word: bool = False) -> None:
        self._whole = every_word

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """A finding for each entity."""
        return [
            _full_match(entity) if self._whole else _partial_match(entity) for entity in entities
        ]


def _partial_match(entity: Entity) -> Finding:
    riskiest = max(entity.mentions, key=lambda mention: (mention.masking, mention.direct))
    direct = max(mention.direct for mention in entity.mentions)
    statement = (
        f"{_says(riskiest)} {riskiest.masking:.2f} that this must be masked, {direct:.2f} that it "
        "identifies a person directly."
    )
    evidence = Evidence(PARTIAL_MATCH, riskiest.masking, statement)
    return Finding(evidence, _most_probable(riskiest.masking, direct))


def _full_match(entity: Entity) -> Finding:
    value, riskiest = max(
        (_of_every_word(mention), -place) for place, mention in enumerate(entity.mentions)
    )
    says = _says(entity.mentions[-riskiest])
    statement = f"{says} {value:.2f} that every word of it must be masked."
    return Finding(Evidence(FULL_MATCH, value, statement), _most_probable(value, 0.0))


def _of_every_word(mention: Mention) -> float:
    return mention.masking if mention.every_word is None else mention.every_word


def _most_probable(masking: float, direct: float) -> IdentifierType:
    """The most probable type of identifier."""
    if direct >= max(masking - direct, 1.0 - masking) or direct >= 0.5:
        return IdentifierType.DIRECT
    return IdentifierType.QUASI if masking >= 0.5 else IdentifierType.NO_MASK


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
    """Risk 1 for an entity that a pattern is certain about."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """A finding for each entity with a certain pattern among its mentions."""
        return [_identity_number_finding(entity) for entity in entities]


def _identity_number_finding(entity: Entity) -> Finding | None:
    for mention in entity.mentions:
        if mention.source is MentionSource.PATTERN and mention.direct == 1.0:
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
    """Risk 1 for the names of the document's target, 0.9 for what else has the surname.

    Args:
        names: further names to protect, from the policy.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = tuple(names)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """A finding for each entity that bears a target's name, or its surname only."""
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
