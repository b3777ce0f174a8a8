"""The attacker that learned from sanitized texts of other people."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tacenda.background.people import People
from tacenda.background.profiles import Person
from tacenda.errors import InputError
from tacenda.reidentify.anonymize.anonymize import make_objective
from tacenda.reidentify.anonymize.objective import AdditiveObjective, BlackBoxObjective
from tacenda.reidentify.anonymize.units import word_units
from tacenda.reidentify.attackers import AdaptiveAttacker, RecordLinkage, adaptive_pair
from tacenda.reidentify.attackers.adaptive import LEAST_PAIRS
from tacenda.reidentify.attackers.base import rank_of
from tacenda.reidentify.tokens import TokenizedDocument
from tests.cli.test_sanitize import tacenda
from tests.reidentify.test_commands import letters
from tests.reidentify.village import store, worded

STATES = ("ND", "VA", "OH", "TX")
CROPS = ("wheat", "tobacco", "corn", "cattle")
MEMBERS = [
    Person(f"p{n}", f"Member{n}", (("state", STATES[n % 4]), ("born", f"{1850 + n}-01-02")))
    for n in range(60)
]
LEARNED = range(40)


def sanitized(n: int) -> TokenizedDocument:
    """A text whose names and dates are masked; of the state, the crop is left."""
    return worded(f"*** of ***, born ***, farmed {CROPS[n % 4]} for years.", f"d{n}")


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> People:
    """A register of sixty."""
    return store(tmp_path_factory.mktemp("register") / "p.db", MEMBERS)


@pytest.fixture(scope="module")
def adaptive(people: People) -> AdaptiveAttacker:
    """Learned from forty."""
    return AdaptiveAttacker(people, [(sanitized(n), n) for n in LEARNED])


def test_it_learns_what_is_behind_masks(people: People, adaptive: AdaptiveAttacker) -> None:
    """Of people it never read about, the crop tells the state; no field of the register names it."""
    document = sanitized(41)
    mask = document.unmasked()[None, :]
    of_state = [n for n in range(60) if n % 4 == 41 % 4]
    scores = adaptive.scores(document, mask)[0]
    assert scores[of_state].min() > np.delete(scores, of_state).max()
    assert rank_of(scores, 41) < rank_of(RecordLinkage(people).scores(document, mask)[0], 41)
    assert adaptive.weights["guess place"] > 0


def test_a_year_counts_as_its_decade(people: People) -> None:
    """No text that it learned from has 1915; those of the years around it were about people of the same time."""
    learned = [n for n in range(60) if n % 5]
    texts = [(worded(f"*** moved to *** in {1870 + n}.", f"d{n}"), n) for n in learned]
    attacker = AdaptiveAttacker(people, texts)
    document = worded("*** moved to *** in 1915.")
    ranking = attacker.rank(document)
    assert {abs(n - 45) <= 10 for n in ranking.best(10)} == {True}


def test_of_a_pair_each_learns_from_the_texts_of_one_half_of_the_people(people: People) -> None:
    """So that the one which judges a search knows nothing that guided it; too few texts for both are refused."""
    texts = [(sanitized(n), n) for n in LEARNED]
    guide, judge = adaptive_pair(people, texts)
    assert guide.weights == AdaptiveAttacker(people, texts[::2]).weights
    assert judge.weights == AdaptiveAttacker(people, texts[1::2]).weights
    with pytest.raises(InputError, match=f"at least {LEAST_PAIRS}"):
        adaptive_pair(people, texts[1:])


def test_what_the_texts_never_show_still_counts(adaptive: AdaptiveAttacker) -> None:
    """A date that is left finds the person, though all were masked in what it learned from."""
    document = worded("Born on January 2, 1897, farmed cattle.")
    assert rank_of(adaptive.scores(document, document.unmasked()[None, :])[0], 47) == 1


def test_weights_are_not_negative_and_masking_never_raises_a_score(
    adaptive: AdaptiveAttacker,
) -> None:
    """So that the search may rely on it."""
    assert min(adaptive.weights.values()) >= 0
    document = worded("Member7 of Texas, born January 2, 1857, farmed cattle and wheat.")
    random = np.random.default_rng(0)
    few = random.random((10, len(document))) < 0.3
    more = few | (random.random(few.shape) < 0.3)
    assert (adaptive.scores(document, more) <= adaptive.scores(document, few) + 1e-9).all()


def test_the_fast_objective_is_the_slow_one(adaptive: AdaptiveAttacker) -> None:
    """All its evidence is additive."""
    document = worded("Member7 of Texas, born January 2, 1857, farmed cattle and wheat.")
    units = word_units(document)
    fast = make_objective(adaptive, document, 7, units)
    slow = BlackBoxObjective(adaptive, document, 7, units)
    assert isinstance(fast, AdditiveObjective)
    for unit in (0, 2):
        fast.mask(unit)
        slow.mask(unit)
    rest = [n for n in range(len(units)) if n not in (0, 2)]
    assert fast.log_odds_after(rest) == pytest.approx(slow.log_odds_after(rest))


def test_too_few_texts_teach_nothing(people: People) -> None:
    """The message says how many it takes."""
    with pytest.raises(InputError, match=f"at least {LEAST_PAIRS}"):
        AdaptiveAttacker(people, [(sanitized(0), 0)])


def test_learning_twice_gives_the_same(people: People, adaptive: AdaptiveAttacker) -> None:
    """Rivals are drawn by a seed."""
    assert (
        AdaptiveAttacker(people, [(sanitized(n), n) for n in LEARNED]).weights == adaptive.weights
    )


def test_attack_adapts(tmp_path: Path, people: People) -> None:
    """`attack --adapt` reports the adaptive attacker beside the others."""
    release = letters(tmp_path / "a.jsonl", (sanitized(41).document.text, "p41"))
    others = letters(
        tmp_path / "b.jsonl", *((sanitized(n).document.text, f"p{n}") for n in LEARNED)
    )
    arguments = ("attack", release, "--background", str(people.path), "--to", "json")
    run = tacenda(*arguments, "--attacker", "bm25", "--adapt", others)
    assert run.returncode == 0, run.stderr
    assert {"bm25", "adaptive"} <= json.loads(run.stdout)["rates"].keys()


def test_anonymize_adapts(tmp_path: Path, people: People) -> None:
    """The crop, of which the register knows nothing, is masked once an attacker has learned what it tells."""
    document = letters(
        tmp_path / "a.jsonl", ("*** of ***, born ***, farmed wheat for years.", "p44")
    )
    others = letters(
        tmp_path / "b.jsonl", *((sanitized(n).document.text, f"p{n}") for n in LEARNED)
    )
    arguments = ("anonymize", document, "--background", str(people.path), "--attacker", "bm25")
    assert b"wheat" in tacenda(*arguments).stdout
    run = tacenda(*arguments, "--adapt", others)
    assert run.returncode == 0, run.stderr
    assert b"wheat" not in run.stdout
    assert b"guiding: adaptive: rank 1 0.000" in run.stderr
    assert b"held out: adaptive: rank 1 0.000" in run.stderr
