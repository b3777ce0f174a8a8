"""The file is what was written, and near names are found."""

from __future__ import annotations

import string
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tacenda.errors import ModelError
from tacenda.rewrite.ontology.store import (
    BITS_AN_EDIT,
    OntologyStore,
    Sense,
    differing_bits,
    read_sense,
    signature,
    write_sense,
)
from tacenda.text.normal_form import name_key
from tacenda_lab.train.ontology.compile import compile_ontology

from .small import THINGS, small_hierarchy

_words = st.text(string.ascii_lowercase + " ", min_size=1, max_size=30)


@given(_words, _words)
def test_a_signature_never_hides_a_near_name(first: str, second: str) -> None:
    """Signatures differ in at most four bits an edit."""
    bits = differing_bits(np.array([signature(first)], np.uint64), signature(second))
    assert int(bits[0]) <= BITS_AN_EDIT * Levenshtein.distance(first, second)


@given(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=4),
    st.integers(0, 100),
    st.booleans(),
    st.lists(st.integers(0, 9999), max_size=3),
)
def test_a_sense_is_read_as_it_was_written(
    classes: list[int], tenths: int, common: bool, places: list[int]
) -> None:
    """`read_sense` undoes `write_sense`."""
    sense = Sense(tuple(classes), tenths / 10, common, "geonames:3143244", tuple(places))
    assert read_sense(write_sense(sense)) == sense


def test_every_name_is_found(tmp_path: Path) -> None:
    """What has been written is found by its folded name, and nothing else is."""
    path = tmp_path / "ontology.sqlite"
    compile_ontology(small_hierarchy(), THINGS, {}, {}, path)
    store = OntologyStore(path)
    for thing in THINGS:
        for name in thing.names:
            assert thing.source in {sense.source for sense in store.find(name_key(name))}
    assert store.find("nowhere") == ()
    assert store.find("") == ()


def test_one_build_gives_the_same_bytes(tmp_path: Path) -> None:
    """Two builds of the same things are the same file."""
    for name in ("a", "b"):
        compile_ontology(small_hierarchy(), THINGS, {}, {}, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@given(st.text(max_size=20))
def test_any_text_may_be_looked_up(text: str) -> None:
    """No string is an error."""
    assert isinstance(name_key(text), str)


def test_a_file_that_is_no_ontology_is_refused(tmp_path: Path) -> None:
    """The error names the file and the way out."""
    path = tmp_path / "ontology.sqlite"
    path.write_bytes(b"not a database at all, but long enough to be read as one" * 20)
    with pytest.raises(ModelError, match="rebuild it"):
        OntologyStore(path)
