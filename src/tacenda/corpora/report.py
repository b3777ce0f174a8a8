"""A page to look at: the sanitized text with every edit coloured by type, its reason on hover.

One self-contained HTML file, without scripts and without anything from outside. Edits take the
keyboard focus and are described to screen readers; a table lists every decision. The original
strings are not in it unless ``reveal`` asks for them.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from importlib import resources

from ..document import Decision, Replacement
from ..explanation import identified
from ..result import Result, visible_options
from ..wording import TYPES, risk_left
from .naming import Numbering
from .output import Output
from .record import Record

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sanitized documents</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>Sanitized documents</h1>
<p>Marked: written instead of a mention; hover or focus it for the reason. {kept}</p>
{legend}
</header>
<main>
"""
_KEPT = "Underlined: recognised and kept."
_FOOT = "</main>\n</body>\n</html>\n"


class Writer:
    """``--to html``: one section a document."""

    def __init__(self, output: Output, *, reveal: bool = False, kept: bool = True) -> None:
        self._output = output
        self._reveal = reveal
        self._kept = kept
        self._numbering = Numbering()

    def write(self, record: Record, sanitized: Result) -> None:
        """Write one section."""
        name = self._numbering.public_id(record, sanitized)
        if self._output.path is None:
            self._begin()
        body = "".join(_body(sanitized, self._reveal, self._kept))
        self._output.emit(
            f'<section aria-labelledby="d{self._numbering.number}">\n'
            f'<h2 id="d{self._numbering.number}">{html.escape(name)}</h2>\n'
            f"<p>{_summary(sanitized)}</p>\n"
            f'<div class="text" dir="auto">{body}</div>\n'
            f"{_table(sanitized, self._reveal)}</section>\n"
        )

    def close(self) -> None:
        """End the page."""
        if self._output.path is None:
            self._begin()
        self._output.emit(_FOOT)

    def _begin(self) -> None:
        style = (resources.files(__package__) / "report.css").read_text("utf-8")
        legend = "".join(
            f'<li><mark class="{key}">{value}</mark></li>' for key, value in TYPES.items()
        )
        legend = f'<ul class="legend" aria-label="Colours">{legend}</ul>'
        kept = _KEPT if self._kept else ""
        self._output.emit(_HEAD.format(style=style, legend=legend, kept=kept))


def _summary(sanitized: Result) -> str:
    masked = sum(decision.masked for decision in sanitized.decisions)
    risk = sanitized.risk
    leaks = f" {risk.leaks} surface forms of masked entities are still in it." if risk.leaks else ""
    attacks = "".join(f" {identified(found)}" for found in sanitized.identifications)
    return html.escape(
        f"{masked} of {len(sanitized.decisions)} entities masked. {risk_left(risk)}{leaks}{attacks}"
    )


def _body(sanitized: Result, reveal: bool, kept: bool) -> Iterator[str]:
    decisions = {decision.entity.id: decision for decision in sanitized.decisions}
    marks = [
        (
            edit.output_start,
            edit.output_end,
            "mark",
            _edit_attributes(edit, decisions, sanitized, reveal),
        )
        for edit in sanitized.replacements
    ]
    if kept:
        marks += [
            (start, end, "u", f' title="{html.escape(_reason(decision))}"')
            for start, end, decision in _kept_mentions(sanitized)
        ]
    marks.sort(key=lambda mark: mark[:2])
    text = sanitized.text
    position = 0
    for start, end, element, attributes in marks:
        yield html.escape(text[position:start])
        yield f"<{element}{attributes}>{html.escape(text[start:end])}</{element}>"
        position = end
    yield html.escape(text[position:])


def _edit_attributes(
    edit: Replacement, decisions: dict[str, Decision], sanitized: Result, reveal: bool
) -> str:
    involved = [decisions[name] for name in edit.entity_ids if name in decisions]
    types = {decision.entity.type for decision in involved}
    style = str(types.pop()) if len(types) == 1 else "MISC"
    reasons = [_reason(decision) for decision in involved] or ["masked"]
    reasons += [f"options: {text}" for item in involved if (text := _options(item, reveal))]
    if reveal:
        reasons.insert(0, f"was: {edit.original.of(sanitized.document.text)}")
    title = html.escape("\n".join(reasons))
    empty = " removed" if edit.output_start == edit.output_end else ""
    return f' class="{style}{empty}" tabindex="0" title="{title}"'


def _reason(decision: Decision) -> str:
    kind = TYPES[decision.entity.type]
    verb = f"masked ({decision.operator})" if decision.masked else "kept"
    reasons = " ".join(decision.reasons)
    return f"{decision.entity.id}, {kind}, {decision.identifier}, risk {decision.risk:.2f}: {verb}. {reasons}"


def _options(decision: Decision, reveal: bool) -> str:
    """Return what may be written, for the reviewer; no more than what is, unless revealed."""
    return " · ".join(option.text for option in visible_options(decision, reveal))


def _kept_mentions(sanitized: Result) -> Iterator[tuple[int, int, Decision]]:
    """Yield the mentions of kept entities by their place in the sanitized text, disjoint."""
    mentions = sorted(
        (
            (mention.span, decision)
            for decision in sanitized.decisions
            if not decision.masked
            for mention in decision.entity.mentions
        ),
        key=lambda item: item[0],
    )
    edits = sorted(sanitized.replacements, key=lambda edit: edit.original)
    index, shift, last = 0, 0, 0
    for span, decision in mentions:
        while index < len(edits) and edits[index].original.end <= span.start:
            shift = edits[index].output_end - edits[index].original.end
            index += 1
        if index < len(edits) and edits[index].original.overlaps(span):
            continue
        if span.start >= last:
            last = span.end
            yield span.start + shift, span.end + shift, decision


def _table(sanitized: Result, reveal: bool) -> str:
    heads = ["Entity", "Type", "Mentions", "Identifier", "Risk", "Decision", "Reasons"]
    offered = any(decision.options for decision in sanitized.decisions)
    if offered:
        heads.append("Options")
    if reveal:
        heads.append("Original")
    rows = []
    for decision in sorted(sanitized.decisions, key=lambda item: -item.risk):
        entity = decision.entity
        cells = [
            entity.id,
            TYPES[entity.type],
            str(len(entity.mentions)),
            str(decision.identifier),
            f"{decision.risk:.2f}",
            f"masked: {decision.operator}" if decision.masked else "kept",
            " ".join(decision.reasons),
        ]
        if offered:
            cells.append(_options(decision, reveal))
        if reveal:
            strings = dict.fromkeys(m.span.of(sanitized.document.text) for m in entity.mentions)
            cells.append(" · ".join(strings))
        rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return (
        f"<details><summary>All {len(rows)} decisions</summary>\n<table>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table>\n"
        "</details>\n"
    )
