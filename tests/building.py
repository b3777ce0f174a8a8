"""Small documents for tests: mentions written by the string they cover."""

from __future__ import annotations

from tacenda.document import (
    Document,
    Entity,
    Evidence,
    Mention,
    MentionSource,
    Reason,
    SemanticType,
    Span,
)


def mention(
    document: Document,
    string: str,
    type: str = "PERSON",
    masking: float = 0.9,
    direct: float = 0.0,
    source: str = "neural",
    kind: str = "",
    nth: int = 0,
) -> Mention:
    """Return a mention of the ``nth`` occurrence of ``string`` in the document."""
    start = -1
    for _ in range(nth + 1):
        start = document.text.index(string, start + 1)
    return Mention(
        Span(start, start + len(string)),
        SemanticType(type),
        masking,
        direct,
        MentionSource(source),
        kind,
    )


def entity(id: str, *mentions: Mention, number: int = 1) -> Entity:
    """Return an entity of these mentions, with the type of the first."""
    return Entity(id, mentions[0].type, number, mentions)


def reason(statement: str = "Why.") -> Reason:
    """Return the finding of an indicator that says this."""
    return Reason.of_evidence(Evidence("test", 0.9, statement))
