"""The table of regular expressions over English text."""

from __future__ import annotations

import re
from pathlib import Path

import tacenda
from tacenda.shipped import shipped_patterns, shipped_table
from tests.examples import for_each

SOURCES = [path.read_text("utf-8") for path in Path(tacenda.__file__).parent.rglob("*.py")]
TABLE = shipped_table("english_contexts")


@for_each("section", TABLE)
def test_each_expression_is_used_by_the_one_module_of_its_section(section: str) -> None:
    """By its name, or as a piece of another."""
    (source,) = (
        text
        for text in SOURCES
        if re.search(rf'"english_contexts"(?:, |\)\[)"{section}"', " ".join(text.split()))
    )
    for name in TABLE[section]:
        is_piece = any(f"{{{name}}}" in text for text in TABLE[section].values())
        assert is_piece or re.search(rf"""\[["']{name}["']\]|_says\("{name}\"""", source), name


def test_a_piece_stands_for_another_expression_or_for_what_the_module_passes() -> None:
    """Line breaks are for the reader alone."""
    pattern = shipped_patterns("english_contexts", "date_tokens", month="march", year="1994")
    assert pattern["token"].match("march 1994")["month"] == "march"
    assert "\n" not in pattern["token"].pattern
