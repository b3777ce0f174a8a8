"""The recipe of the bi-encoder: who is learned from, what is masked, and the graph that comes of it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tacenda_lab.train.attacker_data import read_members

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

# For so little, threads cost more than they bring.
torch.set_num_threads(1)
TOWNS = "Oslo Bergen Lund Turku Riga Kiel Gent Lyon Bari Cork".split()


def members_file(folder: Path, n: int = 60) -> Path:
    """Write invented members, every sixth without a text."""
    path = folder / "members.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        for number in range(n):
            town, year = TOWNS[number % 10], 1800 + number
            record = {
                "id": f"M{number}",
                "name": f"Member {number}",
                "profile": {
                    "birth_date": f"{year}-05-0{1 + number % 9}",
                    "town": town,
                    "states": ["PA"],
                },
            }
            if number % 6:
                record["text"] = (
                    f"A Representative from Pa.; born in {town}, May {1 + number % 9}, {year}; died there."
                )
            stream.write(json.dumps(record) + "\n")
    return path


def test_nothing_is_learned_from_held_out_people(tmp_path: Path) -> None:
    """Their profiles are among the candidates, their texts in neither part."""
    from tacenda_lab.train.attacker_data import examples_of

    members = list(read_members(members_file(tmp_path)))
    examples = examples_of(members)
    assert len(examples.profiles) == len(members)
    used = {text.person for text in (*examples.learned, *examples.chosen_on)}
    assert any(member.held_out for member in members)
    for number, member in enumerate(members):
        assert (number in used) == (member.text is not None and not member.held_out)
    assert not {t.person for t in examples.learned} & {t.person for t in examples.chosen_on}


def test_masks_have_every_size_and_marks_stay(tmp_path: Path) -> None:
    """Uniform masks reach from no word to all; no prior touches a mark, and *none* nothing."""
    from tacenda.reidentify.attackers.encoder import MASK
    from tacenda_lab.train.attacker import masked_reading
    from tacenda_lab.train.attacker_data import examples_of

    text = examples_of(read_members(members_file(tmp_path))).learned[0]
    random = np.random.default_rng(0)
    draws = [masked_reading(text, "uniform", random) == MASK for _ in range(300)]
    sizes = {int(mask.sum()) for mask in draws}
    assert sizes == set(range(int(text.words.sum()) + 1))
    draws += [masked_reading(text, "mixed", random) == MASK for _ in range(300)]
    assert not any(mask[~text.words].any() for mask in draws)
    assert masked_reading(text, "none", random) is text.places


def test_shared_words_are_those_of_the_profile(tmp_path: Path) -> None:
    """As it is given the profile has no state but PA; written out it has Pennsylvania and Pa."""
    from tacenda_lab.train.attacker_data import examples_of

    examples = examples_of(read_members(members_file(tmp_path)))
    text = examples.learned[0]
    words = [examples.words[place] for place in text.places]
    given = {word for word, shared in zip(words, text.shared[0], strict=True) if shared}
    assert {"pa", words[words.index("born") + 1]} <= given
    assert "born" not in given
    assert (text.shared[1] | ~text.shared[0]).all()


def small(examples: object, seed: int = 0) -> tuple[object, object]:
    """Return a small network of the examples' words, each its own piece."""
    from tacenda_lab.train.attacker_network import BiEncoderNetwork, Sizes

    torch.manual_seed(seed)
    n = len(examples.words)  # type: ignore[attr-defined]
    sizes = Sizes(n, embedding=32, context=16, roles=4, contents=16, hidden=32, output=24)
    table = torch.randn(n, 32)
    table[0] = 0
    return BiEncoderNetwork(sizes, table), torch.arange(n)[:, None]


def test_it_learns_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """The loss falls; a run that is stopped after each epoch ends with the weights of one that is not."""
    from tacenda_lab.train.attacker import AttackerSchedule, Training
    from tacenda_lab.train.attacker_data import examples_of

    examples = examples_of(read_members(members_file(tmp_path)))
    schedule = AttackerSchedule(
        turns="BBBBBBDPD",
        pairs=8,
        batch=8,
        rate=5e-3,
        warmup=2,
        prior="none",
        profile_dropout=0,
    )

    def training() -> Training:
        model, pieces = small(examples)
        return Training(model, examples, pieces, schedule)

    def mean_loss(run: Training) -> float:
        return float(np.mean([run.loss(turn).item() for turn in run.batches(0)]))

    trained = training()
    before = mean_loss(trained)
    trained.fit()
    assert mean_loss(trained) < 0.8 * before
    whole, parts = training(), training()
    whole.fit()
    parts.fit(tmp_path / "state")
    assert not (tmp_path / "state").exists()
    for name, value in whole._model.state_dict().items():
        assert torch.equal(value, parts._model.state_dict()[name]), name


def test_each_side_has_its_turn(tmp_path: Path) -> None:
    """While documents learn no profile moves, and the other way around."""
    from tacenda_lab.train.attacker import AttackerSchedule, Training
    from tacenda_lab.train.attacker_data import examples_of

    examples = examples_of(read_members(members_file(tmp_path)))
    model, pieces = small(examples)

    def run(turns: str) -> Training:
        training = Training(model, examples, pieces, AttackerSchedule(turns=turns, batch=8))
        training.fit()
        return training

    profiles = Training(model, examples, pieces, AttackerSchedule()).profile_matrix()
    training = run("D")
    assert torch.equal(profiles, training.profile_matrix())
    documents = training.document_matrix(examples.learned, "none")
    training = run("P")
    assert torch.equal(documents, training.document_matrix(examples.learned, "none"))
    assert not torch.equal(profiles, training.profile_matrix())
    with pytest.raises(ValueError, match="unknown turn 'X' in 'X'"):
        run("X")


