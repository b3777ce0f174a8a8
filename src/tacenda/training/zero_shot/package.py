"""A recognizer that was told of no masking decision, in the format of those that were.

The masking head says "no mask" everywhere, so that no word outside a mention is ever taken for a
risk; the calibration curves then say 1 for every mention, of any type: whatever is recognised is
a risk. Nothing is a direct identifier. Both are exact, and no figure in them was learned.
"""

from __future__ import annotations

from pathlib import Path

import torch

from ...models.calibration import NO_MASK, SEMANTIC_TYPES, Calibration, Curve
from ..network import Recognizer
from ..package import write_package

ALWAYS = Curve((0.0, 1.0), (1.0, 1.0))

# Far below the least probability at which `detect/decoding.py` looks at a word for its own sake.
_SURE = 20.0


def write_types_only(model: Recognizer, tokenizer: Path, folder: Path, card: str) -> None:
    """Write ``model`` as a package whose every mention has the masking probability 1.

    Args:
        model: a fitted network; its masking head is replaced.
        tokenizer: of its encoder.
        folder: where to.
        card: the text of ``CARD.md``.
    """
    with torch.no_grad():
        model.mask_head.weight.zero_()
        model.mask_head.bias.zero_()
        model.mask_head.bias[NO_MASK] = _SURE
    everything = Calibration(dict.fromkeys(SEMANTIC_TYPES, ALWAYS))
    write_package(model, tokenizer, everything, 0.5, folder)
    (folder / "CARD.md").write_text(card, encoding="utf-8")
