"""Errors by kind and type (TAB, Figure 4), and what leaked by type (TAB, Figure 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..evaluate.errors import ErrorKind
from .marks import key, kind
from .markup import Cell, number, table, text
from .run import Findings, Run
from .svg import element

_HEATS = 5
"""Shades of a cell, the darkest for the most frequent error."""

_BAR = 150
"""Width of the longest bar, in pixels."""

_MEANINGS = {
    ErrorKind.MISSED: "nothing of the mention is masked, nor of its entity’s others",
    ErrorKind.INCONSISTENT: "it is not masked, though another mention of its entity is",
    ErrorKind.PARTIAL: "some of the mention is masked, some that matters is not",
    ErrorKind.OVER_MASKED: "masked, though no annotator wants it masked",
}


def error_tables(run: Run) -> str:
    """Return the tables of each system, side by side with what leaked."""
    parts = []
    for idx, found in enumerate(run.findings):
        if len(run.findings) > 1:
            parts.append(f"<h3>{key(idx)} {text(found.system.name)}</h3>")
        parts.append(f'<div class="pair">{_kinds(found)}{_leaked(found, idx)}</div>')
    meanings = "".join(f"<dt>{name}</dt><dd>{what}</dd>" for name, what in _MEANINGS.items())
    return f'{"".join(parts)}<dl class="terms">{meanings}</dl>'


def _kinds(found: Findings) -> str:
    counts = found.errors.counts
    types = _types(counts)
    head = [Cell("kind"), *(Cell(text(type_), "n") for type_ in types), Cell("all", "n")]
    rows = []
    for error in ErrorKind:
        numbers = [counts.get((error, type_), 0) for type_ in types]
        most = _most(counts, leaks=error is not ErrorKind.OVER_MASKED)
        cells = [Cell(number(n), f"n heat{-(-n * _HEATS // most)}") for n in numbers]
        rows.append([Cell(error.value), *cells, Cell(number(sum(numbers)), "n total")])
    return table("Errors by kind and type", head, rows, "counts")


def _most(counts: Mapping[tuple[ErrorKind, str], int], *, leaks: bool) -> int:
    """Return the highest count among leaks, or among over-maskings; they don't compare."""
    chosen = [
        n for (error, _), n in counts.items() if (error is not ErrorKind.OVER_MASKED) == leaks
    ]
    return max(chosen, default=1)


def _types(counts: Mapping[tuple[ErrorKind, str], int]) -> list[str]:
    totals: Counter[str] = Counter()
    for (_, type_), n in counts.items():
        totals[type_] += n
    return sorted(totals, key=lambda type_: (-totals[type_], type_))


def _leaked(found: Findings, idx: int) -> str:
    leaked: Counter[str] = Counter()
    for (error, type_), n in found.errors.counts.items():
        if error is not ErrorKind.OVER_MASKED:
            leaked[type_] += n
    words = {share.type: share.words for share in found.recall}
    all_words = sum(words.values()) or 1
    rows = []
    for type_, n in sorted(leaked.items(), key=lambda item: (-item[1], item[0])):
        share, frequency = n / leaked.total(), words.get(type_, 0) / all_words
        rows.append(
            [
                Cell(text(type_)),
                Cell(number(n), "n"),
                Cell(f"{share:.1%}", "n"),
                Cell(f"{frequency:.1%}", "n quiet"),
                Cell(_bars(share, frequency, idx), "picture"),
            ]
        )
    head = [
        Cell("type"),
        Cell("mentions", "n"),
        Cell("share", "n"),
        Cell("of words to mask", "n"),
        Cell("", "picture"),
    ]
    caption = "What leaked by type, beside the type’s share of all words to mask (thin bar)"
    return table(caption, head, rows or [[Cell("nothing"), *[Cell("")] * 4]])


def _bars(share: float, frequency: float, idx: int) -> str:
    bars = element("rect", x=0, y=1, width=_BAR * share, height=8, kind=f"bar {kind(idx)}")
    bars += element("rect", x=0, y=11, width=_BAR * frequency, height=3, kind="bar other")
    return element(
        "svg",
        bars,
        kind="strip",
        viewBox=f"0 0 {_BAR} 16",
        width=str(_BAR),
        height="16",
        aria_hidden="true",
    )
