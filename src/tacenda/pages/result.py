"""Sanitized documents to look at: every edit is colored by type and shows its reason on hover.

Edits can be focused with the keyboard and are described to screen readers; a table lists every
decision. The page contains no original strings unless ``reveal`` is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..document import Decision, Replacement
from ..explain import identified, sentences, visible_options
from ..wording import TYPES, in_words, risk_left
from . import frame, render

if TYPE_CHECKING:
    from ..result import Result


def page(result: Result, *, reveal: bool = False) -> str:
    """Return the page of one document, titled with its id.

    Args:
        result: the document.
        reveal: whether to show the original strings; for the reviewer, never for the release.
    """
    start, end = ends()
    return start + section(result, result.document.id, 1, reveal=reveal) + end


def framed(result: Result) -> str:
    """Return the page within a frame, to confine its style sheet."""
    return render("result_frame.html", page=page(result))


def ends() -> tuple[str, str]:
    """Return the parts of the page before and after the sections."""
    return frame("result.html")


def section(result: Result, name: str, number: int, *, reveal: bool = False) -> str:
    """Return the section of one document.

    Args:
        result: the document.
        name: its title, since its id may reveal a person.
        number: number of the section, from 1.
        reveal: shows the original strings.
    """
    decisions = sorted(result.decisions, key=lambda item: -item.risk)
    has_options = any(decision.options for decision in decisions)
    heads = ["Entity", "Mentions", "Identifier", "Risk", "Decision", "Reasons"]
    return render(
        "result_section.html",
        name=name,
        number=number,
        summary=_summary(result),
        stretches=_stretches(result, reveal),
        heads=heads + ["Options"] * has_options + ["Original"] * reveal,
        rows=[_cells(result, decision, has_options, reveal) for decision in decisions],
    )


class ResultMark(NamedTuple):
    """A mark on a piece of the text; without a kind it is underlined."""

    kind: str
    title: str


def _summary(result: Result) -> str:
    masked = sum(decision.masked for decision in result.decisions)
    risk = result.risk
    leaks = f" {risk.leaks} surface forms of masked entities are still in it." if risk.leaks else ""
    attacks = "".join(f" {identified(attack)}" for attack in result.identifications)
    return f"{masked} of {len(result.decisions)} entities masked. {risk_left(risk)}{leaks}{attacks}"


def _stretches(result: Result, reveal: bool) -> Iterator[tuple[str, ResultMark | None]]:
    """Return the sanitized text, cut at its marks."""
    decisions = {decision.entity.id: decision for decision in result.decisions}
    marks = [
        (edit.output_start, edit.output_end, _mark(edit, decisions, result, reveal))
        for edit in result.replacements
    ]
    marks += (
        (start, end, ResultMark("", _reason(decision)))
        for start, end, decision in _kept_mentions(result)
    )
    marks.sort(key=lambda mark: mark[:2])
    position = 0
    for start, end, mark in marks:
        yield result.text[position:start], None
        yield result.text[start:end], mark
        position = end
    yield result.text[position:], None


def _mark(
    edit: Replacement, decisions: Mapping[str, Decision], result: Result, reveal: bool
) -> ResultMark:
    members = [decisions[id] for id in edit.entity_ids if id in decisions]
    types = {decision.entity.type for decision in members}
    colour = str(types.pop()) if len(types) == 1 else "MISC"
    reasons = [_reason(decision) for decision in members] or ["running text, rewritten"]
    reasons += [f"options: {text}" for item in members if (text := _options(item, reveal))]
    if reveal:
        reasons.insert(0, f"was: {edit.original.of(result.document.text)}")
    form = " removed" if edit.output_start == edit.output_end else " italic" * edit.italic
    return ResultMark(colour + form, "\n".join(reasons))


def _reason(decision: Decision) -> str:
    name, kind = _name(decision), in_words(decision.identifier)
    reasons = " ".join(sentences(decision))
    return f"{name}, {kind}, risk {decision.risk:.2f}: {_verb(decision)}. {reasons}"


def _name(decision: Decision) -> str:
    return f"{TYPES[decision.entity.type]} {decision.entity.number}"


def _verb(decision: Decision) -> str:
    return f"masked ({in_words(decision.operator)})" if decision.masked else "kept"


def _options(decision: Decision, reveal: bool) -> str:
    """Return the options of a decision for the reviewer; without ``reveal``, only the visible ones."""
    return " · ".join(option.text for option in visible_options(decision, reveal))


def _kept_mentions(result: Result) -> Iterator[tuple[int, int, Decision]]:
    """Return the mentions of kept entities by their position in the sanitized text, without overlaps."""
    mentions = sorted(
        (
            (mention.span, decision)
            for decision in result.decisions
            if not decision.masked
            for mention in decision.entity.mentions
        ),
        key=lambda item: item[0],
    )
    edits = sorted(result.replacements, key=lambda edit: edit.original)
    idx, shift, last = 0, 0, 0
    for span, decision in mentions:
        while idx < len(edits) and edits[idx].original.end <= span.start:
            shift = edits[idx].output_end - edits[idx].original.end
            idx += 1
        if idx < len(edits) and edits[idx].original.overlaps(span):
            continue
        if span.start >= last:
            last = span.end
            yield span.start + shift, span.end + shift, decision


def _cells(result: Result, decision: Decision, has_options: bool, reveal: bool) -> list[str]:
    entity = decision.entity
    cells = [
        _name(decision),
        str(len(entity.mentions)),
        in_words(decision.identifier),
        f"{decision.risk:.2f}",
        _verb(decision),
        " ".join(sentences(decision)),
    ]
    if has_options:
        cells.append(_options(decision, reveal))
    if reveal:
        strings = dict.fromkeys(m.span.of(result.document.text) for m in entity.mentions)
        cells.append(" · ".join(strings))
    return cells
