"""Systems to compare with, from masking nothing to the real Presidio, behind one protocol.

from tacenda_lab.baselines import create

ner = create("ner", model="en_core_web_md")
masks = {document.id: ner.mask(document) for document in documents}

Measure them, but don't use them to protect anyone: none of them decides by risk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from tacenda.errors import UnknownNameError

from .base import Baseline, Everything, Nothing, RandomWords
from .rules import Capitals, Rules
from .tools import NamedEntities, PresidioBaseline

# The baselines by name, with their options.


@dataclass(frozen=True, slots=True)
class Recipe:
    """A baseline's constructor, with its options.

    Attributes:
        summary: what it masks, in one line.
        make: makes the baseline, given its options.
        options: the names of its options.
    """

    summary: str
    make: Callable[..., Baseline]
    options: tuple[str, ...] = ()


BASELINES: Final[Mapping[str, Recipe]] = {
    "ner": Recipe("all named entities of a spaCy model", NamedEntities, ("model",)),
    "presidio": Recipe("what Presidio finds by default", PresidioBaseline, ("model",)),
    "presidio+org": Recipe(
        "the same and organisations", partial(PresidioBaseline, organisations=True), ("model",)
    ),
    "rules": Recipe("named entities and handwritten rules", Rules, ("model",)),
    "capitals": Recipe("dates, numbers and capitalised words", Capitals),
    "random": Recipe("words drawn at random", RandomWords, ("rate", "seed")),
    "all": Recipe("everything", Everything),
    "none": Recipe("nothing", Nothing),
}


def create(name: str, **options: str | float | int) -> Baseline:
    """Return a baseline, ready to mask.

    Args:
        name: one of ``BASELINES``.
        options: ``model`` (name or folder of a spaCy model), ``rate`` (share of words) and
            ``seed``, where the baseline takes them.

    Raises:
        UnknownNameError: there is no such baseline, or it does not take an option.
        InputError: an option's value is invalid.
        MissingExtraError: a package that it needs is not installed.
        ModelError: its model is missing.
    """
    if name not in BASELINES:
        raise UnknownNameError(f"unknown baseline {name!r}; choose one of {', '.join(BASELINES)}")
    recipe = BASELINES[name]
    for option in options:
        if option not in recipe.options:
            takes = " and ".join(recipe.options) or "no option"
            raise UnknownNameError(f"baseline {name!r} has no {option!r}; it takes {takes}")
    return recipe.make(**options)
