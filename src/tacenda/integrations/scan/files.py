"""Files of a scan: of folders without what is excluded, or as they are staged for a commit."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ...documents.containers import LARGEST_FILE
from ...errors import InputError

ALWAYS_EXCLUDED: Final = (".git/", ".hg/", ".svn/", "node_modules/", "__pycache__/", ".venv/")
"""Folders of version control, and of packages of others."""


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """File with its content, or why it has none.

    Attributes:
        path: as it is reported, with slashes.
        content: its bytes; None where it can't be read.
        fault: why it can't be read.
    """

    path: str
    content: bytes | None = field(default=None, repr=False)
    fault: str = ""


class Exclusion:
    """Patterns of paths to leave out, as ``.gitignore`` has them.

    The last pattern that fits decides; one with ``!`` takes a path in again, unless a folder above it
    is out. A pattern with a slash before its end holds from the root, any other at any depth; one that
    ends in a slash is of folders alone.

    Args:
        patterns: lines; empty ones and those that begin with ``#`` are comments.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._rules = [
            (re.compile(_expression(line)), line.rstrip().endswith("/"), line.startswith("!"))
            for line in patterns
            if line.strip() and not line.startswith("#")
        ]

    def holds(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a path, relative and with slashes, is left out, by itself or with a folder above it."""
        parts = path.split("/")
        return any(
            self._decides("/".join(parts[:count]), count < len(parts) or is_folder)
            for count in range(1, len(parts) + 1)
        )

    def _decides(self, path: str, is_folder: bool) -> bool:
        for rule, of_folders, takes_in in reversed(self._rules):
            if (is_folder or not of_folders) and rule.fullmatch(path):
                return not takes_in
        return False


def _expression(line: str) -> str:
    """Return the regular expression of a pattern."""
    pattern = line.rstrip().removeprefix("!").rstrip("/")
    is_anchored = "/" in pattern
    pieces = re.split(r"(\*\*/|/\*\*$|\*|\?|\[!?[^\]]+\])", pattern.removeprefix("/"))
    jokers = {"**/": "(?:.+/)?", "/**": "/.+", "*": "[^/]*", "?": "[^/]"}
    expression = "".join(
        jokers.get(piece)
        or (
            "[" + re.sub(r"^!", "^", piece[1:-1]).replace("\\", "\\\\") + "]"
            if piece.startswith("[") and piece.endswith("]")
            else re.escape(piece)
        )
        for piece in pieces
    )
    return expression if is_anchored else f"(?:.*/)?{expression}"


def files_of(paths: Sequence[str], exclusion: Exclusion) -> Iterator[ScannedFile]:
    """Yield the files of paths in sorted order, each once; of folders without links and devices."""
    paths_seen: set[str] = set()
    for path in paths:
        for name in _names_below(path, exclusion):
            place = os.path.realpath(name)
            if place not in paths_seen:
                paths_seen.add(place)
                yield _opened(name)


def _names_below(path: str, exclusion: Exclusion) -> Iterator[str]:
    if not os.path.isdir(path):  # noqa: PTH112  # Unlike Path.is_dir, no error for a NUL.
        # Files named by a user are read, but pre-commit names every changed file.
        if not exclusion.holds(_relative(path)):
            yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(
            name
            for name in folders
            if not exclusion.holds(_relative(f"{folder}/{name}", path), is_folder=True)
        )
        for name in sorted(names):
            place = f"{folder}/{name}"
            if _is_file(place) and not exclusion.holds(_relative(place, path)):
                yield place


def _relative(path: str, root: str = ".") -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return True  # The fault is told when it is opened.


def _opened(path: str) -> ScannedFile:
    name = Path(path).as_posix()
    try:
        if Path(path).stat().st_size > LARGEST_FILE:
            return ScannedFile(name, fault=f"has more than {LARGEST_FILE:,} bytes")
        return ScannedFile(name, Path(path).read_bytes())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        return ScannedFile(name, fault=f"can't be opened: {reason}")


def staged_files(paths: Sequence[str], exclusion: Exclusion) -> Iterator[ScannedFile]:
    """Yield the files added or changed for the next commit, as they will be committed.

    Args:
        paths: only what is at or below these; everything if there are none.
        exclusion: of paths relative to the present folder.

    Raises:
        InputError: if this is not a repository, or there is no git.
    """
    listing = _git(
        "diff --cached --raw --no-abbrev --no-renames --diff-filter=AM --relative -z".split(),
        "--",
        *paths,
    )
    entries = iter(listing.split(b"\0"))
    for head, name in zip(entries, entries, strict=False):
        _, mode, _, blob, _ = head.decode().split()
        path = os.fsdecode(name)
        # Neither links nor modules of others.
        if not mode.startswith("100") or exclusion.holds(path):
            continue
        yield ScannedFile(path, _git(["cat-file", "blob", blob]))


def _git(options: Sequence[str], *rest: str) -> bytes:
    try:
        run = subprocess.run(["git", *options, *rest], capture_output=True, check=False)
    except OSError:
        raise InputError("staged files need git, which is not installed.") from None
    if run.returncode:
        raise InputError(
            f"git {options[0]} ended with {run.returncode}; is this folder in a repository?"
        )
    return run.stdout
