"""Risk indicators: their protocols, and those of plug-ins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..document import Certainty, Combination, Document, Entity, Evidence, IdentifierType
from ..plugins import part_name, plugin_failures, plugin_fault


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding of an indicator about an entity.

    Attributes:
        evidence: the finding.
        identifier: the implied type of identifier.
        certain: ground for masking the entity regardless of its risk; None where the risk decides.
    """

    evidence: Evidence
    identifier: IdentifierType
    certain: Certainty | None = None


@runtime_checkable
class Indicator(Protocol):
    """Indicator of the risk of entities, each for itself."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return the findings, one per entity, in order; None where there is none.

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


@runtime_checkable
class RemoteIndicator(CombinationIndicator, Protocol):
    """Indicator of combinations that asks another machine, which need not learn what is masked anyway."""

    def combinations_of_kept(
        self, document: Document, entities: Sequence[Entity], kept: Collection[str]
    ) -> Sequence[Combination]:
        """The risky combinations of the entities with the ids ``kept``, no one a superset of another."""
        ...


# Indicators of plug-ins, which may judge entities, combinations or both.


class PluginIndicator:
    """Indicator of a plug-in, with its findings checked against the entities.

    Args:
        indicator: of the plug-in.
        name: its label for messages; that of its class if empty.
    """

    def __init__(self, indicator: Indicator | CombinationIndicator, name: str = "") -> None:
        self._indicator = indicator
        self._name = name or part_name("indicator", indicator)

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
                fault = "returned something other than a finding with a value in [0, 1]"
                raise plugin_fault(self._name, fault, document.id)
        return findings

    def combinations(
        self,
        document: Document,
        entities: Sequence[Entity],
        kept: Callable[[], Collection[str]] | None = None,
    ) -> tuple[Combination, ...]:
        """Return the risky combinations; none from an indicator of entities alone.

        Args:
            document: the document of the mentions.
            entities: the entities.
            kept: gives the ids of those that no mask hides anyway; None for all.

        Raises:
            InputError: if the indicator fails, or returns something else.
        """
        indicator = self._indicator
        if not isinstance(indicator, CombinationIndicator):
            return ()
        with plugin_failures(self._name, document.id):
            if kept is not None and isinstance(indicator, RemoteIndicator):
                combinations = tuple(indicator.combinations_of_kept(document, entities, kept()))
            else:
                combinations = tuple(indicator.combinations(document, entities))
        ids = {entity.id for entity in entities}
        for item in combinations:
            if not isinstance(item, Combination) or not ids.issuperset(item.entity_ids):
                fault = "returned something other than a combination of the document's entities"
                raise plugin_fault(self._name, fault, document.id)
        return combinations


def _is_finding(finding: Finding) -> bool:
    return (
        isinstance(finding, Finding)
        and isinstance(finding.identifier, IdentifierType)
        and 0.0 <= finding.evidence.value <= 1.0
    )
