"""A Model Context Protocol server: its tools take paths and return counts (extra ``mcp``).

A language model that calls them learns how many identifiers of which type a file has, how risky
they are, where they are, and where the sanitized file is, but never a character of a document. All
paths, and what links point to, must be inside one folder.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, Final

from ..documents.fields import FieldPolicy, Fields
from ..documents.fields import shipped as shipped_fields
from ..documents.reading import format_of, read
from ..documents.record import Failure, SourceDocument
from ..documents.writing import write
from ..errors import InputError, MissingExtraError, TacendaError, unforeseen
from ..result import Result
from .loading import LazySanitizer
from .scan.files import ScannedFile
from .scan.findings import Scanner

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError as error:
    raise MissingExtraError("the MCP server", "mcp") from error

_LISTED: Final = 1_000
_INSTRUCTIONS: Final = (
    "Tools to sanitize files without reading them. Give paths within the server's folder. Results are counts, risks, "
    "places and names of files; to work with a document, sanitize it first and read the output alone."
)


class Root:
    """The folder that all paths must stay inside.

    Raises:
        InputError: if there is no such folder.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self.folder = folder.resolve(strict=True)
        except OSError as error:
            raise InputError(f"can't be opened: {error.strerror}", str(folder)) from None
        if not self.folder.is_dir():
            raise InputError("is not a folder.", str(folder))

    def path(self, name: str) -> Path:
        """Return the path that a name leads to, following links.

        Raises:
            InputError: if it is outside the folder.
        """
        try:
            place = (self.folder / name).resolve()
        except (OSError, ValueError, RuntimeError):
            raise InputError("the path can't be followed.") from None
        if not place.is_relative_to(self.folder):
            raise InputError("the path leads out of the server's folder; name one within it.")
        return place

    def file(self, name: str) -> Path:
        """Return the place of a regular file.

        Raises:
            InputError: if there is no such file inside the folder.
        """
        place = self.path(name)
        if not place.is_file():
            raise InputError("no file at this path; list_files shows the available files.")
        return place

    def name(self, place: Path) -> str:
        """Return a path relative to the folder."""
        return place.relative_to(self.folder).as_posix()


def server(root: Path, sanitizer: LazySanitizer) -> MCPServer:
    """Return the server for a folder.

    Args:
        root: the folder that the tools' paths are relative to.
        sanitizer: sanitizes all files.

    Raises:
        InputError: if there is no such folder.
    """
    folder = Root(root)
    tools = _Tools(folder, sanitizer)
    mcp = MCPServer("tacenda", instructions=_INSTRUCTIONS)
    for tool in (tools.list_files, tools.scan_file, tools.assess_file, tools.sanitize_file):
        mcp.add_tool(_guarded(tool))
    return mcp


