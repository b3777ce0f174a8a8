"""An attack as one HTML page that loads and runs nothing.

The browser is told so: the one style sheet whose digest is in the page's head is all it may apply.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib import resources

from ..background import People
from .html_chart import has_ensemble, rate_chart
from .html_documents import document_entry, worst_first
from .measure import AttackReport
from .tables import Rows, rate_rows

_OPEN = 5
"""Documents that are shown without a click, if their people are found."""


def page(report: AttackReport, people: People, *, reveal: bool) -> str:
    """Return the page of an attack, without lone surrogates.

    Args:
        report: the attack.
        people: who was looked for.
        reveal: shows the texts with the words that gave people away; for the review only.
    """
    style = (resources.files(__package__) / "attack.css").read_text("utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    entries = [
        document_entry(
            outcome, report, people, reveal=reveal, opened=place < _OPEN and outcome.rank == 1
        )
        for place, outcome in enumerate(worst_first(report.outcomes))
    ]
    whole = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="robots" content="noindex">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>Attack on a release</title><style>{style}</style></head><body>\n"
        "<header><h1>Attack on a release</h1>\n"
        '<p class="soft">Can somebody who knows these people still say whom the documents are '
        f"about?</p>\n{_verdict(report)}</header>\n<main>\n<h2>How many are found</h2>\n"
        f"{rate_chart(report)}\n<details><summary>The figures</summary><div>\n"
        f"{_table(rate_rows(report))}</div></details>\n{_legend(report)}\n"
        f"<h2>Documents, the worst first</h2>\n{''.join(entries)}</main></body></html>\n"
    )
    return whole.encode("utf-8", "replace").decode("utf-8")


def _verdict(report: AttackReport) -> str:
    rate, n = report.rate, len(report.outcomes)
    found = sum(outcome.rank == 1 for outcome in report.outcomes)
    what = "document is" if n == 1 else "documents are"
    return (
        f'<p class="verdict{" found" if found else ""}"><strong>{found} of {n} {what} re-identified'
        f"</strong>: some attacker ranks the right person first of {report.n_people:,}. "
        f"That is {rate.value:.1%}; in other documents of the kind between {rate.low:.1%} and "
        f"{rate.high:.1%} (95% interval).</p>"
    )


def _legend(report: AttackReport) -> str:
    originals = (
        " <em>Originals</em>: the documents before masking, the most that can be found."
        if report.original is not None
        else " Give the documents before masking with <code>--original</code> to see what they tell."
    )
    together = "<em>Ensemble</em>: found by any of the attackers." if has_ensemble(report) else ""
    return (
        f'<p class="soft">{together}'
        f"{originals} <em>Strangers</em>: the same attack for people whom the documents are not "
        "about; what it finds there is chance. The dashed line is the chance of a blind guess.</p>"
    )


def _table(rows: Rows) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in rows[0])
    body = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[1:]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"
