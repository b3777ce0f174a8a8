"""Plug-ins: parts that other packages declare as entry points, loaded when they are asked for.

    [project.entry-points."tacenda.indicators"]
    my_indicator = "my_package.indicators:make"

| group | what an entry point is |
|---|---|
| ``tacenda.indicators`` | called without arguments, returns an ``Indicator`` |
| ``tacenda.attackers`` | called with the ``People`` it knows, returns an ``Attacker`` |
| ``tacenda.commands`` | a function or a ``typer.Typer``; ``train.mine`` is a command of ``train`` |
| ``tacenda.annotation_formats`` | called without arguments, returns a ``Format`` |
| ``tacenda.models`` | ``Path`` of a folder with models, each a folder with a card and ``digests.json`` |
| ``tacenda.extras`` | a part of a built-in command that only ``tacenda-lab`` has |

What is built in stands in a table beside its protocol and needs no look at what is installed; no
plug-in can take its name. ``tacenda-lab`` is such a package, with the names in ``LAB``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from .errors import MissingLabError, PluginError, TacendaError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

INDICATORS: Final = "tacenda.indicators"
ATTACKERS: Final = "tacenda.attackers"
COMMANDS: Final = "tacenda.commands"
ANNOTATION_FORMATS: Final = "tacenda.annotation_formats"
MODELS: Final = "tacenda.models"
EXTRAS: Final = "tacenda.extras"

LAB: Final[Mapping[str, frozenset[str]]] = {
    INDICATORS: frozenset(
        "language language_threshold language_together perturbation search_emulated span".split()
    ),
    COMMANDS: frozenset("baseline evaluate-replacements ontology.build train".split()),
    MODELS: frozenset("emulation-en language-en language-risk-en".split()),
}
"""Names that ``tacenda-lab`` has, by group: without it a message says what to install."""


@cache
def _declared(group: str) -> Mapping[str, EntryPoint]:
    """Entry points of a group by name.

    Raises:
        PluginError: if two packages declare one name.
    """
    from importlib.metadata import entry_points  # Slow to import, and most runs need none.

    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        if points.setdefault(point.name, point).value != point.value:
            packages = " and ".join(sorted({_package(points[point.name]), _package(point)}))
            raise PluginError(
                f"{group}: {point.name!r} is declared twice, by {packages}; uninstall one of them."
            )
    return points


def names(group: str, built_in: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names of the plug-ins of a group, sorted.

    Raises:
        PluginError: if two packages declare one name, or one that is built in.
    """
    points = _declared(group)
    for name in built_in:
        if name in points:
            raise PluginError(
                f"{group}: {name!r} is built in; uninstall {_package(points[name])}, which declares it too."
            )
    return tuple(sorted(points))


def load(group: str, name: str, feature: str) -> Any:
    """Return the object that a plug-in's entry point names.

    Args:
        group: of entry points.
        name: within the group.
        feature: what asks for it, for the message.

    Raises:
        MissingLabError: if no package that is installed has it.
        PluginError: if it can't be imported.
    """
    point = _declared(group).get(name)
    if point is None:
        raise MissingLabError(feature)
    try:
        return point.load()
    except TacendaError:
        raise
    except Exception as error:
        raise PluginError(
            f"{group}: {name!r} of {_package(point)} can't be loaded ({type(error).__name__} at "
            f"{point.value}); update or uninstall it."
        ) from error


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module
