"""A masked language model of the user's, asked by the indicators."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.document import Document
from tacenda.errors import ModelError, PolicyError
from tacenda.models.checkpoint import DEVICE_VARIABLE
from tacenda.models.networks import Question
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda_lab import indicators
from tacenda_lab.indicators.language import features
from tests.building import entity, mention
from tests.lab.train import tiny

DOCUMENT = Document("d", "Anna Berg spoke. Berg spoke.")


def test_a_model_by_transformers_is_asked_like_ours(tmp_path: Path) -> None:
    """``hf:NAME``: three subwords and two, each with a log-probability below 0."""
    pytest.importorskip("torch", reason="needs the extra 'hf'")
    transformers = pytest.importorskip("transformers", reason="needs the extra 'hf'")
    from tacenda.evaluate.weights import HuggingFaceModel

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "anna", "ber", "##g", "spoke", "."]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    config = transformers.BertConfig(
        vocab_size=len(words), intermediate_size=8, max_position_embeddings=12, **sizes
    )
    transformers.BertForMaskedLM(config).save_pretrained(tmp_path / "model")
    tokenizer = transformers.BertTokenizerFast(str(tmp_path / "vocab.txt"))
    tokenizer.save_pretrained(tmp_path / "model")
    person = entity("e1", mention(DOCUMENT, "Anna Berg"), mention(DOCUMENT, "Berg", nth=1))
    (found,) = features(DOCUMENT, [person], HuggingFaceModel(str(tmp_path / "model")))
    smallest, largest, median, mean, total = found
    assert smallest <= median <= largest < 0
    assert total < mean < 0
    assert np.isfinite(found).all()


@pytest.fixture
def cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute on the processor."""
    pytest.importorskip("transformers", reason="needs the extra 'hf'")
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")


QUESTIONS = [
    Question((5, 6, 4, 4, 9), (2, 3), (7, 8)),
    Question((5, 6, 4, 8, 9), (2,), (7,)),
    Question((4, 6, 4), (0, 2), (9, 8)),
]


@pytest.mark.usefixtures("cpu")
def test_questions_are_answered_in_batches_as_alone(tmp_path: Path) -> None:
    """Questions of one length share a batch; the answers are those of each by itself."""
    from tacenda.evaluate.weights import HuggingFaceModel

    folder = tiny.encoder(tmp_path / "lm", head="AutoModelForMaskedLM")
    model = HuggingFaceModel(str(folder))
    for together, question in zip(model.answer(QUESTIONS), QUESTIONS, strict=True):
        (alone,) = model.answer([question])
        np.testing.assert_allclose(together, alone, rtol=1e-5)
        assert (alone < 0).all()


@pytest.mark.usefixtures("cpu")
def test_an_encoder_without_a_head_is_no_language_model(tmp_path: Path) -> None:
    """Its head would be drawn at random, and the weights of words with it, anew in each run."""
    from tacenda.evaluate.weights import weighting

    folder = tiny.encoder(tmp_path / "encoder")
    for kind in ("hf", "bert"):
        with pytest.raises(
            ModelError, match=r"not a masked language model: it has no weights 'cls\."
        ):
            weighting(f"{kind}:{folder}")


@pytest.mark.usefixtures("cpu")
def test_a_causal_model_is_asked_after_what_is_visible(tmp_path: Path) -> None:
    """A run of hidden pieces has the probability of its pieces one after the other; other runs stay hidden."""
    import torch
    import transformers

    from tacenda.evaluate.weights import HuggingFaceModel

    folder = tiny.encoder(
        tmp_path / "gpt",
        "gpt2",
        "AutoModelForCausalLM",
        **{"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 64},
        **{"bos_token_id": 2, "eos_token_id": 3},
    )
    model = HuggingFaceModel(str(folder))
    hidden = model.mask_id
    question = Question((5, hidden, 6, hidden, hidden, 9), (1, 3, 4), (7, 8, 10))
    (answer,) = model.answer([question])
    network = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()

    def log_probability(context: list[int], target: int) -> float:
        with torch.no_grad():
            logits = network(torch.tensor([[2, *context]])).logits[0, -1]
        return float(torch.log_softmax(logits, -1)[target])

    expected = [
        log_probability([5], 7),
        log_probability([5, 6], 8),
        log_probability([5, 6, 8], 10),
    ]
    np.testing.assert_allclose(answer, expected, rtol=1e-4)


@pytest.fixture
def fitted(tmp_path: Path, cpu: None) -> Path:
    """What was fitted to the answers of a tiny masked language model by the command."""
    documents = tiny.documents(0, 6)
    for document in documents[::2]:
        view = document["annotations"]["a0"]
        view["entity_mentions"][1]["identifier_type"] = "NO_MASK"
    (tmp_path / "gold.json").write_text(json.dumps(documents), encoding="utf-8")
    folder = tiny.encoder(tmp_path / "lm", head="AutoModelForMaskedLM")
    arguments = ["lab", "train", "language-risk", str(tmp_path / "gold.json")]
    run = CliRunner().invoke(
        app,
        [*arguments, "--lm", f"hf:{folder}", "--out", str(tmp_path / "risk")],
        catch_exceptions=False,
    )
    assert run.exit_code == 0, run.output
    return tmp_path / "risk"


@pytest.mark.parametrize(
    "kind", ["language", "language_threshold", "language_together", "perturbation"]
)
def test_a_policy_names_what_was_fitted_to_a_users_model(fitted: Path, kind: str) -> None:
    """``indicators: [KIND:FOLDER]``, beside the policy's file; the folder knows its language model."""
    policy = fitted.parent / "policy.yaml"
    policy.write_text(f"indicators: ['{kind}:risk']\ncombine: weighted\n", encoding="utf-8")
    settings = Policy.load(policy)
    assert settings.indicators == (f"{kind}:{fitted}",)
    result = load(settings).sanitize("The clerk saw Anna Berg in Oslo.", target="Anna Berg")
    evidence = {
        item.evidence.indicator: item.evidence.value
        for decision in result.decisions
        for item in decision.reasons
        if item.evidence is not None
    }
    if kind in ("language", "language_threshold"):
        assert 0 < evidence[kind] < 1
    assert "combined" in evidence


@pytest.mark.parametrize("part", ["model.safetensors", "tokenizer.json"])
def test_another_model_at_the_same_path_is_refused(fitted: Path, part: str) -> None:
    """Weights or a tokenizer that what was fitted doesn't know; a page beside them is no matter."""
    lm = fitted.parent / "lm"
    (lm / "README.md").write_text("A tiny model.", encoding="utf-8")
    indicators.perturbation(str(fitted))
    indicators._model.cache_clear()
    other = tiny.encoder(
        fitted.parent / "other", head="AutoModelForMaskedLM", initializer_range=0.5
    )
    content = (other / part).read_bytes()
    if part == "tokenizer.json":
        content = content.replace(b'"nurse"', b'"baker"')
    (lm / part).write_bytes(content)
    with pytest.raises(ModelError, match=r"fitted to the answers of hf:.*@\w{8}, not hf:.*@\w{8}"):
        indicators.perturbation(str(fitted))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("masking_head_whole:here",), "is built in, and has no folder; remove 'here'"),
        (("language", "language:here"), "language occurs with two folders"),
        (("nothing:here",), "unknown indicator 'nothing'"),
    ],
)
def test_folders_of_indicators_are_checked(names: tuple[str, ...], message: str) -> None:
    """Built-in ones have none, and there is one of each kind."""
    with pytest.raises(PolicyError, match=message):
        load(Policy(indicators=names))
