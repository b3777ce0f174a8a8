"""A pretrained model of the user's, by transformers (extra ``[hf]``), read in windows.

Whatever the model's limit is, nothing is truncated: the text is cut into pieces as a whole, and
the caller gives one window of pieces after the other, which gets its special pieces here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from ..errors import MissingExtraError, ModelError
from .masked_lm import Piece

_UNLIMITED: Final = 100_000
"""Tokenizers without a limit say so by a number far above this."""

_DEFAULT_LIMIT: Final = 512

_PADDING_FIRST: Final = frozenset({"roberta", "xlm-roberta", "camembert", "longformer", "mpnet"})
"""Families whose first position comes after that of padding, so that fewer are left."""

_KINDS: Final = {
    "AutoModelForMaskedLM": "masked language model",
    "AutoModel": "text encoder",
}


class Checkpoint:
    """A tokenizer and a model from a folder, or from the local cache; nothing is downloaded.

    Args:
        name: folder, or name of a model that was downloaded before.
        loader: class of transformers that loads the model.
        option: what the user typed to ask for it, for messages.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: there is no such model here, or its tokenizer has no offsets.
    """

    def __init__(
        self, name: str, loader: Literal["AutoModelForMaskedLM", "AutoModel"], option: str
    ) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtraError(f"{option} hf:{name}", "hf") from error
        try:
            tokenizer: Any = transformers.AutoTokenizer.from_pretrained(name, local_files_only=True)
            model: Any = getattr(transformers, loader).from_pretrained(name, local_files_only=True)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"{name!r} is no {_KINDS[loader]} on this machine; download it first "
                "(nothing is downloaded during an evaluation) or give its folder"
            ) from error
        if not tokenizer.is_fast:
            raise ModelError(f"the tokenizer of {name!r} has no offsets")
        self.tokenizer, self.torch = tokenizer, torch
        self._model = model.eval()
        # Special pieces around each window, as the tokenizer puts them.
        inner = tokenizer("a", add_special_tokens=False)["input_ids"]
        around = tokenizer("a")["input_ids"]
        places = range(len(around) - len(inner) + 1)
        at = next((i for i in places if around[i : i + len(inner)] == inner), None)
        if at is None:
            raise ModelError(f"the tokenizer of {name!r} changes a text that it puts marks around")
        self.before: list[int] = around[:at]
        self.after: list[int] = around[at + len(inner) :]
        self.window = self._limit() - len(self.before) - len(self.after)

    @property
    def dimensions(self) -> int:
        """Length of a hidden state."""
        return int(self._model.config.hidden_size)

    def pieces(self, text: str) -> list[Piece]:
        """Cut a text; the whole of it, whatever the model's limit."""
        encoded = self.tokenizer(
            # What UTF-8 can't write, tokenizers can't read; one code point stays one.
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

    def run(self, ids: Sequence[int]) -> Any:
        """Return what the model gives for one window, with special pieces around it."""
        with self.torch.inference_mode():
            window = self.torch.tensor([[*self.before, *ids, *self.after]])
            return self._model(input_ids=window)

    def _limit(self) -> int:
        limits = [self.tokenizer.model_max_length]
        config = self._model.config
        positions = getattr(config, "max_position_embeddings", None)
        if positions:
            offset = config.pad_token_id + 1 if config.model_type in _PADDING_FIRST else 0
            limits.append(positions - offset)
        limit = int(min(limits))
        return _DEFAULT_LIMIT if limit > _UNLIMITED else limit
