"""The attacker with two encoders: what it reads, the vectors beside the store, and the search against it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from tacenda.background.normalization import kinds_of, normalize_profile
from tacenda.background.people import People
from tacenda.background.profiles import Person, linearize
from tacenda.document import Document
from tacenda.errors import InputError, ModelError
from tacenda.models.networks import AttackerModel
from tacenda.models.store import find
from tacenda.reidentify.anonymize.anonymize import anonymize, make_objective
from tacenda.reidentify.anonymize.objective import BlackBoxObjective, EncoderObjective
from tacenda.reidentify.anonymize.units import word_units
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.attackers.encoder import MASK, BiEncoder, JointAttacker, read, read_text
from tacenda.reidentify.attackers.lexical import NaiveBayes
from tacenda.reidentify.tokens import read_words
from tests.reidentify.village import ABOUT_ANNA, VILLAGERS, store, worded


@pytest.fixture(scope="module")
def model() -> AttackerModel:
    """Return the shipped encoders."""
    return AttackerModel.load()


@pytest.fixture
def people(tmp_path: Path) -> People:
    """Return the village."""
    return store(tmp_path / "village.db")


def files_of(people: People) -> list[Path]:
    """Return the files with vectors beside a store."""
    return sorted(people.path.parent.glob("*.npy"))


def test_a_profile_is_written_out_with_its_fields() -> None:
    """Values of one field stand together, dates as a text has them; what is no date stays."""
    fields = (("birth_date", "1966-03-04"), ("town", "Bergen"), ("town", "Oslo"), ("no", "1-99-1"))
    profile = normalize_profile(fields, kinds_of([fields]))
    written = linearize(Person("a", "Anna Berg", profile))
    assert written == "name: Anna Berg; birth date: March 4, 1966; town: Bergen, Oslo; no: 1-99-1"


def test_telling_words_and_marks_are_read() -> None:
    """Stop words and commas are left out, marks that end a clause stay, so does the month of May."""
    reading = read_text("She was born in Oslo, May 4; (1966-1970).")
    read_words_ = [reading.words[place] for place in reading.places]
    assert read_words_ == ["she", "born", "oslo", "may", "4", ";", "(", "1966", "-", "1970", ")"]
    assert [int(n) for n in reading.number if n >= 0] == [0, 2, 4, 5, 6, 7, 8]


def test_a_release_reads_as_its_mask_does() -> None:
    """What is masked in the search is to the attacker what it will be in the text that goes out."""
    document = worded("Anna lives in Bergen; Anna bakes.")
    hidden = np.array([key in ("anna", "bergen") for key in document.keys])
    inside = read(document)
    outside = read_text("*** lives in [PLACE 1]; *** bakes.")
    there = [outside.words[place] for place in outside.places]
    assert [inside.words[place] for place in inside.masked(hidden)] == there
    assert int((outside.places == MASK).sum()) == 3
    document = worded("Born (May 4, 1966-1970) in Lund, Oslo! Oslo")
    every = np.array([key not in ("born", "in") for key in document.keys])
    inside, outside = read(document), read_text("Born (***) in ***! ***")
    there = [outside.words[place] for place in outside.places]
    assert [inside.words[place] for place in inside.masked(every)] == there


def test_a_mask_hides_what_it_masks(people: People, model: AttackerModel) -> None:
    """Two texts that differ in masked words alone are one text to the attacker."""
    attacker = BiEncoder(people, model)
    one, other = worded("Anna was born in Bergen."), worded("Carl was born in Lund.")
    mask = np.array([True, False, False, False, True])
    scores = [attacker.scores(document, mask[None, :])[0] for document in (one, other)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-6)
    assert np.abs(attacker.rank(one).scores - attacker.rank(other).scores).max() > 0.1


def test_company_changes_no_score(people: People, model: AttackerModel) -> None:
    """A variant has the same scores alone as among others, and for some people as for all."""
    attacker = BiEncoder(people, model)
    document = worded(ABOUT_ANNA)
    masks = np.random.default_rng(0).random((70, len(document))) < 0.4
    together = attacker.scores(document, masks)
    assert together.shape == (70, len(people))
    alone = np.concatenate([attacker.scores(document, mask[None, :]) for mask in masks])
    assert together == pytest.approx(alone, abs=1e-4)
    some = np.array([3, 0])
    assert attacker.scores(document, masks, some) == pytest.approx(together[:, some], abs=1e-4)
    assert attacker.rank(document).probabilities().sum() == pytest.approx(1)


def test_vectors_are_computed_once(people: People, model: AttackerModel) -> None:
    """The second attacker reads what the first one wrote, mapped and not to be written to."""
    BiEncoder(people, model)
    (path,) = files_of(people)
    before = path.stat().st_mtime_ns
    BiEncoder(people, model)
    assert files_of(people) == [path]
    assert path.stat().st_mtime_ns == before
    vectors = np.load(path)
    assert vectors.shape == (len(people), model.width)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(people)), abs=1e-5)


def test_vectors_of_another_state_are_not_read(people: People, model: AttackerModel) -> None:
    """A store that was built anew gets vectors of its own, and the old ones go."""
    BiEncoder(people, model)
    (before,) = files_of(people)
    again = store(people.path, VILLAGERS[:3])
    os.utime(again.path, ns=(1, 1))
    assert BiEncoder(again, model).n_people == 3
    (after,) = files_of(again)
    assert after != before
    assert np.load(after).shape[0] == 3


def test_a_folder_that_cant_be_written_is_an_error(
    people: People, model: AttackerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the folder and the attackers that need no vectors."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("numpy.lib.format.open_memmap", refuse)
    with pytest.raises(InputError, match=r"Read-only file system.*bm25, bayes"):
        BiEncoder(people, model)
    assert not list(people.path.parent.glob("*.part"))


def test_encoders_of_ones_own_are_opened_by_folder(people: People, tmp_path: Path) -> None:
    """``encoder:FOLDER`` takes what ``tacenda lab train attacker`` writes, and nothing else."""
    folder = Path(shutil.copytree(find("attacker-en").folder, tmp_path / "own"))
    (attacker,) = open_attackers(f"encoder:{folder}", people)
    assert attacker.name == "encoder"
    with pytest.raises(ModelError, match="is not an attacker"):
        open_attackers(f"encoder:{find('gazetteer-en').folder}", people)
    with pytest.raises(InputError, match="encoder:FOLDER"):
        open_attackers("nobody", people)


def test_the_ensemble_has_the_encoder(people: People) -> None:
    """Who asks for all attackers gets it too, by itself and together with words."""
    names = [attacker.name for attacker in open_attackers("ensemble", people)]
    assert names == ["bm25", "bayes", "ngrams", "records", "encoder", "joint"]


def test_both_together_are_their_sum(people: People, model: AttackerModel) -> None:
    """Log-odds of the encoder and a tenth of the classifier's, for all people and for some."""
    encoder = BiEncoder(people, model)
    document = worded(ABOUT_ANNA)
    masks = np.random.default_rng(2).random((4, len(document))) < 0.3
    wanted = encoder.scores(document, masks) + 0.1 * NaiveBayes(people).scores(document, masks)
    joint = JointAttacker(people, encoder)
    assert joint.scores(document, masks) == pytest.approx(wanted)
    some = np.array([4, 1])
    assert joint.scores(document, masks, some) == pytest.approx(wanted[:, some], abs=1e-4)


