"""Which words are masked while an encoder learns, p(z | x): of every size, and biased to what gives away.

Morris et al. (2022), section 5, mask l words, l uniform in 0..N. A mask that hides someone looks
different: it takes the words that stand in the profile, or names and numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...reidentify.attackers.encoder import MASK
from .examples import Text

Prior = Literal["mixed", "uniform", "none"]


@dataclass(frozen=True, slots=True)
class Shares:
    """How often each kind of mask is drawn; what is left masks distinct words, wherever they are."""

    uniform: float = 0.20
    nothing: float = 0.25
    shared: float = 0.35
    telling: float = 0.08


def masked(
    text: Text, prior: Prior, random: np.random.Generator, shares: Shares = Shares()
) -> NDArray[np.int64]:
    """Return the places of a text with some words masked, [read]."""
    mask = _drawn(text, prior, random, shares)
    return text.places if mask is None else np.where(mask, MASK, text.places)


def _drawn(
    text: Text, prior: Prior, random: np.random.Generator, shares: Shares
) -> NDArray[np.bool_] | None:
    if prior == "none":
        return None
    kind = random.random()
    if prior == "uniform" or (kind := kind - shares.uniform) < 0:
        return _uniform(text, random)
    if (kind := kind - shares.nothing) < 0:
        return None
    if (kind := kind - shares.shared) < 0:
        return _shared(text, random)
    if (kind := kind - shares.telling) < 0:
        share = 1.0 if random.random() < 0.5 else random.random()
        return np.asarray(text.telling & _some(text, share, random))
    distinct = np.unique(text.places[text.words])
    hidden = distinct[random.random(len(distinct)) < random.random()]
    return np.asarray(text.words & np.isin(text.places, hidden))


def _uniform(text: Text, random: np.random.Generator) -> NDArray[np.bool_]:
    """Return l words, l uniform in 0..N."""
    (words,) = np.nonzero(text.words)
    mask = np.zeros(len(text.places), dtype=bool)
    mask[random.choice(words, random.integers(len(words) + 1), replace=False)] = True
    return mask


def _shared(text: Text, random: np.random.Generator) -> NDArray[np.bool_]:
    """Return words of the profile, all or some of them, and now and then others."""
    mask: NDArray[np.bool_] = text.shared[random.integers(len(text.shared))]
    if random.random() < 0.5:
        mask = mask & _some(text, random.random(), random)
    if random.random() < 0.4:
        mask = mask | (text.words & _some(text, random.random() / 2, random))
    return mask


def _some(text: Text, share: float, random: np.random.Generator) -> NDArray[np.bool_]:
    return random.random(len(text.places)) < share
