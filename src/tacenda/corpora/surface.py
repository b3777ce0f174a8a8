"""Where a masked name lurks outside the text: in file names, addresses, ids and scripts.

The search is by words, blind to case, to diacritics and to what stands between the words, so
that ``Galip Yalman`` is found in ``galip-yalman``, ``galip_yalman`` and ``?q=Galip+Yalman``.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from urllib.parse import unquote

import ahocorasick

from ..document import Sanitized, SemanticType
from ..forms.surface import leak_forms

_WORD = re.compile(r"%[0-9A-Fa-f]{2}|((?:[^\W_]|[\u0300-\u036f])+)")
_STRUCK = "***"
# Shorter names than this are looked for in a file name by word only, never inside a word.
_SHORTEST_INFIX = 4


def _fold(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def _words(text: str) -> list[tuple[int, int, str]]:
    return [
        (match.start(), match.end(), folded)
        for match in _WORD.finditer(text)
        if match[1] is not None and (folded := _fold(match[1]))
    ]


def _joined(text: str) -> str:
    return "".join(f" {word}" for _, _, word in _words(text)) + " "


def _telling(form: str) -> bool:
    """A form of one letter or of few digits would be found everywhere; it tells nobody."""
    letters = form.replace(" ", "")
    return len(letters) >= (4 if letters.isdigit() else 2)


class SurfaceForms:
    """The strings of masked entities of one document, ready to be searched for."""

    def __init__(self, forms: Iterable[str]) -> None:
        self._automaton = ahocorasick.Automaton()
        for form in forms:
            joined = _joined(form)
            if _telling(joined):
                self._automaton.add_word(joined, len(joined))
        self._empty = len(self._automaton) == 0
        if not self._empty:
            self._automaton.make_automaton()

    @classmethod
    def of(cls, sanitized: Sanitized) -> SurfaceForms:
        """Collect the mentions of every masked entity of a sanitized document."""
        text = sanitized.document.text
        return cls(
            {
                mention.span.of(text)
                for decision in sanitized.decisions
                if decision.masked
                for mention in decision.entity.mentions
            }
        )

    @classmethod
    def with_parts(cls, sanitized: Sanitized) -> SurfaceForms:
        """Collect the same, and the names that each is made of: a surname alone tells as much."""
        text = sanitized.document.text
        strings = {
            (mention.span.of(text), mention.type)
            for decision in sanitized.decisions
            if decision.masked
            for mention in decision.entity.mentions
        }
        parts = {form.text for string, type in strings for form in leak_forms(string, type)}
        return cls(parts | {string for string, _ in strings})

    def occurs_in(self, text: str) -> bool:
        """Tell whether a form occurs in ``text``, as it stands or percent- or entity-decoded."""
        if self._empty:
            return False
        return any(
            next(self._automaton.iter(_joined(reading)), None) is not None
            for reading in {text, html.unescape(unquote(text))}
        )

    def strike_out(self, text: str) -> str:
        """Return ``text`` with ``***`` for every form in it; linear in the text.

        A form that only shows when the text is decoded (``%C3%A7``) takes the whole text along.
        """
        if self._empty:
            return text
        words = _words(text)
        starts: list[int] = []
        position = 0
        for _, _, word in words:
            starts.append(position)
            position += 1 + len(word)
        haystack = "".join(f" {word}" for _, _, word in words) + " "
        covered: list[tuple[int, int]] = []
        for end, length in self._automaton.iter(haystack):
            first = bisect_left(starts, end + 1 - length)
            last = bisect_left(starts, end) - 1
            covered.append((words[first][0], words[last][1]))
        covered.sort()
        parts: list[str] = []
        position = 0
        for start, stop in covered:
            if start >= position:
                parts += (text[position:start], _STRUCK)
            position = max(position, stop)
        result = "".join((*parts, text[position:]))
        return _STRUCK if self.occurs_in(result) else result


def name_tells(name: str, sanitized: Iterable[Sanitized]) -> bool:
    """Tell whether a file name (or path) holds a surface form that was masked in a document.

    People are also found by a part of their name (``yalman.txt``) and inside a longer word
    (``GalipYalmanCV.pdf``); when unsure, the answer is yes.
    """
    folded = _fold(name)
    for result in sanitized:
        if SurfaceForms.of(result).occurs_in(name):
            return True
        text = result.document.text
        own = set(_joined(name).split())
        for decision in result.decisions:
            if not decision.masked or decision.entity.type is not SemanticType.PERSON:
                continue
            for mention in decision.entity.mentions:
                for _, _, word in _words(mention.span.of(text)):
                    if word in own and len(word) > 1:
                        return True
                    if len(word) >= _SHORTEST_INFIX and word in folded:
                        return True
    return False


def safe_name(name: str, sanitized: Iterable[Sanitized], number: int) -> str:
    """Return a file name that tells nobody who was masked.

    Args:
        name: the file's name (its last part; a path is judged as a whole).
        sanitized: the documents that came from the file.
        number: running number of the file in the run; it goes into the neutral name.

    Returns:
        ``name`` itself where nothing masked occurs in it, else ``document-<number>`` with the
        suffixes of ``name`` that are in common use (``.txt``, ``.html``, …).
    """
    if not name_tells(name, sanitized):
        return name
    suffix = re.search(r"\.[A-Za-z0-9]{1,8}$", name)
    neutral = f"document-{number}"
    if suffix and not name_tells(suffix[0], sanitized):
        return neutral + suffix[0]
    return neutral
