"""The masked language model of tacenda's own kind, as evaluation asks one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ModelError
from ..models.language import DEFAULT, LanguageModel, Question
from ..models.store import shipped
from .masked_lm import Piece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EmbeddedModel:
    """The shipped language model, or one in a folder.

    Args:
        folder: of another model than the shipped one; empty for that.

    Raises:
        ModelError: it is missing, damaged, or no language model, or none is shipped.
    """

    def __init__(self, folder: str = "") -> None:
        if not folder and DEFAULT not in {model.name for model in shipped()}:
            raise ModelError(
                "this version ships no language model; train one with `tacenda train "
                "language-model` and give its folder, lm:FOLDER"
            )
        self._model = LanguageModel.load(Path(folder) if folder else DEFAULT)
        self.name = f"lm:{self._model.name}"
        self.window = self._model.window
        self.mask_id = self._model.mask_id

    def pieces(self, text: str) -> list[Piece]:
        """Cut a text; the whole of it."""
        return [Piece(*piece) for piece in self._model.pieces(text)]

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        """Return log p of ``targets`` at ``places`` of a window, in nats."""
        (found,) = self._model.answer([Question(tuple(ids), tuple(places), tuple(targets))])
        return found
