"""How close masked documents stay to their originals, one by one and in clusters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from tacenda.cli.evaluate import evaluate_masks as command
from tacenda.document import Span
from tacenda.errors import InputError
from tacenda.evaluate.evaluation import EvaluationSettings, compare, evaluate
from tacenda.evaluate.gold import load_gold, parse_gold
from tacenda.evaluate.systems import load_masks
from tacenda_lab.evaluation.embedding import Encoder, Matrix
from tacenda_lab.evaluation.similarity import Similarity, SimilarityMeasure

from .corpus import standoff

app = typer.Typer()
app.command()(command)

TOPICS = ["court judge law", "cat dog fur", "rain wind snow"]
ORIGINALS = [f"{topic} {name}" for name in ("Anna", "Berg", "Carl") for topic in TOPICS]


class Letters:
    """Counts a, b and c: an embedding whose cosines are plain to see."""

    name = "letters"

    def encoder(self, originals: Sequence[str]) -> Encoder:
        def encode(texts: Sequence[str]) -> Matrix:
            counts = np.array([[text.count(letter) for letter in "abc"] for text in texts], float)
            lengths = np.linalg.norm(counts, axis=1, keepdims=True)
            return counts / np.where(lengths, lengths, 1)

        return encode


def measured(masked: Sequence[str], clusters: int | None = 3) -> Similarity:
    """Compare masked versions of the nine originals by the default embedding."""
    return SimilarityMeasure(clusters=clusters).measure(ORIGINALS, masked)


def test_cosine_is_the_mean_over_documents() -> None:
    """Of "ab" to "b" it is 1/√2, of "c" to nothing 0; a document without letters is left out."""
    found = SimilarityMeasure(Letters()).measure(["ab", "c", "x"], ["b", "***", "x"])
    assert found.cosine == pytest.approx(0.5 / np.sqrt(2))
    assert (found.documents, found.left_out) == (2, 1)
    assert "1 document with nothing to embed" in found.notes[0]


def test_masking_nothing_loses_nothing() -> None:
    """Every figure of the originals against themselves is 1."""
    found = measured(ORIGINALS)
    assert found.cosine == pytest.approx(1.0)
    assert found.survival is not None
    assert found.survival.masked.normalized_mutual_information == pytest.approx(1.0)
    assert found.survival.masked.adjusted_rand_index == pytest.approx(1.0)


def test_masking_everything_leaves_nothing() -> None:
    """Documents that are all alike have no clusters, and no cosine."""
    found = measured(["***"] * 9)
    assert found.cosine == 0.0
    assert found.survival is not None
    assert found.survival.masked.normalized_mutual_information == 0.0
    assert found.survival.masked.adjusted_rand_index == 0.0


def test_masking_names_leaves_topics() -> None:
    """What survives masking the names is more than what survives masking the topics."""
    names = measured([text.rsplit(" ", 1)[0] for text in ORIGINALS])
    topics = measured([text.rsplit(" ", 1)[1] for text in ORIGINALS])
    assert names.survival is not None
    assert topics.survival is not None
    assert (
        names.survival.masked.adjusted_rand_index > topics.survival.masked.adjusted_rand_index + 0.3
    )
    assert (names.cosine or 0) > (topics.cosine or 0)


def test_another_start_is_the_scale() -> None:
    """How far k-means on the originals agrees with itself does not depend on the masks."""
    one, other = measured(ORIGINALS), measured(["***"] * 9)
    assert one.survival is not None
    assert other.survival is not None
    assert one.survival.restarted == other.survival.restarted
    assert one.survival.restarted.normalized_mutual_information < 1.0


def test_the_same_input_has_the_same_figures() -> None:
    """Nothing depends on chance or on an earlier call."""
    masked = [text.replace("a", "***") for text in ORIGINALS]
    assert measured(masked) == measured(masked)


@pytest.mark.parametrize(("n", "k"), [(3, 2), (9, 2), (18, 3), (127, 8)])
def test_the_number_of_clusters_is_the_root_of_half(n: int, k: int) -> None:
    """Rounded, and 2 at least."""
    texts = [f"word{idx} court" for idx in range(n)]
    assert SimilarityMeasure().measure(texts, texts).clusters == k


@pytest.mark.parametrize("n", [0, 1, 2])
def test_too_few_documents_have_no_clusters(n: int) -> None:
    """The figures are undefined and a note says why."""
    found = SimilarityMeasure().measure(ORIGINALS[:n], ORIGINALS[:n])
    assert found.survival is None
    assert (found.cosine is None) == (n == 0)
    assert "can't be divided into clusters" in found.notes[-1]


def test_originals_that_are_alike_have_no_clusters() -> None:
    """There is nothing that could survive."""
    found = SimilarityMeasure().measure(["court"] * 5, ["court"] * 5)
    assert found.survival is None
    assert found.notes == ("NMI and ARI are left undefined: the originals are all alike",)


def test_clusters_must_divide() -> None:
    """One cluster, or as many as documents, are an error that says so."""
    with pytest.raises(InputError, match="1 clusters are too few"):
        SimilarityMeasure(clusters=1)
    with pytest.raises(InputError, match="9 clusters are too many for 9 documents"):
        measured(ORIGINALS, clusters=9)


def test_the_report_has_figures_notes_and_signature() -> None:
    """Masked spans are taken out of the text before it is compared."""
    gold = parse_gold([standoff("court Anna", {"a": [("Anna", "PERSON", "DIRECT", "e")]})])
    report = evaluate(
        gold, {"d1": (Span(6, 10),)}, EvaluationSettings(extras=[SimilarityMeasure(Letters())])
    )
    printed = report.as_json()["similarity"]
    assert printed["cosine"] == pytest.approx(1 / np.sqrt(2))
    assert printed["masked"] is None
    assert "similarity:letters" in report.signature
    assert any("can't be divided" in note for note in report.notes)
    assert "similarity" not in evaluate(gold, {"d1": ()}).as_json()


def test_the_command_shows_similarity(tmp_path: Path) -> None:
    """In the table and in JSON, for each of several systems; misuse is refused."""
    gold, one, other = (tmp_path / name for name in ("gold.json", "one.json", "other.json"))
    documents = [standoff(text, {"a": []}, f"d{idx}") for idx, text in enumerate(ORIGINALS)]
    gold.write_text(json.dumps(documents), "utf-8")
    one.write_text(json.dumps({f"d{idx}": [] for idx in range(9)}), "utf-8")
    other.write_text(json.dumps({f"d{idx}": [[0, 5]] for idx in range(9)}), "utf-8")
    run = CliRunner().invoke
    options = [str(gold), str(one), str(other), "--similarity", "lsa", "--clusters", "3"]
    assert "clusters that survive, NMI" in run(app, options, catch_exceptions=False).stdout
    printed = json.loads(run(app, [*options, "--json"], catch_exceptions=False).stdout)
    figures = {name: report["similarity"] for name, report in printed["systems"].items()}
    assert figures["one"]["masked"]["adjusted_rand_index"] == pytest.approx(1.0)
    assert figures["other"]["cosine"] < figures["one"]["cosine"]
    assert figures["one"]["clusters"] == 3
    assert run(app, [str(gold), str(one), "--clusters", "3"]).exit_code == 2
    assert run(app, [*options[:3], "--similarity", "lsa", "--clusters", "1"]).exit_code == 2
    with pytest.raises(InputError, match="unknown embedding 'bert'; choose lsa or hf:NAME"):
        run(app, [*options[:3], "--similarity", "bert"], catch_exceptions=False)


def test_more_masks_on_judgments_leave_less(tab_oracle: Path) -> None:
    """On the dev split: nothing, named entities, capitalised words, everything."""
    oracle = tab_oracle / "oracle"
    gold = load_gold(tab_oracle / "dev.json")
    systems = ["empty", "presidio_md", "regex", "everything"]
    found = compare(
        gold,
        {name: load_masks(oracle / f"{name}.json") for name in systems},
        EvaluationSettings(extras=[SimilarityMeasure()]),
        trials=1,
    )
    figures = [report.as_json()["similarity"] for report in found.reports.values()]
    assert all(figure["clusters"] == 8 for figure in figures)
    for order in (
        [figure["cosine"] for figure in figures],
        [figure["masked"]["adjusted_rand_index"] for figure in figures],
    ):
        assert order == sorted(order, reverse=True)
        assert order[0] == pytest.approx(1.0)
        assert order[-1] == pytest.approx(0.0)
