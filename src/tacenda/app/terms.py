"""Decisions on a name in a whole project: its lists of what is never and what is always masked.

A decision is applied in each document on behalf of the person who made it, as one batch in the
logs; a document that is analyzed later gets it then. It doesn't override what people decided in a
document, but it does override earlier decisions for the whole project. Withdrawing it withdraws it
in all documents.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..document import SemanticType
from ..errors import InputError
from ..text.folding import fold_aligned
from ..text.normal_form import mention_key
from ..text.surface_forms import LetterCase
from ..text.word_search import occurrences
from .events import Event, ReviewAction
from .everywhere import EntityNames, batched, events_of, find
from .service import DecisionProgress, Service
from .store.documents import Status, StoredDocument
from .store.log import NewEntry, in_force
from .store.terms import Term

_ACTIONS = (ReviewAction.KEEP, ReviewAction.MASK, ReviewAction.GENERALISE)
_LONGEST = 500
_MOST = 1000


@dataclass(slots=True)
class ListEffect:
    """The effect of a decision on a project's documents.

    Attributes:
        changed: names of the changed documents, in order.
        contrary: number of documents where a person decided differently, which stays, by that
            decision.
    """

    changed: list[str]
    contrary: Counter[ReviewAction]


def list_names(
    service: Service,
    project: int,
    person: str,
    names: Sequence[tuple[str, SemanticType]],
    action: str,
    here: int | None = None,
) -> ListEffect:
    """Decide on names in all documents of a project.

    Args:
        service: the service of the documents.
        project: its number.
        person: the person deciding.
        names: strings as written in a document, with their types.
        action: keep, mask or generalise.
        here: number of the document the person is viewing, where it also overrides decisions made
            by hand; None if there is none.

    Raises:
        InputError: if a name has no letter or digit, or the action is invalid.
    """
    if action not in _ACTIONS:
        raise InputError(
            f"{action[:40]!r} can't be applied to a project; use {', '.join(_ACTIONS)}."
        )
    if not 0 < len(names) <= _MOST:
        raise InputError(f"{len(names)} names were sent; send 1 to {_MOST} at once.")
    for string, _ in names:
        if len(string) > _LONGEST or not any(map(str.isalnum, mention_key(string))):
            raise InputError(
                f"a name must have a letter or digit, and at most {_LONGEST} characters."
            )
    batch = secrets.token_hex(8)
    # Put it on the list first, so that documents analyzed meanwhile see it.
    withdrawn = service.store.terms.add(project, names, action, person, batch)
    terms = [term for term in service.store.terms.of(project) if term.batch == batch]
    rows = [row for row in service.store.documents.of(project) if row.status is Status.READY]
    effect = ListEffect([], Counter())
    for group in batched(_counted(service, project, person, rows)):
        made, is_undone = [], {}
        for row in group:
            entries = _entries_of(service, row.id, withdrawn)
            is_undone[row.id] = _undo(service, row.id, person, entries, batch)
            made.append(_decided(service, row.id, terms, overrules=row.id == here))
        service.append_all([(item.document, item.entries) for item in made if item.entries])
        effect.changed += [
            row.name
            for row, item in zip(group, made, strict=True)
            if item.entries or is_undone[row.id]
        ]
        for item in made:
            effect.contrary.update(item.contrary)
    return effect


def apply_lists(service: Service, document: int) -> None:
    """Decide on a newly analyzed document as its project's lists say."""
    terms = service.store.terms.of(service.store.documents.get(document).project)
    events = _decided(
        service, document, [item for item in reversed(terms) if not item.withdrawn_by]
    )
    if events.entries:
        service.append_all([(document, events.entries)])


def take_back(service: Service, project: int, person: str, batch: str) -> int:
    """Withdraw a project's batch in all its documents; return the number of changed ones.

    Raises:
        InputError: if the batch no longer exists.
    """
    terms = service.store.terms.of(project)
    if not any(term.batch == batch and not term.withdrawn_by for term in terms):
        raise InputError("that decision was already taken back; reload the page.")
    service.store.terms.withdraw(project, batch, person)
    count = 0
    for row in _counted(service, project, person, service.store.documents.of(project)):
        entries = in_force(service.store.log.entries(row.id))
        ids = [entry.id for entry in entries if entry.batch == batch]
        count += _undo(service, row.id, person, ids, batch)
    return count


def _undo(service: Service, document: int, person: str, ids: Sequence[int], batch: str) -> bool:
    """Undo entries of a document's log; return whether there were any."""
    for id in reversed(ids):
        service.append(document, NewEntry(person, undoes=id, batch=batch))
    return bool(ids)


def _entries_of(service: Service, document: int, terms: Sequence[Term]) -> list[int]:
    """Return the ids of entries made for terms in a document that are in force."""
    if not terms:
        return []
    text = service.store.documents.text(document).text
    names = {(term.batch, mention_key(term.string)) for term in terms}
    return [
        entry.id
        for entry in in_force(service.store.log.entries(document))
        if entry.event is not None
        and any((entry.batch, mention_key(span.of(text))) in names for span in entry.event.spans)
    ]


def _counted(
    service: Service, project: int, person: str, rows: Sequence[StoredDocument]
) -> Iterator[StoredDocument]:
    """Yield documents, and show others the progress of the person's decision meanwhile."""
    act = service.acts.put((project, person), DecisionProgress(len(rows)))
    try:
        for row in rows:
            yield row
            act.done += 1
    finally:
        service.acts.forget(lambda key: key == (project, person))


@dataclass(frozen=True, slots=True)
class _Decided:
    """The effect of terms in a document: log entries to write, and conflicting decisions."""

    document: int
    entries: tuple[NewEntry, ...]
    contrary: frozenset[ReviewAction]


def _decided(
    service: Service, document: int, terms: Iterable[Term], *, overrules: bool = False
) -> _Decided:
    """Decide on a document by terms, in order, without writing anything."""
    text = service.store.documents.text(document).text
    folded = fold_aligned(text)
    events: list[Event] = []
    entries: list[NewEntry] = []
    contrary: set[ReviewAction] = set()
    for term in terms:
        form = mention_key(term.string)
        if next(iter(occurrences(text, folded, {form: LetterCase.ANY})), None) is None:
            continue
        action = ReviewAction(term.action)
        names = EntityNames(term.type, frozenset((form,)))
        places = find(service.linked(document, *events), names, action, overrules=overrules)
        contrary.update(places.contrary)
        fresh = events_of(places, term.type, action)
        events += fresh
        entries += [NewEntry(term.person, event, batch=term.batch) for event in fresh]
    return _Decided(document, tuple(entries), frozenset(contrary))
