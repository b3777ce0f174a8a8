"""Grammar errors in and around what was written into a text, by rules that look only at words.

| kind | wrong | right |
|---|---|---|
| article | an [university]; of [city in Norway]. | a [university]; of a [city in Norway]. |
| determiner | his a [relative] | his [relative] |
| preposition | born in [in the 1990s] | born [in the 1990s] |
| range | from [the 1990s] to [the 1990s] | [in the 1990s] |
| number | two [town]; an [artists]; the [artists] was | two [towns]; an [artist]; the [artists] were |
| capital | He left. [a relative] came. | He left. [A relative] came. |
| brackets | ([X] | ([X]) |
| touching | [PERSON 1] [PERSON 2]; a [city] ``***`` | [PERSON 1]; a [city] |
| doubled | court [court] | [court] |

An error always involves at least one written word. ``python -m benchmarks strict_reading score``
shows how often these rules are right, judged on a list that people read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tacenda.document import Span
from tacenda.rewrite.generalize.nouns import article
from tacenda.rewrite.generalize.place import DETERMINERS, STOP

_WORD = re.compile(r"\*{3}|[^\W_]+(?:['’\-‑][^\W_]+)*['’]?|[^\w\s\[\]]")
_PREPOSITIONS = frozenset("in on at of by during since between until till into for with".split())
_REPEATED = frozenset("in on at of during between since until".split())
_POSSESSIVES = frozenset("a an the his its their my our your every each another".split())
_TO = frozenset(("to", "until", "till", "and", "through", "-", "–", "—"))
_SEVERAL = frozenset(
    "two three four five six seven eight nine ten several many few these those both various".split()
)
_ONE = frozenset("a an this that every each another one".split())
_IS = frozenset("is was has".split())
_ARE = frozenset("are were have".split())
_PLURAL = re.compile(r"(?:\w{3,}[^su\W\d]s|\w+(?:men|ies|sses|ches|xes)|people|children)\Z")
_SINGULAR_S = frozenset(
    "series species means news politics physics mathematics headquarters".split()
)
_UNCOUNTED = re.compile(
    r"(?!building)\w*(?:ing|ism|ics|ness|police|music|art|sport|law|science|literature|money|descent|origin"
    r"|medicine|land|water|clothing|furniture|food|football|hockey|cricket|rugby)\Z"
)
_TAIL = re.compile(r"\s(?:of|in|on|for|at|from|with|by|to|who|that)\s")
_SENTENCE_END = re.compile(r"(?:\A|\n|[\w\])\"”’]{4,}[.!?][\"”’)]*\s+)\Z")
_BETWEEN = re.compile(r"[\s,\-–]*")
_FAR = 8
"""Words in which *and* must follow *between*."""


@dataclass(frozen=True, slots=True)
class GrammarError:
    """An error: its kind (see above) and where it is in the text."""

    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Word:
    """A word or sign in the text, and the written stretch that it belongs to, if any."""

    text: str
    span: Span
    written: int | None

    @property
    def key(self) -> str:
        return self.text.lower()


def grammar_errors(text: str, written: Sequence[tuple[Span, str]]) -> list[GrammarError]:
    """Return the errors in and around what was written, in text order.

    Args:
        text: the sanitized text.
        written: the stretches that were written, in order, each with the string that it replaces.
    """
    words = list(_words(text, [span for span, _ in written]))
    errors = [
        *_of_pairs(text, words),
        *_of_ranges(words),
        *_of_phrases(text, words, written),
        *_of_places(text, written),
    ]
    return sorted(set(errors), key=lambda error: (error.span, error.kind))


def _words(text: str, spans: Sequence[Span]) -> Iterator[_Word]:
    number = 0
    for match in _WORD.finditer(text):
        while number < len(spans) and spans[number].end <= match.start():
            number += 1
        is_written = number < len(spans) and spans[number].start < match.end()
        yield _Word(match[0], Span(*match.span()), number if is_written else None)


def _of_pairs(text: str, words: Sequence[_Word]) -> Iterator[GrammarError]:
    for first, second in pairwise(words):
        if first.written is None and second.written is None:
            continue
        span = Span(first.span.start, second.span.end)
        if first.key in ("a", "an") and second.text[0].isalnum():
            phrase = text[second.span.start : second.span.end + 20]
            if article(phrase.replace("]", " ")) != first.key:
                yield GrammarError("article", span)
        if first.key in _POSSESSIVES and second.key in ("a", "an", "the"):
            yield GrammarError("determiner", span)
        if first.key in _PREPOSITIONS and second.key in _REPEATED:
            yield GrammarError("preposition", span)
        if first.key == second.key and first.key[1:].isalpha() and first.key not in _PREPOSITIONS:
            yield GrammarError("doubled", span)


def _of_ranges(words: Sequence[_Word]) -> Iterator[GrammarError]:
    """Yield ranges with two identical ends, and *between* without *and*."""
    phrases: dict[int, list[str]] = {}
    for word in words:
        if word.written is not None:
            phrases.setdefault(word.written, []).append(word.key)
    for place, word in enumerate(words):
        following = words[place + 1 : place + 1 + _FAR]
        end = following[-1].span.end if following else word.span.end
        if word.key == "between":
            sentence = {each.key for each in words[place + 1 : place + 3 * _FAR]}
            if "and" not in sentence and any(each.written is not None for each in following):
                yield GrammarError("range", Span(word.span.start, end))
        elif word.key in _TO and place and following:
            first, second = words[place - 1], following[0]
            opening = {each.key for each in words[max(0, place - _FAR) : place]}
            if (
                first.written is not None
                and second.written not in (None, first.written)
                and (word.key != "and" or "between" in opening)
                and phrases[first.written] == phrases[second.written or 0]
            ):
                yield GrammarError("range", Span(first.span.start, second.span.end))


def _of_phrases(
    text: str, words: Sequence[_Word], written: Sequence[tuple[Span, str]]
) -> Iterator[GrammarError]:
    """Yield words that don't agree with the written noun phrases."""
    for number, (span, _) in enumerate(written):
        phrase = text[span.start : span.end].strip("[]() ")
        determiner, _, rest = phrase.partition(" ")
        own = determiner.lower() if determiner.lower() in DETERMINERS and rest else ""
        noun = (rest if own else phrase).strip("[] ")
        head = _TAIL.split(noun)[0].rpartition(" ")[2]
        if not head.isalpha() or not head.islower() or noun.split()[0].lower() in STOP:
            continue
        places = [place for place, word in enumerate(words) if word.written == number]
        if not places:
            continue
        before = words[places[0] - 1] if places[0] else None
        after = words[places[-1] + 1] if places[-1] + 1 < len(words) else None
        lead = own or (before.key if before else "")
        is_plural = bool(_PLURAL.fullmatch(head)) and head not in _SINGULAR_S
        describes = after is not None and after.key[0].isalpha() and after.key not in STOP
        begin = before.span.start if before is not None and not own else span.start
        if not describes and ((lead in _ONE) if is_plural else (lead in _SEVERAL)):
            yield GrammarError("number", Span(begin, span.end))
        if after is not None and after.key in (_IS if is_plural else _ARE):
            sentence = [word.key for word in words[max(0, places[0] - 2 * _FAR) : places[0]]]
            if not {"and", ",", "or", "who", "which", "that"}.intersection(sentence):
                yield GrammarError("number", Span(span.start, after.span.end))
        is_bare = not own and before is not None and before.key in _PREPOSITIONS
        ends = after is None or not describes
        if is_bare and ends and not is_plural and not _UNCOUNTED.fullmatch(head):
            yield GrammarError("article", Span(begin, span.end))


def _of_places(text: str, written: Sequence[tuple[Span, str]]) -> Iterator[GrammarError]:
    """Yield wrong capitals, unbalanced brackets, and stretches that touch."""
    last: Span | None = None
    for span, original in written:
        string = text[span.start : span.end]
        letters = string.lstrip("[(\"'“‘ ")
        begins = _SENTENCE_END.search(text[max(0, span.start - 12) : span.start].lstrip('(["“‘'))
        if begins and letters[:1].islower() and original[:1].isupper():
            yield GrammarError("capital", span)
        if _balance(string) != _balance(original):
            yield GrammarError("brackets", span)
        if last is not None and text[last.end : span.start].strip(" \u00a0") == "":
            first = _WORD.search(string)
            if first is None or first[0].lower() not in STOP | DETERMINERS:
                yield GrammarError("touching", Span(last.start, span.end))
        last = span


def _balance(string: str) -> tuple[int, int]:
    return string.count("(") - string.count(")"), string.count("[") - string.count("]")
