"""Tables that recipes read, in ``data``, and texts of the cards that they write, in ``cards``."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


@cache
def load_tables(name: str) -> dict[str, Any]:
    """The tables of a file, by their names."""
    return tomllib.loads((_HERE / "data" / f"{name}.toml").read_text("utf-8"))


def split_sense(sense: str) -> tuple[str, int]:
    """A lemma of WordNet and the number of its sense: ``spouse.1``."""
    lemma, _, number = sense.rpartition(".")
    return lemma, int(number)


def read_card(name: str) -> str:
    """The text of a card, with fields for what a run finds."""
    return (_HERE / "cards" / f"{name}.md").read_text("utf-8")
