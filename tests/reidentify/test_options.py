"""Options in place of masks: the person stays hidden in the text, and no more is lost than it takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacenda.document import Assessment, Decision, Document, Evidence, IdentifierType, Option
from tacenda.errors import InputError
from tacenda.policy import Policy
from tacenda.reidentify.anonymize.anonymize import Anonymized, anonymize, make_objective
from tacenda.reidentify.anonymize.objective import EnsembleObjective
from tacenda.reidentify.anonymize.options import Offer, choose_options, with_options, write
from tacenda.reidentify.anonymize.search import greedy, show
from tacenda.reidentify.anonymize.units import MaskUnit, entity_units, word_units
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.base import rank_of
from tacenda.reidentify.attackers.encoder import BiEncoder, read, read_text
from tacenda.reidentify.tokens import TokenizedDocument
from tests.building import entity, mention
from tests.reidentify.test_search import WORDS, Table, tables
from tests.reidentify.village import store, word_attackers, worded

options = st.lists(st.sampled_from([*WORDS, "oak elm", "the"]), max_size=2, unique=True)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True).map(" ".join)


def offer_of(document: TokenizedDocument, place: int, own: Sequence[str]) -> Offer:
    """Return an offer for a word: some options, each keeping less, and ``***``."""
    word = document.spans[place].of(document.document.text)
    shares = np.linspace(0.8, 0, len(own) + 1)
    levels = tuple(
        Option(text, level, "rule:test", float(share), 0.1)
        for level, (text, share) in enumerate(zip((*own, "***"), shares, strict=True))
    )
    named = entity(f"e{place}", mention(document.document, word, "MISC"))
    decision = Decision(named, True, "generalize", IdentifierType.QUASI, 1.0, (), levels)
    return Offer(decision, (place,), frozenset({place}))


def hides(attackers: Sequence[Table], text: str, k: int) -> bool:
    """Return whether none of the attackers has the first person among its first K."""
    read = worded(text)
    return all(rank_of(a.scores(read, read.unmasked()[None, :])[0], 0) > k for a in attackers)


def written(document: TokenizedDocument, masked: Sequence[int], said: dict[int, Option]) -> str:
    """Return the text with masks, and options in place of some."""
    words = ["***" if n in masked else key for n, key in enumerate(document.keys)]
    for place, option in said.items():
        words[place] = option.text
    return " ".join(words)


def chosen(
    attackers: Sequence[Table], document: TokenizedDocument, offers: Sequence[Offer], k: int
) -> tuple[list[int], dict[int, Option]]:
    """Return the words masked or written otherwise, and the options, where all words were masked."""
    units = [MaskUnit((place,)) for place in range(len(document))]

    def objective(extended: TokenizedDocument, units: Sequence[MaskUnit]) -> EnsembleObjective:
        return EnsembleObjective([make_objective(a, extended, 0, units) for a in attackers], k)

    mask, choices = choose_options(document, units, 0, offers, objective, k)
    return list(np.flatnonzero(mask)), {offer.words[0]: option for offer, option in choices}


@example(  # Once "fir" is written for elm, another person is ahead, and yew may stand.
    [
        {
            "oak": [0] * 5,
            "elm": [1, 0, 0, 0, 3],
            "ash": [0] * 5,
            "fir": [0.5, 0, 0, 0, 0],
            "yew": [0, 0, 0, 1, 1],
        }
    ],
    "elm yew",
    [["fir"], [], [], [], []],
    2,
)
@given(
    st.lists(tables, min_size=1, max_size=2),
    texts,
    st.lists(options, min_size=5, max_size=5),
    st.integers(1, 2),
)
def test_it_is_hidden_in_the_text_and_nothing_more_specific_would_do(
    weights: list[dict[str, list[float]]], text: str, own: list[list[str]], k: int
) -> None:
    """An attack on what is written agrees; a word or a better option more, and it is found again."""
    n_people = min(len(next(iter(table.values()))) for table in weights)
    attackers = [
        Table({word: row[:n_people] for word, row in table.items()}, str(n))
        for n, table in enumerate(weights)
    ]
    document = worded(text)
    offers = [offer_of(document, n, own[n]) for n in range(len(document)) if own[n]]
    everything = list(range(len(document)))
    masked, said = chosen(attackers, document, offers, k)
    if not hides(attackers, written(document, everything, {}), k):
        assert (masked, said) == (everything, {})
        return
    assert hides(attackers, written(document, masked, said), k)
    for place in masked:
        without = {n: option for n, option in said.items() if n != place}
        less = [n for n in masked if n != place]
        assert not hides(attackers, written(document, less, without), k)
    for offer in offers:
        (place,) = offer.words
        if place in masked:
            present = said[place].level if place in said else len(offer.options)
            for option in offer.options[:present]:
                assert not hides(attackers, written(document, masked, said | {place: option}), k)


def test_what_is_enough_is_generalised_and_no_more() -> None:
    """By hand: "elm" is shared by all, so it hides; "fir" would tell as much as "oak"."""
    table = {"oak": [9, 0, 0], "fir": [9, 0, 0], "elm": [1, 1, 1], "ash": [0, 2, 2]}
    document = worded("oak ash")
    masked, said = chosen([Table(table)], document, [offer_of(document, 0, ("fir", "elm"))], 1)
    assert masked == [0]
    assert said[0].text == "elm"


def test_the_price_is_information() -> None:
    """Both words tell the same; the one that is less of a loss goes."""
    table = {"oak": [5, 0, 0], "elm": [5, 0, 0], "ash": [0, 6, 6]}
    document = worded("oak elm ash")
    units = word_units(document)
    for lazy in (True, False):
        objective = make_objective(Table(table), document, 0, units)
        assert greedy(objective, (20.0, 2.0, 9.0), 1, lazy=lazy) == (1,)


def test_a_mask_that_a_later_one_makes_needless_is_taken_back() -> None:
    """Cheap "elm" goes first but is not enough; without "oak" it may stay."""
    table = {"oak": [9, 0, 0], "elm": [4, 0, 0], "ash": [0, 6, 6]}
    document = worded("oak elm ash")
    objective = make_objective(Table(table), document, 0, word_units(document))
    lost = (20.0, 2.0, 99.0)
    assert (units := greedy(objective, lost, 1)) == (1, 0)
    assert show(objective, units, 1, lost).masked == (0,)


def test_masks_alone_are_written_as_they_are_masked() -> None:
    """Neighbouring masks are one, and the places of the edits are those of the text."""
    document = worded("Anna Berg, a nurse from Oslo, left; Oslo stayed.")
    mask = np.array([key in ("anna", "berg", "oslo") for key in document.keys])
    text, replacements = write(document, mask, Policy())
    assert text == "***, a nurse from ***, left; *** stayed."
    assert all(text[edit.output_start : edit.output_end] == "***" for edit in replacements)


def test_an_option_that_is_not_written_leaves_nothing_for_the_encoder() -> None:
    """Hidden options are no masks; what is written is read after the text."""
    document = worded("Born in Oslo; a nurse.")
    extended, ((unit,),) = with_options(document, [offer_of(document, 2, ("city",))])
    assert unit is not None
    inside = read(extended)
    for shown, there in ((False, "born *** ; nurse"), (True, "born *** ; nurse city")):
        mask = np.array([key == "oslo" for key in extended.keys])
        mask[list(unit.words)] = not shown
        assert [inside.words[place] for place in inside.masked(mask)] == there.split()
    outside = read_text("Born in ***; a nurse.")
    assert [outside.words[place] for place in outside.places] == "born *** ; nurse".split()


BORN = "A man from Oslo, born on 4 March 1966, came to us."


def born(tmp_path: Path, text: str = BORN, **more: object) -> Anonymized:
    """Return the text about Anna, anonymized by entities."""
    document = Document("letter", text)
    names = {"Oslo": "LOC", "4 March 1966": "DATETIME", "Anna Berg": "PERSON"}
    entities = [
        entity(f"e{n}", mention(document, name, type))
        for n, (name, type) in enumerate(names.items(), 1)
        if name in text
    ]
    evidence = (Evidence("masking_head", 0.5, "."),)
    judged = [Assessment(each, 0.5, IdentifierType.QUASI, evidence) for each in entities]
    words = worded(text)
    people = store(tmp_path / "p.db")
    return anonymize(
        words,
        0,
        word_attackers(people),
        1,
        units=entity_units(words, entities),
        assessments=judged,
        people=people if more.get("people") else None,
    )


def test_a_document_is_generalised_before_it_is_suppressed(tmp_path: Path) -> None:
    """The day of birth becomes less than a day, what tells nothing stays, and the record says why."""
    result = born(tmp_path)
    assert result.reached
    assert "Oslo" in result.text
    assert "4 March 1966" not in result.text
    assert "***" not in result.text
    assert 0 < result.kept < 1
    assert result.words_masked == 3
    (replacement,) = result.replacements
    assert replacement.entity_ids == ("e2",)
    assert replacement.text in result.text
    assert all(belief.rank > 1 for belief in result.attack_results)


def test_the_name_is_masked_and_never_written_otherwise(tmp_path: Path) -> None:
    """With the register at hand the person's name has no option."""
    result = born(tmp_path, "Anna Berg was born on 4 March 1966.", people=True)
    assert result.text.startswith("***")
    assert "PERSON" not in result.text


