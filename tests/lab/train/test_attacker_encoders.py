"""An attacker from any two encoders of transformers: turns, masks, pairs on disk, and the folder that attacks."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tacenda.background.people import People
from tacenda.background.people_builder import PeopleBuilder
from tacenda.background.profiles import Person
from tacenda.cli import app
from tacenda.document import Document
from tacenda.errors import InputError, ModelError, TacendaError
from tacenda.models.checkpoint import DEVICE_VARIABLE
from tacenda.reidentify.anonymize.anonymize import anonymize
from tacenda.reidentify.attackers import open_attackers
from tacenda.reidentify.tokens import read_words

from . import tiny

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("transformers", reason="needs the extra 'train'")

JOBS, TOWNS = ("clerk", "nurse", "zorblax", "quimby"), ("oslo", "room", "stairs", "soup")
PEOPLE = [
    (
        f"p{number}",
        f"x {number}",
        JOBS[number % 4],
        TOWNS[number // 4 % 4],
        ("saw", "spoke", "on", "and")[number // 16],
    )
    for number in range(64)
]
FAST = (
    "--width", "64", "--epochs", "16", "--profile-epochs", "8", "--rate", "0.01", "--batch-size", "8", "--prior", "none", "--patience", "0"
)  # fmt: skip


@pytest.fixture(autouse=True)
def processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Train and attack on the processor."""
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random encoder of texts."""
    return tiny.encoder(tmp_path_factory.mktemp("bert"))


def text_of(job: str, town: str, number: str) -> str:
    """A text about somebody."""
    return f"the {job} of {town} ate on {number} ."


def pairs(path: Path, first: int = 0, last: int = 64) -> Path:
    """Write people with a text each as JSON lines."""
    lines = [
        {"id": id, "name": name, "job": job, "town": town, "years": number}
        | {"text": text_of(job, town, number)}
        for id, name, job, town, number in PEOPLE[first:last]
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def store(path: Path) -> People:
    """The people as background knowledge."""
    with PeopleBuilder(path) as builder:
        for id, name, job, town, number in PEOPLE:
            fields = (("job", job), ("town", town), ("years", number))
            builder.add(Person(id, name, fields))
    return People(path)


def run(*arguments: str | Path) -> Any:
    """Run the command."""
    return CliRunner().invoke(
        app,
        ["lab", "train", "attacker", *map(str, arguments), "--threads", "1"],
        catch_exceptions=False,
    )


@pytest.fixture(scope="module")
def trained(bert: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an attacker, from the command."""
    folder = tmp_path_factory.mktemp("attacker")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DEVICE_VARIABLE, "cpu")
        result = run(pairs(folder / "p.jsonl"), "--text", bert, "--out", folder / "work", *FAST)
    assert result.exit_code == 0, result.output
    return Path(result.stdout.strip().splitlines()[-1])


def recipe(bert: Path, **changes: Any) -> Any:
    """Settings for a short run."""
    from tacenda_lab.train.recipes import AttackerRecipe

    settings = AttackerRecipe(
        str(bert), str(bert), width=16, epochs=4, rate=1e-3, batch_size=16, patience=0
    )
    return replace(settings, **changes)


def training(bert: Path, folder: Path, **changes: Any) -> Any:
    """A run on the people."""
    from tacenda_lab.train.attacker_encoders import PairTraining
    from tacenda_lab.train.pair_file import PairFile

    folder.mkdir(exist_ok=True)
    file = PairFile.write(folder / "pairs", pairs(folder / "p.jsonl"), None)
    return PairTraining(recipe(bert, **changes), file, folder)


def test_it_learns_whom_texts_are_about(trained: Path) -> None:
    """The loss of both encoders falls, and the folder says how high people rank."""
    record = json.loads((trained / "training.json").read_text("utf-8"))
    losses = record["losses"]
    assert losses[14] < losses[0] - 0.5
    assert losses[15] < losses[1] - 0.5
    card = (trained / "CARD.md").read_text("utf-8")
    assert f"of their people is {max(record['scores']):.3f}" in card


