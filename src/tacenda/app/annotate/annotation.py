"""What an annotator has said of a text so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from ...document import ConfidentialStatus, IdentifierType, SemanticType, Span


@dataclass(frozen=True, slots=True)
class Annotated:
    """A mention as it stands.

    Attributes:
        span: where it is.
        type: its semantic type.
        entity: number of its entity; equal for mentions of one entity.
        identifier: None until somebody decides.
        status: confidential status.
        edit: ``check`` (pre-annotated and left so), ``correct`` (changed) or ``insert``.
        choices: what may be written instead, in the replacement flow.
        choice: what is; empty until somebody chooses.
    """

    span: Span
    type: SemanticType
    entity: int
    identifier: IdentifierType | None = None
    status: ConfidentialStatus = ConfidentialStatus.NOT_CONFIDENTIAL
    edit: str = "insert"
    choices: tuple[str, ...] = ()
    choice: str = ""

    @property
    def masked(self) -> bool:
        """Whether it needs masking."""
        return self.identifier in (IdentifierType.DIRECT, IdentifierType.QUASI)


@dataclass(frozen=True, slots=True)
class Check:
    """What a reviewer has said of an annotation.

    Attributes:
        value: ``protected`` or ``exposed``.
        note: in words.
        holds: whether the annotation is still what was reviewed.
    """

    value: str
    note: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator has said of a text.

    Attributes:
        mentions: in order of the text; of one start, the longer first.
        step: where in the guidelines the annotator is.
        submitted: whether it is complete.
        checks: by reviewer.
    """

    mentions: tuple[Annotated, ...]
    step: int = 1
    submitted: bool = False
    checks: Mapping[str, Check] | None = None

    @property
    def undecided(self) -> int:
        """Number of mentions without a masking decision."""
        return sum(mention.identifier is None for mention in self.mentions)

    @property
    def unchosen(self) -> int:
        """Number of mentions with options, none of which is chosen."""
        return sum(bool(mention.choices) and not mention.choice for mention in self.mentions)

    @property
    def fingerprint(self) -> str:
        """Return a digest of what was annotated, by which a review knows what it was of."""
        parts = [
            (m.span.start, m.span.end, m.type, m.entity, m.identifier, m.status, m.choice)
            for m in self.mentions
        ]
        written = repr([[str(part) for part in parts_] for parts_ in parts])
        return sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def entities(self) -> dict[int, tuple[Annotated, ...]]:
        """Return the mentions of each entity, entities in order of their first mention."""
        grouped: dict[int, tuple[Annotated, ...]] = {}
        for mention in self.mentions:
            grouped[mention.entity] = (*grouped.get(mention.entity, ()), mention)
        return grouped


def in_order(mention: Annotated) -> tuple[int, int]:
    """Return the key by which mentions are sorted."""
    return mention.span.start, -mention.span.end
