"""The comparison of printed figures with the page of measurements, on tables that can be checked by eye."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks import compare
from tests.waiting import is_running, until

PAGE = """
## Quality

    python -m benchmarks quality DATA

| corpus | R | P | seconds |
|---|---|---|---|
| `dev` | .952 [.904, .988] | .781 | 12 |
| `test` | .932 | 43 % | 99 |
"""
ROWS = "| corpus | documents | R | P |\n|---|---|---|---|\n"
DEV, TEST = "| dev | 21 | 0.950 [0.903, 0.990] | 0.783 |\n", "| test | 127 | 0.932 | 0.431 |\n"


@pytest.mark.parametrize(
    ("printed", "agreed", "differing", "unprinted"),
    [
        pytest.param(ROWS + DEV + TEST, 4, (), (), id="right within .005"),
        pytest.param(
            ROWS + DEV.replace("783", "787") + TEST,
            3,
            ("`dev`: P .781, printed 0.787",),
            (),
            id="wrong",
        ),
        pytest.param(
            ROWS + DEV.replace(".990", ".970") + TEST,
            3,
            ("`dev`: R .952 [.904, .988], printed 0.950 [0.903, 0.970]",),
            (),
            id="bound",
        ),
        pytest.param(
            ROWS.replace("R | P", "P | R") + DEV + TEST,
            0,
            (
                "`dev`: R .952 [.904, .988], printed 0.783; P .781, printed 0.950 [0.903, 0.990]",
                "`test`: R .932, printed 0.431; P 43 %, printed 0.932",
            ),
            (),
            id="columns swapped",
        ),
        pytest.param(
            ROWS.replace("R | P", "R | p") + DEV + TEST,
            0,
            (),
            ("`dev`: P", "`test`: P"),
            id="a name in another case",
        ),
        pytest.param(
            ROWS.replace("corpus | documents | R | P", "corpus | documents | R | F") + DEV + TEST,
            0,
            (),
            ("`dev`: P", "`test`: P"),
            id="a column of another name",
        ),
        pytest.param(ROWS + DEV, 2, (), ("`test`: no such row",), id="a row is missing"),
        pytest.param(
            f"{'':<12}R       P\n{'dev':<12}.952 [.904, .988]  .781\ntest        .932    .43\n",
            4,
            (),
            (),
            id="columns of text",
        ),
    ],
)
def test_a_figure_is_compared_in_its_row_and_column(
    printed: str, agreed: int, differing: tuple[str, ...], unprinted: tuple[str, ...]
) -> None:
    """By hand: two rows of two figures; seconds are the machine's."""
    (table,) = compare.tables(PAGE)
    assert compare.agreement(table, printed) == compare.Agreement(agreed, differing, unprinted)


def test_a_title_of_asterisks_is_no_first_cell() -> None:
    """``***`` is what is written in place of a mention, and no emphasis."""
    (table,) = compare.tables(
        "## A\n\n    run\n\n| of | **any** | `***` |\n|---|---|---|\n| x | .5 | .1 |\n"
    )
    printed = "of  any   ***\nx   0.50  0.20\n"
    assert compare.agreement(table, printed) == compare.Agreement(
        1, ("x: *** .1, printed 0.20",), ()
    )


def test_rows_with_one_name_are_told_apart_by_their_second_cell() -> None:
    """A row that has more figures in common, but another bound, is not meant."""
    titles = "| corpus | bound | R | P |\n|---|---|---|---|\n"
    page = f"## A\n\n    run\n\n{titles}| dev | .1 | .9 | .7 |\n| dev | .2 | .8 | .6 |\n"
    (table,) = compare.tables(page)
    printed = f"{titles}| dev | .1 | .8 | .6 |\n| dev | .2 | .8 | .6 |\n"
    found = compare.agreement(table, printed)
    assert found.agreed == 4
    assert found.differing == ("dev: R .9, printed .8; P .7, printed .6",)


def test_a_table_belongs_to_the_commands_above_it() -> None:
    """A heading ends them, as do words that say why there are none."""
    rows = "\n| a | b |\n|---|---|\n| x | 1 |\n"
    page = f"## One\n\n    first\n    second  # why\n{rows}\nText.\n\n    third\n{rows}\n*Not run again*: a server.\n{rows}## Two\n{rows}"
    assert [(each.commands, each.reason) for each in compare.tables(page)] == [
        (("first", "second"), ""),
        (("third",), ""),
        ((), "a server."),
        ((), ""),
    ]


RESULTS = Path(compare.__file__).with_name("RESULTS.md").read_text("utf-8")


def test_every_table_has_a_command_or_says_why_not() -> None:
    """On the page itself; and a command names files of the data folder, not of a folder of somebody's."""
    every = list(compare.tables(RESULTS))
    assert len(every) > 80
    assert [each.section for each in every if not each.commands and not each.reason] == []
    commands = {command for each in every for command in each.commands}
    assert [each for each in commands if "…" in each or "[" in each or "GOLD" in each] == []
    words = {word for each in commands for word in re.split(r"[\s/:=]+", each)}
    unknown = {word for word in words if re.fullmatch(r"[A-Z]+", word)} - {"DATA"}
    assert {word for word in unknown if not compare._PLACEHOLDER.fullmatch(word)} == set()


FEATURES = "| feature | here |\n|---|---|\n| {name} | as in the paper; {here} |\n"


