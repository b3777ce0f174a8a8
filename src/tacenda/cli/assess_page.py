"""What ``tacenda assess --html`` prints: a page for somebody who is no engineer.

One self-contained file without scripts. It shows strings of the original: it is for the reviewer, not
for the release.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from ..wording import TYPES, indicator_label, risk_left

if TYPE_CHECKING:
    from ..alternatives import Choice
    from ..document import Assessment, Decision, Document, Entity, Evidence
    from ..result import Result
    from ..risk.search import SearchReport

_DANGEROUS = 5
_LONGEST_STRING = 80
_IDENTIFIERS = {
    "DIRECT": "identifies the person by itself",
    "QUASI": "may identify the person together with other things",
    "NO_MASK": "hardly identifies anybody",
}
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Risk of being identified</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>Risk of being identified</h1>
<p class="quiet">For review only: this page shows what stands in the original. A risk is the probability, from
0 to 1, that a careful person would say that this must be masked. <em>Information lost</em> tells how much a reader
would miss: 0 for nothing, about 10 for a rare word.</p>
</header>
<main>
{sections}</main>
</body>
</html>
"""


def page(sections: Sequence[str]) -> str:
    """Return the page of these sections."""
    style = resources.files(__package__).joinpath("assess_page.css").read_text("utf-8")
    return _PAGE.format(style=style, sections="".join(sections))


def section(result: Result, assessments: Sequence[Assessment], report: SearchReport | None) -> str:
    """Return what is to be said of one document.

    Args:
        result: what the policy would make of it.
        assessments: one an entity, in the order of the decisions.
        report: of a search, where something was searched.
    """
    pairs = sorted(zip(assessments, result.decisions, strict=True), key=lambda pair: -pair[0].risk)
    names = {each.entity.id: _name(result.document, each.entity) for each in assessments}
    rows = "".join(_row(result.document, *pair) for pair in pairs)
    return (
        f"<section>\n<h2>{escape(result.document.id)}</h2>\n{''.join(_summary(result, names))}"
        "<table>\n<thead><tr><th>What it is</th><th>Risk</th><th>What is done, and why</th>"
        "<th>What the indicators say</th><th>Alternatives</th></tr></thead>\n"
        f"<tbody>\n{rows}</tbody>\n</table>\n{''.join(_together(report, names))}</section>\n"
    )


def _summary(result: Result, names: dict[str, str]) -> Iterator[str]:
    masked = sum(decision.masked for decision in result.decisions)
    yield (
        f'<p class="verdict">Of {len(result.decisions)} things that were found, {masked} would be '
        f"masked. {risk_left(result.risk)}</p>\n"
    )
    kept = sorted(
        (decision for decision in result.decisions if not decision.masked),
        key=lambda decision: -decision.risk,
    )
    if kept:
        yield "<h3>The most dangerous things that are kept</h3>\n<ol>"
        for decision in kept[:_DANGEROUS]:
            yield (
                f"<li>{names[decision.entity.id]} "
                f"<span class=quiet>({TYPES[decision.entity.type]})</span>{_bar(decision.risk)}</li>"
            )
        yield "</ol>\n"


def _row(document: Document, assessment: Assessment, decision: Decision) -> str:
    from ..alternatives import alternatives

    entity = decision.entity
    times = len(entity.mentions)
    count = "once" if times == 1 else f"{times} times"
    done = "masked" if decision.masked else "kept"
    reason, *further = decision.reasons
    stated = {evidence.statement for evidence in assessment.evidence}
    also = "".join(f"<p>{escape(each)}</p>" for each in further if each not in stated)
    evidence = "".join(map(_evidence, assessment.evidence))
    choices = "".join(map(_choice, alternatives(document, decision)))
    return (
        f'<tr class="{done}"><th scope="row">{_name(document, entity)}'
        f"<p class=quiet>{TYPES[entity.type]}, {count}; {_IDENTIFIERS[assessment.identifier]}</p></th>"
        f"<td>{_bar(assessment.risk)}</td>"
        f"<td><p>{escape(reason)}</p>{also}</td>"
        f"<td><ul>{evidence}</ul></td><td><ul>{choices}</ul></td></tr>\n"
    )


def _evidence(evidence: Evidence) -> str:
    name = indicator_label(evidence.indicator)
    return f"<li><b>{escape(name)}</b>{_bar(evidence.value)} {escape(evidence.statement)}</li>"


def _choice(choice: Choice) -> str:
    text = f"write <q>{escape(choice.text)}</q>" if choice.text else "keep it"
    made = ' class="made"' if choice.made else ""
    return (
        f"<li{made}>{text}: information lost {choice.lost:.1f}, risk left {choice.risk:.3g}"
        f"{' <b>(done)</b>' if choice.made else ''}</li>"
    )


def _bar(value: float) -> str:
    return (
        f' <span class="value"><meter min="0" low="0.2" high="0.5" max="1" optimum="0" value="{value:.4f}" aria-hidden="true"></meter> '
        f"{value:.2f}</span>"
    )


def _together(report: SearchReport | None, names: dict[str, str]) -> Iterator[str]:
    if report is None:
        return
    found = [each for each in report.combinations if len(each.entity_ids) > 1]
    if found:
        yield "<h3>Risky together: of each of these, something must change</h3>\n<ul>"
        for each in found:
            members = " with ".join(names[id] for id in each.entity_ids)
            says = escape(" ".join(evidence.statement for evidence in each.evidence))
            yield f"<li>{members}{_bar(each.risk)} {says}</li>"
        yield "</ul>\n"
    yield f"<p class=quiet>{escape(' '.join(report.sentences()))}</p>\n"


def _name(document: Document, entity: Entity) -> str:
    strings = (" ".join(mention.span.of(document.text).split()) for mention in entity.mentions)
    string = max(strings, key=len)
    shown = string if len(string) <= _LONGEST_STRING else string[: _LONGEST_STRING - 1] + "…"
    return f"<q>{escape(shown)}</q>"
