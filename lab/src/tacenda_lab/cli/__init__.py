"""Commands of the lab. Each is registered as an entry point of ``tacenda.commands``."""

from __future__ import annotations

from .baselines import baseline
from .replacements import evaluate_replacements
from .reproduce import reproduce
from .training import build, train

__all__ = ["baseline", "build", "evaluate_replacements", "reproduce", "train"]
