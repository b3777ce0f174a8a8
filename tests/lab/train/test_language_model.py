"""The masked language model: what it hides, what it learns, and the graph that it becomes."""

from __future__ import annotations

import gzip
import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

TEXT = "The cat sat on the mat. The dog lay on the rug. " * 12


def tiny() -> object:
    """Return a small network with BERT's vocabulary."""
    from tacenda_lab.train.language_network import LanguageNetwork

    torch.manual_seed(4)
    return LanguageNetwork(torch.randn(30522, 36) / 6).eval()


def tokenizer() -> Path:
    """Return the tokenizer of the shipped recognizer."""
    from tacenda.models.store import find

    return find("attacker-en").folder / "tokenizer.json"


@given(st.lists(st.integers(1, 3), min_size=1, max_size=60), st.integers(0, 9))
def test_words_are_hidden_whole(pieces: list[int], seed: int) -> None:
    """No word is hidden in part, and at least the share that was asked for is hidden."""
    from tacenda_lab.train.examples import masked_places

    words = np.repeat(np.arange(len(pieces)), pieces)
    masked = masked_places(words, 0.2, np.random.default_rng(seed))
    for number in range(len(pieces)):
        assert len(set(masked[words == number])) == 1
    assert masked.sum() >= max(1, round(0.2 * len(words)))


def test_the_graph_says_what_the_network_says(tmp_path: Path) -> None:
    """Log-probabilities of the exported model differ from the network's by quantization only."""
    from tacenda.models.networks import LanguageModel, Question
    from tacenda_lab.train.language_network import write_language_package

    network = tiny()
    write_language_package(network, tokenizer(), 90, tmp_path / "lm")
    model = LanguageModel.load(tmp_path / "lm")
    ids = [id for id, _, _ in model.pieces(TEXT)][:40]
    targets = (ids[3], ids[20])
    ids[3] = ids[20] = model.mask_id
    (found,) = model.answer([Question(tuple(ids), (3, 20), targets)])
    row = torch.tensor([[101, *ids, 102]])
    with torch.inference_mode():
        logits = network(row, torch.ones_like(row, dtype=torch.bool), torch.tensor([4, 21]))
    wanted = logits.log_softmax(-1)[[0, 1], targets].numpy()
    # The words' norms are large in an untrained network: log-probabilities reach -30.
    assert np.abs(found - wanted).max() < 0.02 * np.abs(wanted).max()


def test_the_card_has_the_figures_of_what_ships(tmp_path: Path) -> None:
    """The perplexity is the exported model's, close to the network's; unigram's stands beside it."""
    from tacenda.models.encoding import TextEncoder
    from tacenda.models.store import read_model
    from tacenda_lab.train.language_model import (
        LanguageSchedule,
        held_out_batches,
        shipped_perplexity,
        write_language_card,
    )
    from tacenda_lab.train.language_network import write_language_package

    folder = tmp_path / "lm"
    network = tiny()
    write_language_package(network, tokenizer(), 60, folder)
    encoder = TextEncoder.from_file(tokenizer())
    encodings = [encoder.encode(TEXT), encoder.encode("The dog sat. ")]
    batches = held_out_batches(encodings, encoder, 60)[:2]
    found = shipped_perplexity(folder, batches)
    assert found == pytest.approx(_perplexity(network, batches), rel=0.05)
    write_language_card(encodings, encodings, LanguageSchedule(window=60), folder)
    read_model(folder).verify()
    card = read_model(folder).card()
    assert "| frequencies of the training texts alone | " in card
    assert "Measured** on 2 such documents" in card


def test_company_changes_no_answer(tmp_path: Path) -> None:
    """A question has the same answer, to the last bit, alone and among others of all lengths."""
    from tacenda.models.networks import LanguageModel, Question
    from tacenda_lab.train.language_network import write_language_package

    write_language_package(tiny(), tokenizer(), 90, tmp_path / "lm")
    model = LanguageModel.load(tmp_path / "lm")
    ids = [id for id, _, _ in model.pieces(TEXT)]
    questions = [
        Question((*ids[:n], model.mask_id, *ids[n + 1 : 2 * n]), (n,), (ids[n],))
        for n in (2, 40, 9, 41, 5, 40, 38)
    ]
    together = model.answer(questions)
    for question, found in zip(questions, together, strict=True):
        (alone,) = model.answer([question])
        assert alone.tobytes() == found.tobytes()
    assert together[1].tobytes() == together[5].tobytes()
    with pytest.raises(ValueError, match="91 subwords; 90 is the most"):
        model.answer([Question(tuple(ids[:91]), (0,), (1,))])


