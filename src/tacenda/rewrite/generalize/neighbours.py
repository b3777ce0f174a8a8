"""Generalizations next to each other, or next to certain words, are joined into one phrase.

| original | each by itself | together |
|---|---|---|
| the Unity Party (UP) | the [party] ([party]) | the [party] |
| the Ulm Prison · a Finnish drummer | the ``***`` [prison] · a [European] [musician] | the [prison] · a [European musician] |
| the Boston Marathon | the [city] ``***`` | the ``***``: the whole is not a city |
| Senator Ada Wick | [politician] [PERSON 1] | [politician PERSON 1] |
| Officer Ada Wick | [professional] [PERSON 1] | [PERSON 1] |
| London 2012 | a [city] [the 2010s] | a [city in the 2010s] |
| in Ulm, Bavaria | in a [city in Germany], a [state] | in a [city in Germany] |
| University of Ulm, Bavaria | a [university], a [state] | a [university in a state] |
| Ulm, Trier and Bonn | a [city in Germany], a [city in Germany] and a [city in Germany] | [three cities in Germany] |
| the Wick Medal · the city of Ulm | the [PERSON 1] Medal · the city of a [city in Germany] | the [medal] · the [city in Germany] |
| the Rangers' coach | the [club]' coach | the [club]'s coach |

Joining only removes words: each phrase stays true of what it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise

from ...document import SemanticType, Span
from ...shipped import shipped_patterns
from ..edits import MASK, Edit
from .classes import MODIFIERS, NOUNS_OF_NAMES
from .grammar import is_attributive
from .nouns import OF_ROLES, TAIL, WORDS, article, capital, is_plural, plural
from .place import STOP, sentence_context

Types = Mapping[str, SemanticType]

_FORM = re.compile(r"(?P<lead>(?:an?|the)\s)?\[(?P<phrase>[^\[\]]+)\]", re.IGNORECASE)
_PERIOD = re.compile(r"(?:the )?(?:\d+s|\w+ century)")
_COMMA = ", "
_AND = (" and ", ", and ", " & ")
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CLASSES = frozenset((SemanticType.LOC, SemanticType.ORG, SemanticType.MISC, SemanticType.DEM))


_NO_TITLES = frozenset((*OF_ROLES, *OF_ROLES.values(), "person", "position"))
"""Phrases that tell too little to stand before a name: not "Professional PERSON 1"."""
_DESCRIBING = _CLASSES | {SemanticType.DATETIME}


def join_phrases(text: str, edits: Iterable[Edit], types: Types) -> list[Edit]:
    """Return the edits, joining neighbors that read as one phrase.

    Args:
        text: the original.
        edits: the edits in text order, with generalizations in square brackets.
        types: semantic types of the entities that are generalized, or suppressed because they have
            no option; other edits stay unchanged.
    """
    if not types:
        return list(edits)
    phrases = list(_pairs(text, edits, types))
    phrases = list(_places(text, phrases, types))
    phrases = list(_lists(text, phrases, types))
    return list(_surroundings(text, phrases, types))


def without_brackets(edit: Edit, types: Types, italic: bool) -> Edit:
    """Return a generalization as running text or in italics, and other edits unchanged."""
    if _type(edit, types) is None or "[" not in edit.text:
        return edit
    return replace(edit, text=edit.text.replace("[", "").replace("]", ""), italic=italic)


def _type(edit: Edit, types: Types) -> SemanticType | None:
    """Return the type of the last of an edit's entities, or None if one of them isn't generalized."""
    kinds = [types.get(id) for id in edit.entities]
    return kinds[-1] if kinds and None not in kinds else None


def _phrase(edit: Edit) -> str:
    """Return the text in the brackets, or an empty string unless it is a single phrase."""
    match = _FORM.fullmatch(edit.text)
    return match["phrase"] if match else ""


def _lead(edit: Edit) -> str:
    match = _FORM.fullmatch(edit.text)
    return match["lead"] or "" if match else ""


def _gap(text: str, first: Edit, last: Edit) -> str:
    return text[first.span.end : last.span.start]


def _united(first: Edit, last: Edit, text: str) -> Edit:
    entities = tuple(dict.fromkeys((*first.entities, *last.entities)))
    return Edit(Span(first.span.start, last.span.end), text, entities)


def _with_phrase(edit: Edit, phrase: str) -> str:
    """Return the edit with another phrase, which has an article if the edit's text has one."""
    lead = _lead(edit)
    if not lead:
        return f"[{capital(phrase) if _phrase(edit)[:1].isupper() else phrase}]"
    word = "the" if lead.strip().lower() == "the" else article(phrase)
    return f"{capital(word) if lead[0].isupper() else word} [{phrase}]"


# Two by two, from left to right: abbreviations, names that touch.


