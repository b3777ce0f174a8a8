"""Plug-ins: parts from other packages, declared as entry points and loaded on demand.

    [project.entry-points."tacenda.indicators"]
    my_indicator = "my_package:MyIndicator"

| group | entry point | used where |
|---|---|---|
| ``tacenda.detectors`` | called without arguments, returns a ``Detector`` | a policy's ``detectors`` name it |
| ``tacenda.indicators`` | called without arguments, or with the folder of ``NAME:FOLDER``; returns an ``Indicator``, a ``CombinationIndicator`` or both | a policy's ``indicators`` name it |
| ``tacenda.operators`` | called with the ``Policy``, returns an ``Operator`` | a policy names it as an operator |
| ``tacenda.checks`` | called without arguments, returns a ``Check`` | a policy's ``checks`` name it |
| ``tacenda.attackers`` | called with the ``People`` it knows, returns an ``Attacker`` | ``--attacker`` names it |
| ``tacenda.document_formats`` | called without arguments, returns a ``DocumentFormat`` | ``--from`` names it, or a file on the command line has its extension |
| ``tacenda.annotation_formats`` | called without arguments, returns an ``AnnotationFormat`` | ``tacenda convert`` names it |
| ``tacenda.commands`` | a function or a ``typer.Typer``; ``models.mine`` becomes a command of the group ``models`` | the command line |
| ``tacenda.models`` | ``Path`` of a folder with models, each a folder with a card and ``digests.json`` | a model is requested by name |
| ``tacenda.extras`` | a part of a built-in command, only in ``tacenda-lab`` | that command |

Built-in parts are listed in a table next to their protocol, so that installed packages needn't be
searched, and no plug-in can take their names. Installing a plug-in changes no output until a
policy, an argument or an option names it. ``tacenda-lab`` is such a package, with the names in
``LAB``.

If a plug-in fails or violates its protocol, the document fails closed: ``plugin_failures`` raises
an ``InputError`` with the name of the plug-in, and nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from .errors import DEBUG, InputError, MissingLabError, PluginError, PolicyError, TacendaError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

DETECTORS: Final = "tacenda.detectors"
INDICATORS: Final = "tacenda.indicators"
OPERATORS: Final = "tacenda.operators"
CHECKS: Final = "tacenda.checks"
ATTACKERS: Final = "tacenda.attackers"
DOCUMENT_FORMATS: Final = "tacenda.document_formats"
ANNOTATION_FORMATS: Final = "tacenda.annotation_formats"
MODELS: Final = "tacenda.models"
COMMANDS: Final = "tacenda.commands"
EXTRAS: Final = "tacenda.extras"

LAB: Final[Mapping[str, frozenset[str]]] = {
    INDICATORS: frozenset(
        "language language_automl language_threshold language_together perturbation search_emulated span".split()
    ),
    COMMANDS: frozenset(
        "evaluate.replacements lab.baseline lab.build lab.reproduce lab.train".split()
    ),
    MODELS: frozenset("emulation-en language-en language-risk-en".split()),
}
"""Names that ``tacenda-lab`` provides, by group; without it, a message says what to install."""


@cache
def _declared(group: str) -> Mapping[str, EntryPoint]:
    """Return a group's entry points by name.

    Raises:
        PluginError: if two packages declare the same name.
    """
    from importlib.metadata import entry_points  # Slow to import, and most runs don't need it.

    points: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        if points.setdefault(point.name, point).value != point.value:
            packages = " and ".join(sorted({_package(points[point.name]), _package(point)}))
            raise PluginError(
                f"{group}: {point.name!r} is declared by both {packages}; uninstall one of them."
            )
    return points


def names(group: str, built_in: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the sorted names of a group's plug-ins.

    Raises:
        PluginError: if two packages declare the same name, or one declares a built-in name.
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
        group: the entry point group.
        name: its name in the group.
        feature: the feature that needs it, for the message.

    Raises:
        MissingLabError: if no installed package has it.
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


def create(group: str, name: str, feature: str, *arguments: object) -> Any:
    """Return the object that the factory at a plug-in's entry point creates.

    Args:
        group: the entry point group.
        name: its name in the group.
        feature: the feature that needs it, such as ``detector 'mine'``, for messages.
        arguments: the arguments for the group's factories.

    Raises:
        MissingLabError: if no installed package has it.
        PluginError: if it can't be imported, or its factory fails.
    """
    factory = load(group, name, feature)
    try:
        return factory(*arguments)
    except TacendaError:
        raise
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        package = _package(_declared(group)[name])
        raise PluginError(
            f"{group}: {name!r} of {package} can't be made ({type(error).__name__} {_place(error)}); "
            "update or uninstall it."
        ) from None


@cache
def shared(group: str, name: str, feature: str) -> Any:
    """Return a part of a plug-in, created once per process; see ``create``."""
    return create(group, name, feature)


def named_parts(group: str, kind: str, selection: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yield a policy's plug-ins, each with its label for messages; none is built in.

    Args:
        group: of entry points, called without arguments.
        kind: the noun for such a part, such as ``detector``.
        selection: the names of the plug-ins.

    Raises:
        PolicyError: if a name is unknown; the message lists the names.
        PluginError: if one can't be loaded or created.
    """
    for name in selection:
        feature = f"{kind} {name!r}"
        if name not in (options := names(group)):
            listing = (
                f"choose one of {', '.join(options)}" if options else "no plug-in provides one"
            )
            raise PolicyError(f"unknown {kind} {name!r}; {listing}")
        yield feature, shared(group, name, feature)


@contextmanager
def plugin_failures(part: str, document: str) -> Iterator[None]:
    """Turn a plug-in's unexpected exception inside the block into an error about the document.

    Args:
        part: the plug-in, such as ``detector 'mine'``.
        document: name of the document.

    Raises:
        InputError: with the part, the document, and the type and place of the exception, but never
            its message, which may quote the document.
    """
    try:
        yield
    except TacendaError:
        raise
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        failure = plugin_fault(part, f"fails with {type(error).__name__} {_place(error)}", document)
        raise failure from None


def plugin_fault(part: str, fault: str, document: str) -> InputError:
    """Return the error for a document on which a plug-in violated its protocol."""
    return InputError(
        f"{part} {fault}. The document was not written; fix the plug-in or disable it.",
        document,
    )


def part_name(kind: str, part: object) -> str:
    """Return the name of a part for messages: its class, since it was passed as an argument."""
    return f"{kind} {type(part).__name__}"


def _place(error: Exception) -> str:
    """Return the innermost place of an error, as module and line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "at an unknown place"
    return f"at {trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module
