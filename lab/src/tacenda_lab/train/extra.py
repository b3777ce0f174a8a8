"""The error for a missing extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def training_extra() -> Iterator[None]:
    """Turn a failed import into advice.

    Raises:
        MissingExtraError: if an import in the block fails.
    """
    from tacenda.errors import MissingExtraError

    try:
        yield
    except ImportError as error:
        raise MissingExtraError("Training", "train", "tacenda-lab") from error
