"""Former names of commands that scripts rely on; they aren't in the help."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

_FORMER: Final = {
    "agreement": "evaluate agreement",
    "ontology build": "lab build",
    "ontology lookup": "models lookup",
    "proxy": "serve proxy",
    "reproduce": "lab reproduce",
    "serve --presidio": "serve presidio",
    "stats": "evaluate stats",
    "train": "lab train",
}
_FORMER_COMMANDS: Final = {"evaluate": "masks", "serve": "app"}
"""Groups that were commands, each with the command that it was."""
_HELP: Final = frozenset({"-h", "--help"})


def _current_name(words: Sequence[str]) -> tuple[str, ...]:
    """Return the first words of a command line, with the command's current name."""
    for length in (2, 1):
        if (new := _FORMER.get(" ".join(words[:length]))) is not None:
            return *new.split(), *words[length:]
    return tuple(words)


def current_arguments(
    arguments: Sequence[str], commands: Mapping[str, Collection[str]]
) -> tuple[list[str], str]:
    """Return the arguments with the command's current name, and the note about a former name, if any.

    Args:
        arguments: the program's arguments.
        commands: names of the commands in each group.
    """
    words = list(arguments)
    if words[:1] == ["serve"] and "--presidio" in words:
        # The option may be anywhere.
        words.remove("--presidio")
        words.insert(1, "--presidio")
    group = words[0] if words else ""
    if (name := _current_name(words)) != tuple(words):
        new = list(name)
    elif group in _FORMER_COMMANDS and not _is_current(words[1:2], group, commands[group]):
        new = [group, _FORMER_COMMANDS[group], *words[1:]]
    else:
        return list(arguments), ""
    former = " ".join(words[: len(words) - len(new) + 2])
    return new, f"'tacenda {former}' is now 'tacenda {' '.join(new[:2])}'"


def _is_current(following: Sequence[str], group: str, commands: Collection[str]) -> bool:
    """Return whether what follows a group is one of its commands, a request for help, or nothing."""
    if not following:
        return group == "evaluate"  # `tacenda serve` on its own used to be a command.
    return following[0] in commands or following[0] in _HELP
