"""The result of a document without the text of removed parts: what is struck, and where everything else goes."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.leaving import _missing, struck
from tacenda.document import Document, Leak
from tacenda.text.spans import edited_text

from ..documents.conftest import mask_strings

WORDS = st.sampled_from(["Ada", "Ann", "Al", "saw", "a", "\n", " ", "é", "𝒳"])


@given(st.lists(WORDS, max_size=30), st.data())
def test_what_is_struck_is_gone_and_the_edits_still_lead_to_the_text(
    words: list[str], data: st.DataObject
) -> None:
    """Struck code points go, line ends stay, and all edits carried out on the original make the text."""
    result = mask_strings(Document("d", "".join(words)), "Ada", "Ann")
    places = st.integers(0, max(0, len(result.text) - 1))
    gone = data.draw(st.frozensets(places)) if result.text else frozenset()
    after = struck(result, gone)
    edits = [(edit.original.start, edit.original.end, edit.text) for edit in after.replacements]
    assert edited_text(result.document.text, edits) == after.text
    for edit in after.replacements:
        assert after.text[edit.output_start : edit.output_end] == edit.text
    assert after.text.count("\n") == result.text.count("\n")
    assert len(after.text) <= len(result.text) - sum(result.text[n] != "\n" for n in gone)
    if not result.replacements:
        kept = "".join(c for n, c in enumerate(result.text) if n not in gone or c == "\n")
        assert after.text == kept


@given(st.lists(WORDS, max_size=30), st.data())
def test_the_missing_code_points_are_what_the_other_text_lacks(
    words: list[str], data: st.DataObject
) -> None:
    """Without them, a text has nothing that the other one, from which words were removed, doesn't have in order."""
    stays = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    text = "".join(words)
    other = "".join(word for word, kept in zip(words, stays, strict=True) if kept)
    missing = set(_missing(text, other))
    rest = iter(other)
    assert all(c in rest for n, c in enumerate(text) if n not in missing)


def test_a_leak_in_what_is_struck_is_none() -> None:
    """One elsewhere is found at its new place."""
    result = mask_strings(Document("d", "Ask Bo. Bo came."), "Ask")
    first, second = (result.text.find("Bo"), result.text.rfind("Bo"))
    leaks = tuple(Leak("e1", start, start + 2) for start in (first, second))
    after = struck(replace(result, leaks=leaks), range(second))
    (leak,) = after.leaks
    assert after.text == "Bo came."
    assert after.text[leak.output_start : leak.output_end] == "Bo"
