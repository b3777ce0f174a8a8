"""Draws docs/before-after.png: the beginning of a real judgment, original and sanitized.

python docs/before_after.py > page.html
chromium --headless --hide-scrollbars --screenshot=docs/before-after.png --window-size=1500,530 page.html
"""

from __future__ import annotations

import html
from pathlib import Path

import tacenda
from tacenda.document import SemanticType
from tacenda.wording import TAGS

COLOURS = {
    "PERSON": "#ffd6d6",
    "CODE": "#e4d7ff",
    "LOC": "#d3f0d8",
    "ORG": "#d5e6ff",
    "DEM": "#ffe7c7",
    "DATETIME": "#fff5b8",
    "QUANTITY": "#dff3f5",
    "MISC": "#ececec",
}
STYLE = """
body{margin:0;padding:22px;font:16px/1.55 Georgia,serif;color:#222;background:#fff}
main{display:grid;grid-template-columns:1fr 1fr;gap:34px}
h2{font:600 13px/1 system-ui,sans-serif;letter-spacing:.06em;text-transform:uppercase;color:#666}
p{margin:0 0 .7em}
mark{padding:1px 3px;border-radius:3px;color:#111}
section + section mark{white-space:nowrap}
footer{margin-top:8px;font:13px system-ui,sans-serif}
footer mark{margin-right:8px}
"""
CHARACTERS = 1260  # the page ends with the last whole paragraph before this


def main() -> None:
    text = (Path(__file__).parents[1] / "examples/judgment.txt").read_text(encoding="utf-8")
    result = tacenda.load().sanitize(text)
    end = text.rfind("\n\n", 0, CHARACTERS)
    types = {entity.id: str(entity.type) for entity in result.entities}
    before: list[str] = []
    after: list[str] = []
    position = 0
    for item in result.replacements:
        if item.original.start > end:
            break
        kept = html.escape(text[position : item.original.start])
        colour = COLOURS[types[item.entity_ids[0]]]
        before += [
            kept,
            f'<mark style="background:{colour}">{html.escape(item.original.of(text))}</mark>',
        ]
        after += [kept, f'<mark style="background:{colour}">{html.escape(item.text)}</mark>']
        position = item.original.end
    tail = html.escape(text[position:end])
    columns = "".join(
        f"<section><h2>{title}</h2><p>{''.join([*parts, tail]).replace(chr(10) * 2, '</p><p>')}</p></section>"
        for title, parts in (("Original", before), ("Sanitized", after))
    )
    legend = "".join(
        f'<mark style="background:{colour}">{TAGS[SemanticType(type)]}</mark>'
        for type, colour in COLOURS.items()
    )
    print(
        f"<meta charset=utf-8><style>{STYLE}</style><main>{columns}</main><footer>{legend}</footer>"
    )


if __name__ == "__main__":
    main()