@pytest.mark.parametrize(
    ("here", "missing"),
    [
        pytest.param(".95 (.87); Quality", [], id="rounded, and the paper's left out"),
        pytest.param(".953; Quality", [0.953], id="more places than there are"),
        pytest.param("78 %; tab", [0.78], id="of another section"),
        pytest.param(".2; tab; P .781; Quality. Of 5 files", [], id="each part in its own section"),
        pytest.param("20.0 % and .952; tab, Quality", [], id="of two sections"),
        pytest.param(".123", [], id="of no section"),
    ],
)
def test_a_feature_has_its_figures_in_the_section_it_names(here: str, missing: list[float]) -> None:
    """A paper's name is the section of its reproduction; what is rounded there and here is the same figure."""
    results = PAGE + "\n### Reproduction of tab\n\nA share of .200.\n"
    faults = compare.page_faults(results, FEATURES.format(name="f", here=here), {})
    assert faults == [f"papers.md: f: {missing} not in {named!r}" for named in _sections(faults)]
    assert bool(faults) == bool(missing)


def _sections(faults: list[str]) -> list[str]:
    return [fault.rpartition("not in ")[2].strip("'") for fault in faults]


@pytest.mark.parametrize(
    ("row", "stands"),
    [("| a | .952 | .781 | 12 |", True), ("| a | .952 | .932 | 12 |", False), ("| a | .5 |", True)],
)
def test_a_row_of_another_page_stands_in_one_row(row: str, stands: bool) -> None:
    """Each of its figures somewhere on the page is not enough; a row of fewer than three is not looked for."""
    faults = compare.page_faults(PAGE, "", {"README.md": row})
    assert faults == ([] if stands else [f"README.md: {row}"])


def test_other_pages_print_the_figures_of_this_one() -> None:
    """README, the comparison and the page of the papers, as they are."""
    pages = {page.name: page.read_text("utf-8") for page in compare._PAGES}
    papers = compare._PAPERS.read_text("utf-8")
    assert len(list(compare.named_figures(papers, compare.sections(RESULTS)))) > 70
    assert compare.page_faults(RESULTS, papers, pages) == []


def _ran(page: str, folder: Path, longest: float = 1) -> tuple[list[str], list[bool | None]]:
    options = Namespace(only=[""], longest=longest, list=False)
    return compare.PageRun(options, {}, str(folder)).section(list(compare.tables(page)))


TABLE = "\n| a | b |\n|---|---|\n| x | 1 |\n\n"
PRINTED = r"    printf '| a | b |\n| x | 1 |\n'; echo once >> ran"


def test_what_hangs_is_ended_and_what_fails_is_named(tmp_path: Path) -> None:
    """With its processes; both are faults, and later tables are still compared. Here a minute has a fifth of a second."""
    page = f"## A\n\n    echo $$ >> ids; sleep 60 & echo $! >> ids; wait\n{TABLE}Text.\n\n{PRINTED}\n{TABLE}Text.\n\n    echo no >&2; exit 3\n{TABLE}"
    lines, verdicts = _ran(page, tmp_path, longest=0.003)
    assert verdicts == [False, True, False]
    assert "  failed: was ended after 1.8 seconds" in lines
    assert lines[-1] == "  failed: no"
    ids = (tmp_path / "ids").read_text().split()
    until(lambda: not any(map(is_running, ids)))


def test_what_runs_is_chosen_by_what_it_takes(tmp_path: Path) -> None:
    """The minutes are in the comments of its commands; other numbers there, and other commands, are none of it."""
    page = (
        f"## A\n\n    touch late  # 4 documents, 12 minutes\n    true\n{TABLE}Text.\n\n"
        f"{PRINTED}  # two of 9 rows\n{TABLE}"
    )
    lines, verdicts = _ran(page, tmp_path)
    assert verdicts == [None, True]
    assert "  not run: takes 12 minutes of a core: --longest 12" in lines
    assert not (tmp_path / "late").exists()
    assert _ran(page, tmp_path, longest=12)[1] == [False, True]


def test_a_pipeline_that_is_not_installed_is_a_need(tmp_path: Path) -> None:
    """The table isn't compared with half of its rows."""
    lines, verdicts = _ran(f"## A\n\n    run --spacy-model xx_core_none_md\n{TABLE}", tmp_path)
    assert (verdicts, lines[-1]) == ([None], "  not run: needs xx_core_none_md")


def test_a_command_of_two_tables_runs_once(tmp_path: Path) -> None:
    """Of two sections, too."""
    options = Namespace(only=[""], longest=1, list=False)
    run = compare.PageRun(options, {}, str(tmp_path))
    for section in "AB":
        assert run.section(list(compare.tables(f"## {section}\n\n{PRINTED}\n{TABLE}")))[1] == [True]
    assert (tmp_path / "ran").read_text() == "once\n"


def test_a_row_of_just_that_name_comes_before_longer_ones() -> None:
    """*A* isn't *A and B*, whatever their figures; where there is no *A*, all words of it are enough."""
    (table,) = compare.tables("## S\n\n    run\n\n| | P |\n|---|---|\n| a | .5 |\n")
    longer = "| | P |\n|---|---|\n| a and b | .5 |\n"
    assert compare.agreement(table, longer).agreed == 1
    assert compare.agreement(table, f"{longer}| a | .2 |\n").differing == ("a: P .5, printed .2",)
