"""Names of organisations, places and things joined with the short forms defined for them."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import SemanticType
from ..text.surface_forms import defined_after, is_acronym, normalise, parenthesised, spells
from .strings import Clusters, NamedString


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
            acronym = normalise(text[slice(*short)])
            peer = by_key.get(acronym)
            if peer is not None and _may_define(string, acronym):
                clusters.join(index, peer)
        _join_parts(string.mentions[0].span.of(text), index, by_key, clusters)
        _join_reverse(text, index, strings, by_key, clusters)


def _may_define(string: NamedString, acronym: str) -> bool:
    # "Kraków (PL)" puts a place in a country; only its own letters make it an acronym.
    return string.type is SemanticType.ORG or spells(acronym, string.key)


def _join_parts(surface: str, index: int, by_key: dict[str, int], clusters: Clusters) -> None:
    for part in parenthesised(surface):
        peer = by_key.get(normalise(part))
        if peer is not None:
            clusters.join(index, peer)


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
    long = normalise(text[mention.span.end + 2 : close])
    peer = by_key.get(long)
    if peer is not None and spells(string.key, long):
        clusters.join(index, peer)
