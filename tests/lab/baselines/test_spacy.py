"""The baselines by spaCy and Presidio, on a tiny pipeline whose entities are a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.document import Document
from tacenda.errors import InputError, ModelError
from tacenda_lab.baselines import create

spacy = pytest.importorskip("spacy", reason="needs the extra 'spacy'")

LABELS = {
    "Ada Lovelace": "PERSON",
    "London": "GPE",
    "the Royal Society": "ORG",
    "the Court": "ORG",
    "Section 12": "LAW",
    "second": "ORDINAL",
    "123": "CARDINAL",
    "12,345": "CARDINAL",
    "1843": "DATE",
    "the same day": "DATE",
}
TEXT = (
    "Ada Lovelace of London told the Royal Society and the Court, second in 1843 and the same day, "
    "of 123 and 12,345 under Section 12."
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the folder of a pipeline that finds the strings of LABELS."""
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(
        [{"label": label, "pattern": string} for string, label in LABELS.items()]
    )
    folder = tmp_path_factory.mktemp("model")
    nlp.to_disk(folder)
    return str(folder)


def masked(name: str, model: str, text: str = TEXT) -> list[str]:
    """Return the strings that a baseline masks."""
    return [span.of(text) for span in create(name, model=model).mask(Document("d", text))]


def test_ner_masks_all_types_but_small_numbers(model: str) -> None:
    """Of CARDINAL only numbers from four digits on go, of all other types everything."""
    assert set(masked("ner", model)) == set(LABELS) - {"123"}


def test_offsets_are_code_points_of_the_original(model: str) -> None:
    """Characters beyond the first plane, line breaks and runs of blanks shift nothing."""
    assert masked("ner", model, "😀  \n\tLondon\r\n") == ["London"]


def test_rules_masks_what_may_be_personal(model: str) -> None:
    """Statutes, ranks, small numbers, vague dates and generic bodies stay; articles too."""
    assert masked("rules", model) == ["Ada Lovelace", "London", "Royal Society", "1843", "12,345"]


def test_rules_adds_what_patterns_find(model: str) -> None:
    """An entity and a pattern that overlap are one mask."""
    assert masked("rules", model, "Mrs Ada Lovelace, no. 12345/67") == [
        "Mrs Ada Lovelace",
        "12345/67",
    ]


def test_an_empty_text_has_no_masks(model: str) -> None:
    """Nothing in, nothing out."""
    assert masked("ner", model, "") == masked("rules", model, "") == []


def test_a_missing_model_is_an_error_with_the_remedy() -> None:
    """The message says how to get the model; nothing is downloaded."""
    with pytest.raises(ModelError, match="python -m spacy download en_klingon_sm"):
        create("ner", model="en_klingon_sm")


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    """A folder of something else is told from a model."""
    with pytest.raises(ModelError, match="it is not a model"):
        create("ner", model=str(tmp_path))


def test_a_model_without_entities_is_an_error(tmp_path: Path) -> None:
    """A pipeline that finds no entities would mask nothing in silence."""
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(ModelError, match="finds no named entities"):
        create("ner", model=str(tmp_path))


def test_a_text_beyond_the_limit_is_an_error(model: str) -> None:
    """A document that spaCy can't take is named, not cut."""
    with pytest.raises(InputError, match=r"^long: 1000001 code points .* split the document"):
        create("ner", model=model).mask(Document("long", "x" * 1_000_001))


class TestPresidio:
    @pytest.fixture(autouse=True)
    def _presidio(self) -> None:
        pytest.importorskip("presidio_analyzer", reason="needs the extra 'presidio'")

    def test_organisations_are_left_out_by_default(self, model: str) -> None:
        """Presidio's own configuration keeps organisations; the second setting masks them."""
        default = masked("presidio", model)
        assert {"Ada Lovelace", "London", "1843"} <= set(default)
        assert "the Royal Society" not in default
        assert set(masked("presidio+org", model)) - set(default) == {
            "the Royal Society",
            "the Court",
        }

    def test_default_recognizers_are_there_and_overlaps_joined(self, model: str) -> None:
        """An address in the network is found as such and as a web address, and masked once."""
        assert masked("presidio", model, "Write to ada@example.com now.") == ["ada@example.com"]

    def test_nothing_is_downloaded(self, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """An e-mail address is checked without a request to the network."""
        import socket

        def refuse(*_: object) -> None:
            pytest.fail("a connection was opened")

        monkeypatch.setattr(socket, "getaddrinfo", refuse)
        monkeypatch.setattr(socket.socket, "connect", refuse)
        assert masked("presidio", model, "ada@example.org") == ["ada@example.org"]
