"""Anonymous documents to a judge, too: what it goes by is masked, until it no longer finds the person.

The loop of Staab et al., *Large Language Models are Advanced Anonymizers* (2025): an adversary
infers, and its evidence says what to change. Here the search is asked for the rest of the mask, so that no
attacker finds the person either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...document import Span
from ...policy import Policy
from ..judge import Inference, Judge, Judgment
from ..tokens import STOP_WORDS, TokenizedDocument
from .anonymize import Anonymized
from .options import information_kept, write
from .units import MaskUnit, redact

Search = Callable[[TokenizedDocument, Sequence[MaskUnit]], Anonymized]
"""From a document and its units to a mask of it, such as ``anonymize`` with attackers."""


@dataclass(frozen=True, slots=True)
class JudgedMask:
    """A mask, and what a judge says of it.

    Attributes:
        solution: the mask, against attackers and judge.
        judgment: the judge's last.
        found: whether the judge still finds the person; None if it is silent.
        quoted: whether each word is masked because the judge quoted it, [words].
        rounds: how often the judge was asked.
    """

    solution: Anonymized
    judgment: Judgment
    found: bool | None
    quoted: NDArray[np.bool_]
    rounds: int


def hide_from_judge(
    document: TokenizedDocument,
    person: int,
    name: str,
    judge: Judge,
    k: int,
    units: Sequence[MaskUnit],
    search: Search,
) -> JudgedMask:
    """Return a mask with which no attacker of the search finds the person, nor the judge.

    The judge has the person among its candidates. Words that it quotes are masked wherever they
    stand, before the search masks what else it needs. It ends where the judge doesn't find the
    person, is silent, or quotes nothing new.

    Args:
        document: the document.
        person: number of the person to hide.
        name: of the person.
        judge: to be asked, two questions a round.
        k: the person must not be among the first K.
        units: sets of words to mask together.
        search: for the rest of the mask.
    """
    quoted = document.unmasked()
    rounds = 0
    while True:
        solution = _solve(document, quoted, units, search)
        judgment = judge.judge(document, solution.mask, person)
        rounds += 1
        found = judgment.finds(person, name, k)
        further = words_gone_by(document, judgment, solution.mask)
        if not found or not further.any():
            return JudgedMask(solution, judgment, found, quoted, rounds)
        quoted |= further


def words_gone_by(
    document: TokenizedDocument, judgment: Judgment, mask: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the unmasked words that a judge quotes, wherever they stand, [words].

    Those for who it is; where they bring nothing new, those for its guesses of attributes.
    """
    words = _words_of(document, judgment.evidence) & ~mask
    return words if words.any() else _words_of(document, _guess_evidence(judgment)) & ~mask


def _solve(
    document: TokenizedDocument,
    quoted: NDArray[np.bool_],
    units: Sequence[MaskUnit],
    search: Search,
) -> Anonymized:
    """Return the search's mask of what is left with the quoted words masked, and these."""
    if not quoted.any():
        return search(document, units)
    kept = np.flatnonzero(~quoted)
    places = {int(word): place for place, word in enumerate(kept)}
    rest = (tuple(places[n] for n in unit.words if n in places) for unit in units)
    remainder = [
        replace(unit, words=words) for unit, words in zip(units, rest, strict=True) if words
    ]
    solution = search(redact(document, quoted), remainder)
    mask = quoted.copy()
    mask[kept] = solution.mask
    text, replacements = write(document, mask, Policy())
    return replace(
        solution,
        text=text,
        replacements=replacements,
        mask=mask,
        kept=information_kept(document, units, mask),
    )


def _guess_evidence(judgment: Judgment) -> tuple[Span, ...]:
    """Return the quotes for guesses of attributes."""
    if not isinstance(judgment.inference, Inference):
        return ()
    return tuple(span for guess in judgment.inference.attributes for span in guess.evidence)


def _words_of(document: TokenizedDocument, spans: Sequence[Span]) -> NDArray[np.bool_]:
    """Return the mask of the words of some spans but stop words, wherever they stand, [words]."""
    inside = document.masked(spans)
    keys = {key for key, flag in zip(document.keys, inside, strict=True) if flag} - STOP_WORDS
    return np.array([key in keys for key in document.keys], dtype=bool)