def test_the_folder_attacks(trained: Path, tmp_path: Path) -> None:
    """It ranks people by what it learned, its vectors lie beside the store, and a damaged file is refused."""
    people = store(tmp_path / "people.db")
    (attacker,) = open_attackers(f"encoder:{trained}", people)
    assert attacker.name == f"encoder:{trained}"
    ranks = [
        attacker.rank(read_words(Document(id, text_of(job, town, number)))).rank(place)
        for place, (id, _, job, town, number) in enumerate(PEOPLE)
    ]
    assert np.mean(ranks) < 16  # 32 by chance
    assert list(tmp_path.glob("people.db.vectors-*.npy"))
    copy = Path(shutil.copytree(trained, tmp_path / "copy"))
    (copy / "text" / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError, match="damaged"):
        open_attackers(f"encoder:{copy}", people)


def test_the_search_hides_from_it(trained: Path, tmp_path: Path) -> None:
    """Masks chosen by its scores leave the person behind the first K, as a release is read again."""
    people = store(tmp_path / "people.db")
    (attacker,) = open_attackers(f"encoder:{trained}", people)
    documents = [
        read_words(Document("d", text_of(job, town, number))) for *_, job, town, number in PEOPLE
    ]
    # Some rank high even by a text of masks alone; nothing hides them.
    (blank,) = attacker.scores(documents[0], np.ones((1, len(documents[0])), dtype=bool))
    person = next(
        person
        for person, document in enumerate(documents)
        if attacker.rank(document).rank(person) <= 4 and (blank > blank[person]).sum() >= 8
    )
    result = anonymize(documents[person], person, [attacker], 4)
    assert result.mask.any()
    assert result.reached
    (scores,) = attacker.scores(documents[person], result.mask[None, :])
    assert (scores > scores[person]).sum() >= 4


def test_a_run_that_was_stopped_ends_with_the_same_bits(bert: Path, tmp_path: Path) -> None:
    """What an epoch draws and encodes depends on its number alone."""
    whole, parts = training(bert, tmp_path / "a"), training(bert, tmp_path / "b")
    whole.fit(tmp_path / "whole.state", "")
    judge, calls = parts.judge, 0

    def stop() -> float:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return judge()

    parts.judge = stop
    with pytest.raises(KeyboardInterrupt):
        parts.fit(tmp_path / "parts.state", "")
    again = training(bert, tmp_path / "c")
    again.fit(tmp_path / "parts.state", "")
    for name, value in whole.network.state_dict().items():
        assert torch.equal(value, again.network.state_dict()[name]), name


def test_one_side_learns_while_the_other_is_fixed(bert: Path, tmp_path: Path) -> None:
    """In an epoch of texts no weight of the profiles' encoder moves, and the other way around."""
    run_ = training(bert, tmp_path / "a")
    before = {name: value.clone() for name, value in run_.network.state_dict().items()}

    def moved(epoch: int) -> set[str]:
        for batch in run_.batches(epoch):
            run_.network.zero_grad()
            run_.loss(batch).backward()
        return {
            name.split(".")[1]
            for name, value in run_.network.named_parameters()
            if value.grad is not None and value.grad.abs().sum() > 0
        }

    assert moved(0) == {"text"}
    assert moved(1) == {"profile"}
    assert [run_.recipe.side(n) for n in range(12)] == ["text", "profile"] * 5 + ["text"] * 2
    assert all(
        torch.equal(value, before[name]) for name, value in run_.network.state_dict().items()
    )


