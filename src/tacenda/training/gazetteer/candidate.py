"""A term that a source offers for the gazetteer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term as its source writes it, and the group it is offered for.

    Attributes:
        term: label, alias or word, in the case of the source.
        group: a key of `detect.gazetteer.groups.GROUPS`.
        source: where it is from; one of ``wikidata``, ``wordnet``, ``lists``.
        uses: how many people have it as a value; 1 where the source does not say.
    """

    term: str
    group: str
    source: str
    uses: int = 1
