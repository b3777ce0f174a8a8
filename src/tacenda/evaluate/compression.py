"""Information loss, as far as a compressor can see it (Morris et al., 2022, section 5).

The unsupervised de-identification paper measures utility as the change in the size of the
compressed text: what is lost with a name that is told ten times is lost once.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

from ..document import Span
from .matching import merged

MASK: Final = "***"
"""What stands for each masked span; touching spans are one."""


def compressed_size(text: str) -> int:
    """Return the size of a text in bytes after DEFLATE at zlib's default level."""
    return len(zlib.compress(text.encode("utf-8", "surrogatepass")))


def redacted(text: str, spans: Sequence[Span]) -> str:
    """Return the text with each masked span suppressed."""
    parts = []
    end = 0
    for span in merged(spans):
        parts += [text[end : span.start], MASK]
        end = span.end
    return "".join([*parts, text[end:]])
