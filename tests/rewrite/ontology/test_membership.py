"""The paper's linking and traversal, over ontologies built from triples of a few items."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.document import SemanticType
from tacenda.errors import InputError
from tacenda.rewrite.ontology import KnowledgeBase, MembershipOntology, open_ontology
from tacenda_lab.train.ontology.hierarchy import WikidataItem
from tacenda_lab.train.ontology.membership import Membership, build_from_triples
from tests.triples import LABELS, wikidata_folder

_DRUMMER = ["percussionist", "instrumentalist", "musician", "artist", "creator", "person"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The ontology of people, countries and nationalities, and that of everything."""
    folder = tmp_path_factory.mktemp("membership")
    triples = wikidata_folder(folder / "triples")
    for name in ("people", "everything"):
        build_from_triples(triples, folder / name, everything=name == "everything")
    return folder / "people", folder / "everything"


def _steps(folder: Path, term: str, type: SemanticType = SemanticType.MISC) -> list[str]:
    return [step.text for step in open_ontology(folder).lookup(term, type)]


def test_a_folder_is_read_by_the_rules_it_was_built_for(folders: tuple[Path, Path]) -> None:
    """The shipped one keeps ours."""
    assert isinstance(open_ontology(folders[0]), MembershipOntology)
    assert type(open_ontology()) is KnowledgeBase


@pytest.mark.parametrize(
    ("term", "steps"),
    [
        ("drummer", _DRUMMER),
        ("mother", ["parent", "first-degree relative", "kin", "person"]),
        ("mum", ["parent", "first-degree relative", "kin", "person"]),
        ("Norway", ["country"]),
        ("Norwegian", ["nationality"]),
        ("norvégien", []),
        ("Oslo", []),
        ("genre", []),
        ("Ringo Starr", []),
    ],
)
def test_people_countries_and_nationalities_come_out_of_the_triples(
    folders: tuple[Path, Path], term: str, steps: list[str]
) -> None:
    """The two lists of section 3.2.2, step by step, though both are instances of something else."""
    assert _steps(folders[0], term) == steps


@pytest.mark.parametrize(
    ("term", "steps"),
    [
        ("Oslo", ["capital city", "city"]),
        ("capital city", ["city"]),
        ("genre", ["creative work"]),
        ("door", ["house"]),
        ("drummer", _DRUMMER),
    ],
)
def test_each_property_leads_up_where_those_before_it_are_missing(
    folders: tuple[Path, Path], term: str, steps: list[str]
) -> None:
    """Table 1: P31 (not P361, which Oslo has too), P279, P8225, P361."""
    assert _steps(folders[1], term) == steps


@pytest.mark.parametrize(
    ("string", "step", "name"),
    [
        ("OSLO", "exact", "oslo"),
        ("Capital City", "exact", "capital city"),
        ("Opera House", "", ""),
        ("Oslo Opera", "contained", "oslo opera house"),
        ("Trondheimm", "approximate", "trondheim"),
        ("Torndheim", "", ""),
        ("rummer", "", ""),
        ("xrummer", "approximate", "drummer"),
        ("Oper", "", ""),
    ],
)
@pytest.mark.parametrize("type", [SemanticType.LOC, SemanticType.ORG, SemanticType.DEM])
def test_linking_is_exact_then_contained_then_within_15_percent(
    folders: tuple[Path, Path], string: str, step: str, name: str, type: SemanticType
) -> None:
    """For every type, single words too: one letter of ten is within, two of nine and one of six aren't; above a top is nothing."""
    link = open_ontology(folders[1]).link(string, type)
    assert ((link.step, link.names) if link else ("", ())) == (step, (name,) if name else ())


