"""The tables of the papers are made from files of the released forms, and what is missing is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tacenda.background.people import People
from tacenda.background.profiles import Person
from tacenda.document import IdentifierType, Span
from tacenda.errors import InputError
from tacenda.evaluate.composition import relations_by_type
from tacenda.evaluate.gold import GoldMention
from tacenda.models.checkpoint import DEVICE_VARIABLE
from tacenda.models.session import ENGINE_VARIABLE
from tacenda.pipeline import load
from tacenda.reidentify.attackers.base import Attacker
from tacenda.reidentify.attackers.lexical import Bm25
from tacenda_lab.cli import reproduce
from tacenda_lab.reproduce import ablation, arena, benchmark, toy
from tacenda_lab.reproduce.means import Means
from tacenda_lab.reproduce.tables import NotHere
from tacenda_lab.reproduce.workbench import Workbench
from tacenda_lab.train.pairs import ProfiledText, read_pairs
from tacenda_lab.train.recipes import AttackerRecipe

app = typer.Typer()
app.command()(reproduce)


def run(*arguments: str) -> tuple[int, str]:
    """Return exit code and output of the command."""
    result = CliRunner().invoke(app, [*arguments])
    return result.exit_code, result.output


@pytest.fixture(scope="module", autouse=True)
def packages() -> None:
    """Skip where a package is missing."""
    for package in ("transformers", "presidio_analyzer", "pandas"):
        pytest.importorskip(package, reason=f"needs {package}")


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each recognizer choose its engine, on the processor."""
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)
    monkeypatch.setenv(DEVICE_VARIABLE, "cpu")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of small files as they are released."""
    folder = tmp_path_factory.mktemp("released")
    toy.write(folder)
    return folder


@pytest.fixture(scope="module")
def toy_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[int, str, Path]]:
    """Return exit code, output and folder of a paper's run on toy data; each paper runs once."""

    @cache
    def made(paper: str) -> tuple[int, str, Path]:
        out = tmp_path_factory.mktemp(paper) / "out"
        return *run(paper, "--toy", "--out", str(out)), out

    return made


PAPERS = ("tab", "explicit-measures", "deidentification", "replacement", "indicators")


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_of_a_paper_is_made_of_toy_data(
    paper: str, toy_run: Callable[[str], tuple[int, str, Path]]
) -> None:
    """Nothing is missing but a predictor of AutoGluon's, each table has its figures, each figure is drawn twice."""
    code, output, out = toy_run(paper)
    missing = [line.partition(":")[0] for line in output.splitlines() if ": missing:" in line]
    assert missing == (["Appendix D, base models of AutoML"] if paper == "indicators" else []), (
        output
    )
    assert code == bool(missing)
    tables = [json.loads(path.read_text()) for path in out.glob("*.json")]
    assert all(any(cell is not None for cell in row) for t in tables for row in t["ours"].values())
    page = (out / "report.md").read_text()
    assert "the figures mean nothing" in page
    for name in page.split("](")[1:]:
        picture = out / name.partition(")")[0]
        assert picture.is_file()
        assert picture.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("number", "paper"), [(f"{n:03}", paper) for n, paper in enumerate(PAPERS)]
)
def test_a_paper_has_a_number_too(number: str, paper: str) -> None:
    """It names the same tables."""
    code, tables = run(paper, "--toy", "--only", "Table 99")
    assert (code, tables) == run(number, "--toy", "--only", "Table 99")
    assert code == 2


def test_the_papers_ensemble_is_trained_of_toy_encoders(
    toy_run: Callable[[str], tuple[int, str, Path]],
) -> None:
    """Each encoder of texts with each of profiles, beside BM25; the last pair guides, and each part of learning has its row."""
    code, output, out = toy_run("deidentification")
    assert code == 0, output
    pairs = [
        f"{text} + {profile}" for text in ("roberta", "bert") for profile in ("roberta", "tapas")
    ]
    crossed = table(out, "section-8-3")
    assert list(crossed)[::2] == [f"{name}, K = 1" for name in ("bm25", *pairs)]
    assert [crossed[f"{name}, K = 1"][place] for place, name in enumerate(pairs, 1)] == [0] * 4
    levels = json.loads((out / "table-2.json").read_text())
    assert set(levels["paper"]) <= set(levels["ours"])  # So that each stands beside ours.
    rows = table(out, "table-3")
    assert (len(rows), *list(rows)[:2]) == (7, "baseline", "+ word dropout")
    assert {len(row) for row in rows.values()} == {2}
    families = {
        json.loads(path.read_text())["model_type"]
        for path in (out / "work").glob("attacker-*/attacker/profile/config.json")
    }
    assert families == {"roberta", "tapas"}


