"""Relations stated by the words between two names: that they are different people, and their genders.

| between | the two names | |
|---|---|---|
| ``Imran and Saira Malik`` | two people | the single given name takes the other's surname |
| ``Dr Kaur and her husband, Mr Kaur``; ``Anna’s sister Berg`` | two people | the second is male, as *husband* says |
| ``Ada, mother of Tom`` | two people | the first is female, as *mother* says |
| ``Sgt Lee arrested Bruce Lee``; ``was told by`` | two people | |
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from ..text.names import titled
from ..text.word_lists import ordered_words
from .names import NamedString
from .written_names import WrittenName

_LONGEST = 60
"""Code points between two names of one sentence that say how they are related."""
_MOST = 8
"""Other names with a given name in them; people of a sentence."""
_SENTENCE = re.compile(r"[.;!?]\s|\n\s*\n")
_MEN, _WOMEN, _OTHERS = (
    "|".join(ordered_words(f"english_kin_{kind}")) for kind in ("of_men", "of_women", "of_both")
)
KIN = rf"(?:step|half-|foster-|great-|god|ex-|late )*(?:(?P<m>{_MEN})|(?P<f>{_WOMEN})|{_OTHERS})(?:-in-law)?"
"""Names of relatives: of a man in group ``m``, of a woman in ``f``."""
_SECOND = re.compile(
    rf"(?:['’]s?|\b(?:his|her|their|its|my|our|your|whose|the|an?))(?: [a-z-]+){{0,2}}? {KIN}"
    r"(?:,|:| is| was| called| named)?[\s(]{1,2}\Z"
)
_FIRST = re.compile(rf"[,(]?(?: (?:is|was|the|an?|her|his)){{0,2}} {KIN},? (?:of|to) \Z")
_AND = re.compile(r"\s(?:and|&|und|et|og|och|en)\s")
_PEERS = re.compile(
    r",?\s(?:or|nor|vs?\.?|versus|against)\s|,\s(?:and|&)\s"
    r"|(?: [a-z]+ly| was| were| is| has| had| had been| then| later| also){0,2} "
    r"(?!(?:re|nick|mis|en)?(?:call|nam|sign|dubb|titl|styl|spell)l?ed )"
    rf"(?:{'|'.join(ordered_words('deeds'))})(?: (?:by|to|with|at|for|from|on|against))? "
)


def is_relative(between: str) -> bool:
    """Return whether the words between two names make the second a relative of the first (husband, sister, …)."""
    if len(between) >= _LONGEST or _SENTENCE.search(between):
        return False
    kin = _SECOND.search(between)
    return kin is not None and kin.lastgroup is not None


def relations(
    text: str, strings: Sequence[NamedString], names: dict[int, WrittenName]
) -> dict[int, set[int]]:
    """Return, for each string, the strings that name other people; complete the names with surnames and genders.

    Args:
        text: of the document.
        strings: the distinct strings of the document.
        names: names of people by string index; completed in place.
    """
    places = sorted(
        (titled(text, mention.span), index)
        for index in names
        for mention in strings[index].mentions
    )
    bearers: dict[str, set[tuple[tuple[str, ...], str]]] = defaultdict(set)
    for name in names.values():
        for token in name.tokens:
            bearers[token].add((name.tokens, name.title))
    apart: dict[int, set[int]] = defaultdict(set)
    related: list[int] = []
    for (span, index), (following, peer) in pairwise(places):
        between = text[span.end : min(following.start, span.end + _LONGEST)]
        if index == peer or len(between) == _LONGEST or _SENTENCE.search(between):
            related = []
            continue
        second, first = _SECOND.search(between), _FIRST.fullmatch(between)
        for kin, relative in ((second, peer), (first, index)):
            if kin and kin.lastgroup:
                names[relative] = replace(names[relative], relation=kin.lastgroup)
        # In "Anna left with Anna's bag", a possession isn't a person.
        is_owner = text[following.end : following.end + 1] in ("'", "’")
        if _AND.fullmatch(between) and not is_owner:
            _share_surname(names, index, peer, bearers)
        elif not (second or first or (_PEERS.fullmatch(between) and not is_owner)):
            related = []
            continue
        # Everyone in one sentence: Dr Kaur treated Asha and Amit Kaur.
        related = [*(related[-_MOST:] or [index]), peer]
        for other in {*related} - {peer}:
            apart[other].add(peer)
            apart[peer].add(other)
    return apart


def _share_surname(
    names: dict[int, WrittenName],
    index: int,
    peer: int,
    bearers: Mapping[str, Collection[tuple[tuple[str, ...], str]]],
) -> None:
    """Complete a given name with the partner's surname, unless another person also has that given name."""
    name, partner = names[index], names[peer]
    if not name.is_single or not partner.is_whole or partner.couple or partner.user_name:
        return
    token = name.tokens[0]
    surnames = partner.tokens[partner.surnames :]
    others = [
        tokens for tokens, title in bearers[token] if (tokens, title) != (name.tokens, name.title)
    ]
    if len(others) <= _MOST and all(
        tokens[0] == token and tokens[1:] and tokens[-1] == surnames[-1] for tokens in others
    ):
        names[index] = replace(name, tokens=(token, *surnames), surnames=1, partner=True)
