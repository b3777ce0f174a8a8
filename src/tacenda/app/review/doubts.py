"""The entities in a document that need a person's decision, and the value of deciding each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import ceil, log2

from ...document import Decision, Span
from ..events import ReviewAction
from ..store.doubts import Doubt
from .redecide import DOUBT, Reviewed, is_kept_on_purpose

SURE = 0.6
"""Risk from which masked entities need no review."""
MISSED_BY_READERS = 2.5
"""Weight from which a person is asked whether something masked may stay: about three mentions."""
ALONE = 2.0
"""Weight from which a doubt is a question by itself."""
MOST_TOGETHER = 6
"""Doubts asked together: so few that a small window shows all of them, since Enter confirms all. See ``static/queue.js``."""
_BETWEEN = re.compile(r"[\s,.;:()'’–-]{0,3}")
"""Characters allowed between two pieces of one thing."""


def in_a_word(decision: Decision) -> str:
    """Return a decision in one word."""
    if not decision.masked:
        return "kept"
    return "generalised" if decision.operator == "generalize" else "masked"


def weight(risk: float, count: int, *, masked: bool, together: bool) -> float:
    """Return the value of a person's decision: the entropy of the risk, in bits, times the number of mentions.

    It is 0 if nobody is asked: for certain cases, and for what is masked although it may not have
    to be, unless it is masked so often that readers would miss it. What stays against its risk is
    worth a whole bit.

    Args:
        risk: risk of the entity, alone or in unbroken combinations.
        count: number of mentions.
        masked: whether it is masked now.
        together: whether it is in an unbroken combination.
    """
    is_sure = risk < DOUBT or (masked and risk >= SURE)
    if is_sure and not together:
        return 0.0
    share = min(max(risk, 0.01), 0.99 if masked else 0.5)
    worth = count * -(share * log2(share) + (1 - share) * log2(1 - share))
    return 0.0 if masked and worth < MISSED_BY_READERS else worth


def doubts_of(reviewed: Reviewed) -> Iterator[Doubt]:
    """Return the undecided entities of a document that need a decision, except what the policy keeps on purpose."""
    text = reviewed.sanitized.document.text
    combinations: dict[str, float] = {}
    for combination in reviewed.left_together:
        for id in combination.entity_ids:
            combinations[id] = max(combinations.get(id, 0.0), combination.risk)
    for decision in reviewed.undecided:
        entity = decision.entity
        if is_kept_on_purpose(decision, reviewed.bound) and entity.id not in combinations:
            continue
        risk = max(decision.risk, combinations.get(entity.id, 0.0))
        spans = tuple(mention.span for mention in entity.mentions)
        worth = weight(risk, len(spans), masked=decision.masked, together=entity.id in combinations)
        if worth:
            longest = max((span.of(text) for span in spans), key=len)
            yield Doubt(longest, entity.type, spans, in_a_word(decision), risk, worth)


_FOR_ALL = (ReviewAction.KEEP, ReviewAction.MASK, ReviewAction.GENERALISE)
"""Decisions that can be made for a whole project; see ``terms``."""


def doubts_and_decisions(reviewed: Reviewed) -> Iterator[Doubt]:
    """Return the doubts of a document, and the names people decided on, for proposals in other documents."""
    yield from doubts_of(reviewed)
    text = reviewed.sanitized.document.text
    for decision in reviewed.sanitized.decisions:
        verdict = reviewed.verdicts.get(decision.entity.id)
        if verdict is not None and verdict.action in _FOR_ALL and not verdict.alone:
            spans = tuple(mention.span for mention in decision.entity.mentions)
            longest = max((span.of(text) for span in spans), key=len)
            word = in_a_word(decision)
            yield Doubt(
                longest, decision.entity.type, spans, word, decision.risk, 0.0, verdict.action
            )


def questions_of(text: str, doubts: Iterable[Doubt]) -> dict[Span, str]:
    """Return the question that each doubt belongs to, by the doubt's first mention.

    Neighboring pieces of one thing are one question; so are small doubts about one type, since a
    person sees at a glance which items of a list are different. Any other doubt is a question by
    itself.

    Args:
        text: the document's text.
        doubts: the document's doubts.
    """
    questions: dict[Span, str] = {}
    for pieces in _joined(text, doubts):
        first = pieces[0]
        is_small = sum(piece.weight for piece in pieces) < ALONE
        name = f"{first.verdict}-{first.type}" if is_small else f"{first.span.start}"
        questions |= {piece.span: name for piece in pieces}
    return questions


def _joined(text: str, doubts: Iterable[Doubt]) -> list[list[Doubt]]:
    """Return the doubts in text order, joining adjacent ones with the same decision."""
    mentions = sorted(
        ((span, doubt) for doubt in doubts for span in doubt.mentions), key=lambda pair: pair[0]
    )
    group_of = {doubt.span: [doubt] for _, doubt in mentions}
    for (left, doubt), (right, other) in pairwise(mentions):
        one, two = group_of[doubt.span], group_of[other.span]
        is_beside = left.end <= right.start and _BETWEEN.fullmatch(text, left.end, right.start)
        if is_beside and one is not two and doubt.verdict == other.verdict:
            one += two
            group_of |= {piece.span: one for piece in two}
    return list({id(group): group for group in group_of.values()}.values())


def count_questions(names: Iterable[str]) -> int:
    """Return the number of questions, given each doubt's question; a long one is asked in parts."""
    return sum(ceil(size / MOST_TOGETHER) for size in Counter(names).values())
