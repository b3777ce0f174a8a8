"""The zero-shot recipe on a tiny corpus, from the texts to a package that the product loads."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacenda.models.calibration import bio_id
from tests.lab.train import tiny
from tests.lab.train.building import checkpoint

torch = pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("transformers", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

# For so little, threads cost more than they bring.
torch.set_num_threads(1)


def corpus(data: Path) -> Path:
    """Write names, three judgments and two articles; one of each is of a development split."""
    for folder in ("ner/crossner/ner_data/ai", "background", "tab", "wiki"):
        (data / folder).mkdir(parents=True)
    columns = "Ann\tB-person\nlives\tO\nin\tO\nOslo\tB-location\n"
    (data / "ner/crossner/ner_data/ai/train.txt").write_text(columns, encoding="utf-8")
    facts = "PROCEDURE\n\n1.  Ann, a nurse, sued Norway on 3 May 1999 ({}).\n\nTHE LAW\n\nx"
    judgments = {name: facts.format(name) for name in ("j1", "j2", "dev")}
    articles = {"ann": "Ann was an engineer.", "bea": "Bea was a poet.", "unknown": "Who?"}
    for name, texts in (("echr_judgments", judgments), ("wiki553_article_bodies", articles)):
        with gzip.open(data / f"background/{name}.json.gz", "wt", encoding="utf-8") as file:
            json.dump(texts, file)
    # Nothing but names of documents: whoever looked for an annotation would fail.
    for name, ids in (
        ("tab/dev", ["dev"]),
        ("wiki/biographies_train", ["ann", "bea"]),
        ("wiki/wikireplace_dev", ["bea"]),
    ):
        records = [{"doc_id": doc_id} for doc_id in ids]
        (data / f"{name}.json").write_text(json.dumps(records), encoding="utf-8")
    return data


def test_the_recipe_learns_from_silver_and_repeats_nothing(tmp_path: Path) -> None:
    """Silver texts are those of no development split, with dates and terms, and no annotation read."""
    from tacenda_lab.train.zero_shot import SilverSources, train_zero_shot

    data, encoder = corpus(tmp_path / "data"), checkpoint(tmp_path / "encoder")
    folder = train_zero_shot(SilverSources(data), tmp_path / "work", encoder)
    silver = json.loads((tmp_path / "work/silver.json").read_text(encoding="utf-8"))
    assert [record["doc_id"] for record in silver] == ["j1", "j2", "ann"]
    found = [
        {(record["text"][start:end], type) for start, end, type in record["mentions"]}
        for record in silver
    ]
    # What a nurse is stands in two texts of three, and says nothing of anybody.
    assert ("3 May 1999", "DATETIME") in found[0]
    assert ("nurse", "DEM") not in found[0]
    assert ("engineer", "DEM") in found[2]
    assert "3 texts that nobody\nannotated (1 of biography, 2 of judgment)" in (
        folder / "CARD.md"
    ).read_text(encoding="utf-8")
    made = [path.stat().st_mtime_ns for path in sorted((tmp_path / "work").rglob("*"))]
    assert train_zero_shot(SilverSources(data), tmp_path / "work", encoder) == folder
    again = [path.stat().st_mtime_ns for path in sorted((tmp_path / "work").rglob("*"))]
    assert again == made


def test_any_encoder_learns_from_silver(tmp_path: Path) -> None:
    """A RoBERTa is fitted to types, every mention masked; a command that needs a BERT says so in a line."""
    from tacenda.errors import InputError
    from tacenda.pipeline import load
    from tacenda.policy import Policy
    from tacenda_lab.train.recognizer import is_bert, student_encoder
    from tacenda_lab.train.zero_shot import SilverSources, train_zero_shot

    data, encoder = corpus(tmp_path / "data"), checkpoint(tmp_path / "encoder")
    roberta = tiny.encoder(tmp_path / "roberta", "roberta")
    assert (is_bert(encoder), is_bert(roberta)) == (True, False)
    with pytest.raises(InputError, match="is not a BERT with word pieces"):
        student_encoder(roberta)
    folder = train_zero_shot(SilverSources(data), tmp_path / "work", encoder, str(roberta))
    assert json.loads((folder / "config.json").read_text("utf-8"))["model_type"] == "roberta"
    settings = json.loads(json.loads((folder / "training.json").read_text("utf-8"))["signature"])[0]
    assert (settings["epochs"], settings["rate"], settings["labels"]) == (3, 2e-5, "soft")
    card = (folder / "CARD.md").read_text(encoding="utf-8")
    assert "3 texts with silver labels, of no annotation, by `tacenda lab train zero-shot`" in card
    load(Policy(model=str(folder)), threads=1).sanitize("Ann sued Norway on 3 May 1999.")
    made = (folder / "digests.json").stat().st_mtime_ns
    assert train_zero_shot(SilverSources(data), tmp_path / "work", encoder, str(roberta)) == folder
    assert (folder / "digests.json").stat().st_mtime_ns == made


def test_own_texts_names_and_terms_take_the_place_of_the_recipes(tmp_path: Path) -> None:
    """Texts of two formats are labelled by the names and the terms that are given; what can't be read is named."""
    from tacenda.detect.gazetteer import Gazetteer
    from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
    from tacenda.errors import InputError
    from tacenda_lab.train.zero_shot import SilverSources, train_zero_shot

    class Ann:
        """Finds the first three letters of each text, as a person."""

        def detect(self, documents: list[Document]) -> list[tuple[Mention, ...]]:
            """One mention a text."""
            kind = SemanticType.PERSON
            return [(Mention(Span(0, 3), kind, 1.0, 0.0, MentionSource.PLUGIN),)] * len(documents)

    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text("Ann is a lamplighter.", encoding="utf-8")
    (texts / "b.jsonl").write_text('{"text": "Bea is a nurse, since 3 May 1999."}\n', "utf-8")
    sources = SilverSources(None, (texts,), Ann(), Gazetteer({"occupation": ["lamplighter"]}))
    roberta = tiny.encoder(tmp_path / "roberta", "roberta")
    folder = train_zero_shot(sources, tmp_path / "work", None, str(roberta))
    assert (folder / "digests.json").exists()
    silver = json.loads((tmp_path / "work/silver.json").read_text(encoding="utf-8"))
    assert [
        [(record["text"][start:end], type) for start, end, type in record["mentions"]]
        for record in silver
    ] == [
        [("Ann", "PERSON"), ("lamplighter", "DEM")],
        [("Bea", "PERSON"), ("3 May 1999", "DATETIME")],
    ]
    (texts / "c.jsonl").write_text("{broken\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"c\.jsonl"):
        train_zero_shot(sources, tmp_path / "again", None, str(roberta))


def test_the_command_takes_own_texts_and_a_pipeline(tmp_path: Path) -> None:
    """By spaCy and a RoBERTa, without a data folder; without both texts and names one is needed."""
    pytest.importorskip("spacy", reason="needs spaCy")
    from tacenda.cli import app
    from tacenda_lab.reproduce import toy

    text = tmp_path / "letters.txt"
    text.write_text("Sean Byrne, a nurse, was born in Cork on 3 May 1999.", encoding="utf-8")
    roberta = tiny.encoder(tmp_path / "roberta", "roberta")
    command = ["lab", "train", "zero-shot", "--texts", str(text), "--out", str(tmp_path / "work")]
    refused = CliRunner().invoke(app, command)
    assert refused.exit_code == 2
    pipeline = toy.spacy_pipeline(tmp_path / "spacy")
    done = CliRunner().invoke(app, [*command, "--ner", str(pipeline), "--encoder", str(roberta)])
    assert done.exit_code == 0, done.output
    (record,) = json.loads((tmp_path / "work/silver.json").read_text(encoding="utf-8"))
    found = {(record["text"][start:end], type) for start, end, type in record["mentions"]}
    assert {("Sean Byrne", "PERSON"), ("Cork", "LOC"), ("3 May 1999", "DATETIME")} <= found


def values_that_people_have(dump: Path, types: dict[str, str]) -> dict[str, str]:
    """The names of the values of some properties of people, and the type of each, read without any code of the recipe."""
    items = {each["id"]: each for each in json.loads(dump.read_text(encoding="utf-8"))}
    names: dict[str, str] = {}
    for item in items.values():
        claims = item["claims"] or {}
        if "Q5" not in [
            each["mainsnak"]["datavalue"]["value"]["id"] for each in claims.get("P31", [])
        ]:
            continue
        for property, type in types.items():
            for each in claims.get(property, []):
                value = items[each["mainsnak"]["datavalue"]["value"]["id"]]
                for name in [value["labels"]["en"], *value["aliases"]["en"]]:
                    names[name["value"]] = type
    return names


def test_own_properties_are_terms_of_the_silver_corpus(tmp_path: Path) -> None:
    """DEM and MISC are, word for word, all values that people have of the properties in the file, those of one person too."""
    pytest.importorskip("spacy", reason="needs spaCy")
    from tacenda.cli import app
    from tacenda_lab.reproduce import toy
    from tests.lab.train.gazetteer.test_sources import entity, statement

    human = [statement("P31", "Q5")]
    entities = [
        entity("Q1", "lamplighter", ("lighter of lamps",)),
        entity("Q2", "shell shock"),
        entity("Q3", "nurse"),
        entity("Q4", "forgery"),
        entity("Q5", "human"),
        entity("Q6", "Ann Other", P31=human, P106=[statement("P106", "Q1")], P1399=[statement("P1399", "Q4")]),
        entity("Q7", "Bob Other", P31=human, P106=[statement("P106", "Q1")], P509=[statement("P509", "Q2")]),
        entity("Q8", "a hospital", P31=[statement("P31", "Q9")], P106=[statement("P106", "Q3")]),
        entity("Q9", "hospital"),
    ]  # fmt: skip
    dump, properties = tmp_path / "dump.json", tmp_path / "mine.tsv"
    lines = ",\n".join(json.dumps(each) for each in entities)
    dump.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    properties.write_text("P106\toccupation\tDEM\nP509\tcause of death\tMISC\n", encoding="utf-8")
    sentence = (
        "The lamplighter, once a nurse, had shell shock after a forgery and was a lighter of lamps."
    )
    (tmp_path / "text.txt").write_text(sentence, encoding="utf-8")
    values = values_that_people_have(dump, {"P106": "DEM", "P509": "MISC"})
    assert set(values) == {"lamplighter", "lighter of lamps", "shell shock"}
    options = {
        "--texts": tmp_path / "text.txt",
        "--ner": toy.spacy_pipeline(tmp_path / "spacy"),
        "--encoder": tiny.encoder(tmp_path / "roberta", "roberta"),
        "--out": tmp_path / "work",
        "--properties": properties,
    }
    command = [
        "lab",
        "train",
        "zero-shot",
        *(str(part) for pair in options.items() for part in pair),
    ]
    assert CliRunner().invoke(app, command).exit_code == 2  # without a dump
    done = CliRunner().invoke(app, [*command, "--dump", str(dump)])
    assert done.exit_code == 0, done.output
    (record,) = json.loads((tmp_path / "work/silver.json").read_text(encoding="utf-8"))
    assert [(start, end, type) for start, end, type in record["mentions"] if type in ("DEM", "MISC")] == sorted(
        (sentence.index(name), sentence.index(name) + len(name), type) for name, type in values.items()
    )  # fmt: skip
    # What was read once isn't read again; for other properties it is, and the folder is refused.
    again = CliRunner().invoke(app, [*command, "--dump", str(dump)])
    assert (again.exit_code, "entities" in again.output) == (0, False)
    properties.write_text("P1399\tconvicted of\tMISC\n", encoding="utf-8")
    refused = CliRunner().invoke(app, [*command, "--dump", str(dump)])
    assert "choose another folder" in str(refused.exception)


@pytest.mark.parametrize("changed", ["texts", "more texts", "names", "files of names", "terms"])
def test_a_folder_labelled_from_other_sources_is_refused(tmp_path: Path, changed: str) -> None:
    """What was labelled isn't reused for other texts, names or terms, nor overwritten; for the same it is."""
    from dataclasses import replace

    from tacenda.errors import InputError
    from tacenda_lab.train.zero_shot import SilverSources, train_zero_shot

    class Nobody:
        """Finds nothing."""

        def detect(self, documents: list[object]) -> list[tuple[object, ...]]:
            """Nothing in each text."""
            return [()] * len(documents)

    texts, pipeline, terms = (tmp_path / name for name in ("texts", "pipeline", "terms"))
    for folder in (texts, pipeline, terms):
        folder.mkdir()
        (folder / "a.txt").write_text("Ann was born on 3 May 1999.", encoding="utf-8")
    sources = SilverSources(None, (texts,), Nobody(), None, ("pipeline", pipeline, terms))  # type: ignore[arg-type]
    roberta, work = str(tiny.encoder(tmp_path / "roberta", "roberta")), tmp_path / "work"
    folder = train_zero_shot(sources, work, None, roberta)
    before = (work / "silver.json").read_bytes()
    assert train_zero_shot(sources, work, None, roberta) == folder
    places = {"texts": texts, "files of names": pipeline, "terms": terms}
    if changed in places:
        (places[changed] / "a.txt").write_text("Bea was born on 4 May 1999.", encoding="utf-8")
    elif changed == "more texts":
        sources = replace(sources, texts=(texts, terms))
    else:
        sources = replace(sources, labels=("other", pipeline, terms))
    with pytest.raises(InputError, match="labelled from other texts, names or terms"):
        train_zero_shot(sources, work, None, roberta)
    assert (work / "silver.json").read_bytes() == before
    assert (folder / "digests.json").exists()


def test_whatever_is_recognised_is_a_risk(tmp_path: Path) -> None:
    """A package of types alone, loaded by a policy, gives each mention 1 and calls none direct."""
    from tacenda.document import Document
    from tacenda.pipeline import load
    from tacenda.policy import Policy
    from tacenda_lab.train.networks import Encoder, Recognizer
    from tacenda_lab.train.zero_shot import write_types_only

    encoder = checkpoint(tmp_path / "encoder")
    model = Recognizer(Encoder.from_bert(encoder))
    # Everything is the beginning of an organisation.
    with torch.no_grad():
        model.type_head.bias[bio_id("B", "ORG")] = 9.0
    write_types_only(model, encoder / "tokenizer.json", tmp_path / "types", "# types\n")
    sanitizer = load(Policy(model=str(tmp_path / "types"), patterns=False), threads=1)
    mentions = sanitizer.analyze(Document("d", "Foxes sleep")).mentions
    assert [(each.type, each.p_mask, each.p_mask_min_word) for each in mentions] == [
        ("ORG", 1.0, 1.0)
    ] * 2
    assert max(each.p_direct for each in mentions) < 1e-6
    # Without a type there is no mention, however little that says of masking.
    with torch.no_grad():
        model.type_head.bias[bio_id("B", "ORG")] = -9.0
        model.type_head.bias[0] = 9.0
    write_types_only(model, encoder / "tokenizer.json", tmp_path / "none", "# none\n")
    sanitizer = load(Policy(model=str(tmp_path / "none"), patterns=False), threads=1)
    assert sanitizer.analyze(Document("d", "Foxes sleep")).mentions == ()
