"""Bounds of mentions: the code points where a merged mention starts and ends.

| at the edge of a mention | outcome |
|---|---|
| white space | cut off |
| a comma, colon, mark of a sentence or quotation, a bracket without its counterpart | cut off |
| the stop of an abbreviation (``Ltd.``, ``J.``, ``p.m.``, ``S.p.A.``) | stays |
| the stop of a day and a month within a sentence (``am 02.04. nach``) | taken along |
| any other stop (``QQ123456C.``, ``. Wrzez``) | cut off |
| a stop, and a single capital before it (``B`` of ``. Obama``) | a person takes the initial along |
| *Jr.*, *III*, *the Elder* after a person | taken along: father and son are two |
| the *s* of the possessive before it, an apostrophe without its *s* at the end | cut off |
| a lowercase word after it (``Ulverston and`` Barrow), a party's role (``(Claimant)``) | cut off |
| words in small letters before the title of a person (``lunes el`` doctor Vela) | cut off |
| *Don* of ``Don't``, *Mr* of ``Mr and Mrs Hill``, *Herrn* or *Mum* alone | not a mention |
| the *'s* of a saint that a church or school is named after (``St Columba's``) | taken along |
| the extension of a file name (``payslip-h.lindgren.xlsx``) | cut off |
| a mark that is part of a word (``.NET``, ``C++``, ``+49``, ``#7``), of a title (``Who's Afraid of Virginia Woolf?``) | stays |

White space is cut off every mention; mentions from patterns, policies and plug-ins keep their
punctuation. A mention without a letter or digit (circled ones count) is dropped.
"""

from __future__ import annotations

import re

from ..document import Mention, MentionSource, SemanticType, Span
from ..shipped import shipped_patterns
from ..text.folding import is_telling
from ..text.names import OF_SAINT
from ..text.normal_form import fold_text
from ..text.word_lists import FORMS_OF_ADDRESS, ordered_words, word_list_of

READ = frozenset({MentionSource.NEURAL, MentionSource.GAZETTEER, MentionSource.PROPAGATION})
"""Sources that read a text, and so may include meaningless strings, or marks at the edges, by chance."""
_LEAK = "leak"
_BEFORE = ",;:!?…)]}”"
_AFTER = ",;:!?…([{„"
_OF_TITLES = "!?…"
_TITLED = frozenset({SemanticType.MISC, SemanticType.ORG})
_NAMED_AFTER = frozenset({SemanticType.LOC, SemanticType.ORG})
_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", '"': '"'}
_CLOSING = {closing: opening for opening, closing in _PAIRS.items()}
_ABBREVIATED = re.compile(r"(?:[^\W\d_]{1,3}\.)+")
_LAST_WORD = re.compile(r"[^\s(\[\"“]{1,24}\Z")
_ABBREVIATIONS = word_list_of("bounds_abbreviations")
_INITIALS = re.compile(
    r"(?<![^\W_])(?:[^\W\d_a-zß-ÿ]\.[ \u00a0-]?|[^\W\d_a-zß-ÿ]-){0,4}[^\W\d_a-zß-ÿ]\Z"
)
_LONGEST_INITIALS = 16
_RUNNING_WORD = re.compile(r"(?<!\w)([^\W\d_]+\.?)[ \u00a0](?=\w)")
_OF_PEOPLE = frozenset({SemanticType.PERSON, SemanticType.DEM})
_NO_ONE = word_list_of("called_without_names")
_PATTERNS = shipped_patterns("english_contexts", "bounds")
_POSSESSIVE = re.compile(r"(?<=\w)['’][sS](?!\w)|(?<=\w['’])[sS](?!\w)")
_AFTER_SAINT = re.compile(r"[,.;:)!?\n]|\Z|\s(?:and|or|in|on|at|to|from|for|with|but)\b")
_STOP = re.compile(r"\.[ \u00a0]{0,2}")
_EXTENSION = re.compile(rf"\.(?i:{'|'.join(ordered_words('bounds_file_extensions'))})\Z")
_LONGEST_EXTENSION = 6


