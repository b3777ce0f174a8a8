"""The emulation of a search by an encoder and an LSTM (``explicit_risk_measures``, section 3.2.2, Figure 4).

    encoder     a phrase -> contextual vectors of its subwords, by any encoder of transformers; not fitted
    pooling     these vectors -> one of the entity, by an LSTM, or by their mean
    head        maximum and sum over a combination, with the vector of the person's name -> log odds of finding the person

`tacenda lab train emulation --answers` fits it; the smaller network is in ``emulated_search.py``.
It needs torch and transformers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
import torch
import transformers
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from tacenda.document import Document, Entity
from tacenda.errors import ModelError
from tacenda.models.checkpoint import load_pretrained, position_limit, torch_device
from tacenda.models.store import read_model
from tacenda.risk.search.algorithm import people_of, phrases_of, phrases_of_names

from .emulated_search import (
    ARRAYS_FILE,
    EMULATION_FILE,
    SearchPrediction,
    Size,
    sizes_object,
    sizes_of,
)

WIDTH: Final = 64
"""Width of the vector of an entity, and of the layer above a combination."""
_PHRASES_PER_BATCH: Final = 32
_COMBINATIONS_PER_BATCH: Final = 8_192


class SearchHead(nn.Module):
    """Network from the subwords of a combination's entities, and of a name, to the log odds of finding the person.

    Args:
        width: length of a subword's vector.
        lstm: whether an LSTM combines the subwords into one vector, rather than their mean.
    """

    def __init__(self, width: int, lstm: bool) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, WIDTH, batch_first=True) if lstm else None
        self.mean = None if lstm else nn.Linear(width, WIDTH)
        self.hidden = nn.Linear(3 * WIDTH, WIDTH)
        self.output = nn.Linear(WIDTH, 1)
        self.dropped = nn.Dropout(0.1)

    def entities(self, subwords: Tensor, lengths: Tensor) -> Tensor:
        """Return a vector for each phrase, [n, WIDTH].

        Args:
            subwords: [n, longest, width]; zero after the end of a phrase.
            lengths: at least 1, on the processor, [n].
        """
        if self.lstm is not None:
            packed = pack_padded_sequence(subwords, lengths, batch_first=True, enforce_sorted=False)
            return self.dropped(self.lstm(packed)[1][0][-1])
        assert self.mean is not None
        means = subwords.sum(1) / lengths[:, None].to(subwords)
        return self.dropped(torch.tanh(self.mean(means)))

    def forward(self, entities: Tensor, people: Tensor, groups: Tensor, counts: Tensor) -> Tensor:
        """Return log odds, [k].

        Args:
            entities: vectors, [n, WIDTH].
            people: vector of the name for each combination, [k, WIDTH].
            groups: entities of each combination, padded with its first one, [k, most].
            counts: number of entities in each, [k].
        """
        members = entities[groups]
        inside = torch.arange(groups.shape[1], device=groups.device) < counts[:, None]
        # Padding repeats an entity, which doesn't change the maximum.
        pooled = [members.amax(1), (members * inside[..., None]).sum(1), people]
        odds: Tensor = self.output(torch.relu(self.hidden(torch.cat(pooled, 1))))[:, 0]
        return odds


class PretrainedEncoder:
    """Contextual vectors of the subwords of phrases.

    Args:
        source: folder of an encoder with its tokenizer.

    Raises:
        ModelError: if there is no such encoder, or it has no tokenizer.
    """

    def __init__(self, source: Path) -> None:
        self.model = load_pretrained(str(source), "AutoModel").to(torch_device())
        try:
            self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(
                str(source), local_files_only=True
            )
        except (OSError, ValueError) as error:
            raise ModelError(f"{source} has no tokenizer that transformers reads.") from error
        self.width: int = self.model.config.hidden_size
        self._limit = position_limit(self.model.config, self.tokenizer.model_max_length)

    def read(self, phrases: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Return the vectors, [n, longest, width], and the number of subwords of each phrase, [n], both on the CPU."""
        rows: list[Tensor] = []
        for begin in range(0, len(phrases), _PHRASES_PER_BATCH):
            batch = phrases[begin : begin + _PHRASES_PER_BATCH]
            inputs = self.tokenizer(
                [phrase.encode("utf-8", "replace").decode("utf-8") for phrase in batch],
                **{"truncation": True, "max_length": self._limit, "padding": True},
                padding_side="right",
                return_tensors="pt",
            ).to(self.model.device)
            with torch.inference_mode():
                states = self.model(**inputs).last_hidden_state.float().cpu()
            lengths = inputs["attention_mask"].sum(1).tolist()
            rows += [state[: max(1, length)] for state, length in zip(states, lengths, strict=True)]
        # Copied, since tensors made in inference mode can't be trained on.
        padded = nn.utils.rnn.pad_sequence(rows, batch_first=True).clone()
        return padded, torch.tensor([len(row) for row in rows])


