"""A document's distinct strings, sets of them, and joining names with their acronyms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..document import Mention, SemanticType
from ..text.acronyms import defined_after, is_acronym, parenthesised, spells
from ..text.normal_form import mention_key

# Disjoint sets of numbers, for grouping in near-linear time.


class Clusters:
    """Disjoint sets of the numbers ``0 … n-1``; each starts in its own set."""

    def __init__(self, n: int) -> None:
        self._parents = list(range(n))

    def find(self, member: int) -> int:
        """Return the representative of the set that contains ``member``."""
        parents = self._parents
        while parents[member] != member:
            parents[member] = member = parents[parents[member]]
        return member

    def join(self, member: int, peer: int) -> None:
        """Merge the sets of both members; the smaller representative stands for the merged set."""
        first, second = sorted((self.find(member), self.find(peer)))
        self._parents[second] = first


# A distinct string among the mentions of a document.


@dataclass(frozen=True, slots=True)
class NamedString:
    """Mentions with equal strings.

    Attributes:
        key: the normalized string.
        type: the type of the most certain mention.
        positions: indices of the mentions in the document, in ascending order.
        mentions: the mentions, in the same order.
    """

    key: str
    type: SemanticType
    positions: tuple[int, ...]
    mentions: tuple[Mention, ...]

    @property
    def start(self) -> int:
        """Start of the first mention in the text."""
        return self.mentions[0].span.start


# Names of organisations, places and things joined with the short forms defined for them.


def join_acronyms(
    text: str, strings: Sequence[NamedString], indexes: Sequence[int], clusters: Clusters
) -> None:
    """Join each name with its acronym and with both names of ``name (name)``."""
    by_key = {strings[index].key: index for index in indexes}
    for index in indexes:
        string = strings[index]
        for mention in string.mentions:
            short = defined_after(text, mention.span.end)
            if short is None:
                continue
            acronym = mention_key(text[slice(*short)])
            peer = by_key.get(acronym)
            if peer is not None and _may_define(string, acronym):
                clusters.join(index, peer)
        for part in parenthesised(string.mentions[0].span.of(text)):
            if (peer := by_key.get(mention_key(part))) is not None:
                clusters.join(index, peer)
        _join_reverse(text, index, strings, by_key, clusters)


def _may_define(string: NamedString, acronym: str) -> bool:
    # In "Kraków (PL)" the parentheses name a country: an acronym must consist of the name's own
    # letters.
    return string.type is SemanticType.ORG or spells(acronym, string.key)


def _join_reverse(
    text: str,
    index: int,
    strings: Sequence[NamedString],
    by_key: dict[str, int],
    clusters: Clusters,
) -> None:
    """Join ``PS (Prison Service)`` where the long form is a mention of its own."""
    string = strings[index]
    mention = string.mentions[0]
    if (
        not is_acronym(mention.span.of(text))
        or text[mention.span.end : mention.span.end + 2] != " ("
    ):
        return
    close = text.find(")", mention.span.end, mention.span.end + 120)
    if close < 0:
        return
    long = mention_key(text[mention.span.end + 2 : close])
    peer = by_key.get(long)
    if peer is not None and spells(string.key, long):
        clusters.join(index, peer)
