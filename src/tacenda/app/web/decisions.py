"""The decisions in a project that need a person, grouped by name: proposals first, then the greatest weight."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from ...text.decoding import writable
from ...wording import TYPES
from ..events import ReviewAction
from ..service import Service
from ..store.documents import StoredDocument
from ..store.doubts import NameCount
from ..store.terms import Term
from .rows import anchor as place_of

_AROUND = 60
"""Characters shown before and after a name."""


@dataclass(frozen=True, slots=True)
class NameGroup:
    """A name that needs a decision, with its places in a project and the first of them.

    Attributes:
        sums: the name, with its totals over the project.
        type_label: its semantic type in words.
        row: the first document with it.
        before, mention, after: its first mention there, with a few words around it.
    """

    sums: NameCount
    type_label: str
    row: StoredDocument
    before: str = field(repr=False)
    mention: str = field(repr=False)
    after: str = field(repr=False)

    @property
    def anchor(self) -> str:
        """The first mention as ``start-end``."""
        return place_of(self.sums.span)

    @property
    def action(self) -> str:
        """The action of Enter: the proposed one, or what already masks; it never keeps a name."""
        return self.sums.proposal or _CONFIRMING.get(self.sums.verdict, "")


_CONFIRMING = {
    "masked": ReviewAction.MASK,
    "generalised": ReviewAction.GENERALISE,
}


def name_groups(service: Service, project: int, limit: int) -> list[NameGroup]:
    """Return the names in a project that need a decision, by uncertainty times number of mentions."""
    names = service.store.doubts.names(project, limit)
    documents = {name.document for name in names}
    rows = {id: service.store.documents.get(id) for id in documents}
    texts = {id: service.store.documents.text(id).text for id in documents}
    return [_group(name, rows[name.document], texts[name.document]) for name in names]


def _group(name: NameCount, row: StoredDocument, text: str) -> NameGroup:
    span = name.span
    return NameGroup(
        name,
        TYPES[name.type],
        row,
        _on_a_line(text[max(0, span.start - _AROUND) : span.start]),
        _on_a_line(span.of(text)),
        _on_a_line(text[span.end : span.end + _AROUND]),
    )


def _on_a_line(text: str) -> str:
    """Return a piece of text for one line, with white space at its ends as one space."""
    words = writable(" ".join(text.split()))
    return f"{' ' * text[:1].isspace()}{words}{' ' * text[-1:].isspace()}" if words else " "


@dataclass(frozen=True, slots=True)
class TermBatch:
    """Names decided on together.

    Attributes:
        terms: at least one; the action, person and time are those of the first.
    """

    terms: tuple[Term, ...]

    @property
    def first(self) -> Term:
        """The first name."""
        return self.terms[0]

    @property
    def holds(self) -> bool:
        """Whether one of the names is still on the list."""
        return not all(term.withdrawn_by for term in self.terms)


def term_batches(service: Service, project: int) -> list[TermBatch]:
    """Return the decisions for a whole project, the newest first."""
    batches: dict[str, list[Term]] = defaultdict(list)
    for term in service.store.terms.of(project):
        batches[term.batch].append(term)
    return [TermBatch(tuple(reversed(terms))) for terms in batches.values()]
