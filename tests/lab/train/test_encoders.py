"""A recognizer from any encoder of transformers and annotated documents alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.errors import InputError, ModelError, TacendaError
from tacenda.models.checkpoint import DEVICE_VARIABLE
from tacenda.models.session import ENGINE_VARIABLE
from tacenda.pipeline import load
from tacenda.policy import Policy

from . import tiny
from .building import Stopped

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("transformers", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

TEXT = "The clerk of room 77 saw Zorblax Quimby on the stairs in Oslo."
LEARNED = ("--epochs", "12", "--rate", "0.01", "--batch-size", "4")


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each recognizer choose its engine, on the processor."""
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")


def gold(path: Path, first: int, last: int, annotators: int = 1) -> Path:
    """Write documents in TAB's form."""
    path.write_text(json.dumps(tiny.documents(first, last, annotators)), encoding="utf-8")
    return path


def trained(*arguments: str | Path) -> tuple[Path, str]:
    """Run the command; the folder it prints, and its messages."""
    run = CliRunner().invoke(
        app,
        ["lab", "train", "recognizer", *map(str, arguments), "--threads", "1"],
        catch_exceptions=False,
    )
    assert run.exit_code == 0, run.output
    return Path(run.stdout.strip()), run.stderr


def found(model: str | Path, text: str = TEXT) -> dict[str, str]:
    """Strings and types that a policy with this recognizer alone masks."""
    policy = Policy(model=str(model), patterns=False, propagate=False)
    result = load(policy).sanitize(text)
    return {
        mention.span.of(text): str(mention.type)
        for decision in result.decisions
        if decision.masked
        for mention in decision.entity.mentions
    }


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recognizer that learned by heart what it was shown, with its report."""
    folder = tmp_path_factory.mktemp("encoders")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(ENGINE_VARIABLE, raising=False)
        patch.setenv(DEVICE_VARIABLE, "cpu")
        out, _ = trained(
            gold(folder / "train.json", 0, 12),
            "--encoder",
            tiny.encoder(folder / "bert"),
            *("--dev", gold(folder / "dev.json", 20, 23)),
            *("--out", folder / "mine"),
            *LEARNED,
        )
    return out


def test_what_was_shown_is_found_again_in_a_policy(learned: Path) -> None:
    """Names and types come from the annotations, by ``model: FOLDER`` and ``model: hf:FOLDER``."""
    assert found(learned) == {"Zorblax Quimby": "PERSON", "Oslo": "LOC"}
    assert found(f"hf:{learned}") == found(learned)
    assert found(learned, "A nurse ate soup.") == {}


def test_a_policy_names_the_folder_beside_it(learned: Path) -> None:
    """A relative folder is relative to the policy's file, with ``hf:`` too."""
    policy = learned.parent / "policy.yaml"
    for name in ("mine", "hf:mine"):
        policy.write_text(f"model: {name}\n", encoding="utf-8")
        result = load(str(policy)).sanitize(TEXT)
        assert "Quimby" not in result.text


