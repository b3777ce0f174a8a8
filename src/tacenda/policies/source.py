"""A policy's YAML as plain fields, with the line on which each of them stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from ..errors import PolicyError

_LARGEST = 10_000_000


@dataclass(frozen=True, slots=True)
class Source:
    """What a policy's YAML says.

    Attributes:
        name: of the policy or its file.
        fields: field names with their values.
        root: the YAML tree; None where it is empty.
    """

    name: str
    fields: dict[str, Any] = field(repr=False)
    root: yaml.Node | None = field(repr=False)

    def line(self, place: Sequence[int | str]) -> int | None:
        """Return the line, from 1, of the field at ``place``, or of the deepest one around it."""
        node, found = self.root, None
        for part in place:
            if isinstance(node, yaml.MappingNode):
                inner = next(((k, v) for k, v in node.value if k.value == part), None)
                if inner is None:
                    break
                found, node = inner[0].start_mark.line + 1, inner[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
                node = node.value[part]
                found = node.start_mark.line + 1
            else:
                break
        return found


def shipped() -> dict[str, str]:
    """Return the YAML of each policy that ships, by name."""
    folder = resources.files(__package__)
    return {
        item.name.removesuffix(".yaml"): item.read_text(encoding="utf-8")
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if item.name.endswith(".yaml")
    }


def read(path: Path) -> str:
    """Return the text of a policy's file.

    Raises:
        PolicyError: if there is none, it can't be read, or it is no policy by its size.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise PolicyError(f"{path} has more than {_LARGEST} bytes: that is no policy")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise PolicyError(f"{path} is not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise PolicyError(
            f"{str(path)!r} is neither a readable YAML file ({error.strerror}) nor one of the "
            f"shipped policies: {', '.join(shipped())}"
        ) from None


def parse(text: str, name: str) -> Source:
    """Read YAML.

    Raises:
        PolicyError: if it is no YAML, no mapping, or says something twice; naming the line.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        fields = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "somewhere"
        raise PolicyError(f"{name}: not YAML at {place}") from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise PolicyError(
            f"{name}: not YAML: a character or a nesting that it doesn't allow"
        ) from None
    if fields is None:
        return Source(name, {}, None)
    if not isinstance(fields, dict):
        raise PolicyError(f"{name}: expected fields and values, found a {type(fields).__name__}")
    _refuse_twice(root, name, set())
    for key in fields:
        if not isinstance(key, str):
            raise PolicyError(f"{name}: {key!r} is no name of a field")
    return Source(name, fields, root)


def _refuse_twice(node: yaml.Node | None, name: str, seen: set[int]) -> None:
    """Refuse a field that is given twice: YAML would drop the first one silently."""
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_twice(item, name, seen)
    elif isinstance(node, yaml.MappingNode):
        lines: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.value in lines:
                raise PolicyError(
                    f"{name}, line {line}: {key.value} was given on line {lines[key.value]} already"
                )
            if isinstance(key.value, str):
                lines[key.value] = line
            _refuse_twice(value, name, seen)