def test_the_ensemble_loses_the_person_in_the_text(tmp_path: Path) -> None:
    """What is said to be hidden is so for each attacker that reads what is released."""
    people = store(tmp_path / "p.db")
    attackers = open_attackers("ensemble", people)
    document = Document("letter", BORN)
    named = entity("e1", mention(document, "4 March 1966", "DATETIME"))
    evidence = (Evidence("masking_head", 0.5, "."),)
    judged = [Assessment(named, 0.5, IdentifierType.QUASI, evidence)]
    result = anonymize(worded(BORN), 0, attackers, 1, assessments=judged, hold_out=False)
    assert any(isinstance(each, BiEncoder) for each in attackers)
    ranks = [each.rank(worded(result.text)).rank(0) for each in attackers]
    assert [belief.rank for belief in result.attack_results] == ranks
    assert result.reached == (min(ranks) > 1)


def test_a_document_without_entities_stays_as_it_is(tmp_path: Path) -> None:
    """There is nothing to write; whether the person is found is said all the same."""
    attackers = open_attackers("bm25", store(tmp_path / "p.db"))
    for text, reached in (("Nothing here.", True), ("A nurse.", False)):
        result = anonymize(worded(text), 3, attackers, 1, units=())
        assert (result.reached, result.text, result.kept) == (reached, text, 1.0)
    with pytest.raises(InputError, match="5 people"):
        anonymize(worded("x"), 0, attackers, 5, units=())
