"""The emulated search as an indicator: of single entities and of combinations."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ....document import Combination, Document, Entity, Evidence, IdentifierType
from ....errors import ModelError
from ....models.attacker import AttackerModel
from ....models.emulation import Emulation, load_emulation
from ...indicators import Finding
from .facts import FACTS, Asked, PhraseEncoder, asked
from .network import confidence

SEARCH_EMULATED = "search_emulated"

Indices = tuple[int, ...]


class EmulatedSearch:
    """Judges entities, and combinations of them, by what a search would bring up about the person.

    The person to protect is the document's target and ``names``; where there is none, everybody in the
    document is, as for ``SearchRisk``. Nothing is asked of an index or of the web.

    Args:
        emulation: the network.
        encoder: the one it was fitted to.
        names: further names to protect, from the policy.
        arity: largest number of entities in a combination.
        most: combinations that are listed, the riskiest.

    Raises:
        ModelError: if the network was fitted to another encoder or to other facts.
        ValueError: if ``arity`` or ``most`` is below 1, or nothing was fitted to so many entities.
    """

    def __init__(
        self,
        emulation: Emulation,
        encoder: PhraseEncoder,
        names: Sequence[str] = (),
        *,
        arity: int = 2,
        most: int = 2_000,
    ) -> None:
        for name, value in (("arity", arity), ("most", most)):
            if value < 1:
                raise ValueError(f"{name} is {value!r}; at least 1 is needed.")
        if arity > len(emulation.sizes):
            raise ValueError(
                f"arity is {arity!r}; the network was fitted to combinations of up to "
                f"{len(emulation.sizes)} entities."
            )
        if emulation.encoder != encoder.name or emulation.facts != FACTS:
            what = f"the vectors of {emulation.encoder}, and {encoder.name} is asked"
            if emulation.encoder == encoder.name:
                what = "other facts of an entity than this version has"
            raise ModelError(
                f"The emulated search was fitted to {what}; fit it with `tacenda train emulation`."
            )
        self._emulation = emulation
        self._encoder = encoder
        self._names = tuple(names)
        self._arity = arity
        self._most = most

    @classmethod
    def shipped(cls) -> EmulatedSearch:
        """Return the one that ships.

        Raises:
            ModelError: if its weights or its encoder's are missing or damaged, or don't fit together.
        """
        return cls(load_emulation(), AttackerModel.load())

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity that a search could be asked about."""
        found: list[Finding | None] = [None] * len(entities)
        seen = asked(document, entities, self._names, self._encoder)
        if seen is not None:
            alone = _places(np.flatnonzero(seen.worded), 1)
            for index, chance in zip(alone[:, 0], self._chances(seen, alone), strict=True):
                risky = chance >= self._emulation.sizes[0].threshold
                found[index] = Finding(
                    _evidence(1, chance), IdentifierType.QUASI if risky else IdentifierType.NO_MASK
                )
        return found

    def combinations(
        self, document: Document, entities: Sequence[Entity]
    ) -> tuple[Combination, ...]:
        """Return the risky combinations, no one a superset of another; the riskiest first."""
        seen = asked(document, entities, self._names, self._encoder)
        if seen is None:
            return ()
        found: list[tuple[float, Indices]] = []
        risky: set[Indices] = set()
        open_parts = np.flatnonzero(seen.worded)
        for size in range(1, self._arity + 1):
            chosen = _places(open_parts, size, risky)
            chances = self._chances(seen, chosen)
            above = chances >= self._emulation.sizes[size - 1].threshold
            for indices, chance in zip(chosen[above].tolist(), chances[above], strict=True):
                risky.add(tuple(indices))
                found.append((float(chance), tuple(indices)))
            if size == 1:
                open_parts = chosen[~above, 0]
        found.sort(key=lambda item: (-item[0], len(item[1]), item[1]))
        return tuple(
            Combination(
                tuple(entities[index].id for index in indices),
                chance,
                (_evidence(len(indices), chance),),
            )
            for chance, indices in found[: self._most]
        )

    def _chances(self, seen: Asked, chosen: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the calibrated probability of each combination, all of one size."""
        curve = self._emulation.sizes[chosen.shape[1] - 1].curve
        found: NDArray[np.float64] = np.interp(
            confidence(self._emulation.arrays, seen, chosen), curve.x, curve.y
        )
        return found


def _places(
    parts: NDArray[np.int64], size: int, risky: Set[Indices] = frozenset()
) -> NDArray[np.int64]:
    """Return the combinations of some parts that hold no risky one, [k, size]."""
    kept = [
        chosen
        for chosen in combinations(parts.tolist(), size)
        if size < 3
        or not any(
            smaller in risky for part in range(2, size) for smaller in combinations(chosen, part)
        )
    ]
    return np.array(kept, dtype=np.int64).reshape(-1, size)


def _evidence(size: int, chance: float) -> Evidence:
    what = "it" if size == 1 else f"these {size} together"
    return Evidence(
        SEARCH_EMULATED,
        float(chance),
        f"A search for {what} would lead to a person to protect with a probability of {chance:.2f} "
        "(emulated: nothing was searched).",
    )
