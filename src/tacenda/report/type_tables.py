"""Recall and precision of words by semantic type, as tables with pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .by_type import TypeShare
from .marks import key
from .markup import UNDEFINED, Cell, figure, number, table, text
from .run import Findings, Run
from .strips import scale, strip


def type_tables(run: Run) -> str:
    """Return two tables: recall by the entity's type, precision by the masked word's type."""
    recall = _table(
        "Recall R by type: words to mask, and which share of them is masked",
        run.findings,
        [found.recall for found in run.findings],
    )
    precision = _table(
        "Precision P by the annotators’ type: words masked, and which share of them had to be; "
        "NONE are words that no annotation covers",
        run.findings,
        [found.precision for found in run.findings],
    )
    return f'<div class="pair">{recall}{precision}</div>'


def _table(
    caption: str, findings: Sequence[Findings], shares: Sequence[Sequence[TypeShare]]
) -> str:
    several = len(findings) > 1
    head = [Cell("type")]
    if several:
        head.append(Cell("system"))
    head += [Cell("words", "n"), Cell("share", "n"), Cell(scale(), "picture")]
    # The types of the first system in its order, then what only others met.
    types = dict.fromkeys(share.type for theirs in shares for share in theirs)
    by_type = [{share.type: share for share in theirs} for theirs in shares]
    rows: list[list[Cell]] = []
    for type_ in types:
        rows += _rows(type_, findings, [theirs.get(type_) for theirs in by_type])
    return table(caption, head, rows, "grouped" if several else "")


def _rows(
    type_: str, findings: Sequence[Findings], shares: Sequence[TypeShare | None]
) -> Iterator[list[Cell]]:
    for idx, (found, share) in enumerate(zip(findings, shares, strict=True)):
        cells = [Cell(text(type_) if idx == 0 else "", "first" if idx == 0 else "again")]
        if len(findings) > 1:
            cells.append(Cell(f"{key(idx)} {text(found.system.name)}"))
        if share is None:
            cells += [Cell("0", "n"), Cell(UNDEFINED, "n"), Cell(strip(None, None), "picture")]
        else:
            cells.append(Cell(number(share.words), "n"))
            cells.append(Cell(figure(share.value), "n"))
            cells.append(Cell(strip(share.value, share.interval, idx), "picture"))
        yield cells
