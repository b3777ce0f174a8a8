"""The language of each part of a text.

A *part* is a paragraph, or several consecutive short lines, with six or more running words: words
that start with a lowercase letter, and words in caseless scripts. Lists of names, codes and
headings therefore have no language. They belong to the part around them, or their language is
unknown, which counts as English, or as the language of a recognizer that reads another one
(``languages`` in its ``config.json``; *English* stands for it below).

| a part | its language |
|---|---|
| most letters are in a script that few languages use (Greek, Han, Hangul, Thai …) | the script's language |
| at least three tenths of the words are English function words | English |
| its words' n-grams are far likelier in another language than in English | the other language |
| anything else | English |

"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from ..document import Document, LanguagePart, Span
from ..shipped import shipped_table
from ..text.word_lists import FUNCTION
from ..wording import LANGUAGES
from .language_profiles import ENGLISH, shipped_profiles

_TABLE = shipped_table("scripts")
NAMES: dict[str, str] = _TABLE["names"] | {code: item.name for code, item in LANGUAGES.items()}
"""Names of the languages by ISO 639-1 code."""
_SCRIPT: dict[str, re.Pattern[str]] = {
    code: re.compile(f"[{letters}]") for code, letters in _TABLE["letters"].items()
}
_SHARED: dict[str, list[str]] = _TABLE["shared"]
_OWN_SHARE: dict[str, float] = _TABLE["own_share"]
_CYRILLIC = re.compile("[\u0400-\u052f]")
_OF_CYRILLIC: dict[str, re.Pattern[str]] = {
    code: re.compile(letters) for code, letters in _TABLE["cyrillic"].items()
}

_WORD = re.compile(r"[^\W\d_]+")
_MARKUP = re.compile(r"```.*?```|`[^`\n]*`|\{\{.{0,300}?\}\}|<[^<>\n]*>", re.DOTALL)
"""Code, placeholders and tags."""
_NO_PROSE = re.compile(
    r"(?<!\S)(?=[^\s/\\@_=.]*+[/\\@_=.](?:[^\w\s]|_)*+[^\W_])\S+|\b(?=[^\W\d]*+\d)\w+"
)
"""Addresses, paths and names of files, and words with digits."""
_LINE = re.compile(r"[^\n]+")
_TELLING = re.compile("[^\u0000-\u02ff\u1e00-\u1eff\u2000-\u2bff\ufb00-\ufb06\uff00-\uff65]")
"""A character that may be of another script than the Latin one."""
_FEWEST = 6
_SUFFICIENT_LETTERS = 30
_SURE = 0.3
"""Share of English function words that settles a part."""
_DIFFERENT = 6
_LEAD = 22.0
_LEAD_PER_ROOT = 3.5
"""Nats by which another language must be likelier; the second times the root of the number of words."""
_MOST_LETTERS = 0.4
_LETTERS_A_WORD = 2


_ENGLISH_ALONE = frozenset({ENGLISH})


def foreign_parts(
    text: str, languages: Set[str] = _ENGLISH_ALONE, stated: str = ""
) -> tuple[LanguagePart, ...]:
    """Return the parts of ``text`` in other languages, in order, without overlaps.

    Consecutive parts in one language are merged. Takes time linear in the length of the text.

    Args:
        text: the text of a document.
        languages: ISO 639-1 codes of the languages that the recognizer reads.
        stated: code of the language that the user says the text is in. It replaces the language
            guessed for the text, in all parts that have the guessed one. Empty if the user doesn't
            say.
    """
    units = list(_units(text))
    guesses = [_language(unit, _ENGLISH_ALONE) for unit in units]
    guess = _main(units, guesses)
    parts = [
        (unit.span, (stated if stated and language == guess else _language(unit, languages, guess)))
        for unit, language in zip(units, guesses, strict=True)
    ]
    return tuple(
        LanguagePart(Span(spans[0].start, spans[-1].end), language)
        for language, spans in (
            (language, [span for span, _ in group])
            for language, group in groupby(parts, key=lambda part: part[1])
        )
        if language not in languages
    )


def main_language(text: str) -> str:
    """Return the language of most running words of ``text``; English if there are too few to tell."""
    units = list(_units(text))
    return _main(units, [_language(unit, _ENGLISH_ALONE) for unit in units])


def _main(units: Sequence[_TextUnit], languages: Sequence[str]) -> str:
    words: Counter[str] = Counter()
    for unit, language in zip(units, languages, strict=True):
        words[language] += sum(map(_weight, unit.words))
    return max(words, key=lambda code: words[code], default=ENGLISH)


def language_of(document: Document) -> str:
    """Return the language of a document: the one the user states, or else ``main_language``."""
    return document.language or main_language(document.text)


@dataclass(frozen=True, slots=True)
class _TextUnit:
    """Lines that are judged together: their lowercase words, and all lines as one string."""

    span: Span
    words: tuple[str, ...]
    text: str


def _units(text: str) -> Iterator[_TextUnit]:
    """Yield the units, which cover all lines except those without a language."""
    words: list[str] = []
    weight = 0
    start = end = -1
    ready: _TextUnit | None = None

    def unit() -> _TextUnit:
        return _TextUnit(Span(start, end), tuple(words), text[start:end])

    for line in _LINE.finditer(text):
        string = line[0]
        of_line = running_words(string)
        # All of these words are in Latin script and start with a lowercase letter.
        letters = len(of_line) if string.isascii() else sum(map(_weight, of_line))
        blank = start >= 0 and "\n\n" in text[end : line.start() + 1]
        if weight >= _SUFFICIENT_LETTERS or (weight >= _FEWEST and (blank or letters >= _FEWEST)):
            if ready is not None:
                yield ready
            ready = unit()
            words, weight, start = [], 0, -1
        if start < 0:
            start = line.start()
        end = line.end()
        words += of_line
        weight += letters
    if start < 0:
        pass
    elif weight >= _FEWEST:
        if ready is not None:
            yield ready
        ready = unit()
    elif ready is not None:  # a short last line belongs to the part before it
        ready = _TextUnit(Span(ready.span.start, end), ready.words + tuple(words), ready.text)
    if ready is not None:
        yield ready


def running_words(line: str) -> list[str]:
    """Return the words of a text that start with a lowercase letter, and those in caseless scripts.

    Code, placeholders, tags and addresses don't count as words.
    """
    if line.isupper():
        line = line.lower()
    if "<" in line or "`" in line or "{{" in line:
        line = _MARKUP.sub(" ", line)
    words = _WORD.findall(_NO_PROSE.sub(" ", line))
    return [word for word in words if not word[0].isupper()]


def _weight(word: str) -> int:
    """Return how many words a run of letters counts for, since not all scripts separate words."""
    return 1 if word[0].islower() else max(1, len(word) // _LETTERS_A_WORD)


def _language(unit: _TextUnit, languages: Set[str], usual: str = ENGLISH) -> str:
    if not unit.text.isascii() and (script := _of_script(unit.text)):
        return script
    return _of_words(unit.words, languages, usual)


def _of_script(text: str) -> str:
    """Return the language of most letters by their script; empty if the script doesn't determine it."""
    letters = sum(map(str.isalpha, text))
    counts = {code: len(pattern.findall(text)) for code, pattern in _SCRIPT.items()}
    for code, shared in _SHARED.items():
        total = counts[code] + sum(counts[peer] for peer in shared)
        counts[code] = total if total and counts[code] >= _OWN_SHARE[code] * total else 0
    if len(_CYRILLIC.findall(text)) > _MOST_LETTERS * letters:
        small = text.lower()
        return max(_OF_CYRILLIC, key=lambda code: len(_OF_CYRILLIC[code].findall(small)))
    code = max(counts, key=lambda code: counts[code])
    return code if counts[code] > _MOST_LETTERS * letters else ""


def _of_words(words: Sequence[str], languages: Set[str], usual: str) -> str:
    """Return the language of words in Latin script.

    It is one of ``languages`` unless another is far likelier, or the usual one of the text is
    likelier.
    """
    default = ENGLISH if ENGLISH in languages else min(languages)
    if default == ENGLISH and sum(map(FUNCTION.__contains__, words)) >= _SURE * len(words):
        return ENGLISH
    # Count each word once: names of variables, units and columns are repeated many times.
    running = {word for word in words if len(word) > 1}
    if len(running) < _DIFFERENT and usual in languages:
        return default
    likelihoods = shipped_profiles().likelihoods(sorted(running))
    known = max(likelihoods.get(code, -math.inf) for code in languages)
    if usual not in languages and likelihoods.get(usual, -math.inf) > known:
        return usual
    best = max(likelihoods, key=lambda code: likelihoods[code])
    # A language without n-grams is recognized only by its script.
    needed = _LEAD + _LEAD_PER_ROOT * len(running) ** 0.5
    return best if likelihoods[best] - known > needed and len(running) >= _DIFFERENT else default