def test_the_graph_gives_what_the_network_gives(
    learned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One engine computes an exported network, torch the same one where it is named."""
    from tacenda.models.store import locate
    from tacenda.models.token_classifier import TokenClassifier

    models = []
    for engine in ("onnxruntime", "torch"):
        monkeypatch.setenv(ENGINE_VARIABLE, engine)
        models.append(TokenClassifier.load(locate(learned)))
        assert models[-1].engine == engine
    ids = np.array([[2, 5, 6, 7, 14, 15, 3, 0], [2, 8, 9, 3, 0, 0, 0, 0]], dtype=np.int64)
    mask = (ids > 0).astype(np.int32)
    (types, masking), (same_types, same_masking) = (model.run(ids, ids, mask) for model in models)
    np.testing.assert_allclose(types[mask > 0], same_types[mask > 0], atol=2e-3)
    np.testing.assert_allclose(masking[mask > 0], same_masking[mask > 0], atol=2e-3)


def test_company_changes_nothing(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text's result is the same alone and among others, by torch in batches."""
    monkeypatch.setenv(ENGINE_VARIABLE, "torch")
    sanitizer = load(Policy(model=str(learned)))
    texts = [TEXT, "Quimby spoke.", f"{TEXT} " * 30, "In Oslo a nurse ate soup."]
    together = [result.text for result in sanitizer.pipe(texts)]
    assert together == [sanitizer.sanitize(text).text for text in texts]


def test_the_folder_says_what_it_was_made_of(learned: Path) -> None:
    """Card, digests and report: epochs, scores, the best of them, the figures of the benchmark."""
    from tacenda.models.store import locate

    locate(learned).verify()
    training = json.loads((learned / "training.json").read_text())
    assert training["dev"]["entity_recall_direct"] == 1.0
    assert training["scores"][training["best_epoch"] - 1] == max(training["scores"])
    assert training["onnx"] == "exported"
    assert (
        "from 12 annotated documents by `tacenda lab train recognizer`, with seed 1:"
        in (learned / "CARD.md").read_text()
    )
    report = json.loads((learned / "report.json").read_text())
    assert report["dev"]["token_f1"] == {"mean": training["dev"]["token_f1"]}


def test_a_changed_file_is_refused(learned: Path, tmp_path: Path) -> None:
    """The digests are compared when it is loaded."""
    import shutil

    copy = shutil.copytree(learned, tmp_path / "copy")
    (copy / "config.json").write_text((copy / "config.json").read_text() + " ")
    with pytest.raises(ModelError, match=r"config\.json has SHA-256"):
        load(Policy(model=str(copy)))


def test_weights_that_are_no_numbers_leave_no_text_unmasked(
    learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error stands in the place of a text that seems to hold nobody."""
    import shutil

    from safetensors.torch import load_file, save_file

    from tacenda_lab.train.packages import write_digests

    monkeypatch.setenv(ENGINE_VARIABLE, "torch")
    copy = shutil.copytree(learned, tmp_path / "copy")
    weights = load_file(copy / "model.safetensors")
    weights["classifier.bias"] *= float("nan")
    save_file(weights, copy / "model.safetensors", {"format": "pt"})
    write_digests(copy, ["model.safetensors", "config.json", "tokenizer.json"])
    with pytest.raises(ModelError, match="copy returned a value that is not a number"):
        found(copy)


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_any_family_learns(family: str, tmp_path: Path) -> None:
    """Tokenizers by words, bytes and sentence pieces; attention with and without windows."""
    out, _ = trained(
        gold(tmp_path / "train.json", 0, 8),
        *("--encoder", tiny.encoder(tmp_path / family, family)),
        *("--window", "24", "--stride", "6", "--labels", "iob", "--no-onnx"),
        *("--out", tmp_path / "mine", "--epochs", "15", "--rate", "0.01", "--batch-size", "4"),
    )
    assert {"Zorblax Quimby", "Oslo"} == set(found(out, TEXT.replace("77", "9")))


def test_local_attention_is_said_to_keep_a_network_from_export(tmp_path: Path) -> None:
    """The folder is whole without a graph, and its card says why it has none."""
    encoder = tiny.encoder(tmp_path / "longformer", "longformer")
    out, _ = trained(
        gold(tmp_path / "g.json", 0, 2), "--encoder", encoder, "--epochs", "1", "-o", tmp_path / "m"
    )
    assert not (out / "model.onnx").exists()
    assert "Exported for onnxruntime: attention that is local" in (out / "CARD.md").read_text()
    assert json.loads((out / "config.json").read_text())["tacenda"]["onnx"] is False


@pytest.mark.parametrize("family", ["bert", "roberta", "data2vec-text"])
def test_the_longest_window_is_not_padded_beyond_what_the_encoder_reads(
    family: str, tmp_path: Path
) -> None:
    """An encoder of 45 positions, no multiple of the step: a text of many windows is judged, and sanitized."""
    documents = tiny.documents(0, 2)
    for document in documents:
        document["text"] = f"{document['text']} {'A nurse ate soup. ' * 40}"
    path = tmp_path / "dev.json"
    path.write_text(json.dumps(documents), encoding="utf-8")
    encoder = tiny.encoder(tmp_path / family, family, max_position_embeddings=45)
    out, _ = trained(
        gold(tmp_path / "g.json", 5, 7),
        *("--encoder", encoder, "--dev", path, "--calibrate", gold(tmp_path / "c.json", 8, 9)),
        *("--no-onnx", "--epochs", "1", "-o", tmp_path / "m"),
    )
    window = json.loads((out / "config.json").read_text())["tacenda"]["window"]
    assert window == (
        43 if family == "bert" else 42
    )  # RoBERTa's first position is that of padding.
    found(out, str(documents[0]["text"]))


def test_a_stopped_run_ends_as_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights, scores and the best epoch are those of a run without an interruption."""
    from tacenda_lab.train import trainer

    documents, dev = gold(tmp_path / "train.json", 0, 4), gold(tmp_path / "dev.json", 9, 11)
    encoder = tiny.encoder(tmp_path / "bert")
    options = ["--encoder", encoder, "--dev", dev, "--epochs", "4", "--rate", "0.01", "--no-onnx"]
    whole, _ = trained(documents, *options, "-o", tmp_path / "whole")
    save = trainer.TrainingCheckpoint.save

    def stopping(self: trainer.TrainingCheckpoint, *state: object) -> None:
        save(self, *state)
        if len(state[-1].losses) == 2:
            raise Stopped

    monkeypatch.setattr(trainer.TrainingCheckpoint, "save", stopping)
    with pytest.raises(Stopped):
        trained(documents, *options, "-o", tmp_path / "parts")
    monkeypatch.setattr(trainer.TrainingCheckpoint, "save", save)
    parts, _ = trained(documents, *options, "-o", tmp_path / "parts")
    for file in ("training.json", "model.safetensors"):
        assert (parts / file).read_bytes() == (whole / file).read_bytes()


def test_a_run_stopped_while_its_folder_is_written_learns_nothing_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state stays until the folder is whole, and the part of it that is there is the run's own."""
    from tacenda_lab.train import encoders

    encoder = tiny.encoder(tmp_path / "bert")
    arguments = [gold(tmp_path / "g.json", 0, 2), "--encoder", encoder, "-o", tmp_path / "m"]

    def stopping(*_: object) -> str:
        raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(encoders, "export_onnx", stopping)
        with pytest.raises(Stopped):
            trained(*arguments)
    assert not (tmp_path / "m/digests.json").exists()
    out, messages = trained(*arguments)
    assert "epoch" not in messages
    assert (out / "digests.json").exists()
    assert not (tmp_path / "m.state").exists()


def test_a_run_ends_when_it_gets_no_better(tmp_path: Path) -> None:
    """With a rate at which nothing changes, the first epoch is the best and ``--patience`` ends the run."""
    out, _ = trained(
        gold(tmp_path / "train.json", 0, 4),
        *(
            "--encoder",
            tiny.encoder(tmp_path / "bert"),
            "--dev",
            gold(tmp_path / "dev.json", 9, 11),
        ),
        *("--epochs", "9", "--patience", "2", "--rate", "1e-9", "--no-onnx", "-o", tmp_path / "m"),
    )
    training = json.loads((out / "training.json").read_text())
    assert (training["best_epoch"], len(training["scores"])) == (1, 3)


def test_seeds_have_a_mean_and_an_interval(tmp_path: Path) -> None:
    """Each seed is a folder; the best one is printed, and what is done is not done again."""
    arguments = [
        gold(tmp_path / "train.json", 0, 6),
        *(
            "--encoder",
            tiny.encoder(tmp_path / "bert"),
            "--dev",
            gold(tmp_path / "dev.json", 9, 11),
        ),
        *("--seeds", "3", "--epochs", "3", "--rate", "0.01", "--no-onnx", "-o", tmp_path / "m"),
    ]
    best, messages = trained(*arguments)
    report = json.loads((tmp_path / "m/report.json").read_text())
    values = [run["dev"]["token_f1"] for run in report["seeds"]]
    assert len({run["losses"][0] for run in report["seeds"]}) == 3
    summary = report["dev"]["token_f1"]
    half = 4.302653 * np.std(values, ddof=1) / np.sqrt(3)
    assert summary["mean"] == pytest.approx(np.mean(values))
    assert summary["high"] - summary["low"] == pytest.approx(2 * half, abs=1e-5)
    assert best.name == f"seed-{1 + int(np.argmax(values))}"
    assert "token_f1" in messages
    times = [
        (tmp_path / f"m/seed-{seed}/model.safetensors").stat().st_mtime_ns for seed in (1, 2, 3)
    ]
    trained(*arguments)
    assert times == [
        (tmp_path / f"m/seed-{seed}/model.safetensors").stat().st_mtime_ns for seed in (1, 2, 3)
    ]


def test_annotators_are_documents_or_shares(tmp_path: Path) -> None:
    """*duplicate*: each view one-hot; *soft*: half of them keep the place."""
    from tacenda.evaluate.gold import load_gold
    from tacenda.models.encoding import SubwordEncoder
    from tacenda_lab.train.encoders import examples_of

    documents = load_gold(gold(tmp_path / "train.json", 0, 1, annotators=2))
    encoder = SubwordEncoder(tiny.tokenizer("bert"), 0)
    first, second = examples_of(documents, encoder, "soft", "duplicate")
    (both,) = examples_of(documents, encoder, "soft", "soft")
    oslo = documents[0].text.index("Oslo")
    at = int(np.flatnonzero(both.encoding.starts == oslo)[0])
    assert first.masks[at].tolist() == [0.0, 1.0, 0.0]
    assert second.masks[at].tolist() == [1.0, 0.0, 0.0]
    assert both.masks[at].tolist() == [0.5, 0.5, 0.0]
    (both,) = examples_of(documents, encoder, "iob", "soft")
    assert both.types[at].sum() == 1.0
    assert both.types[at, 0] == 0.5


def test_what_is_masked_weighs_more(tmp_path: Path) -> None:
    """Two subwords of which one is masked: its part in the loss is its weight among all weights."""
    from tacenda.evaluate.gold import load_gold
    from tacenda.models.encoding import SubwordEncoder
    from tacenda_lab.train.encoders import EncoderNetwork, examples_of, mask_loss
    from tacenda_lab.train.recognizer_batches import Schedule, _batches

    encoder = SubwordEncoder(tiny.tokenizer("bert"), 0)
    examples = examples_of(load_gold(gold(tmp_path / "g.json", 0, 1)), encoder, "iob", "soft")
    schedule = Schedule(window=64, overlap=0, case_noise=0.0)
    (batch,) = _batches(examples, schedule, np.random.default_rng(1))

    class Constant(torch.nn.Module):
        """Says O everywhere, with p = e/(e+2)."""

        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.zeros(1))

        def forward(self, ids: object, shapes: object, mask: object) -> tuple[object]:
            return (torch.tensor([1.0, 0.0, 0.0]).expand(*ids.shape, 3),)

    n, masked = len(examples[0].encoding), 3
    outside, inside = np.log(np.e + 2) - 1, np.log(np.e + 2)
    for weight in (1.0, 10.0):
        loss = float(mask_loss(Constant(), batch, encoder, weight))
        expected = ((n - masked) * outside + masked * weight * inside) / (
            n - masked + masked * weight
        )
        assert loss == pytest.approx(expected, rel=1e-5)
    assert issubclass(EncoderNetwork, torch.nn.Module)


def test_each_subword_is_learned_once(tmp_path: Path) -> None:
    """Windows overlap by the stride; the parts that count are those that will be read."""
    from tacenda.evaluate.gold import load_gold
    from tacenda.models.encoding import SubwordEncoder
    from tacenda_lab.train.encoders import examples_of
    from tacenda_lab.train.recognizer_batches import Schedule, _batches, kept

    encoder = SubwordEncoder(tiny.tokenizer("roberta"), 0)
    examples = examples_of(load_gold(gold(tmp_path / "g.json", 0, 1)), encoder, "iob", "soft")
    schedule = Schedule(window=20, overlap=8, case_noise=0.0)
    batches = _batches(examples, schedule, np.random.default_rng(1))
    counts = np.zeros(len(examples[0].encoding))
    for batch in batches:
        for item in batch:
            part, inner = kept(item.window)
            counts[part] += 1
            assert inner.start - 1 == part.start - item.window.start
            assert len(item) <= 20
    assert (counts == 1).all()


@pytest.mark.parametrize(
    ("labels", "text", "expected"),
    [
        (["O", "B-PER", "I-PER", "B-LOC", "I-LOC"], [0, 1, 2, 0, 3], [("PERSON", 2), ("LOC", 1)]),
        (["O", "PATIENT", "DATE"], [0, 1, 1, 0, 2], [("PERSON", 2), ("DATETIME", 1)]),
        (["O", "S-ORG", "B-X", "E-X"], [0, 2, 3, 0, 1], [("MISC", 2), ("ORG", 1)]),
    ],
)
def test_labels_of_others_are_understood(
    labels: list[str], text: list[int], expected: list[tuple[str, int]]
) -> None:
    """Prefixes of any scheme, and names that stand for semantic types."""
    from tacenda.detect.labels import LabelScores
    from tacenda.models.calibration import SEMANTIC_TYPES
    from tacenda.models.token_classifier import LabelScheme

    logits = np.full((len(text), len(labels)), -9.0, dtype=np.float32)
    logits[np.arange(len(text)), text] = 9.0
    types, masking = LabelScheme.of(labels).read(logits)
    reading = LabelScores.of(types, masking)
    assert (reading.p_mask > 0.9).tolist() == [label > 0 for label in text]
    chosen = (reading.labels[:, 1::2] + reading.labels[:, 2::2]).argmax(axis=-1)
    names = [SEMANTIC_TYPES[type] for type, label in zip(chosen, text, strict=True) if label]
    assert names == [type for type, n in expected for _ in range(n)]


def test_a_model_without_an_outside_is_no_recognizer(tmp_path: Path) -> None:
    """A classifier whose labels have no O is refused by name."""
    encoder = tiny.encoder(tmp_path / "bert", head="AutoModelForTokenClassification")
    with pytest.raises(
        ModelError, match="bert can't be used as a recognizer: its labels have no O"
    ):
        load(Policy(model=f"hf:{encoder}"))


@pytest.mark.parametrize("kind", ["bert", "roberta", "deberta-v2"])
def test_words_and_offsets_are_those_of_the_text(kind: str) -> None:
    """No offset has white space at its edge; words are runs of letters and digits, whatever pieces there are."""
    from tacenda.models.encoding import SubwordEncoder

    text = "  Anna-Maria  saw\nthe 2nd nurse, 😀 é."
    encoding = SubwordEncoder(tiny.tokenizer(kind), 0).encode(text)
    words: dict[int, tuple[int, int]] = {}
    for number, start, end in zip(encoding.words, encoding.starts, encoding.ends, strict=True):
        first, last = words.get(int(number), (start, end))
        words[int(number)] = min(first, start), max(last, end)
    strings = [text[start:end] for start, end in words.values()]
    assert strings == ["Anna", "-", "Maria", "saw", "the", "2nd", "nurse", ",", "😀", "é", "."]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--encoder", "nowhere"), "'nowhere' is neither a folder nor a model in the cache"),
        (("--encoder", "ENCODER", "--window", "4096"), "--window 4096: this encoder reads windows"),
        (("--encoder", "ENCODER", "--stride", "200"), "--stride 200 leaves less than a quarter"),
        (("--encoder", "ENCODER", "--window", "3"), "--window 3: this encoder reads windows of 16"),
        (("--encoder", "ENCODER", "--device", "abacus"), "torch has no device 'abacus'"),
        (("--encoder", "ENCODER", "--dev", "GOLD"), "is also in the documents of train"),
        (("--encoder", "EMPTY"), "empty: no model is here, neither"),
    ],
)
def test_what_can_not_be_trained_is_said_first(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    """One line, and nothing is written."""
    (tmp_path / "empty").mkdir()
    names = {
        "ENCODER": str(tiny.encoder(tmp_path / "bert")),
        "GOLD": str(gold(tmp_path / "g.json", 0, 2)),
        "EMPTY": str(tmp_path / "empty"),
    }
    arguments = [names.get(option, option) for option in options]
    run = CliRunner().invoke(
        app, ["lab", "train", "recognizer", names["GOLD"], *arguments, "-o", str(tmp_path / "out")]
    )
    assert isinstance(run.exception, TacendaError)
    assert message in str(run.exception)
    assert "\n" not in str(run.exception)
    assert not (tmp_path / "out").exists()


def test_a_type_that_is_none_is_named(tmp_path: Path) -> None:
    """The message has the place, and both ways out."""
    documents = tiny.documents(0, 1)
    documents[0]["annotations"]["a0"]["entity_mentions"][0]["entity_type"] = "HERO"
    path = tmp_path / "g.json"
    path.write_text(json.dumps(documents))
    encoder = str(tiny.encoder(tmp_path / "bert"))
    run = CliRunner().invoke(
        app,
        [
            "lab",
            "train",
            "recognizer",
            str(path),
            "--encoder",
            encoder,
            "-o",
            str(tmp_path / "out"),
        ],
    )
    assert isinstance(run.exception, InputError)
    assert "d0: type 'HERO' of a mention at 24 must be one of PERSON" in str(run.exception)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "out", "--encoder", "x"), "give either GOLD or --data"),
        (("GOLD", "-o", "out"), "Missing option '--encoder'"),
        (("GOLD", "-o", "out", "--encoder", "x", "--lang", "xx"), "--lang: must be one of af, am"),
    ],
)
def test_options_that_contradict_are_refused(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    """Before anything is read."""
    documents = str(gold(tmp_path / "g.json", 0, 1))
    arguments = [documents if option == "GOLD" else option for option in options]
    run = CliRunner().invoke(app, ["lab", "train", "recognizer", *arguments])
    assert run.exit_code == 2
    assert message in " ".join(run.output.replace("│", " ").split())


def test_a_folder_of_other_settings_is_not_taken_for_done(learned: Path) -> None:
    """What lies in it was made otherwise; it is neither kept nor overwritten."""
    folder = learned.parent
    arguments = [str(folder / "train.json"), "--encoder", str(folder / "bert"), "-o", str(learned)]
    run = CliRunner().invoke(app, ["lab", "train", "recognizer", *arguments])
    assert isinstance(run.exception, InputError)
    assert "was trained with other settings or data" in str(run.exception)


def test_loading_says_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """No bar and no report of weights that are new or not needed stands among the messages of a run."""
    import transformers

    from tacenda.models.checkpoint import load_pretrained

    folder = tiny.encoder(tmp_path / "bert")
    transformers.logging.set_verbosity_warning()
    transformers.logging.enable_progress_bar()
    capfd.readouterr()
    load_pretrained(str(folder), "AutoModelForTokenClassification", new_head=True)
    assert capfd.readouterr() == ("", "")
