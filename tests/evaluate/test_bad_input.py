"""What is wrong with the data ends as exit code 1 and one line, or is counted as documented.

Each case runs the whole command line, which must neither crash nor give a figure for nothing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tacenda.cli import main

from .corpus import FIGURE_3, FIGURE_3_TEXT, spans, standoff

RECALLS = ["token_recall", "entity_recall_direct", "entity_recall_quasi", "entity_recall"]
HARMLESS = standoff("It rained.", {"a": [("rained", "MISC", "NO_MASK", "e")]})


class EvaluationShell:
    """Runs ``tacenda`` on JSON values that are written to files.

    Args:
        folder: where the files go.
        monkeypatch: sets the arguments of the process.
        capsys: reads its output.
    """

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder, self.monkeypatch, self.capsys = folder, monkeypatch, capsys

    def run(self, command: str, *arguments: Any) -> tuple[int, str, str]:
        """Return (exit code, stdout, stderr); what is not a string becomes a file."""
        argv = ["tacenda", *command.split()]
        for idx, argument in enumerate(arguments):
            if isinstance(argument, str):
                argv.append(argument)
            else:
                path = self.folder / f"file{idx}.json"
                path.write_text(json.dumps(argument), "utf-8")
                argv.append(str(path))
        self.monkeypatch.setattr(sys, "argv", argv)
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        output = self.capsys.readouterr()
        return code, output.out, output.err

    def report(self, *arguments: Any) -> tuple[dict[str, Any], str]:
        """Return the JSON of ``tacenda evaluate masks``, which must succeed, and stderr."""
        code, out, err = self.run("evaluate", "masks", *arguments, "--json")
        assert code == 0, err
        return json.loads(out), err


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> EvaluationShell:
    """Return a command line with a folder of its own."""
    return EvaluationShell(tmp_path, monkeypatch, capsys)


def changed(**changes: Any) -> list[dict[str, Any]]:
    """Return a corpus whose first mention has other values."""
    document = json.loads(json.dumps(FIGURE_3))
    document["annotations"]["first"]["entity_mentions"][0] |= changes
    return [document]


def test_a_prediction_for_an_unknown_document_is_named(shell: EvaluationShell) -> None:
    """It is left aside, changes no figure, and stderr says so."""
    masks = {"d1": spans(FIGURE_3_TEXT, "John Doe")}
    plain, _ = shell.report([FIGURE_3], masks)
    report, err = shell.report([FIGURE_3], {**masks, "d9": [[0, 9999]]})
    assert "note: 1 document not in the gold ignored: d9" in err
    assert {**report, "notes": []} == plain


def test_a_document_without_prediction_is_named(shell: EvaluationShell) -> None:
    """It is not counted, and stderr says so."""
    other = {**FIGURE_3, "doc_id": "d2"}
    report, err = shell.report([FIGURE_3, other], {"d1": []})
    assert report["documents"] == 1
    assert "note: 1 document without a prediction not counted: d2" in err


def test_an_entity_id_of_two_annotators_names_two_entities(shell: EvaluationShell) -> None:
    """Masking what one of them calls "e" masks one of two entities."""
    document = standoff(
        "Anna Berg, Oslo",
        {"a": [("Anna Berg", "PERSON", "DIRECT", "e")], "b": [("Oslo", "LOC", "DIRECT", "e")]},
    )
    report, _ = shell.report([document], {"d1": [[0, 9]]})
    assert report["entity_recall_direct"] == 0.5


def test_nothing_to_mask_has_no_recall(shell: EvaluationShell) -> None:
    """It is null and not 0, in all that depends on it, and stderr says so."""
    report, err = shell.report([HARMLESS], {"d1": [[0, 2]]}, "--bootstrap", "10")
    assert [report[name] for name in (*RECALLS, "token_f1")] == [None] * 5
    assert set(RECALLS) <= set(report["undefined"])
    assert "nothing to divide by in" in err
    assert not set(RECALLS) & set(report["intervals"])
    assert report["token_recall_by_type"] == {}


def test_nothing_to_mask_in_any_output(shell: EvaluationShell) -> None:
    """Tables, pages, pictures and comparisons do with nothing too."""
    page, picture = shell.folder / "page.html", shell.folder / "picture.svg"
    options = ["--by-type", "--errors", "3", "--bootstrap", "5", "--weights", "unigram"]
    code, out, err = shell.run(
        "evaluate", [HARMLESS], {"d1": []}, *options, "--html", str(page), "--plot", str(picture)
    )
    assert code == 0, err
    assert "undefined" in out
    code, _, err = shell.run(
        "evaluate", "masks", [HARMLESS], {"d1": []}, {"d1": [[0, 2]]}, *options
    )
    assert code == 0, err


def test_a_system_that_masks_nothing_has_precision_0_and_a_note(shell: EvaluationShell) -> None:
    """The convention of the reference is not silent."""
    report, err = shell.report([FIGURE_3], {"d1": []})
    assert report["token_precision"] == 0.0
    assert "token_precision" in report["undefined"]
    assert "precision of a system that masked nothing is given as 0" in err


def test_an_empty_text_is_a_document(shell: EvaluationShell) -> None:
    """Shares of its nothing are undefined."""
    report, _ = shell.report([standoff("", {"a": []})], {"d1": []})
    assert report["documents"] == 1
    assert report["text_kept"] is None
    assert report["words_masked"] is None


@pytest.mark.parametrize(
    ("gold", "masks", "message"),
    [
        ([FIGURE_3], {"d1": [[0, 9999]]}, "d1: masked span 0, [0, 9999), ends past the text of"),
        ([FIGURE_3], {"d1": [[-3, 2]]}, "span 0: [-3, 2) is not a span"),
        ([FIGURE_3], {"d1": [[5, 2]]}, "span 0: [5, 2) is not a span"),
        ([FIGURE_3], {"d1": [[5, 5]]}, "span 0: [5, 5) is not a span"),
        ([FIGURE_3], {"d1": [[0, float("nan")]]}, "span 0: must be [start, end], two integers"),
        ([FIGURE_3], {"d1": [[0, 1, 2]]}, "span 0: must be [start, end], two integers"),
        ([FIGURE_3], {"d1": None}, "must have a list of [start, end]"),
        ([FIGURE_3], [[0, 1]], "must contain a JSON object"),
        ([FIGURE_3], {}, "none of its 0 documents is among the 1 gold documents"),
        ([FIGURE_3], {"d9": []}, "none of its 1 documents is among the 1 gold documents"),
        ([], {"d1": []}, "none of its 1 documents is among the 0 gold documents"),
        ([FIGURE_3, FIGURE_3], {"d1": []}, "doc_id 'd1' occurs again at [1]"),
        ({"d1": []}, {"d1": []}, "must contain a JSON list of documents"),
        (changed(start_offset=9999), {"d1": []}, "are not in the text of"),
        (changed(start_offset=-1), {"d1": []}, "are not in the text of"),
        (changed(start_offset=60, end_offset=50), {"d1": []}, "offsets [60, 50) are not"),
        (changed(end_offset=float("nan")), {"d1": []}, "'end_offset' must be an integer"),
        (changed(related_mentions="m1"), {"d1": []}, "'related_mentions' must be a list"),
        (changed(related_mentions=[1]), {"d1": []}, "related_mentions[0] must be a string"),
        (changed(entity_mention_id=7), {"d1": []}, "'entity_mention_id' must be a string"),
        ([{**FIGURE_3, "dataset_type": 5}], {"d1": []}, "'dataset_type' must be a string"),
        ([{**FIGURE_3, "quality_checked": "a"}], {"d1": []}, "'quality_checked' must be a list"),
        ([{**FIGURE_3, "annotations": []}], {"d1": []}, "'annotations' must be an object"),
    ],
)
def test_faulty_data_is_exit_code_1(
    shell: EvaluationShell, gold: Any, masks: Any, message: str
) -> None:
    """One line on stderr, nothing on stdout, no text of the document."""
    code, out, err = shell.run("evaluate", "masks", gold, masks)
    assert (code, out) == (1, "")
    assert err.startswith("tacenda: ")
    assert err.count("\n") == 1
    assert message in err
    assert "Doe" not in err


@pytest.mark.parametrize(
    ("command", "gold", "message"),
    [
        ("evaluate agreement", [], "none of the 0 documents has several annotators"),
        ("evaluate agreement", [HARMLESS], "none of the 1 documents has several annotators"),
        ("evaluate agreement", changed(end_offset=9999), "are not in the text"),
        ("evaluate stats", changed(end_offset=9999), "are not in the text"),
        ("evaluate stats", {"a": 1}, "must contain a JSON list of documents"),
    ],
)
def test_faulty_corpora_are_exit_code_1(
    shell: EvaluationShell, command: str, gold: Any, message: str
) -> None:
    """The other commands on gold files too."""
    code, out, err = shell.run(command, gold)
    assert (code, out) == (1, "")
    assert message in err


def test_an_empty_corpus_has_statistics(shell: EvaluationShell) -> None:
    """All counts are 0, which is what there is, and shares are null."""
    code, out, _ = shell.run("evaluate", "stats", [], "--json")
    assert code == 0
    printed = json.loads(out)
    assert (printed["documents"], printed["mentions"]) == (0, 0)
    assert printed["masked_share_of_entities"] is None
    assert shell.run("evaluate", "stats", [])[0] == 0


def test_annotators_who_marked_nothing_have_no_coefficient(shell: EvaluationShell) -> None:
    """Where there is nothing to agree on, a coefficient is null, in the table a dash."""
    corpus = [standoff("It rained.", {"a": [], "b": []})]
    code, out, _ = shell.run("evaluate", "agreement", corpus, "--json")
    assert code == 0
    first = json.loads(out)["agreement"][0]
    assert (first["items"], first["observed"], first["fleiss_kappa"]) == (0, None, None)
    picture = shell.folder / "picture.png"
    code, out, _ = shell.run("evaluate", "agreement", corpus, "--plot", str(picture))
    assert code == 0
    assert "–" in out


def test_numbers_of_any_length_are_read_or_refused(shell: EvaluationShell) -> None:
    """Python refuses to read an integer of thousands of digits."""
    path = shell.folder / "long.json"
    path.write_text('{"d1": [[0, ' + "9" * 5000 + "]]}", "utf-8")
    code, _, err = shell.run("evaluate", "masks", [FIGURE_3], str(path))
    assert code == 1
    assert "a number in its JSON is too long" in err
