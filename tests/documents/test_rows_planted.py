"""A name in every place of a row or an object, in every spelling: what is kept holds it nowhere."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable
from typing import Any
from unicodedata import combining, normalize
from urllib.parse import unquote

import pytest

from tacenda import documents
from tacenda.documents.writing import writer
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy

NAME = "Galip Yalman"
ENCODED = "R2FsaXAgWWFsbWFu"
SPELLINGS = (
    "Galip Yalman", "GALIP YALMAN", "GalipYalman", "galip-yalman", "Galip_Yalman", "Yalman", "galipyalmancv",
    "Galip%20Yalman", "Gal&iuml;p Yalman", "Galïp Yalman", "mailto:g.yalman@x.org", "Yal\u00admån", ENCODED,
    "Y\\u0061lman",
)  # fmt: skip
OBJECTS: dict[str, Callable[[str], Any]] = {
    "value": lambda name: {"a": name},
    "key": lambda name: {name: 1},
    "nested value": lambda name: {"a": {"b": [{"c": name}]}},
    "nested key": lambda name: {"a": {"b": [{name: None}]}},
    "item of a list": lambda name: {"a": ["x", name, 7]},
}
ROWS: dict[str, Callable[[str], tuple[list[str], list[str]]]] = {
    "cell": lambda name: (["text", "b"], ["", name]),
    "first cell": lambda name: (["a", "text"], [name, ""]),
    "cell that needs quotes": lambda name: (["text", "b"], ["", f'{name}"; x,\n']),
    "name of a column": lambda name: (["text", name], ["", "1"]),
}


def folded(text: str) -> str:
    """Return the letters and digits of a string, as if all of it had been decoded."""
    for _ in range(3):
        text = unquote(html.unescape(text))
    decomposed = normalize("NFKD", text).casefold()
    return "".join(c for c in decomposed if c.isalnum() and not combining(c))


def written(source: str, format: str) -> str:
    """Return a file without one person, all columns kept."""
    sanitizer = Sanitizer(Policy(recognizer=False, threshold=0.5, target=(NAME,)), None, 0.5)
    output = io.BytesIO()
    sink = writer("same", output, input_format=format)
    kept = documents.Fields.of_options(keep=("*",))
    for item in documents.read("-", format, stdin=io.BytesIO(source.encode()), fields=kept):
        assert isinstance(item, documents.SourceDocument), item
        sink.write(item, next(sanitizer.pipe([item.document])))
    sink.close()
    return output.getvalue().decode()


def assert_gone(*texts: str) -> None:
    """No text holds the name, read as it stands or decoded."""
    for text in texts:
        assert "yalman" not in folded(text)
        assert ENCODED not in text


@pytest.mark.parametrize("place", OBJECTS)
def test_a_name_is_in_no_key_and_no_value(place: str) -> None:
    """The object stays JSON, with as many members."""
    for spelling in SPELLINGS:
        item = {"text": f"About {NAME}.", "n": 1, **OBJECTS[place](spelling)}
        line = written(json.dumps(item) + "\n", "jsonl")
        assert len(json.loads(line)) == len(item)
        assert_gone(line, repr(json.loads(line)))


@pytest.mark.parametrize("place", ROWS)
def test_a_name_is_in_no_cell_and_no_header(place: str) -> None:
    """The table keeps its rows and columns."""
    for spelling in SPELLINGS:
        header, row = ROWS[place](spelling)
        row[header.index("text")] = f"About {NAME}."
        stream = io.StringIO(newline="")
        csv.writer(stream).writerows([header, row, row])
        table = written(stream.getvalue(), "csv")
        assert [len(cells) for cells in csv.reader(io.StringIO(table, newline=""))] == [2, 2, 2]
        assert_gone(table)
