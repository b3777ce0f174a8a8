"""The page of errors stands alone and can't be broken by what a document says."""

from __future__ import annotations

import re

from tacenda.evaluate import evaluate, parse_gold, parse_masks
from tacenda.evaluate.page import error_page

from .corpus import standoff

TEXT = "Then <script>alert(1)</script> & \ud800 Anna Berg left $name."


def page() -> str:
    """Return the page of a system that masks one word too many and misses a name."""
    gold = parse_gold([standoff(TEXT, {"a": [("Anna Berg", "PERSON", "DIRECT", "e")]})])
    report = evaluate(gold, parse_masks({"d1": [[0, 4]]}), errors=5, bootstrap=10)
    return error_page("a <system>", report)


def test_it_has_the_errors_in_context() -> None:
    """What leaked and what was masked in vain are marked in their context."""
    assert "<mark>Anna Berg</mark>" in page()
    assert "<mark>Then</mark>" in page()


def test_text_of_documents_is_escaped() -> None:
    """Markup of a document or a name stays text, and so do dollar signs and lone surrogates."""
    content = page()
    assert "<script>alert" not in content
    assert "&lt;script&gt;alert(1)" in content
    assert "a &lt;system&gt;" in content
    assert "left $name." in content
    content.encode("utf-8")


def test_it_loads_nothing() -> None:
    """No address, no external file, and a policy that forbids them."""
    assert not re.search(r"https?:|src=|href=|url\(|@import", page())
    assert "default-src 'none'" in page()


def test_what_leaked_is_shared_out_by_type() -> None:
    """Figure 5: all that leaked is a PERSON here."""
    assert re.search(r"<th>PERSON</th><td class=n>1</td>.*100\.0%", page())