def test_tables_of_the_corpus_count_what_is_in_the_files(data: Path, tmp_path: Path) -> None:
    """By hand: 8 + 4 + 4 judgments, three annotators of the last eight, eleven mentions each."""
    made = {each.name: each.make for each in benchmark.EXPERIMENTS}
    workbench = Workbench(data, tmp_path)
    assert made["Table 1"](workbench).ours == {
        "train": (8, 8, 0, 1.0),
        "dev": (4, 12, 4, 3.0),
        "test": (4, 12, 4, 3.0),
    }
    types = made["Table 3"](workbench).ours
    assert types["all"][0] == 32 * 11
    # The third annotator calls the court of each judgment a place.
    assert (types["ORG"][0], types["LOC"][0]) == (32 - 8, 32 + 8)
    assert made["Figure 6"](workbench).ours == {"LOC / ORG": (8,)}
    assert made["Table 10"](workbench).ours["LOC"] == (0, 0, 8, "0.0", "0.0", "100.0")


def test_what_is_missing_is_said_in_its_place(data: Path, tmp_path: Path) -> None:
    """A folder without the test split, replacements, or models: one line each, and the rest is made."""
    few = tmp_path / "few"
    few.mkdir()
    (few / "echr_train.json").write_bytes((data / "echr_train.json").read_bytes())
    out = tmp_path / "out"
    code, output = run(
        "tab", "--data", str(few), "--out", str(out), "--only", "Table 6", "--only", "Table 3"
    )
    assert code == 1
    assert "Table 6, baselines: missing: echr_test.json" in output
    assert "Table 3, mentions by semantic type: done" in output
    assert "Missing: echr_test.json" in (out / "report.md").read_text()
    code, output = run("replacement", "--data", str(few), "--out", str(out))
    assert code == 1
    assert output.count("wiki_replace.json") == 5
    assert "Figure 1, where replacement options come from: not here: a drawing" in output
    assert "Not here: a drawing" in (out / "report.md").read_text()


@pytest.mark.parametrize("name", ["wiki_replace.json", "wikireplace.json"])
def test_replacements_have_the_name_of_their_authors_or_of_the_paper(
    name: str, data: Path, tmp_path: Path
) -> None:
    """By hand: of seven spans in each of four texts three people chose, all the first option for the name, one `***` for the others."""
    (tmp_path / name).write_bytes((data / "wikireplace.json").read_bytes())
    code, output = run(
        "replacement", "--data", str(tmp_path), "--out", str(tmp_path / "o"), "--only", "Table 2"
    )
    assert code == 0, output
    assert table(tmp_path / "o", "table-2")["all"] == [60, 0, 0, 24]


