"""Names of machines, software and products that the recognizer mistakes for names of people and places.

| in a text | not a name of a person, place or organization |
|---|---|
| ``brisk-lantern-7f3a`` | a slug of ordinary words with a part made of letters and digits |
| ``node copper-meadow`` ``branch 'misty-otter'`` | a slug after the kind of thing it names |
| ``SKU: WB-10443`` ``part no. K77-204`` ``ISBN 978-…`` | the number of a product, which all its copies share, after its label |
| ``Kubernetes`` ``Microsoft Teams`` ``Gantt chart`` | a coined name, a maker's product, a method named after a person |
| ``Snowflake`` ``Bamboo`` | an ordinary word, if the same text has a coined name or a product |
| ``Hudson is dead; Travis, Bamboo, Drone and Tekton work`` | five names of products of one kind, of which people have three at most |
| ``Pandas, Julia and Pascal`` ``Jenkins v2`` | a name that people also have, in a list with one of those, or with a version |

A slug with any other word (``anna-berg-7f3a``) may be a person's and stays as the recognizer says.
So do a person's name without such a neighbor (``Hi Claude, Docker is down``), part of a longer
name, and an employer (``works at GitHub``). Mentions from patterns, policies and plug-ins aren't
changed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from ..document import Mention, MentionSource, SemanticType, Span
from ..shipped import shipped_table
from ..text.folding import is_telling
from ..text.given_names import is_common_given_name
from ..text.word_lists import is_ordinary, ordered_words, word_list_of
from .bounds import READ

_SLUG = r"[a-z0-9]{2,24}(?:[-_][a-z0-9]{1,24}){1,8}(?![\w-])(?:\.[a-z0-9-]{2,24}){0,5}"
_HASHED = (
    r"(?:[a-z]{3,16}-){2,5}(?:[a-z0-9]{4,16}-)?"
    r"(?=[a-z0-9]{0,15}[a-z])(?=[a-z]{0,15}\d)[a-z0-9]{4,16}(?![\w-])"
)
_KINDS = (
    "containers? pods? nodes? hosts? hostname servers? instances? vms? branch(?:es)? images? services? clusters? namespace "
    "deployment jobs? buckets? volumes? workers? runners? packages? modules? class queues? repo(?:sitory)? machines? droplet "
    "env(?:ironment)? checkout ssh(?:\\s\\w{1,16}@)? (?:docker|kubectl|npm|pip|helm|yarn|cargo)\\s[a-z]{2,10} over\\sto depends\\son"
).replace(" ", "|")
_KIND = rf"(?<![\w-])(?i:{_KINDS})(?:[\"'`]?\s?[:=]\s?|\s|(?<=@))[\"'`]?"
_REMARK = r"(?:\s[(\[][\w.]{1,8}[)\]])?"
_SCHEME = (
    r"(?:sku|p/n(?=[:#]?\s[\w./-]{0,12}[a-z])|mpn|asin|isbn(?:-1[03])?|issn|ean|upc|gtin|(?:hs|tariff) codes?)"
    rf"(?:{_REMARK}:|-(?=[a-z]?\d)|\s?#)?"
)
_ARTICLE = (
    r"(?:part|item|art(?:icle|\.)|model|product|stock|cat(?:alog(?:ue)?|\.)|drawing)"
    rf"(?:{_REMARK}:|[ -](?:nos?\.?|numbers?|nr\.?|#){_REMARK}:?)"
)
# A label at the end of a line counts only if no label before it still lacks its number.
_LABEL_BEGINS = r"(?:(?P<row>(?<![^\n])(?<!:\n))|(?<![\w/-]))"
_LABEL_ENDS = r"(?:(?<=[-#])|[ \t]{1,3}|(?<=[:\]])(?(row)[ \t]?\n(?=[A-Z])|(?!)))"
# Five characters or more, with three digits; no name of more than four letters, and no year.
_NUMBER = (
    r"(?=(?:[A-Za-z./-]{0,8}\d){3})"
    r"(?:\d|[A-Z](?<![A-Z]{5})|[a-z](?<![a-z]{3})(?=[a-z]?\d)|[./-](?=[A-Z\d])){5,24}"
)
_PRODUCT = rf"(?i:{_LABEL_BEGINS}(?:{_SCHEME}|{_ARTICLE})){_REMARK}{_LABEL_ENDS}(?P<product>{_NUMBER})(?![\w@-])"
_MACHINE = re.compile(
    rf"(?<![\w.-])(?P<hashed>{_HASHED})|{_KIND}(?P<kind>{_SLUG}(?:(?:,?\s(?:and\s)?){_SLUG}){{0,4}})|{_PRODUCT}"
)
_JOINTS = re.compile(r"[^a-z0-9]+")
_OF_HASH = re.compile(r"[a-f]+|[b-df-hj-np-tv-z]+")
_OF_MACHINES = word_list_of("technical_of_machines")
"""Parts of slugs that no dictionary has."""
_UUID = re.compile(r"(?<![\w-])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![\w-])")
_MAKERS, _PRODUCTS, _COINED, _WORDLIKE, _OF_PEOPLE = (
    "|".join(ordered_words(f"technical_{kind}"))
    for kind in "makers products coined wordlike of_people".split()
)
_KINDS_OF_PRODUCTS = [
    frozenset(kind.split()) for kind in shipped_table("word_lists")["technical_kinds"]
]
_METHODS = (
    r"(?:Gantt|Venn|Weibull|Poisson|Gaussian|Pareto|Bernoulli|Bayesian|Markov|Kaplan[-–]Meier|Likert|Cronbach|Sankey|Voronoi|Nyquist"
    r"|Kruskal[-–]Wallis|Mann[-–]Whitney|Shapiro[-–]Wilk|Kolmogorov[-–]Smirnov|Monte\sCarlo)"
    r"\s(?:charts?|diagrams?|models?|plots?|tests?|processe?s?|scales?|curves?|analysis|chains?|simulations?|priors?)"
)
_VERSION = r"(?:\s(?:v\d{1,3}|\d{1,4}\.\d{1,4})(?:\.\d{1,4}){0,3}(?![\w.]\d))"
_NAME = re.compile(
    rf"(?<![\w@.-])(?:(?P<thing>(?:{_MAKERS})\s(?:{_PRODUCTS})(?:\s(?:\d{{1,4}}|DC|Pro|Max|Mini|Plus|Air|Ultra)(?!\w))*"
    rf"|Power\sBI|{_METHODS}|(?P<coined>{_COINED}){_VERSION}?)"
    rf"|(?P<word>{_WORDLIKE}){_VERSION}?"
    rf"|(?:{_OF_PEOPLE})(?P<version>\sv\d{{1,3}}(?:\.\d{{1,4}}){{0,3}})?)(?![\w@-]|['’]s?\b)"
)
_EMPLOYED = re.compile(r"\b(?:at|for|by|join(?:ed|ing|s)?|left|employer|company)\s\Z")
_ADDRESSED = re.compile(
    r"\b(?i:hi|hey|hello|dear|cc|thanks?|you|ask(?:ed)?|te?old|tell|met|meet|saw|see|from|with|to|mr|mrs|ms|dr|miss|[a-z]+ed)\s\Z"
)
_LISTED = re.compile(r",\s(?:and\s|or\s)?|\s(?:and|or|vs\.?)\s|/")
_Kinds = frozenset[SemanticType | MentionSource]
_NAMING = {SemanticType.PERSON, SemanticType.LOC, SemanticType.ORG, SemanticType.MISC}
_NO_NAMES: _Kinds = frozenset(SemanticType) - _NAMING
_STAYING: dict[str | None, _Kinds] = {
    "hashed": _NO_NAMES,
    "kind": frozenset(),
    # If it is masked elsewhere, for example as a customer's number, it stays masked after its
    # label, too.
    "product": frozenset({MentionSource.PROPAGATION}),
}
"""Types and sources of mentions that are not cut, by the group of a match."""


def without_technical_names(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield the mentions, without the recognizer's mentions of things; no UUID is cut.

    Takes time linear in the length of the text.

    Args:
        text: the document's text.
        mentions: mentions from all detectors, in any order.
    """
    things = sorted([*_machines(text), *_names(text)], key=lambda thing: thing[:2])
    ends = [end for _, end, _ in things]
    codes = [code.span() for code in _UUID.finditer(text)]
    ends_of_codes = [end for _, end in codes]
    for mention in mentions:
        if mention.source not in READ:
            yield mention
            continue
        start, end = mention.span.start, mention.span.end
        place = bisect_right(ends_of_codes, start)
        if place < len(codes) and codes[place][0] < end:
            start, end = min(codes[place][0], start), max(codes[place][1], end)
        pieces = []
        position = start
        for index in range(bisect_right(ends, start), len(things)):
            begin, stop, staying = things[index]
            if begin >= end:
                break
            if staying.isdisjoint((mention.type, mention.source)):
                pieces.append((position, begin))
                position = stop
        pieces = [
            (begin, stop)
            for begin, stop in (*pieces, (position, end))
            if not pieces or _names_something(text[begin:stop])
        ]
        if mention.type is SemanticType.PERSON and any(
            not text[begin:stop].islower() for begin, stop in pieces
        ):
            pieces = [(start, end)]  # a name that a thing also has, inside a person's
        for begin, stop in pieces:
            yield replace(mention, span=Span(begin, stop))