@pytest.mark.parametrize("length", [7, 13, 14, 19, 20, 21, 40])
def test_the_edit_distance_is_below_15_percent_of_the_length(tmp_path: Path, length: int) -> None:
    """Of the string that is looked up: of 20 letters 2 may differ, not 3, since 3 are 15 percent."""
    name = "abcdefghijklmnopqrstuvwxyz" * 2
    triples = wikidata_folder(tmp_path / "triples", {"P31": "Q901 Q902", "P279": "Q903 Q904"})
    with gzip.open(triples / "labels.en.tsv.gz", "at", encoding="utf-8") as file:
        file.write(f"\nx1\tQ901\tlabel\t'{name[:length]}'@en\nx2\tQ902\tlabel\t'thing'@en\n")
    build_from_triples(triples, tmp_path / "out", everything=True)
    ontology = open_ontology(tmp_path / "out")
    within = [
        edits
        for edits in range(1, length)
        if ontology.link("0" * edits + name[edits:length], SemanticType.ORG)
    ]
    assert within == [edits for edits in range(1, length) if 100 * edits < 15 * length]


def test_a_step_is_never_the_name_that_was_linked(folders: tuple[Path, Path]) -> None:
    """What a misspelt string is taken for must not be written in its place."""
    knowledge = open_ontology(folders[1])
    link = knowledge.link("capital cityy", SemanticType.LOC)
    assert link is not None
    assert link.names == ("capital city",)
    assert all("capital" not in step.text for step in knowledge.lookup("capital cityy", "LOC"))  # type: ignore[arg-type]


_IDS = [f"Q{number}" for number in range(1, 9)]


@given(
    st.dictionaries(
        st.sampled_from(_IDS),
        st.dictionaries(
            st.sampled_from(["P31", "P279", "P8225", "P361"]),
            st.lists(st.sampled_from([*_IDS, "Q99"]), min_size=1, max_size=2),
        ),
    )
)
def test_the_first_property_that_is_there_is_followed(
    statements: dict[str, dict[str, list[str]]],
) -> None:
    """Without people: the first value with a label of the first property, whatever the graph."""
    items = [
        WikidataItem(id, id, statements={p: tuple(v) for p, v in statements.get(id, {}).items()})
        for id in _IDS
    ]
    membership = Membership(items)
    for id in _IDS:
        values: list[str] = []
        for property in ("P31", "P279", "P8225", "P361"):
            values += statements.get(id, {}).get(property, [])
        labelled = [value for value in values if value in _IDS and value != id]
        assert membership.above(id) == (labelled[0] if labelled else None)


def test_the_way_to_the_top_has_no_limit_and_a_circle_ends_it(tmp_path: Path) -> None:
    """Twenty-four steps are climbed; what is above itself is met once."""
    ids = list(LABELS)[5:]
    ring = ", ".join(f"{a} {b}" for a, b in zip(ids, [*ids[1:], ids[3]], strict=True))
    triples = wikidata_folder(tmp_path / "triples", {"P31": "Q5 Q1", "P279": ring})
    build_from_triples(triples, tmp_path / "out", everything=True)
    assert _steps(tmp_path / "out", LABELS[ids[0]]) == [LABELS[id] for id in ids[1:]]


def test_triples_without_a_term_are_refused(tmp_path: Path) -> None:
    """The message names the folder."""
    triples = wikidata_folder(tmp_path / "triples", {"P31": "Q901 Q902", "P279": "Q903 Q904"})
    with pytest.raises(InputError, match="no term has a class"):
        build_from_triples(triples, tmp_path / "out", everything=True)


def test_the_command_line_builds_and_uses_it(tmp_path: Path) -> None:
    """*generalize* writes a class of the folder that --ontology names."""
    triples, out = wikidata_folder(tmp_path / "triples"), tmp_path / "mine"
    runner = CliRunner()
    built = runner.invoke(
        app, ["lab", "build", "ontology", "--triples", str(triples), "--out", str(out)]
    )
    assert built.exit_code == 0, built.output
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "recognizer: false\nthreshold: 0.2\nresidual_risk: 1.0\nprefer: detail\n"
        "deny: [{exact: drummer, type: DEM}]\nontology: mine\n",
        "utf-8",
    )
    for arguments, written in (((), "percussionist"), (("--ontology", "ontology-en"), "***")):
        run = runner.invoke(
            app,
            ["sanitize", "-", "--policy", str(policy), "--operator", "generalize", *arguments],
            input="She is a drummer.\n",
        )
        assert run.exit_code == 0, run.output
        assert (written in run.stdout) == (arguments == ()), run.stdout
