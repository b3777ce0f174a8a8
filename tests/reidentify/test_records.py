"""The attackers that compare typed values, and words by their letters; conjunctive features under masks."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tacenda.background.profiles import Person
from tacenda.cli import app
from tacenda.reidentify.anonymize.anonymize import anonymize, make_objective
from tacenda.reidentify.anonymize.objective import AdditiveObjective, BlackBoxObjective
from tacenda.reidentify.anonymize.search import greedy
from tacenda.reidentify.anonymize.units import word_units
from tacenda.reidentify.attackers import CharacterNgrams, RecordLinkage, open_attackers
from tacenda.reidentify.attackers.base import rank_of
from tacenda.reidentify.attackers.records import M
from tacenda.reidentify.tokens import TokenizedDocument
from tests.reidentify.village import store, worded

PEOPLE = [
    Person(
        f"p{n}",
        name,
        (
            ("born", f"19{40 + n}-0{1 + n % 9}-1{n % 10}"),
            ("died", f"20{10 + n % 9}-0{1 + n % 7}-05"),
            ("state", state),
            ("party", party),
            ("session", str(70 + n)),
            ("session", str(71 + n)),
        ),
    )
    for n, (name, state, party) in enumerate(
        (name, state, party)
        for state, party in (
            ("ND", "Whig"),
            ("VA", "Free Soil"),
            ("OH", "Whig"),
            ("TX", "Democrat"),
        )
        for name in ("Anna Abbot", "Bela Kun", "Carl Lundqvist", "Dora Lind", "Emil Falk")
    )
]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory):
    """A register of twenty."""
    return store(tmp_path_factory.mktemp("register") / "p.db", PEOPLE)


def best(people, text: str, masked: str = "", kind: type = RecordLinkage) -> tuple[int, float]:
    """Return the likeliest person, and by how much; words of ``masked`` are masked."""
    document = worded(text)
    mask = np.array([key in masked.split() for key in document.keys], dtype=bool)
    (scores,) = kind(people).scores(document, mask[None, :])
    first, second = np.argsort(-scores)[:2]
    return int(first), float(scores[first] - scores[second])


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Born on 13 April 1943.", 3),
        ("She was born April 13th, 1943 there.", 3),
        ("In 1943-04-13 it was.", 3),
        ("He sat in the Seventy-third and Seventy-fourth Congress.", 3),
        ("In the 73rd and 74th.", 3),
        ("Lundqvist of North Dakota.", 2),
        ("Lundquist of N. Dak.", 2),
        ("Carl, from Bismarck.", 2),
        ("Dora, a Free Soil candidate.", 8),
        ("Dora, a Fre Soil candidate.", 8),
    ],
)
def test_values_agree_in_whatever_form(people, text: str, person: int) -> None:
    """Dates, numbers in words, places by name, abbreviation and containment, spellings."""
    assert best(people, text)[0] == person
    assert best(people, text)[1] > 0


def test_a_date_counts_at_the_precision_that_is_left(people) -> None:
    """Each masked part takes some of the agreement, and by the day alone nobody is left."""
    document = worded("Born on 13 April 1943.")
    attacker = RecordLinkage(people)
    shown = {}
    for masked in ("", "13", "13 april", "1943", "13 april 1943"):
        mask = np.array([key in masked.split() for key in document.keys])
        shown[masked] = float(attacker.scores(document, mask[None, :])[0][3])
    assert shown[""] > shown["13"] > shown["13 april"] > shown["13 april 1943"] == 0
    assert shown[""] > shown["1943"] > 0


def test_weights_are_those_of_fellegi_and_sunter(people) -> None:
    """log(m / u) where u is the share of people with the value, half a person more."""
    (row,) = [RecordLinkage(people).row("lundqvist")]
    assert row.people.tolist() == [2, 7, 12, 17]
    assert row.values.tolist() == pytest.approx([math.log(M["name"] / (4.5 / 21))] * 4)


def texts_naming_others(n: int) -> list[TokenizedDocument]:
    """Texts with somebody's days, each with the surname of another person."""
    texts = []
    for number in range(n):
        person, other = (PEOPLE[k % len(PEOPLE)] for k in (number, number + 1))
        born, died = (date.fromisoformat(value) for _, value in person.profile[:2])
        surname = other.name.split()[1]
        texts.append(
            worded(f"Born on {born:%d %B %Y}, died on {died:%d %B %Y}; {surname} mourned.")
        )
    return texts


def test_m_is_estimated_without_labels(people) -> None:
    """Where names in texts are those of others, names count for little, and the days for more."""
    attacker = RecordLinkage(people)
    document = worded("Kun, born in 1943.")
    before = attacker.rank(document)
    m = attacker.estimate(texts_naming_others(60))
    # By hand: each of 60 names is another's, each of 120 days is right; 20 of each count by M.
    assert m["name"] == pytest.approx(20 * M["name"] / 80, abs=0.01)
    assert m["date"] == pytest.approx((120 + 20 * M["date"]) / 140, abs=0.01)
    assert m["number"] == M["number"]
    after = attacker.rank(document)
    assert after.probability(3) > before.probability(3)
    (row,) = [attacker.row("kun")]
    assert row.values.tolist() == pytest.approx(
        [math.log(m["name"] / (4.5 / 21))] * len(row.people)
    )


