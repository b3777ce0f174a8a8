"""The files to scan: in folders, without what is excluded, or as staged for a commit."""

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
    """A file with its content, or why it has none.

    Attributes:
        path: the path as reported, with slashes.
        content: its bytes; None if it can't be read.
        fault: why it can't be read.
    """

    path: str
    content: bytes | None = field(default=None, repr=False)
    fault: str = ""


class Exclusion:
    """Patterns for paths to leave out, as in ``.gitignore``.

    The last matching pattern decides; a pattern with ``!`` includes a path again, unless one of its
    parent folders is excluded. A pattern with a slash before its end is relative to the root, any
    other matches at any depth; a pattern that ends in a slash only matches folders.

    Args:
        patterns: lines; empty lines and lines that start with ``#`` are ignored.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._rules = [
            (re.compile(_expression(line)), line.rstrip().endswith("/"), line.startswith("!"))
            for line in patterns
            if line.strip() and not line.startswith("#")
        ]

    def holds(self, path: str, *, is_folder: bool = False) -> bool:
        """Return whether a relative path with slashes is left out, either itself or through a parent folder."""
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
    """Yield the files at paths in sorted order, each once; links and devices in folders are skipped."""
    paths_seen: set[str] = set()
    for path in paths:
        for name in _names_below(path, exclusion):
            place = os.path.realpath(name)
            if place not in paths_seen:
                paths_seen.add(place)
                yield _opened(name)


def _names_below(path: str, exclusion: Exclusion) -> Iterator[str]:
    if not os.path.isdir(path):  # noqa: PTH112  # Unlike Path.is_dir, no error for a NUL.
        # Files that a user names are read even if excluded, but pre-commit names every changed
        # file.
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
        return True  # The error is reported when it is opened.


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
        paths: only what is at or below these; empty for everything.
        exclusion: exclusion of paths relative to the current folder.

    Raises:
        InputError: if this isn't a repository, or git isn't installed.
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
        # Neither links nor submodules.
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
