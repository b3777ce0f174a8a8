"""One document of an attack in HTML: ranks beside baseline and control, and what gave it away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from ..background import People
from .clues import Clue
from .measure import AttackReport, Outcome
from .tables import person_shown

_BAR: Final = 120
"""Length of the longest bar, in pixels."""
_SHADES: Final = 3


def worst_first(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes, those whose person is found most surely first."""
    return sorted(outcomes, key=lambda one: (one.rank, -max(one.probabilities.values())))


def document_entry(
    outcome: Outcome, report: AttackReport, people: People, *, reveal: bool, opened: bool
) -> str:
    """Return what became of a document, to be folded out.

    Args:
        outcome: the document's.
        report: which it is of.
        people: who was looked for.
        reveal: shows its text and the words that gave it away.
        opened: whether it is folded out.
    """
    document = outcome.case.document.document
    ((id, name),) = people.names([outcome.case.person])
    if outcome.rank == 1:
        kind, said = "found", "found"
    elif outcome.rank <= report.k:
        kind, said = "near", f"first {report.k}"
    else:
        kind, said = "hidden", "hidden"
    return (
        f"<details{' open' if opened else ''}><summary>"
        f'<span class="badge {kind}">{said}</span> <strong>{escape(document.id)}</strong>: '
        f"{escape(person_shown(id, name))}, rank {outcome.rank:,}</summary>\n<div>"
        f"{_ranks(outcome, people)}\n{_clues(outcome, reveal)}</div></details>\n"
    )


def _ranks(outcome: Outcome, people: People) -> str:
    heads = ["attacker", "rank", "probability", "most probable"]
    heads += ["rank in the original"] if outcome.original is not None else []
    heads += ["rank of a stranger"]
    rows = []
    for name, rank in outcome.ranks.items():
        ((id, called),) = people.names([outcome.first[name]])
        cells = [
            f"<td>{escape(name)}</td>",
            f'<td class="number">{rank:,}</td>',
            f'<td class="number">{outcome.probabilities[name]:.3f}</td>',
            f"<td>{escape(person_shown(id, called))}</td>",
        ]
        if outcome.original is not None:
            cells.append(f'<td class="number">{outcome.original[name]:,}</td>')
        cells.append(f'<td class="number">{outcome.control[name]:,}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    numbers = ("rank", "prob")
    head = "".join(
        f'<th scope="col"{" class=number" if each.startswith(numbers) else ""}>{each}</th>'
        for each in heads
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _clues(outcome: Outcome, reveal: bool) -> str:
    found = outcome.clues
    if not found:
        return '<p class="soft">No word speaks for the person.</p>'
    if not reveal:
        count = f"{len(found)} words speak" if len(found) > 1 else "One word speaks"
        return f'<p class="soft">{count} for the person; <code>--reveal</code> shows them.</p>'
    text = outcome.case.document.document.text
    heaviest = found[0].weight
    rows = "".join(
        f'<li><svg viewBox="0 0 {_BAR} 10" width="{_BAR}" height="10" aria-hidden="true">'
        f'<rect class="weight" x="0" y="0" width="{max(2, round(_BAR * clue.weight / heaviest))}" '
        f'height="10" rx="2"/></svg><span>{escape(clue.spans[0].of(text))} '
        f'<span class="soft">{clue.weight:.1f}</span></span></li>'
        for clue in found
    )
    return (
        "<h3>What gave the person away</h3>"
        '<p class="soft">How far the log-odds fall without the word, in nats.</p>'
        f'<ul class="words">{rows}</ul><div class="text" dir="auto">'
        f"{''.join(_marked(text, found))}</div>"
    )


def _marked(text: str, clues: Sequence[Clue]) -> Iterator[str]:
    """Yield the text with the telling words marked, the weightier the stronger."""
    heaviest = clues[0].weight
    shades = sorted(
        (span.start, span.end, min(_SHADES, 1 + int(_SHADES * clue.weight / heaviest)))
        for clue in clues
        for span in clue.spans
    )
    position = 0
    for start, end, shade in shades:
        yield escape(text[position:start])
        yield f'<mark class="w{shade}">{escape(text[start:end])}</mark>'
        position = end
    yield escape(text[position:])