def test_the_graph_says_what_the_network_says(tmp_path: Path) -> None:
    """Vectors of the exported encoders differ from the network's by quantization only."""
    from tacenda.models.networks import AttackerModel
    from tacenda.models.store import find
    from tacenda_lab.train.attacker_network import BiEncoderNetwork, Sizes, write_attacker

    torch.manual_seed(3)
    sizes = Sizes(30522, embedding=32, context=16, roles=8, contents=16, hidden=48, output=24)
    table = torch.randn(30522, 32)
    table[0] = 0
    network = BiEncoderNetwork(sizes, table).eval()
    for side in (network.document, network.profile):
        torch.nn.init.normal_(side.down.weight, std=0.1)
        torch.nn.init.normal_(side.kernel, std=0.3)
    write_attacker(network, find("attacker-en").folder / "tokenizer.json", tmp_path / "own")
    (tmp_path / "own/CARD.md").write_text("# own\n", encoding="utf-8")
    model = AttackerModel.load(tmp_path / "own")
    pieces = model.pieces(("", "***", "oslo", "unbelievably", ";", "1966"))
    places = np.random.default_rng(1).integers(1, 6, (5, 30))
    places[1, 12:] = 0
    for side, one in (("document", network.document), ("profile", network.profile)):
        with torch.inference_mode():
            wanted = one(torch.from_numpy(pieces), torch.from_numpy(places)).numpy()
        found = model.vectors(side, pieces, places)
        assert (found * wanted).sum(axis=1).min() > 0.995
    assert model.sharpness == pytest.approx(14, abs=1e-3)


def test_pairs_of_anybody_become_an_attacker(tmp_path: Path) -> None:
    """A file of pairs ends in a folder that finds a person nobody learned from."""
    from safetensors.torch import save_file
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    from tacenda.background.people import People
    from tacenda.background.people_builder import PeopleBuilder
    from tacenda.document import Document
    from tacenda.reidentify import open_attackers
    from tacenda.reidentify.tokens import read_words
    from tacenda_lab.train.attacker import AttackerSchedule, train_attacker

    with gzip.open(members_file(tmp_path, 120), "rt", encoding="utf-8") as stream:
        (tmp_path / "pairs.jsonl").write_text(stream.read(), encoding="utf-8")
    members = list(read_members(tmp_path / "pairs.jsonl"))
    assert members[1].given.profile == (
        ("birth_date", "1801-05-02"),
        ("town", "Bergen"),
        ("states", "PA"),
    )
    assert [member.text is None for member in members[:7]] == [True, *5 * [False], True]

    names = [*"abcdefghijklmnopqrstuvwxyz", *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz")]
    digits = [*"0123456789", *(f"##{c}" for c in "0123456789"), *":;.,-"]
    towns = [town.lower() for town in TOWNS]
    known = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *names, *digits, *towns]
    vocabulary = {word: place for place, word in enumerate(known)}
    vocabulary |= {str(year): len(known) + year - 1800 for year in range(1800, 1920)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    words = torch.randn(len(vocabulary), 160, generator=torch.Generator().manual_seed(1))
    save_file({"embeddings.word_embeddings.weight": words}, tmp_path / "model.safetensors")
    schedule = AttackerSchedule(turns="BBPD", pairs=16, batch=16, warmup=2)
    folder = train_attacker(members, tmp_path / "work", tmp_path, schedule)

    with PeopleBuilder(tmp_path / "people.db") as builder:
        for member in members:
            builder.add(member.given)
    people = People(tmp_path / "people.db")
    (attacker,) = open_attackers(f"encoder:{folder}", people)
    held_out = next(member for member in members if member.held_out and member.text)
    assert held_out.text is not None
    document = read_words(Document("a", held_out.text.document.text))
    ranking = attacker.rank(document)
    assert ranking.rank(people.find(held_out.given.id)) <= 20


def test_too_few_pairs_are_refused_in_one_line(tmp_path: Path) -> None:
    """Nothing is written."""
    from tacenda.errors import InputError
    from tacenda_lab.train.attacker import AttackerSchedule, train_attacker

    (tmp_path / "pairs.csv").write_text("id,name,text,town\na,Ada,Ada of Oslo.,Oslo\n")
    members = read_members(tmp_path / "pairs.csv")
    with pytest.raises(InputError, match="are too few"):
        train_attacker(members, tmp_path / "work", tmp_path, AttackerSchedule())
    assert not (tmp_path / "work").exists()
    for content, message in (
        (b"id,name\na,\xff\n", "not UTF-8"),
        (b"id,name\na," + (2**24 + 1) * b"x", "field limit"),
    ):
        (tmp_path / "bad.csv").write_bytes(content)
        with pytest.raises(InputError, match=message):
            list(read_members(tmp_path / "bad.csv"))


@pytest.mark.parametrize("given", [(), ("pairs.csv", "--data", ".")])
def test_pairs_or_data_are_given(given: tuple[str, ...], tmp_path: Path) -> None:
    """Neither and both are refused."""
    import typer
    from typer.testing import CliRunner

    from tacenda.errors import InputError
    from tacenda_lab.cli.training import attacker

    (tmp_path / "pairs.csv").write_text("id,name,text\n")
    app = typer.Typer()
    app.command()(attacker)
    arguments = [str(tmp_path / one) if one in ("pairs.csv", ".") else one for one in given]
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "work")])
    assert isinstance(result.exception, InputError)