@pytest.mark.parametrize(
    ("profiles", "judges"),
    [(("x",), ("bm25", "bayes")), (("x", "y"), ("bm25", "t + x"))],
)
def test_an_encoder_that_guides_has_two_judges(
    profiles: tuple[str, ...],
    judges: tuple[str, ...],
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Beside BM25 another pair of encoders, as in the paper, or without one another attacker by words."""

    def trained(_: Workbench, recipe: AttackerRecipe, __: Path, people: People) -> Attacker:
        attacker = Bm25(people)
        attacker.name = f"{recipe.text} + {recipe.profile}"
        return attacker

    monkeypatch.setattr(arena, "train_attacker", trained)
    means = Means(text_encoders=("t",), profile_encoders=profiles)
    opened = arena.open_arena(Workbench(data, tmp_path, means))
    assert opened.judges == judges
    assert opened.guide.name == f"t + {profiles[-1]}"


def test_what_nothing_brings_is_no_failure(data: Path, tmp_path: Path) -> None:
    """A line says why, and the run ends well."""
    code, output = run(
        "tab", "--data", str(data), "--out", str(tmp_path / "out"), "--only", "Figure 1"
    )
    assert code == 0
    assert "Figure 1, the annotation interface: not here: a picture" in output


def test_relations_are_counted_by_type() -> None:
    """By hand: a pair that both ends name is one, and has the type of the first of them."""
    mentions = [
        GoldMention(Span(0, 1), "ORG", IdentifierType.QUASI, id="a", related=("b",)),
        GoldMention(Span(2, 3), "LOC", IdentifierType.QUASI, id="b", related=("a",)),
        GoldMention(Span(4, 5), "PERSON", IdentifierType.QUASI, id="c", related=("a",)),
    ]
    assert relations_by_type(mentions) == {"ORG": 1, "PERSON": 1}


def test_the_shipped_policy_stands_apart_from_what_is_out_of_domain(
    data: Path, tmp_path: Path
) -> None:
    """Table 9 has no row of it, and is missing without a system that saw no biography."""
    made = {each.name: each.make for each in benchmark.EXPERIMENTS}
    workbench = Workbench(data, tmp_path)
    with pytest.raises(NotHere, match="--encoder"):
        made["Table 9"](workbench)
    beside = made["Beside Table 9"](workbench)
    assert set(beside.ours) == {"tacenda as shipped"}
    assert "In domain" in beside.notes[0]


def test_the_shipped_policy_is_the_default_of_the_commands(data: Path, tmp_path: Path) -> None:
    """It masks what `tacenda sanitize` masks without a policy."""
    workbench = Workbench(data, tmp_path)
    sanitizer = load("default")
    for document in workbench.gold("dev"):
        spans = sorted(each.original for each in sanitizer.sanitize(document.text).replacements)
        assert sorted(workbench.masks("tacenda", "dev")[document.id]) == spans


def test_several_seeds_have_mean_and_interval(tmp_path: Path) -> None:
    """Beside the best one's figures, in Tables 7 and 8."""
    code, output = run(
        "tab", "--toy", "--seeds", "2", "--only", "Table 8", "--out", str(tmp_path / "out")
    )
    assert code == 0, output
    rows = table(tmp_path / "out", "table-8")
    assert set(rows) == {
        f"fine-tuned, {split}{which}"
        for split in ("dev", "test")
        for which in ("", ", mean of 2 seeds", ", 95 % interval ±")
    }
    best, mean = rows["fine-tuned, dev"], rows["fine-tuned, dev, mean of 2 seeds"]
    interval = rows["fine-tuned, dev, 95 % interval ±"]
    # Two runs lie on both sides of their mean; Student's t of one degree of freedom is 12.7062.
    for one, middle, half in zip(best, mean, interval, strict=True):
        assert half == pytest.approx(12.7062 * abs(one - middle), abs=1e-3)


def test_a_second_run_takes_over_what_is_there(data: Path, tmp_path: Path) -> None:
    """The table of the same files stays as it is; that of another file is made anew."""
    out = tmp_path / "out"
    options = ("tab", "--data", str(data), "--out", str(out), "--only", "Table 1")
    assert run(*options)[0] == 0
    table = out / "table-1.json"
    table.write_text(table.read_text().replace('"splits"', '"taken over"'))
    assert run(*options)[0] == 0
    assert "taken over" in table.read_text()
    (data / "echr_test.json").write_text((data / "echr_test.json").read_text() + "\n")
    assert run(*options)[0] == 0
    assert "taken over" not in table.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("007", "--toy"), "must be one of tab, explicit-measures"),
        (("tab",), "give either --data or --toy"),
        (("tab", "--toy", "--only", "Table 99"), "none of these is in the paper"),
    ],
)
def test_bad_usage_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    """It names what there is."""
    code, output = run(*arguments)
    assert code == 2
    assert message in " ".join(output.replace("│", " ").split())


def test_wikibio_is_read_as_it_is_released(tmp_path: Path) -> None:
    """Words of a field are joined, empty fields and boxes without a name are left out, sentences are counted."""
    (tmp_path / "test.box").write_text(
        "name_1:walter\tname_2:extra\timage:<none>\tborn_1:1954\tarticle_title_1:walter\n"
        "image:<none>\n"
        "article_title_1:ada\tarticle_title_2:byron\n"
    )
    (tmp_path / "test.nb").write_text("2\n1\n0\n")
    (tmp_path / "test.sent").write_text("walter is a hitter .\nhe retired .\nnobody .\n")
    first, second = read_pairs(tmp_path / "test.box")
    assert (first.person.name, first.person.profile) == (
        "walter extra",
        (("born", "1954"), ("article_title", "walter")),
    )
    assert first.text == "walter is a hitter . he retired ."
    assert (second.person.name, second.text) == ("ada byron", None)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("pairs.jsonl", '{"id": "a"}\n', "pairs.jsonl:1: needs id and name"),
        ("pairs.jsonl", "\nno json\n", "pairs.jsonl:2: the line is not one JSON"),
        ("pairs.csv", "id,text\na,b\n", "pairs.csv:2: needs id and name"),
        (
            "pairs.jsonl",
            '{"id": "a", "name": "b", "text": 3}\n',
            "pairs.jsonl:1: text must be a string",
        ),
        ("pairs.csv", 'id,name\n"a\nb",c\na,b,c\n', "pairs.csv:4: the row and the header"),
        ("pairs.txt", "id\tname\n", "convert the file"),
        ("test.box", "name_1:ada\n", "needs test.nb beside it"),
    ],
)
def test_bad_pairs_are_named(tmp_path: Path, name: str, content: str, message: str) -> None:
    """By file and line."""
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        list(read_pairs(tmp_path / name))


