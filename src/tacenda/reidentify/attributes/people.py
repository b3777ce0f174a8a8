"""Whom the words of a text are about: it is divided into stretches by its references to people.

| reference | to whom |
|---|---|
| a name | the person of its entity |
| *I*, *my* outside quotations | the author |
| *she*, *his* | the first person of that sex in the nearest sentence |
| *my husband*, *Anna's mother* | the person named next to it; otherwise a separate person, the same one whenever they are called that |
| *they* | the last two |

A stretch goes from one reference to the next one in the sentence, and the first one starts at the
beginning of the sentence. A sentence without references is about its author, or else about the
person that the previous sentence started with. *Anna and Tom* share a stretch.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Final

from rapidfuzz.distance import LCSseq

from ...document import Span
from ...link.relations import KIN
from ...text.given_names import gender_by_names
from ...text.normal_form import fold_text
from ..criteria.closure import is_by_subject

AUTHOR: Final = "author"
_SENTENCE_END: Final = re.compile(r"(?<!\b[A-Z][a-z])(?<!\bMrs)[.!?…]+[\"”')\]]*\s+|\n+")
_QUOTED: Final = re.compile(r"[“\"][^“”\"\n]{0,400}[”\"]")
_PRONOUN: Final = re.compile(
    r"\b(?:(?P<f>[Ss]he|[Hh]ers?|[Hh]erself)|(?P<m>[Hh]e|[Hh]im|[Hh]is|[Hh]imself)"
    r"|(?P<author>I|i(?=['’])|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Oo]urs?|us)|(?P<both>[Tt]hey|[Tt]hem|[Bb]oth))\b"
)
_RELATIVE: Final = re.compile(
    rf"(?:\b(?P<owner>my|our|his|her|their|your|whose)|(?<=\w['’]s)|(?<=s['’]))(?: [a-z-]+){{0,2}}? {KIN}(?!\w)"
    r"|\b(?<!\bsingle )(?<!\ba )(?<!\bthe )"
    r"(?:(?P<woman>mum|mam|mom|gran(?:dma|ny)?|the missus)|(?P<man>dad|granddad|grandpa|hubby))(?!\w)",
    re.IGNORECASE,
)
_NAME_AFTER: Final = re.compile(r"(?:,| is| was| called| named)?[ (]{1,2}")
_NAME_BEFORE: Final = re.compile(r"(?:,| \(| is| was| \(the|, the) ?")
_APPOSITION_END: Final = re.compile(r"[,.;)]|\Z| (?:of|who|from|for|in|at)\b")
_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_IS: Final = re.compile(r" (?:is|was) \Z")
_AND: Final = re.compile(r",? (?:and|&) ")
_DESCRIPTION: Final = re.compile(r"\b(?:the|an?|their|his|her|our|my) (?:[\w-]+ ){1,3}\Z")
_TITLES: Final = {"mr": "m", "sir": "m", "father": "m", "mrs": "f", "ms": "f", "miss": "f"}


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to people.

    Attributes:
        span: the span of its words.
        people: the ids of the people; the words up to the next reference are about them.
        sex: ``m`` or ``f`` if the words show it; otherwise empty.
        relatives: whose relative a person is, according to these words; empty for nobody's.
        begin: where the reference's stretch starts; before the span in *the nurse Anna*.
        noun: where *wife* starts in *his wife*.
    """

    span: Span
    people: tuple[str, ...]
    sex: str = ""
    relatives: tuple[str, ...] = ()
    begin: int = -1
    noun: int = -1


@dataclass(slots=True)
class _ReferenceReader:
    """Collects references, in order."""

    text: str
    breaks: list[int]
    references: list[Reference] = field(default_factory=list)
    sexes: dict[str, str] = field(default_factory=dict)
    relatives: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, reference: Reference) -> None:
        """Append a reference, joining it with the previous one if *and* connects them."""
        if reference.sex and len(reference.people) == 1:
            self.sexes.setdefault(reference.people[0], reference.sex)
        last = self.references[-1] if self.references else None
        if (
            last is not None
            and last.span.end < reference.span.start
            and _AND.fullmatch(self.text, last.span.end, reference.span.start)
            and self.text[reference.span.end : reference.span.end + 1] not in (",", "'", "’")
        ):
            people = tuple(dict.fromkeys((*reference.people, *last.people)))
            reference = replace(reference, people=people)
        self.references.append(reference)

    def sentence(self, place: int) -> int:
        """Return the number of the sentence at a position."""
        return bisect_right(self.breaks, place)

    def person_of(self, sex: str) -> str:
        """Return the person that a pronoun refers to; empty if nobody of that sex was named."""
        best, rank = "", (-1, False, 0)
        seen: set[int] = set()
        for number, reference in enumerate(self.references):
            sentence = self.sentence(reference.span.start)
            is_first = sentence not in seen
            seen.add(sentence)
            person = reference.people[0]
            if person == AUTHOR or self.sexes.get(person, sex) != sex:
                continue
            # A person known to be of that sex is preferred to one who may be.
            key = (sentence + (person in self.sexes), is_first, -number if is_first else number)
            if key > rank:
                best, rank = person, key
        if best:
            self.sexes.setdefault(best, sex)
        return best


