"""The page of a result: what it shows, what only the reviewer may see, and that nothing breaks out."""

from __future__ import annotations

from dataclasses import replace

from tacenda.document import Document
from tacenda.result import Result
from tests.building import reason
from tests.documents.conftest import mask_strings

from .markup import HOSTILE, UNWRITABLE, Elements, check_alone


def result(text: str = "Galip met Ann.", name: str = "letter") -> Result:
    """Return a document with Galip masked and Ann kept."""
    return mask_strings(Document(name, text), "Galip", kept=("Ann",))


def test_a_page_shows_the_text_with_its_edits() -> None:
    """What was written is marked and takes the focus, what was kept is underlined."""
    elements = check_alone(result().to_html())
    assert "[X] met Ann." in elements.text
    (mark,) = (a for tag, a in elements.tags if tag == "mark" and "title" in a)
    assert (mark["class"], mark["tabindex"]) == ("PERSON", "0")
    assert [tag for tag, _ in elements.tags].count("u") == 1
    assert "1 of 2 entities masked" in elements.text


def test_originals_are_shown_to_the_reviewer_alone() -> None:
    """Neither the page nor a notebook has the masked string, unless it is revealed."""
    assert "Galip" not in result().to_html()
    assert "Galip" not in result()._repr_html_()
    revealed = result().to_html(reveal=True)
    assert "was: Galip" in revealed
    assert "<td>Galip</td>" in revealed


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    """The frame holds the whole page, runs nothing, and its style sheet reaches nothing around it."""
    ((tag, attributes),) = Elements(result()._repr_html_()).tags
    assert tag == "iframe"
    assert attributes["srcdoc"] == result().to_html()
    assert attributes["sandbox"] is None


def test_nothing_breaks_out() -> None:
    """Name, text, replacements, reasons and warnings stay text, whatever they say."""
    text = f"Galip met Ann. {HOSTILE} {UNWRITABLE}"
    hostile = mask_strings(Document(HOSTILE, text), "Galip", kept=("Ann",), text=HOSTILE)
    decisions = tuple(
        replace(d, reasons=(reason(HOSTILE),), operator=HOSTILE) for d in hostile.decisions
    )
    elements = check_alone(replace(hostile, decisions=decisions).to_html(reveal=True))
    assert elements.text.count(HOSTILE) >= 5
    assert "half \ufffd and null \ufffd" in elements.text
