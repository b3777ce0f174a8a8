"""The tables of regular expressions."""

from __future__ import annotations

import re
from pathlib import Path

import tacenda
from tacenda.shipped import shipped_patterns, shipped_table
from tests.examples import for_each

SOURCES = [path.read_text("utf-8") for path in Path(tacenda.__file__).parent.rglob("*.py")]
TABLES = {name: shipped_table(name) for name in ("english_contexts", "pattern_forms")}


@for_each(
    ("table", "section"), [(name, section) for name, rows in TABLES.items() for section in rows]
)
def test_each_expression_is_used_by_the_one_module_of_its_section(table: str, section: str) -> None:
    """By its name, or as a piece of another."""
    (source,) = (
        text
        for text in SOURCES
        if re.search(rf'"{table}"(?:, |\)\[)"{section}"', " ".join(text.split()))
    )
    for name in TABLES[table][section]:
        is_piece = any(f"{{{name}}}" in text for text in TABLES[table][section].values())
        assert is_piece or re.search(rf"""\[["']{name}["']\]|_says\("{name}\"""", source), name


def test_a_piece_stands_for_another_expression_or_for_what_the_module_passes() -> None:
    """Line breaks are for the reader alone."""
    pattern = shipped_patterns("english_contexts", "date_tokens", month="march", year="1994")
    assert pattern["token"].match("march 1994")["month"] == "march"
    assert "\n" not in pattern["token"].pattern
