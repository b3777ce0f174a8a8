"""Search for all forms in one pass over a folded text, word by word, and in all its readings.

A form is found where all its words stand, with the same gaps between them (``tokens.gap``). A form
with a digit at its begin or end may not go on there after ``.``, ``,``, ``/``, ``:`` or ``-`` and a
digit, so ``12/05`` is not found in ``12/05/2003``.

From each word of the text the forms are followed for at most ``_MANY`` words, so time is linear
however many forms lie within one another. A longer form is searched for in pieces of this length,
the last one overlapping the one before.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Generic, TypeVar

import ahocorasick
import numpy as np

from ..document import Span
from .folding import NormalizedText, is_telling
from .readings import Reading, latin, readings
from .surface_forms import SHORTEST_INSIDE, Case, Form, is_acronym
from .tokens import gap, is_spaceless, pieces, word_strings, words
from .word_parts import divided_words

_NUMBER_JOINTS = frozenset(".,/:-")
_MANY = 16


@dataclass(slots=True)
class Node:
    """Node of the tree of forms; ``form`` ends here, empty if none does."""

    following: dict[str, Node] = field(default_factory=dict)
    form: str = ""


def occurrences(
    text: str,
    folded: NormalizedText,
    forms: Mapping[str, Case],
    weights: Mapping[str, float] | None = None,
) -> Iterator[tuple[Span, str]]:
    """Yield the spans of forms in ``text``, in order, with the form; then those of codes in other groups.

    Of the forms from one word on the longest comes first, and shorter ones only if each weighs more
    than all longer ones.

    Args:
        text: the text itself.
        folded: the same text, folded.
        forms: the required case of each form; as ``tokens.unify`` writes them.
        weights: the weight of each form; all are equal by default.
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
    codes = _codes(form for form, case in forms.items() if case is Case.ANY)
    for start, end, form in _regrouped(folded.text, codes):
        if (start, end) not in places:
            yield folded.original(start, end), form


def matches(searched: str, root: Node) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield, in order, where forms begin in a folded text, with their ends, the longest first."""
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
    """Return the ends of the forms from a word on, with the forms, the longest first."""
    endings = [
        (end, form)
        for end, form in _ending(node, searched, starts, ends, first)
        if not _inside_number(searched, starts[first], end)
    ]
    return endings[::-1]


class WordIndex:
    """Words of a folded text by what they are, for many searches in it.

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
        """Yield what ``matches`` yields, in time of the words that forms begin with."""
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
            # Of forms that share a piece the shorter one is the piece itself.
            if not node.form or len(form) < len(node.form):
                node.form = form
    return root


