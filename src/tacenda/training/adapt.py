"""A shipped recognizer fitted further to annotated documents of one's own.

It goes on from the shipped weights. So that it does not forget what it knows, half of every
target is what it said itself before (learning without forgetting, Li and Hoiem, 2016); a corpus
that is wholly synthetic can be believed alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..models.calibration import Calibration
from ..models.recognizer import RecognizerModel
from ..models.store import ShippedModel
from .calibrate import fit_curve
from .examples import Example
from .loop import Schedule, train
from .outcomes import outcomes
from .package import set_calibration, write_package
from .silver import teach
from .unpack import unpack

SCHEDULE = Schedule(epochs=3, encoder_rate=1e-4, head_rate=2e-4)
# Fewer mentions of a type say too little of how often one is masked.
_FEWEST = 100


def split(examples: Sequence[Example], share: float, seed: int = 1) -> tuple[list[Example], ...]:
    """Return (seen, held out) examples; ``share`` in [0, 1) of them, rounded, is held out."""
    order = sorted(examples, key=lambda example: example.doc_id)
    random.Random(seed).shuffle(order)
    count = round(len(order) * share)
    return order[count:], order[:count]


def adapt(
    source: ShippedModel,
    seen: Sequence[Example],
    held_out: Sequence[Example],
    folder: Path,
    schedule: Schedule = SCHEDULE,
    own_share: float = 0.5,
) -> None:
    """Train on, and write the recognizer to ``folder``.

    Args:
        source: an int8 recognizer.
        seen: what to fit.
        held_out: what to fit the calibration curves to, by type where there is enough; the
            source's curves stay otherwise.
        folder: the model to write; the state of an unfinished run lies beside it.
        schedule: how to train.
        own_share: share of each target that is the source's own answer, in [0, 1].

    Raises:
        ModelError: if the source is no int8 recognizer, or is damaged.
    """
    model = RecognizerModel(source)
    network = unpack(source.folder / "model.onnx")
    examples = teach(network, seen, model.encoder, own_share) if own_share else list(seen)
    resume = folder.with_name(folder.name + ".state")
    train(network, examples, model.encoder, schedule, resume)
    tokenizer = source.folder / "tokenizer.json"
    write_package(network, tokenizer, model.calibration, model.threshold, folder)
    if held_out:
        set_calibration(folder, _recalibrated(RecognizerModel.load(folder), held_out))


def _recalibrated(model: RecognizerModel, held_out: Sequence[Example]) -> Calibration:
    """Return the model's curves, with those replaced that the documents are enough for."""
    masking, direct = outcomes(model.without_calibration(), held_out)
    curves = {
        type: fit_curve(*zip(*pairs, strict=True))
        for type, pairs in sorted(masking.items())
        if len(pairs) >= _FEWEST
    }
    kept = model.calibration
    enough = len(direct) >= _FEWEST
    return replace(
        kept,
        masking={**kept.masking, **curves},
        direct=fit_curve(*zip(*direct, strict=True)) if enough else kept.direct,
    )


def write_card(folder: Path, source: str, documents: int, held_out: int) -> None:
    """Write the ``CARD.md`` that every model has."""
    calibrated = f"calibrated on {held_out} more" if held_out else "with the calibration it had"
    (folder / "CARD.md").write_text(
        f"# {folder.name}\n\n{source}, fitted further to {documents} documents, {calibrated}.\n"
        "Made by `tacenda train adapt`.\n",
        encoding="utf-8",
    )
