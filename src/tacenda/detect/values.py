"""Values that say nothing about anyone: passages that are only a number, a constant or a unit.

A table cell or a record's value has no words around it, so the recognizer may read anything into
it: a date into ``12.5``, a place into ``NaN``, an organization into ``g/dL``.

| a passage | the recognizer's mentions in it |
|---|---|
| ``12.5`` ``-3e5`` ``1,234.50`` ``45%`` | none |
| ``67`` ``67.0`` | no name or place; in a row with other cells it may be an age or, with three digits, a code |
| ``NaN`` ``null`` ``true`` ``N/A`` ``-inf`` | none; ``Nan`` and ``Null`` may be names |
| ``g/dL`` ``mmol/L`` ``10*3/uL`` ``mm[Hg]`` ``/min`` | none: a UCUM unit, or a usual spelling of one |
| ``"latency_ms": 812`` ``retries: 3`` ``&page=2`` ``--since=2.weeks`` | none: a measurement by its key, of any length |
| ``status=queued`` ``Colour: Blue`` ``<sex>F</sex>`` | none: an ordinary word or letter for a state, or one of two sexes, after its key |
| ``HTTP/1.1 200 5123`` ``pnpm@8.6.12`` ``node >=18 <21`` | none: the end of a request, versions |
| ``[1990] 2 AC 605`` | none: a law report |
| ``Ward 7B`` ``gate B`` ``the depot`` | none: something any hospital or airport has, or a kind of place without a name |
| ``a C in Religious Studies`` | none in the subject: any school teaches it |
| ``[PERSON 1]`` ``<CODE_2>`` anywhere | none: a tag the text already has |
| ``name;geb;ort`` above lines with as many fields | none in common column names |
| ``48213`` ``2004`` ``93`` ``52.52001`` ``J`` | stay: a code, a year, an age over 89, a position, an initial |
| ``48213.0`` ``30.123.456`` ``0176.123`` ``MJ`` ``A.W`` | stay: the same as programs write it, codes, initials |

Values, drugs and shorthand in clinical notes aren't mentions either (``clinical``). Neither is a
number's label, nor is it part of a mention: ``PESEL 44051401359``, ``&dob=``.

Mentions that patterns find by form, the policy's terms and plug-ins' mentions stay.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..document import Mention, SemanticType, Span
from ..shipped import shipped_table
from ..text.given_names import is_common_given_name
from ..text.passages import BLANKS, LINE_ENDS, Passages
from ..text.placeholders import own_tags
from ..text.word_lists import is_ordinary, ordered_words
from .bounds import READ
from .clinical import ClinicalNotes
from .patterns.announced_numbers import ABBREVIATIONS, TITLES
from .patterns.references import REPORT

_LONGEST = 40
"""Code points of a value, with the white space at its ends."""

# Groups between periods also occur in ID card and phone numbers; a leading zero means a code.
_GROUPED = r"\d{1,3}(?:[,'’\u00a0\u202f]\d{3}){1,6}(?:[.,]\d{1,3})?|\d{1,3}(?:\.\d{3}){1,6},\d{1,3}"
_NUMBER = (
    rf"(?!\d{{2,12}}\.0\s*\Z)[+\-−]?(?!0\d)(?:{_GROUPED}|\d{{0,12}}[.,]\d{{1,3}}|\d{{1,12}}(?=\s?[%‰])"
    r"|\d(?:\.\d{0,18})?[eE][+\-−]?\d{1,3})(?:\s?[%‰])?"
)
_COUNT = r"(?P<count>(?!9\d\b|1[01]\d\b)\d{1,3})(?:\.0)?"
_CONSTANT = (
    r"NaN|nan|NaT|NULL|null|nil|None|NA|#?N/A|n/a|[Tt]rue|TRUE|[Ff]alse|FALSE|undefined"
    r"|[+\-−]?(?:inf|Inf|INF|[Ii]nfinity)"
)
# Prefixes only where they are common, so that few words are units by chance.
_METRIC = (
    r"(?:[kdcmuµμnpf]|da)?(?:g|m|s|[lL]|mol|[eE]q|[oO]sm|cal|bar|I?U|kat|Hz|Pa|V|A|W|J|N|Gy|Sv|Bq|K)"
    r"|[MG](?:Hz|Bq|Pa)"
)
_OTHER = (
    r"\[[iI]U\]|iU|mm ?\[?Hg\]?|cm ?\[?H2O\]?|Cel|°\s?[CF]|\[degF\]|deg|%|‰|pp[mb]|\[(?:lb_av|oz_av|in_i|ft_i|pH|CFU)\]|lbs?|oz|ft"
    r"|sec|min|hr?|d|wk|mo|a|yr|(?:second|minute|hour|day|week|month|year)s?|beats?|breaths?|cells?|copies|points?|score"
    r"|tablets?|capsules?|doses?|puffs?|drops?|bpm|[HL]PF|10[*^]\d{1,2}|C|F"
)
_UNIT = rf"(?:1\.73\s?)?(?:{_METRIC}|{_OTHER})(?:\^?[+-]?[23²³])?"
_VALUE = re.compile(
    rf"\s*(?:{_NUMBER}|{_COUNT}|{_CONSTANT}|(?![A-Za-z](?:\.[A-Z])*\s*\Z)/?{_UNIT}(?:\s?[/.·]\s?{_UNIT}){{0,4}})\s*"
)
_KEYS_OF_MEASUREMENTS = "|".join(ordered_words("values_measurements"))
_KEYS_OF_STATES = "|".join(ordered_words("values_states"))
_OF_NOBODY = re.compile(
    rf"[\"'](?:[\w.-]{{0,40}}[_.-])?(?:(?i:{_KEYS_OF_MEASUREMENTS})|(?<=[\"'])[a-z]\w{{0,40}}?(?:{_KEYS_OF_MEASUREMENTS.title()}))[\"']"
    r"\s?:\s?(?P<value>-?\d{1,15}(?:\.\d{1,9})?)(?=\s{0,20}[,}\]])"
    rf"|(?<![\w\"'/-])(?:[a-z]{{1,20}}[_.-])?(?:{_KEYS_OF_MEASUREMENTS})(?:=|:\s)(?P<number>-?\d{{1,15}}(?:\.\d{{1,9}})?)(?=\s?(?:[&;,}}\]\n]|\Z|\s))"
    r"|(?<=\s)--[a-z-]{2,30}[= ](?P<option>\d{1,4}[. ]?(?:[smhdw]|(?:sec|min|second|minute|hour|day|week|month|year)s?))(?=\s|\Z)"
    rf"|(?<![\w-])(?i:{_KEYS_OF_STATES})(?:[\"']?\s?[=:]\s?[\"']?|>)(?P<state>[^\W\d_]{{1,20}})(?=[\"'<&;,|}}\]\n]|\s?(?:\||\Z)|\s\w{{1,20}}=|\.\s)"
    r"|(?<![\w-])(?i:sex|gender)(?:[\"']?\s?[=:]\s?[\"']?|>)(?P<sex>(?i:[mf]|male|female))(?!\w)"
    rf"|(?P<report>{REPORT})(?!\w)"
    r"|(?P<protocol>\bHTTP/\d(?:\.\d)?[\"']?\s\d{3}(?:\s(?:\d{1,12}\b|-))?)"
    r"|(?<![\w@])(?P<version>(?:@[a-z][a-z0-9-]{0,30}/)?[a-z][a-z0-9._-]{0,30}@[\^~v]?\d{1,4}(?:\.\d{1,6}){1,2}(?:-[a-z]\w{0,12}(?:\.\d{1,4})?)?)(?![\w@-]|\.\w)"
    r"|(?<=\s)(?P<bound>[<>~^]=?\s?\d{1,4}(?:\.\d{1,4}){0,3})(?![\w/<]|[.,]\d)"
)
_SIGN = re.compile(r"[=:@<>~^\[]|HTTP/")
"""What each line with such a value has."""
_PART = re.compile(
    rf"(?i:{'|'.join(ordered_words('values_parts'))})\s(?:[A-Z]?\d{{1,3}}[A-Z]?|[A-Z])"
    rf"|(?:(?:the|an?|my|our|his|her|local)\s)?(?:{'|'.join(ordered_words('values_institutions'))})"
    rf"|(?:(?<=\b[A-EU] in )|(?<=\b[A-E][*+] in )|(?<=\b[1-9] in ))(?:{'|'.join(ordered_words('values_subjects'))})"
)
_AGES = frozenset({SemanticType.DATETIME, SemanticType.DEM, SemanticType.QUANTITY})
"""Types that the recognizer gives to an age without words."""
_SHORTEST_CODE = 2
_EDGE = re.compile(rf"[{LINE_ENDS}\t\x1f|]|[{BLANKS}]{{3}}")

_LABEL = re.compile(
    rf"(?<!\w)(?:{ABBREVIATIONS}|PAN|NI|RFC|NPI|DEA|GST(?:IN)?|VAT|ABN|(?:TEL|FAX|MOB|EXT|REG|VRM|VRN)\b\.?|(?:Tel|Fax|Mob|Ext|Reg)\b\.?"
    rf"|(?i:{TITLES}|d\.?o\.?b\.?|otp|pin|passcode|cvv2?|cvc|bic|swift|cf|grid(?: ref(?:erence)?)?|sofinummer|rodné číslo|kennitala|cédula))(?!\w)(?:\s(?i:cards?|nos?\.?|nr\.?|number|code|id)(?!\w))?"
    r"(?=\s?(?:is\s|was\s|[:=#(–-]){0,2}\s{0,2}[\"“'‘#+(]?(?:[A-Z]{1,12}[ -]?[0-9]|[A-Z0-9][\w./-]{0,20}[0-9]|[0-9]))"
    r"|(?<=[Aa]uthorization: )(?:Bearer|Basic|Token|Digest)\b|[&?;][\w.-]{1,40}(?==[^=\s])|(?<=[\dkm€£$]\s)(?:p\.\s?[adhmpw]\.|p(?:cm|cw)\b|(?:brutto|netto|gross|net|brut|bruto|brutt|lordo|bruttó)\b(?:\sp\.\s?[MamJ]\.)?)"
)
"""A label of a number, or a key of a query, before its value; what an amount is for, behind it: ``£9 p.h.``"""
_LONGEST_LABEL = 24
_HEAD = re.compile(r"\ufeff?(?P<names>[^\n\r]{3,1000})(?:\r\n?|\n)(?P<values>[^\n\r]+)")
"""The first two lines."""
_LETTERS = re.compile(r"[^\W\d_]+")
_FIELD_WORDS = shipped_table("field_words")
_OF_COLUMNS = frozenset(
    word
    for key in (
        "given",
        "surname",
        "names",
        "not_names",
        "address",
        "ids",
        "birth",
        "age",
        "columns",
    )
    for word in _FIELD_WORDS[key].split()
) | {"geb"}


def without_values(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield the mentions, except the recognizer's in passages that are only a value.

    Args:
        text: the document's text.
        mentions: mentions from all detectors, in any order.
    """
    passages: Passages | None = None
    innocent = (*own_tags(text), *_of_nobody(text), *_names_of_columns(text))
    of_nobody = sorted(innocent, key=lambda span: span.start)
    notes = ClinicalNotes(text)
    for mention in mentions:
        if mention.source in READ and notes.has_value(mention):
            continue
        if mention.source in READ and (
            _is_inside(mention.span, of_nobody)
            or _PART.fullmatch(text, mention.span.start, mention.span.end)
        ):
            continue
        if mention.source in READ and _may_be_value(text, mention):
            passages = Passages.of(text) if passages is None else passages
            if _is_value(text, passages, mention):
                continue
        yield from _without_labels(text, mention) if mention.source in READ else (mention,)


