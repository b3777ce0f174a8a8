"""Risk indicators: their protocols, and the wrapper for indicators from plug-ins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..document import Certainty, Combination, Document, Entity, Evidence, IdentifierType
from ..plugins import part_name, plugin_failures, plugin_fault


@dataclass(frozen=True, slots=True)
class Finding:
    """What an indicator found out about an entity.

    Attributes:
        evidence: the finding itself.
        identifier: the type of identifier that it implies.
        certain: the reason to mask the entity whatever its risk, or None if the risk decides.
    """

    evidence: Evidence
    identifier: IdentifierType
    certain: Certainty | None = None


@runtime_checkable
class Indicator(Protocol):
    """Indicator that judges the risk of each entity on its own."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return one finding or None per entity, in order.

        The evidence has a calibrated probability in [0, 1] that the entity needs masking, and a
        statement in one sentence that contains no text of the document.
        """
        ...


@runtime_checkable
class CombinationIndicator(Protocol):
    """Indicator of combinations: sets of entities that together point to the person."""

    def combinations(self, document: Document, entities: Sequence[Entity]) -> Sequence[Combination]:
        """Return the risky combinations; none is a superset of another."""
        ...


@runtime_checkable
class RemoteIndicator(CombinationIndicator, Protocol):
    """Indicator of combinations that queries another machine, which shouldn't be told about what is masked anyway."""

    def combinations_of_kept(
        self, document: Document, entities: Sequence[Entity], kept: Collection[str]
    ) -> Sequence[Combination]:
        """Return the risky combinations of the entities with the ids in ``kept``; none is a superset of another."""
        ...


# Indicators from plug-ins, which may judge entities, combinations or both.


class PluginIndicator:
    """An indicator from a plug-in, whose findings are checked against the entities.

    Args:
        indicator: the plug-in's indicator.
        name: its name in messages; the class name if empty.
    """

    def __init__(self, indicator: Indicator | CombinationIndicator, name: str = "") -> None:
        self._indicator = indicator
        self._name = name or part_name("indicator", indicator)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return one finding per entity, in order; all None if the indicator judges only combinations.

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
        """Return the risky combinations; none if the indicator judges only entities.

        Args:
            document: the document of the mentions.
            entities: the entities.
            kept: returns the ids of the entities that aren't masked anyway; None for all entities.

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