def test_hard_negatives_are_the_nearest_people(bert: Path, tmp_path: Path) -> None:
    """A batch is told apart from its right people and the nearest ones; with all of them the loss is the full one."""
    few, full = (
        training(bert, tmp_path / name, hard_negatives=n, prior="none")
        for name, n in (("a", 3), ("b", 0))
    )
    everybody = training(bert, tmp_path / "c", hard_negatives=64, prior="none")
    batch = next(few.batches(0))
    assert set(batch.right.tolist()) <= set(batch.candidates.tolist())
    assert len(batch.candidates) <= 4 * 16
    for network in (full.network, everybody.network):
        network.eval()
    pair = [next(each.batches(0)) for each in (full, everybody)]
    for each in (full, everybody):
        each.network.eval()
    losses = [each.loss(batch).item() for each, batch in zip((full, everybody), pair, strict=True)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


def test_masks_have_every_size() -> None:
    """Of N words l are masked, l from none to all, and neighbours are one mask."""
    from tacenda_lab.train.attacker_encoders import drawn_text

    random = np.random.default_rng(0)
    texts = [drawn_text("one! Two! Three!", "[MASK]", random) for _ in range(300)]
    assert {text.count("[MASK]") for text in texts} == {0, 1, 2, 3}
    assert drawn_text("", "[MASK]", random) == ""
    assert "[MASK]" in {drawn_text("one two", "[MASK]", random) for _ in range(50)}


def test_masks_may_weigh_words_by_their_rarity() -> None:
    """Of a common and a rare word, ln(10/9) against ln 10, one masked alone is mostly the rare one; all may be masked."""
    from tacenda_lab.train.attacker_encoders import drawn_text
    from tacenda_lab.train.frequencies import Frequencies

    frequencies = Frequencies([["often"]] * 9 + [["seldom"]], ())
    random = np.random.default_rng(0)
    texts = [drawn_text("often, seldom", "[MASK]", random, frequencies) for _ in range(900)]
    rare, common = texts.count("often, [MASK]"), texts.count("[MASK], seldom")
    share = np.log(10) / (np.log(10) + np.log(10 / 9))  # 0.956
    assert rare / (rare + common) == pytest.approx(share, abs=0.03)
    assert texts.count("[MASK]") == pytest.approx(300, abs=50)
    assert drawn_text("", "[MASK]", random, frequencies) == ""
    alike = Frequencies([["often"]], ())
    drawn = {drawn_text("often often", "[MASK]", random, alike) for _ in range(99)}
    assert drawn == {"often often", "[MASK] often", "often [MASK]", "[MASK]"}


def test_rare_words_are_masked_in_training(bert: Path, tmp_path: Path) -> None:
    """The prior is a setting of the run, and another than uniform."""
    source = pairs(tmp_path / "p.jsonl")
    losses = {}
    for prior in ("uniform", "idf"):
        out = tmp_path / prior
        call = (source, "--text", bert, "--out", out, "--epochs", "2", "--width", "16")
        assert run(*call, "--prior", prior).exit_code == 0
        record = json.loads((out / "attacker" / "training.json").read_text("utf-8"))
        assert record["signature"]["recipe"]["prior"] == prior
        losses[prior] = record["losses"]
    assert losses["uniform"] != losses["idf"]


def test_pairs_stay_on_disk(tmp_path: Path) -> None:
    """What is read by number is what was written, and each person has one role."""
    from tacenda_lab.train.pair_file import PairFile

    file = PairFile.write(tmp_path / "pairs", pairs(tmp_path / "p.jsonl"), None)
    assert len(file) == len(PEOPLE)
    assert sorted([*file.learned, *file.judged]) == list(range(len(PEOPLE)))
    (pair,) = file.read([5])
    assert pair.text == text_of(*PEOPLE[5][2:])
    assert pair.profile == {"name": "x 5", "job": "nurse", "town": "room", "years": "saw"}
    dev = PairFile.write(
        tmp_path / "pairs", pairs(tmp_path / "a.jsonl", 0, 40), pairs(tmp_path / "b.jsonl", 40, 50)
    )
    assert (len(dev), list(dev.judged)) == (50, list(range(40, 50)))


def test_wikibio_and_csv_are_learned_from(bert: Path, tmp_path: Path) -> None:
    """A split as it is released, and a table."""
    box, texts = [], []
    for _, name, job, town, _ in PEOPLE:
        box.append(f"name_1:{name.split()[0]}\tname_2:{name.split()[1]}\tjob_1:{job}\ttown:{town}")
        texts.append(text_of(job, town, "saw"))
    (tmp_path / "train.box").write_text("\n".join(box) + "\n", encoding="utf-8")
    (tmp_path / "train.sent").write_text("\n".join(texts) + "\n", encoding="utf-8")
    (tmp_path / "train.nb").write_text("1\n" * len(box), encoding="utf-8")
    rows = [f"{id},{name},{job},{text_of(job, town, n)}" for id, name, job, town, n in PEOPLE]
    (tmp_path / "p.csv").write_text("\n".join(["id,name,job,text", *rows]), encoding="utf-8")
    for name in ("train.box", "p.csv"):
        out = tmp_path / f"{name}.out"
        result = run(
            tmp_path / name,
            "--text",
            bert,
            "--out",
            out,
            *FAST,
            "--epochs",
            "1",
            "--pooling",
            "cls",
        )
        assert result.exit_code == 0, result.output
        assert f"{len(PEOPLE)} profiles" in (out / "attacker" / "CARD.md").read_text("utf-8")
        assert not (out / "scratch").exists()


def test_a_run_that_is_done_is_not_repeated(trained: Path, bert: Path, tmp_path: Path) -> None:
    """The same call prints the folder; other settings are refused."""
    work = trained.parent
    source = work.parent / "p.jsonl"
    before = (trained / "digests.json").stat().st_mtime_ns
    assert run(source, "--text", bert, "--out", work, *FAST).exit_code == 0
    assert (trained / "digests.json").stat().st_mtime_ns == before
    with pytest.raises(InputError, match="other settings or data"):
        run(source, "--text", bert, "--out", work, *FAST, "--seed", "2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("{few}", "--text", "{bert}"), "too few"),
        (("{twice}", "--text", "{bert}"), "'p0' occurs twice"),
        (("{pairs}", "--text", "{pairs}"), "neither a folder nor a model"),
        (("{pairs}", "--text", "{bert}", "--device", "nowhere"), "no device 'nowhere'"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    arguments: tuple[str, ...], message: str, bert: Path, tmp_path: Path
) -> None:
    """What can't be learned from or computed on, and what isn't there."""
    files = {
        "bert": bert,
        "pairs": pairs(tmp_path / "p.jsonl"),
        "few": pairs(tmp_path / "few.jsonl", 0, 2),
    }
    line = files["pairs"].read_text("utf-8").splitlines()[0]
    files["twice"] = tmp_path / "twice.jsonl"
    files["twice"].write_text(f"{line}\n{line}\n", encoding="utf-8")
    call = [argument.format(**files) for argument in arguments]
    with pytest.raises(TacendaError, match=message) as refusal:
        run(*call, "--out", tmp_path / "out")
    assert "\n" not in str(refusal.value)
    assert not (tmp_path / "out" / "scratch").exists()


def test_an_encoder_that_knows_no_mask_is_refused(bert: Path, tmp_path: Path) -> None:
    """Nor is one without a tokenizer, or one that writes texts."""
    import transformers

    from tacenda.models.encoder_pair import open_side

    plain = Path(shutil.copytree(bert, tmp_path / "plain"))
    settings = json.loads((plain / "tokenizer_config.json").read_text("utf-8"))
    del settings["mask_token"]
    (plain / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    with pytest.raises(ModelError, match="no mask_token; name an encoder with one"):
        open_side(str(plain), "mean", 16, 8)
    writer = transformers.T5Config(
        d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2, vocab_size=9
    )
    transformers.T5Model(writer).save_pretrained(tmp_path / "writer")
    with pytest.raises(ModelError, match="is not a text encoder"):
        open_side(str(tmp_path / "writer"), "mean", 16, 8)


def test_trained_attackers_make_the_papers_tables(trained: Path, tmp_path: Path) -> None:
    """An encoder guides the search or judges it, as any attacker; its vectors lie beside the store that stays."""
    pytest.importorskip("matplotlib", reason="needs the extra 'plot'")
    source = pairs(tmp_path / "p.jsonl")
    name = f"encoder:{trained}"
    call = ["lab", "reproduce", "002", "--pairs", str(source), "--out", str(tmp_path / "out")]
    call += ["--attacker", "bm25", "--attacker", name, "--documents", "6"]
    call += ["--only", "Section 8.3", "--only", "Appendix B"]
    result = CliRunner().invoke(app, call, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    rows = json.loads((tmp_path / "out" / "section-8-3.json").read_text("utf-8"))["ours"]
    assert rows[f"{name}, K = 1"][1] == rows["bm25, K = 1"][0] == 0
    assert rows[f"{name}, K = 8"][2] > 0
    assert list((tmp_path / "out" / "work").glob("people-*.db.vectors-*.npy"))


def test_options_of_encoders_need_an_encoder(tmp_path: Path) -> None:
    """A wrong call is a usage error."""
    source = pairs(tmp_path / "p.jsonl")
    assert run(source, "--profile", "table", "--out", tmp_path).exit_code == 2
    assert run("--data", tmp_path, "--text", "x", "--out", tmp_path).exit_code == 2


def test_long_texts_are_read_whole(bert: Path) -> None:
    """The last window counts; learning reads the first windows alone."""
    from tacenda.models.encoder_pair import open_side

    torch.manual_seed(0)
    side = open_side(str(bert), "mean", 16, 8)
    texts = ["the clerk " * 60 + "oslo", "the clerk " * 60 + "nurse", "soup"]
    with torch.no_grad():
        vectors = side.vectors(side.text_inputs(texts))
        alone = torch.cat([side.vectors(side.text_inputs([text])) for text in texts])
        first = side.vectors(side.text_inputs(texts, 2))
    assert not torch.allclose(vectors[0], vectors[1])
    assert torch.allclose(vectors, alone, atol=1e-5)
    assert torch.allclose(first[0], first[1])
    assert torch.allclose(first[2], vectors[2], atol=1e-5)


def tapas(folder: Path) -> Path:
    """A random encoder of tables."""
    import transformers

    pytest.importorskip("pandas", reason="needs pandas")
    words = "[PAD] [UNK] [CLS] [SEP] [MASK] [EMPTY] name anna berg town oslo years , x job".split()
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    config = transformers.TapasConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
    )
    transformers.TapasModel(config).save_pretrained(folder)
    transformers.TapasTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def test_tables_are_read_as_tapas_reads_them(tmp_path: Path) -> None:
    """Subwords, segments, columns and rows are those of its own tokenizer; columns that don't fit are dropped."""
    import transformers

    from tacenda.models.encoder_pair import open_side

    folder = tapas(tmp_path)
    import pandas

    side = open_side(str(folder), "mean", 12, 8)
    profile = {"name": "Anna Berg", "town": "Oslo, Oslo"}
    inputs = side.profile_inputs([profile, {"name": "Berg"}, profile | {"years": "anna " * 5}])
    wanted = transformers.AutoTokenizer.from_pretrained(folder)(
        table=pandas.DataFrame([profile]), queries=[""], return_tensors="pt"
    )
    length = wanted["input_ids"].shape[1]
    for name in ("input_ids", "token_type_ids", "attention_mask"):
        assert torch.equal(inputs.tensors[name][0, :length], wanted[name][0]), name
        assert torch.equal(inputs.tensors[name][2], inputs.tensors[name][0]), name
    assert inputs.tensors["attention_mask"][1].sum() == 4


def test_profiles_may_be_read_as_tables(bert: Path, tmp_path: Path) -> None:
    """A table encoder is trained beside an encoder of texts, and attacks; it reads no texts itself."""
    (tmp_path / "tapas").mkdir()
    folder = tapas(tmp_path / "tapas")
    source = pairs(tmp_path / "p.jsonl")
    out = tmp_path / "out"
    result = run(source, "--text", bert, "--profile", folder, "--out", out, *FAST, "--epochs", "2")
    assert result.exit_code == 0, result.output
    people = store(tmp_path / "people.db")
    (attacker,) = open_attackers(f"encoder:{out / 'attacker'}", people)
    assert attacker.rank(
        read_words(Document("d", text_of("nurse", "oslo", "saw")))
    ).scores.shape == (len(PEOPLE),)
    with pytest.raises(ModelError, match="reads tables"):
        run(source, "--text", folder, "--out", tmp_path / "other", *FAST)
