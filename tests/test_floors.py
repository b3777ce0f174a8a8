"""Floors of coverage."""

from __future__ import annotations

import pytest

from tests.floors import by_package, floors
from tests.test_layout import ROOT, modules

FILES = {"src/a/x.py": (9, 10), "src/a/b/y.py": (97, 100), "src/a/b/z.py": (0, 0)}


def test_a_file_counts_for_the_longest_name() -> None:
    """By hand: nine of ten lines of ``a``, 97 of a hundred of ``a.b``."""
    rows = by_package(FILES, {"a": 90, "a.b": 97})
    assert [(row.package, row.run, row.lines, row.holds) for row in rows] == [
        ("a", 9, 10, True),
        ("a.b", 97, 100, True),
    ]


def test_a_line_too_few_is_below_the_floor() -> None:
    """A floor is not rounded to."""
    (row,) = by_package({"lab/src/a.py": (969, 1000)}, {"a": 97})
    assert not row.holds
    assert str(row).endswith("96.9 %  97  below its floor")


def test_every_file_has_a_floor() -> None:
    """A new package needs one, and a package that is gone has none."""
    files = {path.relative_to(ROOT).as_posix(): (1, 1) for path in modules().values()}
    assert all(row.holds for row in by_package(files, floors()))
    with pytest.raises(LookupError, match=r"src/c\.py belongs to no package"):
        by_package({"src/c.py": (1, 1)}, {"a": 90})
    with pytest.raises(LookupError, match=r"no file belongs to c,"):
        by_package({"src/a.py": (1, 1)}, {"a": 90, "c": 90})
