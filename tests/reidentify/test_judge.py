"""Judges: ranks and rates of answers alone, names in all their forms, and masks that follow quotes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tacenda.background.people import People
from tacenda.document import Span
from tacenda.reidentify import Anonymized, AttackCase, TokenizedDocument, anonymize
from tacenda.reidentify.anonymize.judged import hide_from_judge
from tacenda.reidentify.anonymize.units import redact
from tacenda.reidentify.judge import (
    AttributeGuess,
    Cost,
    Identity,
    Inference,
    Judgment,
    Silence,
    is_name,
    judge_object,
    judge_release,
    judge_rows,
    judgment_rows,
    locate,
)
from tests.examples import for_each
from tests.reidentify.village import ABOUT_ANNA, store, word_attackers, worded


class Reader:
    """A judge that knows the person by any of some words, the first one left, and quotes it."""

    name = "reader"
    cost = Cost(requests=1)

    def __init__(self, *telling: str, quotes: bool = True) -> None:
        self.telling = telling
        self.quotes = quotes

    def judge(
        self, document: TokenizedDocument, mask: NDArray[np.bool_], person: int | None = None
    ) -> Judgment:
        """Return person 0 as long as a telling word is left."""
        words = [
            span
            for span, key, masked in zip(document.spans, document.keys, mask, strict=True)
            if not masked and key in self.telling
        ]
        evidence = tuple(words[:1]) if self.quotes else ()
        identity = Identity((0, 1, 2), (0,) if words else (), 0.5, evidence)
        return Judgment(identity, Inference(()))


class Mute:
    """A judge that says nothing."""

    name = "mute"
    cost = Cost(requests=1, silences={Silence.REFUSED: 1, Silence.UNREADABLE: 1})

    def judge(self, *arguments: object) -> Judgment:
        """Return no answer."""
        return Judgment(Silence.REFUSED, Silence.UNREADABLE)


@pytest.fixture
def people(tmp_path: Path) -> People:
    """Return the village."""
    return store(tmp_path / "people.db")


def test_ranks_are_of_candidates() -> None:
    """Named ones in their order, the rest tied in the middle, all others behind."""
    identity = Identity((7, 3, 5, 9, 1), (5, 7))
    assert [identity.rank(person) for person in (5, 7, 3, 9, 1, 4)] == [1, 2, 4, 4, 4, 6]


@for_each(
    ("guess", "name", "same"),
    [
        ("Anna Berg", "Anna Berg", True),
        ("berg, anna", "Anna Maria Berg", True),
        ("Maria Berg", "BERG, Anna Maria", True),
        ("Bill Clinton", "CLINTON, William Jefferson", True),
        ("Dr. Ánna Berg", "Anna Berg", True),
        ("Berg", "Anna Berg", False),
        ("Ms Berg", "Anna Berg", False),
        ("A. Berg", "Anna Berg", False),
        ("Anna", "Anna Berg", False),
        ("Anna Lund", "Anna Berg", False),
        ("", "Anna Berg", False),
        ("Anna Berg", "", False),
    ],
)
def test_a_guess_is_the_person_with_surname_and_a_given_name(
    guess: str, name: str, same: bool
) -> None:
    """Order, case, accents and short forms may differ; an initial names many."""
    assert is_name(guess, name) is same


@for_each(
    ("quote", "places"),
    [
        ("anna", [(0, 4), (57, 61)]),
        ("«Baker in  Bergen.»", [(10, 25)]),
        ("She was", [(27, 34)]),
        ("he was", []),
        ("Anna bakes in Bergen", []),
        ("", []),
        ("***", []),
        (ABOUT_ANNA, []),
    ],
)
def test_a_quote_is_found_by_its_words(quote: str, places: list[tuple[int, int]]) -> None:
    """Punctuation, case and space may differ; parts of words are none, the whole text is no quote."""
    words = worded(ABOUT_ANNA)
    spans = [
        (words.spans[r.start].start, words.spans[r.stop - 1].end) for r in locate(quote, words)
    ]
    assert spans == places


def test_a_redacted_document_has_the_words_that_are_left() -> None:
    """In place, with one mask for neighbours."""
    words = worded(ABOUT_ANNA)
    mask = np.array([key in {"anna", "baker", "in", "bakes"} for key in words.keys])
    redacted = redact(words, mask)
    assert redacted.document.text == "*** is a *** Bergen. She was born on 4 March 1966. ***."
    left = [span.of(redacted.document.text) for span in redacted.spans]
    assert left == [
        s.of(ABOUT_ANNA) for s, masked in zip(words.spans, mask, strict=True) if not masked
    ]
    assert redact(words, words.unmasked()).document.text == ABOUT_ANNA


def test_rates_are_of_answers(people: People) -> None:
    """Two documents, one answer: the rate is of one, and the other is counted."""
    cases = [AttackCase(worded(ABOUT_ANNA, "a"), 0), AttackCase(worded("Nobody.", "b"), 3)]
    report = judge_release(cases, Reader("anna"), people, 2)
    assert report.rate_within(1) is not None
    assert report.rate_within(1).value == 0.5  # type: ignore[union-attr]
    assert report.recall.value == 0.5  # type: ignore[union-attr]
    assert report.unanswered == 0
    silent = judge_release(cases, Mute(), people, 2)
    assert silent.rate_within(1) is silent.named is silent.recall is None
    assert silent.unanswered == 2
    assert [row[1] for row in judge_rows(silent)] == ["no answer"] * 3
    assert judge_object(silent, reveal=True)["results"][0]["silences"] == ["refused", "unreadable"]


def test_only_reveal_shows_what_was_guessed(people: People) -> None:
    """Without it a report has offsets, attributes and confidences."""
    inference = Inference(
        (AttributeGuess("place", "Bergen", 0.5, (Span(19, 25),)),), "Anna Berg", (Span(0, 4),)
    )

    class Guesser(Reader):
        def judge(self, *arguments: object) -> Judgment:  # type: ignore[override]
            return Judgment(Identity((0, 1), (1, 0), 0.9), inference)

    report = judge_release([AttackCase(worded(ABOUT_ANNA), 0)], Guesser(), people, 1)
    (hidden,) = judge_object(report, reveal=False)["results"]
    assert hidden == {
        "id": "letter",
        "rank": 2,
        "confidence": 0.9,
        "named": True,
        "silences": [],
        "attributes": [{"attribute": "place", "confidence": 0.5, "spans": [[19, 25]]}],
        "clues": [[0, 4]],
    }
    (shown,) = judge_object(report, reveal=True)["results"]
    assert shown["name"] == "Anna Berg"
    assert shown["attributes"][0]["value"] == "Bergen"
    assert report.worst == 1
    assert judgment_rows(report, people)[1] == (
        "letter",
        "2 of 2",
        "Bela Kun (bela)",
        "name: Anna Berg; place: Bergen",
        "Anna",
    )


def searching(
    people: People, calls: list[int], words: TokenizedDocument, quoted: Sequence[int]
) -> Anonymized:
    """Hide Anna by her attackers, and note how many words were quoted."""
    calls.append(len(quoted))
    return anonymize(words, 0, word_attackers(people), 1, quoted=quoted)


def test_what_a_judge_quotes_is_masked_first(people: People) -> None:
    """Everywhere, round by round; then the search masks what else it takes."""
    words, calls = worded(ABOUT_ANNA), []
    alone = anonymize(words, 0, word_attackers(people), 1)
    judge = Reader("bakes", "she", "anna")
    result = hide_from_judge(
        words, 0, "Anna Berg", judge, 1, partial(searching, people, calls, words)
    )
    assert result.found is False
    masked = {key for key, flag in zip(words.keys, result.solution.mask, strict=True) if flag}
    assert {"bakes", "she", "anna"} <= masked
    assert result.rounds == len(calls)
    assert result.solution.words_masked == result.solution.mask.sum() > alone.words_masked
    assert calls == sorted(set(calls))
    assert all(attack.rank > 1 for attack in result.solution.attack_results)
    release = redact(words, result.solution.mask).document.text
    assert "nna" not in release
    assert "She" not in release


def test_a_judge_who_finds_by_nothing_it_quotes_ends_the_search(people: People) -> None:
    """It is told as found, after one round."""
    words, calls = worded(ABOUT_ANNA), []
    judge = Reader("bakes", "she", quotes=False)
    result = hide_from_judge(
        words, 0, "Anna Berg", judge, 1, partial(searching, people, calls, words)
    )
    assert (result.found, result.rounds) == (True, 1)


def test_a_silent_judge_clears_nobody(people: People) -> None:
    """Neither found nor hidden."""
    words, calls = worded(ABOUT_ANNA), []
    result = hide_from_judge(
        words, 0, "Anna Berg", Mute(), 1, partial(searching, people, calls, words)
    )
    assert (result.found, result.rounds) == (None, 1)
    assert result.solution.reached
