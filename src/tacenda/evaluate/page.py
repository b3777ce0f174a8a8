"""The errors of a system as one HTML page that stands alone (TAB, Figures 4 and 5).

The page loads nothing from anywhere. It holds text of the documents: keep it where they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from string import Template
from typing import Final

from .errors import ErrorKind, ErrorReport, MaskingError
from .leaks import frequency_by_type, leaks_by_type
from .report import Report


def error_page(name: str, report: Report) -> str:
    """Return a page with the figures and the errors of a system.

    Args:
        name: of the system.
        report: made with ``errors`` above 0.
    """
    errors = report.errors or ErrorReport((), {})
    kinds = [kind for kind in ErrorKind if any(kind is found for found, _ in errors.counts)]
    return _PAGE.substitute(
        name=escape(name),
        documents=report.documents,
        signature=escape(report.signature),
        figures=_figures(report),
        false_negatives=_false_negatives(report, errors),
        counts=_counts(errors),
        kinds="".join(f"<option>{kind.value}</option>" for kind in kinds),
        types="".join(
            f"<option>{escape(type_)}</option>" for type_ in sorted({e.type for e in errors.errors})
        ),
        rows="".join(map(_row, errors.errors)),
    )


def _figures(report: Report) -> str:
    rows = []
    for metric, value in report.scores.items():
        interval = report.intervals.get(metric)
        spread = f"{interval.low:.3f} – {interval.high:.3f}" if interval else ""
        shown = "undefined" if value is None else f"{value:.3f}"
        label = metric.replace("_", " ")
        rows.append(f"<tr><th>{label}</th><td class=n>{shown}</td><td>{spread}</td></tr>")
    return "".join(rows)


def _false_negatives(report: Report, errors: ErrorReport) -> str:
    """Return Figure 5: the types of what leaked, beside their frequency in the corpus."""
    leaked = leaks_by_type(errors)
    frequencies = frequency_by_type(report)
    rows = []
    for type_, n in leaked.most_common():
        share = n / leaked.total()
        frequency = frequencies.get(type_, 0.0)
        rows.append(
            f"<tr><th>{escape(type_)}</th><td class=n>{n}</td>"
            f'<td class=bar><i style="width:{share:.1%}"></i>{share:.1%}</td>'
            f"<td class=n>{frequency:.1%}</td></tr>"
        )
    return "".join(rows) or "<tr><td>nothing leaked</td></tr>"


def _counts(errors: ErrorReport) -> str:
    types = sorted({type_ for _, type_ in errors.counts})
    head = "".join(f"<th>{escape(type_)}</th>" for type_ in types)
    body = "".join(
        f"<tr><th>{kind.value}</th>"
        + "".join(f"<td class=n>{errors.counts.get((kind, type_), 0)}</td>" for type_ in types)
        + "</tr>"
        for kind in ErrorKind
    )
    return f"<tr><th></th>{head}</tr>{body}"


def _row(error: MaskingError) -> str:
    cells: Iterable[str] = (
        error.kind.value,
        error.type,
        error.identifier or "–",
        str(error.annotators),
        f"{error.document} {error.start}–{error.end}",
    )
    context = f"{_text(error.before)}<mark>{_text(error.text)}</mark>{_text(error.after)}"
    shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return (
        f'<tr data-kind="{error.kind.value}" data-type="{escape(error.type)}">{shown}'
        f"<td class=context>{context}</td></tr>"
    )


def _text(text: str) -> str:
    # Lone surrogates can't be written as UTF-8.
    return escape(text.encode("utf-8", "replace").decode("utf-8"))


_PAGE: Final = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>Errors of $name</title>
<style>
body{font:15px/1.45 system-ui,sans-serif;color:#1c2126;background:#fff;max-width:1100px;
margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.05rem;margin:2rem 0 .5rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .7rem .2rem 0;text-align:left;vertical-align:top;font-weight:400;
border-bottom:1px solid #e6e8ea}
.n{text-align:right}.note,td{color:#3d464e}.note{font-size:.85rem;overflow-wrap:anywhere}
.bar{width:18rem}.bar i{display:inline-block;height:.7rem;background:#b4552d;margin-right:.5rem;
max-width:13rem}
.context{overflow-wrap:anywhere;color:#1c2126}
mark{background:#f6d5c6;padding:0 .1em}tr[data-kind="over-masked"] mark{background:#f4e7a8}
select{font:inherit;margin-right:1rem}.scroll{overflow-x:auto}
#errors th{position:sticky;top:0;background:#fff;font-weight:600}
@media print{select,label{display:none}}
</style></head><body>
<h1>Errors of $name</h1>
<p class=note>$documents documents · $signature</p>
<h2>Figures, with 95 % confidence intervals where computed</h2><table>$figures</table>
<h2>What leaked, by type: mentions, share, and the type's share of all words to mask</h2>
<table>$false_negatives</table>
<h2>Errors by kind and type</h2><div class=scroll><table>$counts</table></div>
<p class=note>missed: nothing of the entity is masked · inconsistent: another mention of it is ·
partial: some of the mention is readable · over-masked: no annotator masked it; NONE: none even
marked it</p>
<h2>Errors in context</h2>
<label>kind <select id=kind><option value="">all</option>$kinds</select></label>
<label>type <select id=type><option value="">all</option>$types</select></label>
<div class=scroll><table id=errors><thead><tr><th>kind</th><th>type</th><th>identifier</th>
<th>annotators</th><th>place</th><th>context</th></tr></thead><tbody>$rows</tbody></table></div>
<script>
const kind=document.getElementById("kind"),type=document.getElementById("type");
const rows=document.querySelectorAll("#errors tbody tr");
function show(){for(const r of rows)r.hidden=(kind.value&&r.dataset.kind!==kind.value)||
(type.value&&r.dataset.type!==type.value)}
kind.onchange=type.onchange=show;
</script></body></html>
""")
