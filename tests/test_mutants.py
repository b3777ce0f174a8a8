"""The mutants of ``mutants.py`` are still faults of the code that there is."""

from __future__ import annotations

from pathlib import Path

from tests.examples import for_each

from .mutants import MUTANTS, PACKAGE, ROOT, Mutant


@for_each("mutant", MUTANTS)
def test_a_mutant_has_its_line(mutant: Mutant) -> None:
    """What it changes stands once in the file, and its tests are there."""
    assert (PACKAGE / mutant.path).read_text("utf-8").count(mutant.right) == 1
    assert all((ROOT / "tests" / name).exists() for name in mutant.tests.split())


def test_a_mutant_leaves_the_original(tmp_path: Path) -> None:
    """It is written to a file of its own, though the copy was a link."""
    mutant = MUTANTS[0]
    code = (PACKAGE / mutant.path).read_text("utf-8")
    original, copy = tmp_path / "original.py", tmp_path / mutant.path
    original.write_text(code, "utf-8")
    copy.parent.mkdir()
    copy.hardlink_to(original)
    mutant.put_into(tmp_path)
    assert original.read_text("utf-8") == code
    assert mutant.wrong in copy.read_text("utf-8")
