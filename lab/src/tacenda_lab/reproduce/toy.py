"""Small files about made-up people in the formats that the authors released, and tiny random models, to run the same code.

The figures of such a run mean nothing.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from tacenda.atomic import write_atomically

_TABLES = tomllib.loads(Path(__file__).with_name("toy.toml").read_text("utf-8"))
_NAMES: Final[list[str]] = _TABLES["names"]
_TOWNS: Final[list[str]] = _TABLES["towns"]
_PEOPLES: Final[list[str]] = _TABLES["peoples"]
_WORKS: Final[list[str]] = _TABLES["works"]


def write(folder: Path) -> None:
    """Write the files of a small corpus: judgments in three splits, biographies, replacements, pairs.

    Raises:
        OutputError: a file can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    random = Random(0)
    sizes = {"train": (8, 1), "dev": (4, 3), "test": (4, 3)}
    for split, (documents, annotators) in sizes.items():
        judgments = [
            _document(f"{split}-{number}", split, _TABLES["judgment"], annotators, random)
            for number in range(documents)
        ]
        _write(folder / f"echr_{split}.json", judgments)
    biographies = [
        _document(f"life-{n}", "train", _TABLES["biography"], 1, random) for n in range(6)
    ]
    _write(folder / "annotated_wikipedia.json", biographies)
    chosen = [_document(f"other-{n}", "train", _TABLES["biography"], 1, random) for n in range(4)]
    for document in chosen:
        _add_replacements(document)
    _write(folder / "wikireplace.json", chosen)

    for split, number in {"train": 60, "test": 12}.items():
        lines = [
            json.dumps(_pair(f"{split}-{n}", random), ensure_ascii=False) for n in range(number)
        ]
        write_atomically(folder / f"pairs_{split}.jsonl", "\n".join([*lines, ""]).encode())


def _pair(id: str, random: Random) -> dict[str, str]:
    """Return a person's profile and a text that doesn't name them."""
    person, town = random.randrange(len(_NAMES)), random.randrange(len(_TOWNS))
    first, last = _NAMES[person].split()[0], random.choice(_NAMES).split()[1]
    work, year = random.choice(_WORKS), str(random.randrange(1940, 1990))
    text = (
        f"A {_PEOPLES[town]} {work} who was born in {_TOWNS[town]} in {year}. "
        f"Later a {random.choice(_WORKS)} in {random.choice(_TOWNS)}."
    )
    profile = {"born": year, "birthplace": _TOWNS[town], "occupation": work}
    return {"id": id, "name": f"{first} {last}", **profile, "text": text}


def _write(path: Path, records: Sequence[Mapping[str, Any]]) -> None:
    write_atomically(path, json.dumps(records, indent=1, ensure_ascii=False).encode())


def _document(
    id: str,
    split: str,
    pieces: Sequence[Sequence[str]],
    annotators: int,
    random: Random,
) -> dict[str, Any]:
    person = random.randrange(len(_NAMES))
    year = random.randrange(1940, 1990)
    words = {
        "code": f"{random.randrange(100, 99_999)}/{random.randrange(90, 100)}",
        "name": _NAMES[person],
        "last": f"Mr {_NAMES[person].split()[1]}",
        "people": _PEOPLES[person],
        "town": _TOWNS[person],
        "work": random.choice(_WORKS),
        "year": str(year),
        "day": f"{random.randrange(1, 28)} March {year + 20}",
        "years": str(random.randrange(2, 30)),
        "amount": f"{random.randrange(2, 90)},000",
    }
    text, places = "", []
    for before, form, type, identifier in pieces:
        string = form.format(**words)
        text += before
        places.append((len(text), string, type, identifier))
        text += string
    text += "."
    return {
        "doc_id": id,
        "dataset_type": split,
        "text": text,
        "meta": {"applicant": words["name"]},
        "quality_checked": [f"annotator{number}" for number in range(1, annotators, 2)],
        "annotations": {
            f"annotator{number}": {"entity_mentions": list(_mentions(id, number, places))}
            for number in range(1, annotators + 1)
        },
    }


def _mentions(
    id: str, annotator: int, places: Sequence[tuple[int, str, str, str]]
) -> Iterator[dict[str, Any]]:
    """Return one annotator's mentions: the second keeps places, the third calls a court a place."""
    for number, (start, string, type, identifier) in enumerate(places):
        if annotator == 2 and type == "LOC":
            identifier = "NO_MASK"
        if annotator == 3 and type == "ORG":
            type = "LOC"
        owner = 1 if type == "PERSON" else number
        yield {
            "entity_type": type,
            "entity_mention_id": f"{id}_a{annotator}_em{number}",
            "start_offset": start,
            "end_offset": start + len(string),
            "span_text": string,
            "edit_type": "insert" if number % 5 == annotator % 5 else "check",
            "identifier_type": identifier,
            "entity_id": f"{id}_a{annotator}_e{owner}",
            "confidential_status": "BELIEF"
            if type == "DEM" and annotator == 2
            else "NOT_CONFIDENTIAL",
        }


