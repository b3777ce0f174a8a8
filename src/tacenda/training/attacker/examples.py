"""Members as an encoder learns from them: places of words, and which words a mask would take.

Words are numbered over all texts together, and of the vocabulary only the pieces that occur are
trained; the others keep what they start with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from ...background.person import linearised, terms
from ...models.attacker import word_pieces
from ...reidentify.attackers.encoder import MASK, PADDING, Reading, read, read_text
from ...reidentify.tokens import STOP_WORDS
from .members import Member


@dataclass(frozen=True, slots=True)
class Text:
    """A biography of someone who may be learned from.

    Attributes:
        person: number of the person it is about.
        places: words, numbered over all texts, [read].
        words: which of them are words and no marks, [read].
        shared: which stand in the profile: as it is given, and as it is written out; [2, read].
        telling: which are capitalised, or have a digit, [read].
    """

    person: int
    places: NDArray[np.int64]
    words: NDArray[np.bool_]
    shared: NDArray[np.bool_]
    telling: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Examples:
    """What is learned from.

    Attributes:
        words: of all texts and profiles, by place; the first two stand for padding and a mask.
        learned: texts to learn from.
        chosen_on: texts to choose settings on.
        profiles: places of everybody's profile.
    """

    words: tuple[str, ...]
    learned: tuple[Text, ...]
    chosen_on: tuple[Text, ...]
    profiles: tuple[NDArray[np.int64], ...]

    def pieces(self, tokenizer: Tokenizer) -> NDArray[np.int64]:
        """Return the word pieces of the words, [words, most pieces], filled up with 0."""
        return word_pieces(tokenizer, self.words)


def examples_of(members: Iterable[Member]) -> Examples:
    """Return what may be learned from: of held-out people, the profile alone."""
    words = {"": PADDING, "***": MASK}
    learned: list[Text] = []
    chosen_on: list[Text] = []
    profiles = []
    for number, member in enumerate(members):
        profiles.append(_numbered(read_text(linearised(member.person)), words))
        if member.text is None or member.held_out:
            continue
        reading = read(member.text)
        text = _text(number, member, reading, _numbered(reading, words))
        (chosen_on if member.chosen_on else learned).append(text)
    return Examples(tuple(words), tuple(learned), tuple(chosen_on), tuple(profiles))


def _numbered(reading: Reading, words: dict[str, int]) -> NDArray[np.int64]:
    numbers = np.array([words.setdefault(word, len(words)) for word in reading.words])
    return numbers[reading.places]


def _text(number: int, member: Member, reading: Reading, places: NDArray[np.int64]) -> Text:
    assert member.text is not None
    document = member.text
    sets = [set(terms(person)) - STOP_WORDS for person in (member.given, member.person)]
    strings = [span.of(document.document.text) for span in document.spans]
    telling = [string[:1].isupper() or any(map(str.isdigit, string)) for string in strings]
    shared = [[key in found for key in document.keys] for found in sets]
    # The last column stands for what is no word.
    flags = np.array([*shared, telling, [True] * len(strings)], dtype=bool)
    flags = np.pad(flags, ((0, 0), (0, 1)))[:, reading.number]
    return Text(number, places, flags[3], flags[:2], flags[2])


def padded(rows: Sequence[NDArray[np.int64]]) -> Tensor:
    """Return rows filled up with 0, int64 [rows, longest]."""
    filled = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for row, places in zip(filled, rows, strict=True):
        row[: len(places)] = places
    return torch.from_numpy(filled)
