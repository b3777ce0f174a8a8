"""The language model as a judge and as an attacker, on the village."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacenda.background.people import People
from tacenda.document import Span
from tacenda.reidentify.judge import Identity, Inference, Judgment, Silence
from tacenda.reidentify.tokens import TokenizedDocument
from tacenda_lab.llm import JudgingModel
from tests.lab.llm.conftest import ToyModel, completion, said
from tests.reidentify.village import ABOUT_ANNA, store, word_attackers, worded

NOTHING: dict[str, Any] = {"name": {"value": ""}}


@pytest.fixture
def people(tmp_path: Path) -> People:
    """Return the village."""
    return store(tmp_path / "people.db")


def label_of(body: dict[str, Any], name: str) -> str:
    """Return the label that a person of this name has in a question."""
    found = re.search(rf"^(c\d+): name: {name}\b", body["messages"][-1]["content"], re.M)
    assert found
    return found[1]


def opened(model: ToyModel, people: People, n_candidates: int = 3) -> JudgingModel:
    """Return the model as a judge with candidates by words."""
    return JudgingModel(model.endpoint(), people, word_attackers(people), n_candidates)


def judged(
    judge: JudgingModel, words: TokenizedDocument, *masked: str, person: int | None = None
) -> Judgment:
    """Return the judgment with some words masked."""
    mask = np.array([key in masked for key in words.keys], dtype=bool)
    return judge.judge(words, mask, person)


def test_a_judgment_says_who_and_what_and_by_which_words(model: ToyModel, people: People) -> None:
    """Labels become people, quotes become spans of the document; those not in it are dropped."""
    model.replies["identity"] = lambda body: said(
        {
            "candidates": [label_of(body, "Anna Berg"), label_of(body, "Carl Lund")],
            "confidence": 0.8,
            "quotes": ["BAKER in", "born on 5 March", "4 march, 1966"],
        }
    )
    model.replies["inference"] = said(
        {
            "name": {"value": "Anna Berg", "confidence": 0.3, "quotes": ["Anna"]},
            "sex": {"value": "female", "confidence": 0.9, "quotes": ["She"]},
            "place": {"value": "Norway", "confidence": 0.4, "quotes": ["in Oslo"]},
        }
    )
    judge, words = opened(model, people), worded(ABOUT_ANNA)
    judgment = judged(judge, words)
    identity, inference = judgment.identity, judgment.inference
    assert isinstance(identity, Identity)
    assert isinstance(inference, Inference)
    assert (identity.ranking, identity.confidence) == ((0, 2), 0.8)
    assert [span.of(ABOUT_ANNA) for span in identity.evidence] == ["baker in", "4 March 1966"]
    assert [span.of(ABOUT_ANNA) for span in inference.evidence] == ["Anna", "Anna"]
    sex, place = inference.attributes
    assert (sex.attribute, sex.value, sex.confidence) == ("sex", "female", 0.9)
    assert sex.evidence == (Span(27, 30),)
    assert (place.value, place.evidence) == ("Norway", ())
    assert judge.cost.quotes_dropped == 2
    assert judge.cost.answers == 2
    assert judgment.finds(0, "Anna Berg", 1)


def test_what_is_masked_is_not_sent_nor_quoted(model: ToyModel, people: People) -> None:
    """A quote over a mask is what stands on both sides of it."""
    model.replies["identity"] = said({"candidates": [], "quotes": ["in *** She", "Bergen"]})
    judge, words = opened(model, people), worded(ABOUT_ANNA)
    judgment = judged(judge, words, "bergen", "anna")
    assert isinstance(judgment.identity, Identity)
    assert [span.of(ABOUT_ANNA) for span in judgment.identity.evidence] == ["in", "She"]
    text = model.requests[0]["messages"][-1]["content"].rpartition("<text")[2]
    assert "*** is a baker in ***. She" in text
    assert "Bergen" not in text
    assert judge.cost.quotes_dropped == 1


def test_candidates_come_in_an_order_that_tells_nothing(model: ToyModel, people: People) -> None:
    """A model that always says the first is right by chance: one order a text."""
    model.replies["identity"] = said({"candidates": ["c1"]})
    judge = opened(model, people, 5)
    texts = [f"{ABOUT_ANNA} It was day {day}." for day in range(60)]
    firsts = [judged(judge, worded(text)).identity for text in texts]
    hits = sum(isinstance(one, Identity) and one.ranking == (0,) for one in firsts)
    assert 3 <= hits <= 24  # 12 expected; beyond are fewer than 1 in 500.


def test_the_person_can_be_made_a_candidate(model: ToyModel, people: People) -> None:
    """For a strict check: in place of the last."""
    model.replies["identity"] = said({"candidates": []})
    judge, words = opened(model, people), worded(ABOUT_ANNA)
    plain, strict = judged(judge, words).identity, judged(judge, words, person=4).identity
    assert isinstance(plain, Identity)
    assert isinstance(strict, Identity)
    assert 4 not in plain.candidates
    assert 4 in strict.candidates
    assert len(plain.candidates) == len(strict.candidates) == 3


def test_an_unreadable_answer_is_asked_for_once_more(model: ToyModel, people: People) -> None:
    """By a reminder, at another temperature; then it is counted as unreadable."""
    replies = iter([completion("c1, I think"), said({"candidates": ["c1"]})])
    model.replies["identity"] = lambda _: next(replies)
    judgment = judged(opened(model, people), worded(ABOUT_ANNA))
    assert isinstance(judgment.identity, Identity)
    first, second = model.requests[:2]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert second["temperature"] > first["temperature"] == 0
    model.replies["identity"] = completion("c1, I think")
    judge = opened(model, people)
    assert judged(judge, worded(ABOUT_ANNA)).identity is Silence.UNREADABLE
    assert judge.cost.silences[Silence.UNREADABLE] == 2  # The second question has no reply here.


def test_silence_is_not_nobody(model: ToyModel, people: People) -> None:
    """A refusal, a fault: nothing is found, nothing is cleared, and each is counted."""
    model.replies["identity"] = completion("I'm sorry, I can't help with that.")
    model.replies["inference"] = (500, {}, {})
    judge = opened(model, people)
    judgment = judged(judge, worded(ABOUT_ANNA))
    assert judgment.silences == (Silence.REFUSED, Silence.FAILED)
    assert judgment.finds(0, "Anna Berg", 1) is None
    assert judge.cost.silences == {Silence.REFUSED: 1, Silence.FAILED: 1}
    assert judge.cost.answers == 0


def test_nothing_is_asked_twice(model: ToyModel, people: People) -> None:
    """One text with the same candidates has one answer."""
    model.replies |= {"identity": said({"candidates": []}), "inference": said(NOTHING)}
    judge, words = opened(model, people), worded(ABOUT_ANNA)
    judged(judge, words)
    judged(judge, words)
    judge.rank(words)
    assert len(model.requests) == 2


def test_as_an_attacker_it_ranks_its_candidates_first(model: ToyModel, people: People) -> None:
    """Those named, those not named, then everybody else as the other attackers have them."""
    model.replies["identity"] = lambda body: said({"candidates": [label_of(body, "Bela Kun")]})
    ranking = opened(model, people).rank(worded(ABOUT_ANNA))
    assert ranking.best(1) == [1]
    assert [ranking.rank(person) for person in (0, 2)] == [2, 2]
    assert {ranking.rank(person) for person in (3, 4)} == {4, 5}
    assert ranking.probabilities().sum() == pytest.approx(1)


def test_as_an_attacker_without_an_answer_it_is_the_others(model: ToyModel, people: People) -> None:
    """Silence leaves the ranks as they were."""
    model.replies["identity"] = completion("I'm sorry, I can't help with that.")
    assert opened(model, people).rank(worded(ABOUT_ANNA)).best(2) == [0, 2]


@pytest.mark.parametrize("reply", [(400, {}, {}), completion("Anna Berg is a baker, isn't she?")])
def test_no_text_is_in_a_message_or_a_representation(
    model: ToyModel, people: People, reply: Any
) -> None:
    """Silences are words of ours; values don't show what was guessed."""
    model.replies["identity"] = reply
    model.replies["inference"] = said({"name": {"value": "Anna Berg", "quotes": ["baker"]}})
    judge = opened(model, people)
    shown = repr(judged(judge, worded(ABOUT_ANNA))) + repr(judge) + repr(judge.cost)
    assert not re.search(r"anna|berg|baker", shown, re.I)
