"""Words of every script and what stands between them."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tacenda.text.normal_form import fold_text
from tacenda.text.tokens import trim, unify_gaps, words
from tests.examples import for_each


@for_each(
    ("text", "found"),
    [
        ("galip yalman's", ["galip", "yalman", "s"]),
        ("yalman_report.docx", ["yalman", "report", "docx"]),
        ("16444/07", ["16444", "07"]),
        ("昨天张伟", ["昨", "天", "张", "伟"]),
        ("김철수a", ["김", "철", "수", "a"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("иванов", ["иванов"]),
        (" — ", []),
        ("", []),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    """Words are runs of letters, digits and marks, in spaceless scripts single characters."""
    assert [text[start:end] for start, end in zip(*words(text), strict=True)] == found


@given(st.text(max_size=40))
def test_every_letter_is_in_a_word(text: str) -> None:
    """Words come in order, without overlaps, and leave out no letter or digit."""
    starts, ends = words(text)
    assert sorted([*starts, *ends]) == [
        edge for pair in zip(starts, ends, strict=True) for edge in pair
    ]
    inside = {place for pair in zip(starts, ends, strict=True) for place in range(*pair)}
    for place, character in enumerate(text):
        if character.isalnum() or unicodedata.category(character)[0] == "M":
            assert place in inside


@for_each(
    ("text", "unified"),
    [
        ("16444 / 07", "16444 07"),
        ("16444-07", "16444 07"),
        ("galip.yalman", "galip yalman"),
        ("galip. yalman", "galip. yalman"),
        ("galip, yalman", "galip, yalman"),
        ("(ps)", "ps"),
    ],
)
def test_separators(text: str, unified: str) -> None:
    """What separates words alike is a space; what ends a sentence or a part of one stays."""
    assert unify_gaps(text) == unified


@given(st.text(st.sampled_from("ab1 -/._,;हि张\n"), max_size=30))
def test_unified_stays(text: str) -> None:
    """Unifying twice changes nothing, nor does trimming what is unified."""
    once = unify_gaps(fold_text(text))
    assert unify_gaps(once) == once
    assert not once or trim(once) == once


def test_marks_at_the_edge_are_no_punctuation() -> None:
    """Trimming keeps a vowel sign at the end of a word."""
    assert trim("«हिन्दी»,") == "हिन्दी"
