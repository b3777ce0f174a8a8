"""The metrics on cases small enough to be worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.annotations.tab import parse_masks
from tacenda.document import Span
from tacenda.errors import InputError
from tacenda.evaluate.evaluation import EvaluationSettings, Report, evaluate
from tacenda.evaluate.gold import parse_gold

from .corpus import FIGURE_3, FIGURE_3_TEXT, spans, standoff


def run(document: dict[str, Any], masks: list[list[int]], **options: Any) -> Report:
    """Evaluate the masks of one document."""
    settings = EvaluationSettings(**options)
    return evaluate(parse_gold([document]), parse_masks({document["doc_id"]: masks}), settings)


def test_direct_identifiers_are_recalled_by_entity() -> None:
    """A person masked in one of two mentions is not masked; the code is: two of four."""
    report = run(FIGURE_3, spans(FIGURE_3_TEXT, "12345/67", "John Doe"))
    assert report.scores["entity_recall_direct"] == 2 / 4


def test_recall_is_averaged_over_annotators() -> None:
    """The date alone is one of two quasi-identifiers here and one of three there."""
    report = run(FIGURE_3, spans(FIGURE_3_TEXT, "1 October 2021"))
    assert report.scores["entity_recall_quasi"] == 2 / 5


def test_a_title_need_not_be_masked() -> None:
    """A mention "Mr Doe" counts as masked once its name is."""
    start = FIGURE_3_TEXT.index("Mr Doe") + 3
    masks = [*spans(FIGURE_3_TEXT, "12345/67", "John Doe"), [start, start + 3]]
    assert run(FIGURE_3, masks).scores["entity_recall_direct"] == 1.0


def test_precision_weighs_each_token_by_its_annotators() -> None:
    """Kingdom, of and Sweden are masked by one of two; John and Doe by both: 7 of 10."""
    report = run(FIGURE_3, spans(FIGURE_3_TEXT, "John Doe", "Kingdom of Sweden"))
    assert report.scores["token_precision"] == 7 / 10


def test_mention_precision_takes_a_span_as_a_whole() -> None:
    """A span that reaches past its mention is wrong for both annotators: 2 of 4."""
    report = run(FIGURE_3, spans(FIGURE_3_TEXT, "John Doe", "12345/67) by"))
    assert report.scores["mention_precision"] == 2 / 4


def test_token_recall_counts_words_of_all_mentions() -> None:
    """Masked 12345/67 (2 words) of 10 words for the first and 12 for the second.

    First: 2 of the code, John Doe 2, Mr Doe 2, British 1, date 3: 10, of which Mr needs no
    mask. Second: 2, 2, 2, Kingdom of Sweden 3, date 3, researcher 1: 13, where Mr and "of"
    need none. So (2 + 1 + 2 + 2) / 23.
    """
    report = run(FIGURE_3, spans(FIGURE_3_TEXT, "12345/67"))
    assert report.scores["token_recall"] == 7 / 23


def test_f2_leans_to_recall() -> None:
    """With precision 1 and recall 7/23, F2 = 5PR/(4P + R)."""
    report = run(FIGURE_3, spans(FIGURE_3_TEXT, "12345/67"))
    recall = 7 / 23
    assert report.scores["token_precision"] == 1.0
    assert report.scores["token_f1"] == pytest.approx(2 * recall / (1 + recall))
    assert report.scores["token_f2"] == pytest.approx(5 * recall / (4 + recall))


def test_a_mention_left_open_by_its_annotator_does_not_unmask_its_entity() -> None:
    """Of an entity with a QUASI and a NO_MASK mention only the former must be covered."""
    text = "Ankara is the city of Ankara2."
    document = standoff(
        text, {"a": [("Ankara", "LOC", "NO_MASK", "e"), ("Ankara2", "LOC", "QUASI", "e")]}
    )
    report = run(document, spans(text, "Ankara2"))
    assert report.scores["entity_recall_quasi"] == 1.0
    assert report.scores["entity_recall_direct"] is None
    assert report.scores["mention_recall"] == 1 / 2


def test_an_entity_is_direct_by_its_first_mention() -> None:
    """An entity that starts QUASI is a quasi-identifier whatever comes later."""
    text = "Anna Berg. Berg2."
    document = standoff(
        text, {"a": [("Anna Berg", "PERSON", "QUASI", "e"), ("Berg2", "PERSON", "DIRECT", "e")]}
    )
    report = run(document, [])
    assert report.scores["entity_recall_quasi"] == 0.0
    assert report.scores["entity_recall_direct"] is None


def test_an_undefined_recall_is_said_to_be_so() -> None:
    """Nothing to mask gives no recall, names it, and never divides by zero."""
    report = run(standoff("Nothing here.", {"a": []}), [])
    assert report.scores["token_recall"] is None
    assert {"token_recall", "entity_recall", "token_precision"} <= set(report.undefined)
    assert report.scores["token_precision"] == 0.0
    assert any("nothing to divide by" in note for note in report.notes)


def test_an_empty_text_is_scored() -> None:
    """A document without text is no error."""
    assert run(standoff("", {"a": []}), []).documents == 1


def test_entity_ids_belong_to_their_annotator() -> None:
    """The same id under two annotators names two entities, with mentions of their own."""
    text = "Anna met Berg."
    document = standoff(
        text,
        {"a": [("Anna", "PERSON", "DIRECT", "e")], "b": [("Berg", "PERSON", "DIRECT", "e")]},
    )
    assert run(document, spans(text, "Anna")).scores["entity_recall_direct"] == 1 / 2


def test_overlapping_masks_cover_once_and_cost_precision_twice() -> None:
    """Each of a system's spans counts in precision, as in the reference."""
    text = "Anna Berg spoke."
    document = standoff(text, {"a": [("Anna Berg", "PERSON", "DIRECT", "e")]})
    report = run(document, spans(text, "Anna Berg", "Berg spoke"))
    assert report.scores["token_precision"] == 3 / 4
    assert report.scores["text_kept"] == 1 - len("Anna Berg spoke") / len(text)
    assert report.scores["words_masked"] == 1.0