def references(text: str, named: Mapping[str, Sequence[Span]]) -> tuple[Reference, ...]:
    """Return a text's references to people, in order.

    Args:
        text: the text before sanitizing.
        named: the spans of names, by person.
    """
    names = sorted((span, person) for person, spans in named.items() for span in spans)
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    reader = _ReferenceReader(text, [match.end() for match in _SENTENCE_END.finditer(text)])
    kin = list(_RELATIVE.finditer(text))
    owners = [match.span() for match in kin]
    people = [(span, person) for span, person in names if not _is_within(span, owners)]
    pronouns = [
        match
        for match in _PRONOUN.finditer(text)
        if not any(start <= match.start() < end for start, end in owners)
        and not any(span.start <= match.start() < span.end for span, _ in names)
        and not (match["author"] and _is_within(Span(*match.span()), quoted))
    ]
    steps: list[tuple[int, int, Callable[[], Reference | None]]] = [
        *((span.start, 0, partial(_name, text, span, person)) for span, person in people),
        *((match.start(), 1, partial(_relative, reader, match, names)) for match in kin),
        *((match.start(), 2, partial(_pronoun, reader, match)) for match in pronouns),
    ]
    # A pronoun refers to an earlier person, so references are created in text order.
    for _, _, refer in sorted(steps, key=lambda step: step[:2]):
        if (reference := refer()) is not None:
            reader.add(reference)
    return tuple(reader.references)


def _is_within(span: Span, places: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in places)


def _pronoun(reader: _ReferenceReader, match: re.Match[str]) -> Reference | None:
    span = Span(*match.span())
    if match["author"]:
        return Reference(span, (AUTHOR,))
    if match["both"]:
        last = dict.fromkeys(item.people[0] for item in reversed(reader.references))
        return Reference(span, tuple(last)[:2]) if last else None
    sex = "f" if match["f"] else "m"
    person = reader.person_of(sex)
    return Reference(span, (person,), sex) if person else None


def _name(text: str, span: Span, person: str) -> Reference:
    parts = fold_text(span.of(text)).replace(".", "").split()
    sex = _TITLES.get(parts[0], "") if parts else ""
    before = _DESCRIPTION.search(text, max(0, span.start - 60), span.start)
    begin = before.start() if before else span.start
    return Reference(span, (person,), sex or gender_by_names(tuple(parts)), begin=begin)


def _relative(
    reader: _ReferenceReader, match: re.Match[str], names: Sequence[tuple[Span, str]]
) -> Reference:
    text, owner = reader.text, (match["owner"] or "").lower()
    start = match.start() + (text[match.start()] == " ")
    span = Span(start, match.end())
    relatives: tuple[str, ...] = ()
    first = match.start()
    if owner in ("my", "our") or match["woman"] or match["man"]:
        relatives = (AUTHOR,)
    elif owner in ("his", "her"):
        person = reader.person_of("m" if owner == "his" else "f")
        relatives = (person,) if person else ()
    elif owner == "whose":
        relatives = reader.references[-1].people[:1] if reader.references else ()
    elif not owner:
        last = [(span, person) for span, person in names if span.end <= match.start()][-1:]
        if last and match.start() - last[0][0].end <= len("'s"):
            first, relatives = last[0][0].start, (last[0][1],)
    word = (match["m"] or match["f"] or match[0].split()[-1]).lower()
    key = (relatives[0] if relatives else "", word)
    person = (
        next((person for name, person in names if _is_within(name, [match.span()])), "")
        or _named_after(text, match.end(), names)
        or _named_before(text, first, match.end(), names)
        or _subject_of_is(reader, first)
        or reader.relatives.get(key)
        or f"relative-{len(set(reader.relatives.values())) + 1}"
    )
    reader.relatives.setdefault(key, person)
    sex = "m" if match["m"] or match["man"] else "f" if match["f"] or match["woman"] else ""
    noun = match.end("owner") if owner else start
    others = tuple(other for other in relatives if other != person)
    return Reference(span, (person,), sex, others, noun=noun)


def _named_after(text: str, end: int, names: Sequence[tuple[Span, str]]) -> str:
    gap = _NAME_AFTER.match(text, end)
    return next((person for span, person in names if gap and span.start == gap.end()), "")


