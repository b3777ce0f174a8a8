"""The gazetteer that ships: intact, small, sorted, and sensible."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tacenda.detect.gazetteer import GROUPS, Gazetteer
from tacenda.errors import ModelError
from tacenda.models.store import find
from tacenda.models.tables import DEFAULT_GAZETTEER, TERMS_FILE, load_terms
from tests.examples import for_each


def test_it_is_small_and_sorted_within_its_groups() -> None:
    """At most 5 MB, every group known, no term twice."""
    assert find(DEFAULT_GAZETTEER).size <= 5_000_000
    terms = load_terms()
    assert list(terms) == list(GROUPS)
    for members in terms.values():
        assert list(members) == sorted(members)
    everything = [term for members in terms.values() for term in members]
    assert len(everything) == len(set(everything)) > 20_000


@for_each(
    ("text", "term", "group"),
    [
        ("He worked as a truck driver.", "truck driver", "occupation"),
        ("She is of Kurdish origin.", "Kurdish", "ethnic_group"),
        ("They are Jehovah's Witnesses.", "Jehovah's Witnesses", "religion"),
        ("She suffers from multiple sclerosis.", "multiple sclerosis", "health"),
        ("a trial for armed robbery", "armed robbery", "crime"),
        ("He is a lieutenant colonel.", "lieutenant colonel", "military_rank"),
        ("his mother-in-law", "mother-in-law", "kinship"),
        ("She plays the bassoon.", "bassoon", "instrument"),
    ],
)
def test_it_knows_terms_of_many_properties(text: str, term: str, group: str) -> None:
    """One of each kind that a judgment may hold."""
    assert (term, group) in [(t.span.of(text), t.group) for t in Gazetteer.load().tag(text)]


def test_the_words_of_every_judgment_do_not_flood_the_text() -> None:
    """Offices and months that anybody's text has are no attributes of a person."""
    text = (
        "In May the President of the Court asked the police officer and the public prosecutor; "
        "the judge, a member of the Chamber, and the General heard the witness and the lawyer."
    )
    assert Gazetteer.load().tag(text) == []


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    """The digest is compared before anything is read."""
    folder = Path(shutil.copytree(find(DEFAULT_GAZETTEER).folder, tmp_path / "copy"))
    with (folder / TERMS_FILE).open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ModelError, match=r"terms\.txt\.gz has SHA-256"):
        Gazetteer.load(folder)