def _without_labels(text: str, mention: Mention) -> Iterator[Mention]:
    """Yield the parts of a mention without the labels in it."""
    start, end = mention.span.start, mention.span.end
    for label in _LABEL.finditer(text, max(0, start - _LONGEST_LABEL), end + 2 * _LONGEST_LABEL):
        first, last = label.span()
        is_key = text[first] in "&?;"
        if last <= start or first >= end or (is_key and last != end):
            continue
        if any(map(str.isalnum, text[start:first])):
            yield replace(mention, span=Span(start, first))
        start = max(start, last)
    if start == mention.span.start or any(map(str.isalnum, text[start:end])):
        yield replace(mention, span=Span(start, end))


def _of_nobody(text: str) -> Iterator[Span]:
    end = 0
    while sign := _SIGN.search(text, end):
        begin, end = text.rfind("\n", end, sign.start()) + 1 or end, text.find("\n", sign.end())
        end = len(text) if end < 0 else end
        for match in _OF_NOBODY.finditer(text, begin, end):
            word = (match["state"] or "").lower()
            if len(word) < 2 or (is_ordinary(word) and not is_common_given_name(word)):
                yield Span(*match.span(match.lastgroup or 0))


def _names_of_columns(text: str) -> Iterator[Span]:
    """Yield the fields of a header that have usual names, if there are two of them and a row below."""
    head = _HEAD.match(text)
    if head is None:
        return
    names, values = head["names"], head["values"]
    edge = next((it for it in ";\t|," if 0 < names.count(it) <= values.count(it)), None)
    if edge is None:
        return
    fields = [_LETTERS.findall(name.lower()) for name in names.split(edge)]
    are_usual = [bool(words) and _OF_COLUMNS.issuperset(words) for words in fields]
    start = first = head.start("names")
    for name, is_usual in zip(names.split(edge), are_usual, strict=True):
        if is_usual and sum(are_usual) > 1:
            yield Span(first, start + len(name))  # With the common names before it.
        start += len(name) + 1
        first = first if is_usual else start


