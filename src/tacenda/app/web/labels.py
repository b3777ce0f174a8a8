"""What the pages call things."""

from __future__ import annotations

IDENTIFIERS = {
    "DIRECT": "direct: identifies by itself",
    "QUASI": "quasi: identifies with others",
    "NO_MASK": "none: needs no mask",
}
