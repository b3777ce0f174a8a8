"""What indicators are worth, and the recipe's small parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacenda.deciding import Analysis
from tacenda.document import Document
from tacenda.evaluate.gold import parse_gold
from tacenda_lab.train.risk import judged_documents, read_biographies
from tests.building import entity, mention

pytest.importorskip("sklearn", reason="the recipe needs the extra train")

from tacenda.models.calibration import load_combining
from tacenda_lab.indicators.span import load_span_weights
from tacenda_lab.train.risk import (
    FittedRisk,
    IndicatorCase,
    card_of,
    fit_combining,
    fit_span,
    leave_one_out,
    performance,
    write_risk,
)

DOCUMENT = Document("d", "Anna Berg of Oslo sued Norway.")


def cases() -> list[IndicatorCase]:
    """Return entities that *right* judges rightly and *masking_head* at random."""
    found = []
    for number in range(200):
        share = float(number % 4 != 0)
        values = {"masking_head": 0.1 + 0.8 * (number % 3) / 2, "right": 0.2 + 0.6 * share}
        city = entity(f"e{number}", mention(DOCUMENT, "Oslo", "LOC"))
        found.append(IndicatorCase(f"d{number % 20}", city, 1, share, values))
    return found


def test_what_is_right_is_worth_most() -> None:
    """An indicator that is always right has an area of 1, and learned all but follows it."""
    rows = {row.name: row for row in leave_one_out(cases())}
    assert rows["right alone"].area == 1.0
    assert rows["masking_head alone"].area < 0.7
    assert rows["all, learned"].log_loss < rows["learned without right"].log_loss
    assert rows["right alone"].precision > rows["masking_head alone"].precision


def test_every_set_with_the_recognizer_gets_weights() -> None:
    """So that a policy may name any of them."""
    assert set(fit_combining(cases()).stacks) == {"masking_head", "masking_head+right"}


def test_figures_are_of_documents_that_were_not_fitted_to() -> None:
    """A value that tells nothing of other documents is worth nothing, however it was fitted."""
    assert performance(cases(), ["masking_head"], "learned", "x").precision == pytest.approx(
        0.75, abs=0.05
    )


def gold() -> dict[str, object]:
    """Return a document whose two annotators agree on the person and not on the city."""

    def said(*marks: tuple[int, int, str]) -> dict[str, object]:
        return {
            "entity_mentions": [
                {
                    "entity_type": "MISC",
                    "entity_mention_id": f"m{n}",
                    "entity_id": f"e{n}",
                    "start_offset": start,
                    "end_offset": end,
                    "span_text": DOCUMENT.text[start:end],
                    "identifier_type": identifier,
                }
                for n, (start, end, identifier) in enumerate(marks)
            ]
        }

    one = said((0, 9, "DIRECT"), (13, 17, "QUASI"))
    other = said((0, 9, "DIRECT"), (13, 17, "NO_MASK"))
    return {"doc_id": "d", "text": DOCUMENT.text, "annotations": {"a": one, "b": other}}


def test_a_share_is_that_of_the_annotators() -> None:
    """Both mask the person, one of two the city, nobody the state."""
    documents = {document.id: document for document in parse_gold([gold()])}
    found = (
        mention(DOCUMENT, "Anna Berg"),
        mention(DOCUMENT, "Oslo", "LOC"),
        mention(DOCUMENT, "Norway", "LOC"),
    )
    (item,) = judged_documents([Analysis(DOCUMENT, found)], documents)
    assert item.shares == (1.0, 0.5, 0.0)


def test_a_biography_is_read_as_one_annotator_saw_it(tmp_path: Path) -> None:
    """Equal strings are one entity, masked if one of its spans is."""
    marks = [(0, 9, "PERSON", "MASK"), (13, 17, "LOC", "NO_MASK")]
    record = {
        "doc_id": "d",
        "text": DOCUMENT.text,
        "spans": [
            {"start": start, "end": end, "type": type, "label": label}
            for start, end, type, label in marks
        ],
    }
    (tmp_path / "b.json").write_text(json.dumps([record]), encoding="utf-8")
    (item,) = read_biographies(tmp_path / "b.json")
    assert [entity.type for entity in item.entities] == ["PERSON", "LOC"]
    assert item.shares == (1.0, 0.0)


def test_the_folder_is_read_back(tmp_path: Path) -> None:
    """What is written is what the product reads, to four digits."""
    documents = {document.id: document for document in parse_gold([gold()])}
    items = list(
        judged_documents([Analysis(DOCUMENT, (mention(DOCUMENT, "Anna Berg"),))] * 5, documents)
    )
    fitted = FittedRisk(fit_span(items), fit_combining(cases()), (), 200)
    write_risk(fitted, card_of(fitted), tmp_path)
    assert load_combining(tmp_path).curves == fitted.combining.curves
    assert load_span_weights(tmp_path) == fitted.span
    assert json.loads((tmp_path / "digests.json").read_text())["CARD.md"]
