"""Recipe of the population tables: one row an adult of the joint table, one row a county of the marginals.

Sources: UCI Adult (32,561 adults of the Current Population Survey of 1994 with weights; CC BY 4.0) and the American
Community Survey by county (public domain), both as they lie in the data folder.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacenda.reidentify.population.estimate import (
    BIRTHPLACES,
    COUNTS,
    EDUCATIONS,
    MARITAL,
    OCCUPATIONS,
    RACES,
    ROWS,
)

from .tables import load_tables

_ADULT, _COUNTIES = "adult_1994.csv.gz", "us_county_demographics.csv.gz"
_PUERTO_RICO = 72
_TABLES = load_tables("population")


def build(data: Path, target: Path) -> None:
    """Write the tables.

    Args:
        data: the data folder.
        target: the file.
    """
    counties = list(_counties(data / "population"))
    arrays: dict[str, Any] = {
        **_adults(data / "population" / _ADULT),
        "places": np.array([name for name, _ in counties]),
        **{name: np.array([row[name] for _, row in counties], np.int32) for name in COUNTS},
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        np.savez_compressed(file, **arrays)


def _adults(path: Path) -> dict[str, NDArray[np.generic]]:
    columns: dict[str, list[int]] = {name: [] for name in ROWS}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in csv.reader(file, skipinitialspace=True):
            if len(row) < 15:
                continue
            columns["weight"].append(int(row[2]))
            columns["age"].append(int(row[0]))
            columns["sex"].append(int(row[9] == "Male"))
            columns["race"].append(RACES.index(_TABLES["race"][row[8]]))
            columns["marital"].append(MARITAL.index(_TABLES["marital"][row[5]]))
            columns["education"].append(EDUCATIONS.index(_TABLES["education"][int(row[4]) - 1]))
            columns["occupation"].append(OCCUPATIONS.index(row[6].lower().replace("?", "none")))
            columns["birthplace"].append(BIRTHPLACES.index(row[13].lower().replace("?", "unknown")))
    wide = {"weight": np.dtype(np.int32)}
    return {name: np.array(values, wide.get(name, np.uint8)) for name, values in columns.items()}


def _counties(folder: Path) -> Iterator[tuple[str, dict[str, list[int]]]]:
    """Yield counties as *Lane County, Oregon* with their counts."""
    with gzip.open(folder / _COUNTIES, "rb") as raw:
        text = io.TextIOWrapper(raw, encoding="utf-8-sig")
        header, *rows = csv.reader(text, delimiter=";")
    at = {name.strip(): place for place, name in enumerate(header)}
    states = {int(row[0]) // 1000: row[1].strip() for row in rows if int(row[0]) % 1000 == 0}
    rows = [row for row in rows if row[1].strip() and int(row[0]) // 1000 != _PUERTO_RICO]
    for row in rows:
        code = int(row[0])

        def number(name: str, row: list[str] = row) -> int:
            return int(float(row[at[name]].replace(" ", "").replace(",", ".") or 0))

        if code % 1000:
            yield f"{row[1].strip()}, {states[code // 1000]}", _counts(number)


def _counts(number: Callable[[str], int]) -> dict[str, list[int]]:
    children, adults, marital, races = [], [], [], []
    for sex, plural in (("Female", "Females"), ("Male", "Males")):
        children.append(number(f"{sex}_age0to17"))
        old, oldest = number(f"{sex}_age65plus"), number(f"{sex}_age85plusr")
        adults += [number(f"{sex}_age18to64"), old - oldest, oldest]
        whole = f"MARITAL STATUS!!{plural} 15 years and over!!"
        marital += [number(f"{whole}{status}") for status in _TABLES["statuses"]]
        columns = [column.format(SEX=sex.upper()) for column in _TABLES["races"]]
        races += [sum(map(number, column.split("+"))) for column in columns]
    whole = "EDUCATIONAL ATTAINMENT!!Population 25 years and over!!"
    education = [number(f"{whole}{level}") for level in _TABLES["levels"]]
    return {
        "children": children,
        "adults_by_age": adults,
        "adults_by_marital": marital,
        "people_by_race": races,
        "adults_by_education": education,
    }


if __name__ == "__main__":
    build(Path(sys.argv[2]), Path(sys.argv[1]))
