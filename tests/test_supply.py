"""What comes with the program, and what it needs: locked, listed and credited."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
EXTRAS = ("app", "documents", "service")
_DIGEST = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _needed() -> set[str]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = [*project["dependencies"]]
    for extra in EXTRAS:
        lines += project["optional-dependencies"][extra]
    return {_normal(re.split(r"[^\w.-]", line)[0]) for line in lines}


def _locked() -> dict[str, set[str]]:
    versions: dict[str, set[str]] = {}
    for line in (ROOT / "requirements.lock").read_text().splitlines():
        if found := re.match(r"([\w.-]+)==([\w.+!-]+)", line):
            versions.setdefault(_normal(found[1]), set()).add(found[2])
    return versions


def test_the_lock_file_names_each_dependency_with_digests() -> None:
    """Every requirement has its SHA-256, and its first lines say how it was made; `make lock`."""
    text = (ROOT / "requirements.lock").read_text()
    assert _needed() <= set(_locked())
    for block in re.split(
        r"\n(?=\w)", text.partition("\n#    uv pip compile")[2].partition("\n")[2]
    ):
        assert _DIGEST.search(block), block.partition("\n")[0]
    assert "uv pip compile pyproject.toml --extra app" in text
    assert "://" not in text


def test_the_bill_of_materials_names_each_dependency_as_locked() -> None:
    """CycloneDX, with the versions of the lock file; `make lock`."""
    bill = json.loads((ROOT / "sbom.cdx.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    listed = {_normal(item["name"]): item["version"] for item in bill["components"]}
    assert _needed() <= set(listed)
    locked = _locked()
    assert all(version in locked[name] for name, version in listed.items())


def test_the_source_distribution_has_all_that_is_tracked() -> None:
    """But for the script of continuous integration, which runs in a clone."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a clone")
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    always = {".gitignore", "pyproject.toml"}  # By hatchling, unasked.
    absent = {
        name
        for name in (Path(line).parts[0] for line in files.splitlines())
        if name not in always and not any(fnmatch(name, pattern) for pattern in patterns)
    }
    assert absent == {".ci"}


@pytest.mark.parametrize("project", [ROOT, ROOT / "lab"], ids=["tacenda", "tacenda-lab"])
def test_a_distribution_says_where_it_lives(project: Path) -> None:
    """On the page of an index: a description to read, and the addresses."""
    metadata = tomllib.loads((project / "pyproject.toml").read_text())["project"]
    assert (project / metadata["readme"]).is_file()
    assert {"Homepage", "Documentation", "Changelog", "Issues"} <= set(metadata["urls"])


@pytest.mark.parametrize("model", ["ontology-en", "gazetteer-en", "substitutes-en"])
def test_the_notice_credits_each_source_of_shipped_data(model: str) -> None:
    """What a card names as a source, the notice names with its licence."""
    notice = (ROOT / "NOTICE").read_text()
    card = (ROOT / "src" / "tacenda" / "models" / model / "CARD.md").read_text()
    table = re.findall(
        r"^\| ([^|]+) \| [\d,]+ \|", card.partition("From what it was made")[2], re.M
    )
    known = (
        "courts-db|GeoNames|Glottolog|niversity domains list|dariusk/corpora|openfootball clubs|"
        "Party Facts|Research Organization Registry|Standard Occupational Classification|"
        "written for tacenda|Wikidata|WordNet|YAGO43kET"
    )
    for source in table:
        names = re.findall(known, source)
        assert names, source
        assert all(name in notice or name == "written for tacenda" for name in names), source


def test_the_notice_credits_fonts_scripts_and_licences() -> None:
    """Every licence file that is shipped, and each licence that asks to be named."""
    notice = (ROOT / "NOTICE").read_text()
    for path in (ROOT / "src").rglob("*"):
        if re.search(r"LICEN[CS]E$", path.name):
            assert path.name in notice, path
    for licence in ("Attribution 4.0", "CC0 1.0", "Open Government Licence", "DejaVu", "htmx 2"):
        assert licence in notice
