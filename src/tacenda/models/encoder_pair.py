"""Two transformers encoders, one for texts and one for profiles (extra ``hf``), as `tacenda lab train attacker --text` writes them.

    f(text) = head · mean over windows of pooled states,  p(person | text) = softmax over people of f(text) · g(profile)

See Morris et al. (2022), sections 5 and 6. A text is read completely, in windows. A profile, which
is a table of one row, is read in one window, either as text (*name: Anna Berg; town: Oslo*) or as a
table by TAPAS. Its last columns are dropped until it fits (appendix A).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelError, require_extra
from .checkpoint import (
    PREFIX,
    cached_folder,
    load_pretrained,
    load_tokenizer,
    position_limit,
    torch_device,
)
from .store import locate

if TYPE_CHECKING:
    from torch import Tensor

Pooling = Literal["mean", "cls"]
PairSide = Literal["text", "profile"]
Profile = Mapping[str, str]
"""A table of one row: its columns and their cells."""
SIDES: Final[tuple[PairSide, ...]] = ("text", "profile")
KIND: Final = "encoder-pair"
"""Kind of the folder, in its ``config.json``."""
HEADS_FILE: Final = "heads.safetensors"
TABLE: Final = "table"
"""The encoder of tables of the paper, by another name."""
_TABLE_ENCODER: Final = "google/tapas-base"
_TABLE_FAMILY: Final = "tapas"
_TABLE_KINDS: Final = 7
"""Kinds of token types in TAPAS: segment, column, row, and four of questions and numbers, which are 0 here."""
_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class SideInputs:
    """The inputs of an encoder.

    Attributes:
        tensors: the model's input tensors, [windows, pieces].
        owners: index of the text or profile that each window belongs to, [windows].
        readings: number of texts or profiles.
    """

    tensors: dict[str, Tensor]
    owners: Tensor
    readings: int


@dataclass(frozen=True, slots=True, eq=False)
class EncoderSide:
    """One of the two encoders.

    Attributes:
        tokenizer: a transformers tokenizer.
        model: a transformers model, which is a torch module.
        head: a torch linear layer from hidden states to vectors.
        pooling: *mean* over the states of all subwords, or *cls*, the state of the first one.
        window: number of subwords read at a time.
    """

    tokenizer: Any
    model: Any
    head: Any
    pooling: Pooling
    window: int

    @property
    def reads_tables(self) -> bool:
        """Whether the encoder reads tables."""
        return bool(self.model.config.model_type == _TABLE_FAMILY)

    def text_inputs(self, texts: Sequence[str], most: int = 0) -> SideInputs:
        """Return texts divided into windows.

        Args:
            texts: any.
            most: maximum number of windows per text, from the start; 0 for all.
        """
        return self._inputs(texts, whole=True, most=most)

    def profile_inputs(self, profiles: Sequence[Profile]) -> SideInputs:
        """Return profiles, one window each."""
        if self.reads_tables:
            return self._tables(profiles)
        lines = ["; ".join(f"{key}: {cell}" for key, cell in each.items()) for each in profiles]
        return self._inputs(lines, whole=False, most=0)

    def _inputs(self, texts: Sequence[str], *, whole: bool, most: int) -> SideInputs:
        import torch

        # Tokenizers can't read what UTF-8 can't represent.
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        batch = self.tokenizer(
            readable,
            truncation=True,
            max_length=self.window,
            return_overflowing_tokens=whole,
            padding=True,
            return_tensors="pt",
        )
        owners = torch.arange(len(texts))
        if whole:
            owners = batch["overflow_to_sample_mapping"]
        names = ("input_ids", "attention_mask", "token_type_ids")
        tensors = {name: batch[name] for name in names if name in batch}
        if most:
            starts = torch.searchsorted(owners, owners)
            first = torch.arange(len(owners)) - starts < most
            tensors = {name: tensor[first] for name, tensor in tensors.items()}
            owners = owners[first]
        return SideInputs(tensors, owners, len(texts))

    def _tables(self, profiles: Sequence[Profile]) -> SideInputs:
        """Return tables the way TAPAS reads them: no question, a header row, a row of cells."""
        import torch

        rows = [self._table(profile) for profile in profiles]
        longest = max(map(len, rows))
        filled = torch.zeros((len(rows), longest, 1 + _TABLE_KINDS), dtype=torch.long)
        filled[:, :, 0] = self.tokenizer.pad_token_id
        mask = torch.zeros((len(rows), longest), dtype=torch.long)
        for number, row in enumerate(rows):
            filled[number, : len(row), :4] = torch.tensor(row)
            mask[number, : len(row)] = 1
        tensors = {
            "input_ids": filled[:, :, 0],
            "token_type_ids": filled[:, :, 1:],
            "attention_mask": mask,
        }
        return SideInputs(tensors, torch.arange(len(rows)), len(rows))

    def _table(self, profile: Profile) -> list[tuple[int, int, int, int]]:
        """Return a table as subwords, each with its segment, column and row."""
        ids = self.tokenizer.convert_tokens_to_ids
        start, end = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        question = [(start, 0, 0, 0), (end, 0, 0, 0)]
        cells = [
            (ids(self.tokenizer.tokenize(key)), ids(self.tokenizer.tokenize(cell)))
            for key, cell in profile.items()
        ]
        room = self.window - len(question)
        while len(cells) > 1 and sum(len(key) + len(cell) for key, cell in cells) > room:
            cells.pop()
        columns = list(enumerate(cells, 1))
        names = [(piece, 1, column, 0) for column, (key, _) in columns for piece in key]
        row = [(piece, 1, column, 1) for column, (_, cell) in columns for piece in cell]
        return [*question, *names, *row][: self.window]

    def vectors(self, inputs: SideInputs) -> Tensor:
        """Return the vectors of the texts or profiles, [readings, width], on the model's device."""
        import torch

        device = self.head.weight.device
        tensors = {name: tensor.to(device) for name, tensor in inputs.tensors.items()}
        parts = range(0, len(inputs.owners), _AT_ONCE)
        pooled = torch.cat(
            [
                self._pooled({key: value[n : n + _AT_ONCE] for key, value in tensors.items()})
                for n in parts
            ]
        )
        owners = inputs.owners.to(device)
        shares = 1 / torch.bincount(owners, minlength=inputs.readings).to(pooled.dtype)
        sums = pooled.new_zeros(inputs.readings, pooled.shape[1])
        sums = sums.index_add(0, owners, pooled * shares[owners][:, None])
        result: Tensor = self.head(sums)
        return result

    def _pooled(self, tensors: dict[str, Tensor]) -> Tensor:
        states: Tensor = self.model(**tensors).last_hidden_state
        if self.pooling == "cls":
            return states[:, 0]
        mask = tensors["attention_mask"][:, :, None].to(states.dtype)
        return (states * mask).sum(1) / mask.sum(1)


