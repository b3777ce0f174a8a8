"""The measurement of a language model, against an endpoint on this machine that says what it was told to."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.language_model import (
    Asker,
    attribute_question,
    grade,
    infer,
    interval,
    is_right,
    masked,
    quoted,
    same_order,
    second_reader,
    share,
    spearman,
)
from benchmarks.sets import Counts, Text
from tacenda.document import Span
from tests.lab.llm.conftest import ToyModel, completion, said
from tests.test_benchmarks import run

NOTE = "Anna Berg met Tom Hale in the rain."
ANNA, TOM = Span(0, 9), Span(14, 22)


def asker(model: ToyModel, seconds: float = 60.0) -> Asker:
    """The model as a measurement asks it."""
    return Asker(model.endpoint(), seconds)


def note(id: str = "n") -> Text:
    """A note about two people, one of them named directly."""
    return Text("toy", id, NOTE, ((0, 9, True), (14, 22, False)), complete=True)


def content(body: dict[str, Any]) -> str:
    """The last message of a request."""
    text: str = body["messages"][-1]["content"]
    return text


def test_the_reader_sees_masks_and_adds_what_it_quotes(model: ToyModel) -> None:
    """Recall gains the second name; precision pays for each innocent letter; made-up quotes do nothing."""
    quotes = ["Tom Hale", "rain", "Rome", "*** met"]
    model.replies["reader"] = said({"quotes": quotes})
    ((before, after),) = second_reader(asker(model), [note()], [[ANNA]])
    assert before == Counts((1, 1), (0, 1), (8, 8), (0, 0))
    # 8 letters of Anna Berg and 7 of Tom Hale; rain and met are 7 more.
    assert after == Counts((1, 1), (1, 1), (15, 22), (0, 0))
    (body,) = model.requests
    assert "*** met Tom Hale" in content(body)
    assert "Anna" not in content(body)


@pytest.mark.parametrize(
    "reply",
    [
        completion("I'm sorry, I can't help with that."),
        completion('{"quotes": "Tom Hale"}'),
        completion("[]"),
        completion("{not json}"),
        completion(None),
    ],
)
def test_an_answer_in_another_form_quotes_nothing(model: ToyModel, reply: object) -> None:
    """It is counted as missing, not as an answer."""
    model.replies["reader"] = reply
    toy = asker(model)
    ((before, after),) = second_reader(toy, [note()], [[ANNA]])
    assert before == after
    assert toy.endpoint.cost.answers == 0
    assert sum(toy.endpoint.cost.silences.values()) == 1


def test_quotes_are_whole_words_wherever_they_occur() -> None:
    """Both mentions of a name, not the beginning of another word; nothing for signs or single letters."""
    text = "Ann, Anna and Ann."
    assert list(quoted(text, ["Ann"])) == [Span(0, 3), Span(14, 17)]
    assert list(quoted(text, ["A", ",", "", 3, "***"])) == []
    assert masked(text, [Span(14, 17), Span(0, 3), Span(1, 3)]) == "***, Anna and ***."


@pytest.mark.parametrize(
    ("attribute", "truth", "guess", "right"),
    [
        ("sex", "female", "Woman", True),
        ("sex", "male", "female", False),
        ("age", "41", "about 43 years", True),
        ("age", "41", "44", False),
        ("age", "41", "", False),
        ("occupation", "nurse", "a night nurse", True),
        ("occupation", "school nurse", "nurse", False),
        ("place", "Leeds", "", False),
    ],
)
def test_a_guess_is_right_by_its_words(
    attribute: str, truth: str, guess: str, *, right: bool
) -> None:
    """Of ages by two years, of sexes by any word for one."""
    assert is_right(attribute, truth, guess) is right


def test_attributes_are_guessed_before_and_after(model: ToyModel) -> None:
    """Only those of the subject count, and only those that a text has."""
    truth = {"age": {"value": "41", "words": []}, "birth": {"value": "1980", "words": []}}
    other = {"id": "B", "attributes": {"sex": {"value": "male", "words": []}}}
    row = {"text": "I am 41.", "subject": "A", "people": [other, {"id": "A", "attributes": truth}]}
    nothing = dict.fromkeys(attribute_question("").schema["required"], "")
    model.replies["attributes"] = lambda body: said(
        nothing | {"age": "41" if "I am 41" in content(body) else "", "sex": "male"}
    )
    assert infer(asker(model), [row], ["I am ***."]) == [[("age", True, False)]]


def test_a_text_without_all_grades_is_left_out(model: ToyModel) -> None:
    """The others keep grade and utility in order."""
    model.replies["judge"] = lambda body: (
        completion("No.") if "secret" in content(body) else said({"grade": 7})
    )
    releases = [[("one", 0.5), ("secret", 0.2)], [("one", 0.5), ("two", 0.2)]]
    assert grade(asker(model), ["a", "b"], releases) == [[(7, 0.5), (7, 0.2)]]


def test_agreement_by_hand() -> None:
    """Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4; of three pairs one is in order, one isn't, one is a tie."""
    rows = np.array([[1.0, 0.1], [3.0, 0.2], [3.0, 0.3], [9.0, 0.4]])
    assert spearman(rows) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    assert np.isnan(spearman(np.array([[1.0, 0.1], [1.0, 0.2]])))
    pairs = same_order([(2, 0.1), (5, 0.2), (2, 0.3)])
    assert sorted(pairs) == [(0.0, 1.0), (0.5, 1.0), (1.0, 1.0)]
    assert same_order([(2, 0.1), (5, 0.1)]) == []


