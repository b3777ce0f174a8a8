"""How the shipped attacker is made, from profiles and biographies of members of Congress."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from ...reidentify.attackers.encoder import MASK
from .examples import Examples, Text, examples_of
from .export import write_attacker
from .members import FILE, read_members
from .network import BiEncoder, SideEncoder, Sizes
from .phases import Schedule, Training
from .start import start_table


@dataclass(frozen=True, slots=True)
class Pieces:
    """The part of a vocabulary that occurs, and is trained.

    Attributes:
        used: ids of the vocabulary that occur, in order, 0 first.
        of_words: pieces of words as places in ``used``, [words, most pieces].
    """

    used: NDArray[np.int64]
    of_words: NDArray[np.int64]

    @classmethod
    def of(cls, pieces: NDArray[np.int64]) -> Pieces:
        """Number the pieces that occur anew."""
        used, places = np.unique(pieces, return_inverse=True)
        return cls(used, places.reshape(pieces.shape))


@dataclass(frozen=True, slots=True)
class Found:
    """How many people are found by texts that settings are chosen on.

    Attributes:
        shares: by what is masked: (at rank 1, among the first 10).
    """

    shares: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __str__(self) -> str:
        return "; ".join(f"{name} {a:.3f}, {b:.3f}" for name, (a, b) in self.shares.items())


def train_attacker(data: Path, work: Path, encoder_folder: Path, schedule: Schedule) -> Path:
    """Run the recipe and return the folder with the finished model.

    Args:
        data: the data folder.
        work: where the state of an unfinished run lies, and the result.
        encoder_folder: all-MiniLM-L6-v2, whose word embeddings are started from.
        schedule: how.
    """
    examples = examples_of(read_members(data / FILE))
    tokenizer = Tokenizer.from_file(str(encoder_folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    all_pieces = examples.pieces(tokenizer)
    table = start_table(encoder_folder, examples, all_pieces, Sizes(0).embedding)
    pieces = Pieces.of(all_pieces)
    model = BiEncoder(Sizes(len(pieces.used)), table[pieces.used])
    training = Training(model, examples, torch.from_numpy(pieces.of_words), schedule)
    training.fit(work / "attacker.state")
    print(f"rank 1, first 10: {found(training, examples)}", file=sys.stderr)
    folder = work / "attacker-en"
    write_attacker(whole(model, table, pieces), encoder_folder / "tokenizer.json", folder)
    return folder


def found(training: Training, examples: Examples) -> Found:
    """Return how many are found, of the texts that settings are chosen on."""
    matrix = training.profile_matrix()
    texts = examples.chosen_on
    kinds = {
        "unmasked": texts,
        "without words of the profile": [_without(text, text.shared[0]) for text in texts],
        "of the profile as written": [_without(text, text.shared[1]) for text in texts],
    }
    return Found(
        {
            name: _shares(training.document_matrix(rows, "none") @ matrix.T, texts)
            for name, rows in kinds.items()
        }
    )


def _without(text: Text, mask: NDArray[np.bool_]) -> Text:
    places = np.where(mask, MASK, text.places)
    return Text(text.person, places, text.words, text.shared, text.telling)


def _shares(scores: Tensor, texts: tuple[Text, ...]) -> tuple[float, float]:
    own = scores[torch.arange(len(texts)), torch.tensor([text.person for text in texts])]
    better = (scores > own[:, None]).sum(1)
    return float((better < 1).float().mean()), float((better < 10).float().mean())


def whole(model: BiEncoder, table: Tensor, pieces: Pieces) -> BiEncoder:
    """Return the model with the whole vocabulary: pieces that never occurred as they started."""
    sizes = model.document.sizes
    found = BiEncoder(Sizes(len(table), *_widths(sizes)), table)
    for name, side in (("document", found.document), ("profile", found.profile)):
        trained: SideEncoder = getattr(model, name)
        full = table.clone()
        full[pieces.used] = trained.table.weight.detach()
        side.load_state_dict({**trained.state_dict(), "table.weight": full})
    found.log_sharpness.data = model.log_sharpness.data.clone()
    found.eval()
    return found


def _widths(sizes: Sizes) -> tuple[int, ...]:
    return (
        sizes.embedding,
        sizes.context,
        sizes.roles,
        sizes.contents,
        sizes.hidden,
        sizes.output,
    )