def test_training_makes_a_text_less_surprising(tmp_path: Path) -> None:
    """After a few steps on one text its perplexity is far lower, and the state is removed."""
    from tacenda.models.encoding import TextEncoder
    from tacenda_lab.train.language_model import (
        LanguageSchedule,
        held_out_batches,
        train_language_model,
    )

    encoder = TextEncoder.from_file(tokenizer())
    encodings = [encoder.encode(TEXT)]
    batches = held_out_batches(encodings, encoder, 60)[:3]
    network = tiny()
    before = _perplexity(network, batches)
    schedule = LanguageSchedule(
        steps=60, alone=20, batch_size=4, window=60, rate=5e-3, cooldown=20, block=20, sample=200
    )
    train_language_model(network, encodings, encoder, schedule, tmp_path / "state")
    assert _perplexity(network, batches) < before / 50
    assert not (tmp_path / "state").exists()


def test_the_sampled_loss_is_the_whole_one_on_average() -> None:
    """Compared with a sample of the words, the sum over all of them is estimated without bias."""
    from tacenda_lab.train.language_network import sampled_cross_entropy

    torch.manual_seed(3)
    states, table, bias = torch.randn(5, 8), torch.randn(40, 8) / 3, torch.randn(40)
    targets = torch.tensor([0, 1, 2, 3, 39])
    chances = torch.softmax(torch.randn(40), 0)
    whole = torch.nn.functional.cross_entropy(states @ table.T + bias, targets)
    draws = [torch.multinomial(chances, 200, replacement=True) for _ in range(200)]
    found = [sampled_cross_entropy(states, table, bias, targets, drawn, chances) for drawn in draws]
    assert float(torch.stack(found).mean()) == pytest.approx(float(whole), abs=0.02)


def test_surprisal_is_asked_of_the_embedded_model(tmp_path: Path) -> None:
    """``--weights lm:FOLDER`` weighs each masked token, each at least 0."""
    from tacenda.document import Span
    from tacenda.evaluate.weights import weighting
    from tacenda_lab.train.language_network import write_language_package

    write_language_package(tiny(), tokenizer(), 90, tmp_path / "lm")
    surprisal = weighting(f"lm:{tmp_path / 'lm'}")
    found = surprisal.weights(TEXT, [Span(4, 7), Span(400, 403)])
    assert surprisal.name.startswith("lm:lm@")
    assert len(found) == 2
    assert all(value > 0 for value in found)


def test_the_recipe_leaves_out_development_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From texts to a package that loads; a document of a development split is not read."""
    from safetensors.torch import save_file

    from tacenda.models.networks import LanguageModel
    from tacenda_lab.train import language_model
    from tacenda_lab.train.language_model import LanguageSchedule

    data, encoder = tmp_path / "data", tmp_path / "encoder"
    for folder in (data / "background", data / "tab", data / "wiki", encoder):
        folder.mkdir(parents=True)
    (data / "tab/dev.json").write_text(json.dumps([{"doc_id": "dev"}]), encoding="utf-8")
    (data / "wiki/wikireplace_dev.json").write_text("[]", encoding="utf-8")
    texts = {f"doc {number}": TEXT for number in range(60)} | {"dev": "Secret. "}
    for name, part in (("echr_judgments", texts), ("wiki553_article_bodies", {"wiki": TEXT})):
        with gzip.open(data / f"background/{name}.json.gz", "wt", encoding="utf-8") as file:
            json.dump(part, file)
    assert set(language_model.read_texts(data)) == {*texts, "wiki"} - {"dev"}
    shutil.copy(tokenizer(), encoder / "tokenizer.json")
    words = {"embeddings.word_embeddings.weight": torch.randn(30522, 36) / 6}
    save_file(words, encoder / "model.safetensors")
    short = LanguageSchedule(steps=4, alone=2, batch_size=2, window=40, cooldown=2, block=2)
    monkeypatch.setattr(language_model, "LanguageSchedule", lambda: short)
    folder = language_model.train_shipped_model(data, tmp_path / "work", encoder)
    assert LanguageModel.load(folder).window == 40
    assert "4 steps on\n59 judgments" in (folder / "CARD.md").read_text(encoding="utf-8")


def _perplexity(network: Any, batches: Any) -> float:
    """Exponential of the mean of -log p of what is masked, by the network itself."""
    total, count = 0.0, 0
    network.eval()
    with torch.inference_mode():
        for batch in batches:
            logits = network(batch.ids, batch.mask, batch.wanted)
            loss = torch.nn.functional.cross_entropy(logits.float(), batch.targets, reduction="sum")
            total, count = total + float(loss), count + len(batch.targets)
    return math.exp(total / count)
