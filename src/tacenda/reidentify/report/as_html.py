"""An attack as one HTML page that loads and runs nothing."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Final

from .tables import Rows

_STYLE: Final = (
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0}"
    "th,td{border-bottom:1px solid #ccc;padding:.3rem .8rem;text-align:left;vertical-align:top}"
    "@media(prefers-color-scheme:dark){body{background:#16181b;color:#e6e6e6}}"
)


def page(rates: Rows, outcomes: Rows) -> str:
    """Return the page of two tables; the first row of each has the headings."""
    digest = b64encode(sha256(_STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>Attack on a release</title><style>{_STYLE}</style></head><body>\n"
        "<h1>Attack on a release</h1>\n"
        "<p>Who can still say whom the documents are about? Shares of documents, with intervals "
        f"at 95 %.</p>\n{_table(rates)}\n<h2>Documents</h2>\n{_table(outcomes)}\n</body></html>\n"
    )


def _table(rows: Rows) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in rows[0])
    body = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[1:]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"
