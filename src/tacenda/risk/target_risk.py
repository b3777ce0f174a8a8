"""The person to protect: an entity with one of the target's names is a direct identifier.

For the target "Mr Galip Yalman", names compared in parts, without titles, case and diacritics:

| entity | says | because |
|---|---|---|
| ``Galip Yalman``, ``G. Yalman``, ``YALMAN Galip``, ``Galip`` | DIRECT, 1.0 | nothing contradicts |
| ``Yalman`` | DIRECT, 1.0 | unless another mention of the entity contradicts |
| ``Mrs Yalman``, ``Ayşe Yalman`` | QUASI, 0.9 | a namesake, often a relative: the surname is revealing |
| ``Galip Yalman & Sons`` (not a PERSON) | DIRECT, 1.0 | it contains the whole name |
| ``Yalman Ltd`` (not a PERSON) | QUASI, 0.9 | it contains the surname |

TAB, sections 3.1 and 3.2, defines the target, and its names as direct identifiers.

"""

from __future__ import annotations

from collections.abc import Sequence

from ..document import (
    Certainty,
    Document,
    Entity,
    Evidence,
    IdentifierType,
    SemanticType,
)
from ..text.names import parse_name
from ..text.normal_form import fold_text
from ..text.target_names import TargetName
from .indicators import Finding

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
    """Indicator of the target: risk 1 for the target's names, 0.9 for other people with the surname.

    Args:
        names: further names to protect, from the policy.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = tuple(names)

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity that has a target's name, or only the surname."""
        targets = [TargetName.parse(name) for name in (*document.target, *self._names)]
        if not targets:
            return [None] * len(entities)
        return [_target_finding(document, entity, targets) for entity in entities]


def _target_finding(
    document: Document, entity: Entity, targets: Sequence[TargetName]
) -> Finding | None:
    strings = {mention.span.of(document.text) for mention in entity.mentions}
    folded = [fold_text(string).strip() for string in sorted(strings)]
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
