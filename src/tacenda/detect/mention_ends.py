"""Mentions that end inside a word or a name, that name several people, or that name nobody.

The network reads subwords, so it may leave half of "93-year-old" and take "Anna Berg, Tom Lee" for
one person. Function words, shorthand ("AOB", "ta x"), posts and roles without a name ("my GP",
"Okello (Chair)") and surnames of things named after people ("Bayes' theorem") aren't names; neither
are "Bruder" in "Leonies Bruder" and "Mvh" in "Mvh Lone".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ..document import Mention, SemanticType, Span
from ..text.given_names import is_common_given_name
from ..text.normal_form import fold_text
from ..text.word_lists import (
    NAMES_THAT_ARE_WORDS,
    SUFFIXES,
    TITLES,
    ordered_words,
    word_list_of,
)
from .merge import with_max_probabilities

_FUNCTION_WORDS = word_list_of("neural_function_words")
_WORD = re.compile(r"[^\W_]+")
_SHORTHAND = word_list_of("neural_shorthand")
_SMALL = _FUNCTION_WORDS | _SHORTHAND | word_list_of("neural_small_shorthand")
"""Words that are no names in small letters."""
_ROLES = "|".join(sorted(word_list_of("neural_roles") - NAMES_THAT_ARE_WORDS))
_WORDS = "|".join(sorted(NAMES_THAT_ARE_WORDS))
_UNNAMED = re.compile(
    rf"(?<=\()(?i:(?:{_ROLES})(?:[ /-](?:{_ROLES}))?)(?=[),])|(?:(?<=\b[Mm]y )|(?<=\b[Oo]ur )|(?<=\b[Hh]is )|(?<=\b[Hh]er )|(?<=\b[Tt]he )"
    rf"|(?<=\b[Yy]our )|(?<=\b[Tt]heir )|(?<=\b[Aa] ))(?:{'|'.join(ordered_words('named_posts'))})(?!\s[A-Z])|Me(?=:)|(?:{'|'.join(ordered_words('neural_closings'))})(?![\w-])|(?<![^\n])(?:CV|NB|PS)(?=[.:]\s)"
    rf"|(?:{'|'.join(ordered_words('words_before_nouns'))})|(?:(?<=\b[Aa] )|(?<=\b[Aa]n )|(?<=\b[Nn]o )|(?<=\bvery ))(?i:{_WORDS})"
    r"(?=\s(?:of|on|for|to\s(?!see|speak|talk|meet|visit|collect)[a-z]+)\b)"
)
"""Posts and roles without a name, the writer of a chat, what stands at the head of a text, and names that are words."""
# Not words that also go with a person: Smith's test, law, case.
_CALLED_AFTER = ordered_words("neural_called_after")
_EPONYM = re.compile(
    r"(?P<name>[^\W\d_a-z][^\W\d_]{2,30}(?:[-–][^\W\d_a-z][^\W\d_]{1,30}){0,3})(?:['’]s?)?\s(?:[a-z]{2,20}\s)?"
    rf"(?:{'|'.join(_CALLED_AFTER)}|[a-z]{{2,20}}(?:itis|osis|pathy|oma|emia))(?!\w)"
)
_UNFINISHED = re.compile(
    r"(?:^|[\s.])(?:Mr|Mrs|Ms|Miss|Dr|Prof|Judge|Sir|Lady|Lord|[^\W\d_a-z])\.?$"
)
_KIN_OF_ALL = [word for of in ("women", "men", "both") for word in ordered_words(f"kin_of_{of}")]
_NO_END = {
    SemanticType.PERSON: re.compile(
        rf"\s(?:and|&|und|et|y|i|og|och)\Z|(?<=[sxzß'’])\s(?:{'|'.join(_KIN_OF_ALL)})\Z"
    ),
    **dict.fromkeys(
        (SemanticType.LOC, SemanticType.ORG), re.compile(r"\s(?:near|at|in|to|from)\Z")
    ),
}
"""The end of a mention that names nothing: a conjunction or preposition, and what another is to the person before."""
_ENGLISH_KIN = "|".join(
    sorted({*ordered_words("english_kin_of_women"), *ordered_words("english_kin_of_men")} - TITLES)
)
_TITLES_TOO = frozenset(("Frau", "fru", "Schwester", "frère", "king", "queen", "née"))
# Not a Korean surname: Son Heung-min. Sister Grace may be a nun or a nurse; lowercase "sister" is
# kin.
_NO_START = {
    SemanticType.PERSON: re.compile(
        rf"(?:(?i:(?:step|great-)?(?:{_ENGLISH_KIN}|spouse|partner|cousin|friend|neighbou?r)(?:-in-law)?)"
        rf"|{'|'.join(word for word in _KIN_OF_ALL if word not in _TITLES_TOO)}|[Dd]/[Ww]"
        rf"|{'|'.join(ordered_words('neural_closings'))})"
        r"\s(?=[^\W\d_a-z])(?![^\W\d_]+-[a-z])"
    ),
    SemanticType.DEM: re.compile(r"to\s(?=[A-Z])"),
    SemanticType.DATETIME: re.compile(rf"(?:{'|'.join(ordered_words('clinical_events'))})\s(?=\d)"),
}
"""Words before a mention that are no part of it: what somebody is to another, and what happened on a day."""
_PERCENT = re.compile(r"\s?%|\sper\s?cent\b")
_REST = re.compile(r"[^\W_]{1,40}")
_BETWEEN_PEOPLE = re.compile(r"\s?,\s?|\s?/\s?|\sv\s")
_NEXT_IN_LIST = re.compile(r"\s?[,/]\s?[^\W\d_]")
_NEXT_NAME = re.compile(r"[ \u00a0]{1,2}(?=[^\W\d_a-z])[^\W\d_]+(?:[-’'][^\W\d_]+)*")


def finished(text: str, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return the mentions that may name something, extended to the whole word, percentage or name; they don't overlap."""
    result: list[Mention] = []
    for mention in mentions:
        if result and mention.span.start < result[-1].span.end:
            # The mention before was extended into this one.
            if mention.span.end <= result[-1].span.end:
                result[-1] = with_max_probabilities(result[-1], mention)
                continue
            mention = replace(mention, span=Span(result[-1].span.end, mention.span.end))
        result += (
            _longer(text, part)
            for whole in _people(text, mention)
            if (part := _without_ends(text, whole)) is not None
            and not _is_function_words(part.span.of(text))
            and not (_is_eponym(text, part.span) or _is_unnamed(text, part))
        )
    return tuple(result)


