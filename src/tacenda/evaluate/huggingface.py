"""A masked language model of the user's, by transformers (extra ``[hf]``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import MissingExtraError, ModelError
from .masked_lm import Piece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_UNLIMITED = 100_000
"""Tokenizers without a limit say so by a number far above this."""


_PADDING_FIRST = frozenset({"roberta", "xlm-roberta", "camembert", "longformer", "mpnet"})
"""Families whose first position comes after that of padding, so that fewer are left."""


class HuggingFaceModel:
    """A masked language model from a folder, or from the local cache; nothing is downloaded.

    Args:
        name: folder, or name of a model that was downloaded before.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: there is no such model here, it has no fast tokenizer, or it can't fill in
            masks.
    """

    def __init__(self, name: str) -> None:
        try:
            import torch
            from transformers import AutoModelForMaskedLM, AutoTokenizer
        except ImportError as error:
            raise MissingExtraError(f"--weights hf:{name}", "hf") from error
        try:
            tokenizer: Any = AutoTokenizer.from_pretrained(name, local_files_only=True)
            model: Any = AutoModelForMaskedLM.from_pretrained(name, local_files_only=True)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{name!r} is no masked language model on this machine; download it first "
                "(nothing is downloaded during an evaluation) or give its folder"
            ) from error
        if not tokenizer.is_fast or tokenizer.mask_token_id is None:
            raise ModelError(f"the tokenizer of {name!r} has no offsets or no mask token")
        self.name = f"hf:{name}"
        self.mask_id: int = tokenizer.mask_token_id
        self._tokenizer, self._model, self._torch = tokenizer, model.eval(), torch
        # Special pieces around each window, as the tokenizer puts them.
        around = tokenizer(tokenizer.mask_token)["input_ids"]
        at = around.index(self.mask_id)
        self._before, self._after = around[:at], around[at + 1 :]
        self.window = self._limit() - len(self._before) - len(self._after)

    def pieces(self, text: str) -> list[Piece]:
        """Cut a text; the whole of it, whatever the model's limit."""
        encoded = self._tokenizer(
            text.encode("utf-8", "replace").decode("utf-8"),
            add_special_tokens=False,
            return_offsets_mapping=True,
            truncation=False,
            verbose=False,
        )
        return [
            Piece(id, start, end)
            for id, (start, end) in zip(
                encoded["input_ids"], encoded["offset_mapping"], strict=True
            )
        ]

    def log_probabilities(self, ids: Sequence[int]) -> NDArray[np.floating]:
        """Return log p of every id at each place of a window."""
        torch = self._torch
        with torch.inference_mode():
            window = torch.tensor([[*self._before, *ids, *self._after]])
            logits = self._model(input_ids=window).logits[0]
            places = slice(len(self._before), len(self._before) + len(ids))
            result: NDArray[np.floating] = torch.log_softmax(logits[places], dim=-1).numpy()
            return result

    def _limit(self) -> int:
        limits = [self._tokenizer.model_max_length]
        positions = getattr(self._model.config, "max_position_embeddings", None)
        if positions:
            config = self._model.config
            offset = config.pad_token_id + 1 if config.model_type in _PADDING_FIRST else 0
            limits.append(positions - offset)
        limit = int(min(limits))
        return 512 if limit > _UNLIMITED else limit
