"""Training can stop and go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from .building import Stopped

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("safetensors", reason="needs the extra 'train'")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch):
    """Return a function that trains a tiny network on two sentences, perhaps cut short."""
    from tacenda.models.encoding import TextEncoder
    from tacenda.models.store import find
    from tacenda_lab.train import recognizer_batches, trainer
    from tacenda_lab.train.examples import MarkedSpan, example
    from tacenda_lab.train.networks import Architecture, Encoder, Recognizer

    encoder = TextEncoder.from_file(find("attacker-en").folder / "tokenizer.json")
    examples = [
        example(
            "a", "Ms Anna Berg was born in 1970.", [[MarkedSpan(3, 12, "PERSON", 2)]], encoder, "x"
        ),
        example("b", "She moved to Oslo.", [[MarkedSpan(13, 17, "LOC", 1)]], encoder, "x"),
    ]

    def train(resume: Path | None, stop_after: int | None = None) -> object:
        torch.manual_seed(5)
        model = Recognizer(Encoder(Architecture(30522, 16, 1, 2, 32, 64, 1e-12)))
        epochs = 0

        class StoppingCheckpoint(trainer.TrainingCheckpoint):
            def save(self, *args: object) -> None:
                nonlocal epochs
                super().save(*args)
                epochs += 1
                if epochs == stop_after:
                    raise Stopped

        monkeypatch.setattr(trainer, "TrainingCheckpoint", StoppingCheckpoint)
        recognizer_batches.train(
            model, examples, encoder, recognizer_batches.Schedule(epochs=4, batch_size=1), resume
        )
        return model

    return train


def same(one: object, other: object) -> bool:
    """Return whether two networks have the same weights to the bit."""
    theirs = other.state_dict()
    return all(torch.equal(value, theirs[name]) for name, value in one.state_dict().items())


def test_the_same_seed_gives_the_same_weights(run, tmp_path: Path) -> None:
    """Two runs of one recipe differ in no bit."""
    assert same(run(None), run(tmp_path / "state"))


def test_a_stopped_run_goes_on_as_if_it_had_not_stopped(run, tmp_path: Path) -> None:
    """The weights after an interruption are those of a run without one, and the state is gone."""
    whole = run(None)
    with pytest.raises(Stopped):
        run(tmp_path / "state", stop_after=2)
    assert (tmp_path / "state").exists()
    assert same(run(tmp_path / "state"), whole)
    assert not (tmp_path / "state").exists()


def test_the_state_of_another_run_is_not_used(run, tmp_path: Path) -> None:
    """A state file left by another schedule or other data starts nothing in the middle."""
    with pytest.raises(Stopped):
        run(tmp_path / "state", stop_after=2)
    state = torch.load(tmp_path / "state", weights_only=True)
    torch.save(state | {"signature": "another"}, tmp_path / "state")
    assert same(run(tmp_path / "state"), run(None))


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_a_run_whose_loss_is_no_number_ends(value: str, tmp_path: Path) -> None:
    """Nothing is written of weights that would find nothing."""
    from tacenda.errors import ModelError
    from tacenda_lab.train.recognizer_batches import Schedule
    from tacenda_lab.train.trainer import Trainer

    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    trainer = Trainer(
        model,
        lambda _: [1.0, float(value)],
        lambda batch: model(torch.ones(1)).sum() * batch,
        Schedule(epochs=1),
        optimizer,
        torch.optim.lr_scheduler.LambdaLR(optimizer, lambda _: 1.0),
        mixed=False,
    )
    with pytest.raises(ModelError, match=r"the loss is -?(nan|inf): .* a lower --rate may help"):
        trainer.fit(tmp_path / "state")
    assert not (tmp_path / "state").exists()


def test_a_batch_by_subwords_is_never_larger_than_asked() -> None:
    """Windows of one batch, padded to the longest, have at most that many subwords."""
    from tacenda_lab.train.recognizer_batches import Schedule, _sliced

    class Window(list[int]):
        pass

    windows = [Window(range(length)) for length in (3, 5, 5, 9, 20, 40)]
    batches = list(_sliced(windows, Schedule(batch_tokens=30)))
    assert sorted(map(len, (w for batch in batches for w in batch))) == [3, 5, 5, 9, 20, 40]
    assert all(
        len(batch) == 1 or len(batch) * (2 + max(map(len, batch))) <= 30 for batch in batches
    )