def _people(text: str, mention: Mention) -> list[Mention]:
    """Return a mention, split into one per person if it names several; a surname before its given names is one person."""
    start, end = mention.span.start, mention.span.end
    if mention.type is not SemanticType.PERSON:
        return [mention]
    joints = list(_BETWEEN_PEOPLE.finditer(text, start, end))
    is_list = len(joints) > 1 or _NEXT_IN_LIST.match(text, end) is not None
    people = []
    for joint in joints:
        left, right = text[start : joint.start()].split(), text[joint.end() : end].split()
        if _are_two(left, right, is_list or joint[0].strip() != ","):
            people.append(replace(mention, span=Span(start, joint.start())))
            start = joint.end()
    return [*people, replace(mention, span=Span(start, end))]


def _are_two(left: list[str], right: list[str], is_list: bool) -> bool:
    if not (left and right):
        return False
    names = [fold_text(word.strip(".,")) for word in (left[-1], right[0], right[-1])]
    if any(len(name) < 3 or name in SUFFIXES or name in TITLES for name in names):
        return False
    return is_list or min(len(left), len(right)) > 1 or is_common_given_name(names[0])


def _is_function_words(string: str) -> bool:
    # Long strings aren't function words, so they needn't be split to check.
    if len(string) > 40 or not (string.islower() or string.isupper()):
        return False
    words = _WORD.findall(string)
    if string.isupper():  # two capitals may be initials
        return all(len(word) > 2 and word.lower() in _SHORTHAND for word in words)
    return bool(words) and all(word in _SMALL for word in words)


def _is_unnamed(text: str, mention: Mention) -> bool:
    """Return whether a person is only a post or a role."""
    if mention.type is not SemanticType.PERSON:
        return False
    unnamed = _UNNAMED.match(text, mention.span.start)
    return unnamed is not None and not text[unnamed.end() : mention.span.end].strip(".:,)")


def _is_eponym(text: str, span: Span) -> bool:
    match = _EPONYM.match(text, span.start)
    return (
        match is not None
        and match.end("name") <= span.end <= match.end()
        and not is_common_given_name(match["name"].lower())
    )


def _without_ends(text: str, mention: Mention) -> Mention | None:
    """Return a mention without the words before and after what it names, or None if nothing is left."""
    start, end = mention.span.start, mention.span.end
    if (pattern := _NO_START.get(mention.type)) and (before := pattern.match(text, start)):
        start = before.end()
    if (pattern := _NO_END.get(mention.type)) and (after := pattern.search(text, start, end)):
        end = after.start()
    return replace(mention, span=Span(start, end)) if start < end else None


def _longer(text: str, mention: Mention) -> Mention:
    end = mention.span.end
    pattern = _REST if text[end - 1] == "-" else _PERCENT if text[end - 1].isdigit() else None
    if pattern is not None and (rest := pattern.match(text, end)) is not None:
        return replace(mention, span=Span(mention.span.start, rest.end()))
    if mention.type is not SemanticType.PERSON:
        return mention
    tail = text[max(mention.span.start, end - 12) : end]
    if _UNFINISHED.search(tail) is None:
        return mention
    # The tokenizer separates "I" from its period, which may be outside the mention.
    stop = end + 1 if text[end : end + 1] == "." else end
    following = _NEXT_NAME.match(text, stop, stop + 60)
    if following is None:
        return mention
    return replace(mention, span=Span(mention.span.start, following.end()))
