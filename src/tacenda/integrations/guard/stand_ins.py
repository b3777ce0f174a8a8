"""Find names that are also words by their context.

A recognizer considers *Comfort* in "tell Comfort that I'm late" an ordinary word, as it usually is.
So a text that goes to a model is read a second time, with a rare name in place of each word that
may be a name. If the recognizer finds a name in that position, the word is one; the first reading
decides everything else.

| word | may be a name |
|---|---|
| with a capital, after a lowercase word or a comma | always, except weekdays and months, and after an article or *in* |
| with a capital elsewhere | if it is used as a name (*Hope*, *Mark*) |
| with a capital, after what is hidden | the same |
| that names a person hidden earlier | also in lowercase |
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import cycle

from ...document import Replacement, Span
from ...text.normal_form import fold_text
from ...text.word_lists import DAYS, FUNCTION, MONTHS, NAMES_THAT_ARE_WORDS, word_list_of

STAND_INS = ("Dorrit", "Soltar", "Orsolo", "Kessim")
"""Names so rare that the recognizer goes by the words around them; several, since one name is judged in all places."""
_WORD = re.compile(r"(?<![\w'’@./\\_-])[^\W\d_]{3,}(?![\w@\\/_]|[.’'-]\w)")
_WITHIN = re.compile(
    r"(?:(?<![^\W\d_])[a-z][\w'’]*[,;]?|\w[,;]|^[^#\n]?[^\W\d_]+)[ ][\"'“‘„(\[*_]?\Z", re.M
)
_NO_NAME_AFTER = re.compile(
    r"\b(?:the|an?|each|every|any|no|some|in|into|via|using|per|within) \Z",
    re.I,
)
_BEFORE = 40
"""Code points before a word by which it is seen to stand within a sentence."""
_GOES_ON = re.compile(
    r"[ ](?:i|you|we|he|she|it|they|there|the|a|an|this|that|these|those|my|your|our|to|of|for)\b",
    re.I,
)
"""After a word at the beginning of a sentence: it is none of a name."""
LIKELY = 0.4
"""Probability from which a stand-in is taken for a person."""
POSSIBLE = 0.15
"""The same where the word was a name before, or stands after what a person is."""
_ROLE = re.compile(
    r"(?i)\b(?:patient|client|customer|guest|tenant|landlord|landlady|boss|manager|colleague|coworker|employee|student|"
    r"pupil|teacher|tutor|nurse|lawyer|friend|neighbou?r|flatmate|roommate|mother|father|mum|mom|dad|sister|brother|son|"
    r"daughter|wife|husband|partner|girlfriend|boyfriend|cousin|uncle|aunt|grandma|grandpa|niece|nephew|child|kid|baby),? \Z"
)
NAMES = NAMES_THAT_ARE_WORDS | word_list_of("virtues")
"""Words that are given to people, folded."""
_NO_NAMES = DAYS | MONTHS


def candidates(
    text: str, hidden: Collection[Span], known: Collection[str]
) -> Iterator[tuple[Span, float]]:
    """Yield the words that may be names, each with the probability from which its stand-in counts as a name.

    Args:
        text: the text as written.
        hidden: what is already hidden.
        known: folded words of names hidden earlier.
    """
    covered = {place for span in hidden for place in range(span.start, span.end)}
    following = {span.end + 1 for span in hidden}
    end = len(text)
    for match in _WORD.finditer(text):
        span, word = Span(*match.span()), match[0]
        folded, is_capital = fold_text(word), word[0].isupper() and not word.isupper()
        if not covered.isdisjoint((span.start, span.end - 1)):
            continue
        head = text[max(0, span.start - _BEFORE) : span.start]
        if folded in known and (is_capital or folded not in FUNCTION):
            yield span, POSSIBLE
        elif not is_capital or folded in _NO_NAMES or _NO_NAME_AFTER.search(head):
            continue
        elif _ROLE.search(head):
            yield span, POSSIBLE
            end = span.end
        elif (
            span.start == end + 1
            or span.start in following
            or _WITHIN.search(head)
            or (folded in NAMES and not _GOES_ON.match(text, span.end))
        ):
            yield span, LIKELY
            end = span.end


def with_stand_ins(text: str, words: Sequence[Span]) -> tuple[str, list[Replacement]]:
    """Return a text with stand-ins in place of words, and the edits."""
    names = [
        (span, stand_in if span.of(text)[0].isupper() else stand_in.lower())
        for span, stand_in in zip(words, cycle(STAND_INS), strict=False)
    ]
    return replaced(text, names)


def replaced(text: str, strings: Iterable[tuple[Span, str]]) -> tuple[str, list[Replacement]]:
    """Return a text with strings in place of spans, which must be in order, and the edits."""
    parts: list[str] = []
    edits: list[Replacement] = []
    position = length = 0
    for span, string in strings:
        gap = text[position : span.start]
        parts += [gap, string]
        start = length + len(gap)
        length = start + len(string)
        position = span.end
        edits.append(Replacement(span, start, length, string, ()))
    return "".join([*parts, text[position:]]), edits
