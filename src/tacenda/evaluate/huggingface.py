"""A masked language model of the user's, by transformers (extra ``[hf]``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import ModelError
from .checkpoint import Checkpoint
from .masked_lm import Piece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..models.language import Question


class HuggingFaceModel:
    """A masked language model from a folder, or from the local cache; nothing is downloaded.

    Args:
        name: folder, or name of a model that was downloaded before.

    Raises:
        MissingExtraError: transformers or torch is not installed.
        ModelError: there is no such model here, its tokenizer has no offsets, or it can't fill
            in masks.
    """

    def __init__(self, name: str) -> None:
        self._checkpoint = Checkpoint(name, "AutoModelForMaskedLM", "--weights")
        mask_id: int | None = self._checkpoint.tokenizer.mask_token_id
        if mask_id is None:
            raise ModelError(f"the tokenizer of {name!r} has no mask token")
        self.name = f"hf:{name}"
        self.mask_id = mask_id
        self.window = self._checkpoint.window

    def pieces(self, text: str) -> list[Piece]:
        """Cut a text; the whole of it, whatever the model's limit."""
        return self._checkpoint.pieces(text)

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        """Return log p of ``targets`` at ``places`` of a window, in nats."""
        logits = self._checkpoint.run(ids).logits[0]
        first = len(self._checkpoint.before)
        wanted = logits[[first + place for place in places]]
        probabilities = self._checkpoint.torch.log_softmax(wanted, dim=-1)
        result: NDArray[np.floating] = (
            probabilities[range(len(targets)), list(targets)].cpu().numpy()
        )
        return result

    def answer(self, questions: Sequence[Question]) -> list[NDArray[np.floating]]:
        """Answer as the embedded model does, so that risk indicators can ask this one."""
        return [
            self.log_probabilities(question.ids, question.places, question.targets)
            for question in questions
        ]
