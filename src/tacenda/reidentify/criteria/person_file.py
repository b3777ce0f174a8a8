"""One person's documents in a release: how many can be joined, and what they reveal together.

A linker joins two documents at or above a similarity. Each attacker of ``linkability``, and one of shared rare words, takes the lowest similarity at
which at most one in a hundred of its links between documents of the release joins two people; this favors the
attacker, who doesn't know the truth and has to guess that similarity. Links join in chains: A with B, B with C.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..rates import Rate, rate
from .inference import ReleaseCase
from .linkability import PairLinker, attackers_of, linker_of_terms, word_keys
from .singling_out import predicates
from .values import Attribute

MOST_OTHERS: Final = 2000
"""Documents of others that are compared; the first ones, since all pairs are."""
FALSE_LINKS: Final = 0.01
_RARE: Final = 0.05
"""Share of the documents in which a rare word is at most."""

Attributes = frozenset[tuple[Attribute, str]]


@dataclass(frozen=True, slots=True)
class AttackerLinks:
    """An attacker's links at the similarity that gives few false links.

    Attributes:
        attacker: the attacker's name.
        recall: share of pairs of documents about one person that are linked, over all people.
        n_false: number of links between different people.
        joined: the largest set of the person's documents in one chain, as indexes in the release.
    """

    attacker: str
    recall: Rate
    n_false: int
    joined: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PersonFileRisk:
    """What one person's documents in a release reveal together.

    Attributes:
        documents: the person's documents, as indexes in the release.
        links: each attacker's links.
        alone: the attributes that the most revealing document gives on its own.
        together: the attributes that a reader of the joined documents learns, for the attacker that
            joins most; at least those in ``alone``.
    """

    documents: tuple[int, ...]
    links: tuple[AttackerLinks, ...]
    alone: Attributes
    together: Attributes

    @property
    def worst(self) -> AttackerLinks:
        """The attacker that joins most of the person's documents; on a tie, the one with the highest recall."""
        return max(self.links, key=_strength)


def person_file_risk(cases: Sequence[ReleaseCase], person: str) -> PersonFileRisk | None:
    """Try to join a person's documents; None unless there are at least two, and two of other people.

    Args:
        cases: the release's cases; a case without a person counts as the only one about its person.
        person: the person's id.
    """
    own = [place for place, case in enumerate(cases) if case.person == person]
    others = [place for place, case in enumerate(cases) if case.person != person][:MOST_OTHERS]
    if len(own) < 2 or len(others) < 2:
        return None
    places = sorted([*own, *others])
    documents = [cases[place] for place in places]
    links = tuple(_links(linker, cases, person, places) for linker in linkers_of(documents))
    worst = max(links, key=_strength)
    known = {place: frozenset(predicates(cases[place].document.text)) for place in own}
    alone = max(known.values(), key=len)
    together = alone.union(*(known[place] for place in worst.joined)) if worst.joined else alone
    return PersonFileRisk(tuple(own), links, alone, together)


def linkers_of(cases: Sequence[ReleaseCase]) -> Iterator[PairLinker]:
    """Yield the attackers of ``linkability``, and one that uses shared rare words.

    Its similarity is the logarithm of one over a word's share of documents, summed over shared rare
    words: the agreement weights of record linkage (Fellegi and Sunter, 1969). Words in more
    documents belong to a shared template.
    """
    yield from attackers_of(cases)
    documents = [case.document for case in cases]
    yield linker_of_terms("rare words", documents, word_keys, _RARE, by_rarity=True)


def _strength(links: AttackerLinks) -> tuple[int, float]:
    return len(links.joined), links.recall.value


def _links(
    linker: PairLinker,
    cases: Sequence[ReleaseCase],
    person: str,
    places: Sequence[int],
) -> AttackerLinks:
    """Return an attacker's links between the documents at ``places``, in the linker's order."""
    first, second = np.triu_indices(len(places), 1)
    scores, same = pair_scores(linker, [cases[place] for place in places])
    linked = scores >= lowest_similarity(scores, same)
    pairs = np.array(places)[np.column_stack((first[linked], second[linked]))].tolist()
    return AttackerLinks(
        linker.name,
        rate(int((same & linked).sum()), int(same.sum())),
        int((~same & linked).sum()),
        _longest_chain(pairs, {place for place in places if cases[place].person == person}),
    )


def pair_scores(
    linker: PairLinker, cases: Sequence[ReleaseCase]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the similarity of each pair of the linker's documents, and whether the pair is about one person."""
    first, second = np.triu_indices(len(cases), 1)
    matrix = np.array([linker.similarity(n) for n in range(len(cases))])
    people = np.array([case.person or f"\0{n}" for n, case in enumerate(cases)])
    return matrix[first, second], people[first] == people[second]


def lowest_similarity(scores: NDArray[np.float64], same: NDArray[np.bool_]) -> float:
    """Return the lowest positive similarity at which at most one in a hundred links is false; infinity if there is none.

    Args:
        scores: the score of each pair.
        same: whether each pair is about one person.
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    n_false = np.cumsum(~same[order])
    is_last = np.append(ranked[1:] < ranked[:-1], True)
    allowed = is_last & (ranked > 0) & (n_false <= FALSE_LINKS * np.arange(1, len(ranked) + 1))
    return float(ranked[allowed].min()) if allowed.any() else float("inf")


def _longest_chain(pairs: Iterable[Sequence[int]], own: set[int]) -> tuple[int, ...]:
    """Return the largest set of the person's documents joined by links; a single document isn't joined."""
    chains: dict[int, set[int]] = {n: {n} for n in own}
    for a, b in pairs:
        if a in own and b in own and chains[a] is not chains[b]:
            chains[a] |= chains[b]
            for n in chains[b]:
                chains[n] = chains[a]
    longest = max(chains.values(), key=lambda chain: (len(chain), -min(chain)))
    return tuple(sorted(longest)) if len(longest) > 1 else ()
