"""Names of typefaces: those that programs ship, in any cut, and no others."""

from __future__ import annotations

from tacenda.documents.typefaces import is_shipped
from tests.examples import for_each


@for_each(
    ("name", "shipped"),
    [
        ("Times-Roman", True), ("TimesNewRomanPSMT", True), ("TimesNewRomanPS-BoldItalicMT", True),
        ("Times New Roman,Normal", True), ("Arial,Bold Italic", True), ("ABCDEF+Georgia-BoldItalic", True),
        ("Vrinda", True), ("ＭＳ Ｐゴシック", True), ("Galip Yalman Sans", False), ("Roman", False), ("Bold", False), ("--", False),
    ],
)  # fmt: skip
def test_a_family_is_shipped_in_each_cut(name: str, shipped: bool) -> None:
    """A cut alone names none."""
    assert is_shipped(name) is shipped
