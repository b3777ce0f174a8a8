"""The command `tacenda lab baseline`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tacenda.errors import InputError, MissingExtraError, OutputError
from tacenda.evaluate.systems import load_masks
from tacenda_lab.baselines import BASELINES
from tacenda_lab.cli import baseline

app = typer.Typer()
app.command()(baseline)
runner = CliRunner()

DOCUMENTS = [{"doc_id": "a", "text": "Ada Lovelace"}, {"doc_id": "ü", "text": "none"}]


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """Return the path of a corpus of two documents."""
    path = tmp_path / "corpus.json"
    path.write_text(json.dumps(DOCUMENTS), "utf-8")
    return str(path)


def test_masks_are_written_as_sanitize_writes_them(corpus: str, tmp_path: Path) -> None:
    """One line a document, spans in order; `evaluate` reads them."""
    out = tmp_path / "new" / "masks.json"
    assert runner.invoke(app, ["capitals", corpus, "-o", str(out)]).exit_code == 0
    assert out.read_text("utf-8") == '{\n"a": [[0, 12]],\n"ü": []\n}\n'
    assert list(load_masks(out)) == ["a", "ü"]


def test_stdin_and_stdout() -> None:
    """``-`` is standard input, and without ``-o`` the masks go to standard output alone."""
    result = runner.invoke(app, ["all", "-"], input=json.dumps(DOCUMENTS))
    assert json.loads(result.stdout) == {"a": [[0, 12]], "ü": [[0, 4]]}
    assert result.stderr == ""


def test_options_reach_the_baseline(corpus: str) -> None:
    """Rate and seed are those of the command line."""
    result = runner.invoke(app, ["random", corpus, "--rate", "1", "--seed", "3"])
    assert json.loads(result.stdout) == {"a": [[0, 3], [4, 12]], "ü": [[0, 4]]}


def test_a_bad_document_does_not_stop_the_others() -> None:
    """What can't be read is named on stderr, the rest is masked, and the exit code is 1."""
    corpus = json.dumps(
        [{"doc_id": "a", "text": "x"}, {"doc_id": "b"}, {"doc_id": "c", "text": ""}]
    )
    result = runner.invoke(app, ["all", "-"], input=corpus)
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {"a": [[0, 1]], "c": []}
    assert "b: key 'text' is missing" in result.stderr


@pytest.mark.parametrize(
    "arguments", [["magic"], ["all", "--seed", "1"], ["random", "--rate", "2"]]
)
def test_misuse_is_exit_code_2(corpus: str, arguments: list[str]) -> None:
    """Unknown names and options that mean nothing are faults of usage."""
    name, *options = arguments
    assert runner.invoke(app, [name, corpus, *options]).exit_code == 2


def test_the_corpus_is_never_overwritten(corpus: str) -> None:
    """An output that is the input is misuse."""
    before = Path(corpus).read_bytes()
    assert runner.invoke(app, ["all", corpus, "-o", corpus]).exit_code == 2
    assert Path(corpus).read_bytes() == before


def test_an_output_that_cannot_be_written_is_an_error(corpus: str) -> None:
    """The message names the place and the way out."""
    with pytest.raises(OutputError, match="choose another path"):
        runner.invoke(app, ["all", corpus, "-o", f"{corpus}/x.json"], catch_exceptions=False)


def test_help_names_every_baseline() -> None:
    """Whoever asks sees what there is."""
    output = " ".join(runner.invoke(app, ["--help"], env={"COLUMNS": "200"}).stdout.split())
    assert all(name in output for name in BASELINES)


@pytest.mark.parametrize("name", ["ner", "rules"])
def test_without_spacy_the_extra_is_named(
    corpus: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"\[spacy\]"):
        runner.invoke(app, [name, corpus], catch_exceptions=False)


@pytest.mark.parametrize("name", ["presidio", "presidio+org"])
def test_without_presidio_the_extra_is_named(
    corpus: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    with pytest.raises(MissingExtraError, match=r"\[presidio\]"):
        runner.invoke(app, [name, corpus], catch_exceptions=False)


def test_masks_of_nothing_leave_the_earlier_ones(tmp_path: Path) -> None:
    """If every document has a fault, nothing is written."""
    out = tmp_path / "masks.json"
    out.write_text("earlier")
    result = runner.invoke(app, ["all", "-", "-o", str(out)], input='[{"doc_id": "b"}]')
    assert result.exit_code == 1
    assert out.read_text() == "earlier"


PAIRS = (
    {
        "id": "a",
        "name": "Ada Byron",
        "town": "London",
        "text": "The Byron girl left London in May.",
    },
    {"id": "b", "name": "Bo Lund", "town": "Oslo", "text": "The Lund boy left Oslo in May."},
    {"id": "c", "name": "Cy Hall", "town": "Riga"},
)


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    """Return the path of three profiles, two with a text."""
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS), "utf-8")
    return str(path)


def words_masked(pairs: str, *arguments: str) -> dict[str, list[str]]:
    """Run a baseline on pairs; the strings that it masks."""
    name, *options = arguments
    result = runner.invoke(app, [name, pairs, *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    texts = {pair["id"]: pair.get("text", "") for pair in PAIRS}
    masks = json.loads(result.stdout)
    return {id: [texts[id][start:end] for start, end in spans] for id, spans in masks.items()}


def test_baselines_know_the_profiles_of_pairs(pairs: str) -> None:
    """Lexical masks what the profile says; IDF what at most one of the five texts and profiles has, or two."""
    assert words_masked(pairs, "lexical") == {"a": ["Byron", "London"], "b": ["Lund", "Oslo"]}
    # By hand: ln 5/1 = 1.61 for girl and boy, ln 5/2 = .92 for the rest.
    assert words_masked(pairs, "idf", "--threshold", "1.5") == {"a": ["girl"], "b": ["boy"]}
    assert words_masked(pairs, "idf", "--threshold", "2") == {"a": [], "b": []}
    both = words_masked(pairs, "idf+profile", "--threshold", "1.5")
    assert both == {"a": ["Byron girl", "London"], "b": ["Lund boy", "Oslo"]}


def test_every_baseline_masks_pairs(pairs: str) -> None:
    """What needs no profile reads the texts alone."""
    assert words_masked(pairs, "capitals")["b"] == ["Lund", "Oslo", "May"]


@pytest.mark.parametrize(
    "arguments",
    [["lexical", "--threshold", "1"], ["idf", "--rate", "0.5"], ["capitals", "--threshold", "1"]],
)
def test_options_of_others_are_misuse_on_pairs(pairs: str, arguments: list[str]) -> None:
    """Each baseline takes its own options alone."""
    name, *options = arguments
    assert runner.invoke(app, [name, pairs, *options]).exit_code == 2


def test_profiles_are_needed(corpus: str, pairs: str) -> None:
    """Documents without profiles, and people who are there twice, are refused."""
    with pytest.raises(InputError, match="needs id and name"):
        runner.invoke(app, ["lexical", corpus], catch_exceptions=False)
    with pytest.raises(InputError, match="not a file of pairs"):
        runner.invoke(app, ["idf", "-"], catch_exceptions=False)
    path = Path(pairs)
    path.write_text(path.read_text("utf-8") * 2, "utf-8")
    with pytest.raises(InputError, match="'a' occurs twice"):
        runner.invoke(app, ["all", pairs], catch_exceptions=False)
