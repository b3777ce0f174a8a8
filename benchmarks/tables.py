"""Heads of tables in Markdown, as every measurement prints them and RESULTS.md has them."""

from __future__ import annotations


def print_header(titles: str) -> None:
    """Print the titles of a table, ``| one | other |``, and the rule below them."""
    print(titles, f"|{'---|' * (titles.count('|') - 1)}", sep="\n", flush=True)
