"""Search for forms word by word in one pass over a folded text.

A form is found wherever all its words occur with the same gaps between them (``tokens.gap``). If a
form starts or ends with a digit, ``.``, ``,``, ``/``, ``:`` or ``-`` and another digit must not be
next to it, so ``12/05`` isn't found in ``12/05/2003``.

From each word of the text, forms are followed for at most ``_MAX_WORDS`` words, so time is linear
however deeply forms are nested. A longer form is searched for in pieces of this length, the last of
which overlaps the previous one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ..document import Span
from .acronyms import is_acronym
from .folding import FoldedText
from .regrouped_codes import code_automaton, find_regrouped, is_inside_number
from .surface_forms import LetterCase
from .tokens import gap, pieces, word_strings, words

_MAX_WORDS = 16


@dataclass(slots=True)
class Node:
    """A node in the tree of forms; ``form`` is the form that ends here, empty if none does."""

    following: dict[str, Node] = field(default_factory=dict)
    form: str = ""


def occurrences(
    text: str,
    folded: FoldedText,
    forms: Mapping[str, LetterCase],
    weights: Mapping[str, float] | None = None,
) -> Iterator[tuple[Span, str]]:
    """Yield the spans of forms in ``text`` with the form, in order; then those of codes in other groups.

    Of the forms that start at one word, the longest comes first, and shorter ones follow only if
    each has a higher weight than all longer ones.

    Args:
        text: the text itself.
        folded: the same text, folded.
        forms: the required case of each form, keyed by its text as written by
            ``tokens.unify_gaps``.
        weights: the weight of each form; by default all are equal.
    """
    if not forms:
        return
    places: set[tuple[int, int]] = set()
    for start, ending in matches(folded.text, tree(forms)):
        weight = -1.0
        for end, form in ending:
            score = weights[form] if weights else 0.0
            if score <= weight:
                continue
            span = folded.original(start, end)
            if agrees(forms[form], text, span):
                weight = score
                places.add((start, end))
                yield span, form
    codes = code_automaton(form for form, case in forms.items() if case is LetterCase.ANY)
    for start, end, form in find_regrouped(folded.text, codes):
        if (start, end) not in places:
            yield folded.original(start, end), form


def matches(searched: str, root: Node) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield, in order, where forms start in a folded text, with their ends, the longest first."""
    strings = word_strings(searched)
    firsts = [place for place, string in enumerate(strings) if string in root.following]
    if not firsts:
        return
    starts, ends = words(searched)
    for first in firsts:
        node = root.following[strings[first]]
        if ending := _endings(node, searched, starts, ends, first):
            yield starts[first], ending


def _endings(
    node: Node, searched: str, starts: Sequence[int], ends: Sequence[int], first: int
) -> list[tuple[int, str]]:
    """Return the ends of the forms that start at a word, with the forms, the longest first."""
    endings = [
        (end, form)
        for end, form in _ending(node, searched, starts, ends, first)
        if not is_inside_number(searched, starts[first], end)
    ]
    return endings[::-1]


class WordPositions:
    """The positions of each word in a folded text, for many searches in it.

    Args:
        searched: the text.
    """

    def __init__(self, searched: str) -> None:
        self._searched = searched
        self._starts, self._ends = words(searched)
        self._places: dict[str, list[int]] = {}
        for place, (start, end) in enumerate(zip(self._starts, self._ends, strict=True)):
            self._places.setdefault(searched[start:end], []).append(place)

    def matches(self, root: Node) -> Iterator[tuple[int, list[tuple[int, str]]]]:
        """Yield what ``matches`` yields, in time proportional to the words that forms start with."""
        firsts = [(p, word) for word in root.following for p in self._places.get(word, ())]
        for first, word in sorted(firsts):
            node = root.following[word]
            if ending := _endings(node, self._searched, self._starts, self._ends, first):
                yield self._starts[first], ending


def tree(forms: Iterable[str]) -> Node:
    """Return the tree of forms by their words."""
    root = Node()
    for form in forms:
        for part in _parts(form):
            node = root
            for piece in part:
                following = node.following.get(piece)
                if following is None:
                    following = node.following[piece] = Node()
                node = following
            # Among forms that share a piece, the shorter one is the piece itself.
            if not node.form or len(form) < len(node.form):
                node.form = form
    return root


@lru_cache(maxsize=4096)
def _parts(form: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a form with the gaps before them; in several parts if it is long."""
    starts, ends = words(form)
    last = max(0, len(starts) - _MAX_WORDS)
    slices = [slice(first, first + _MAX_WORDS) for first in (*range(0, last, _MAX_WORDS), last)]
    return tuple(tuple(pieces(form, starts[part], ends[part])) for part in slices)


def _ending(
    node: Node | None, text: str, starts: Sequence[int], ends: Sequence[int], word: int
) -> Iterator[tuple[int, str]]:
    """Yield the end of each form that starts at ``word``, and the form."""
    while node is not None:
        end = ends[word]
        if node.form:
            yield end, node.form
        word += 1
        if not node.following or word == len(starts):
            return
        start = starts[word]
        node = node.following.get(gap(text[end:start]) + text[start : ends[word]])


def agrees(case: LetterCase, text: str, span: Span) -> bool:
    """Return whether an occurrence has the case that its form requires."""
    if case is LetterCase.ANY:
        return True
    return is_acronym(span.of(text)) if case is LetterCase.SAME else not text[span.start].islower()
