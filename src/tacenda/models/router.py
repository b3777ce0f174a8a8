"""The router of a recognizer with two experts: which of them reads a document.

Formal prose about people (judgments, biographies) has an expert of its own: there dates, places
and professions tell who somebody is, in everyday text seldom. A linear model over the words of a
document in small letters says which it is (a gate over documents: Jacobs et al. 1991, "Adaptive
mixtures of local experts").
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import ModelError
from .store import ShippedModel

ROUTER_FILE = "router.json"
FORMAL_DOMAINS = frozenset({"court", "biography"})
"""Domains of the expert of formal prose; all others are everyday text."""
_WORD = re.compile(r"[^\W\d_]+")
# The beginning of a document says what it is; the time for a long one stays small.
_CHARACTERS = 20_000


def word_shares(text: str, words: Mapping[str, object]) -> dict[str, float]:
    """Return the root of the frequency of each of ``words``, so that the sum of squares is 1.

    Words with a capital first count in a text without small letters only.
    """
    text = text[:_CHARACTERS]
    if text.isupper():
        text = text.lower()
    counts = Counter(word for word in _WORD.findall(text) if word in words)
    total = sum(counts.values())
    return {word: math.sqrt(count / total) for word, count in counts.items()}


@dataclass(frozen=True, slots=True)
class Router:
    """Weights of words for formal prose.

    Attributes:
        words: weight by word in small letters, in nats.
        constant: of the linear model; negative, so that a text without such words is everyday.
    """

    words: Mapping[str, float]
    constant: float

    def is_everyday(self, text: str) -> bool:
        """Tell whether the expert of everyday text reads ``text``."""
        shares = word_shares(text, self.words)
        evidence = sum(self.words[word] * share for word, share in shares.items())
        return self.constant + evidence <= 0.0


def read_router(model: ShippedModel) -> Router:
    """Return the router of a verified recognizer with two experts.

    Raises:
        ModelError: if it has none, or a damaged one.
    """
    try:
        if ROUTER_FILE not in model.digests:
            raise ValueError("missing")
        data = json.loads((model.folder / ROUTER_FILE).read_text(encoding="utf-8"))
        words = {str(word): float(weight) for word, weight in data["words"].items()}
        return Router(words, float(data["constant"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ModelError(
            f"{model.name}: {ROUTER_FILE} has no weights of words; rebuild it with "
            "`tacenda train everyday`."
        ) from error
