"""The part of a period that is named before it: ``early``, ``the end of``, ``summer of``."""

from __future__ import annotations

from .context import before

_SEASON = r"(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ww]inter)"
_PART = before(
    r"\b(?:[Ee]arly|[Mm]id|[Ll]ate(?:r|st)?|(?:[Bb]eginning|[Ss]tart|[Mm]iddle|[Ee]nd"
    r"|(?:first|second|latter)\shalf|(?:first|second|third|fourth|last)\squarter)\sof"
    rf"|(?:{_SEASON}\s(?:and|or)\s)?(?:{_SEASON}|[Ff]all|Christmas|Easter)(?:\sof)?)"
    r"(?:\sthe)?[\s-]",
    endings=(
        *("of", "the", "arly", "ate", "ater", "latest", "mid", "Mid"),
        *("pring", "ummer", "utumn", "inter", "fall", "Fall", "Christmas", "Easter"),
    ),
)


def start_of_period(text: str, start: int) -> int:
    """Return where the period begins whose date or year is at ``start``."""
    match = _PART.match(text, start)
    return match.start() if match else start
