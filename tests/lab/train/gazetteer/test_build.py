"""Candidates become terms, terms become a folder that loads."""

from __future__ import annotations

import bz2
import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from tacenda.detect.gazetteer import Gazetteer
from tacenda.models.tables import load_terms
from tacenda_lab.train.gazetteer import compile_terms, write_terms
from tacenda_lab.train.gazetteer_sources import FILES, TermCandidate

from .test_sources import dump


def _terms(*terms: str, group: str = "occupation") -> list[str]:
    return list(compile_terms(TermCandidate(term, group, "wikidata") for term in terms).groups)


@pytest.mark.parametrize(
    ("written", "term"),
    [
        ("Ship's Cook", "ship s cook"),
        ("café owner", "cafe owner"),
        ("cook (profession)", "cook"),
        ("cook, retired", "cook"),
        ("MEP", "MEP"),  # capitals are kept: the text must have them
        ("COVID-19", "covid 19"),
    ],
)
def test_terms_are_normalised(written: str, term: str) -> None:
    """Folded, words with one space between, without what a label adds to be unique."""
    assert _terms(written) == [term]


@pytest.mark.parametrize(
    "written",
    ["office", "offices", "it", "IT", "of", "no one", "19th century", "山羊", "a b", "x1", "x" + " y" * 8],
)  # fmt: skip
def test_words_of_every_text_are_no_terms(written: str) -> None:
    """Stop words, function words, numbers, other scripts, descriptions."""
    assert _terms(written) == []


def test_titles_of_works_must_be_recognisable() -> None:
    """Three words, two of them with a capital."""
    assert _terms("The Third Man", "Jaws", "out of sight", group="work") == ["the third man"]


def test_the_first_group_has_the_term_that_two_claim() -> None:
    """In the order of the groups, whichever source came first."""
    compiled = compile_terms(
        [
            TermCandidate("Basque", "language", "wikidata"),
            TermCandidate("basque", "nationality", "lists"),
        ]
    )
    assert compiled.groups == {"basque": "nationality"}
    assert compiled.origins == {"basque": "wikidata"}


def test_rare_values_of_wikidata_are_left_out() -> None:
    """Other sources do not count people, and theirs stay."""
    rare = [TermCandidate("cooper", "occupation", "wikidata", 1), TermCandidate("baker", "occupation", "lists")]  # fmt: skip
    assert list(compile_terms(rare, least_uses=2).groups) == ["baker"]


def test_one_build_always_gives_the_same_bytes(tmp_path: Path) -> None:
    """No time and no order of the sources is in the file."""
    terms = {"baker": "occupation", "cooper": "occupation", "sciatica": "health"}
    first = write_terms(terms, tmp_path).read_bytes()
    assert write_terms(terms, tmp_path).read_bytes() == first


def _sources(folder: Path) -> list[str]:
    """Write the smallest word lists and WordNet there can be; return the options for them."""
    for name in FILES:
        path = folder / "lists" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[]", encoding="utf-8")
    from tacenda_lab.train.gazetteer_sources import _PLACES, ROOTS

    roots = {root for group in ROOTS.values() for root in group} | set(_PLACES)
    highest = {lemma: max(n for other, n in roots if other == lemma) for lemma, _ in roots}
    (folder / "dict").mkdir()
    nouns, index, offset = ["  1 A licence."], [], 0
    for lemma, senses in sorted(highest.items()):
        offsets = []
        for _ in range(senses):
            offset += 1
            offsets.append(f"{offset:08}")
            nouns.append(f"{offset:08} 18 n 01 {lemma} 0 000 | gloss")
        index.append(f"{lemma} n {senses} 0 {senses} 0 {' '.join(offsets)}")
    (folder / "dict/data.noun").write_text("\n".join(nouns) + "\n", encoding="utf-8")
    (folder / "dict/index.noun").write_text("\n".join(index) + "\n", encoding="utf-8")
    (folder / "dict/data.adj").write_text("", encoding="utf-8")
    return ["--lists", str(folder / "lists"), "--wordnet", str(folder / "dict")]


@pytest.mark.parametrize("packing", ["json", "json.gz", "json.bz2", "-"])
def test_the_command_builds_from_a_dump_in_any_packing(tmp_path: Path, packing: str) -> None:
    """Plain, gzip, bzip2 or stdin; the folder it writes loads, and finds what people are."""
    text = "".join(dump())
    path = tmp_path / f"dump.{packing}"
    pack = {"json.gz": gzip.compress, "json.bz2": bz2.compress}.get(packing, bytes)
    if packing != "-":
        path.write_bytes(pack(text.encode()))
    out = tmp_path / "gazetteer-test"
    command = [sys.executable, "-m", "tacenda", "lab", "build", "gazetteer"]
    options = ["--dump", "-" if packing == "-" else str(path), "--out", str(out), "--least-uses", "2"]  # fmt: skip
    done = subprocess.run(
        [*command, *options, *_sources(tmp_path)], input=text, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, f"{out}\n"), done.stderr
    tags = Gazetteer.load(out).tag("He was a lamplighter and a Ruritanian.")
    assert [tag.kind for tag in tags] == ["person_said"]  # one person only is a Ruritanian
    assert "Wikidata dump" in (out / "CARD.md").read_text(encoding="utf-8")
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == [
        "dict", "gazetteer-test", "lists",
    ]  # fmt: skip


def test_without_lists_and_wordnet_the_terms_are_the_values_alone(tmp_path: Path) -> None:
    """As in the paper, those of one person too; nothing else is a term."""
    dump_file, out = tmp_path / "dump.json", tmp_path / "values"
    dump_file.write_text("".join(dump()), encoding="utf-8")
    command = [sys.executable, "-m", "tacenda", "lab", "build", "gazetteer", "--out", str(out)]
    done = subprocess.run(
        [*command, "--dump", str(dump_file), "--least-uses", "1"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    terms = load_terms(out)
    assert {group: list(names) for group, names in terms.items() if names} == {
        "nationality": ["ruritanian"],
        "occupation": ["lamp lighter", "lamplighter"],
        "degree": ["master of letters"],
    }
    assert not (out / "WORDNET-LICENCE").exists()
    assert "WordNet licence" not in (out / "CARD.md").read_text("utf-8")


def test_slice_and_dump_together_are_a_wrong_usage(tmp_path: Path) -> None:
    """Exit code 2, and the way out."""
    command = [sys.executable, "-m", "tacenda", "lab", "build", "gazetteer"]
    options = ["--out", str(tmp_path / "out"), *_sources(tmp_path)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "either --slice or --dump" in done.stderr


def test_a_damaged_dump_is_a_fault_of_the_data(tmp_path: Path) -> None:
    """Exit code 1, and no traceback."""
    (tmp_path / "dump.json.gz").write_bytes(b"no gzip")
    command = [sys.executable, "-m", "tacenda", "lab", "build", "gazetteer"]
    options = ["--dump", str(tmp_path / "dump.json.gz"), "--out", str(tmp_path / "out")]
    done = subprocess.run(
        [*command, *options, *_sources(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "give a JSON dump" in done.stderr
    assert "Traceback" not in done.stderr