def _is_inside(span: Span, places: Sequence[Span]) -> bool:
    place = bisect_right(places, span.start, key=lambda place: place.start) - 1
    return place >= 0 and places[place].contains(span)


def _may_be_value(text: str, mention: Mention) -> bool:
    """Return whether a mention's line or cell is a value, even if a line is wrapped."""
    start, end = mention.span.start, mention.span.end
    if end - start > _LONGEST:
        return False
    first = max(0, start - _LONGEST)
    begin = max((edge.end() for edge in _EDGE.finditer(text, first, start)), default=first)
    edge = _EDGE.search(text, end, end + _LONGEST)
    return _VALUE.fullmatch(text[begin : edge.start() if edge else end + _LONGEST]) is not None


def _is_value(text: str, passages: Passages, mention: Mention) -> bool:
    """Return whether a mention's passage is only a value."""
    last = first = bisect_right(passages.ends, mention.span.start)
    while first and passages.wraps[first - 1]:
        first -= 1
    while last < len(passages.starts) and passages.wraps[last]:
        last += 1
    begin = passages.ends[first - 1] if first else 0
    end = passages.starts[last] if last < len(passages.starts) else len(text)
    value = _VALUE.fullmatch(text[begin:end]) if end - begin <= _LONGEST else None
    if value is None:
        return False
    is_alone = not text[:begin].strip() and not text[end:].strip()
    if value["count"] is None or is_alone:
        return True
    is_code = mention.type is SemanticType.CODE and len(value["count"]) > _SHORTEST_CODE
    return mention.type not in _AGES and not is_code