def table(out: Path, name: str) -> dict[str, list[float]]:
    """The rows of a table of a run."""
    ours: dict[str, list[float]] = json.loads((out / f"{name}.json").read_text())["ours"]
    return ours


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pairs.csv", "id,name,town,text\r\na,Ann,Oslo,She sued.\r\n"),
        ("pairs.jsonl", '{"id": "a", "name": "Ann", "town": "Oslo", "text": "She sued."}\n\n'),
    ],
)
def test_pairs_are_read_as_spreadsheets_write_them(tmp_path: Path, name: str, content: str) -> None:
    """A mark before the first letter belongs to no name, and an empty line is no pair."""
    (tmp_path / name).write_text(content, "utf-8-sig")
    (pair,) = read_pairs(tmp_path / name)
    assert pair == ProfiledText(Person("a", "Ann", (("town", "Oslo"),)), "She sued.")


def test_any_pairs_are_attacked_by_any_attackers(data: Path, tmp_path: Path) -> None:
    """The tables have the attackers that were named; the guide hides everybody from itself, and a beam masks no more."""
    out = tmp_path / "out"
    call = ("deidentification", "--pairs", str(data / "pairs_test.jsonl"), "--out", str(out))
    attackers = ("--attacker", "bm25", "--attacker", "ngrams", "--attacker", "bayes")
    code, output = run(*call, *attackers, "--guide", "ngrams")
    assert code == 1, output
    assert output.count(": missing:") == 1
    assert "Table 3, ablation of the attacker: missing: --text-encoder and" in output
    assert set(table(out, "table-1")) == {"bm25", "ngrams", "bayes", "words masked"}
    assert set(table(out, "figure-3")) == {"bm25", "bayes"}
    crossed = table(out, "section-8-3")
    assert set(crossed) == {
        f"{name}, K = {k}" for name in ("bm25", "ngrams", "bayes") for k in (1, 8)
    }
    for place, name in enumerate(("bm25", "ngrams", "bayes")):
        assert crossed[f"{name}, K = 1"][place] == 0
        assert crossed[f"{name}, K = 8"][-1] >= crossed[f"{name}, K = 1"][-1]
    beams = table(out, "appendix-b")
    assert set(beams) == {
        f"{method}{name}" for method in ("", "our search, ") for name in ("greedy", "beam, width 4")
    }
    assert beams["greedy"][0] == crossed["ngrams, K = 1"][-1]
    methods = {name.removeprefix("**< 5%** ") for name in table(out, "table-2") if "5%" in name}
    assert {"Algorithm 1", "our search", "IDF"} <= methods
    curves = table(out, "figure-2")
    assert {"Algorithm 1, ngrams, 1", "our search, ngrams, 1"} <= set(curves)
    assert curves["Algorithm 1, ngrams, 1"][0] == pytest.approx(crossed["ngrams, K = 1"][-1])
    stores = list((out / "work").glob("people-*.db"))
    assert len(stores) == 1
    assert run(*call, *attackers[:4], "--only", "Table 1")[0] == 0
    assert set(table(out, "table-1")) == {"bm25", "ngrams", "words masked"}
    assert list((out / "work").glob("people-*.db")) == stores


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tab", "--toy", "--guide", "bm25"), "is only for deidentification"),
        (
            ("tab", "--toy", "--indicator", "span:x"),
            "is only for explicit-measures and indicators",
        ),
        (("replacement", "--toy", "--encoder", "x"), "is only for tab and explicit-measures and"),
        (("indicators", "--toy", "--indicator", "lanugage:x"), "'lanugage:x' must be KIND:FOLDER"),
        (("indicators", "--toy", "--indicator", "span"), "'span' must be KIND:FOLDER"),
        (("tab", "--toy", "--text-encoder", "x"), "is only for deidentification"),
        (("deidentification", "--toy", "--text-encoder", "x"), "goes with --profile-encoder"),
        (("deidentification", "--toy", "--pairs", "{pairs}"), "give either --data or --toy"),
    ],
)
def test_what_a_paper_would_not_use_is_refused(
    arguments: tuple[str, ...], message: str, data: Path, tmp_path: Path
) -> None:
    """Pairs where nobody is attacked, and an indicator whose name stands for none."""
    call = [argument.format(pairs=data / "pairs_test.jsonl") for argument in arguments]
    code, output = run(*call, "--out", str(tmp_path))
    assert code == 2
    assert message in " ".join(output.replace("│", " ").split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--attacker", "bm25"), "name two or more"),
        (("--attacker", "bm25", "--attacker", "bm25"), "each once"),
        (("--attacker", "bm25", "--attacker", "bayes", "--guide", "x"), "'x' must be one of"),
        (("--attacker", "bm25", "--attacker", "nobody"), "unknown attacker 'nobody'"),
    ],
)
def test_attackers_must_be_some(
    options: tuple[str, ...], message: str, data: Path, tmp_path: Path
) -> None:
    """One guides and the others judge."""
    call = [
        "deidentification",
        "--pairs",
        str(data / "pairs_test.jsonl"),
        "--out",
        str(tmp_path),
        *options,
    ]
    with pytest.raises(InputError, match=message):
        CliRunner().invoke(app, call, catch_exceptions=False)


