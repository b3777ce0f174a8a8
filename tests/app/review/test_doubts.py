"""Which entities need a person, and which of them are one question."""

from __future__ import annotations

from pathlib import Path

import tacenda.app
from tacenda.app.review.doubts import (
    MOST_TOGETHER,
    count_questions,
    doubts_of,
    questions_of,
    weight,
)
from tacenda.app.store.doubts import Doubt
from tacenda.document import SemanticType, Span
from tacenda.policy import Policy
from tests.examples import for_each

from ..building import MEMO, service

TEXT = "The town of Espoo, in 1994. The northern part of Kentville, in 1995, with Ada."


@for_each(
    ("risk", "count", "masked", "together", "is_asked"),
    [
        (0.04, 9, False, False, False),
        (0.05, 1, False, False, True),
        (0.9, 1, False, False, True),
        (0.6, 9, True, False, False),
        (0.5, 1, True, False, False),
        (0.5, 3, True, False, True),
        (0.01, 1, False, True, True),
    ],
)
def test_a_person_is_asked_of_all_that_stays_and_of_masks_that_readers_would_miss(
    risk: float, count: int, masked: bool, together: bool, is_asked: bool
) -> None:
    """Something masked once stays masked unasked; nothing that may have to be masked stays unasked."""
    assert (weight(risk, count, masked=masked, together=together) > 0) == is_asked


def test_nobody_is_asked_about_what_the_policy_keeps_on_purpose(tmp_path: Path) -> None:
    """Nor does the release wait for it; that it would be masked otherwise, or not, makes no difference."""
    allow = [{"exact": "Kentville"}, {"exact": "Ben Cole"}]
    by_list = Policy.build(operator="tag", patterns=False, allow=allow)
    by_type = Policy.build(operator="tag", patterns=False, thresholds={"LOC": 0.7})
    asked = {}
    for name, own in (("usual", None), ("list", by_list), ("type", by_type)):
        made = service(tmp_path / name, MEMO, policy=own)
        reviewed = made.open(1).reviewed
        asked[name] = {doubt.label for doubt in doubts_of(reviewed)}
        assert asked[name] == {item.entity.mentions[0].span.of(MEMO) for item in reviewed.doubtful}
        made.store.close()
    assert asked == {"usual": {"Kentville"}, "list": set(), "type": set()}


def _doubt(words: str, verdict: str = "kept", worth: float = 0.5, type: str = "LOC") -> Doubt:
    start = TEXT.index(words)
    span = Span(start, start + len(words))
    return Doubt(words, SemanticType(type), (span,), verdict, 0.2, worth)


def _questions(*doubts: Doubt) -> list[set[str]]:
    names = questions_of(TEXT, doubts)
    groups: dict[str, set[str]] = {}
    for doubt in doubts:
        groups.setdefault(names[doubt.span], set()).add(doubt.label)
    return sorted(groups.values(), key=sorted)


@for_each(
    ("doubts", "expected"),
    [
        # Small ones of a type are one question, whatever stands between them.
        ([_doubt("town of"), _doubt("Kentville")], [{"town of", "Kentville"}]),
        # Another type or another decision is another question.
        ([_doubt("town of"), _doubt("1994", type="DATETIME")], [{"1994"}, {"town of"}]),
        ([_doubt("town of"), _doubt("Kentville", "masked")], [{"Kentville"}, {"town of"}]),
        # A weighty one is asked by itself.
        ([_doubt("town of"), _doubt("Kentville", worth=2.0)], [{"Kentville"}, {"town of"}]),
        # Pieces of one thing go together, whatever their types and weights.
        (
            [_doubt("northern part of", type="MISC"), _doubt("Kentville", worth=3.0)],
            [{"Kentville", "northern part of"}],
        ),
        ([_doubt("town of", "masked", 3.0), _doubt("Espoo", worth=3.0)], [{"Espoo"}, {"town of"}]),
    ],
)
def test_pieces_of_one_thing_and_small_doubts_of_a_type_are_one_question(
    doubts: list[Doubt], expected: list[set[str]]
) -> None:
    """A person sees at a glance which of a short list is another case."""
    assert _questions(*doubts) == expected


def test_a_long_question_is_asked_in_parts_of_six() -> None:
    """A person sees everything that Enter confirms."""
    assert count_questions(["a"] * 6 + ["b"] * 7) == 3


def test_pages_ask_about_as_many_as_are_counted() -> None:
    """The number stands in the script of the queue, too."""
    script = Path(tacenda.app.__file__).parent / "web" / "static" / "queue.js"
    assert f"export const MOST_TOGETHER = {MOST_TOGETHER};" in script.read_text("utf-8")
