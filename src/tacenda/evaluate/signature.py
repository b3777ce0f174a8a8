"""How a score was made, in one line, so that two scores can be told apart (after sacrebleu)."""

from __future__ import annotations

from collections.abc import Sequence

from ..version import __version__
from .gold import GoldDocument, splits_of


def signature(
    documents: Sequence[GoldDocument],
    *,
    given_ignored_tokens: bool,
    weights: str = "uniform",
    resamples: int = 0,
    seed: int = 0,
    extras: Sequence[str] = (),
) -> str:
    """Return the signature of a score.

    Args:
        documents: those counted.
        given_ignored_tokens: whether a tagger's ignored tokens replaced the built-in list.
        weights: name of the information content of weighted precision.
        resamples: size of the bootstrap, 0 for none.
        seed: of the bootstrap.
        extras: signatures of further measures.
    """
    ignore = "given-tokens" if given_ignored_tokens else "closed-class"
    parts = [
        f"tab:{'+'.join(splits_of(documents))}",
        f"docs:{len(documents)}",
        "match:all-mentions",
        f"ignore:{ignore}+punct",
        f"weight:{weights}",
    ]
    if resamples:
        parts.append(f"bootstrap:{resamples}|seed:{seed}")
    parts += extras
    parts.append(f"v:{__version__}")
    return "|".join(parts)