_UNFINISHED = (
    MODIFIERS | WORDS["prepositions"] | WORDS["determiners"] | {"v", "vs", "and", "or", "the", "&"}
)
_ABBREVIATION = re.compile(r"[A-Z][A-Z.&-]{1,7}s?")
_DECADE = re.compile(r"\d+s")


def _pairs(text: str, edits: Iterable[Edit], types: Types) -> Iterator[Edit]:
    last: Edit | None = None
    for edit in edits:
        joined = _pair(text, last, edit, types) if last is not None else None
        if joined is None and last is not None:
            yield last
        last = joined or edit
    if last is not None:
        yield last


def _pair(text: str, first: Edit, last: Edit, types: Types) -> Edit | None:
    if _type(first, types) is None or _type(last, types) is None:
        return None
    gap = _gap(text, first, last)
    if gap == " (" and text[last.span.end : last.span.end + 1] == ")":
        short = _ABBREVIATION.fullmatch(last.span.of(text))
        if not short and _phrase(first).lower() != _phrase(last).lower():
            return None
        if not {_type(first, types), _type(last, types)} <= _CLASSES:
            return None
        joined = _united(first, last, first.text)
        return replace(joined, span=Span(first.span.start, last.span.end + 1))
    return _touching(text, first, last, types) if gap in {"", " "} else None


def _touching(text: str, first: Edit, last: Edit, types: Types) -> Edit | None:
    """Return two names with only a space between them as one."""
    left, right = _type(first, types), _type(last, types)
    if SemanticType.PERSON in (left, right):
        return _touching_person(text, first, last, types)
    if last.text == MASK:
        # A name whose last part is unknown is unknown.
        return _united(first, last, MASK)
    one, two = _phrase(first), _phrase(last)
    if first.text == MASK and right not in _CLASSES:
        return _united(first, last, MASK)
    # A hospital in Ulm isn't a town, nor is a name that only ends in a place.
    begun = first.span.of(text).split()
    unknown = first.text == MASK and begun[0].islower()  # what happened to it, or what it isn't
    if unknown or begun[-1].lower().rstrip(".") in _UNFINISHED:
        return _united(first, last, MASK)
    if left is SemanticType.ORG and not _is_head(text, last):
        return _united(first, last, first.text)
    if first.text == MASK:
        if not _is_head(text, last):
            return _united(first, last, MASK)
        return _headed(text, first, last) if right in _CLASSES else None
    if not one or not two:
        return None
    if right is SemanticType.DATETIME and left in _CLASSES:
        # London 2012.
        period = _PERIOD.fullmatch(two)
        phrase = f"{one} in the {two.removeprefix('the ')}" if period else ""
        return _united(first, last, _with_phrase(first, phrase)) if phrase else None
    if one == two or left is right in (SemanticType.LOC, SemanticType.QUANTITY):
        return _united(first, last, first.text)
    if right not in _CLASSES:
        return None
    if left is SemanticType.QUANTITY:
        several = two if one.endswith("th") or is_plural(two) else plural(two)
        return _united(first, last, _with_phrase(first, f"{one} {several}"))
    if left is SemanticType.DATETIME and not _DECADE.fullmatch(one):
        return None
    # The last noun of a name is its head; a decade or "European" can describe it, other classes
    # can't.
    starts = sentence_context(text, first.span).starts_sentence
    is_people = left is SemanticType.DEM and one[0].isupper() and not starts
    describes = left is SemanticType.DATETIME or is_people
    phrase = f"{one} {two}" if describes and one not in two else two
    return _united(first, last, _with_phrase(first, phrase)) if left in _DESCRIBING else None


def _is_head(text: str, edit: Edit) -> bool:
    """Return whether the last word of an edit is a class noun, such as prison or Medal, not a name."""
    words = edit.span.of(text).split()
    word, nouns = words[-1], re.findall(r"\w+", _phrase(edit))
    return words[0].islower() or not {word.lower(), word.lower().removesuffix("s")}.isdisjoint(
        {*nouns, *NOUNS_OF_NAMES}
    )


def _headed(text: str, first: Edit, last: Edit) -> Edit:
    """Return a name as the class of its last part, adding an article if there was none."""
    joined = _united(first, last, last.text)
    phrase = _phrase(last)
    place = sentence_context(text, joined.span)
    bare = place.determined or place.after_name or place.quoted or is_plural(phrase)
    alone = not place.word or place.word in STOP
    if not phrase or _lead(last) or bare or not alone or is_attributive(place):
        return joined
    lead = article(phrase)
    if place.starts_sentence:
        lead, phrase = capital(lead), phrase[:1].lower() + phrase[1:]
    return replace(joined, text=f"{lead} [{phrase}]")


