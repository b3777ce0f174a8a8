"""The page of the three tests: what it says, and what it keeps to itself."""

from __future__ import annotations

from tacenda.document import Document
from tacenda.pages.criteria import page
from tacenda.reidentify.criteria import ReleaseCase, evaluate_release, read_values
from tacenda.reidentify.criteria.report import inference_rows, risk_rows

TEXTS = ("She lives in Leeds, and she sings.", "They sing.", "<b>He sings</b>, and he runs.")


def html(*, known: bool = True, reveal: bool = False) -> str:
    """Return the page of three texts about two people."""
    values = [read_values([("sex", sex)]) if known else {} for sex in ("f", "f", "m")]
    cases = [
        ReleaseCase(Document(f"<i>{n}", text), person if known else "", value)
        for n, (text, person, value) in enumerate(zip(TEXTS, "aab", values, strict=True))
    ]
    report = evaluate_release(cases)
    return page(report, risk_rows(report), inference_rows(report.inference), reveal=reveal)


def test_texts_are_shown_only_when_asked_for() -> None:
    """Guesses come with their rule; the value and the words only with ``reveal``; markup stays text."""
    concealed, revealed = html(), html(reveal=True)
    assert "place named" in concealed
    assert "Leeds" not in concealed
    assert "united kingdom" not in concealed
    assert "united kingdom" in revealed
    assert "Leeds" in revealed
    assert "<i>0" not in revealed
    assert "&lt;i&gt;0" in revealed


def test_what_is_not_measured_is_said() -> None:
    """Without people there is no linkability, without known attributes no inference."""
    text = html(known=False)
    assert "nobody is known to have two documents" in text
    assert "nothing is known of the people" in text
    assert "Who infers what" in html()
    assert "Who infers what" not in text


def test_the_most_telling_document_comes_first() -> None:
    """Texts are ordered by how many people fit them."""
    text = html()
    assert text.index("one fits") < text.index("2 fit")