def test_few_texts_estimate_nothing(people) -> None:
    """And many are read in part."""
    attacker = RecordLinkage(people)
    assert attacker.estimate(texts_naming_others(19)) == M
    everything = attacker.estimate(texts_naming_others(100))
    assert attacker.estimate(texts_naming_others(200)[::2] * 2) != M
    assert attacker.estimate([one for one in texts_naming_others(100) for _ in "ab"]) == everything


def test_an_attack_estimates_from_its_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From its texts alone; the search of a mask goes by the constants."""
    path = tmp_path / "people.db"
    store(path, PEOPLE)
    lines = [
        json.dumps({"text": one.document.text, "person": PEOPLE[n].id})
        for n, one in enumerate(texts_naming_others(20))
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), "utf-8")
    estimates = []
    estimate = RecordLinkage.estimate

    def recorded(self: RecordLinkage, documents: Sequence[TokenizedDocument]) -> object:
        estimates.append(len(documents))
        return estimate(self, documents)

    monkeypatch.setattr(RecordLinkage, "estimate", recorded)
    options = ["--background", str(path), "--attacker", "records"]
    run = CliRunner().invoke(app, ["attack", str(tmp_path / "a.jsonl"), *options])
    assert run.exit_code == 0
    assert estimates == [20]
    run = CliRunner().invoke(app, ["anonymize", str(tmp_path / "a.jsonl"), *options, "--k", "2"])
    assert estimates == [20]


def test_shifted_dates_are_found_by_their_distance(people) -> None:
    """Both dates a century before agree with nobody's; the days between them do."""
    assert best(people, "Born on 12 April 1843, died on 5 April 1913.")[0] == 3


def test_masking_never_raises_a_score(people) -> None:
    """To no one, whatever is masked."""
    document = worded(
        "Lundqvist, of Ohio, born 13 April 1943, in the Seventy-third Congress; a Whig in 1944."
    )
    random = np.random.default_rng(0)
    for attacker in (RecordLinkage(people), CharacterNgrams(people)):
        few = random.random((20, len(document))) < 0.3
        more = few | (random.random(few.shape) < 0.3)
        assert (attacker.scores(document, more) <= attacker.scores(document, few) + 1e-9).all()


@pytest.mark.parametrize("name", ["records", "ngrams", "bm25"])
def test_the_fast_objective_is_the_slow_one(people, name: str) -> None:
    """Units that share a date are scored with what is left of it; unmasking brings it back."""
    document = worded(
        "Lundqvist, of North Dakota, born 13 April 1942, died 5 March 2012; in the Seventy-second Congress."
    )
    (attacker,) = open_attackers(name, people)
    units = word_units(document)
    fast = make_objective(attacker, document, 2, units)
    slow = BlackBoxObjective(attacker, document, 2, units)
    assert isinstance(fast, AdditiveObjective)
    everything = range(len(units))
    constant = fast.log_odds_after(everything)[0]
    random = np.random.default_rng(1)
    masked: set[int] = set()
    for _ in range(30):
        unit = int(random.integers(len(units)))
        for objective in (fast, slow):
            (objective.unmask if unit in masked else objective.mask)(unit)
        masked ^= {unit}
        rest = [n for n in everything if n not in masked]
        assert fast.log_odds() == pytest.approx(slow.log_odds())
        assert fast.log_odds_after(rest) == pytest.approx(slow.log_odds_after(rest))
        assert (fast.gains(rest) <= fast.upper_bounds()[rest] + 1e-9).all()
    copy = fast.copy()
    copy.mask(rest[0])
    assert fast.log_odds() == pytest.approx(slow.log_odds())
    assert constant is not None


def test_lazy_search_gives_what_greedy_search_gives(people) -> None:
    """Gains of units that share features only fall."""
    document = worded("Lundqvist, of North Dakota, born 13 April 1942, died 5 March 2012; a Whig.")
    attacker = RecordLinkage(people)
    units = word_units(document)
    masks = [
        greedy(make_objective(attacker, document, 2, units), [1.0] * len(units), 2, lazy=lazy)
        for lazy in (True, False)
    ]
    assert masks[0] == masks[1]
    result = anonymize(document, 2, [attacker], 2)
    assert result.reached
    assert rank_of(attacker.scores(document, result.mask[None, :])[0], 2) > 2


def test_letters_find_other_forms_of_a_word(tmp_path: Path) -> None:
    """A plural and a name within a longer one; numbers are like themselves alone."""
    rows = [("a", "Anna", "democrat lawyer 1897"), ("b", "Bela", "whig farmer 1898")]
    people = store(tmp_path / "p.db", [Person(i, n, (("about", v),)) for i, n, v in rows])
    assert best(people, "The Democrats and a lawyers' office.", kind=CharacterNgrams)[0] == 0
    (scores,) = CharacterNgrams(people).scores(worded("In 1899."), np.zeros((1, 2), dtype=bool))
    assert scores.tolist() == [0, 0]


def test_every_attacker_has_a_family(people) -> None:
    """What kind of evidence it lives from."""
    families = {
        name: open_attackers(name, people)[0].family
        for name in ("bm25", "bayes", "ngrams", "records")
    }
    assert families == {
        "bm25": "words",
        "bayes": "words",
        "ngrams": "characters",
        "records": "records",
    }