def _touching_person(text: str, first: Edit, last: Edit, types: Types) -> Edit | None:
    left, right = _type(first, types), _type(last, types)
    if right is not SemanticType.PERSON:
        # A name in a name: the Wick Medal.
        return _headed(text, first, last) if right in _CLASSES - {SemanticType.DEM} else None
    if left is SemanticType.PERSON:
        return None
    if first.text == MASK or _phrase(first).lower() in _NO_TITLES:
        return _united(first, last, last.text)
    if left is SemanticType.DEM and _phrase(first) and _phrase(last):
        return _united(first, last, f"[{_phrase(first)} {_phrase(last)}]")
    return None


# A place in another place: of a town and its state, keep what says more.


def _places(text: str, edits: Sequence[Edit], types: Types) -> Iterator[Edit]:
    index = 0
    holder: Edit | None = None
    while index < len(edits):
        end = index
        while _is_place(edits[end], types) and end + 1 < len(edits):
            if _gap(text, edits[end], edits[end + 1]) != _COMMA:
                break
            end += 1
        if end > index and not _is_place(edits[end], types):
            end -= 1
        if (
            edits[index].text == MASK
            and sentence_context(text, edits[index].span).word not in _WHERE
        ):
            end = index  # at something in a town is not at a town
        run = edits[index : end + 1]
        following = edits[end + 1 : end + 2]
        listed = any(
            _is_place(edit, types) and _gap(text, edits[end], edit) in _AND for edit in following
        )
        joined = [*run]
        if _is_place(run[0], types) and not listed:
            house = _phrase(run[0]) if _phrase(run[0]) in _HOUSES else ""
            place = _narrowest(run[1:] if house else run)
            words = f"{house} in {article(place)} {place}" if house and place else house or place
            joined = [_united(run[0], run[-1], _with_place(run[0], words))]
            if place and holder is not None and _gap(text, holder, run[0]) == _COMMA:
                # The university in a town, not two things.
                phrase = f"{_phrase(holder)} in {article(place)} {place}"
                joined = [_united(holder, run[-1], _with_phrase(holder, phrase))]
                holder = None
        if holder is not None:
            yield holder
        holder = None
        if len(joined) == 1 and _holds_places(text, edits, index, types):
            holder = joined[0]
        else:
            yield from joined
        index = end + 1
    if holder is not None:
        yield holder


def _is_place(edit: Edit, types: Types) -> bool:
    return _type(edit, types) is SemanticType.LOC and (bool(_phrase(edit)) or edit.text == MASK)


def _holds_places(text: str, edits: Sequence[Edit], index: int, types: Types) -> bool:
    """Return whether an edit is an organization that isn't part of a list."""
    edit = edits[index]
    listed = index > 0 and _gap(text, edits[index - 1], edit) in (_COMMA, *_AND)
    named = _type(edit, types) is SemanticType.ORG and " in " not in _phrase(edit) != ""
    return named and not listed


def _narrowest(run: Sequence[Edit]) -> str:
    """Return the phrase that says more about a town and its state: where it is, at least what it is, or nothing."""
    phrases = [phrase for edit in run if (phrase := _phrase(edit))]
    located = [phrase for phrase in phrases if " in " in phrase]
    return next(iter(located or [p for p in phrases if p.lower() != "place"] or phrases), "")


def _with_place(edit: Edit, place: str) -> str:
    if not place:
        return MASK
    return f"{article(place)} [{place}]" if edit.text == MASK else _with_phrase(edit, place)


# A list of things of one class becomes their number.


_HOUSES = frozenset(("street address", "building", "road"))
_WHERE = frozenset(("in", "from", "of"))
_LARGEST_LIST = len(_NUMBERS) + 1


def _lists(text: str, edits: Sequence[Edit], types: Types) -> Iterator[Edit]:
    index = 0
    while index < len(edits):
        end = index
        while end + 1 < len(edits) and _same_in_list(text, edits[end], edits[end + 1], types):
            end += 1
        run = edits[index : end + 1]
        gaps = [_gap(text, *pair) for pair in pairwise(run)]
        # "In Ulm, Bavaria lost" is not a list.
        if any(gap in _AND for gap in gaps) or len(gaps) > 1:
            yield _list(text, run, edits[index - 1] if index else None, types)
        else:
            yield from run
        index = end + 1


def _same_in_list(text: str, first: Edit, last: Edit, types: Types) -> bool:
    if _gap(text, first, last) not in (_COMMA, *_AND):
        return False
    type = _type(first, types)
    if type is None or type is not _type(last, types):
        return False
    if type not in _CLASSES and type is not SemanticType.CODE:
        return False
    if type is SemanticType.DEM:
        return _phrase(first).lower() == _phrase(last).lower() != ""
    return bool(_class_of_both(_phrase(first), _phrase(last)))


def _class_of_both(first: str, last: str) -> str:
    """Return the wider of two classes (club, of a sports club and a club), or an empty string if neither includes the other."""
    wide, narrow = sorted((first, last), key=len)
    return wide if wide and f" {narrow}".lower().endswith(f" {wide}".lower()) else ""