def _names_something(rest: str) -> bool:
    return any(map(is_telling, rest)) and (not rest.islower() or sum(map(str.isalpha, rest)) > 2)


def _machines(text: str) -> Iterator[tuple[int, int, _Kinds]]:
    """Yield the positions of machine names and product numbers, with the mentions that stay there."""
    for match in _MACHINE.finditer(text):
        slug = match["hashed"] or match["kind"]
        if match["product"] or all(map(_is_of_machine, _JOINTS.split(slug))):
            yield *match.span(), _STAYING[match.lastgroup]


def _is_of_machine(part: str) -> bool:
    """Return whether a part of a slug is a number, part of a hash or an ordinary word."""
    stem = part.rstrip("0123456789")
    if not stem.isalpha():
        return True
    is_word = stem in _OF_MACHINES or is_ordinary(stem) or _OF_HASH.fullmatch(stem)
    return bool(is_word or len(stem) <= min(4, len(part) - 1)) and not is_common_given_name(stem)


def _names(text: str) -> Iterator[tuple[int, int, _Kinds]]:
    names = list(_NAME.finditer(text))
    is_technical = any(name["thing"] for name in names)
    of_a_kind = _of_a_kind(names)
    listed: list[re.Match[str]] = []
    joints = [""]
    for name, following in zip_longest(names, names[1:]):
        listed.append(name)
        joint = following and _LISTED.fullmatch(text, name.end(), following.start())
        joints.append(joint[0] if joint else "")
        if joint:
            continue
        before = text[max(0, listed[0].start() - 10) : listed[0].start()]
        is_addressed = not (listed[0]["thing"] or listed[0]["word"]) and _ADDRESSED.search(before)
        is_of_things = is_technical and any(item["thing"] or item["word"] for item in listed)
        for item, left, right in zip(listed, joints[:-1], joints[1:], strict=True):
            if item["thing"] or item["word"]:
                is_thing = is_of_things and not _EMPLOYED.search(before)
            else:
                # Before or after only a comma, a person may be addressed.
                is_within = (left and right) or (left + right).strip(", ")
                is_thing = is_of_things and bool(is_within) and not is_addressed
            if is_thing or item["version"] or item[0].split()[0] in of_a_kind:
                yield *item.span(), _NO_NAMES
        listed, joints = [], [""]


def _of_a_kind(names: Sequence[re.Match[str]]) -> frozenset[str]:
    """Return the names of kinds of products of which a text has five or more, two that nobody is called."""
    is_coined = {name[0].split()[0]: bool(name["thing"] or name["word"]) for name in names}
    members = (is_coined.keys() & kind for kind in _KINDS_OF_PRODUCTS)
    several = (
        kind for kind in members if len(kind) > 4 and sum(is_coined[name] for name in kind) > 1
    )
    return frozenset().union(*several)
