"""What an interrupted training run needs to go on where it was, to the bit.

Written after every epoch, first beside its place and then moved into it, so that a run stopped
while writing loses one epoch and never the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The file that a run with the given schedule leaves after each epoch.

    Attributes:
        path: where it lies.
        signature: schedule and data; a file of another run is not gone on with.
    """

    path: Path
    signature: str

    def restore(
        self,
        model: torch.nn.Module,
        optimizer: torch.optim.Optimizer,
        scheduler: torch.optim.lr_scheduler.LRScheduler,
    ) -> int:
        """Load the state, if there is one of this run, and return the number of finished epochs."""
        if not self.path.exists():
            return 0
        # Tensors and plain values only: a checkpoint can't run code.
        state = torch.load(self.path, map_location="cpu", weights_only=True)
        if state["signature"] != self.signature:
            return 0
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
        torch.set_rng_state(state["random"])
        return int(state["epochs"])

    def save(
        self,
        model: torch.nn.Module,
        optimizer: torch.optim.Optimizer,
        scheduler: torch.optim.lr_scheduler.LRScheduler,
        epochs: int,
    ) -> None:
        """Write the state after ``epochs`` finished epochs."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_suffix(".part")
        state = {
            "signature": self.signature,
            "epochs": epochs,
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scheduler": scheduler.state_dict(),
            "random": torch.get_rng_state(),
        }
        torch.save(state, unfinished)
        unfinished.replace(self.path)

    def discard(self) -> None:
        """Remove the file of a run that is done."""
        self.path.unlink(missing_ok=True)