def test_an_interval_holds_the_figure() -> None:
    """One document has no spread; of two unlike ones the interval is between them."""
    assert interval([[(1, 2)]], share) == "0.500 [0.500, 0.500]"
    assert interval([[(0, 2)], [(2, 2)]], share) == "0.500 [0.000, 1.000]"
    assert interval([], share) == "–"
    assert interval([[(0, 0.1)], [(0, 0.2)]], spearman) == "–"


def test_a_part_ends_with_its_time(model: ToyModel) -> None:
    """Without any time one document is asked about, and reported."""
    model.replies["reader"] = said({"quotes": []})
    pairs = second_reader(asker(model, seconds=-1), [note("a"), note("b")], [[], []])
    assert len(pairs) == len(model.requests) == 1


def test_the_reader_needs_documents(model: ToyModel) -> None:
    """Without them nothing is sent."""
    result = run("language_model", "--llm", model.url)
    assert result.returncode == 2
    assert "the reader needs DATA" in result.stderr
    assert model.requests == []


def test_the_command(model: ToyModel, tmp_path: Path) -> None:
    """Its tables have the documents that fit, and what the model cost."""
    record = {"id": "d", "text": "Preheat the oven.", "domain": "recipe", "spans": []}
    rows = [record | {"complete": True}, record | {"complete": False}]
    rows.append(record | {"text": "Long " * 500, "complete": True})
    (tmp_path / "everyday").mkdir()
    with gzip.open(tmp_path / "everyday/dev_everyday.jsonl.gz", "wt") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))
    model.replies["reader"] = said({"quotes": ["oven"]})
    result = run("language_model", str(tmp_path), "--llm", model.url, "--parts", "reader")
    assert result.returncode == 0, result.stderr
    assert "| 1 documents |" in result.stdout
    (row,) = [line for line in result.stdout.splitlines() if line.startswith("| innocent")]
    assert row.count("0.000") == 3
    assert "0.333" in row
    (cost,) = [line for line in result.stdout.splitlines() if line.startswith("| reader")]
    assert cost.split(" | ")[1] == "1"
    assert cost.endswith("| 1 | 0 | 100 | 10 |")  # without the greeting