@lru_cache(maxsize=4096)
def _parts(form: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a form with the gaps before them; of a long one in several parts."""
    starts, ends = words(form)
    last = max(0, len(starts) - _MANY)
    slices = [slice(first, first + _MANY) for first in (*range(0, last, _MANY), last)]
    return tuple(tuple(pieces(form, starts[part], ends[part])) for part in slices)


def _ending(
    node: Node | None, text: str, starts: Sequence[int], ends: Sequence[int], word: int
) -> Iterator[tuple[int, str]]:
    """Yield the end of each form from ``word`` on, and the form."""
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
    """Return whether the case of an occurrence agrees with its form."""
    if case is Case.ANY:
        return True
    return is_acronym(span.of(text)) if case is Case.SAME else not text[span.start].islower()


# Forms wherever a reader may find them: as words and inside words, in every reading of a text.
#
# | form | stands | found |
# |---|---|---|
# | any | as words | see ``occurrences`` |
# | five letters or more | inside a word (``theYalmanFile``, ``yalmans``) | always |
# | three letters or more, or a name that is a word | inside one | at capitals, digits (``AnnLeeCV``, ``Ann87``), before the ``s`` of a plural (``the Lees``) |
# | any of these | over a hyphen, emphasis, a line's end (``readings``) | from the first letter of a word to the last |
# | a code of seven letters and digits or more | in other groups (``943 476 5919``, ``9434765919``, ``943:476:5919``) | as words; not ``1000000`` in a row ``1 0 0 0 0 0 0`` |
# | a word of five letters or more | over the end of a line, paragraph or page without a hyphen (``divided_words``) | before a small letter, or all in capitals |
#
# Inside words only forms with ``Form.inside`` are looked for. The mask covers the word around the
# form, and the whole of an address (``galip.yalman@metu.edu.tr``) or link.


_SHORTEST = 3
_LONGEST = 64
_FEW = 16
_PLURAL = re.compile(r"e?s(?![^\W\d_])")
_SHORTEST_CODE = 7
_NO_MARKS = dict.fromkeys(map(ord, " \u00a0\u2009\u202f\t\n\r.-/()_"))
"""Marks between the groups of a code."""
_IN_TEXT = [*_NO_MARKS, *map(ord, ":·•|*'")]
"""Marks between its groups elsewhere in a text; a comma is that of a decimal."""
_IS_LETTER = np.ones(max(_IN_TEXT) + 2, bool)
"""Whether a code point is none of these marks; the last item stands for all that are higher."""
_IS_LETTER[_IN_TEXT] = False
_FEW_DIFFERENT = 4
"""Different letters and digits of a code, from which on no row of single ones is the code by chance."""
_GROUP = re.compile("[0-9a-z]+")
_WIDEST_GAP = 3
_WORD_END = re.compile(r"[^0-9a-z]|$")  # Early for other scripts, which costs time only.
_JOINT = re.compile(r"[\s*~`_<>|/,.·\-\u2010-\u2013\u00ac]")
# White space, brackets and quotation marks end an address.
_RUN = re.compile("[^\\s<>\"'()\\[\\]{}|,;“”‘’«»„`]+")
_ADDRESS = ("@", "://", "www.")
_EDGES = "*_~.,:;!?…"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Occurrence of a form.

    Attributes:
        span: the stretch of the original to mask.
        core: the form alone, inside of it.
        form: its text, as in ``Form``.
    """

    span: Span
    core: Span
    form: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """Forms for one kind of reading, each with the text of its original form."""

    forms: Mapping[str, Form] = field(repr=False)
    names: Mapping[str, str] = field(repr=False)
    tree: Node = field(repr=False)
    inside: Any = field(repr=False)
    codes: Any = field(repr=False)


class SearchedText:
    """A text with what searches need of it, each made once: for many searchers of one text.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def readings(self) -> list[tuple[Reading, WordIndex]]:
        """Its readings, each with its words."""
        return [(reading, WordIndex(reading.searched)) for reading in readings(self.text)]

    @cached_property
    def divided(self) -> list[tuple[Span, str]]:
        """The words that a line end may part."""
        return list(divided_words(self.text))


class Searcher:
    """Searcher for forms; of several with one text the laxest counts."""

    def __init__(self, forms: Iterable[Form]) -> None:
        by_text: dict[str, Form] = {}
        for form in forms:
            twin = by_text.get(form.text, form)
            by_text[form.text] = Form(
                form.text, min(form.case, twin.case), form.inside or twin.inside
            )
        by_text.pop("", None)
        self._plain = _compile(by_text, {text: text for text in by_text})
        turned = {latin(text): text for text in by_text}
        self._latin = self._plain if turned.keys() == by_text.keys() else _compile(by_text, turned)

    def find(self, text: str) -> list[Occurrence]:
        """Return where forms stand, in order, the longest first; they may overlap."""
        return self._find(text, ((reading, None) for reading in readings(text)), None)

    def find_in(self, searched: SearchedText) -> list[Occurrence]:
        """Return the same of a text that others search as well."""
        return self._find(searched.text, searched.readings, searched.divided)

    def _find(
        self,
        text: str,
        indexed: Iterable[tuple[Reading, WordIndex | None]],
        parted: Iterable[tuple[Span, str]] | None,
    ) -> list[Occurrence]:
        occurrences: list[Occurrence] = []
        if not self._plain.forms:
            return occurrences
        for reading, index in indexed:
            compiled = self._latin if reading.latin else self._plain
            hits = list(dict.fromkeys(_in_reading(reading, compiled, index)))
            if occurrences:
                covered = _Covered(occurrences)
                hits = [hit for hit in hits if not covered.holds(text, hit.core)]
            occurrences += hits
        cores = {occurrence.core for occurrence in occurrences}
        forms = self._plain.forms
        for span, form in divided_words(text) if parted is None else parted:
            if form in forms and span not in cores and agrees(forms[form].case, text, span):
                occurrences.append(Occurrence(span, span, form))
        occurrences.sort(key=lambda occurrence: (occurrence.span.start, -occurrence.span.end))
        return occurrences


def _compile(by_name: Mapping[str, Form], names: Mapping[str, str]) -> _Compiled:
    forms = {
        text: by_name[name] if text == name else replace(by_name[name], text=text)
        for text, name in names.items()
    }
    codes = _codes(text for text, form in forms.items() if form.case is Case.ANY)
    return _Compiled(forms, names, tree(forms), _automaton(forms.values()), codes)


def _automaton(forms: Iterable[Form]) -> Any:
    """Return the automaton of forms without gaps between words; None if there are no forms.

    A form found anywhere in a word makes longer forms around it superfluous. Where they are many,
    these are left out, so the number of occurrences is linear, whatever the forms are.
    """
    by_letters: dict[str, tuple[str, bool]] = {}
    for form in forms:
        letters = _letters(form.text) if form.inside else ""
        free = form.case is Case.ANY and len(letters) >= SHORTEST_INSIDE and not letters.isdigit()
        if len(letters) >= _SHORTEST:
            by_letters.setdefault(letters, (form.text, free))
    frees = [letters for letters, (_, free) in by_letters.items() if free]
    parts = _made((letters, letters) for letters in frees) if len(frees) >= _FEW else None
    return _made(
        (letters, (len(letters), text, free))
        for letters, (text, free) in by_letters.items()
        if not free or parts is None or all(part == letters for _, part in parts.iter(letters))
    )


def _codes(forms: Iterable[str]) -> Any:
    """Return the automaton of codes without the marks between their groups; None if there are none."""
    return _made((code, (len(code), form)) for form in forms if (code := _code(form)))


@lru_cache(maxsize=4096)
def _code(form: str) -> str:
    """Return a form without the marks between its groups, if it is a code: long enough, most of it digits."""
    code = form.translate(_NO_MARKS)
    is_code = code.isascii() and code.isalnum() and 2 * sum(map(str.isdigit, code)) > len(code)
    return code if is_code and _SHORTEST_CODE <= len(code) <= _LONGEST else ""


@lru_cache(maxsize=4096)
def _letters(form: str) -> str:
    """Return a form without the gaps between its words; empty if it is too long, or spaceless."""
    if len(form) > _LONGEST or any(map(_is_spaceless, form)):
        return ""
    return "".join(form[slice(*word)] for word in zip(*words(form), strict=True))


def _made(words: Iterable[tuple[str, object]]) -> Any:
    automaton = ahocorasick.Automaton()
    for word, value in words:
        automaton.add_word(word, value)
    if len(automaton) == 0:
        return None
    automaton.make_automaton()
    return automaton


def _in_reading(
    reading: Reading, compiled: _Compiled, index: WordIndex | None
) -> Iterator[Occurrence]:
    addresses: Spans | None = None
    last: Span | None = None
    for start, end, form, inside in _places(reading, compiled, index):
        core = reading.place(start, end)
        if last is not None and last.contains(core):
            continue
        if addresses is None:
            addresses = Spans(_addresses(reading.text))
        span = addresses.around(core) or (_word(reading.text, core) if inside else core)
        if span is not core:
            last = span
        origin = reading.original(core)
        extent = origin if span is core else reading.original(span)
        yield Occurrence(extent, origin, compiled.names[form])


def _places(
    reading: Reading, compiled: _Compiled, index: WordIndex | None
) -> Iterator[tuple[int, int, str, bool]]:
    """Yield the places of forms in the searched text, and whether each may lie inside a word."""
    root = compiled.tree
    for start, ending in index.matches(root) if index else matches(reading.searched, root):
        for end, form in ending:
            if agrees(compiled.forms[form].case, reading.text, reading.place(start, end)):
                yield start, end, form, False
                break
    for start, end, form in _regrouped(reading.searched, compiled.codes):
        yield start, end, form, False
    if compiled.inside is None:
        return
    cursor = 0
    for last, (length, form, free) in compiled.inside.iter(reading.searched):
        start, end = last + 1 - length, last + 1
        if end > cursor and _stands(reading, start, end, free, compiled.forms[form].case):
            yield start, end, form, True
            if free and not reading.joined:
                # The whole word is masked: further forms in it make no difference.
                word = _WORD_END.search(reading.searched, end)
                cursor = word.start() if word else end


def _regrouped(searched: str, codes: Any) -> Iterator[tuple[int, int, str]]:
    """Yield the places of codes whose letters and digits stand in whatever groups, with the form."""
    if codes is None:
        return
    points = np.frombuffer(searched.encode("utf-32-le", "surrogatepass"), np.uint32)
    places = np.flatnonzero(_IS_LETTER[np.minimum(points, len(_IS_LETTER) - 1)])
    glued = points[places].tobytes().decode("utf-32-le", "surrogatepass")
    for last, (length, form) in codes.iter(glued):
        start, end = int(places[last + 1 - length]), int(places[last]) + 1
        around = searched[start - 1 : start] + searched[end : end + 1]
        if any(map(str.isalnum, around)) or _inside_number(searched, start, end):
            continue
        gaps = _GROUP.split(searched[start:end])
        is_row = (
            len(gaps) > length and len(set(glued[last + 1 - length : last + 1])) < _FEW_DIFFERENT
        )
        if max(map(len, gaps)) <= _WIDEST_GAP and not is_row:
            yield start, end, form


def _stands(reading: Reading, start: int, end: int, free: bool, case: Case) -> bool:
    """Return whether a form is there by more than chance."""
    searched = reading.searched
    before = searched[start - 1] if start else " "
    after = searched[end] if end < len(searched) else " "
    if (before.isdigit() and searched[start].isdigit()) or (
        after.isdigit() and searched[end - 1].isdigit()
    ):
        return False
    place = reading.place(start, end)
    string = place.of(reading.text)
    if free and not _JOINT.search(string):
        return True
    text = reading.text
    capital = string[0].isupper()
    if case is not Case.ANY and not capital:
        return False
    if before.isalpha():
        outside = text[place.start - 1]
        hump = capital and (outside.islower() or string[1:2].islower())
        if not hump and not _JOINT.match(outside):
            return False
    if not after.isalpha() or _JOINT.match(text, place.end):
        return True
    if text[place.end].isupper() and string[-1].islower():
        return True
    return (free or capital) and _PLURAL.match(searched, end) is not None


def _word(text: str, core: Span) -> Span:
    """Return the word around a range: letters, digits, marks and invisible characters."""
    start, end = core.start, core.end
    while start > 0 and _belongs(text[start - 1]):
        start -= 1
    while end < len(text) and _belongs(text[end]):
        end += 1
    return Span(start, end)


def _belongs(character: str) -> bool:
    if character.isascii():
        return character.isalnum()
    return not _is_spaceless(character) and (
        character.isalnum() or unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf")
    )


def _is_spaceless(character: str) -> bool:
    return is_spaceless(ord(character))


def _addresses(text: str) -> Iterator[Span]:
    if not any(mark in text for mark in _ADDRESS):
        return
    for run in _RUN.finditer(text):
        string = run.group()
        if any(mark in string for mark in _ADDRESS):
            start = run.end() - len(string.lstrip(_EDGES))
            end = run.start() + len(string.rstrip(_EDGES))
            if start < end:
                yield Span(start, end)


class Spans:
    """Spans of a text; of overlapping ones the first, then the longest."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans: list[Span] = []
        for span in sorted(spans, key=lambda span: (span.start, -span.end)):
            if not self._spans or span.start >= self._spans[-1].end:
                self._spans.append(span)
        self._starts = [span.start for span in self._spans]

    def around(self, span: Span) -> Span | None:
        """Return the span around another one; None if there is none."""
        place = bisect_right(self._starts, span.start) - 1
        is_inside = place >= 0 and self._spans[place].contains(span)
        return self._spans[place] if is_inside else None


class _Covered:
    """Ranges covered by occurrences, touching ones joined."""

    def __init__(self, occurrences: Sequence[Occurrence]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for span in sorted(occurrence.span for occurrence in occurrences):
            if self._ends and span.start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], span.end)
            else:
                self._starts.append(span.start)
                self._ends.append(span.end)

    def holds(self, text: str, span: Span) -> bool:
        """Return whether each letter and digit of a span is covered."""
        position = span.start
        while position < span.end:
            place = bisect_right(self._starts, position) - 1
            if place >= 0 and position < self._ends[place]:
                position = self._ends[place]
            elif is_telling(text[position]):
                return False
            else:
                position += 1
        return True


