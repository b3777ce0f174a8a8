"""Worst documents, and shares by type with their intervals."""

from __future__ import annotations

from tacenda.annotations.tab import parse_masks
from tacenda.evaluate.curves import precision_by_type, recall_by_type, worst_documents
from tacenda.evaluate.evaluation import evaluate
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.metrics import DocumentStatistics, Tally

from ..evaluate.corpus import FIGURE_3, FIGURE_3_TEXT, spans


def document(id: str, direct: int, words: int, vain: int) -> DocumentStatistics:
    """Return a document with so many of ten left, or masked in vain."""
    return DocumentStatistics(
        id,
        {
            "entities.direct": Tally(10 - direct, 10),
            "tokens.PERSON": Tally(10 - words, 10),
            "masked tokens.PERSON": Tally(10 - vain, 10),
        },
    )


def test_direct_identifiers_weigh_most() -> None:
    """Then words left, then words in vain, then the name; a faultless document is not there."""
    documents = [
        document("vain", 0, 0, 9),
        document("words", 0, 5, 0),
        document("fine", 0, 0, 0),
        document("direct", 1, 0, 0),
        document("also vain", 0, 0, 9),
    ]
    worst = [figures.document for figures in worst_documents(documents, 10)]
    assert worst == ["direct", "words", "also vain", "vain"]
    assert len(worst_documents(documents, 2)) == 2


def test_shares_by_type_are_those_of_the_evaluation() -> None:
    """The same values, with the words they are of and an interval around each."""
    masks = parse_masks({"d1": spans(FIGURE_3_TEXT, "John Doe", "The case")})
    report = evaluate(parse_gold([FIGURE_3]), masks)
    recall = recall_by_type(report.statistics, 50, 0)
    precision = precision_by_type(report.statistics, 0, 0)
    assert {share.type: share.value for share in recall} == report.token_recall_by_type
    assert {share.type: share.value for share in precision} == report.token_precision_by_type
    persons = next(share for share in recall if share.type == "PERSON")
    assert persons.words == 8  # John Doe and Mr Doe, by two annotators
    # John, Doe and the title, which needs no mask; one document, so all resamples are alike.
    assert persons.value == 0.75
    assert persons.interval == (0.75, 0.75)
    assert all(share.interval is None for share in precision)
