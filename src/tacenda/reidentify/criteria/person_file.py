"""The documents of one person in a release: how many can be joined, and what they tell together.

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
    """Links of an attacker at its similarity with few false ones.

    Attributes:
        attacker: its name.
        recall: share of pairs of one person that are linked, over all people.
        n_false: links between two people.
        joined: the most documents of the person in one chain, by place in the release.
    """

    attacker: str
    recall: Rate
    n_false: int
    joined: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PersonFileRisk:
    """What the documents of one person in a release tell together.

    Attributes:
        documents: of the person, by place in the release.
        links: of each attacker.
        alone: attributes that the most telling of the documents gives.
        together: attributes that a reader of the joined documents has, by the attacker that joins most; those of
            ``alone`` at least.
    """

    documents: tuple[int, ...]
    links: tuple[AttackerLinks, ...]
    alone: Attributes
    together: Attributes

    @property
    def worst(self) -> AttackerLinks:
        """The attacker that joins most documents of the person, of several the one with the highest recall."""
        return max(self.links, key=_strength)


def person_file_risk(cases: Sequence[ReleaseCase], person: str) -> PersonFileRisk | None:
    """Try to join the documents of a person; None unless there are two, and two of others.

    Args:
        cases: of the release; one without a person counts as the only one of its person.
        person: id.
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
    """Yield the attackers of ``linkability``, and one of shared rare words.

    Its similarity is the logarithm of one over the share of the documents with a word, summed over shared rare
    words: agreement weights of record linkage (Fellegi and Sunter, 1969). Words in more documents are of their form.
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
    """Links of an attacker between the documents at ``places``, in the order of the linker."""
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
    """The similarity of each pair of the linker's documents, and whether the pair is of one person."""
    first, second = np.triu_indices(len(cases), 1)
    matrix = np.array([linker.similarity(n) for n in range(len(cases))])
    people = np.array([case.person or f"\0{n}" for n, case in enumerate(cases)])
    return matrix[first, second], people[first] == people[second]


def lowest_similarity(scores: NDArray[np.float64], same: NDArray[np.bool_]) -> float:
    """The lowest positive similarity at which at most a hundredth of the links is false; infinity if none is.

    Args:
        scores: of each pair.
        same: whether the pair is of one person.
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    n_false = np.cumsum(~same[order])
    is_last = np.append(ranked[1:] < ranked[:-1], True)
    allowed = is_last & (ranked > 0) & (n_false <= FALSE_LINKS * np.arange(1, len(ranked) + 1))
    return float(ranked[allowed].min()) if allowed.any() else float("inf")


def _longest_chain(pairs: Iterable[Sequence[int]], own: set[int]) -> tuple[int, ...]:
    """The most of the person's documents that links between them join; a document alone is not joined."""
    chains: dict[int, set[int]] = {n: {n} for n in own}
    for a, b in pairs:
        if a in own and b in own and chains[a] is not chains[b]:
            chains[a] |= chains[b]
            for n in chains[b]:
                chains[n] = chains[a]
    longest = max(chains.values(), key=lambda chain: (len(chain), -min(chain)))
    return tuple(sorted(longest)) if len(longest) > 1 else ()
