"""Documents that are anonymous to a judge too: what it relies on is masked until it no longer finds the person.

This is the loop of Staab et al., *Large Language Models are Advanced Anonymizers* (2025): an
adversary makes inferences, and its evidence says what to change. Here a search finds the rest of
the mask, so that no attacker finds the person either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...document import Document, Span
from ...rewrite.edits import MASK
from ..judge import Inference, Judge, Judgment
from ..tokens import STOP_WORDS, TokenizedDocument, read_words
from .anonymize import Anonymized

Search = Callable[[Sequence[int]], Anonymized]
"""From the places of words that are masked in any case to a release, such as ``anonymize`` with attackers."""


@dataclass(frozen=True, slots=True)
class JudgedMask:
    """A release, and a judge's answers about it.

    Attributes:
        solution: the release that resists attackers and judge.
        judgment: the judge's last judgment, about the released text.
        found: whether the judge still finds the person; None if it doesn't answer.
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
    search: Search,
) -> JudgedMask:
    """Return a release in which neither the search's attackers nor the judge find the person.

    The person is among the judge's candidates. Words that the judge quotes are masked wherever they
    occur; if it quotes a replacement, that is masked too. Then the search masks whatever else it
    needs. The loop ends when the judge doesn't find the person, doesn't answer, or quotes nothing
    new.

    Args:
        document: the document.
        person: number of the person to hide.
        name: the person's name.
        judge: the judge, which is asked two questions per round.
        k: the person must not be among the first K.
        search: finds the rest of the mask.
    """
    quoted = document.unmasked()
    rounds = 0
    while True:
        solution = search(tuple(map(int, np.flatnonzero(quoted))))
        released = read_words(Document(document.document.id, solution.text))
        judgment = judge.judge(released, released.unmasked(), person)
        rounds += 1
        found = judgment.finds(person, name, k)
        further = _words_behind(document, solution, released, judgment, quoted)
        if not found or not further.any():
            return JudgedMask(solution, judgment, found, quoted, rounds)
        quoted |= further


def words_gone_by(
    document: TokenizedDocument, judgment: Judgment, mask: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the unmasked words that a judge quotes, wherever they occur, [words].

    These are its quotes about who it is or, if they add nothing new, its quotes for guessed
    attributes.
    """
    words = _words_of(document, judgment.evidence) & ~mask
    return words if words.any() else _words_of(document, _guess_evidence(judgment)) & ~mask


def _words_behind(
    document: TokenizedDocument,
    solution: Anonymized,
    released: TokenizedDocument,
    judgment: Judgment,
    quoted: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return the original words for what a judge quotes from a released text, except those quoted before, [words].

    They include words that are left, wherever they occur, and words that something less specific
    was written for.
    """
    words = document.unmasked()
    for spans in (judgment.evidence, _guess_evidence(judgment)):
        inside = zip(released.keys, released.masked(spans), strict=True)
        keys = {key for key, flag in inside if flag} - STOP_WORDS
        words = np.array([key in keys for key in document.keys], dtype=bool) & ~solution.mask
        words |= document.masked(
            [
                edit.original
                for edit in solution.replacements
                if edit.text != MASK
                and any(s.start < edit.output_end and edit.output_start < s.end for s in spans)
            ]
        )
        words &= ~quoted
        if words.any():
            break
    return words


def _guess_evidence(judgment: Judgment) -> tuple[Span, ...]:
    """Return the quotes for guesses of attributes."""
    if not isinstance(judgment.inference, Inference):
        return ()
    return tuple(span for guess in judgment.inference.attributes for span in guess.evidence)


def _words_of(document: TokenizedDocument, spans: Sequence[Span]) -> NDArray[np.bool_]:
    """Return the mask of the words of some spans without stop words, wherever they occur, [words]."""
    inside = document.masked(spans)
    keys = {key for key, flag in zip(document.keys, inside, strict=True) if flag} - STOP_WORDS
    return np.array([key in keys for key in document.keys], dtype=bool)
