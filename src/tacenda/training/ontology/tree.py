"""The two lists that were written by hand: the upper classes, and the classes that are cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ...rewrite.ontology.store import mask_of

_FOLDER = Path(__file__).parent
_TYPES = re.compile(r" :(?: (?:LOC|ORG|DEM|MISC))+")


@dataclass(frozen=True, slots=True)
class UpperClass:
    """A class of ``classes.txt``.

    Attributes:
        text: what a reader calls it.
        parents: what is more general; none at a root.
        types: mask of semantic types (`rewrite.ontology.types`).
        with_country: whether "… in Norway" is said of its members.
    """

    text: str
    parents: tuple[str, ...]
    types: int
    with_country: bool


def read_tree(path: Path = _FOLDER / "classes.txt") -> tuple[dict[str, UpperClass], dict[str, str]]:
    """Return the upper classes by name, and the name of the one that each label of Wikidata means.

    A class that stands under several has several parents, and the types of its first place.

    Raises:
        ValueError: if a root has no types.
    """
    classes: dict[str, UpperClass] = {}
    labels: dict[str, str] = {}
    above: list[tuple[int, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        depth = len(line) - len(line.lstrip())
        line = line.rstrip()
        with_country = line.endswith("+")
        types = _TYPES.search(line)
        text, *others = _TYPES.sub("", line.removesuffix("+")).strip().split(" = ")
        text = text.strip()
        above = [(each, name) for each, name in above if each < depth]
        parent = above[-1][1] if above else None
        above.append((depth, text))
        mask = mask_of(types[0].split()) if types else 0
        if not mask:
            if parent is None:
                raise ValueError(f"{path.name}: the root {text!r} has no semantic type.")
            mask = classes[parent].types
        old = classes.get(text)
        parents = (old.parents if old else ()) + ((parent,) if parent else ())
        with_country = with_country or (old is not None and old.with_country)
        classes[text] = UpperClass(text, parents, old.types if old else mask, with_country)
        for label in others:
            labels.setdefault(label.strip().casefold(), text)
    # A class is what it is called, whatever else is called so too.
    return classes, labels | {text.casefold(): text for text in classes}


def read_cut(path: Path = _FOLDER / "cut.txt") -> re.Pattern[str]:
    """Return what matches the labels of classes that are left out."""
    lines = path.read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