def test_values_are_those_of_asking_everything(people: People, model: AttackerModel) -> None:
    """At first, when nothing is known, the fast game asks what the plain one asks."""
    attacker, document = BiEncoder(people, model), worded(ABOUT_ANNA)
    units = word_units(document)
    fast = make_objective(attacker, document, 0, units)
    assert isinstance(fast, EncoderObjective)
    plain = BlackBoxObjective(attacker, document, 0, units)
    everything = range(len(units))
    assert fast.gains(everything) == pytest.approx(plain.gains(everything), abs=1e-3)
    assert fast.log_odds() == pytest.approx(plain.log_odds(), abs=1e-3)
    fast.mask(1)
    plain.mask(1)
    assert fast.rank() == plain.rank()
    best = int(np.argmax(fast.gains(everything)))
    assert fast.gains([best]) == pytest.approx(plain.gains([best]), abs=1e-3)


def test_a_copy_goes_on_by_itself(people: People, model: AttackerModel) -> None:
    """What is masked in a copy is not masked in the game it was taken from."""
    document = worded(ABOUT_ANNA)
    game = EncoderObjective(BiEncoder(people, model), document, 0, word_units(document))
    before = game.log_odds()
    other = game.copy()
    other.mask(0)
    assert game.log_odds() == before
    assert other.log_odds() != before
    other.unmask(0)
    assert other.log_odds() == pytest.approx(before, abs=1e-4)


def test_a_person_is_hidden_from_the_encoder(people: People, model: AttackerModel) -> None:
    """With everything masked all that is left is chance; short of that the rank must be above K."""
    attacker = BiEncoder(people, model)
    document = read_words(Document("d", ABOUT_ANNA))
    person = attacker.rank(document).best(1)[0]
    result = anonymize(document, person, [attacker], 1)
    scores = attacker.scores(document, result.mask[None, :])[0]
    assert result.reached == (int((scores > scores[person]).sum()) >= 1)
    if result.reached:
        assert result.attack_results[0].rank > 1
