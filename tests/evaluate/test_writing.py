"""What is written into the texts of a gold, measured by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from tacenda.document import Document, Entity, Option
from tacenda.evaluate.replacement_gold import parse_replacements
from tacenda.models.networks import Question
from tacenda_lab.evaluation.writing import measure_writing, within_range
from tacenda_lab.indicators.language import surprisal
from tests.examples import for_each

from .test_replacements import GOLD, app, offer


class OneNatAWord:
    """A language model to which each word costs a nat, and half of one right after a date."""

    name = "one"
    window = 50
    mask_id = 0

    def pieces(self, text: str) -> Sequence[tuple[int, int, int]]:
        """Return the words, years by their number."""
        places, start = [], 0
        for word in text.split(" "):
            number = int(word[:4]) if word[:4].isdigit() else 1
            places.append((number, start, start + len(word)))
            start += len(word) + 1
        return places

    def answer(self, questions: Sequence[Question]) -> Sequence[NDArray[np.floating]]:
        """Return −½ where a year of 1810 is the word before, else −1."""
        return [
            np.array([-0.5 if place and q.ids[place - 1] == 1810 else -1.0 for place in q.places])
            for q in questions
        ]


def choose(document: Document, entity: Entity, options: tuple[Option, ...]) -> Option:
    """Return the first option."""
    return options[0]


def test_figures_by_hand() -> None:
    """Spans and nats of five mentions; the year is in its decade, and Bob keeps no more than the kind."""
    spans = parse_replacements(GOLD)
    above = {"Ulm": frozenset({"nothing"})}
    writing = measure_writing(
        spans,
        offer,
        choose,
        lambda document, entity: above.get(entity.mentions[0].span.of(document.text)),
        partial(surprisal, model=OneNatAWord()),
        0.01,
    )
    people, dates = writing.by_type["PERSON"], writing.by_type["DATETIME"]
    assert people["suppressed"].value == 0
    assert people["kept"].value == pytest.approx(0.1)
    assert (people["kept"].documents, dates["kept"].documents) == (3, 1)
    # A decade of two centuries of days.
    assert dates["kept"].value == pytest.approx(1 - 0.9 * np.log(3652) / np.log(73_049), abs=0.002)
    assert dates["kept_nats"].value == pytest.approx(dates["kept"].value)
    assert dates["told_nats"].value == pytest.approx(0.5)
    assert people["told_nats"].value == 0
    assert dates["true_range"].value == 1
    assert writing.figures["chosen_by_any"].documents == 5
    (document,) = writing.documents
    assert [str(piece.type) for piece in document.pieces][:2] == ["PERSON", "DATETIME"]
    assert document.pieces[1].chosen == ("1815", "date in the 1810s")


@for_each(
    ("option", "original", "holds"),
    [
        ("date in the 1990s", "12 March 1994", True),
        ("date in the 1980s", "12 March 1994", False),
        ("dates from the 1980s to the 1990s", "1985 and 1994", True),
        ("date in the 20th century", "1900", True),
        ("date in the 20th century", "1899", False),
        ("March 1994", "12 March 1994", True),
        ("between 1,000 and 5,000 €", "1,500.50 €", True),
        ("between 10 and 50 €", "60 €", False),
        ("between 10 and 50 €", "sixty euros", None),
        ("later date", "12 March 1994", None),
        ("date in the 1990s", "that spring", None),
    ],
)
def test_ranges_are_read_by_their_digits(option: str, original: str, holds: bool | None) -> None:
    """Whether all years or amounts of the original are within; None where one side has none."""
    assert within_range(option, original) is holds


def test_the_page_shows_each_place_twice(tmp_path: Path) -> None:
    """The original and what is written, with what people chose."""
    gold, page = tmp_path / "gold.json", tmp_path / "page.html"
    gold.write_text(json.dumps(GOLD), "utf-8")
    result = CliRunner().invoke(app, [str(gold), "--json", "--page", str(page)])
    assert result.exit_code == 0
    content = page.read_text("utf-8")
    assert '<mark class="DATETIME">1815</mark>' in content
    assert "1810s]</mark>" in content
    assert "people: 1815 · date in the 1810s" in content
    writing = json.loads(result.stdout)["writing"]
    assert writing["figures"]["chosen_by_any"]["of"] == 5
    assert writing["by_type"]["DATETIME"]["true_range"]["value"] == 1
