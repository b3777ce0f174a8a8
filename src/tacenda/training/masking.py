"""Which subwords a masked language model must guess: runs of whole words, as spans are.

What is asked of the model later is the probability of a whole span with all of it hidden
(``explicit_risk_measures``, section 3.2.1), so that is what it learns (SpanBERT, section 3.1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MEAN_WORDS = 2.5
_MOST_WORDS = 8


def masked_places(
    words: NDArray[np.int64], share: float, random: np.random.Generator
) -> NDArray[np.bool_]:
    """Return which of n subwords to mask, bool [n].

    Args:
        words: int64 [n], running number of the word of each subword.
        share: about how many of the subwords to mask, in (0, 1).
        random: decides.
    """
    n = len(words)
    masked = np.zeros(n, dtype=bool)
    if n == 0:
        return masked
    first, last = int(words[0]), int(words[-1])
    wanted = max(1, round(share * n))
    while masked.sum() < wanted:
        length = min(_MOST_WORDS, int(random.geometric(1 / _MEAN_WORDS)))
        begin = int(random.integers(first, last + 1))
        masked |= (words >= begin) & (words < begin + length)
    return masked
