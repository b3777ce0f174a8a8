"""Read the weights of the span classifier, compared with their digest first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..errors import ModelError
from .combining import DEFAULT_RISK, OTHERWISE
from .store import read_text

SPAN_FILE = "span.json"


@cache
def load_span_weights(source: str | Path = DEFAULT_RISK) -> Mapping[str, float]:
    """Return the weights of the span classifier by feature, read once in a process.

    Args:
        source: name of a shipped model, or a folder with one.

    Raises:
        ModelError: if it is missing, damaged or holds something else.
    """
    name, text = read_text(source, SPAN_FILE, OTHERWISE)
    try:
        return {str(feature): float(weight) for feature, weight in json.loads(text).items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise ModelError(f"{name}: {SPAN_FILE} has no weights; rebuild it.") from error