def settled_span(text: str, mention: Mention) -> Span | None:
    """Return the bounds of a mention without what isn't part of it, or None if nothing is left."""
    string = mention.span.of(text)
    if not any(map(is_telling, string)) and not any(map(str.isalnum, fold_text(string))):
        return None
    start, end = mention.span.start, mention.span.end
    by_chance = mention.source in READ and mention.kind != _LEAK
    if by_chance and (possessive := _POSSESSIVE.match(text, start)):
        start = possessive.end()
        if not any(map(is_telling, text[start:end])):
            return None
    if by_chance and (extension := _extension(text, start, end)):
        if extension == start:
            return None
        end = extension
    if by_chance and mention.type in _OF_PEOPLE and _is_of_no_one(text, start, end):
        return None
    if by_chance and mention.type is SemanticType.PERSON:
        start = _before_title(text, start, end)
    while by_chance and (small := _PATTERNS["small_after"].search(text, start + 1, end)):
        end = small.start()
    while text[start].isspace() or (by_chance and _is_stray_before(text, start, end)):
        start += 1
    while text[end - 1].isspace() or (by_chance and _is_stray_after(text, mention, start, end)):
        end -= 1
    if by_chance and (possessive := _POSSESSIVE.match(text, end - (text[end - 1] in "'’"))):
        is_saints = (
            mention.type in _NAMED_AFTER
            and OF_SAINT.fullmatch(text, start, possessive.end())
            and _AFTER_SAINT.match(text, possessive.end())
        )
        return Span(start, possessive.end() if is_saints else possessive.start())
    date = (
        _PATTERNS["day_and_month"].match(text, start)
        if mention.type is SemanticType.DATETIME
        else None
    )
    if date and date.end() == end + 1:
        return Span(start, date.end())
    generation = (
        _PATTERNS["generation"].match(text, end) if mention.type is SemanticType.PERSON else None
    )
    return Span(start, generation.end() if generation else end)


def _is_of_no_one(text: str, start: int, end: int) -> bool:
    """Return whether a supposed person is the beginning of a word, the husband's title of a couple, or only a title or kin."""
    if text[start].isupper() and fold_text(text[start:end]).rstrip(".") in _NO_ONE:
        return True
    title = _PATTERNS["his_title"].fullmatch(text, start, end)
    return bool(
        _PATTERNS["negation"].match(text, end) or (title and _PATTERNS["couple"].match(text, end))
    )


def _before_title(text: str, start: int, end: int) -> int:
    """Return where a person's title starts after words in small letters, such as "el" of "el doctor Vela"."""
    for word in _RUNNING_WORD.finditer(text, start, end):
        if fold_text(word[1]).rstrip(".") in FORMS_OF_ADDRESS:
            return word.start()
        if not word[1].islower():
            break
    return start


def _extension(text: str, start: int, end: int) -> int | None:
    """Return where the extension at the end of a file name starts, or None if there is none."""
    extension = _EXTENSION.search(text, max(start, end - _LONGEST_EXTENSION), end)
    if extension is None or not text[extension.start() - 1 : extension.start()].isalnum():
        return None
    return extension.start()


def with_initials(text: str, mention: Mention, span: Span) -> Span:
    """Return the bounds of a person, including the initials if the mention starts with their period.

    Args:
        text: the document's text.
        mention: the original mention.
        span: its settled bounds.
    """
    begin = mention.span.start
    if mention.type is not SemanticType.PERSON or not _STOP.fullmatch(text, begin, span.start):
        return span
    initials = _INITIALS.search(text, max(0, begin - _LONGEST_INITIALS), begin)
    if initials is None or not text[begin - 1].isupper():
        return span
    return Span(initials.start(), span.end)


def _is_stray_before(text: str, start: int, end: int) -> bool:
    mark = text[start]
    if mark == ".":
        before, after = text[start - 1 : start], text[start + 1 : start + 2]
        # .NET, .5, the .docx of a file; not Mr.Wrzez.
        is_of_word = after.isalnum() and not (before.isalnum() and after.isupper())
        return end - start > 1 and not (is_of_word and before not in (".", ")"))
    if mark in _PAIRS:
        return end - start > 1 and _PAIRS[mark] not in text[start + 1 : end]
    return mark in _BEFORE and end - start > 1


def _is_stray_after(text: str, mention: Mention, start: int, end: int) -> bool:
    mark = text[end - 1]
    if mark in _OF_TITLES and mention.type in _TITLED:
        return False
    if mark == ".":
        return end - start > 1 and not _is_abbreviated(text, start, end)
    if mark in _CLOSING:
        return end - start > 1 and _CLOSING[mark] not in text[start : end - 1]
    return mark in _AFTER and end - start > 1


def _is_abbreviated(text: str, start: int, end: int) -> bool:
    """Return whether the period at the end belongs to an abbreviation."""
    word = _LAST_WORD.search(text, max(start, end - 25), end)
    if word is None:
        return False
    return (
        _ABBREVIATED.fullmatch(word[0]) is not None and ("." in word[0][:-1] or len(word[0]) == 2)
    ) or word[0][:-1].lower() in _ABBREVIATIONS
