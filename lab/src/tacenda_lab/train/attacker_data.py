"""Members as training data of an encoder: indices of words, and candidates for masks.

Words are numbered across all texts. Only pieces of the vocabulary that occur are trained; the rest
keep their initial vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from tacenda.background.normalization import kinds_of, normalize_profile
from tacenda.background.profiles import Person, linearize, terms
from tacenda.document import Document
from tacenda.models.networks import word_pieces
from tacenda.reidentify.attackers.encoder import MASK, PADDING, EncoderReading, read, read_text
from tacenda.reidentify.tokens import STOP_WORDS, TokenizedDocument, read_words

from .pairs import read_pairs

# Members of the US Congress: profiles an adversary would have, and biographies to learn from.
#
# Profiles are read the way attackers read them (``background/normalization.py``), and nothing is
# added to them.


FILE = Path("reid/congress_people.jsonl.gz")
_WITHOUT = ("wikipedia",)
"""Fields of that file that aren't part of the profiles."""


@dataclass(frozen=True, slots=True)
class Member:
    """A candidate with their profile and biography.

    Attributes:
        person: the profile, worded as texts would word it.
        given: the profile as it is in the file.
        text: the biography, or None without one.
        digest: a digest of the id.
    """

    person: Person
    given: Person
    text: TokenizedDocument | None
    digest: int

    @property
    def held_out(self) -> bool:
        """Whether the biography is kept out of training, as for every tenth person."""
        return self.digest % 10 == 0

    @property
    def chosen_on(self) -> bool:
        """Whether settings are chosen on the biography, as for every eighteenth of the others."""
        return not self.held_out and self.digest // 10 % 18 == 0


def read_members(path: Path, without: Iterable[str] = _WITHOUT) -> Iterator[Member]:
    """Yield everyone in a file of pairs (``pairs.py``), in its order.

    Args:
        path: the file.
        without: fields to leave out of the profiles; by default the ones for members of Congress.

    Raises:
        InputError: the file or one of its records can't be read.
    """
    pairs = list(read_pairs(path, without))
    kinds = kinds_of(pair.person.profile for pair in pairs)
    for pair in pairs:
        given = pair.person
        yield Member(
            replace(given, profile=normalize_profile(given.profile, kinds)),
            given,
            None if pair.text is None else read_words(Document(given.id, pair.text)),
            _digest(given.id),
        )


def _digest(id: str) -> int:
    return int(hashlib.sha256(id.encode()).hexdigest(), 16)


@dataclass(frozen=True, slots=True)
class TrainingText:
    """A biography for training.

    Attributes:
        person: the number of the person it is about.
        places: its words, numbered across all texts, [read].
        words: whether each is a word rather than a punctuation mark, [read].
        shared: whether each is in the profile, as in the file and as written out, [2, read].
        telling: whether each has a capital or a digit, [read].
    """

    person: int
    places: NDArray[np.int64]
    words: NDArray[np.bool_]
    shared: NDArray[np.bool_]
    telling: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class AttackerExamples:
    """Texts and profiles to learn from.

    Attributes:
        words: the words of all texts and profiles, by place; the first two stand for padding and a
            mask.
        learned: the texts to learn from.
        chosen_on: the texts to choose settings on.
        profiles: the places of everyone's profile.
    """

    words: tuple[str, ...]
    learned: tuple[TrainingText, ...]
    chosen_on: tuple[TrainingText, ...]
    profiles: tuple[NDArray[np.int64], ...]

    def pieces(self, tokenizer: Tokenizer) -> NDArray[np.int64]:
        """Return the word pieces of the words, [words, most pieces], padded with 0."""
        return word_pieces(tokenizer, self.words)


def examples_of(members: Iterable[Member]) -> AttackerExamples:
    """Return the training data; held-out people contribute only their profile."""
    words = {"": PADDING, "***": MASK}
    learned: list[TrainingText] = []
    chosen_on: list[TrainingText] = []
    profiles = []
    for number, member in enumerate(members):
        profiles.append(_numbered(read_text(linearize(member.person)), words))
        if member.text is None or member.held_out:
            continue
        reading = read(member.text)
        text = _text(number, member, reading, _numbered(reading, words))
        (chosen_on if member.chosen_on else learned).append(text)
    return AttackerExamples(tuple(words), tuple(learned), tuple(chosen_on), tuple(profiles))


def _numbered(reading: EncoderReading, words: dict[str, int]) -> NDArray[np.int64]:
    numbers = np.array([words.setdefault(word, len(words)) for word in reading.words])
    return numbers[reading.places]


def _text(
    number: int, member: Member, reading: EncoderReading, places: NDArray[np.int64]
) -> TrainingText:
    assert member.text is not None
    document = member.text
    sets = [set(terms(person)) - STOP_WORDS for person in (member.given, member.person)]
    strings = [span.of(document.document.text) for span in document.spans]
    signals = [string[:1].isupper() or any(map(str.isdigit, string)) for string in strings]
    shared = [[key in vocabulary for key in document.keys] for vocabulary in sets]
    # The last column stands for what is not a word.
    flags = np.array([*shared, signals, [True] * len(strings)], dtype=bool)
    flags = np.pad(flags, ((0, 0), (0, 1)))[:, reading.number]
    return TrainingText(number, places, flags[3], flags[:2], flags[2])


def padded(rows: Sequence[NDArray[np.int64]]) -> Tensor:
    """Return the rows padded with 0, int64 [rows, longest]."""
    filled = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for row, places in zip(filled, rows, strict=True):
        row[: len(places)] = places
    return torch.from_numpy(filled)
