"""The texts, line by line: what annotators wanted beside what each system did.

Without a script every document can be opened; the script of the page adds a picker, filters and
steps. A document is only ever written through ``markup.text``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from ..evaluate.matching import PreparedDocument
from .markup import text
from .run import Run
from .texts import GoldPiece, SystemPiece, gold_pieces, system_pieces

Piece = TypeVar("Piece", GoldPiece, SystemPiece)

_IDENTIFIERS: Final = {"DIRECT": "direct", "QUASI": "quasi", "NO_MASK": "kept"}


def text_view(run: Run) -> str:
    """Return one closed element a document."""
    errors: list[dict[str, list[int]]] = []
    for found in run.findings:
        places: dict[str, list[int]] = {}
        for idx, error in enumerate(found.errors.errors):
            places.setdefault(error.document, []).append(idx)
        errors.append(places)
    parts = []
    for number, prepared in enumerate(run.documents):
        id = prepared.document.id
        columns = [(_gold(prepared), "annotators")]
        for idx, found in enumerate(run.findings):
            listed = [found.errors.errors[place] for place in errors[idx].get(id, ())]
            pieces = list(system_pieces(prepared, found.system.masks[id], listed))
            columns.append((_marked(prepared.document.text, pieces, _system), found.system.name))
        parts.append(_document(number, id, columns))
    return "\n".join(parts)


def _document(number: int, id: str, columns: Sequence[tuple[list[str], str]]) -> str:
    heads = [_column(idx, text(name), "h4") for idx, (_, name) in enumerate(columns)]
    rows = [f'<div class="line heads">{"".join(heads)}</div>']
    for cells in zip(*(lines for lines, _ in columns), strict=True):
        if any(cell.strip() for cell in cells):
            shown = "".join(_column(idx, cell, "p") for idx, cell in enumerate(cells))
            rows.append(f'<div class="line">{shown}</div>')
    return (
        f'<details class="document" id="d{number}"><summary>{text(id)}</summary>\n'
        + "\n".join(rows)
        + "\n</details>"
    )


def _column(idx: int, content: str, name: str) -> str:
    """Return a cell; those of systems bear the system's number."""
    system = f' data-system="{idx - 1}"' if idx else ""
    return f'<{name}{system} dir="auto">{content}</{name}>'


def _gold(prepared: PreparedDocument) -> list[str]:
    n = len(prepared.annotators)

    def opening(piece: GoldPiece) -> str:
        wanted = f", wanted by {piece.annotators} of {n}" if n > 1 else ""
        return (
            f'<mark class="g {_IDENTIFIERS[piece.identifier]}" data-type="{text(piece.type)}" '
            f'title="{text(piece.type)}, {piece.identifier}{wanted}">'
        )

    return _marked(prepared.document.text, list(gold_pieces(prepared)), opening)


def _system(piece: SystemPiece) -> str:
    if not piece.type:
        return '<mark class="between">'
    title = text(f"{piece.outcome}, {piece.type}")
    return f'<mark class="s {piece.outcome}" data-type="{text(piece.type)}" title="{title}">'


def _marked(string: str, pieces: Sequence[Piece], opening: Callable[[Piece], str]) -> list[str]:
    """Return the lines of a text as HTML, its pieces marked.

    Args:
        string: the text.
        pieces: in order and disjoint.
        opening: the tag that begins the mark of a piece.
    """
    parts: list[list[str]] = [[]]
    position = 0
    for piece in pieces:
        _add(parts, string[position : piece.span.start])
        _add(parts, piece.span.of(string), opening(piece), "</mark>")
        position = piece.span.end
    _add(parts, string[position:])
    return ["".join(line) for line in parts]


def _add(lines: list[list[str]], string: str, before: str = "", after: str = "") -> None:
    """Add a stretch, each of its lines between ``before`` and ``after``."""
    for idx, line in enumerate(string.split("\n")):
        if idx:
            lines.append([])
        if line:
            lines[-1].append(f"{before}{text(line)}{after}")
