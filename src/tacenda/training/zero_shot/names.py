"""Corpora of named entities, brought to PERSON, ORG, LOC and, for all other names, MISC.

None of them is the benchmark's, and none has a masking decision.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...models.encoding import TextEncoder
from ..examples import Example, Marked, example
from .conll import read_sentences, texts_of

OTHER = "MISC"
"""A name of something else: it teaches what is no PERSON, ORG or LOC, and is not used."""

CROSSNER = {
    **dict.fromkeys(
        ("person", "politician", "writer", "musicalartist", "scientist", "researcher"), "PERSON"
    ),
    **dict.fromkeys(("organisation", "politicalparty", "band", "university"), "ORG"),
    **dict.fromkeys(("location", "country"), "LOC"),
    **dict.fromkeys(
        (
            *("misc", "award", "election", "event", "conference", "book", "poem", "magazine"),
            *("academicjournal", "album", "song", "product", "astronomicalobject"),
        ),
        OTHER,
    ),
}
"""Its common nouns (fields, tasks, genres, chemicals …) are no names and become nothing."""
WIKIGOLD = {"PER": "PERSON", "ORG": "ORG", "LOC": "LOC", "MISC": OTHER}
TWEETS = {"PER": "PERSON", "ORG": "ORG", "LOC": "LOC"}
WNUT = {
    "person": "PERSON",
    "location": "LOC",
    "corporation": "ORG",
    "group": "ORG",
    "product": OTHER,
    "creative-work": OTHER,
}
PERSONAL_DATA = {
    "PERSON": "PERSON",
    "ORGANIZATION": "ORG",
    **dict.fromkeys(
        ("GPE", "LOCATION", "ADDRESS", "STREET_ADDRESS", "ZIP_CODE"),
        "LOC",
    ),
    "NRP": OTHER,
}


@dataclass(frozen=True, slots=True)
class Names:
    """What the generic recognizer is fitted to.

    Attributes:
        edited: encyclopaedia and synthetic sentences.
        tweets: in parts, for a few of them an epoch: they are many, and far from judgments.
    """

    edited: list[Example]
    tweets: tuple[list[Example], list[Example]]

    @classmethod
    def read(cls, data: Path, encoder: TextEncoder) -> Names:
        """Read the corpora under ``data/ner`` and ``data/pii``."""
        ner = data / "ner"
        edited = [
            *_columns(sorted((ner / "crossner/ner_data").glob("*/*.txt")), CROSSNER, encoder),
            *_columns(sorted((ner / "wikigold").glob("*.conll.txt")), WIKIGOLD, encoder),
            *_personal_data(sorted((data / "pii").glob("presidio_*.json")), encoder),
        ]
        tweets = [
            *_columns(sorted((ner / "BTC").glob("*.conll")), TWEETS, encoder),
            *_columns(sorted((ner / "WNUT17").glob("*.conll")), WNUT, encoder),
            *_columns(sorted((ner / "WNUT17").glob("*.annotated")), WNUT, encoder),
        ]
        return cls(edited, (tweets[::2], tweets[1::2]))

    def of_epoch(self, epoch: int) -> list[Example]:
        """Return what is seen in an epoch: everything edited and every second text of tweets."""
        return [*self.edited, *self.tweets[epoch % 2]]


def _columns(paths: list[Path], types: dict[str, str], encoder: TextEncoder) -> Iterator[Example]:
    for path in paths:
        name = f"{path.parent.name}/{path.name}"
        for number, (text, marked) in enumerate(texts_of(read_sentences(path), types)):
            yield typed(f"{name}-{number}", text, marked, encoder, "names")


def _personal_data(paths: list[Path], encoder: TextEncoder) -> Iterator[Example]:
    for path in paths:
        for number, document in enumerate(json.loads(path.read_text(encoding="utf-8"))):
            marked = [
                Marked(span["start_position"], span["end_position"], type, None)
                for span in document["spans"]
                if (type := PERSONAL_DATA.get(span["entity_type"])) is not None
            ]
            yield typed(f"{path.stem}-{number}", document["full_text"], marked, encoder, "personal")


def typed(
    doc_id: str, text: str, marked: list[Marked], encoder: TextEncoder, corpus: str
) -> Example:
    """Return an example of types alone: of masking nothing is known anywhere in it."""
    found = example(doc_id, text, [marked], encoder, corpus)
    return replace(found, mask_known=np.zeros_like(found.mask_known))