def _add_replacements(document: dict[str, Any]) -> None:
    """Add the options and choices of three people, who agree except for one."""
    more = {"LOC": ["town", "place"], "ORG": ["institute", "organisation"], "DEM": ["nationality"]}
    for mention in document["annotations"]["annotator1"]["entity_mentions"]:
        if mention["identifier_type"] == "NO_MASK":
            continue
        type = mention["entity_type"]
        options = [*more.get(type, [f"{type.lower()} 1"]), "***"]
        chosen = {options[0]: ["annotator7", "annotator8"], options[-1]: ["annotator9"]}
        if type == "PERSON":
            chosen = {options[0]: ["annotator7", "annotator8", "annotator9"]}
        mention["replacement"] = {
            "generalizations": {"ontology": options},
            "generalization_selection": chosen,
        }


def masked_language_model(corpus: Path, folder: Path) -> Path:
    """Write a random BERT with one thin layer that can read a corpus's texts.

    Raises:
        ImportError: transformers or torch is not installed.
        OSError: the folder can't be written.
    """
    return _network("bert", "AutoModelForMaskedLM", corpus, folder, max_position_embeddings=512)


def long_encoder(corpus: Path, folder: Path) -> Path:
    """Write a random Longformer with one thin layer that can read 4,096 subwords.

    Raises:
        ImportError: transformers or torch is not installed.
        OSError: the folder can't be written.
    """
    return _network(
        "longformer",
        "AutoModel",
        corpus,
        folder,
        max_position_embeddings=4098,
        attention_window=[16],
    )


def byte_encoder(corpus: Path, folder: Path) -> Path:
    """Write a random RoBERTa with one thin layer and a byte-level tokenizer that can read a corpus's texts.

    Raises:
        ImportError: transformers or torch is not installed.
        OSError: the folder can't be written.
    """
    import transformers
    from tokenizers import ByteLevelBPETokenizer

    pieces = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces.train_from_iterator(
        _texts(corpus), vocab_size=500, special_tokens=special, show_progress=False
    )
    folder.mkdir(parents=True, exist_ok=True)
    pieces.save_model(str(folder))
    _random_model(
        "roberta",
        "AutoModel",
        folder,
        vocab_size=pieces.get_vocab_size(),
        pad_token_id=1,
        max_position_embeddings=130,
    )
    transformers.RobertaTokenizerFast.from_pretrained(
        folder, add_prefix_space=False
    ).save_pretrained(folder)
    return folder


def table_encoder(corpus: Path, folder: Path) -> Path:
    """Write a random TAPAS with one thin layer that can read a corpus's profiles.

    Raises:
        ImportError: transformers, torch or pandas is not installed.
        OSError: the folder can't be written.
    """
    import transformers

    words = _vocabulary(corpus)
    words.insert(5, "[EMPTY]")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    _random_model("tapas", "AutoModel", folder, vocab_size=len(words), max_position_embeddings=130)
    transformers.TapasTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def search_index(corpus: Path, path: Path) -> Path:
    """Write an index of a corpus's texts.

    Raises:
        OutputError: the file can't be written.
    """
    from tacenda.background.documents import IndexBuilder

    with IndexBuilder(path) as builder:
        builder.begin("toy")
        for number, text in enumerate(_texts(corpus)):
            builder.add(f"toy#{number}", text)
        builder.finish()
    return path


def _network(family: str, head: str, corpus: Path, folder: Path, **settings: Any) -> Path:
    """Write a random network and a tokenizer built from a corpus's words."""
    import transformers

    words = _vocabulary(corpus)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    _random_model(family, head, folder, vocab_size=len(words), pad_token_id=0, **settings)
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


def _texts(corpus: Path) -> list[str]:
    """Return the texts of the judgments and everything in the pairs."""
    judgments = (
        record["text"]
        for path in sorted(corpus.glob("echr_*.json"))
        for record in json.loads(path.read_text("utf-8"))
    )
    pairs = (
        " ".join(json.loads(line).values())
        for path in sorted(corpus.glob("pairs_*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    )
    return [*judgments, *pairs]


def _vocabulary(corpus: Path) -> list[str]:
    """Return BERT's special tokens, then the letters and words of a corpus."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,()/-'"
    found = {word for text in _texts(corpus) for word in text.lower().split()}
    words = sorted(word for word in found if word.isalpha() and len(word) > 1)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    return [*special, *letters, *(f"##{letter}" for letter in letters), *words]


def _random_model(family: str, head: str, folder: Path, **settings: Any) -> None:
    import torch
    import transformers

    transformers.utils.logging.disable_progress_bar()
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(
        family,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        **settings,
    )
    getattr(transformers, head).from_config(config).save_pretrained(folder)


def spacy_pipeline(folder: Path) -> Path:
    """Write a spaCy pipeline that knows the made-up people and towns.

    Raises:
        ImportError: spaCy is not installed.
        OSError: the folder can't be written.
    """
    import spacy

    nlp = spacy.blank("en")
    patterns = [{"label": "PERSON", "pattern": name} for name in _NAMES]
    patterns += [{"label": "GPE", "pattern": town} for town in _TOWNS]
    ruler: Any = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(patterns)
    nlp.to_disk(folder)
    return folder