def _list(text: str, run: Sequence[Edit], before: Edit | None, types: Types) -> Edit:
    """Return a list as one edit, given the edit before it."""
    first = run[0]
    phrase, lead, type = _phrase(first), _lead(first), _type(first, types)
    many = _NUMBERS[len(run) - 2] if len(run) <= _LARGEST_LIST else "several"
    describes = is_attributive(sentence_context(text, run[-1].span))
    is_large = (lead or phrase)[0].isupper()
    widest = reduce(_class_of_both, map(_phrase, run))
    counted = f"{many} {plural(widest)}"
    if type is SemanticType.CODE:
        counted = plural(widest)
    elif type is SemanticType.DEM or describes:
        # It describes one person, or the noun after it.
        counted = ""
    else:
        is_large = is_large and bool(lead)
    words = f"[{capital(counted) if is_large else counted}]"
    if not counted:
        words = _with_phrase(first, widest)
    joined = _united(first, run[-1], words)
    return _as_last(text, joined, before, types) if not lead or counted else joined


def _as_last(text: str, edit: Edit, before: Edit | None, types: Types) -> Edit:
    """Return the end of a list with its "and" restored: "writer, actor and singer" has lost its last item."""
    start = edit.span.start - len(_COMMA)
    free = before.span.end if before is not None else 0
    if start < free or text[start : edit.span.start] != _COMMA:
        return edit
    same = before is not None and before.span.end == start and _type(before, types)
    if same is not _type(edit, types) and _type(edit, types) is not SemanticType.DEM:
        return edit
    return replace(edit, span=Span(start, edit.span.end), text=f" and {edit.text}")


# The words around a phrase: its own class, a name that includes it, an apostrophe.


_HEAD_BEFORE = re.compile(r"(?<!\w)(?P<noun>[A-Za-z]+) (?:of )?\Z")
_STATES = frozenset(("republic", "kingdom", "commonwealth", "state", "principality", "union"))
_NAMED_AFTER = shipped_patterns("english_contexts", "names")["named_after"]


def _surroundings(text: str, edits: Sequence[Edit], types: Types) -> Iterator[Edit]:
    end = 0
    for index, item in enumerate(edits):
        edit = item
        type = _type(edit, types)
        limit = edits[index + 1].span.start if index + 1 < len(edits) else len(text)
        if type is SemanticType.PERSON and edit.text != MASK:
            edit = _named_after(text, edit, limit)
        elif type in _CLASSES and _phrase(edit):
            edit = _with_class_before(text, edit, end)
        if type is not None and edit.text != MASK:
            edit = _with_apostrophe(text, edit, limit)
        end = edit.span.end
        yield edit


def _named_after(text: str, edit: Edit, limit: int) -> Edit:
    """Return the class of a thing that is named after a person."""
    match = _NAMED_AFTER.match(text, edit.span.end)
    if match is None or match.end() > limit:
        return edit
    noun = match["noun"].lower()
    place = sentence_context(text, edit.span)
    lead = "" if place.determined or noun.endswith("s") else f"{article(noun)} "
    if place.starts_sentence:
        lead, noun = (capital(lead), noun) if lead else (lead, capital(noun))
    return replace(edit, span=Span(edit.span.start, match.end()), text=f"{lead}[{noun}]")


def _with_class_before(text: str, edit: Edit, end: int) -> Edit:
    """Return a phrase extended to the words before it that name its class: the city of a [city]."""
    match = _HEAD_BEFORE.search(text, max(end, edit.span.start - 24), edit.span.start)
    if match is None:
        return edit
    phrase = _phrase(edit)
    head = TAIL.split(phrase)[0].split()[-1].lower()
    noun = match["noun"].lower()
    of = " of " in match[0]
    if noun != head and not (noun in _STATES and head == "country" and of):
        # The state of [administrative region] already has its article.
        return replace(edit, text=f"[{phrase}]") if of and noun in WORDS["naming"] else edit
    place = sentence_context(text, Span(match.start(), edit.span.end))
    if not place.determined:
        return edit
    return replace(edit, span=Span(match.start(), edit.span.end), text=f"[{phrase}]")


def _with_apostrophe(text: str, edit: Edit, limit: int) -> Edit:
    """Return a phrase with its own possessive ending: the Rangers' becomes the club's."""
    start = edit.span.end
    after = text[start : start + 2]
    if after[:1] not in ("'", "’") or after[1:].isalnum() or start >= limit:
        return edit
    bare = edit.text.rstrip("]")
    if bare == edit.text or bare.endswith("s") or not edit.span.of(text).endswith("s"):
        return edit
    return replace(edit, span=Span(edit.span.start, start + 1), text=f"{edit.text}{after[0]}s")
