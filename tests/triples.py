"""A few items of Wikidata as a folder of triples, for the tests of what is built from them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path

# Of Wikidata, as they were in 2022: drummer is an instance of profession and a subclass of percussionist.
LABELS = {
    "Q215627": "person",
    "Q5": "human",
    "Q386854": "drummer",
    "Q1": "percussionist",
    "Q2": "instrumentalist",
    "Q3": "musician",
    "Q483501": "artist",
    "Q4": "creator",
    "Q28640": "profession",
    "Q7560": "mother",
    "Q7566": "parent",
    "Q6": "first-degree relative",
    "Q7": "kin",
    "Q171318": "kinship",
    "Q585": "Oslo",
    "Q5119": "capital city",
    "Q515": "city",
    "Q25804": "Trondheim",
    "Q8": "genre",
    "Q9": "creative work",
    "Q10": "door",
    "Q11": "house",
    "Q20": "Norway",
    "Q6256": "country",
    "Q231002": "nationality",
    "Q12": "Ringo Starr",
    "Q13": "Oslo Opera House",
    "Q14": "opera house",
    "Q15": "the Oslo Opera House Café",
}
TRIPLES = {
    "P31": (
        "Q386854 Q28640, Q7560 Q171318, Q585 Q5119, Q25804 Q515, Q20 Q6256, Q12 Q5, Q13 Q14, Q15 Q14"
    ),
    "P279": (
        "Q386854 Q1, Q1 Q2, Q2 Q3, Q3 Q483501, Q483501 Q4, Q4 Q215627, Q7560 Q7566, Q7566 Q6, Q6 Q7, Q7 Q215627, "
        "Q5119 Q515, Q5 Q215627"
    ),
    "P8225": "Q8 Q9",
    "P361": "Q10 Q11, Q585 Q20",
}


def _table(folder: Path, name: str, rows: Sequence[tuple[str, str]]) -> None:
    lines = ["id\tnode1\tlabel\tnode2", *(f"{n}\t{a}\tx\t{b}" for n, (a, b) in enumerate(rows))]
    (folder / f"{name}.tsv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))


def wikidata_folder(folder: Path, triples: Mapping[str, str] = TRIPLES) -> Path:
    """Write labels, aliases and triples into a new folder, and return it."""
    folder.mkdir()
    _table(folder, "labels.en", [(id, f"'{label}'@en") for id, label in LABELS.items()])
    _table(folder, "aliases.en", [("Q585", "'Christiania'@en"), ("Q7560", "'mum'@en")])
    _table(folder, "descriptions.en", [])
    for property, pairs in triples.items():
        rows = [(a, b) for a, b in (pair.split() for pair in pairs.split(","))]
        _table(folder, f"derived.{property}", rows)
    _table(folder, "derived.P1549", [("Q20", "'Norwegian'@en"), ("Q20", "'norvégien'@fr")])
    return folder