def _named_before(text: str, start: int, end: int, names: Sequence[tuple[Span, str]]) -> str:
    if not _APPOSITION_END.match(text, end):
        return ""
    before = [(span, person) for span, person in names if span.end <= start][-1:]
    if before and _NAME_BEFORE.fullmatch(text, before[0][0].end, start):
        return before[0][1]
    return ""


def _subject_of_is(reader: _ReferenceReader, start: int) -> str:
    """Return the person whose relative is named, according to the words before those for the relative."""
    if not _IS.search(reader.text, max(0, start - 5), start):
        return ""
    before = [item for item in reader.references if item.span.end < start]
    if not before or reader.sentence(before[-1].span.start) != reader.sentence(start):
        return ""
    return before[-1].people[0]


# A text's stretches by person.


def stretches(text: str, told: Sequence[Reference]) -> dict[str, tuple[Span, ...]]:
    """Return the stretches about each person that a text refers to, in order."""
    breaks = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    parts: dict[str, list[Span]] = {}
    is_first_person = is_by_subject(text)
    default = (AUTHOR,) if is_first_person or not told else told[0].people
    place = 0
    for begin, end in pairwise(breaks):
        inside = []
        while place < len(told) and told[place].span.start < max(end, begin + 1):
            inside.append(told[place])
            place += 1
        if not inside:
            _put(parts, default, begin, end)
            continue
        # In "Lost my wife", what comes before is about the person whose wife she was.
        if inside[0].relatives:
            _put(parts, inside[0].relatives[:1], begin, inside[0].span.start)
            begin = inside[0].span.start
        starts = [max(last.span.end, _start(item)) for last, item in pairwise(inside)]
        cuts = [begin, *starts, end]
        for item, first, last in zip(inside, cuts, cuts[1:], strict=False):
            for relative in item.relatives:
                _put(parts, (relative,), item.span.start, item.span.end)
            # In "his wife", *his* is only about him.
            _put(parts, item.people, first, min(last, item.span.start))
            _put(parts, item.people, max(first, item.noun, item.span.start), last)
        if not is_first_person:
            default = inside[0].people
    return {person: tuple(spans) for person, spans in parts.items()}


def _start(reference: Reference) -> int:
    return reference.span.start if reference.begin < 0 else reference.begin


def _put(parts: dict[str, list[Span]], people: Sequence[str], start: int, end: int) -> None:
    if start < end:
        for person in people:
            parts.setdefault(person, []).append(Span(start, end))


# A text's references in another version of it.


def moved(told: Sequence[Reference], original: str, released: str) -> tuple[Reference, ...]:
    """Return references at their positions in a sanitized text: readers are assumed to know who is meant."""
    olds, news = _boundaries(original, released)

    def place(position: int, *, is_end: bool) -> int:
        # Anchors come in pairs: start and end of a token that both texts have.
        anchor = bisect_right(olds, position - is_end) - 1
        inside = anchor % 2 == 1 and position <= olds[anchor + 1]
        if inside or olds[anchor] == position:
            return min(news[anchor] + position - olds[anchor], news[anchor + 1])
        return news[anchor + 1] if is_end else news[anchor]

    result = []
    for item in told:
        start = place(item.span.start, is_end=False)
        end = place(item.span.end, is_end=True)
        begin = place(_start(item), is_end=False)
        start += len(released[start:end]) - len(released[start:end].lstrip())
        end -= len(released[start:end]) - len(released[start:end].rstrip())
        if start < end:
            noun = place(item.noun, is_end=True) if item.noun > item.span.start else start
            span, sex = Span(start, end), item.sex
            if item.span.of(original) not in span.of(released):
                sex = gender_by_names(tuple(fold_text(span.of(released)).split()))
            result.append(
                replace(item, span=span, sex=sex, begin=min(begin, start), noun=min(noun, end))
            )
    return tuple(result)


def _boundaries(original: str, released: str) -> tuple[list[int], list[int]]:
    """Return the boundaries of the words and punctuation that both texts have, in pairs, including the boundaries of the texts."""
    pairs = [(0, 0)]
    for old, new in _common_tokens(original, released):
        pairs += [(old.start, new.start), (old.end, new.end)]
    pairs.append((len(original), len(released)))
    return [old for old, _ in pairs], [new for _, new in pairs]


def _common_tokens(original: str, released: str) -> Iterator[tuple[Span, Span]]:
    sides = []
    for text in (original, released):
        spans = [Span(*match.span()) for match in _TOKEN.finditer(text)]
        sides.append((spans, [span.of(text).lower() for span in spans]))
    (olds, before), (news, after) = sides
    for code in LCSseq.opcodes(before, after):
        if code.tag == "equal":
            yield from zip(
                olds[code.src_start : code.src_end],
                news[code.dest_start : code.dest_end],
                strict=True,
            )
