"""Attributes of a text's subject that the population tables count, each with its position in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from ...document import Span
from ...errors import InputError
from ...shipped import by_word, shipped_table
from ..criteria.closure import CONFIDENT, Guesses, infer, value_span
from ..criteria.values import Attribute, head, regions
from ..tokens import LABEL
from .estimate import BIRTHPLACES, EDUCATIONS, MARITAL, OCCUPATIONS, RACES, Condition, Tables

_COLUMNS: Final = {"race": RACES, "birthplace": BIRTHPLACES}
_MARITAL: Final = {
    status: tuple(fitting.split("|"))
    for status, fitting in shipped_table("population_codes")["fitting_marital"].items()
}
_OLDEST: Final = 90
"""The oldest age that the survey distinguishes."""
_BIRTHPLACE: Final = r"\b(?:born (?:and raised )?in|native of|immigrated from|emigrated from|came from|comes from|originally from) (?:[\w-]+, )?(?:the )?(?P<value>{names})\b|\b(?P<people>{names})[- ](?:born|immigrant|refugee)\b"


@dataclass(frozen=True, slots=True)
class Clue:
    """An attribute that a text reveals about its subject.

    Attributes:
        name: name of the attribute, such as ``age``.
        value: the value as shown, such as ``38``.
        condition: which people fit; None for the place where a person lives.
        span: the words that reveal it; None if the whole text does.
    """

    name: str
    value: str
    condition: Condition | None
    span: Span | None


def place_of(clues: Iterable[Clue]) -> str:
    """Return the state or county where the subject lives according to clues; empty if unknown."""
    return next((clue.value for clue in clues if clue.condition is None), "")


def read_clues(text: str, tables: Tables) -> tuple[Clue, ...]:
    """Return what a text reveals about its subject, in terms of the tables."""
    guesses = infer(text)
    plain = LABEL.sub(lambda match: " " * len(match[0]), text)
    clues: dict[str, Clue] = {}
    for clue in (*_of_guesses(plain, guesses), *_of_patterns(plain)):
        clues.setdefault(clue.name, clue)
    for name, span in _places(plain, guesses):
        try:
            clues["place"] = Clue("place", tables.place(name).name, None, span)
        except InputError:
            continue
        break
    return tuple(clues.values())


def _of_guesses(text: str, guesses: Guesses) -> Iterator[Clue]:
    for attribute, guess in guesses.items():
        if guess.probability < CONFIDENT:
            continue
        span, value = guess.span, guess.value
        match attribute:
            case Attribute.SEX:
                codes = frozenset((int(value == "male"),))
                yield Clue("sex", value, Condition("sex", codes), span)
            case Attribute.AGE:
                ages = _ages(value, text if span is None else span.of(text))
                shown = str(min(ages)) if len(ages) == 1 else value
                yield Clue(
                    "age",
                    shown,
                    Condition("age", ages),
                    value_span(text, replace(guess, value=shown)),
                )
            case Attribute.RELATIONSHIP:
                codes = frozenset(map(MARITAL.index, _MARITAL[value]))
                yield Clue("marital status", value, Condition("marital", codes), span)
            case Attribute.OCCUPATION:
                group = _groups().get(value) or _groups().get(head(value))
                if group is not None:
                    codes = frozenset((OCCUPATIONS.index(group),))
                    shown = f"{value} ({group})"
                    condition = Condition("occupation", codes)
                    yield Clue("occupation", shown, condition, value_span(text, guess))
            case Attribute.EDUCATION:
                codes = frozenset((EDUCATIONS.index(value),))
                yield Clue("education", value, Condition("education", codes), span)


def _ages(band: str, words: str) -> frozenset[int]:
    """Return the years for an exact age, or else those in its band."""
    number = re.search(r"(?<!\d)\d{1,2}(?!\d)(?!0?s\b|['’]s)", words)
    if number:
        return frozenset((min(int(number[0]), _OLDEST),))
    low, _, high = band.removesuffix("+").partition("-")
    return frozenset(range(int(low), (int(high) if high else _OLDEST) + 1))


@cache
def _groups() -> Mapping[str, str]:
    """Return the group of each noun that names an occupation."""
    return by_word(shipped_table("population_terms")["occupation"])


@cache
def _patterns() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    table = shipped_table("population_terms")
    return tuple(
        (
            column,
            value,
            re.compile(
                _BIRTHPLACE.format(names=names) if column == "birthplace" else names, re.IGNORECASE
            ),
        )
        for column in _COLUMNS
        for value, names in table[column].items()
    )


def _of_patterns(text: str) -> Iterator[Clue]:
    for column, value, pattern in _patterns():
        match = pattern.search(text)
        if match:
            codes = frozenset((_COLUMNS[column].index(value),))
            place = match.span(match.lastgroup or 0)
            yield Clue(column, value, Condition(column, codes), Span(*place))


_COUNTY: Final = re.compile(
    r"\b(?P<county>(?:[A-Z][\w.'’-]+ ){1,3}(?:County|Parish|Borough))(?:, | in )?(?P<state>[A-Z][a-z]+(?: [A-Z][a-z]+)?)?"
)


def _places(text: str, guesses: Guesses) -> Iterator[tuple[str, Span | None]]:
    """Yield names of places where the subject may live, smallest first."""
    for match in _COUNTY.finditer(text):
        if match["state"]:
            yield f"{match['county']}, {match['state']}", Span(*match.span())
        yield match["county"], Span(*match.span("county"))
    guess = guesses.get(Attribute.PLACE)
    if guess is not None:
        words = guess.value.split()
        for start in range(len(words)):
            yield " ".join(words[start:]), guess.span
        for region in sorted(regions(words[0]) | regions(guess.value)):
            yield region, guess.span