# Many terms searched for in one pass (Aho and Corasick, 1975), however long they are.
#
# The automaton is a tree as deep as its longest term, and the library frees it by recursion: a term
# of a million characters (a list that was taken for one name) ends the process with a segmentation
# fault. Where a term repeats itself, each character may also cost as many steps as the tree is
# deep. So the automaton holds the first characters of each term, and the rest is compared.


_Value = TypeVar("_Value")
_DEPTH = 256


class Terms(Generic[_Value]):
    """Terms with a value each.

    Args:
        values: by term; an empty term is found nowhere.
    """

    def __init__(self, values: Mapping[str, _Value]) -> None:
        heads: dict[str, list[tuple[str, _Value]]] = {}
        for term, value in values.items():
            if term:
                heads.setdefault(term[:_DEPTH], []).append((term, value))
        self._automaton: Any = ahocorasick.Automaton()
        for head, terms in heads.items():
            self._automaton.add_word(head, (len(head), terms))
        self._empty = not heads
        if heads:
            self._automaton.make_automaton()

    def __bool__(self) -> bool:
        return not self._empty

    def iter(self, text: str) -> Iterator[tuple[int, int, _Value]]:
        """Yield start and end of each occurrence with the term's value; they may overlap."""
        if self._empty:
            return
        for last, (length, terms) in self._automaton.iter(text):
            start = last + 1 - length
            for term, value in terms:
                if len(term) == length or text.startswith(term, start):
                    yield start, start + len(term), value