def test_learning_needs_pairs_to_learn_from(data: Path, tmp_path: Path) -> None:
    """The attacker that learns has nothing without training pairs, and says so in its place."""
    pairs = ("deidentification", "--pairs", str(data / "pairs_test.jsonl"), "--out", str(tmp_path))
    only = ("--only", "Table 1", "--attacker", "bm25", "--attacker", "translation")
    code, output = run(*pairs, *only)
    assert (code, "no word is in 5 of 0 pairs" in output) == (1, True), output
    code, output = run(*pairs, *only, "--train-pairs", str(data / "pairs_train.jsonl"))
    assert code == 0, output
    assert set(table(tmp_path, "table-1")) == {"bm25", "translation", "words masked"}


def test_the_ablation_learns_from_a_tenth(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every tenth pair of a large file, as it was; a small file stays whole."""
    source = data / "pairs_train.jsonl"
    assert ablation._tenth(source, tmp_path / "few") == source
    monkeypatch.setattr(ablation, "_MIN_SAMPLED_PAIRS", 60)
    tenth = list(read_pairs(ablation._tenth(source, tmp_path / "many")))
    assert tenth == list(read_pairs(source))[::10]


def test_redactions_are_shown_with_whom_the_guide_names(data: Path, tmp_path: Path) -> None:
    """Those it names right come first; Algorithm 1 masks one word at least of each."""
    pairs = str(data / "pairs_test.jsonl")
    only = ("--only", "Table 4", "--only", "Table 5")
    attackers = ("--attacker", "bm25", "--attacker", "bayes")
    code, output = run(
        "deidentification", "--pairs", pairs, "--out", str(tmp_path), *only, *attackers
    )
    assert code == 0, output
    names = {pair.person.id: pair.person.name for pair in read_pairs(Path(pairs))}
    rows = [row for _, row in sorted(table(tmp_path, "table-4").items())]
    assert len(rows) == 9
    for before, _, text in rows:
        assert str(before).rpartition(" (")[0] in names.values()
        assert "***" in str(text)
    nearly = table(tmp_path, "table-5")
    assert "of 12 documents" in str(nearly["found by any judge, by one of the masks"][0])


@pytest.mark.parametrize(
    "means",
    [
        lambda model: Means(encoder=model),
        lambda model: Means(lm=f"hf:{model}"),
        lambda model: Means(attackers=(f"encoder:{model}",)),
        lambda model: Means(text_encoders=(model,), profile_encoders=("table",)),
    ],
)
def test_tables_of_a_model_that_was_trained_anew_are_made_anew(
    tmp_path: Path, means: Callable[[str], Means]
) -> None:
    """A folder of the same name is another model when its files are others."""
    weights = tmp_path / "model" / "weights"
    weights.parent.mkdir()
    weights.write_bytes(b"1")
    workbench = Workbench(tmp_path, tmp_path / "work", means(str(weights.parent)))
    before = workbench.fingerprint()
    assert workbench.fingerprint() == before
    weights.write_bytes(b"22")
    assert workbench.fingerprint() != before