def test_documents_without_prediction_are_left_out_and_named() -> None:
    """Only predicted documents count; the notes name the others and unknown predictions."""
    text = "Anna spoke."
    gold = parse_gold(
        [
            standoff(text, {"a": [("Anna", "PERSON", "DIRECT", "e")]}, "d1"),
            standoff(text, {"a": [("Anna", "PERSON", "DIRECT", "e")]}, "d2"),
        ]
    )
    report = evaluate(gold, parse_masks({"d1": [[0, 4]], "d3": []}))
    assert report.documents == 1
    assert report.scores["entity_recall_direct"] == 1.0
    assert any("d2" in note for note in report.notes)
    assert any("d3" in note for note in report.notes)


def test_no_common_document_is_an_error() -> None:
    """Predictions for other documents altogether can't be scored."""
    with pytest.raises(InputError, match="none of its 1 documents"):
        evaluate(parse_gold([FIGURE_3]), parse_masks({"other": []}))


def test_a_split_selects_documents() -> None:
    """Only documents of the split count, and predictions for others go unmentioned."""
    gold = parse_gold([standoff("A.", {}, "d1", "dev"), standoff("B.", {}, "d2", "test")])
    report = evaluate(gold, parse_masks({"d1": [], "d2": []}), EvaluationSettings(split="test"))
    assert report.documents == 1
    assert "tab:test|docs:1|" in report.signature
    assert not any("d1" in note for note in report.notes)
    with pytest.raises(InputError, match=r"no document is of split 'train'.*'dev', 'test'"):
        evaluate(gold, parse_masks({"d1": []}), EvaluationSettings(split="train"))


def test_a_mask_past_the_end_is_an_error() -> None:
    """Offsets that are not in the text name the document and the position."""
    with pytest.raises(InputError, match=r"d1: masked span 0, \[0, 99\), ends past the text"):
        run(FIGURE_3 | {"text": "x" * 60, "annotations": {}}, [[0, 99]])


def test_intervals_hold_the_score_and_repeat() -> None:
    """The bootstrap is deterministic for a seed and collapses where documents agree."""
    documents = [
        standoff("Anna spoke.", {"a": [("Anna", "PERSON", "DIRECT", "e")]}, f"d{idx}")
        for idx in range(6)
    ]
    masks = parse_masks({f"d{idx}": [[0, 4]] if idx % 2 else [] for idx in range(6)})
    first = evaluate(parse_gold(documents), masks, EvaluationSettings(bootstrap=200))
    again = evaluate(parse_gold(documents), masks, EvaluationSettings(bootstrap=200))
    assert first.intervals == again.intervals
    low, high = first.intervals["entity_recall_direct"]
    assert low < 0.5 < high
    assert "bootstrap:200|seed:0" in first.signature
    everything = evaluate(
        parse_gold(documents),
        {f"d{idx}": (Span(0, 4),) for idx in range(6)},
        EvaluationSettings(bootstrap=50),
    )
    assert everything.intervals["entity_recall_direct"] == (1.0, 1.0)


texts = st.text(alphabet="ab A.-'’é\u0301😀עם\n", min_size=1, max_size=40)


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Any], list[list[int]]]:
    """Draw a document with annotators who overlap, and the masks of a system."""
    text = draw(texts)
    span = st.tuples(st.integers(0, len(text) - 1), st.integers(1, len(text))).map(
        lambda pair: [min(pair[0], pair[1] - 1), max(pair[0] + 1, pair[1])]
    )
    annotations: dict[str, Any] = {}
    for annotator in draw(st.lists(st.sampled_from("abc"), unique=True, max_size=3)):
        annotations[annotator] = {
            "entity_mentions": [
                {
                    "entity_type": draw(st.sampled_from(["PERSON", "LOC"])),
                    "start_offset": start,
                    "end_offset": end,
                    "identifier_type": draw(st.sampled_from(["DIRECT", "QUASI", "NO_MASK"])),
                    "entity_id": draw(st.sampled_from("xyz")),
                }
                for start, end in draw(st.lists(span, max_size=5))
            ]
        }
    document = {"doc_id": "d", "text": text, "annotations": annotations}
    return document, draw(st.lists(span, max_size=5))


@given(cases())
def test_figures_are_shares(case: tuple[dict[str, Any], list[list[int]]]) -> None:
    """Every figure is in [0, 1] or undefined, whatever overlaps."""
    report = run(*case, errors=5)
    shares = {**report.scores, "information_loss": 0.0}  # may be negative for a tiny text
    values = [*shares.values(), *report.token_recall_by_type.values()]
    assert all(value is None or 0 <= value <= 1 for value in values)
    assert {name for name, value in report.scores.items() if value is None} <= set(report.undefined)


@given(cases())
def test_masking_more_never_lowers_recall(case: tuple[dict[str, Any], list[list[int]]]) -> None:
    """Recall is monotone, and 1 once everything is masked."""
    document, masks = case
    some = run(document, masks[:2])
    more = run(document, masks)
    everything = run(document, [[0, len(document["text"])]])
    for name in ("token_recall", "entity_recall", "mention_recall"):
        low, high, highest = (report.scores[name] for report in (some, more, everything))
        if low is not None and high is not None:
            assert low <= high
            assert highest == 1.0