def checkpoint_folder(source: str) -> Path:
    """Return an encoder's folder, given a folder, ``hf:`` with a folder or a cached name, or ``table``.

    Raises:
        MissingExtraError: transformers, whose cache it is, is not installed.
        ModelError: if there is no such folder or name.
    """
    name = _TABLE_ENCODER if source == TABLE else source.removeprefix(PREFIX)
    return cached_folder(name)


def open_side(source: str, pooling: Pooling, window: int, width: int) -> EncoderSide:
    """Return an encoder with a randomly initialized head.

    Args:
        source: see ``checkpoint_folder``.
        pooling: how its states are pooled.
        window: number of subwords read at a time; fewer if the encoder's limit is lower.
        width: dimension of the vectors.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: if there is no such encoder, or its tokenizer can't be used.
    """
    require_extra("hf", f"the encoder {source}", "torch", "transformers")
    import torch

    folder = str(checkpoint_folder(source))
    model = load_pretrained(folder, "AutoModel")
    if not hasattr(model.config, "hidden_size") or model.config.is_encoder_decoder:
        raise ModelError(f"{folder} is not a text encoder with one vector per subword")
    tokenizer = load_tokenizer(folder)
    side = EncoderSide(
        tokenizer,
        model,
        torch.nn.Linear(model.config.hidden_size, width),
        pooling,
        min(window, position_limit(model.config, tokenizer.model_max_length)),
    )
    if not side.reads_tables and not tokenizer.is_fast:
        raise ModelError(f"the tokenizer of {folder} has no windows")
    for name in ("pad_token", "mask_token"):
        if getattr(tokenizer, name) is None:
            raise ModelError(f"the tokenizer of {folder} has no {name}; name an encoder with one")
    return side


class EncoderPair:
    """Both encoders, loaded from a folder to the device of ``torch_device``.

    Args:
        folder: contains ``config.json``, ``heads.safetensors``, and one encoder each in ``text``
            and ``profile``.

    Attributes:
        name: name of the folder, with the start of its digests.
        width: dimension of the vectors.
        mask: the token that replaces a masked word.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: if a file is missing or damaged, or the folder isn't an encoder pair.
    """

    def __init__(self, folder: Path) -> None:
        shipped = locate(folder)
        shipped.verify()
        if not is_encoder_pair(folder):
            raise ModelError(
                f"{shipped.name} has no two encoders; `tacenda lab train attacker` does."
            )
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.width = int(config["width"])
        self.name = f"{shipped.name}@{shipped.digests[HEADS_FILE][:8]}"
        sides = {
            side: open_side(
                str(folder / side), config["pooling"], int(config["windows"][side]), self.width
            )
            for side in SIDES
        }
        from safetensors.torch import load_file

        heads = load_file(folder / HEADS_FILE)
        device = torch_device()
        for name, side in sides.items():
            of_side = {
                key.removeprefix(f"{name}."): value
                for key, value in heads.items()
                if key.startswith(f"{name}.")
            }
            side.head.load_state_dict(of_side)
            side.model.to(device)
            side.head.to(device)
        self._text, self._profile = sides["text"], sides["profile"]
        self.mask: str = self._text.tokenizer.mask_token

    def text_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of texts, [texts, width]."""
        parts = range(0, len(texts), _AT_ONCE)
        inputs = (self._text.text_inputs(texts[n : n + _AT_ONCE]) for n in parts)
        return self._vectors(self._text, inputs)

    def profile_vectors(self, profiles: Sequence[Profile]) -> NDArray[np.float32]:
        """Return the vectors of profiles, [profiles, width]."""
        parts = range(0, len(profiles), _AT_ONCE)
        inputs = (self._profile.profile_inputs(profiles[n : n + _AT_ONCE]) for n in parts)
        return self._vectors(self._profile, inputs)

    def _vectors(self, side: EncoderSide, inputs: Iterable[SideInputs]) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            rows = [side.vectors(each).float().cpu().numpy() for each in inputs]
        return np.concatenate(rows) if rows else np.zeros((0, self.width), dtype=np.float32)


def is_encoder_pair(folder: Path) -> bool:
    """Return whether a folder's configuration says that it has two transformers encoders."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and config.get("kind") == KIND
