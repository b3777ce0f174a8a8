"""Names of people who are known before a text is read: many of them in one text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tacenda.detect.target_mentions import target_mentions
from tacenda.text import matching
from tacenda.text.readings import TextReading, readings

FORMS = (
    "Anna Berg", "BERG, Anna", "@aberg", "anna.berg_87", "A. Berg", "Mrs Berg", "Be-\n> rg", "Ber\ng", "Anna%20Berg",
    "the Bergs", "#FreeAnnaBerg", "A.B.", "Anna", "Ånna Bérg",
)  # fmt: skip


def test_many_names_are_found_as_each_alone() -> None:
    """What is found of a name doesn't depend on the names that are looked for with it."""
    names = ["Anna Berg", "Omar Haddad", "Berg", "Wei O", "Acme Ltd", "王伟", "Anna Haddad", "..."]
    text = " ".join(f"{form} met Omar Haddad and O. Wei, 王伟, of Acme Ltd;" for form in FORMS)
    together = list(target_mentions(text, names))
    assert together == [mention for name in names for mention in target_mentions(text, [name])]
    assert {mention.span.of(text) for mention in together} >= {
        "@aberg",
        "anna.berg_87",
        "王伟",
        "Acme Ltd",
        "A.B.",
    }


def test_a_text_is_read_once_for_all_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many people a record names."""
    read: list[str] = []

    def counted(text: str) -> Iterator[TextReading]:
        read.append(text)
        return readings(text)

    monkeypatch.setattr(matching, "readings", counted)
    text = "Anna Berg met Omar Haddad. " * 20
    list(target_mentions(text, [f"Anna {letter}erg" for letter in "ABCDEFGHIJKLMNOP"]))
    assert read == [text]
