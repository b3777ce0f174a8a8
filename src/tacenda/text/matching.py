"""Find forms wherever a reader could: as words and inside words, in every reading of a text.

| form | where | found |
|---|---|---|
| any | as words | see ``occurrences`` |
| five letters or more | inside a word (``theYalmanFile``, ``yalmans``) | always |
| three letters or more, or a name that is a word | inside one | at capitals and digits (``AnnLeeCV``, ``Ann87``), and before a plural ``s`` (``the Lees``) |
| any of these | across a hyphen, emphasis or line end (``readings``) | from the first letter of a word to the last |
| a code of seven letters and digits or more | in other groups (``943 476 5919``, ``9434765919``, ``943:476:5919``) | as words; not ``1000000`` in a row of cells ``1 0 0 0 0 0 0`` |
| a word of five letters or more | across the end of a line, paragraph or page without a hyphen (``divided_words``) | before a lowercase letter, or all in capitals |

Inside words, only forms with ``Form.inside`` are searched for. The mask covers the word that
contains the form, or the whole address (``galip.yalman@metu.edu.tr``) or link.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from ..document import Span
from .readings import TextReading, latin, readings
from .regrouped_codes import LONGEST_FORM, automaton_of, code_automaton, find_regrouped
from .spans import CoveredRanges, DisjointSpans
from .surface_forms import SHORTEST_INSIDE, Form, LetterCase
from .tokens import is_spaceless, words
from .word_parts import divided_words
from .word_search import Node, WordPositions, agrees, matches, tree

_SHORTEST = 3

_MIN_AUTOMATON_FORMS = 16
_PLURAL = re.compile(r"e?s(?![^\W\d_])")

_WORD_END = re.compile(r"[^0-9a-z]|$")  # Early for other scripts, which only costs time.
_JOINT = re.compile(r"[\s*~`_<>|/,.·\-\u2010-\u2013\u00ac]")
# White space, brackets and quotation marks end an address.
_RUN = re.compile("[^\\s<>\"'()\\[\\]{}|,;“”‘’«»„`]+")
_ADDRESS = ("@", "://", "www.")
_EDGES = "*_~.,:;!?…"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence of a form.

    Attributes:
        span: the part of the original to mask.
        core: only the form, inside the span.
        form: the form's text, as in ``Form``.
    """

    span: Span
    core: Span
    form: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The forms for one kind of reading, each with the text of its original form."""

    forms: Mapping[str, Form] = field(repr=False)
    names: Mapping[str, str] = field(repr=False)
    tree: Node = field(repr=False)
    inside: Any = field(repr=False)
    codes: Any = field(repr=False)


class SearchedText:
    """A text with everything that searches need, computed once, for several searchers of one text.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def readings(self) -> list[tuple[TextReading, WordPositions]]:
        """Its readings, each with its words."""
        return [(reading, WordPositions(reading.searched)) for reading in readings(self.text)]

    @cached_property
    def divided(self) -> list[tuple[Span, str]]:
        """The words that a line end may divide."""
        return list(divided_words(self.text))


class Searcher:
    """Searches for forms; if several have the same text, the least strict counts."""

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
        """Return the occurrences of forms, in order, longest first; they may overlap."""
        return self._find(text, ((reading, None) for reading in readings(text)), None)

    def find_in(self, searched: SearchedText) -> list[Occurrence]:
        """Return the occurrences in a text that other searchers also use."""
        return self._find(searched.text, searched.readings, searched.divided)

    def _find(
        self,
        text: str,
        indexed: Iterable[tuple[TextReading, WordPositions | None]],
        parted: Iterable[tuple[Span, str]] | None,
    ) -> list[Occurrence]:
        occurrences: list[Occurrence] = []
        if not self._plain.forms:
            return occurrences
        for reading, index in indexed:
            compiled = self._latin if reading.latin else self._plain
            hits = list(dict.fromkeys(_in_reading(reading, compiled, index)))
            if occurrences:
                covered = CoveredRanges(occurrence.span for occurrence in occurrences)
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
    codes = code_automaton(text for text, form in forms.items() if form.case is LetterCase.ANY)
    return _Compiled(forms, names, tree(forms), _automaton(forms.values()), codes)


def _automaton(forms: Iterable[Form]) -> Any:
    """Return the automaton for forms without gaps between words; None if there are no forms.

    A form that is found anywhere in a word makes longer forms that contain it superfluous. If there
    are many, they are left out, so that the number of occurrences is always linear.
    """
    by_letters: dict[str, tuple[str, bool]] = {}
    for form in forms:
        letters = _letters(form.text) if form.inside else ""
        free = (
            form.case is LetterCase.ANY
            and len(letters) >= SHORTEST_INSIDE
            and not letters.isdigit()
        )
        if len(letters) >= _SHORTEST:
            by_letters.setdefault(letters, (form.text, free))
    frees = [letters for letters, (_, free) in by_letters.items() if free]
    parts = (
        automaton_of((letters, letters) for letters in frees)
        if len(frees) >= _MIN_AUTOMATON_FORMS
        else None
    )
    return automaton_of(
        (letters, (len(letters), text, free))
        for letters, (text, free) in by_letters.items()
        if not free or parts is None or all(part == letters for _, part in parts.iter(letters))
    )


@lru_cache(maxsize=4096)
def _letters(form: str) -> str:
    """Return a form without the gaps between its words; empty if it is too long, or in a script without spaces."""
    if len(form) > LONGEST_FORM or any(map(_is_spaceless, form)):
        return ""
    return "".join(form[slice(*word)] for word in zip(*words(form), strict=True))


def _in_reading(
    reading: TextReading, compiled: _Compiled, index: WordPositions | None
) -> Iterator[Occurrence]:
    addresses: DisjointSpans | None = None
    last: Span | None = None
    for start, end, form, inside in _places(reading, compiled, index):
        core = reading.place(start, end)
        if last is not None and last.contains(core):
            continue
        if addresses is None:
            addresses = DisjointSpans(_addresses(reading.text))
        span = addresses.around(core) or (_word(reading.text, core) if inside else core)
        if span is not core:
            last = span
        origin = reading.original(core)
        extent = origin if span is core else reading.original(span)
        yield Occurrence(extent, origin, compiled.names[form])


def _places(
    reading: TextReading, compiled: _Compiled, index: WordPositions | None
) -> Iterator[tuple[int, int, str, bool]]:
    """Yield the positions of forms in the searched text, and whether each may be inside a word."""
    root = compiled.tree
    for start, ending in index.matches(root) if index else matches(reading.searched, root):
        for end, form in ending:
            if agrees(compiled.forms[form].case, reading.text, reading.place(start, end)):
                yield start, end, form, False
                break
    for start, end, form in find_regrouped(reading.searched, compiled.codes):
        yield start, end, form, False
    if compiled.inside is None:
        return
    cursor = 0
    for last, (length, form, free) in compiled.inside.iter(reading.searched):
        start, end = last + 1 - length, last + 1
        if end > cursor and _has_word_boundaries(
            reading, start, end, free, compiled.forms[form].case
        ):
            yield start, end, form, True
            if free and not reading.joined:
                # The whole word is masked, so more forms in it make no difference.
                word = _WORD_END.search(reading.searched, end)
                cursor = word.start() if word else end


def _has_word_boundaries(
    reading: TextReading, start: int, end: int, free: bool, case: LetterCase
) -> bool:
    """Return whether a form isn't there just by chance."""
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
    if case is not LetterCase.ANY and not capital:
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
    """Return the word that contains a range: letters, digits, marks and invisible characters."""
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