@dataclass(frozen=True, slots=True, eq=False)
class PhraseVectors:
    """Vectors of the n entities of a document and of the people to protect.

    Attributes:
        entities: [n, WIDTH].
        people: [people, WIDTH].
        worded: whether each entity has a word to search for, bool [n].
    """

    entities: Tensor
    people: Tensor
    worded: NDArray[np.bool_]


class EncodedSearch(SearchPrediction[PhraseVectors]):
    """The indicator by the encoder and the fitted head of a folder.

    Args:
        encoder: encoder of the subwords.
        head: network fitted to that encoder.
        sizes: thresholds and curves for combinations of one entity, of two, and so on.
        names: further names to protect, from the policy.
        arity: largest number of entities in a combination.
        limit: largest number of listed combinations, the riskiest first.
    """

    def __init__(
        self,
        encoder: PretrainedEncoder,
        head: SearchHead,
        sizes: Sequence[Size],
        names: Sequence[str] = (),
        *,
        arity: int = 2,
        limit: int = 2_000,
    ) -> None:
        super().__init__(sizes, names, min(arity, len(sizes)), limit)
        self._encoder = encoder
        self._head = head.eval()

    @classmethod
    def load(cls, folder: Path) -> EncodedSearch:
        """Return the indicator in a folder of `tacenda lab train emulation --answers`.

        Raises:
            ModelError: if a file is missing or damaged.
        """
        model = read_model(folder)
        model.verify()
        if not {EMULATION_FILE, ARRAYS_FILE} <= set(model.digests):
            raise ModelError(
                f"{folder} emulates no search: it has no {EMULATION_FILE} and {ARRAYS_FILE}."
            )
        encoder = PretrainedEncoder(folder)
        try:
            data = json.loads((folder / EMULATION_FILE).read_text(encoding="utf-8"))
            head = SearchHead(encoder.width, lstm=data["lstm"])
            with np.load(folder / ARRAYS_FILE) as arrays:
                head.load_state_dict({name: torch.from_numpy(arrays[name]) for name in arrays})
            return cls(encoder, head, sizes_of(data["sizes"]))
        except (ValueError, TypeError, KeyError, RuntimeError, EOFError, BadZipFile) as error:
            raise ModelError(f"{folder}: its files contain no network; rebuild it.") from error

    def save(self, folder: Path) -> None:
        """Write the files that ``load`` reads, except for the card and the digests."""
        folder.mkdir(parents=True, exist_ok=True)
        self._encoder.model.save_pretrained(folder)
        self._encoder.tokenizer.save_pretrained(folder)
        content = {"lstm": self._head.lstm is not None, "sizes": sizes_object(self._sizes)}
        (folder / EMULATION_FILE).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        arrays = {name: value.numpy() for name, value in self._head.state_dict().items()}
        with (folder / ARRAYS_FILE).open("wb") as file:
            np.savez(file, **arrays)

    def _read(self, document: Document, entities: Sequence[Entity]) -> PhraseVectors | None:
        people = phrases_of_names((*document.target, *self._names)) or people_of(document, entities)
        if not people:
            return None
        parts = [phrases_of(document, entity) for entity in entities]
        phrases = [part[0] if part else "" for part in (*parts, *people)]
        with torch.inference_mode():
            vectors = self._head.entities(*self._encoder.read(phrases))
        worded = np.array([bool(part) for part in parts], dtype=bool)
        return PhraseVectors(vectors[: len(parts)], vectors[len(parts) :], worded)

    def _confidence(
        self, features: PhraseVectors, groups: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the confidence that each combination finds any of the people."""
        best = np.zeros(len(groups))
        for begin in range(0, len(groups), _COMBINATIONS_PER_BATCH):
            batch = torch.from_numpy(groups[begin : begin + _COMBINATIONS_PER_BATCH])
            counts = torch.full((len(batch),), groups.shape[1])
            part = best[begin : begin + len(batch)]
            for person in features.people:
                with torch.inference_mode():
                    people = person.expand(len(batch), -1)
                    odds = self._head(features.entities, people, batch, counts)
                np.maximum(part, torch.sigmoid(odds.double()).numpy(), out=part)
        return best
