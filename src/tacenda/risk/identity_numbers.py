"""Contact and identity numbers: an e-mail address or a passport number needs no context."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Document, Entity, Evidence, IdentifierType
from .indicator import Finding


class IdentityNumbers:
    """Risk 1 for an entity that a pattern is certain about."""

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity with a certain pattern among its mentions."""
        return [_finding(entity) for entity in entities]


def _finding(entity: Entity) -> Finding | None:
    for mention in entity.mentions:
        if mention.source == "pattern" and mention.direct == 1.0:
            kind = mention.kind.replace("_", " ") or "number"
            statement = f"Its form is that of a contact or identity number ({kind}): always masked."
            return Finding(Evidence("identity_number", 1.0, statement), IdentifierType.DIRECT)
    return None
