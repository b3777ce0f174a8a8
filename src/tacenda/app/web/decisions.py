"""The decisions of a project that need a person, grouped by name, the weightiest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...document import SemanticType
from ...text.decoding import writable
from ...text.surface_forms import normalise
from ...wording import TYPES
from ..review.doubts import Doubt
from ..review.events import ReviewAction
from ..service import Service
from ..store.documents import Status, StoredDocument
from ..store.terms import Term
from .views import entity_views

_AROUND = 60
"""Characters shown before and after a name."""


@dataclass(frozen=True, slots=True)
class NameGroup:
    """A name that needs a decision, with its places in a project.

    Attributes:
        label: the name as it stands in the first document.
        type, type_label: its semantic type.
        places: each document with what is doubtful there.
    """

    label: str = field(repr=False)
    type: SemanticType
    type_label: str
    places: tuple[tuple[StoredDocument, Doubt], ...] = field(repr=False)

    @property
    def weight(self) -> float:
        """Uncertainty in bits times number of mentions, over all documents."""
        return sum(doubt.weight for _, doubt in self.places)

    @property
    def count(self) -> int:
        """Number of mentions."""
        return sum(doubt.count for _, doubt in self.places)

    @property
    def documents(self) -> int:
        """Number of documents."""
        return len({row.id for row, _ in self.places})

    @property
    def risk(self) -> float:
        """The largest risk of a place."""
        return max(doubt.risk for _, doubt in self.places)

    @property
    def verdict(self) -> str:
        """What becomes of it now, in a word; empty if not the same everywhere."""
        verdicts = {doubt.verdict for _, doubt in self.places}
        return verdicts.pop() if len(verdicts) == 1 else ""

    @property
    def action(self) -> str:
        """The action that leaves everything as it is; empty if there is none for all places."""
        return _CONFIRMING.get(self.verdict, "")


_CONFIRMING = {
    "kept": ReviewAction.KEEP,
    "masked": ReviewAction.MASK,
    "generalised": ReviewAction.GENERALISE,
}


def name_groups(service: Service, project: int) -> list[NameGroup]:
    """The names of a project that need a decision, by uncertainty times number of mentions."""
    places: dict[tuple[SemanticType, str], list[tuple[StoredDocument, Doubt]]] = defaultdict(list)
    for row in service.store.documents.of(project):
        if row.status is Status.READY:
            for doubt in _doubts(service, row):
                places[doubt.type, normalise(doubt.label)].append((row, doubt))
    groups = [
        NameGroup(items[0][1].label, type, TYPES[type], tuple(items))
        for (type, _), items in places.items()
    ]
    return sorted(groups, key=lambda group: (-group.weight, group.label))


def _doubts(service: Service, row: StoredDocument) -> tuple[Doubt, ...]:
    return service.doubts.get_or_compute(
        (row.handle, row.revision), lambda: tuple(_found(service, row))
    )


def _found(service: Service, row: StoredDocument) -> Iterator[Doubt]:
    reviewed = service.open(row.id).reviewed
    text = reviewed.sanitized.document.text
    for view in entity_views(reviewed):
        if view.doubt:
            mentions = view.decision.entity.mentions
            longest = max((mention.span.of(text) for mention in mentions), key=len)
            span = mentions[0].span
            yield Doubt(
                longest,
                view.decision.entity.type,
                view.anchor,
                view.verdict,
                view.danger,
                view.doubt,
                view.count,
                _on_a_line(text[max(0, span.start - _AROUND) : span.start]),
                _on_a_line(span.of(text)),
                _on_a_line(text[span.end : span.end + _AROUND]),
            )


def _on_a_line(text: str) -> str:
    """A piece of text for a line, with one blank at an end that has white space."""
    words = writable(" ".join(text.split()))
    return f"{' ' * text[:1].isspace()}{words}{' ' * text[-1:].isspace()}" if words else " "


@dataclass(frozen=True, slots=True)
class TermBatch:
    """Names decided on together.

    Attributes:
        terms: at least one; the act, its person and its time are those of the first.
    """

    terms: tuple[Term, ...]

    @property
    def first(self) -> Term:
        """The first name."""
        return self.terms[0]


def term_batches(service: Service, project: int) -> list[TermBatch]:
    """The decisions for a whole project, the latest first."""
    batches: dict[str, list[Term]] = defaultdict(list)
    for term in service.store.terms.of(project):
        batches[term.batch].append(term)
    return [TermBatch(tuple(reversed(terms))) for terms in batches.values()]
