"""The number format to compute with: bfloat16 where the hardware multiplies it, else float32.

A processor without bfloat16 instructions emulates them and takes three times as long.
"""

from __future__ import annotations

import torch


def device_at_hand() -> torch.device:
    """Return the first GPU, or the processor if there is none."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def mixed_precision(device: torch.device) -> torch.autocast:
    """Return the context in which to run a network on ``device``."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=_multiplies_bfloat16(device))


def _multiplies_bfloat16(device: torch.device) -> bool:
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    # Private names of torch: where they have gone, the slower format is the safe one.
    asked = (
        getattr(torch.cpu, name, None)
        for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    )
    return any(ask() for ask in asked if ask is not None)