def _guarded(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Return a tool whose errors contain no text of a document."""

    @wraps(tool)
    def run(*arguments: Any, **options: Any) -> dict[str, Any]:
        try:
            return tool(*arguments, **options)
        except TacendaError as error:
            raise ToolError(str(error)) from None
        except Exception as error:
            raise ToolError(str(unforeseen(error))) from None

    return run


class _Tools:
    """The tools; language models read their docstrings."""

    def __init__(self, root: Root, sanitizer: LazySanitizer) -> None:
        self._root = root
        self._sanitizer = sanitizer
        self._scanner = Scanner(sanitizer)

    def list_files(self, folder: str = ".") -> dict[str, Any]:
        """List the files of a folder and of those in it, with their formats; nothing is opened.

        Args:
            folder: path within the server's folder.
        """
        place = self._root.path(folder)
        if not place.is_dir():
            raise InputError("no folder at this path.")
        files: list[dict[str, Any]] = []
        for parent, folders, names in os.walk(place):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                path = Path(parent, name)
                if name.startswith(".") or path.is_symlink() or not path.is_file():
                    continue
                if len(files) == _LISTED:
                    return {"files": files, "complete": False}
                size = path.stat().st_size
                files.append(
                    {"path": self._root.name(path), "format": _format(name), "bytes": size}
                )
        return {"files": files, "complete": True}

    def scan_file(self, path: str) -> dict[str, Any]:
        """Count identifiers in a file, with type, risk, line and column of each; without its text.

        Args:
            path: of a file within the server's folder.
        """
        place = self._root.file(path)
        report = self._scanner.scan(ScannedFile(self._root.name(place), place.read_bytes()))
        return report.to_dict()

    def assess_file(
        self, path: str, columns: list[str] | None = None, fields: str = ""
    ) -> dict[str, Any]:
        """Say how risky a file is and what the policy would mask; nothing is written.

        Args:
            path: of a file within the server's folder.
            columns: of a table, those with text.
            fields: name of a shipped field policy, or path of one within the server's folder.
        """
        results = [result for _, result in self._results(path, columns, fields)]
        return {"path": path, **_summary(results)}

    def sanitize_file(
        self,
        path: str,
        output: str,
        columns: list[str] | None = None,
        keep: list[str] | None = None,
        drop: list[str] | None = None,
        fields: str = "",
    ) -> dict[str, Any]:
        """Write the sanitized copy of a file and say what was masked, in counts; the file itself stays.

        Args:
            path: of a file within the server's folder.
            output: path of the copy within the server's folder; nothing may be there. It ends as the file does, or in .txt.
            columns: of a table, those with text.
            keep: of a table, columns that stay as they are.
            drop: of a table, columns that are left out.
            fields: name of a shipped field policy, or path of one within the server's folder.
        """
        place = self._root.path(output)
        if place.exists():
            raise InputError("the output path already exists; choose another.")
        if not place.parent.is_dir():
            raise InputError("the folder of the output doesn't exist.")
        source = self._root.file(path)
        if place.suffix.lower() not in (source.suffix.lower(), ".txt"):
            raise InputError("the output must have the extension of the file, or .txt.")
        kind = "same" if place.suffix.lower() == source.suffix.lower() else "text"
        results: list[Result] = []

        def written() -> Iterator[tuple[SourceDocument, Result]]:
            for record, result in self._results(path, columns, fields, keep, drop):
                results.append(result)
                yield record, result

        write(written(), place, kind)
        return {"path": path, "output": self._root.name(place), **_summary(results)}

    def _results(
        self,
        path: str,
        columns: list[str] | None,
        fields: str,
        keep: list[str] | None = None,
        drop: list[str] | None = None,
    ) -> Iterator[tuple[SourceDocument, Result]]:
        """Yield the records of a file with their results.

        Raises:
            InputError: for the first record that can't be read or sanitized.
        """
        place = self._root.file(path)
        for item in read(place, columns=columns or (), fields=self._fields(fields, keep, drop)):
            if isinstance(item, Failure):
                raise item.error
            result = self._sanitizer.results([item.document])[0]
            if isinstance(result, InputError):
                raise result
            yield item, result

    def _fields(self, name: str, keep: list[str] | None, drop: list[str] | None) -> Fields:
        if not name:
            return Fields.of_options(keep or (), drop or ())
        policy = name if name in shipped_fields() else str(self._root.file(name))
        hides_year = self._sanitizer.policy.hides_year
        return Fields(FieldPolicy.load(policy), name, hides_year=hides_year)


def _format(name: str) -> str:
    try:
        return format_of(name)
    except InputError:
        return ""


def _summary(results: list[Result]) -> dict[str, Any]:
    """Return the counts for documents, without text."""
    decisions = [decision for result in results for decision in result.decisions]
    masked = [decision for decision in decisions if decision.masked]
    return {
        "documents": len(results),
        "entities": len(decisions),
        "masked": len(masked),
        "masked_by_type": dict(sorted(Counter(str(item.entity.type) for item in masked).items())),
        "masked_by_identifier": dict(
            sorted(Counter(str(item.identifier) for item in masked).items())
        ),
        "risk": round(sum(float(result.risk.before) for result in results), 4),
        "residual_risk": round(sum(float(result.risk.residual) for result in results), 4),
        "highest_risk_kept": round(
            max((float(result.risk.highest_kept) for result in results), default=0.0), 4
        ),
        "warnings": sorted({warning for result in results for warning in result.warnings}),
    }
