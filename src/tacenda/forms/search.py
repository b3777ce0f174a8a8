"""All forms in one pass over a folded text, word by word; see ``searcher`` for all readings of it.

A form is found where all its words stand, with the same between them (``tokens.gap``). One that
begins or ends in a digit may not go on after ``.``, ``,``, ``/``, ``:`` or ``-`` and a digit, so
that ``12/05`` is not found in ``12/05/2003``.

From each word of the text the forms are followed for at most ``_MANY`` words, so that time is
linear however many forms lie within one another. A longer form is searched for in pieces of that
length, the last one overlapping the one before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ..document import Span
from ..folding import Folded
from .acronyms import is_acronym
from .surface import Case
from .tokens import gap, pieces, words

_NUMBER_JOINTS = frozenset(".,/:-")
_MANY = 16


@dataclass(slots=True)
class Node:
    """What the forms that begin alike go on with; ``form`` ends here, empty if none does."""

    following: dict[str, Node] = field(default_factory=dict)
    form: str = ""


def occurrences(
    text: str,
    folded: Folded,
    forms: Mapping[str, Case],
    weights: Mapping[str, float] | None = None,
) -> Iterator[tuple[Span, str]]:
    """Yield where forms stand in ``text``, in order, with the form.

    Of the forms that begin at one word the longest comes first, and shorter ones only if each
    weighs more than all longer ones.

    Args:
        text: the text itself.
        folded: the same text, folded.
        forms: for each form how the case of an occurrence must agree; as ``tokens.unify`` writes
            them.
        weights: the weight of each form; all are equal by default.
    """
    if not forms:
        return
    for start, ending in matches(folded.text, tree(forms)):
        weight = -1.0
        for end, form in ending:
            own = weights[form] if weights else 0.0
            if own <= weight:
                continue
            span = folded.original(start, end)
            if agrees(forms[form], text, span):
                weight = own
                yield span, form


def matches(searched: str, root: Node) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield, in order, where forms begin in a folded text, with their ends, the longest first."""
    starts, ends = words(searched)
    for first, start in enumerate(starts):
        node = root.following.get(searched[start : ends[first]])
        if node is None:
            continue
        ending = [
            (end, form)
            for end, form in _ending(node, searched, starts, ends, first)
            if not _inside_number(searched, start, end)
        ]
        if ending:
            yield start, ending[::-1]


def tree(forms: Iterable[str]) -> Node:
    """Return the forms by the words that they begin with."""
    root = Node()
    for form in forms:
        for part in _parts(form):
            node = root
            for piece in part:
                node = node.following.setdefault(piece, Node())
            # Of forms that share a piece the shorter one is the piece itself.
            if not node.form or len(form) < len(node.form):
                node.form = form
    return root


@lru_cache(maxsize=4096)
def _parts(form: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a form with what is before them; of a long one in several parts."""
    starts, ends = words(form)
    last = max(0, len(starts) - _MANY)
    slices = [slice(first, first + _MANY) for first in (*range(0, last, _MANY), last)]
    return tuple(tuple(pieces(form, starts[part], ends[part])) for part in slices)


def _ending(
    node: Node | None, text: str, starts: Sequence[int], ends: Sequence[int], word: int
) -> Iterator[tuple[int, str]]:
    """Yield the end of each form that is followed to its end from ``word`` on, and the form."""
    while node is not None:
        end = ends[word]
        if node.form:
            yield end, node.form
        word += 1
        if not node.following or word == len(starts):
            return
        start = starts[word]
        node = node.following.get(gap(text[end:start]) + text[start : ends[word]])


def _inside_number(text: str, start: int, end: int) -> bool:
    return (
        start > 1
        and text[start - 1] in _NUMBER_JOINTS
        and text[start].isdigit()
        and text[start - 2].isdigit()
    ) or (
        end + 1 < len(text)
        and text[end] in _NUMBER_JOINTS
        and text[end - 1].isdigit()
        and text[end + 1].isdigit()
    )


def agrees(case: Case, text: str, span: Span) -> bool:
    """Tell whether the case of an occurrence is as its form asks."""
    if case is Case.ANY:
        return True
    return is_acronym(span.of(text)) if case is Case.SAME else not text[span.start].islower()
