"""The masked language model: what it hides, what it learns, and the graph that it becomes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

TEXT = "The cat sat on the mat. The dog lay on the rug. " * 12


def tiny() -> object:
    """Return a network of one layer with BERT's vocabulary."""
    from tacenda.training.encoder import Architecture, Encoder
    from tacenda.training.language_network import LanguageModel

    torch.manual_seed(4)
    return LanguageModel(Encoder(Architecture(30522, 32, 1, 2, 64, 260, 1e-12))).eval()


def tokenizer() -> Path:
    """Return the tokenizer of the shipped recognizer."""
    from tacenda.models.store import find

    return find().folder / "tokenizer.json"


@given(st.lists(st.integers(1, 3), min_size=1, max_size=60), st.integers(0, 9))
def test_words_are_hidden_whole(pieces: list[int], seed: int) -> None:
    """No word is hidden in part, and at least the share that was asked for is hidden."""
    from tacenda.training.masking import masked_places

    words = np.repeat(np.arange(len(pieces)), pieces)
    masked = masked_places(words, 0.2, np.random.default_rng(seed))
    for number in range(len(pieces)):
        assert len(set(masked[words == number])) == 1
    assert masked.sum() >= max(1, round(0.2 * len(words)))


def test_the_graph_says_what_the_network_says(tmp_path: Path) -> None:
    """Log-probabilities of the exported model differ from the network's by quantization only."""
    from tacenda.models.language import LanguageModel
    from tacenda.training.export_language import write_language_package

    network = tiny()
    write_language_package(network, tokenizer(), 90, tmp_path / "lm")
    model = LanguageModel.load(tmp_path / "lm")
    ids = [int(id) for id in model.encode(TEXT).ids[:40]]
    targets = [ids[3], ids[20]]
    ids[3] = ids[20] = model.mask_id
    found = model.log_probabilities(ids, [3, 20], targets)
    row = torch.tensor([[101, *ids, 102]])
    with torch.inference_mode():
        logits = network(row, torch.ones_like(row, dtype=torch.bool), torch.tensor([4, 21]))
    wanted = logits.log_softmax(-1)[[0, 1], targets].numpy()
    # The words' norms are large in an untrained network: log-probabilities reach -30.
    assert np.abs(found - wanted).max() < 0.02 * np.abs(wanted).max()


def test_training_makes_a_text_less_surprising(tmp_path: Path) -> None:
    """After a few steps on one text its perplexity is far lower; a stopped run goes on."""
    from tacenda.detect.encoding import TextEncoder
    from tacenda.training.language_recipe import (
        LanguageSchedule,
        perplexity,
        train_language_model,
    )

    encoder = TextEncoder.from_file(tokenizer())
    encodings = [encoder.encode(TEXT)]
    network = tiny()
    before = perplexity(network, encodings, encoder, windows=4)
    schedule = LanguageSchedule(steps=60, batch_size=4, window=60, rate=5e-3, block=20)
    train_language_model(network, encodings, encoder, schedule, tmp_path / "state")
    assert perplexity(network, encodings, encoder, windows=4) < before / 50
    assert not (tmp_path / "state").exists()


def test_surprisal_is_asked_of_the_embedded_model(tmp_path: Path) -> None:
    """``--weights lm:FOLDER`` weighs each masked token, each at least 0."""
    from tacenda.document import Span
    from tacenda.evaluate.weightings import weighting
    from tacenda.training.export_language import write_language_package

    write_language_package(tiny(), tokenizer(), 90, tmp_path / "lm")
    surprisal = weighting(f"lm:{tmp_path / 'lm'}")
    found = surprisal.weights(TEXT, [Span(4, 7), Span(400, 403)])
    assert surprisal.name.startswith("lm:lm@")
    assert len(found) == 2
    assert all(value > 0 for value in found)
