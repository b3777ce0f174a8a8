"""Values of the document page and its updates: entities, figures, options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ...document import Assessment, Decision, Entity, Identification
from ...explain import sentence
from ...models.text_language import language_of
from ...policy import Policy
from ...rewrite.generalize.candidates import REVIEWER
from ...text.decoding import writable
from ...wording import TYPES, indicator_label
from ..export import ONE_DOCUMENT
from ..review.comments import Comment, comments
from ..review.curve import BOUNDS, Point, curve, masked_words, nearest
from ..review.doubts import count_questions, doubts_of, in_a_word, questions_of
from ..review.foreseen import foreseen_risks, written_text
from ..review.redecide import Reviewed, options_of
from ..review.sign_off import undoable
from ..service import DocumentView, Service
from ..store.documents import StoredDocument
from ..store.log import redo_entry, undo_entry
from .delta import steps
from .layout import blocks_of, has_pages
from .reasons import in_plain_words
from .rows import anchor, row_elements
from .tables import place_of

_LONGEST = 80
_language_of = lru_cache(16)(language_of)


@dataclass(frozen=True, slots=True)
class Companion:
    """Another entity of a combination: its anchor, its label and its decision in a word."""

    anchor: str
    label: str
    verdict: str


@dataclass(frozen=True, slots=True)
class TogetherView:
    """A combination of an entity with others.

    Attributes:
        others: its other entities; none if the entity points to the person by itself.
        risk: in [0, 1], how strongly they point to the person.
        statement: the evidence in words.
        left: whether all of them are kept.
    """

    others: tuple[Companion, ...]
    risk: float
    statement: str
    left: bool


@dataclass(frozen=True, slots=True)
class EntityView:
    """Values of an entity for the pages.

    Attributes:
        id: its current id in the document.
        anchor: ``start-end`` of its first mention, a stable id for the page.
        label: its longest mention, shortened if very long.
        type, type_label: its semantic type.
        count: number of mentions.
        spans: its mentions, ``start-end`` joined by blanks.
        strings: all its strings, for the search.
        decision: its decision.
        by_hand: whether a person decided.
        written: its replacement.
        assessment: its evidence.
        together: its combinations.
        doubt: value of a person's decision; 0 where none is needed. See ``doubts.weight``.
        question: the question that it is part of, if a decision is needed. See ``doubts.questions_of``.
    """

    id: str
    anchor: str
    label: str
    type: str
    type_label: str
    count: int
    spans: str
    strings: str = field(repr=False)
    decision: Decision
    by_hand: bool
    written: str
    assessment: Assessment
    together: tuple[TogetherView, ...]
    doubt: float
    question: str

    @property
    def danger(self) -> float:
        """Risk of the entity as shown, alone or in unbroken combinations."""
        return max(
            (
                self.decision.risk,
                *(combination.risk for combination in self.together if combination.left),
            )
        )

    @property
    def left_together(self) -> bool:
        """Whether it is in an unbroken combination."""
        return any(combination.left for combination in self.together)

    @property
    def verdict(self) -> str:
        """The decision in a word."""
        return in_a_word(self.decision)

    @property
    def line(self) -> tuple[object, ...]:
        """All that its line in the list shows."""
        shown = (self.label, self.type, self.spans, self.verdict, self.written, self.by_hand)
        return (*shown, self.danger, self.doubt, self.question, self.left_together)

    @property
    def chosen_option(self) -> str:
        """The option selected by a person; empty without one."""
        choice = self.decision.choice
        return choice.text if self.by_hand and choice is not None else ""

    @property
    def own_words(self) -> str:
        """Replacement written by a person, or empty."""
        choice = self.decision.choice
        return choice.text if choice is not None and choice.source == REVIEWER else ""

    @property
    def plainly(self) -> str:
        """Why it is masked or stays, in plain words."""
        return in_plain_words(self.decision, self.assessment)

    @property
    def reason(self) -> str:
        """The weightiest reason of the decision, with its figures."""
        return sentence(self.decision.reasons[0])

    @property
    def evidence(self) -> list[tuple[str, float, str]]:
        """Name, value and sentence of each indicator."""
        return [
            (indicator_label(item.indicator), item.value, item.statement)
            for item in self.assessment.evidence
        ]


@lru_cache(16)
def entity_views(reviewed: Reviewed) -> tuple[EntityView, ...]:
    """The entities: kept ones first, the most dangerous first."""
    sanitized = reviewed.sanitized
    text = sanitized.document.text
    texts: dict[str, dict[str, None]] = {}
    for edit in sanitized.replacements:
        for id in edit.entity_ids if edit.text else ():
            # A comma parts two that would touch.
            texts.setdefault(id, {})[edit.text.removesuffix(",")] = None
    combinations = _together(reviewed)
    doubts = {doubt.span: doubt for doubt in doubts_of(reviewed)}
    questions = questions_of(text, doubts.values())
    views = []
    for decision, assessment in zip(sanitized.decisions, reviewed.assessments, strict=True):
        entity = decision.entity
        strings = _strings(text, entity)
        first = entity.mentions[0].span
        views.append(
            EntityView(
                id=entity.id,
                anchor=anchor(first),
                label=_label(strings),
                type=str(entity.type),
                type_label=TYPES[entity.type],
                count=len(entity.mentions),
                spans=" ".join(anchor(mention.span) for mention in entity.mentions),
                strings=" ".join(strings).casefold(),
                decision=decision,
                by_hand=entity.id in reviewed.verdicts,
                written=" · ".join(texts.get(entity.id, {})),
                assessment=assessment,
                together=tuple(combinations.get(entity.id, ())),
                doubt=doubts[first].weight if first in doubts else 0.0,
                question=questions.get(first, ""),
            )
        )
    return tuple(sorted(views, key=lambda view: (view.decision.masked, -view.danger)))


@dataclass(frozen=True, slots=True)
class RemovedView:
    """A mention removed by hand: its place as ``start-end``, its words and its type."""

    anchor: str
    label: str
    type: str


def _removed_views(reviewed: Reviewed) -> list[RemovedView]:
    text = reviewed.sanitized.document.text
    return [
        RemovedView(anchor(span), _label([writable(span.of(text))]), str(type))
        for span, type in reviewed.removed.items()
    ]


def _strings(text: str, entity: Entity) -> list[str]:
    return list(dict.fromkeys(writable(mention.span.of(text)) for mention in entity.mentions))


def _label(strings: Sequence[str]) -> str:
    longest = " ".join(max(strings, key=len).split())
    return longest if len(longest) <= _LONGEST else longest[: _LONGEST - 1] + "…"


def _together(reviewed: Reviewed) -> dict[str, list[TogetherView]]:
    """The combinations of each entity, by its id; unbroken ones first."""
    text = reviewed.sanitized.document.text
    decisions = {decision.entity.id: decision for decision in reviewed.sanitized.decisions}
    left_whole = reviewed.left_together
    broken = (item for item in reviewed.sanitized.combinations if item not in left_whole)
    views: dict[str, list[TogetherView]] = {}
    for combination in (*left_whole, *broken):
        members = {
            id: Companion(
                anchor(decisions[id].entity.mentions[0].span),
                _label(_strings(text, decisions[id].entity)),
                in_a_word(decisions[id]),
            )
            for id in combination.entity_ids
        }
        for id in members:
            companions = tuple(item for member_id, item in members.items() if member_id != id)
            statement = combination.evidence[0].statement
            view = TogetherView(companions, combination.risk, statement, combination in left_whole)
            views.setdefault(id, []).append(view)
    return views


@dataclass(frozen=True, slots=True)
class CommentView:
    """A comment with the words that it is about, and the span as ``start-end``."""

    comment: Comment
    anchor: str
    label: str


def comment_views(document_view: DocumentView) -> list[CommentView]:
    """The comments on a document, in order of the text."""
    text = document_view.reviewed.sanitized.document.text
    standing = sorted(comments(document_view.entries), key=lambda item: (item.span, item.at))
    return [
        CommentView(item, anchor(item.span), _label([writable(item.span.of(text))]))
        for item in standing
    ]


WIDTH, HEIGHT = 120, 32
_MARGIN = 2


@dataclass(frozen=True, slots=True)
class HeaderFigures:
    """Figures of a document for the header.

    Attributes:
        bound, position: the bound, and its place on the slider, 0 for the most lenient.
        words: masked words.
        before, residual: expected entities in need of masking, in total and kept.
        kept_by_people: those of what a person decided to keep, besides.
        kept_by_policy: those of ``residual`` that the policy keeps on purpose.
        leaks, accepted: remaining surface forms of masked entities, and those a person accepted.
        together: unbroken combinations.
        attacks: results of attacks on the document, if there were any.
        doubtful: questions to a person.
        readable: undecided entities that a release waits for, since they stay as they are.
        decided, entities: progress.
        line: points of the curve, ``x,y`` joined by blanks: words to the right, risk upwards.
        x, y: the document's own point.
    """

    bound: float
    position: int
    words: int
    before: float
    residual: float
    kept_by_people: float
    kept_by_policy: float
    leaks: int
    accepted: int
    together: int
    attacks: tuple[Identification, ...]
    doubtful: int
    readable: int
    decided: int
    entities: int
    line: str
    x: float
    y: float


STEPS = len(BOUNDS) - 1


def bound_at(position: int) -> float:
    """The bound at a place of the slider; further right is stricter."""
    return BOUNDS[STEPS - min(max(position, 0), STEPS)]


def figures(reviewed: Reviewed, policy: Policy, doubtful: int) -> HeaderFigures:
    """The current figures of a document, with ``doubtful`` questions to a person."""
    points = curve(reviewed, policy)
    words = masked_words(reviewed)
    risk = reviewed.sanitized.risk
    most_words = max(1, words, *(point.words for point in points))
    most_risk = max(1e-9, risk.residual, *(point.residual for point in points))

    def place(words: float, residual: float) -> tuple[float, float]:
        x = _MARGIN + (WIDTH - 2 * _MARGIN) * words / most_words
        y = HEIGHT - _MARGIN - (HEIGHT - 2 * _MARGIN) * residual / most_risk
        return round(x, 1), round(y, 1)

    x, y = place(words, risk.residual)
    return HeaderFigures(
        bound=reviewed.bound,
        position=STEPS - nearest(reviewed.bound),
        words=words,
        before=risk.before,
        residual=risk.residual,
        kept_by_people=risk.kept_by_people or 0.0,
        kept_by_policy=risk.kept_by_policy or 0.0,
        leaks=risk.leaks,
        accepted=len(reviewed.sanitized.accepted),
        together=len(reviewed.left_together),
        attacks=reviewed.sanitized.identifications,
        doubtful=doubtful,
        readable=len(reviewed.doubtful),
        decided=len(reviewed.verdicts),
        entities=len(reviewed.sanitized.decisions),
        line=" ".join(
            dict.fromkeys(_pair(place(each.words, each.residual)) for each in _ordered(points))
        ),
        x=x,
        y=y,
    )


def _pair(place: tuple[float, float]) -> str:
    return f"{place[0]},{place[1]}"


def _ordered(points: tuple[Point, ...]) -> list[Point]:
    return sorted(points, key=lambda point: (point.words, -point.residual))


SHOWN_TOGETHER = 12
"""Combinations of an entity that the panel shows; a well-known person may be in hundreds."""


def common(document_view: DocumentView, person: str, views: Sequence[EntityView]) -> dict[str, Any]:
    """Values of every answer about a document."""
    kept_views = [view for view in views if not view.decision.masked]
    masked_views = [view for view in views if view.decision.masked]
    entries = undoable(document_view.entries)
    return {
        "row": document_view.row,
        "project": document_view.project,
        "figures": figures(
            document_view.reviewed,
            document_view.project.policy,
            count_questions(view.question for view in views if view.question),
        ),
        "steps": STEPS,
        "undo": undo_entry(entries, person) is not None,
        "redo": redo_entry(entries, person) is not None,
        "signed": document_view.sign_offs,
        "comments": comment_views(document_view),
        "own_format": own_format(document_view.row),
        "shown_together": SHOWN_TOGETHER,
        "is_preview": False,
        "removed": _removed_views(document_view.reviewed),
        "is_english": _language_of(document_view.reviewed.sanitized.document) == "en",
        "groups": [
            ("kept", "Kept, riskiest first", kept_views),
            ("masked", "Masked", masked_views),
        ],
    }


def own_format(row: StoredDocument) -> str:
    """Label of a document's original format; empty where it can't be saved in it."""
    is_single = row.file is not None and row.format in ONE_DOCUMENT
    labels = {"pdf": "PDF", "html": "HTML", "markdown": "Markdown"}
    return labels.get(row.format, f".{row.format}") if is_single else ""


def whole(document_view: DocumentView, service: Service, person: str) -> dict[str, Any]:
    """Values of the whole page."""
    views = entity_views(document_view.reviewed)
    return (
        common(document_view, person, views)
        | _nothing_chosen(document_view, service)
        | {
            "rows": row_elements(document_view.reviewed, blocks_of(service, document_view.row)),
            "place": place_of(document_view.row),
            "has_pages": has_pages(document_view.row),
            "bounds": " ".join(f"{bound:.4g}" for bound in BOUNDS),
        }
    )


def update(
    document_view: DocumentView,
    service: Service,
    person: str,
    before: Reviewed | None,
    anchor: str,
    notice: str = "",
    warning: bool = False,
) -> dict[str, Any]:
    """Values of the changes since ``before``; all rows if None or if the paragraphs are others.

    Args:
        document_view: the current state of the document.
        service: service of the other documents.
        person: the person of undo and redo.
        before: the state shown on the page.
        anchor: of the entity in the reasons panel; empty to leave the panel as it is.
        notice: a sentence for the person.
        warning: whether it reports a failure.
    """
    changes = None if before is None else steps(before, document_view.reviewed)
    blocks = blocks_of(service, document_view.row) if changes is None else ()
    views = entity_views(document_view.reviewed)
    # A list with other removed mentions is sent whole.
    is_same_list = before is not None and before.removed == document_view.reviewed.removed
    items = changed_items(entity_views(before), views) if before and is_same_list else None
    values = common(document_view, person, views) | {
        "items": items,
        "rows": row_elements(document_view.reviewed, blocks) if changes is None else None,
        "changes": changes or [],
        "notice": notice,
        "warning": warning,
        "with_why": bool(anchor),
    }
    return values | why(document_view, service, person, anchor, views)


def changed_items(
    before: Sequence[EntityView], after: Sequence[EntityView]
) -> list[EntityView] | None:
    """The entities whose line in the list changed; None if they are not the same entities."""
    old = {view.anchor: view.line for view in before}
    if len(before) != len(after) or old.keys() != {view.anchor for view in after}:
        return None
    return [view for view in after if view.line != old[view.anchor]]


def why(
    document_view: DocumentView,
    service: Service,
    person: str,
    anchor: str,
    views: Sequence[EntityView] | None = None,
) -> dict[str, Any]:
    """Values of the panel *why*, of the entity at a span, ``start-end``; its comments as ``person`` sees them."""
    views = entity_views(document_view.reviewed) if views is None else views
    view = entity_at(views, anchor)
    if view is None:
        return _nothing_chosen(document_view, service)
    entity, sanitized = view.decision.entity, document_view.reviewed.sanitized
    about = [
        item
        for item in comment_views(document_view)
        if any(item.comment.span.overlaps(mention.span) for mention in entity.mentions)
    ]
    return {
        "view": view,
        "row": document_view.row,
        "options": foreseen_risks(
            view.decision,
            options_of(
                document_view.reviewed,
                document_view.project.policy,
                view.id,
                service.sanitizer.parts,
            ),
            sanitized.risk,
            view.danger,
        ),
        "text_of": lambda option: written_text(option, entity, sanitized),
        "before": sanitized.risk.to_mask,
        "about": [item for item in about if item.comment.person != person],
        "own": next((item for item in about if item.comment.person == person), None),
        "several": service.store.lists.counts(document_view.project.id).documents > 1,
        "has_one_string": len(_strings(sanitized.document.text, entity)) == 1,
        "shown_together": SHOWN_TOGETHER,
        **_still_open(document_view, service),
    }


def entity_at(views: Sequence[EntityView], span: str) -> EntityView | None:
    """The entity with a mention at ``start-end``, or an overlapping one."""
    exact = next((view for view in views if span in view.spans.split()), None)
    if exact is not None or "-" not in span:
        return exact
    start, _, end = span.partition("-")
    if not (start.isascii() and start.isdigit() and end.isascii() and end.isdigit()):
        return None
    for view in views:
        for mention in view.decision.entity.mentions:
            if mention.span.start < int(end) and int(start) < mention.span.end:
                return view
    return None


def _nothing_chosen(document_view: DocumentView, service: Service) -> dict[str, Any]:
    values: dict[str, Any] = {"view": None, "options": ()}
    values |= {"about": (), "own": None, "several": False}
    return values | {"row": document_view.row} | _still_open(document_view, service)


def _still_open(document_view: DocumentView, service: Service) -> dict[str, Any]:
    """What is left besides names: parts of the file as last looked at, and other documents."""
    store, row = service.store, document_view.row
    return {
        "project": document_view.project,
        "open_parts": store.parts.open_counts(row.project).get(row.id, 0),
        "has_next": store.lists.following(row.project, row.id) is not None,
    }
